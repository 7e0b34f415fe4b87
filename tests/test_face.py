"""Verbs evaluate, adverbs return functions; no option hides a parameter of the function, and none is ignored."""

from __future__ import annotations

import functools
import inspect
import pickle
import platform
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from faces import MODULES

import adjoint
from adjoint import grad, gradient, hessian, hvp, jacobian, jvp, pullback, value_and_grad, withgradient
from adjoint.calculus import gradient_hook, hessian_diag, value_and_jacobian
from adjoint.errors import CotangentError, MissingNameError, NotDifferentiableError, NotScalarError, OptionError
from adjoint.inspect import code_adjoint
from adjoint.sparse import find_sparsity

X = np.array([0.5, 2.0, -1.5])


def squares(x: Any, scale: Any = 1.0) -> Any:
    """The squares of numbers and of their neighbours."""
    return scale * x * x + np.roll(x, 1)


def volume(x: Any, y: Any = 1.0) -> Any:
    return (x**3).sum() * y + x[0] * x[1]


# ---- Jacobians and Hessians of functions


def test_the_jacobian_of_a_function_is_that_of_the_call() -> None:
    (expected,) = jacobian(squares, X)
    np.testing.assert_array_equal(jacobian(squares)(X), expected)
    np.testing.assert_allclose(expected, np.diag(2 * X) + np.roll(np.eye(3), 1, 0))
    of_both = jacobian(squares, X, 2.0)
    for got, want in zip(jacobian(squares, argnums=(0, 1))(X, 2.0), of_both, strict=True):
        np.testing.assert_array_equal(got, want)
    np.testing.assert_array_equal(jacobian(squares, argnums="scale")(X, 2.0), of_both[1])
    np.testing.assert_array_equal(jacobian(squares, argnums=1)(X, 2.0), of_both[1])
    np.testing.assert_array_equal(jacobian(squares)(X, scale=2.0), of_both[0])


@pytest.mark.parametrize("mode", ["auto", "forward", "reverse"])
def test_options_go_before_the_arguments(mode: Any) -> None:
    np.testing.assert_array_equal(jacobian(squares, mode=mode)(X), jacobian(squares, X, mode=mode)[0])
    np.testing.assert_array_equal(hessian(volume, mode=mode)(X), hessian(volume, X, mode=mode))
    with pytest.raises(adjoint.errors.TooLargeError):
        jacobian(squares, mode=mode, max_bytes=8)(X)


def test_options_are_looked_at_at_once() -> None:
    for make in (jacobian, hessian, value_and_jacobian):
        with pytest.raises(OptionError, match="`mode` is 'backward'"):
            make(squares, mode="backward")  # type: ignore[operator]


def test_the_hessian_of_a_function_is_that_of_the_call() -> None:
    np.testing.assert_array_equal(hessian(volume)(X), hessian(volume, X))
    ((a, b), (c, d)) = hessian(volume, argnums=(0, 1))(X, 2.0)
    ((p, q), (r, s)) = hessian(volume, X, 2.0)
    for got, want in ((a, p), (b, q), (c, r), (d, s)):
        np.testing.assert_array_equal(got, want)


def test_derivatives_of_functions_keep_names_and_signatures() -> None:
    for made in (jacobian(squares), hessian(squares), hessian_diag(squares), value_and_jacobian(squares)):
        assert made.__name__ == "squares" and made.__doc__ == squares.__doc__
        assert inspect.signature(made) == inspect.signature(squares)
    assert repr(jacobian(squares)) == "J(squares)" and repr(hessian(volume)) == "∇²(volume)"
    assert (
        repr(hessian_diag(volume)) == "diag ∇²(volume)" and repr(value_and_jacobian(squares)) == "value and J(squares)"
    )


def test_derivatives_of_functions_are_pickled() -> None:
    for made in (jacobian(squares, mode="forward"), value_and_jacobian(squares, (0, 1))):
        again = pickle.loads(pickle.dumps(made))
        np.testing.assert_equal(again(X, 2.0), made(X, 2.0))
    for made in (hessian(volume), hessian_diag(volume)):
        np.testing.assert_array_equal(pickle.loads(pickle.dumps(made))(X), made(X))


class Scaled:
    def __init__(self, scale: float) -> None:
        self.scale = scale

    def squares(self, x: Any) -> Any:
        return self.scale * x * x

    slopes = jacobian(squares, argnums=1)


def test_the_jacobian_of_a_method_is_a_method() -> None:
    np.testing.assert_array_equal(Scaled(3.0).slopes(X), np.diag(6.0 * X))


def test_derivatives_of_functions_are_differentiated() -> None:
    want = gradient(lambda x: (jacobian(squares, x)[0] ** 2).sum(), X)[0]
    np.testing.assert_allclose(gradient(lambda x: (jacobian(squares)(x) ** 2).sum(), X)[0], want)
    np.testing.assert_allclose(want, 8 * X, rtol=1e-12)
    got = gradient(lambda x: (hessian(volume)(x) ** 2).sum(), X)[0]
    np.testing.assert_allclose(got, 72 * X, rtol=1e-12)
    np.testing.assert_allclose(gradient(lambda x: (hessian_diag(volume)(x) ** 2).sum(), X)[0], 72 * X, rtol=1e-12)
    np.testing.assert_allclose(gradient(lambda x: value_and_jacobian(squares)(x)[1].sum(), X)[0], [2.0, 2.0, 2.0])
    np.testing.assert_allclose(jacobian(jacobian(squares))(X), jacobian(lambda x: jacobian(squares, x)[0], X)[0])


# ---- value and Jacobian


@pytest.mark.parametrize("options", [{}, {"mode": "forward"}, {"mode": "reverse"}, {"sparsity": "auto"}])
def test_the_value_comes_with_the_jacobian(options: Any) -> None:
    if options.get("sparsity"):
        pytest.importorskip("scipy")
    y, J = value_and_jacobian(squares, **options)(X)
    np.testing.assert_array_equal(y, squares(X))
    np.testing.assert_allclose(J.toarray() if options.get("sparsity") else J, jacobian(squares)(X), rtol=1e-12)


def test_the_value_comes_with_several_jacobians() -> None:
    y, found = value_and_jacobian(squares, ("scale", 0))(X, 2.0)
    np.testing.assert_array_equal(y, squares(X, 2.0))
    for got, want in zip(found, jacobian(squares, X, 2.0)[::-1], strict=True):
        np.testing.assert_array_equal(got, want)


def test_the_function_runs_once_for_both() -> None:
    runs = []

    def seen(x: Any) -> Any:
        runs.append(1)
        return squares(x)

    y, J = value_and_jacobian(seen, mode="reverse")(X)
    assert len(runs) == 1 and y.shape == (3,) and J.shape == (3, 3)


def test_the_value_of_a_structure_comes_as_it_is() -> None:
    y, J = value_and_jacobian(lambda p: {"sum": p["a"] + p["b"]})({"a": 1.0, "b": np.ones(2)})
    np.testing.assert_equal(y, {"sum": np.full(2, 2.0)})
    np.testing.assert_equal(J, {"sum": {"a": np.ones(2), "b": np.eye(2)}})


def test_compiled_values_and_jacobians() -> None:
    pytest.importorskip("numba")

    def decay(x: Any) -> Any:
        y = np.zeros(3)
        for i in range(3):
            y[i] = x[i] * x[0]
        return y

    y, J = value_and_jacobian(decay, compile="strict")(X)
    np.testing.assert_allclose(y, decay(X))
    np.testing.assert_allclose(J, jacobian(decay)(X))
    np.testing.assert_allclose(jacobian(decay, compile="strict")(X), J)


# ---- the diagonal of the Hessian


@pytest.mark.parametrize("n", [0, 1, 3, 7, 300])
def test_the_diagonal_is_that_of_the_hessian(n: int) -> None:
    x = np.linspace(0.5, 1.5, n)

    def f(x: Any) -> Any:
        return (np.sin(x) * x).sum() * (1.0 + x.sum())

    np.testing.assert_allclose(hessian_diag(f)(x), np.diagonal(hessian(f)(x)), rtol=1e-12, atol=1e-14)


def test_diagonals_of_structures_have_their_form() -> None:
    def f(p: Any, q: Any) -> Any:
        return p["a"] ** 2 * q + (p["b"] ** 3).sum() + q**4

    p = {"a": 2.0, "b": np.array([[1.0, 2.0]])}
    of_p, of_q = hessian_diag(f, p, 3.0)
    np.testing.assert_allclose(of_p["a"], 6.0)
    np.testing.assert_allclose(of_p["b"], [[6.0, 12.0]])
    np.testing.assert_allclose(of_q, 108.0)
    np.testing.assert_allclose(hessian_diag(f, argnums="q")(p, 3.0), 108.0)
    assert hessian_diag(f, p, 3.0, argnums=1) == pytest.approx(108.0)


def test_the_diagonal_keeps_float32() -> None:
    found = hessian_diag(lambda x: (x**3).sum())(X.astype(np.float32))
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, 6 * X, rtol=1e-6)


def test_the_diagonal_is_of_a_real_scalar() -> None:
    with pytest.raises(NotScalarError):
        hessian_diag(squares, X)
    with pytest.raises(NotDifferentiableError):
        hessian_diag(volume, "text")
    with pytest.raises(NotDifferentiableError, match="not callable"):
        hessian_diag(3)  # type: ignore[call-overload]


# ---- has_aux


def test_grad_has_an_aux() -> None:
    assert grad(lambda x: (x * x, "seen"), has_aux=True)(3.0) == (6.0, "seen")
    assert grad(lambda x, y: (x * x * y, [x]), (0, 1), has_aux=True)(3.0, 2.0) == ((12.0, 9.0), [3.0])
    assert grad(lambda x: (x * x, "seen"), has_aux=True, check=True)(3.0) == (6.0, "seen")
    assert value_and_grad(lambda x: (x * x, "seen"), has_aux=True)(3.0) == ((9.0, "seen"), 6.0)
    made = grad(with_aux, has_aux=True)
    assert pickle.loads(pickle.dumps(made))(3.0) == (6.0, {"x": 3.0})
    assert gradient(lambda x: made(x)[0] * made(x)[1]["x"], 3.0) == (12.0,)


def with_aux(x: Any) -> Any:
    return x * x, {"x": x}


# ---- options and parameters of the same name


def chosen(x: Any, mode: str = "fast", check: bool = True, compile: int = 3, argnums: int = 1) -> Any:
    return x * (2.0 if mode == "fast" else 3.0) + 10.0 * check + compile + argnums


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("check", lambda: gradient(chosen, 1.0, check=False)),
        ("check", lambda: withgradient(chosen, 1.0, check=True)),
        ("check", lambda: pullback(chosen, 1.0, check=False)),
        ("compile", lambda: pullback(chosen, 1.0, compile=False)),
        ("compile", lambda: hvp(chosen, (1.0,), (1.0,), compile=False)),
        ("mode", lambda: jacobian(chosen, 1.0, mode="auto")),
        ("argnums", lambda: jacobian(chosen, 1.0, argnums=None)),
        ("compile", lambda: hessian(chosen, 1.0, compile=False)),
        ("argnums", lambda: hessian_diag(chosen, 1.0, argnums=0)),
    ],
)
def test_an_option_that_is_a_parameter_too_is_refused(name: str, call: Callable[[], Any]) -> None:
    with pytest.raises(OptionError, match=f"`{name}` is an option of `.*` and a parameter of `chosen`") as caught:
        call()
    assert f"functools.partial(chosen, {name}=...)" in caught.value.way_out
    assert "for the option, " in caught.value.way_out


def any_other(x: Any, **o: Any) -> Any:
    return x * o.get("check", 1.0) * o.get("argnums", 7.0) * o.get("compile", 1.0) * o.get("mode", 1.0)


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("check", lambda f: gradient(f, 2.0, check=3)),
        ("check", lambda f: gradient(f, 2.0, check=True)),
        ("check", lambda f: withgradient(f, 2.0, check=False)),
        ("check", lambda f: pullback(f, 2.0, check=3)),
        ("compile", lambda f: pullback(f, 2.0, compile=False)),
        ("compile", lambda f: hvp(f, (1.0,), (1.0,), compile=2)),
        ("argnums", lambda f: jacobian(f, 2.0, argnums=0)),
        ("mode", lambda f: hessian(f, 2.0, mode="reverse")),
        ("has_aux", lambda f: hessian(f, 2.0, has_aux=False)),
        ("compile", lambda f: hessian_diag(f, 2.0, compile=False)),
        ("argnums", lambda f: find_sparsity(f, X, argnums=0)),
        ("compile", lambda f: code_adjoint(f, 2.0, compile=True)),
    ],
)
def test_an_option_of_a_function_with_any_keyword_is_refused(name: str, call: Callable[[Any], Any]) -> None:
    """It hid the keyword, and changed the number."""

    class Model:
        __name__ = "model"

        def __call__(self, x: Any, **o: Any) -> Any:
            return any_other(x, **o)

    for f in (any_other, functools.partial(any_other, factor=1.0), Model()):
        with pytest.raises(
            OptionError, match=f"`{name}` is an option of `.*` and may be a keyword of `.*`, which takes any"
        ) as caught:
            call(f)
        assert "functools.partial(" in caught.value.way_out and "for the option, " in caught.value.way_out


def test_ways_out_of_functions_with_any_keyword_work() -> None:
    assert gradient(functools.partial(any_other, check=3.0), 2.0) == (21.0,)
    assert grad(any_other, check=True)(2.0, check=3.0) == 21.0
    assert value_and_grad(any_other, check=True)(2.0, check=3.0) == (42.0, 21.0)
    assert jacobian(any_other, argnums=0)(2.0, argnums=3.0) == 3.0
    assert jacobian(any_other, 2.0, scale=1.0)[0] == jacobian(any_other, mode="forward")(2.0) == 7.0
    assert pullback(lambda x: any_other(x, check=2.0), 2.0, check=True)[1](1.0)[1] == 14.0


def test_whose_keywords_are_known_is_asked_for_options() -> None:
    @functools.wraps(squares)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        return squares(*args, **kwargs)

    for f in (wrapped, grad(volume), np.sin, np.cumsum):
        assert np.shape(jacobian(f, X, argnums=0)) == (3, 3)
    step = np.vectorize(lambda x: x * x)
    assert np.shape(jacobian(step, X, argnums=0)) == (3, 3)
    with pytest.raises(OptionError, match="`mode` is an option of `jacobian` and a parameter of"):
        jacobian(np.vectorize(lambda x, mode: x * mode), X, mode="forward")


def test_errors_name_the_verb_that_was_called() -> None:
    for verb, call in (("gradient", gradient), ("withgradient", withgradient)):
        with pytest.raises(OptionError, match=f"^`{verb}` has no option `argnums` here"):
            call(squares, X, argnums=0)
        with pytest.raises(OptionError, match=f"`check` is an option of `{verb}`"):
            call(chosen, 1.0, check=True)


def test_the_ways_out_work() -> None:
    slow = functools.partial(chosen, mode="slow", check=False)
    assert jacobian(slow, 1.0)[0] == 3.0 and jacobian(lambda x: chosen(x), 1.0, mode="forward")[0] == 2.0
    assert jacobian(chosen, mode="forward")(1.0, mode="slow") == 3.0  # no doubt which is which
    assert grad(chosen, check=True)(1.0, check=False) == 2.0
    assert gradient(chosen, 1.0) == (2.0,) and jacobian(chosen, 1.0)[0] == 2.0  # nothing is passed twice


def test_defaults_are_shown_as_they_are() -> None:
    shown = {name: repr(p.default) for name, p in inspect.signature(jacobian).parameters.items()}
    assert shown["mode"] == "'auto'" and shown["argnums"] == "None" and shown["compile"] == "False"
    assert repr(inspect.signature(gradient).parameters["check"].default) == "False"


@pytest.mark.parametrize(
    ("make", "name", "hint"),
    [
        (grad, "argnum", "`argnums=`"),
        (value_and_grad, "argnum", "`argnums=`"),
        (value_and_jacobian, "argnum", "`argnums=`"),
        (grad, "create_graph", "differentiated again"),
        (grad, "retain_graph", "as often as one likes"),
        (grad, "holomorphic", "`adjoint.calculus.derivative`"),
        (grad, "allow_int", "counts as a real number"),
        (value_and_jacobian, "with_aux", "pass it there"),
        (grad, "y", "`grad(f)(..., y=...)`"),
    ],
)
def test_options_that_are_none_get_a_hint(make: Any, name: str, hint: str) -> None:
    with pytest.raises(OptionError, match=f"`{make.__name__}` has no option `{name}`") as caught:
        make(squares, **{name: True})
    assert hint in caught.value.way_out and caught.value.place is not None


def test_versions_are_shown(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    loaded = {*sys.modules}
    adjoint.show_versions()
    lines = dict(line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines())
    assert lines["adjoint"] == adjoint.__version__ and lines["numpy"] == np.__version__
    assert lines["python"].startswith(platform.python_version()) and platform.system() in lines["platform"]
    assert not {"torch", "jax", "numba"} & ({*sys.modules} - loaded)
    monkeypatch.setattr("adjoint.versions.LIBRARIES", ("none_such",))
    assert adjoint.versions.versions()["none_such"] == "not installed"


# ---- hooks


def test_a_hook_changes_the_gradient() -> None:
    clipped = gradient_hook(lambda g: np.clip(g, -1.0, 1.0))
    x = np.array([0.25, 3.0])
    np.testing.assert_array_equal(gradient(lambda x: (clipped(x) ** 2).sum(), x)[0], [0.5, 1.0])
    np.testing.assert_array_equal(clipped(x), x)
    assert clipped(x) is x and repr(clipped) == "gradient_hook(<lambda>)"


def test_a_hook_that_looks_lets_it_pass() -> None:
    seen: list[Any] = []
    look = gradient_hook(seen.append)
    y, back = pullback(lambda x: look(x) * x, 3.0)
    assert y == 9.0 and back(1.0)[1] == 6.0 and seen == [3.0]
    assert back(2.0)[1] == 12.0 and seen == [3.0, 6.0]
    assert gradient(lambda x: x + 0.0 * adjoint.stop_gradient(look(x)), 3.0) == (1.0,) and seen == [3.0, 6.0]


def test_hooks_of_structures_loops_and_second_derivatives() -> None:
    tenfold = gradient_hook(lambda g: {**g, "a": 10.0 * g["a"]})
    assert gradient(lambda p: tenfold(p)["a"] * p["b"], {"a": 2.0, "b": 3.0}) == ({"a": 30.0, "b": 2.0},)
    double = gradient_hook(lambda g: 2.0 * g)

    def thrice(x: Any) -> Any:
        for _ in range(3):
            x = double(x)
        return x * x

    assert gradient(thrice, 3.0) == (48.0,)
    assert jvp(thrice, (3.0,), (1.0,)) == (9.0, 48.0)
    assert grad(grad(thrice))(3.0) == 128.0  # each derivative goes through three hooks: 8 · 8 · 2
    assert (
        hessian(thrice, 3.0)
        == hessian(thrice, 3.0, mode="forward")
        == adjoint.calculus.derivative(thrice, 2)(3.0)
        == 128.0
    )
    assert hvp(thrice, (3.0,), (1.0,)) == (128.0,)
    ramp = gradient_hook(lambda g: np.minimum(g, 1.0))
    assert jvp(lambda x: ramp(x) * 0.5, (3.0,), (4.0,))[1] == 2.0


def test_what_is_no_cotangent_is_refused() -> None:
    for wrong in ("text", np.ones(3), {"a": 1.0}):
        with pytest.raises(CotangentError, match="what the hook `<lambda>` gives"):
            gradient(lambda x, wrong=wrong: gradient_hook(lambda g: wrong)(x) * 2.0, 3.0)
    with pytest.raises(NotDifferentiableError, match="3 is not callable"):
        gradient_hook(3)  # type: ignore[arg-type]


def test_hooks_are_pickled() -> None:
    hook = pickle.loads(pickle.dumps(gradient_hook(np.negative)))
    assert gradient(lambda x: hook(x) * 2.0, 3.0) == (-2.0,)


# ---- names


def test_few_names_are_at_the_top() -> None:
    assert len(adjoint.__all__) <= 21 and {*adjoint.__all__} < {*dir(adjoint)}
    for module in MODULES[1:]:
        assert module.__name__.rpartition(".")[2] in dir(adjoint)
        assert all(getattr(module, name).__doc__ for name in module.__all__)
    counts = Counter(name for module in MODULES for name in module.__all__)
    assert {name for name, n in counts.items() if n > 1} == {"explain", "rule"}  # at the top, and where they belong


OF_0_1 = {
    "calculus": {
        *("Linearized", "Pullback", "Vjp", "derivative", "elementwise_grad", "frule", "ggnvp", "implicit", "numeric"),
        *("pushforward", "seeds", "to_file"),
    },
    "errors": {
        *("AdjointError", "CompileError", "CompileFallbackWarning", "CotangentError", "ImplicitError"),
        *("MissingLibraryError", "MutationError", "NoRuleError", "NonFiniteError", "NotDifferentiableError"),
        *("NotScalarError", "NumericWarning", "OptionError", "RuleError", "ShapeError", "SingularError"),
        *("SourceChangedError", "SourceUnavailableError", "SparsityError", "StructureError", "TooLargeError"),
        *("UnsupportedSyntaxError", "WrongGradientError"),
    },
    "inspect": {
        *("CacheInfo", "Explanation", "Support", "cache_clear", "cache_info", "code_adjoint", "code_ir"),
        *("code_primal", "code_pushforward", "debug_nans", "supports"),
    },
    "optimize": {"Model", "Objective", "Residuals", "through_steps"},
    "rules": {"non_differentiable", "not_implemented", "opt_out", "scalar_rule"},
    "sparse": {"Sparsity", "find_sparsity"},
    "stats": {"covariance", "propagate", "standard_errors"},
}
"""What stood at the top in version 0.1, and where it is now."""


@pytest.mark.parametrize("module", MODULES[1:], ids=lambda module: module.__name__)
def test_names_that_never_stood_at_the_top_are_told_where(module: Any) -> None:
    """They are no old names: what is new in a module is new there alone."""
    where = module.__name__.rpartition(".")[2]
    for name in {*module.__all__} - {*adjoint.__all__} - OF_0_1[where]:
        with pytest.raises(MissingNameError, match=f"there is no `adjoint.{name}`") as caught:
            getattr(adjoint, name)
        assert caught.value.way_out == f"write `{module.__name__}.{name}`"
        assert not hasattr(adjoint, name)


def test_all_modules_are_there_after_an_import_alone() -> None:
    code = (
        "import sys, adjoint\n"
        "names = 'rules errors inspect sparse optimize stats testing nn compat interop dask ir calculus'.split()\n"
        "assert {*names} < {*dir(adjoint)}, dir(adjoint)\n"
        "assert not {'adjoint.' + name for name in ('nn', 'testing', 'compat', 'interop', 'dask')} & {*sys.modules}\n"
        "assert all(getattr(adjoint, name).__name__ == 'adjoint.' + name for name in names)\n"
        "assert not {'torch', 'jax', 'dask', 'distributed'} & {*sys.modules}\n"
        "print('all')\n"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert found.stdout == "all\n", found.stderr


@pytest.mark.parametrize("module", MODULES[1:], ids=lambda module: module.__name__)
def test_old_names_go_on_working(module: Any) -> None:
    for name in OF_0_1[module.__name__.rpartition(".")[2]]:
        with pytest.warns(DeprecationWarning, match=f"`adjoint.{name}` is now `{module.__name__}.{name}`") as caught:
            assert getattr(adjoint, name) is getattr(module, name)
        assert caught[0].filename == __file__


def test_checked_pullback_goes_on_working() -> None:
    with pytest.warns(DeprecationWarning, match="check=True"):
        y, back = adjoint.checked_pullback(lambda x: x * x, 3.0)
    assert y == 9.0 and back(1.0)[1] == 6.0


def test_unknown_names_are_pythons_error() -> None:
    with pytest.raises(AttributeError, match="module 'adjoint' has no attribute 'gradiant'"):
        _ = adjoint.gradiant
