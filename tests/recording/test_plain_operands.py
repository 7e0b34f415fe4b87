"""Functions of plain arrays and lists, by what is known of their classes: as the long way has them, to the last bit."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from adjoint import gradient, hvp
from adjoint.recording.operations import array_calls, calls, quick
from adjoint.recording.operations.base import WAYS
from adjoint.recording.operations.calls import invoke
from adjoint.recording.operations.operators import operate
from adjoint.recording.places import gather_cotangent, place
from adjoint.recording.sweep import Sweep
from adjoint.testing import check_gradient

Args = tuple[Any, ...]
A = np.linspace(0.3, 1.7, 6).reshape(2, 3)
B = np.linspace(1.1, 2.9, 6).reshape(2, 3)
V = np.array([0.4, 1.2, 2.5])
SQUARE = np.array([[2.0, 0.3, 0.1], [0.2, 1.5, 0.4], [0.0, 0.6, 1.1]])

OPERATORS: list[tuple[Any, Args]] = [
    *[(fn, (A, B)) for fn in (operator.add, operator.sub, operator.mul, operator.truediv, operator.pow)],
    *[(fn, (A, 1.7)) for fn in (operator.add, operator.mul, operator.truediv, operator.pow)],
    *[(fn, (2, A)) for fn in (operator.sub, operator.truediv, operator.pow)],
    (operator.mul, (A, V)),
    (operator.mul, (V, A)),
    (operator.add, (A, np.float64(0.5))),
    (operator.matmul, (A, SQUARE)),
    (operator.matmul, (V, V)),
    (operator.matmul, (SQUARE.T, SQUARE)),
    (operator.add, (A.astype(np.float32), A.astype(np.float32))),
    (operator.mul, (np.arange(3), V)),
    (operator.mul, (np.array(2.0), np.array(1.5))),
    (operator.mul, (A[:, ::-1], B)),
    (operator.mul, (A.T, B.T)),
    (operator.truediv, (V, np.array([0.0, 1.0, np.inf]))),
    (operator.add, (np.empty(0), 1.0)),
    (operator.mul, (A + 1j, B)),
    (operator.floordiv, (A, 0.4)),
    (operator.mod, (A, 0.4)),
]

CALLS: list[tuple[Any, Args, dict[str, Any]]] = [
    *[(f, (A,), {}) for f in (np.sin, np.exp, np.sqrt, np.tanh, np.log, np.abs, np.sign, np.negative, np.square)],
    (np.sqrt, (np.array([0.0, 4.0]),), {}),
    (np.exp, (A.T,), {}),
    (np.sum, (A,), {}),
    (np.sum, (A,), {"axis": 0}),
    (np.sum, (A, 1), {}),
    (np.sum, (A,), {"axis": (0, 1), "keepdims": True}),
    (np.mean, (A,), {"axis": -1}),
    (np.max, (A,), {}),
    (np.max, (np.array([1.0, 1.0, 0.0]),), {}),
    (np.prod, (V,), {}),
    (np.cumsum, (A,), {"axis": 1}),
    (np.dot, (A, V), {}),
    (np.dot, (V, V), {}),
    (np.dot, (SQUARE.T, SQUARE), {}),
    (np.outer, (V, V), {}),
    (np.where, (A > 1.0, A, B), {}),
    (np.maximum, (A, 1.0), {}),
    (np.concatenate, ([V, V],), {}),
    (np.concatenate, ((V, B[0], V),), {"axis": 0}),
    (np.stack, ([V, B[1]],), {"axis": 1}),
    (np.array, ([1.5, 2.5],), {}),
    (np.array, ([[1.5, 2.5], [0.5, 3.0]],), {}),
    (np.array, ((1.5, 2),), {"dtype": float}),
    (np.array, ([V, V],), {}),
    (np.asarray, ([0.5, 1.5],), {}),
    (np.asarray, (A,), {}),
    (np.asarray, (A,), {"dtype": np.float32}),
    (np.reshape, (A, (3, 2)), {}),
    (np.reshape, (A.T, (6,)), {}),
    (np.transpose, (A,), {}),
    (np.ravel, (A,), {}),
    (np.linalg.solve, (SQUARE, V), {}),
    (np.linalg.inv, (SQUARE,), {}),
    (np.linalg.det, (SQUARE,), {}),
    (np.linalg.norm, (V,), {}),
    (np.linalg.slogdet, (SQUARE,), {}),
    (np.interp, (0.7, V, B[0]), {}),
    (np.argmax, (A,), {}),
    (np.any, (A > 1.0,), {}),
    (np.zeros, (3,), {}),
    (np.zeros, ((2, 3),), {"dtype": float}),
    (np.zeros_like, (A,), {}),
    (np.diag, (V,), {}),
    (np.diag, (SQUARE,), {}),
    (np.ndarray.sum, (A,), {}),
    (np.ndarray.sum, (A[::2, ::-1],), {"axis": 0}),
    (np.ndarray.copy, (A,), {}),
    (np.ndarray.mean, (A, 0), {}),
    (np.ndarray.dot, (A, V), {}),
    (np.ndarray.astype, (A, np.float32), {}),
    (np.ndarray.reshape, (A, 3, 2), {}),
    (np.ndarray.any, (A > 1.0,), {}),
    (np.sum, (np.ones((2, 2), dtype=np.float32),), {}),
    (np.sum, (np.empty((0, 3)),), {"axis": 0}),
    (np.sum, (np.array(2.5),), {}),
    (np.sum, ([1.5, 2.5],), {}),
    (np.clip, (A, 0.5, 1.5), {}),
]


def copied(x: Any) -> Any:
    """A value that shares nothing with another one; arrays lie as they lay, and what was one array is one array."""
    memo: dict[int, Any] = {}

    def copy(x: Any) -> Any:
        if isinstance(x, list | tuple):
            return type(x)([copy(item) for item in x])
        if isinstance(x, np.ndarray) and id(x) not in memo:
            root: Any = x if x.base is None else x.base
            if id(root) not in memo:
                memo[id(root)] = root.copy()
            if x is not root:
                offset = x.__array_interface__["data"][0] - root.__array_interface__["data"][0]
                memo[id(x)] = np.ndarray(x.shape, x.dtype, memo[id(root)], offset, x.strides)
        return memo[id(x)] if isinstance(x, np.ndarray) else x

    return copy(x)


def numbers(x: Any) -> Any:
    """A value or a cotangent as what can be compared."""
    if isinstance(x, np.ndarray | np.generic):
        return type(x).__name__, str(x.dtype), x.shape, x.strides, x.tobytes()
    if isinstance(x, list | tuple):
        return [numbers(item) for item in x]
    return x if x is None or isinstance(x, str | type) else (type(x).__name__, repr(x))


def overwritten(x: Any) -> None:
    """Store into all arrays and lists of a value, as the program may."""
    if isinstance(x, np.ndarray) and x.flags.writeable:
        x[...] = 77
    elif isinstance(x, list | tuple):
        for item in x:
            overwritten(item)
        if isinstance(x, list):
            x[:] = [55.0]


def outcome(run: Callable[[Any, Args], Any], args: Args, kwargs: dict[str, Any]) -> list[Any]:
    """Value and cotangents of a call; all that the program has is overwritten in between, but views of operands."""
    args = copied(args)
    places = [place(x) for x in args]
    y, back = run(lambda step: None, args)
    before, at = numbers(y), place(y)
    found = [before]
    kinds = [x for x in (y if isinstance(y, tuple) else [y]) if isinstance(x, np.ndarray)]
    shared = any(np.shares_memory(a, b) for a in kinds for b in args if isinstance(b, np.ndarray))
    if shared:
        found.append("view")
    else:
        overwritten(args)
        overwritten(y)
    for scale in (1.0, 0.5):  # twice
        sweep = Sweep()
        value = type(y)(scale) if isinstance(y, float | np.floating) else None
        if isinstance(y, np.ndarray) and y.dtype.kind in "fc":
            sweep.add_array(y, scale * np.linspace(0.5, 1.5, y.size, dtype=y.dtype).reshape(y.shape))
        d = back(sweep, value)
        n = len(args) + len(kwargs)
        bars = [gather_cotangent(sweep, p, bar) for p, bar in zip(places, d[1 : 1 + n], strict=False)]
        found += [*map(numbers, bars), numbers(gather_cotangent(sweep, at, None))]
    return found


@pytest.fixture
def long_way(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], None]]:
    """What makes all calls go the long way."""

    def turn() -> None:
        monkeypatch.setattr(calls, "called", lambda *args: None)
        monkeypatch.setitem(WAYS, "plain operands", lambda *args: None)
        monkeypatch.setitem(WAYS, "elementwise", lambda *args: None)
        forget()

    forget()
    yield turn
    forget()


def forget() -> None:
    """Forget what is known of classes of operands."""
    quick.PLANS.clear()
    quick._NONE.clear()
    array_calls._CALLS.clear()


def ways(f: Any, args: Args, kwargs: dict[str, Any]) -> tuple[Any, list[Any], list[Any]]:
    """What runs a call twice in the short way, and what came of it."""

    def run(record: Any, given: Args) -> Any:
        if f.__class__ is type(operator.add) and f.__module__ == "_operator":
            return operate(record, 0, f, *given)
        return invoke(record, 0, f, given, kwargs)

    return run, outcome(run, args, kwargs), outcome(run, args, kwargs)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize(("f", "args"), OPERATORS, ids=lambda x: getattr(x, "__name__", ""))
def test_operators(f: Any, args: Args, long_way: Callable[[], None]) -> None:
    run, first, again = ways(f, args, {})
    long_way()
    assert first == again == outcome(run, args, {})


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize(("f", "args", "kwargs"), CALLS, ids=lambda x: getattr(x, "__name__", ""))
def test_calls(f: Any, args: Args, kwargs: dict[str, Any], long_way: Callable[[], None]) -> None:
    run, first, again = ways(f, args, kwargs)
    long_way()
    assert first == again == outcome(run, args, kwargs)


def test_most_of_these_go_the_short_way() -> None:
    forget()
    for f, args, kwargs in CALLS:
        invoke(lambda step: None, 0, f, args, kwargs)
    taken = [call for call in array_calls._CALLS.values() if call is not None]
    assert len(taken) > 25
    assert sum(np.ndarray in key for key in quick.PLANS) > 6


def test_a_result_that_a_rule_keeps_is_the_programs() -> None:
    """`exp` keeps its result: were that not copied, a store into it would change the derivative."""
    forget()

    def slope() -> Any:
        a = V.copy()
        y, back = invoke(lambda step: None, 0, np.exp, (a,), {})
        y[:] = 0.0
        sweep = Sweep()
        sweep.add_array(y, np.ones(3))
        back(sweep, None)
        return sweep.take_array(a)

    assert np.array_equal(slope(), np.exp(V))


def recorded(x: Any) -> Any:
    """A program that is recorded: `except*` is."""
    try:
        a = np.exp(x)
        b = a * x + 2.0
        b[0] = a[1] * b[2]
        a += b
        rows = [a, b, x]
        c = np.stack(rows)
        c[1] *= 0.5
        total = np.sum(c @ c.T) + np.dot(a, b) + np.max(b)
    except* ValueError:
        total = 0.0
    return total


def test_in_a_program() -> None:
    check_gradient(recorded, V)
    x, v = V.copy(), np.array([0.3, -0.2, 0.5])
    step = 1e-5
    expected = (gradient(recorded, x + step * v)[0] - gradient(recorded, x - step * v)[0]) / (2 * step)
    assert np.allclose(hvp(recorded, (x,), (v,))[0], expected, rtol=1e-6)


def test_in_place_operators_stay_in_place() -> None:
    def program(x: Any) -> Any:
        try:
            a = x * 1.0
            b = a
            a += x
            a *= a
        except* ValueError:
            pass
        return np.sum(b * x)

    check_gradient(program, V)
