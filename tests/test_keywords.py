"""Keywords of the user's functions may have any name: our own parameters have none beside them."""

from __future__ import annotations

import functools
import inspect
import linecache

import numpy as np
import pytest
from faces import PUBLIC

import adjoint
from adjoint import (
    checkpoint,
    explain,
    grad,
    gradient,
    hessian,
    hvp,
    jacobian,
    jvp,
    linearize,
    pullback,
    rrule,
    value_and_grad,
    vjp,
    withgradient,
)
from adjoint.calculus import derivative, elementwise_grad, ggnvp, pushforward
from adjoint.derivatives.choice import has_been_recorded
from adjoint.inspect import code_adjoint, code_ir, code_primal, code_pushforward

NAMES = [
    *("f", "self", "args", "kwargs", "needs", "function", "record", "k", "dots", "y", "tangents", "loss", "out"),
    *("y_bar", "x_bar", "back", "name", "target", "path", "method", "primal", "p_bar", "d", "n", "cls", "ys"),
]
FORMS = {
    "by position or name": "def f(p, {0}):\n    return p * p * {0}\n",
    "by name": "def f(p, *, {0}=2.0):\n    return p * p * {0}\n",
    "in a dict": "def f(p, **options):\n    return p * p * options['{0}']\n",
    "recorded": "def f(p, {0}):\n    try:\n        return p * p * {0}\n    except KeyError:\n        return p\n",
    "a loop": "def f(p, {0}):\n    t = 0.0\n    for _ in range(2):\n        t = t + p * p * {0} / 2\n    return t\n",
    "an object": "class C:\n    def __call__(own, p, {0}):\n        return p * p * {0}\nf = C()\n",
}
FACE = {
    "grad": lambda f, kw: (grad(f)(2.0, **kw), 12.0),
    "value_and_grad": lambda f, kw: (value_and_grad(f)(2.0, **kw), (12.0, 12.0)),
    "gradient": lambda f, kw: (gradient(f, 2.0, **kw), (12.0,)),
    "withgradient": lambda f, kw: (withgradient(f, 2.0, **kw)[1], (12.0,)),
    "pullback": lambda f, kw: (pullback(f, 2.0, **kw)[1](1.0)[1], 12.0),
    "grad, checked": lambda f, kw: (grad(f, check=True)(2.0, **kw), 12.0),
    "vjp": lambda f, kw: (vjp(f, 2.0, **kw)[1](1.0), (12.0,)),
    "jvp": lambda f, kw: (jvp(f, (2.0,), (1.0,), **kw), (12.0, 12.0)),
    "pushforward": lambda f, kw: (pushforward(f, (2.0,), (1.0,), **kw), (12.0, 12.0)),
    "linearize": lambda f, kw: (linearize(f, 2.0, **kw)[1](1.0), 12.0),
    "jacobian": lambda f, kw: (jacobian(f, 2.0, **kw), (12.0,)),
    "hessian": lambda f, kw: (hessian(f, 2.0, **kw), 6.0),
    "hvp": lambda f, kw: (hvp(f, (2.0,), (1.0,), **kw), (6.0,)),
    "ggnvp": lambda f, kw: (ggnvp(f, lambda u: u * u / 2, (2.0,), (1.0,), **kw), (144.0,)),
    "derivative": lambda f, kw: (derivative(f)(2.0, **kw), 12.0),
    "elementwise_grad": lambda f, kw: (elementwise_grad(f)(2.0, **kw), 12.0),
    "checkpoint": lambda f, kw: (grad(checkpoint(f))(2.0, **kw), 12.0),
    "explain": lambda f, kw: (bool(explain(f, 2.0, **kw)), True),
    "partial": lambda f, kw: (grad(functools.partial(f, **kw))(2.0), 12.0),
    "called": lambda f, kw: (grad(lambda q: f(q, **kw))(2.0), 12.0),
    "given by name": lambda f, kw: (grad(lambda q: f(2.0, **dict.fromkeys(kw, q)))(3.0), 4.0),
    "grad of grad": lambda f, kw: (grad(lambda q: grad(f)(q, **kw))(2.0), 6.0),
    "grad of gradient": lambda f, kw: (grad(lambda q: gradient(f, q, **kw)[0])(2.0), 6.0),
    "grad of pullback": lambda f, kw: (grad(lambda q: pullback(f, q, **kw)[1](1.0)[1])(2.0), 6.0),
    "grad of pushforward": lambda f, kw: (grad(lambda q: pushforward(f, (q,), (1.0,), **kw)[1])(2.0), 6.0),
    "grad of checkpoint": lambda f, kw: (grad(lambda q: checkpoint(f)(q, **kw))(2.0), 12.0),
}


def made(text):
    filename = f"<keywords {hash(text)}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    namespace = {"__name__": "keywords", "adjoint": adjoint}
    exec(compile(text, filename, "exec"), namespace)
    return namespace["f"]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("called", FACE)
def test_any_name(called, form):
    for name in NAMES[:13] if form == "by position or name" else NAMES[:4]:
        found, right = FACE[called](made(FORMS[form].format(name)), {name: 3.0})
        assert found == right, name


@pytest.mark.parametrize("name", NAMES)
def test_what_is_printed(name):
    f = made(FORMS["a loop"].format(name))
    for code in (code_ir, code_primal, code_pushforward, code_adjoint):
        assert code(f, 2.0, **{name: 3.0})


@pytest.mark.parametrize("name", [name for name in NAMES if name != "d"])
def test_rules(name):
    f = made(
        f"def f(p, {name}):\n    return p * p * {name}\n@adjoint.rule(f)\n"
        f"def f_rule(p, {name}):\n    return p * p * {name}, lambda d: (d * 2 * p * {name}, d * p * p)\n"
    )
    assert grad(f)(2.0, **{name: 3.0}) == 12.0
    assert grad(f, name)(2.0, **{name: 3.0}) == 4.0
    assert rrule(f, 2.0, **{name: 3.0})[1](1.0)[1] == 12.0
    assert pushforward(f, (2.0,), (1.0,), **{name: 3.0}) == (12.0, 12.0)


def test_all_arguments_by_name():
    for name in NAMES:
        f = made(f"def f({name}, m=1.0):\n    return {name} * {name} * m\n")
        assert grad(f)(**{name: 2.0}) == 4.0
        assert derivative(f)(**{name: 2.0}) == 4.0
        assert derivative(f, 2)(**{name: 2.0, "m": 3.0}) == 6.0
    with pytest.raises(adjoint.errors.NotDifferentiableError, match="not given its first argument"):
        derivative(lambda x, y: x)(y=1.0)


def test_no_parameter_of_ours_has_a_name_beside_keywords_of_the_user():
    """What takes any keyword takes its own arguments by position alone, or by keyword alone."""
    taken = [*PUBLIC.values()]
    classes = [x for x in taken if isinstance(x, type)]
    methods = [cls.__call__ for cls in classes if "__call__" in vars(cls)]
    adverbs = (
        adjoint.calculus.derivative,
        checkpoint,
        elementwise_grad,
        adjoint.vmap,
        grad,
        value_and_grad,
        adjoint.compile,
        adjoint.calculus.value_and_jacobian,
    )
    for f in [*(x for x in taken if inspect.isfunction(x) and x not in adverbs), *methods]:
        parameters = inspect.signature(f).parameters.values()
        if any(p.kind is p.VAR_KEYWORD for p in parameters):
            assert not [p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD], f


def test_second_derivative_of_a_pullback_with_keywords():
    def f(a, scale):
        return (a * a * a * scale).sum()

    a = np.array([1.0, 2.0])
    (d,) = gradient(lambda a: pullback(f, a, scale=2.0)[1](1.0)[1].sum(), a)
    assert np.array_equal(d, 12 * a)


def test_gradient_that_is_made_and_called_with_stars():
    def f(a, b, c=1.0):
        return a * a * b * c

    def by_star(a, *rest, **options):
        return grad(f)(a, *[v for v in rest], **options)

    for _ in range(2):
        assert gradient(by_star, 2.0, 3.0) == (6.0, 4.0)
        assert gradient(lambda a: by_star(a, 3.0, c=5.0), 2.0) == (30.0,)
        assert gradient(lambda a: value_and_grad(f)(*[a, 3.0])[1], 2.0) == (6.0,)


def passed_on(f):
    """A wrapper that hands on whatever it is given."""

    def wrapped(*args, **options):
        return f(*args, **options)

    return wrapped


MAXIMUM = [passed_on(np.maximum)]


def stored(x, **options):
    options["a"] = x * x
    return options["a"] * options.get("b", x) + len(options)


def taken(x, **options):
    return options.pop("a", x * x) + sum(options.values())


@pytest.mark.parametrize(
    ("f", "given"),
    [(lambda x: MAXIMUM[0](x, 1.0) * x, {}), (stored, {}), (stored, {"b": 2.0}), (taken, {}), (taken, {"a": 3.0})],
)
def test_options_of_which_none_are_given(f, given):
    """`**options` is known to be empty, and given on as nothing: also to what has an `out`."""
    for more in (given, {}, given):
        slope = (f(2.0 + 1e-6, **more) - f(2.0 - 1e-6, **more)) / 2e-6
        assert grad(f)(2.0, **more) == pytest.approx(slope, abs=1e-7)


def test_options_of_which_none_are_given_are_structured():
    f = lambda x: MAXIMUM[0](x, 1.0) * x  # noqa: E731
    assert grad(f)(2.0) == 4.0
    assert not has_been_recorded(f, (2.0,))
