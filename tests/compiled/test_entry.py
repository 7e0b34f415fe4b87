"""Calls of compiled programs: what falls back, what raises, what is made again."""

from __future__ import annotations

import copy
import math
import pickle
import types
import warnings
from typing import Any

import numpy as np
import pytest
from compiled.needs import needs_numba

import adjoint
from adjoint import grad, gradient, value_and_grad
from adjoint.compiled import entry, fallbacks, numba_cache, programs
from adjoint.errors import CompileError, CompileFallbackWarning


@pytest.fixture(autouse=True)
def run_by_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry, "COMPILER", [programs.as_python])
    monkeypatch.setattr(fallbacks, "_WARNED", set())


def recurrence(x: Any) -> Any:
    out = np.zeros(len(x))
    out[0] = x[0]
    for i in range(1, len(x)):
        out[i] = x[i] * out[i - 1] + np.sin(x[i])
    return out[-1]


def prints(x: float) -> float:
    print(x)
    return x * x


def test_what_cannot_be_compiled_runs_as_it_is_with_one_warning(capsys: pytest.CaptureFixture[str]) -> None:
    f = grad(prints, compile=True)
    with pytest.warns(CompileFallbackWarning, match="`prints` cannot be compiled: `print`"):
        assert f(3.0) == 6.0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert f(4.0) == 8.0
    assert capsys.readouterr().out == "3.0\n4.0\n"


def test_strict_raises_with_a_place() -> None:
    with pytest.raises(CompileError, match="`print`") as error:
        grad(prints, compile="strict")(3.0)
    assert error.value.place is not None and error.value.place.text.strip() == "print(x)"
    assert error.value.why and error.value.way_out


def test_one_program_serves_all_shapes() -> None:
    f = value_and_grad(recurrence, compile="strict")
    made: list[str] = []

    def counting(name: str, text: str) -> Any:
        made.append(name)
        return programs.as_python(name, text)

    entry.COMPILER[0] = counting
    for n in (2, 3, 50):
        x = np.linspace(0.1, 1.0, n)
        y, d = f(x)
        assert y == recurrence(x) and np.allclose(d, gradient(recurrence, x)[0], rtol=1e-12)
    assert made == ["recurrence"]


def test_errors_are_those_of_the_plain_program() -> None:
    f = grad(recurrence, compile="strict")
    with pytest.raises(IndexError, match="index 0 is out of bounds"):
        f(np.zeros(0))
    root = grad(lambda x: math.sqrt(x - 2.0), compile="strict")
    with pytest.raises(ValueError, match="math domain error|nonnegative"):
        root(1.0)
    with pytest.raises(ZeroDivisionError):
        grad(lambda x: 1.0 / (x - 1.0), compile="strict")(1.0)
    assert root(3.0) == 0.5


def test_what_plain_python_does_not_raise_has_its_value() -> None:
    with np.errstate(divide="ignore"):
        y, d = value_and_grad(lambda x: x[0] / x[1], compile="strict")(np.array([1.0, 0.0]))
    assert y == np.inf and d[0] == np.inf


def test_broadcasting_that_depends_on_lengths() -> None:
    def f(a: Any, b: Any) -> Any:
        return np.sum(a * b)

    g = grad(f, (0, 1), compile="strict")
    for a, b in [
        (np.ones(3), np.ones(3)),
        (np.ones(3), np.ones(1)),
        (np.ones((2, 3)), np.ones(3)),
        (np.ones(1), np.ones(4)),
    ]:
        for got, expected in zip(g(a, b), gradient(f, a, b), strict=True):
            assert got.shape == expected.shape and np.array_equal(got, expected)


def test_arguments_by_name_defaults_and_methods() -> None:
    class Line:
        def __init__(self, slope: float) -> None:
            self.slope = slope

        def at(self, x: Any, offset: float = 2.0) -> Any:
            return np.sum(self.slope * x + offset * x * x)

    line, x = Line(3.0), np.array([1.0, 2.0])
    assert np.array_equal(grad(line.at, compile="strict")(x), 3.0 + 4.0 * x)
    assert grad(line.at, "offset", compile="strict")(x, offset=1.0) == 5.0


def test_captured_and_global_numbers_are_read_at_each_call() -> None:
    scale = np.array([2.0, 3.0])

    def f(x: Any) -> Any:
        return np.sum(scale * x)

    g = grad(f, compile="strict")
    assert np.array_equal(g(np.ones(2)), [2.0, 3.0])
    scale[0] = 5.0
    assert np.array_equal(g(np.ones(2)), [5.0, 3.0])


def test_kinds_that_are_not_compiled() -> None:
    with pytest.raises(CompileError, match="float32"):
        grad(lambda x: np.sum(x * x), compile="strict")(np.ones(2, np.float32))
    with pytest.raises(CompileError, match="object"):
        grad(lambda x: np.sum(x * x), compile="strict")(np.array([1.0, None], object))
    with pytest.raises(CompileError, match="integers"):
        grad(lambda n: n * 2 * 1.5, compile="strict")(3)
    assert grad(lambda n: n * 2.0, compile="strict")(3) == 2.0


def test_lists_and_objects_that_are_stored_into_are_left_to_the_plain_tier() -> None:
    def first(xs: Any) -> Any:
        xs[0] = 2.0 * xs[1]
        return xs[0] * xs[1]

    def moved(model: Any) -> Any:
        model.rate = 2.0 * model.rate
        return model.rate**2

    with pytest.raises(CompileError, match="others can see"):
        grad(first, compile="strict")([1.0, 2.0])
    with pytest.raises(CompileError, match="others can see|set_attribute|attribute"):
        grad(moved, compile="strict")(types.SimpleNamespace(rate=1.5))


def test_compile() -> None:
    f = adjoint.compile(recurrence)
    x = np.array([0.3, 0.5, 0.7])
    assert f(x) == recurrence(x) and f.__name__ == "recurrence"
    assert np.allclose(gradient(f, x)[0], gradient(recurrence, x)[0])
    assert pickle.loads(pickle.dumps(f))(x) == recurrence(x)
    assert pickle.loads(pickle.dumps(grad(recurrence, compile=True)))(x) is not None
    pairs = adjoint.compile(lambda x: (x * 2.0, [np.cumsum(x), 3]), strict=True)(x)
    assert np.array_equal(pairs[0], 2.0 * x) and np.allclose(pairs[1][0], np.cumsum(x)) and pairs[1][1] == 3


def test_views_of_many_layouts() -> None:
    a = np.asfortranarray(np.arange(12.0).reshape(3, 4))
    a.flags.writeable = False
    f = lambda m: np.sum(m[:, 0] * m[:, 1] ** 2)  # noqa: E731
    for x in (a, a[::2], a.T, np.arange(12.0).reshape(3, 4)[:, ::-1]):
        before = copy.deepcopy(x)
        assert np.array_equal(grad(f, compile="strict")(x), gradient(f, x)[0])
        assert np.array_equal(x, before)


def multiplied(scale: float) -> Any:
    def inner(x: Any, offset: float = 1.0) -> Any:
        return scale * x + offset

    return inner


inner = multiplied(2.0)


def uses_inner(x: float) -> Any:
    return inner(x) * x


def test_what_functions_hold_is_read_at_each_call(monkeypatch: pytest.MonkeyPatch) -> None:
    f = value_and_grad(uses_inner, compile=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CompileFallbackWarning)
        assert f(3.0) == (21.0, 13.0)
        monkeypatch.setitem(globals(), "inner", multiplied(5.0))
        assert f(3.0) == (48.0, 31.0)
        inner.__defaults__ = (0.0,)
        assert f(3.0) == (45.0, 30.0)


def test_integers_of_any_size() -> None:
    def factorial(x: float, n: int) -> Any:
        product = 1
        for i in range(1, n + 1):
            product = product * i
        return x * product

    f = value_and_grad(factorial, compile=True)
    assert f(2.0, 5) == (240.0, 120.0)
    with pytest.warns(CompileFallbackWarning, match="64 bits do not hold"):
        assert f(1.0, 30)[0] == float(math.factorial(30))
    with pytest.raises(CompileError, match="64 bits do not hold"):
        value_and_grad(factorial, compile="strict")(1.0, 30)
    g = value_and_grad(lambda x, n: x * n**3, compile=True)
    with pytest.warns(CompileFallbackWarning, match="64 bits do not hold"):
        assert g(1.0, 10**7) == (1e21, 1e21)
    with pytest.warns(CompileFallbackWarning, match="another kind"):
        assert g(1.0, 2**63)[0] == float(2**189)


def test_what_raises_beyond_the_range_of_floats() -> None:
    with pytest.raises(OverflowError):
        grad(lambda x: x**2, compile="strict")(1e200)
    with pytest.raises(OverflowError):
        grad(lambda x: 10.0**x, compile="strict")(400.0)
    with pytest.raises((ValueError, OverflowError)):
        grad(lambda x: x * int(x), compile="strict")(math.inf)


def test_shapes_that_are_compared() -> None:
    def f(a: Any, b: Any) -> Any:
        return np.sum(a * b) if a.shape == b.shape else np.sum(a) * 10.0

    g = grad(f, compile="strict")
    assert np.array_equal(g(np.ones(3), np.full(3, 2.0)), np.full(3, 2.0))
    assert np.array_equal(g(np.ones(3), np.full(4, 2.0)), np.full(3, 10.0))


def test_a_global_that_changes_its_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(globals(), "FACTOR", 2.0)
    f = grad(lambda x: np.sum(x * FACTOR), compile=True)  # noqa: F821
    x = np.ones(2)
    assert np.array_equal(f(x), [2.0, 2.0])
    monkeypatch.setitem(globals(), "FACTOR", np.array([3.0, 4.0]))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CompileFallbackWarning)
        assert np.array_equal(f(x), [3.0, 4.0])


FLAG, MODE, FACTORS = True, "double", [2.0, 3.0]


def factor_of(n: int) -> float:
    return 2.0 if FLAG else 5.0


def uses_globals(x: Any) -> Any:
    total = x * factor_of(3) if FLAG else x
    for factor in FACTORS:
        total = total * factor + (x if MODE == "double" else 0.0)
    return np.sum(total * OFFSETS)


OFFSETS = np.array([2.0])


@pytest.mark.parametrize(
    "change",
    [{"FLAG": False}, {"MODE": "single"}, {"FACTORS": [2.0, 3.0, 4.0]}, {"OFFSETS": np.array([1.0, 2.0, 3.0])}],
)
def test_globals_that_are_constants_of_a_program_may_change(
    change: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    f, x = value_and_grad(uses_globals, compile="strict"), np.array([1.0, 2.0, 3.0])
    for _ in range(2):
        for got, expected in zip(f(x), value_and_grad(uses_globals)(x), strict=True):
            assert np.allclose(got, expected, rtol=1e-12)
        for name, value in change.items():
            monkeypatch.setitem(globals(), name, value)


def test_names_of_modules_of_the_users_may_change(monkeypatch: pytest.MonkeyPatch) -> None:
    from compiled import loops

    def f(x: float) -> Any:
        return x * loops.SCALE

    g = grad(f, compile="strict")
    assert g(1.0) == loops.SCALE
    monkeypatch.setattr(loops, "SCALE", 7.0)
    assert g(1.0) == 7.0


class Limited:
    LIMIT = 3.0

    def __init__(self, w: Any) -> None:
        self.w = w

    @property
    def twice(self) -> Any:
        return self.w * 2.0


def test_attributes_of_classes_and_properties(monkeypatch: pytest.MonkeyPatch) -> None:
    def f(model: Any) -> Any:
        return np.sum(model.twice * model.w) * model.LIMIT

    g, model = grad(f, compile=True), Limited(np.array([1.0, 2.0]))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CompileFallbackWarning)
        assert np.array_equal(g(model).w, 12.0 * model.w)
        monkeypatch.setattr(Limited, "LIMIT", 5.0)
        assert np.array_equal(g(model).w, 20.0 * model.w)


def test_dicts_are_not_run_through_by_their_items() -> None:
    def by_key(x: float) -> Any:
        d = {1: x, 2: x * x}
        d[1] = x * 5.0
        return d[1] + d[2]

    def through(x: float) -> Any:
        total = 0.0
        for k in {1: x, 2: x * x}:
            total += k * x
        return total

    def apart(x: float) -> Any:
        a, b = {1: x, 2: x * x}
        return a * x + b

    assert value_and_grad(by_key, compile="strict")(2.0) == (14.0, 9.0)
    for f in (through, apart):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", CompileFallbackWarning)
            assert value_and_grad(f, compile=True)(2.0) == value_and_grad(f)(2.0)


def test_singular_matrices_are_left_to_the_plain_program() -> None:
    still = np.zeros((2, 2))
    with pytest.warns(CompileFallbackWarning, match="of numbers of which plain Python may raise"):
        assert value_and_grad(lambda a: np.linalg.det(a), compile=True)(still)[0] == 0.0
    with pytest.raises(np.linalg.LinAlgError, match="Singular"):
        grad(lambda a: np.linalg.inv(a).sum(), compile="strict")(still)
    with pytest.raises(np.linalg.LinAlgError, match="Singular"):
        grad(lambda a: np.linalg.solve(a, np.ones(2)).sum(), compile="strict")(still)
    with pytest.raises(np.linalg.LinAlgError, match="positive definite"):
        grad(lambda a: np.linalg.cholesky(a).sum(), compile="strict")(np.diag([1.0, -2.0]))
    with pytest.raises(np.linalg.LinAlgError, match="square"):
        grad(lambda a: np.linalg.det(a), compile="strict")(np.ones((2, 3)))


def test_programs_that_store_inside_an_outer_derivative() -> None:
    """Nothing of what happens there is kept for other calls."""

    def stored(x):
        a = x.copy()
        a[0] *= 2
        return a.sum()

    x = np.ones(2)
    assert np.array_equal(grad(stored, compile="strict")(x), [2.0, 1.0])
    assert np.allclose(grad(lambda y: adjoint.compile(stored)(y) ** 2)(x), [12.0, 6.0])
    assert np.array_equal(grad(stored, compile="strict")(x), [2.0, 1.0])


def test_which_argument() -> None:
    def f(x, y):
        return x * x * y

    assert grad(f, -1, compile="strict")(3.0, 2.0) == 9.0
    for which in (5, "z"):
        with pytest.raises(adjoint.errors.NotDifferentiableError, match="was not given an argument"):
            grad(f, which, compile="strict")(3.0, 2.0)
    with pytest.raises(adjoint.errors.NotDifferentiableError, match="is a str"):
        grad(lambda x, y: x * 2.0, 1, compile="strict")(3.0, "a")
    with pytest.raises(ValueError, match="the option `compile` is 'fast'"):
        grad(f, compile="fast")(3.0, 2.0)


def test_one_number_in_an_array() -> None:
    y, d = value_and_grad(lambda x: np.array(x * x), compile="strict")(2.0)
    assert isinstance(y, np.ndarray) and y == d == 4.0


@needs_numba
def test_what_numba_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(name: str, text: str) -> Any:
        return numba_cache.by_numba(name, text.replace("math.sin", "math.no_such_function"))

    monkeypatch.setattr(entry, "COMPILER", [unknown])

    def f(x):
        return math.sin(x) * x

    with pytest.warns(adjoint.errors.CompileFallbackWarning, match="of Numba"):
        assert value_and_grad(f, compile=True)(2.0) == value_and_grad(f)(2.0)
    with pytest.raises(CompileError, match="of Numba"):
        value_and_grad(f, compile="strict")(2.0)
    with pytest.raises(CompileError, match="of Numba"):
        adjoint.pullback(f, 2.0, compile="strict")
    with pytest.raises(CompileError, match="of Numba"):
        adjoint.hvp(f, (2.0,), (1.0,), compile="strict")
