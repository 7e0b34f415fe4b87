"""Copies that NumPy makes in place of views: a store into one is not seen through the array."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from regressions.differences import check

from adjoint import withgradient
from adjoint.codegen import located
from adjoint.inspect import cache_clear
from adjoint.transforms import resolve

from .held_to_python import hold


@pytest.fixture(autouse=True)
def _nothing_stays() -> Iterator[None]:
    yield
    cache_clear()


def square() -> tuple[Any, ...]:
    return np.array([[0.9, -0.6], [0.2, 1.4]]), 0.7


def picked(a: Any, x: Any) -> Any:
    m = a * 1.0
    m[[0, 1]][1, 0] *= x
    m[[1, 0], :][0] = x
    return float((m * m).sum())


def picked_by_mask(a: Any, x: Any) -> Any:
    m = a * x
    m[a > 0][1:] *= x
    m[a[:, 0] > 0.5][0] += 1.0
    return float((m * m * a).sum())


def picked_of_argument(a: Any, x: Any) -> Any:
    a[np.array([0, 1])][1, 0] *= x
    a[(0, 1), :][0, 0] = x
    a[0][1] *= x
    return float((a * a).sum())


def picked_by_counter(a: Any, x: Any) -> Any:
    m = a * x
    for i in np.argsort(a[0]):
        m[i][1] += x * m[i - 1][0]
        m[[i]][0, 0] = x
    return float((m * m).sum())


def picked_and_filled(a: Any, x: Any) -> Any:
    m = a * x
    m[[0, 1]].fill(3.0)
    m[[1, 0]].sort()
    return float((m * m).sum())


def turned_and_rowed(a: Any, x: Any) -> Any:
    b = a.T + x
    w = b.reshape(4)
    w[1] = x
    return float((b @ b).sum() + w @ w)


def turned_and_raveled(a: Any, x: Any) -> Any:
    b = np.sin(a.T)
    w = b.ravel()
    w *= x
    b[0] += w[1]
    return float((b @ b).sum() + w @ w)


def turned_twice(a: Any, x: Any) -> Any:
    b = a.T * x
    w = b.T.reshape(4)
    w[1] = x
    b[1] *= w[2]
    return float((b @ b).sum() + w @ w)


def changed_in_place(a: Any, x: Any) -> Any:
    b = a.T * x
    b += a
    b *= x
    w = b.ravel()
    w[2] = b[0, 1] * x
    return float((b @ b).sum() + w @ w)


def turned_argument(a: Any, x: Any) -> Any:
    a += x
    b = a.T[::-1] * 1.0
    w = b.reshape(-1)
    w[1:] *= x
    a[0] = w[:2]
    return float((b @ b).sum() + w @ w + (a * a).sum())


def filled_in_another_order(a: Any, x: Any) -> Any:
    b = np.zeros_like(a.T)
    c = np.full_like(a.T, x)
    v, w = b.reshape(4), c.reshape(4)
    v[1] = x
    w[2] = a[0, 0]
    b[0, 0] = x * x
    c[1] *= b[0, 0]
    return float((b * b).sum() + (c * c).sum() + v @ v + w @ w)


def in_the_other_order(a: Any, x: Any) -> Any:
    a *= x
    v, w = a.ravel("F"), a.T.ravel("F")
    u = np.reshape(a, (4,), "F")
    a[0, 1] = x * v[1]
    w[2] *= v[2]
    u[1] *= w[3]
    return float(
        (v * [1.0, 2.0, 3.0, 4.0]).sum() + (w * [0.5, 1.0, -1.0, 2.0]).sum() + (u**2 * v).sum() + (a * a).sum()
    )


def in_its_own_order(a: Any, x: Any) -> Any:
    b = a.T * x
    v, w = b.ravel("K"), b.ravel("A")
    v[1] *= x
    w[2] = b[0, 1]
    return float((v * [1.0, 2.0, 3.0, 4.0]).sum() + (w * [0.5, 1.0, -1.0, 2.0]).sum() + (b * b * a).sum())


def broadcast_and_turned(a: Any, x: Any) -> Any:
    a[0, 1] *= x
    b = np.broadcast_to(a[0], (2, 2)) + a.T
    c = a.T + np.broadcast_to(a[0], (2, 2)) * x
    v, w = b.reshape(4), c.reshape(4)
    v[1] *= x
    w[1] = v[2]
    return float((b * b * a).sum() + (c * c * a).sum() + v @ v + w @ w)


def copied_by_rows(a: Any, x: Any) -> Any:
    b, c = a.T.copy(), np.copy(a.T)
    a *= x
    d = a.T.copy() * x
    u, v, w = b.reshape(4), c.reshape(4), d.reshape(4)
    u[1], v[1], w[1] = x, x * x, a[0, 0]
    return float((b * b * a).sum() + (c * c * a).sum() + (d * d * a).sum() + u @ v + w @ w)


def copied_by_the_library(a: Any, x: Any) -> Any:
    b, c = copy.copy(a.T), copy.deepcopy(a.T)
    a *= x
    u, v = b.reshape(4), c.reshape(4)
    u[1], v[1] = x, x * x
    return float((b * b * a).sum() + (c * c * a).sum() + u @ v)


STRUCTURED = [
    *(picked, picked_by_mask, picked_by_counter, picked_and_filled, turned_and_rowed, turned_and_raveled),
    *(turned_twice, changed_in_place, turned_argument, broadcast_and_turned, copied_by_rows),
]
OTHERS = [copied_by_the_library, picked_of_argument, filled_in_another_order, in_the_other_order, in_its_own_order]


@pytest.mark.parametrize("f", STRUCTURED)
def test_what_is_stored_into_a_copy_stays_there(f: Any) -> None:
    hold(f, square)


@pytest.mark.parametrize("f", OTHERS)
def test_programs_that_may_be_recorded_keep_copies_too(f: Any) -> None:
    check(f, *square())


def test_a_copy_in_another_order_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    cache_clear()
    monkeypatch.setattr(located, "order_of", lambda t: "")
    with pytest.raises(AssertionError):
        hold(turned_and_rowed, square)


def test_entries_put_back_are_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    cache_clear()
    monkeypatch.setattr(resolve, "is_lost", lambda *given: False)
    with pytest.raises(AssertionError):
        hold(picked, square)


def by_columns(a: Any, x: Any) -> Any:
    b = a.copy("F")
    c = b.T.reshape(-1)
    c[2] = x * a[1, 1]
    return (b**3).sum() + c[2]


def in_the_order_of_a_turned_one(a: Any, x: Any) -> Any:
    b = a.T.copy("K")
    c = b.reshape(-1)
    c[2] = x * a[1, 1]
    return (b**3).sum() + c[2]


@pytest.mark.parametrize("f", [by_columns, in_the_order_of_a_turned_one])
def test_orders_that_are_told_by_position(f: Any) -> None:
    a, x, h = np.arange(1.0, 13.0).reshape(4, 3) / 7, 1.3, 1e-6
    value, (a_bar, x_bar) = withgradient(f, a.copy(), x)
    assert value == pytest.approx(f(a.copy(), x), rel=1e-14)
    assert x_bar == pytest.approx((f(a.copy(), x + h) - f(a.copy(), x - h)) / (2 * h), rel=1e-6)
    d = np.cos(np.arange(12.0)).reshape(4, 3)
    assert np.sum(a_bar * d) == pytest.approx((f(a + h * d, x) - f(a - h * d, x)) / (2 * h), rel=1e-6)
