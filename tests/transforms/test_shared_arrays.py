"""Arrays in arguments that are of one memory: one array twice, overlapping parts, views, an array also in a list."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adjoint import gradient, jvp, pullback
from adjoint.derivatives.choice import forget, is_to_be_recorded
from adjoint.recording.entry import recorded
from adjoint.runtime.survey import Survey

Make = Callable[[Any], tuple[Any, ...]]


def of_both(u: Any, w: Any, x: float) -> Any:
    u[0] = x * w[1]
    w *= u
    return (u**2).sum() + w[0] * x


def shifted(u: Any, w: Any, x: float) -> Any:
    u *= x
    w[0] += u[0]
    w[1:] = u[1:] * w[:-1]
    return (u**2).sum() + (u * w).sum()


def rounds(u: Any, w: Any, x: float) -> Any:
    for i in range(len(u)):
        u[i] = w[i - 1] * u[i] + x
    return u @ w


def with_transpose(a: Any, t: Any, x: float) -> Any:
    a[0, 1] = x**2
    t *= x
    t[1] += a[0]
    return (a * t).sum() + (a @ t[0])[1]


def in_a_list(u: Any, arrays: Any, x: float) -> Any:
    arrays[0] *= x
    u += arrays[1]
    arrays[1] = u
    arrays[1][0] = u[1] ** 2
    return (arrays[0] * arrays[1]).sum()


def through_flat(u: Any, w: Any, x: float) -> Any:
    w.reshape(-1)[::2] = x * u[0]
    return float((u**2).sum() * w.sum())


CASES: list[tuple[Any, Make]] = [
    (of_both, lambda b: (b, b, 0.8)),
    (of_both, lambda b: (b[:3], b[:3], 0.8)),
    (of_both, lambda b: (b[:3], b[3::-1][:3], 0.8)),
    (shifted, lambda b: (b[:3], b[1:], 0.8)),
    (shifted, lambda b: (b[1:], b[:3], 0.8)),
    (rounds, lambda b: (b, b[::-1], 0.8)),
    (rounds, lambda b: (b[:2], b, 0.8)[:1] + (b[2:], 0.8)),
    (with_transpose, lambda b: (b.reshape(2, 2), b.reshape(2, 2).T, 0.8)),
    (in_a_list, lambda b: (b, [b, np.array([1.5, 0.4, 0.3, 0.2])], 0.8)),
    (through_flat, lambda b: (b, b.reshape(2, 2), 0.8)),
]


def memory() -> Any:
    return np.array([0.7, -1.2, 1.5, 0.4])


def slope(f: Any, make: Make, i: int, h: float = 1e-6) -> float:
    """The derivative along one place of the memory."""
    sides = []
    for by in (h, -h):
        b = memory()
        b[i] += by
        sides.append(float(f(*make(b))))
    return (sides[0] - sides[1]) / (2 * h)


def along(make: Make, bars: Any, i: int) -> float:
    """The same by the cotangents of the arguments."""
    moved = make(np.eye(4)[i]), make(np.zeros(4))
    known = [(a, b, bar) for a, b, bar in zip(*moved, bars, strict=True) if bar is not None]
    pairs = [(a - b, bar) for a, b, bar in known if isinstance(a, np.ndarray)]
    lists = [(x - y, d) for a, b, bar in known if isinstance(a, list) for x, y, d in zip(a, b, bar, strict=True)]
    return float(sum([(a * bar).sum() for a, bar in pairs + lists if bar is not None]))


def flat(bars: Any) -> list[Any]:
    return [x for bar in bars for x in (bar if isinstance(bar, list) else [bar])]


@pytest.mark.parametrize(("f", "make"), CASES)
def test_arrays_of_one_memory(f: Any, make: Make) -> None:
    plain = memory()
    expected = f(*make(plain))
    given = make(memory())
    _, back, _ = recorded(f, *given)
    one_by_one = back(1.0)[1:]
    for _ in range(3):
        b = memory()
        y, back = pullback(f, *make(b))
        assert y == expected and np.array_equal(b, plain)
        for bars in (back(1.0)[1:], back(1.0)[1:]):
            for i in range(4):
                assert along(make, bars, i) == pytest.approx(slope(f, make, i), rel=1e-6, abs=1e-8)
            for found, wanted in zip(flat(bars), flat(one_by_one), strict=True):
                np.testing.assert_allclose(0.0 if found is None else found, 0.0 if wanted is None else wanted, 1e-12)
    assert not is_to_be_recorded(f, make(memory()))
    dots = tuple([1.0 if isinstance(x, float) else None for x in make(memory())])
    assert jvp(f, make(memory()), dots)[1] == pytest.approx(bars[2], rel=1e-9)


def apart(u: Any, w: Any, rows: Any, x: float) -> Any:
    rows[0][0] = x * u[1]
    return (u * w).sum() * rows[0][0] * rows[1][0]


def test_memory_that_is_not_stored_into() -> None:
    """Each of the arguments has a cotangent of its own."""
    for _ in range(3):
        u = memory()
        found = gradient(apart, u, u, [memory(), memory()], 0.8)
        wanted = gradient(apart, u.copy(), u.copy(), [memory(), memory()], 0.8)
        for a, b in zip(flat(found), flat(wanted), strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-12)


def test_stores_that_change_no_bit() -> None:
    def f(u: Any, w: Any, x: float) -> Any:
        u *= 1.0
        return (u * w).sum() * x

    for _ in range(3):
        b = memory()
        bars = pullback(f, b, b, 0.8)[1](1.0)[1:]
        for i in range(4):
            assert along(lambda b: (b, b, 0.8), bars, i) == pytest.approx(2 * 0.8 * memory()[i], rel=1e-12)


def test_an_error_half_way() -> None:
    def f(u: Any, w: Any, x: float) -> Any:
        u[0] = w[1] * x
        return u[int(x)] * w[0]

    gradient(f, *(lambda b: (b, b, 2.0))(memory()))
    b = memory()
    with pytest.raises(IndexError):
        gradient(f, b, b, 9.0)
    assert b[0] == -1.2 * 9.0
    _, back = pullback(f, *(lambda b: (b, b[::-1], 2.0))(memory()))
    assert back(1.0)[1] is not None


def test_memory_taken_for_stored_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where memory that nothing is stored into counted as one variable, one argument would have all of it."""
    forget()
    monkeypatch.setattr(Survey, "shares_unchanged", False)
    with pytest.raises(AssertionError):
        test_memory_that_is_not_stored_into()
