"""What cannot be differentiated is refused: with place, reason and way out.

What changes things, catches exceptions or yields is not among it: it is recorded, and as right as the rest.
"""

# ruff: noqa: E731
import asyncio
import importlib
import math
import operator
import sys
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from faces import PUBLIC
from numpy._core.multiarray import interp_complex
from regressions.differences import check

import adjoint
from adjoint import grad, gradient, jacobian, pullback, rule
from adjoint.errors import AdjointError, NoRuleError
from adjoint.rules import scalar_rule

TOTAL = 0.0


class Box:
    """Something with a field."""

    def __init__(self, v: Any) -> None:
        self.v = v

    def add(self, x: float) -> float:
        self.v += x
        return self.v * x


def appends_to_argument(xs: list[float], x: float) -> float:
    xs.append(x)
    return x * x


def adds_into_argument(a: Any, b: Any) -> Any:
    a += b
    return a.sum()


def stores_into_array(a: Any, x: float) -> Any:
    a[0] = x
    return a.sum()


def stores_into_dict(d: dict[str, float], x: float) -> float:
    d["x"] = x
    return x * x


def stores_attribute(box: Box, x: float) -> float:
    box.v = x
    return x * x


def stores_in_callee(box: Box, x: float) -> float:
    return stores_attribute(box, x) + x


def stores_in_method(box: Box, x: float) -> float:
    return box.add(x)


def assigns_global(x: float) -> float:
    global TOTAL
    TOTAL = x
    return x


async def is_async(x: float) -> float:
    return x


def awaits(x: float) -> float:
    return asyncio.run(is_async(x))


def yields(x: float) -> Iterator[float]:
    yield x


def calls_generator(x: float) -> float:
    return sum(yields(x))


def returns_generator(x: float) -> Any:
    return (i * x for i in range(3))


def passes_generator(x: float) -> float:
    return takes(i * x for i in range(3))


def reads_a_generator(x: float) -> float:
    return sum(returns_generator(x))


def takes(items: Any) -> Any:
    total = 0.0
    for item in items:
        total += item
    return total


def tries(x: float) -> float:
    try:
        return 1.0 / x
    except ZeroDivisionError:
        return x


def with_block(x: float) -> float:
    with np.errstate(all="ignore"):
        return x * x


def evaluates(x: float) -> Any:
    return eval("x * x")


def executes(x: float) -> float:
    exec("y = 1")
    return x


def names(x: float) -> Any:
    return locals()["x"]


def calls_c(x: Any) -> Any:
    return interp_complex(x * x, [0.0, 1.0], [0.0, 1j]).real


def sets_a_shape(a: Any) -> Any:
    b = a * 2.0
    b.shape = (2, 2)
    return b.sum()


def resizes(a: Any) -> Any:
    b = a * 2.0
    b.resize(6)
    return b.sum()


def reads_the_bits(a: Any) -> Any:
    b = a.view(np.int64)
    return b[0] * a[0]


def stores_into_bytes(x: float) -> Any:
    a = np.frombuffer(bytearray(32))
    a[0] = x
    return a.sum()


def stores_into_overlap(x: float) -> Any:
    a = np.lib.stride_tricks.as_strided(np.zeros(4), (3, 2), (8, 8))
    a[...] = x
    return a.sum()


class Base:
    """A class that takes a number where it is derived from."""

    weight: Any

    def __init_subclass__(cls, weight: Any = 1.0) -> None:
        cls.weight = weight


def gives_a_class_a_number(x: float) -> Any:
    class C(Base, weight=x):
        pass

    return C.weight * x


def branches_in_a_class(x: float) -> Any:
    class C:
        if x > 1.0:
            w = x

    return C.w * x


REFUSED: list[tuple[Callable[..., Any], tuple[Any, ...], type[AdjointError], str, str]] = [
    (is_async, (2.0,), adjoint.errors.UnsupportedSyntaxError, "`is_async` is asynchronous", "gradient(f, *args)"),
    (
        awaits,
        (2.0,),
        adjoint.errors.UnsupportedSyntaxError,
        "`is_async` is asynchronous",
        "return asyncio.run(is_async",
    ),
    (evaluates, (2.0,), adjoint.errors.UnsupportedSyntaxError, "`eval` is not differentiated", 'return eval("x * x")'),
    (executes, (2.0,), adjoint.errors.UnsupportedSyntaxError, "`exec` is not differentiated", 'exec("y = 1")'),
    (names, (2.0,), adjoint.errors.UnsupportedSyntaxError, "`locals` is not differentiated", 'return locals()["x"]'),
    (
        calls_c,
        (0.5,),
        adjoint.errors.NoRuleError,
        "no rule for `numpy._core._multiarray_umath.interp_complex`",
        "return interp_c",
    ),
    (sets_a_shape, (np.ones(4),), adjoint.errors.MutationError, "`.shape = ...`", "b.shape = (2, 2)"),
    (resizes, (np.ones(4),), adjoint.errors.MutationError, "`.resize`", "b.resize(6)"),
    (
        reads_the_bits,
        (np.ones(4),),
        adjoint.errors.NoRuleError,
        "`.view` of an array of float64 as int64",
        "b = a.view(np.int64)",
    ),
    (stores_into_bytes, (2.0,), adjoint.errors.MutationError, "memory that is not NumPy's own", "a[0] = x"),
    (stores_into_overlap, (2.0,), adjoint.errors.MutationError, "several items are at one place", "a[...] = x"),
    (
        gives_a_class_a_number,
        (2.0,),
        adjoint.errors.UnsupportedSyntaxError,
        "class statement is given a number",
        "class C(Base",
    ),
    (
        branches_in_a_class,
        (2.0,),
        adjoint.errors.UnsupportedSyntaxError,
        "`if` in the body of a class that is made inside the function",
        "if x > 1.0:",
    ),
]


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case[0].__name__)
def test_refused_with_place_reason_and_way_out(case: Any) -> None:
    f, args, cls, sentence, line = case
    before = repr(args)
    with pytest.raises(cls) as raised:
        gradient(f, *args)
    error, text = raised.value, str(raised.value)
    assert sentence in error.what and error.why and error.way_out
    assert "\nwhy: " in text and "\nhelp: " in text
    assert error.place is not None and error.place.filename == __file__
    assert error.place.text.strip().startswith(line) and "^" in text
    assert repr(args) == before


# ---- what is recorded


RECORDED: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (appends_to_argument, ([1.0], 2.0)),
    (adds_into_argument, (np.ones(2), np.array([2.0, 3.0]))),
    (stores_into_array, (np.ones(2), 2.0)),
    (stores_into_dict, ({"x": 1.0}, 2.0)),
    (stores_attribute, (Box(1.0), 2.0)),
    (stores_in_callee, (Box(1.0), 2.0)),
    (stores_in_method, (Box(1.0), 2.0)),
    (assigns_global, (2.0,)),
    (calls_generator, (2.0,)),
    (reads_a_generator, (2.0,)),
    (passes_generator, (2.0,)),
    (tries, (2.0,)),
    (with_block, (2.0,)),
]


@pytest.mark.parametrize(("f", "args"), RECORDED, ids=lambda part: getattr(part, "__name__", ""))
def test_recorded_programs_are_right(f: Callable[..., Any], args: tuple[Any, ...]) -> None:
    """Value, what becomes of the arguments, and gradient are those of the plain program."""
    check(f, *args)


def test_both_sides_of_a_try() -> None:
    assert gradient(tries, 0.0) == (1.0,)


def test_a_global_name_is_bound_as_by_the_plain_program() -> None:
    gradient(assigns_global, 5.0)
    assert TOTAL == 5.0


@pytest.mark.parametrize("f", [yields, returns_generator])
def test_a_generator_as_the_result_is_not_read_from_outside(f: Callable[..., Any]) -> None:
    y, _ = pullback(f, 2.0)
    with pytest.raises(adjoint.errors.UnsupportedSyntaxError, match="runs through an iterator"):
        list(y)
    with pytest.raises(adjoint.errors.NotScalarError):
        gradient(f, 2.0)


def test_errors_are_one_family() -> None:
    family = [error for name, error in PUBLIC.items() if name.endswith("Error")]
    assert len(family) >= 10 and all(issubclass(c, AdjointError) and c.__doc__ for c in family)


def test_refused_again_and_again_and_fine_afterwards() -> None:
    for _ in range(3):
        with pytest.raises(AdjointError):
            gradient(evaluates, 2.0)
    assert gradient(lambda x: x * x, 3.0) == (6.0,)


def test_what_is_not_reached_is_not_refused() -> None:
    def sometimes(x: float, badly: bool) -> float:
        if badly:
            return evaluates(x)
        return x * x

    assert gradient(sometimes, 3.0, False)[0] == 6.0
    with pytest.raises(adjoint.errors.UnsupportedSyntaxError):
        gradient(sometimes, 3.0, True)


def test_no_source() -> None:
    scope: dict[str, Any] = {}
    exec("def f(x): return x * x", scope)
    with pytest.raises(adjoint.errors.SourceUnavailableError, match="its source is not available"):
        gradient(scope["f"], 2.0)


def test_not_callable() -> None:
    with pytest.raises((AdjointError, TypeError)):
        gradient(3, 1.0)  # type: ignore[arg-type]


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Any:
    name = f"changing_{abs(hash(request.node.name))}"
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / f"{name}.py").write_text("def f(x):\n    y = x * x\n    return y\n")
    yield importlib.import_module(name)
    sys.modules.pop(name)


CHANGED = {
    "moved": "# a comment\n\n\n\ndef f(x):\n    y = x * x\n    return y\n",
    "another name": "def g(x):\n    y = x * x\n    return y\n",
    "other arguments": "def f(x, z):\n    y = x * x\n    return y\n",
    "broken": "def f(x:\n    y = x * x\n",
}


@pytest.mark.parametrize("text", CHANGED.values(), ids=CHANGED)
def test_source_that_changed_since_import(module: Any, text: str) -> None:
    Path(module.__file__).write_text(text)
    with pytest.raises((adjoint.errors.SourceChangedError, adjoint.errors.SourceUnavailableError)):
        gradient(module.f, 3.0)


def test_source_that_is_gone(module: Any) -> None:
    Path(module.__file__).unlink()
    with pytest.raises(adjoint.errors.SourceUnavailableError):
        gradient(module.f, 3.0)


def test_source_that_changes_after_it_was_read(module: Any) -> None:
    assert gradient(module.f, 3.0) == (6.0,)
    Path(module.__file__).unlink()
    assert gradient(module.f, 4) == (8.0,)


# ---- wrong rules


def faulty(back: Any, pair: Any = None) -> Any:
    """A function with a rule whose `back` is this."""

    def area(r: Any, scale: float = 1.0) -> Any:
        return r * r

    @rule(area)
    def area_rule(r: Any, scale: float = 1.0) -> Any:
        return (r * r, back) if pair is None else pair

    return area


WRONG = {
    "nothing": (lambda d: None, 2.0, "returned a NoneType"),
    "not a tuple": (lambda d: d, 2.0, "returned a float"),
    "a list": (lambda d: [d], 2.0, "returned a list of 1"),
    "too few": (lambda d: (), 2.0, "returned 0 cotangents where 1 to 2 belong"),
    "too many": (lambda d: (d, d, d), 2.0, "returned 3 cotangents where 1 to 2 belong"),
    "text": (lambda d: ("a",), 2.0, "returned a str for argument 0, which is a float"),
    "an array for a number": (lambda d: (np.ones(3),), 2.0, r"argument 0, which has shape \(\)"),
    "another shape": (lambda d: (np.ones(3),), np.ones(2), r"array of shape \(3,\).* for argument 0, .* \(2,\)"),
    "complex for real": (lambda d: (1j,), 2.0, "a complex for argument 0, which is real"),
    "complex array for real": (lambda d: (np.ones(2) * 1j,), np.ones(2), "which is real"),
}


@pytest.mark.parametrize(("back", "x", "sentence"), WRONG.values(), ids=WRONG)
def test_a_rule_that_gives_something_wrong(back: Any, x: Any, sentence: str) -> None:
    area = faulty(back)
    for f in (area, lambda x: area(x) * 1.0):
        _, pull = pullback(f, x)
        with pytest.raises(adjoint.errors.RuleError, match=rf"(?s)the rule `.*area_rule`.*{sentence}") as raised:
            pull(x * 0 + 1.0)
        place = raised.value.place
        assert place is not None and place.filename == __file__ and "area_rule" in repr(raised.value)


@pytest.mark.parametrize("pair", [3.0, (1.0,), (1.0, 2.0), [1.0, abs], ()])
def test_a_rule_that_does_not_return_a_pair(pair: Any) -> None:
    with pytest.raises(adjoint.errors.RuleError, match="the rule `.*area_rule` returned"):
        gradient(faulty(None, pair), 2.0)


@pytest.mark.parametrize("back", [lambda d: (d,), lambda d: (d, None), lambda d: (0,), lambda d: (None,)])
def test_what_a_rule_may_give(back: Any) -> None:
    gradient(faulty(back), 2.0)
    gradient(lambda x: faulty(back)(x).sum(), np.ones(2))


def test_an_error_of_a_rule_is_its_own() -> None:
    with pytest.raises(ZeroDivisionError):
        gradient(faulty(lambda d: (1 / 0,)), 2.0)


def test_a_scalar_rule_with_a_wrong_count() -> None:
    def ratio(a: float, b: float) -> float:
        return a / b

    @scalar_rule(ratio)
    def ratio_partials(a: float, b: float, y: float) -> Any:
        return (1 / b,)

    with pytest.raises((AdjointError, ValueError, TypeError, IndexError)):
        gradient(lambda a, b: ratio(a, b), 1.0, 2.0)


# ---- wrong cotangents


MISFITS: list[tuple[Callable[..., Any], Any, list[Any]]] = [
    (lambda x: x * x, 2.0, [1j, "a", np.ones(2), (1.0,), {}, [1.0], object()]),
    (lambda x: x * x, np.ones(3), [1.0, np.ones(2), np.ones((1, 3)), "a", (1.0,) * 3, np.ones(3) * 1j, [[1.0], 2.0]]),
    (lambda x: (x, x), 2.0, [1.0, (1.0,), (1.0, 2.0, 3.0), (1.0, "a"), ((1.0,), 2.0), {"x": 1.0}]),
    (lambda x: [x, x], 2.0, [1.0, [1.0], np.ones(2)]),
    (lambda x: {"a": x}, 2.0, [1.0, {"b": 1.0}, {"a": np.ones(2)}, (1.0,)]),
    (lambda x: Box(x), 2.0, [1.0, {"v": 1.0}, adjoint.Tangent(Box, {"w": 1.0}), adjoint.Tangent(Box, {"v": 1j})]),
    (lambda x: "text", 2.0, [1.0, "a"]),
]


@pytest.mark.parametrize(
    ("f", "x", "y_bar"),
    [(f, x, y_bar) for f, x, y_bars in MISFITS for y_bar in y_bars],
    ids=lambda x: repr(x).partition(" at 0x")[0],
)
def test_a_cotangent_that_does_not_fit(f: Any, x: Any, y_bar: Any) -> None:
    _, back = pullback(f, x)
    with pytest.raises(adjoint.errors.CotangentError, match="the cotangent given to ∂") as raised:
        back(y_bar)
    assert raised.value.place is not None and "back(y_bar)" in raised.value.place.text
    back(None)


def test_the_path_to_what_does_not_fit() -> None:
    _, back = pullback(lambda x: {"a": [x, Box(x)]}, 2.0)
    with pytest.raises(
        adjoint.errors.CotangentError, match=r"at `\['a'\]\[1\]\.v`, is a complex; the result there is real"
    ):
        back({"a": [None, adjoint.Tangent(Box, {"v": 1j})]})


@pytest.mark.parametrize("f", [lambda x: abs(x * (1 + 2j)), lambda x: (x * 1j * x).imag, lambda x: abs(x + 1j) ** 2])
def test_no_complex_gradient_of_a_real_argument(f: Any) -> None:
    assert type(gradient(f, 2.0)[0]) is float


# ---- errors of the user's own


def raises_deep(x: float) -> float:
    y = x * x
    return indexes(y)


def indexes(y: float) -> float:
    items = [1.0]
    return y * items[int(y)]


def divides(x: float) -> float:
    return 1.0 / (x - x)


def runs_off(xs: list[float]) -> float:
    total = 0.0
    for i in range(5):
        total += xs[i] * xs[i]
    return total


@pytest.mark.parametrize(
    ("f", "x", "cls", "lines"),
    [
        (raises_deep, 3.0, IndexError, ["return indexes(y)", "return y * items[int(y)]"]),
        (divides, 3.0, ZeroDivisionError, ["return 1.0 / (x - x)"]),
        (runs_off, [1.0, 2.0], IndexError, ["total += xs[i] * xs[i]"]),
        (math.sqrt, -1.0, ValueError, []),
        (lambda x: math.log(x), -1.0, ValueError, ["math.log(x)"]),
    ],
)
def test_errors_of_the_program_keep_type_and_place(f: Any, x: Any, cls: type[Exception], lines: list[str]) -> None:
    with pytest.raises(cls) as plain:
        f(x)
    for call in (pullback, gradient):
        with pytest.raises(cls) as raised:
            call(f, x)
        assert type(raised.value) is type(plain.value) and raised.value.args == plain.value.args
        frames = [frame for frame in traceback.extract_tb(raised.value.__traceback__) if frame.filename == __file__]
        shown = [frame.line or "" for frame in frames]
        assert all(any(line in text for text in shown) for line in lines)


def test_wrong_arguments_are_pythons_own_error() -> None:
    f = lambda x: x
    for args in ((), (1.0, 2.0)):
        with pytest.raises(TypeError) as raised:
            gradient(f, *args)
        assert not isinstance(raised.value, AdjointError)
    with pytest.raises(TypeError):
        grad(f)(1.0, y=2.0)  # type: ignore[call-arg]


def test_functions_that_make_no_derivative_need_no_rule() -> None:
    assert gradient(lambda x: x * operator.length_hint([1, 2]), 3.0) == (2.0,)


def test_a_derivative_that_is_not_known_by_an_entry_of_an_array() -> None:
    special: Any = pytest.importorskip("scipy.special")
    with pytest.raises(NoRuleError, match="a derivative by the order `v` is asked for"):
        gradient(lambda v: special.jv(v[1], v[0]), np.array([0.7, 0.2]))


def test_a_derivative_that_is_not_called_is_no_number() -> None:
    for make in (jacobian, grad):
        with pytest.raises(adjoint.errors.NotScalarError, match="not a real scalar") as caught:
            gradient(lambda x, make=make: make(lambda t: t * x), 1.5)
        assert caught.value.way_out == "call it: `jacobian(f)(x)`, `grad(f)(x)`"


def test_arguments_that_do_not_fit_a_function_that_is_found_when_the_program_runs() -> None:
    def f(x: Any) -> Any:
        held = []
        held.append(x)
        return jacobian(lambda t, u: t * t * held[0], x)

    with pytest.raises(TypeError, match="missing 1 required positional argument: 'u'"):
        gradient(f, 1.5)
