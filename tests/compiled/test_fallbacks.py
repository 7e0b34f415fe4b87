"""Calls that leave their compiled program: said once, with a reason and a place; `strict` raises. Nothing is silent."""

from __future__ import annotations

import functools
import math
import operator
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled.arithmetic import as_compiled

import adjoint
from adjoint import compile, value_and_grad
from adjoint.compiled import entry, fallbacks, programs
from adjoint.compiled.values import CannotCompile
from adjoint.errors import CompileError, CompileFallbackWarning, WrongGradientError

V = np.array([0.0, 1.0, 2.0, 3.0])


def shrinking_list(x):
    xs = [x * k for k in range(1, 6)]
    while len(xs) > 1:
        xs = [a * b + a for a, b in zip(xs, xs[1:], strict=False)]
    return xs[0]


def sliced(x):
    total = 0.0
    while len(x) > 0:
        total += x[0] ** 2
        x = x[1:]
    return total


def halved(x):
    while len(x) > 1:
        x = x[::2] + x[1::2]
    return x[0] * 1.0


def factorial(x):
    n = 1
    for i in range(1, 30):
        n = n * i
    return x / n


def divided(x):
    total = 0.0
    for i in range(len(x)):
        total += np.where(x[i] == 0.0, 0.0, 1.0 / x[i] + x[i] ** -2 + x[i] ** 1.5 + x[i] ** 0.5)
    return total


def stored(x):
    x[0] = 2.0 * x[1]
    while len(x) > 1:
        x = x[1:] * 2.0
    return x[0] * 1.0


def power(x, p):
    return x**p


def storing_at_times(x, n):
    if n > 3:
        x[0] = 1.0
    return np.sum(x * x)


LEAVING: list[tuple[Callable[..., Any], tuple[Any, ...], str]] = [
    (shrinking_list, (0.3,), "another length in the next round"),
    (sliced, (V,), "another length in the next round"),
    (halved, (V,), "another length in the next round"),
    (factorial, (2.0,), "an integer that 64 bits do not hold"),
    (stored, (V.copy(),), "another length in the next round"),
    (power, (-2.0, 3.0), "a power of a number that is not positive"),
]
WAYS: dict[str, Callable[..., Any]] = {
    "value": lambda f, args, mode: compile(f, strict=mode == "strict")(*args),
    "gradient": lambda f, args, mode: value_and_grad(f, compile=mode)(*args),
    "pullback": lambda f, args, mode: adjoint.pullback(f, *args, compile=mode)[0],
    "jacobian": lambda f, args, mode: adjoint.jacobian(f, *args, compile=mode),
    "hvp": lambda f, args, mode: adjoint.hvp(f, args, [*map(np.ones_like, args)], compile=mode),
}  # fmt: skip
CASES = [pytest.param(f, args, why, way, id=f"{f.__name__}-{way}") for f, args, why in LEAVING for way in WAYS]


@pytest.fixture(autouse=True)
def run_by_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry, "COMPILER", [programs.as_python])
    monkeypatch.setattr(fallbacks, "_WARNED", set())


@pytest.mark.parametrize(("f", "args", "why", "way"), CASES)
def test_what_leaves_on_every_call(f: Callable[..., Any], args: tuple[Any, ...], why: str, way: str) -> None:
    call = WAYS[way]
    args = tuple([np.array(x) if isinstance(x, np.ndarray) else x for x in args])
    before = [np.array(x) for x in args]
    with np.errstate(all="ignore"):
        with pytest.raises(CompileError, match=why) as caught:
            call(f, args, "strict")
        assert f.__name__ in str(caught.value) and "test_fallbacks.py" in str(caught.value)
        assert all(map(np.array_equal, before, args))
        with pytest.warns(CompileFallbackWarning, match=why) as said:
            call(f, args, True)
        assert len(said) == 1 and "test_fallbacks.py" in str(said[0].message)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            call(f, args, True)  # it has been said


def test_numbers_of_numpy_never_raise(monkeypatch: pytest.MonkeyPatch) -> None:
    """Entries of arrays are compiled where numbers of Python leave."""
    monkeypatch.setattr(entry, "COMPILER", [as_compiled])
    with np.errstate(all="ignore"):
        y, slope = value_and_grad(divided, compile="strict")(V)
        expected, plain = value_and_grad(divided)(V)
        assert np.allclose(y, expected, rtol=1e-12) and np.allclose(slope[1:], plain[1:], rtol=1e-9)
        for f in (lambda x: x[0] ** 2 + x[1], lambda x: sum([1.0 / e for e in x])):
            for x in (np.array([0.0, 1.0]), np.array([1e200, 1.0])):
                y, slope = value_and_grad(f, compile="strict")(x)
                expected, plain = value_and_grad(f)(x)
                assert y == expected and np.array_equal(slope, plain)


@pytest.mark.parametrize(
    "f",
    [
        pytest.param(lambda a: np.sum(a[:1] * a) + np.sum(a[-1:] * a), id="first_and_last"),
        pytest.param(lambda a: np.sum(a[1:2] * a**2) + np.sum(a[:, -2:-1] * a), id="within"),
        pytest.param(lambda a: np.sum(a[:, 3:] * a[:, :1]) + np.sum(a[-1:1]) + np.sum(a[1:] - a[:-1]), id="others"),
        pytest.param(lambda a: np.sum(np.concatenate([a[:1], a, a[-1:]]) ** 2), id="joined"),
    ],
)
def test_slices_of_one_entry_are_broadcast(f: Callable[..., Any]) -> None:
    a = np.arange(12.0).reshape(3, 4)
    y, slope = value_and_grad(f, compile="strict")(a)
    expected, plain = value_and_grad(f)(a)
    assert np.isclose(y, expected) and np.allclose(slope, plain)
    with pytest.raises(CompileError, match="not even one such entry"):
        value_and_grad(lambda a: np.sum(a[:1]) + np.sum(a), compile="strict")(a[:0])


def raising(x):
    return math.log(x) + math.sqrt(x)


def test_what_plain_python_raises_is_raised_without_a_word() -> None:
    for mode in (True, "strict"):
        with warnings.catch_warnings(), pytest.raises(ValueError, match="domain"):
            warnings.simplefilter("error")
            value_and_grad(raising, compile=mode)(-1.0)


def test_read_only_arrays_that_are_stored_into_at_times() -> None:
    x = V.copy()
    x.flags.writeable = False
    with pytest.raises(CompileError, match="a store into a read-only array"):
        value_and_grad(storing_at_times, compile="strict")(x, 2)
    with pytest.warns(CompileFallbackWarning, match="read-only"):
        assert value_and_grad(storing_at_times, compile=True)(x, 2)[0] == 14.0
    with pytest.raises(ValueError, match="read-only"):
        value_and_grad(storing_at_times, compile="strict")(x, 4)


def test_results_with_more_than_a_value() -> None:
    def with_aux(x: Any) -> Any:
        return x * x, x

    with pytest.raises(CompileError, match="has_aux"):
        value_and_grad(with_aux, has_aux=True, compile="strict")(3.0)
    with pytest.warns(CompileFallbackWarning, match="has_aux"):
        assert value_and_grad(with_aux, has_aux=True, compile=True)(3.0) == ((9.0, 3.0), 6.0)


def test_a_status_says_from_where(monkeypatch: pytest.MonkeyPatch) -> None:
    """A planted error: a program that leaves without a reason is not silent, either."""

    def leaving(name: str, text: str) -> Callable[..., Any]:
        return lambda *given: (-1, ())

    monkeypatch.setattr(entry, "COMPILER", [leaving])
    with pytest.raises(CompileError, match="plain Python may raise"):
        value_and_grad(lambda x: x * x, compile="strict")(3.0)
    with pytest.warns(CompileFallbackWarning):
        assert value_and_grad(lambda x: x * x * x, compile=True)(3.0) == (27.0, 27.0)


def test_what_is_refused_within_the_library_has_the_place_of_its_call() -> None:
    """Not a line of the library's file, in the name of the user's."""
    checkpointed, mapped = adjoint.checkpoint(math.sin), adjoint.vmap(math.sin)

    def through_a_checkpoint(x: Any) -> Any:
        return 2.0 * checkpointed(x)

    def through_vmap(x: Any) -> Any:
        return np.sum(mapped(x) * x)

    for f, x, line in (
        (through_a_checkpoint, 1.0, "return 2.0 * checkpointed(x)"),
        (through_vmap, np.ones(2), "return np.sum(mapped(x) * x)"),
    ):
        with pytest.raises(CompileError) as error:
            value_and_grad(f, compile="strict")(x)
        assert error.value.place is not None and error.value.place.text.strip() == line


class Sliced:
    def __call__(self, x: Any) -> Any:
        return sliced(x)


class SlicedToo:
    def __call__(self, x: Any) -> Any:
        return sliced(x)


def test_objects_of_a_class_that_is_called_are_warned_of_once() -> None:
    reason = CannotCompile("this call")
    with pytest.warns(CompileFallbackWarning) as said:
        for _ in range(50):
            for made in (Sliced, SlicedToo):
                fallbacks.refuse(made(), reason, True)
            fallbacks.refuse(functools.partial(sliced, V), reason, True)
    assert len(said) == 3


def test_what_has_no_code_is_warned_of_each() -> None:
    """Also where it is let go, and another one has its place in memory."""
    with pytest.warns(CompileFallbackWarning) as said:
        for _ in range(50):
            fallbacks.refuse(operator.itemgetter(0), CannotCompile("this call"), True)
    assert len(said) == 50


# ---- compiled gradients are checked


def smooth(x, y):
    return np.sum(np.sin(x) * y) + x[0] ** 3


def test_compiled_gradients_are_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    runs: list[str] = []

    def counted(name: str, text: str) -> Callable[..., Any]:
        run = programs.as_python(name, text)
        return lambda *given: runs.append(name) or run(*given)

    monkeypatch.setattr(entry, "COMPILER", [counted])
    f = value_and_grad(smooth, (0, 1), check=True, compile="strict")
    found = f(V, V + 1.0)
    assert len(runs) == 2  # one to check, one to give
    assert all(map(np.allclose, found[1], value_and_grad(smooth, (0, 1))(V, V + 1.0)[1]))
    f(V, V + 1.0)
    assert len(runs) == 3
    value_and_grad(smooth, ("y",), check=True, compile="strict")(V, y=V + 1.0)


def test_a_wrong_compiled_gradient_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """A planted error: cosines of the reverse sweep that are sines."""

    def wrong(name: str, text: str) -> Callable[..., Any]:
        assert "math.cos" in text
        return programs.as_python(name, text.replace("math.cos", "math.sin"))

    monkeypatch.setattr(entry, "COMPILER", [wrong])

    def f(x: Any) -> Any:
        return np.sum(np.sin(x) * x)

    with pytest.raises(WrongGradientError, match="the compiled gradient of `f` is wrong: it is ") as caught:
        value_and_grad(f, check=True, compile="strict")(V)
    assert "leave `compile` off" in str(caught.value)
    assert np.allclose(value_and_grad(f, check=True)(V)[1], np.sin(V) + V * np.cos(V))


def test_a_check_leaves_nothing_behind() -> None:
    def stores(x: Any) -> Any:
        x[0] = x[1] * x[1]
        return np.sum(x * x)

    x = V.copy()
    value_and_grad(stores, check=True, compile="strict")(x)
    assert np.array_equal(x, [1.0, 1.0, 2.0, 3.0])
