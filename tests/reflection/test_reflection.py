"""`adjoint.ir`: to print, walk, change, build and run programs."""

from __future__ import annotations

import functools
import inspect
import math
import operator
import pickle
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import cloudpickle
import numpy as np
import pytest

import adjoint
from adjoint import grad, gradient, hessian, ir, jvp, vmap
from adjoint.errors import (
    MutationError,
    OptionError,
    SourceUnavailableError,
    StructureError,
    UnsupportedSyntaxError,
    VerificationError,
)
from adjoint.inspect import code_adjoint, code_ir, code_primal

RATE = 3.0


def scaled(x: float) -> float:
    return x * RATE


ir_of_scaled = ir.of(scaled)


def walked(x: float, n: int = 3) -> float:
    y = x
    for _ in range(n):
        y = math.sin(y) * RATE if y > 0.5 else scaled(y)
    return y


def power(k: float) -> Any:
    def raised(x: float) -> float:
        return k * x**2

    return raised


def stores(a: Any, x: float) -> Any:
    a[0] = x * a[1]
    return a.sum()


@pytest.mark.parametrize("f", [scaled, walked, power(2.0), stores], ids=lambda f: f.__name__)
def test_the_texts_are_those_of_inspect(f: Any) -> None:
    args = (np.ones(2), 2.0) if f is stores else (0.3, 4) if f is walked else (0.3,)
    assert str(ir.of(f)) == repr(ir.of(f)) == code_ir(f)
    if f is not stores:  # what stores is differentiated as a program that works on copies
        assert str(ir.of(f, *args)) == code_primal(f, *args)
        plain = [line.partition("#")[0].rstrip() for line in code_adjoint(f, *args).splitlines()]
        text = ir.reverse_differentiate(ir.of(f), *args).python.partition("\n\n# ")[0]
        assert text.splitlines() == plain


def test_types_stand_for_arguments() -> None:
    class Point:
        x: float = 1.0

    def f(a: Any) -> Any:
        return a

    for given, value in [
        *[(float, 1.0), (int, 1), (bool, True), (complex, 1j), (None, None), (list[float], [1.0])],
        *[(tuple[float, int], (1.0, 2)), (dict[str, float], {"a": 1.0}), (np.float32, np.float32(1))],
    ]:
        types = ir.of(f, given).types
        assert types is not None
        if given != dict[str, float]:  # of a value the keys are known
            assert types == ir.of(f, value).types
        assert ir.function(ir.of(f, given))(value) is value
    for given, value in [
        *[(np.ndarray, np.ones(2)), (np.ndarray, np.ones((2, 3))), (list[np.ndarray], [np.ones(2), np.ones(2)])],
        *[(Point, Point()), (dict[str, np.ndarray], {"a": np.ones(1)}), (tuple[Point, float], (Point(), 1.0))],
    ]:
        assert ir.function(ir.of(f, given))(value) is value
    for given, value in [(np.ndarray, np.ones(2, int)), (np.ndarray, 1.0), (list[float], (1.0,)), (Point, f)]:
        with pytest.raises(StructureError, match="is not for"):
            ir.function(ir.of(f, given))(value)
    for alias in (tuple[float, ...], Callable[[float], float]):
        with pytest.raises(OptionError, match="is no type that a program is made for"):
            ir.of(f, alias)
    assert ir.of(f).types is None


def test_a_function_of_a_program_is_compiled_and_named() -> None:
    for data in (ir.of(walked), ir.of(walked, 0.3)):
        f = ir.function(data)
        assert inspect.signature(f) == inspect.signature(walked)
        assert (f.__name__, f.__module__) == (walked.__name__, walked.__module__)
        assert grad(f, "x")(0.3) == grad(walked)(0.3)
        assert adjoint.value_and_grad(f, compile="strict")(0.3) == pytest.approx(
            adjoint.value_and_grad(walked)(0.3), rel=1e-12
        )


def test_what_is_not_there_is_not_replaced() -> None:
    for data in (ir.of(scaled), ir.of(scaled, 1.0)):
        with pytest.raises(OptionError, match="has no call of `sin`"):
            ir.replace_calls(data, {math.sin: math.cos})


def test_calls_are_replaced_where_only_their_names_are_known() -> None:
    def small(x: Any) -> Any:
        return x * x

    def summed(xs: list[float]) -> Any:
        s = 0.0
        for x in xs:
            s = s + small(x) * halved(x)
        return s

    def of_cosine(xs: list[float]) -> Any:
        return sum([small(math.sin(x)) for x in xs])

    xs = [0.5, 2.0]
    p = ir.replace_calls(ir.of(summed), {small: math.sin, halved: math.exp})
    assert ir.function(p)(xs) == sum([math.sin(x) * math.exp(x) for x in xs])
    assert ir.function(ir.primal(p, xs))(xs) == ir.function(p)(xs)
    assert grad(ir.function(p))(xs) == pytest.approx([math.exp(x) * (math.sin(x) + math.cos(x)) for x in xs])
    q = ir.replace_calls(ir.of(of_cosine), {math.sin: math.cos, small: halved, sum: max})
    assert ir.function(q)(xs) == max([halved(math.cos(x)) for x in xs])


def halved(x: Any) -> Any:
    return x / 2


def test_a_function_that_is_written_out_is_said_to_be() -> None:
    def summed(xs: list[float]) -> Any:
        s = 0.0
        for x in xs:
            s = s + halved(x)
        return s

    with pytest.raises(OptionError, match="written out where it is called") as error:
        ir.replace_calls(ir.of(summed, list[float]), {halved: math.sin})
    assert "in the program for any types" in str(error.value)
    for program in (ir.of(summed), ir.of(summed, list[float])):
        with pytest.raises(OptionError, match="stands in a function that this one calls") as error:
            ir.replace_calls(program, {math.sin: halved})
        assert ("make the program for types" in str(error.value)) == (program.types is None)


def test_functions_that_are_put_in_are_spelled_as_the_others() -> None:
    def f(x: Any) -> Any:
        return math.sin(x) * x  # a line of the user's

    data = ir.replace_calls(ir.of(f, float), {math.sin: math.cos})
    assert "math.cos(%2)" in str(data) and " cos(" not in str(data)
    text = str(code_adjoint(ir.function(data), 1.0))
    assert "t1 = math.cos(x)\n" in text and "math.sin(x))" in text and "#" not in text
    assert "# return math.sin(x) * x" in code_adjoint(f, 1.0)
    b = ir.Builder("solved", "a")
    built = b.build(b.call(np.linalg.norm, b.call(operator.mul, *b.params, 2.0)))
    assert "np.linalg.norm(%3)" in str(built) and "mul(%2, 2.0)" in str(built)
    assert ir.function(built)(np.array([3.0, 4.0])) == 10.0


def test_containers_of_variables_are_made_as_it_runs() -> None:
    b = ir.Builder("pair", "x", "y")
    x, y = b.params
    f = ir.function(b.build((b.call(np.array, [x, y]), {"a": x, "b": [y, 1.0]})))
    array, named = f(1.0, 2.0)
    assert array.tolist() == [1.0, 2.0] and named == {"a": 1.0, "b": [2.0, 1.0]}
    assert gradient(lambda x, y: f(x, y)[0] @ np.array([3.0, 4.0]), 1.0, 2.0) == (3.0, 4.0)


def test_built_by_hand_with_while() -> None:
    b = ir.Builder("halved", "x")
    (x,) = b.params
    y, n = b.loop_while(
        lambda y, n: b.call(operator.gt, y, 1.0),
        (x, 0),
        lambda y, n: (b.call(operator.mul, y, 0.5), b.call(operator.add, n, 1)),
    )
    f = ir.function(b.build(b.call(operator.mul, y, n)))
    assert f(5.0) == 0.625 * 3 and grad(f)(5.0) == 3 / 8


def test_verify_is_a_function_in_a_fresh_process() -> None:
    code = """from adjoint import ir
import adjoint.reflection.passes
print(ir.verify(ir.Builder("f", "x").build(1.0)))"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "None\n"


def test_a_function_of_certain_types_refuses_others() -> None:
    f = ir.function(ir.of(scaled, float))
    with pytest.raises(StructureError, match="is not for `x=1`") as caught:
        f(1)
    assert "made for a float" in caught.value.why
    for derivative in (grad(f), lambda x: jvp(f, (x,), (x,)), hessian(f)):
        with pytest.raises(StructureError, match="is not for"):
            derivative(np.float32(1.0))


def test_derivatives_of_every_kind() -> None:
    for data in (ir.of(walked), ir.of(walked, 0.3)):
        f = ir.function(data)
        assert f(0.3) == walked(0.3)
        assert grad(f)(0.3) == grad(walked)(0.3)
        assert grad(grad(f))(0.3) == pytest.approx(grad(grad(walked))(0.3), rel=1e-12)
        assert jvp(f, (0.3,), (1.0,)) == pytest.approx(jvp(walked, (0.3,), (1.0,)), rel=1e-12)
        np.testing.assert_allclose(hessian(f)(0.3), hessian(walked)(0.3))
    f = ir.function(ir.of(walked))
    np.testing.assert_array_equal(vmap(f)(np.linspace(0, 1, 4)), vmap(walked)(np.linspace(0, 1, 4)))
    assert f(0.3, n=1) == walked(0.3, n=1)


def test_globals_are_read_as_it_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    functions = [ir.function(ir.of(scaled)), ir.function(ir.of(scaled, 1.0))]
    assert [grad(f)(2.0) for f in functions] == [3.0, 3.0]
    monkeypatch.setitem(globals(), "RATE", 5.0)
    assert [f(2.0) for f in functions] == [10.0, 10.0]
    assert [grad(f)(2.0) for f in functions] == [5.0, 5.0]


def test_stores_into_arguments() -> None:
    f = ir.function(ir.of(stores))
    for given, expected in zip(gradient(f, np.array([1.0, 3.0]), 2.0), ([0.0, 3.0], 3.0), strict=True):
        np.testing.assert_array_equal(given, expected)


def test_what_a_closure_captures_gets_its_cotangent() -> None:
    f = ir.function(ir.of(power(2.0)))
    own, x_bar = adjoint.pullback(f, 3.0)[1](1.0)
    assert x_bar == 12.0
    assert adjoint.pullback(power(2.0), 3.0)[1](1.0)[0].k == 9.0
    assert own.program.own.k == 9.0


def test_a_changed_program_is_differentiated_as_changed() -> None:
    def f(x: float) -> float:
        return math.sin(x) * x

    turned = ir.function(ir.replace_calls(ir.of(f, float), {math.sin: math.cos}))
    x = 0.7
    assert turned(x) == math.cos(x) * x
    assert grad(turned)(x) == pytest.approx(math.cos(x) - x * math.sin(x), rel=1e-14)
    assert f(x) == math.sin(x) * x  # the function stays what it is
    text = ir.reverse_differentiate(ir.replace_calls(ir.of(f, float), {math.sin: math.cos})).python
    assert "cos(x)" in text and "sin(x)" in text and "check" not in text


def test_statements_within_branches_and_loops_are_walked_and_changed() -> None:
    kinds = [type(s).__name__ for s in ir.walk(ir.of(walked, 0.3))]
    assert kinds.count("Loop") == 1 and kinds.count("If") == 1
    doubled = ir.rewrite(ir.of(walked, 0.3), _with_a_double)
    f = ir.function(doubled)

    def expected(y: float, n: int = 3) -> float:
        for _ in range(n):
            y = 2 * (math.sin(y) * RATE) if y > 0.5 else 2 * (y * RATE)
        return y

    assert f(0.3) == pytest.approx(expected(0.3), rel=1e-14)
    assert grad(f)(0.3) == pytest.approx(grad(expected)(0.3), rel=1e-12)


def _with_a_double(s: Any) -> Any:
    """Each product twice as large: two statements for one."""
    if not (isinstance(s, ir.Call) and isinstance(s.fn, ir.Const) and s.fn.value is operator.mul):
        return s
    half = ir.Var("half")
    return [
        ir.Call((half,), s.fn, s.args, s.kwargs, s.span),
        ir.Call(s.outs, ir.Const(operator.mul), (ir.Const(2), half)),
    ]


def test_a_pass_that_breaks_a_program_is_refused() -> None:
    program = ir.of(scaled, float)
    with pytest.raises(VerificationError):
        ir.rewrite(program, lambda s: None)  # the result is not defined any more
    x = ir.Var("x")
    twice = ir.Call((x,), ir.Const(operator.neg), (x,))
    with pytest.raises(VerificationError):
        ir.function(ir.Program(ir.Function("f", ir.Block((ir.Var("f"), x), (twice,), (x,)))))


def test_instrumented_calls_go_through_a_function() -> None:
    seen = []

    def around(fn: Any, *args: Any) -> Any:
        seen.append(fn)
        return fn(*args)

    def plain(fn: Any, *args: Any) -> Any:
        return fn(*args)

    f = ir.function(ir.instrument(ir.of(walked, 0.3), around))
    assert f(0.3) == walked(0.3)
    assert seen == [
        *(range, operator.gt, operator.mul),
        *(operator.gt, math.sin, operator.mul, operator.gt, math.sin, operator.mul),
    ]
    assert grad(ir.function(ir.instrument(ir.of(walked, 0.3), plain)))(0.3) == pytest.approx(grad(walked)(0.3))


def test_the_hook_of_a_run_sees_every_call() -> None:
    seen = []
    y = ir.run(ir.of(scaled), 2.0, hook=lambda fn, args, kwargs, y: seen.append((fn, args[-2:], kwargs, y)))
    assert y == 6.0 and seen[-1] == (operator.mul, (2.0, 3.0), {}, 6.0)


def test_built_by_hand_with_branches_and_loops() -> None:
    b = ir.Builder("steps", "x", "n")
    x, n = b.params

    def round_of(y: Any, i: Any) -> Any:
        large = b.call(operator.gt, y, 1.0)
        return b.branch(
            large, lambda: b.call(operator.mul, y, 0.5), lambda: b.call(operator.add, y, b.call(operator.mul, y, y))
        )

    program = b.build(b.loop(b.call(range, n), x, round_of))

    def steps(x: float, n: int) -> float:
        for _ in range(n):
            x = x * 0.5 if x > 1.0 else x + x * x
        return x

    f = ir.function(program)
    for x0 in (0.3, 1.7):
        assert f(x0, 4) == steps(x0, 4) == ir.run(program, x0, 4)
        assert grad(f)(x0, 4) == pytest.approx(grad(steps)(x0, 4), rel=1e-13)
        assert grad(grad(f))(x0, 4) == pytest.approx(grad(grad(steps))(x0, 4), rel=1e-12)


def test_pickles() -> None:
    for data in (ir.of(walked), ir.of(walked, 0.3)):
        loaded = pickle.loads(pickle.dumps(ir.function(data)))
        assert loaded(0.3) == walked(0.3) and grad(loaded)(0.3) == grad(walked)(0.3)
        assert str(loaded.program) == str(data)
    with_try = ir.of(_caught)
    assert ir.run(pickle.loads(pickle.dumps(with_try)), -1.0) == 0.0
    closure = cloudpickle.loads(cloudpickle.dumps(ir.function(ir.of(power(2.0)))))
    assert closure(3.0) == 18.0 and grad(closure)(3.0) == 12.0


def of_keywords(x: float, **more: float) -> Any:
    return x * sum(more.values())


def of_method(numbers: Any, x: float) -> Any:
    return numbers.conjugate() * x


@pytest.mark.parametrize("by", [pickle, cloudpickle], ids=lambda by: by.__name__)
@pytest.mark.parametrize(
    ("f", "args", "kwargs"), [(of_keywords, (2.0,), {"a": 1.0, "b": 3.0}), (of_method, (3.0, 2.0), {})]
)
def test_derivatives_that_choose_as_they_run_are_pickled(by: Any, f: Any, args: Any, kwargs: Any) -> None:
    """What calls any function is sent by its name, and is the one of the other process there."""
    program = ir.reverse_differentiate(ir.of(f))
    assert "pullback_wrt_" in str(program)
    again = pickle.loads(by.dumps(ir.function(program)))
    y, back = again(*args, **kwargs)
    expected, back_of_f = adjoint.pullback(f, *args, **kwargs)
    assert y == expected and back(1.5)[1 : 1 + len(args)] == pytest.approx(back_of_f(1.5)[1 : 1 + len(args)])
    assert str(again.program) == str(program)
    called = [s.fn.value for s in ir.walk(again.program) if isinstance(s, ir.Call) and isinstance(s.fn, ir.Const)]
    assert called == [s.fn.value for s in ir.walk(program) if isinstance(s, ir.Call) and isinstance(s.fn, ir.Const)]


def steps(x: float) -> Any:
    for k in range(3):
        sent = yield x * k
        x = x if sent is None else sent


def through_steps(x: float) -> float:
    return sum(v * v for v in steps(x))


def test_generator_functions_are_printed() -> None:
    """Each `yield` is a call, of what waits within `with`, too."""
    lines = code_ir(steps).splitlines()
    assert "    %8 = yield_(%7)" in lines and lines[-1] == "  return None"
    assert "recorded" not in code_ir(steps)

    def held(x: Any) -> Any:
        with x as y:
            yield y

    assert "= yield_(" in code_ir(held)


def _caught(x: float) -> float:
    try:
        y = math.sqrt(x)
    except ValueError:
        y = 0.0
    return y


def test_what_has_no_program_is_refused() -> None:
    with pytest.raises(SourceUnavailableError):
        ir.of(math.sin)
    with pytest.raises(SourceUnavailableError, match="no program of the gradient of `scaled`"):
        ir.of(grad(scaled), 1.0)
    assert grad(lambda x: ir.function(ir_of_scaled)(x))(3.0) == RATE  # of a program that is a constant
    for partial in (functools.partial(_Model.loss, _Model(2.0)), functools.partial(scaled, x=2.0)):
        with pytest.raises(SourceUnavailableError, match="no program of `.*` itself"):
            ir.of(partial)

    for way in (ir.of, lambda f: ir.of(f, float)):
        with pytest.raises(
            UnsupportedSyntaxError, match="no program of the generator function `steps` itself"
        ) as caught:
            way(steps)
        assert "`adjoint.inspect.code_ir(steps)`" in caught.value.way_out
    assert "yield_" not in str(ir.of(through_steps, float))

    async def waits(x: float) -> float:
        return x

    with pytest.raises(UnsupportedSyntaxError):
        ir.of(waits)
    with pytest.raises(adjoint.errors.AdjointError, match="outside of what is differentiated"):
        grad(lambda k: ir.function(ir.of(power(k)))(2.0))(3.0)


class _Model:
    def __init__(self, rate: float) -> None:
        self.rate = rate

    def loss(self, x: float) -> float:
        return self.rate * x

    def __call__(self, x: float) -> float:
        return self.loss(x) + 1.0

    @classmethod
    def made(cls, rate: float) -> _Model:
        return cls(rate)


@pytest.mark.parametrize("types", [False, True])
def test_a_method_has_the_program_of_its_function(types: bool) -> None:
    model, given = _Model(2.0), float if types else 3.0
    for f, own in ((model, _Model.__call__), (model.loss, _Model.loss)):
        assert str(ir.of(f)) == str(ir.of(own)) == code_ir(f)
        typed = ir.of(f, given)
        assert str(typed) == str(ir.of(own, model, given))
        program = ir.function(typed)
        assert program(model, 3.0) == f(3.0)
        assert gradient(program, model, 3.0) == gradient(own, model, 3.0)
    assert str(ir.of(_Model.made)) == str(ir.of(_Model.made.__func__))  # type: ignore[attr-defined]
    with pytest.raises(StructureError, match="is not for `x` as"):
        ir.primal(ir.of(model, 3.0), model, "a")


def test_all_names_are_there() -> None:
    assert all(hasattr(ir, name) for name in ir.__all__) and set(dir(ir)) == set(ir.__all__)
    with pytest.raises(AttributeError):
        ir.nothing  # noqa: B018


def aliased(x: Any) -> Any:
    y = x * 1.0
    z = y
    z[0] = 5.0
    return (y * y).sum()


def of_a_view(x: Any) -> Any:
    y = x * 1.0
    z = y[1:]
    z[0] = 5.0
    return (y * y).sum()


def of_the_argument(x: Any) -> Any:
    x[0] = 3.0
    return x.sum()


@pytest.mark.parametrize("f", [aliased, of_a_view, of_the_argument])
def test_stores_that_another_name_sees_are_run_or_refused(f: Any) -> None:
    x, expected = np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0, 3.0])
    assert ir.run(ir.of(f), x) == f(expected)
    np.testing.assert_array_equal(x, expected)
    for given in (x, np.ndarray):
        with pytest.raises(MutationError, match=f"`adjoint.ir.of\\({f.__name__}\\)` is its program for any types"):
            ir.of(f, given)


def of_any_names(self: float, *, fn: float, name: float) -> float:
    return self * fn + name


def test_a_function_that_is_called_by_hand_has_any_keywords() -> None:
    b = ir.Builder("given", "x")
    (x,) = b.params
    y = b.named("y", b.call(of_any_names, self=x, fn=x, name=2.0))
    program = b.build(b.call(operator.mul, y, y))
    f = ir.function(program)
    assert f(3.0) == ir.run(program, 3.0) == 121.0 and grad(f)(3.0) == 2 * 11.0 * 6.0
    assert "y = of_any_names(self=x, fn=x, name=2.0)" in program.python
    with pytest.raises(OptionError, match="`ir.Builder` is given the name '1y'"):
        b.named("1y", y)


def amplified(x: float, *, k: float = 3.0) -> float:
    return math.sin(x) * k


def test_derivatives_keep_the_signature_and_pickle() -> None:
    turned = ir.replace_calls(ir.of(amplified, float), {math.sin: math.cos})
    b = ir.Builder("square", "x")
    (x,) = b.params
    built = b.build(b.call(operator.mul, x, x))
    expected = {0: math.cos(0.5), 1: -math.sin(0.5), 2: 1.0}
    for i, program in enumerate((ir.of(amplified, float), turned, built)):
        for derivative in (ir.reverse_differentiate(program, float), ir.primal(program, float)):
            again = pickle.loads(pickle.dumps(derivative))
            assert str(again) == str(derivative) and again.own is program.own
            made = pickle.loads(pickle.dumps(ir.function(derivative)))
            assert str(made.__signature__) == str(ir.function(program).__signature__)
        y, back = pickle.loads(pickle.dumps(ir.function(ir.reverse_differentiate(program, float))))(0.5)
        factor = 1.0 if program is built else 3.0
        assert np.isclose(back(1.0)[1], factor * expected[i]) and y == ir.function(program)(0.5)
    y, back = ir.function(ir.reverse_differentiate(turned, float))(0.5, k=2.0)
    assert np.isclose(back(1.0)[1], -2.0 * math.sin(0.5))


GLOBAL = 2.5


def with_a_global(x: float) -> float:
    return x * x * GLOBAL


def test_a_derivative_that_reads_a_global_is_run() -> None:
    program = ir.reverse_differentiate(ir.of(with_a_global, 2.0))
    seen: list[Any] = []
    y, back = ir.run(program, 2.0, hook=lambda fn, *given: seen.append(fn))
    assert y == 10.0 and back(1.0)[1] == 10.0 and seen


WEIGHTS = np.array([1.0, 2.0, 3.0])


def test_the_text_of_a_program_says_what_its_names_mean() -> None:
    b = ir.Builder("summed", "x", "math")
    x, n = b.params
    weighed = b.call(operator.add, b.call(operator.mul, x, WEIGHTS), float("inf"))
    program = b.build(b.call(operator.mul, b.call(math.sin, weighed), n))
    text = program.python
    assert "return math_1.sin(x * ndarray + inf) * math" in text
    for line in ("math_1: the module math", "ndarray: an array of float64, of shape (3,)", 'inf: float("inf")'):
        assert f"# {line}\n" in text
    assert "#" not in ir.of(walked, 0.3).python and "#" not in ir.of(known).python


def known(x: Any) -> Any:
    return np.sin(x * WEIGHTS) + halved(len([x]))


def test_what_is_built_later_does_not_change_a_program() -> None:
    b = ir.Builder("f", "x")
    y = b.call(math.sin, *b.params)
    first = b.build(y)
    text, printed = first.python, str(first)
    b.named("foo", y)
    b.named("bar", b.params[0])
    assert (first.python, str(first)) == (text, printed)
    assert "bar" in b.build(b.call(operator.mul, y, y)).python


def test_the_callee_of_a_call_is_known_or_none() -> None:
    def of_sine(x: float) -> float:
        return math.sin(x)

    (call,) = ir.of(of_sine, float).statements
    assert isinstance(call, ir.Call) and call.callee is math.sin
    by_name = [s for s in ir.walk(ir.of(of_sine)) if isinstance(s, ir.Call)]
    assert [s.callee for s in by_name if isinstance(s.fn, ir.Var)] == [None]
    kept = ir.rewrite(ir.of(of_sine), lambda s: None if isinstance(s, ir.Call) and s.callee is math.cos else s)
    assert ir.function(kept)(0.5) == math.sin(0.5)
