"""What functions do with fresh arrays that they are handed: keep them, give them back, or only look."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from adjoint import withgradient

KEEP: list[Any] = []


def rhs(v: Any) -> Any:
    return -v


def total(o: Any) -> Any:
    return o.sum()


def same(v: Any) -> Any:
    return v


def view(v: Any) -> Any:
    return v[1:]


def keep(v: Any) -> Any:
    KEEP.append(v)
    return v.sum()


class Box:
    def __init__(self, v: Any) -> None:
        self.v = v


def box(v: Any) -> Any:
    return Box(v)


def pair(v: Any) -> Any:
    return v, v * 2


def part(v: Any) -> Any:
    return pair(v)[0]


def cond(v: Any) -> Any:
    return v if v[0] > 0 else -v


def deep(v: Any) -> Any:
    return same(same(v))


def rk(f: Any, y: Any, h: float) -> Any:
    k1 = f(y)
    k2 = f(y + h / 2 * k1)
    return y + h / 6 * (k1 + 2 * k2)


def euler(y: Any) -> Any:
    t = np.zeros((3, 2))
    t[0] = y
    for i in range(2):
        t[i + 1] = t[i] + 0.1 * rhs(t[i])
    return t.sum()


def what_a_function_gives(y: Any) -> Any:
    z = rhs(y)
    z += y
    return z.sum()


def what_a_function_sums(y: Any) -> Any:
    t = y * 2
    s = total(t)
    t += 1
    return (t * s).sum()


def given_back(y: Any) -> Any:
    t = y * 2
    u = same(t)
    t += y
    return (u * t).sum()


def given_as_view(y: Any) -> Any:
    t = y * 2
    u = view(t)
    t += y
    return (u.sum() * t).sum()


def kept_for_good(y: Any) -> Any:
    t = y * 2
    s = keep(t)
    t += y
    return s * t.sum() * KEEP[-1].sum()


def kept_in_object(y: Any) -> Any:
    t = y * 2
    b = box(t)
    t += y
    return (b.v * t).sum()


def given_in_pair(y: Any) -> Any:
    t = y * 2
    u, w = pair(t)
    t += y
    return (u * t).sum()


def part_of_pair(y: Any) -> Any:
    t = y * 2
    u = part(t)
    t += y
    return (u * t).sum()


def given_or_not(y: Any) -> Any:
    t = y * 2
    u = cond(t)
    t += y
    return (u * t).sum()


def given_through_two(y: Any) -> Any:
    t = y * 2
    u = deep(t)
    t += y
    return (u * t).sum()


def argument_given_back(y: Any) -> Any:
    u = same(y)
    u += 1
    return (u * y).sum()


def runge_kutta(y: Any) -> Any:
    t = np.zeros((4, 2))
    t[0] = y
    for i in range(3):
        t[i + 1] = rk(rhs, t[i], 0.1)
    return (t * t).sum()


def residual_block(y: Any) -> Any:
    h = rhs(y) * 2
    h += y
    g = rhs(h)
    g *= h
    return g.sum()


def captured(y: Any) -> Any:
    t = y * 2
    f = lambda v: t * v  # noqa: E731
    s = f(y)
    t += y
    return (s * t).sum() + f(y).sum()


def given_by_closure(y: Any) -> Any:
    t = y * 2

    def get() -> Any:
        return t

    u = get()
    t += y
    return (u * t).sum()


def made_by_closure(y: Any) -> Any:
    def mk() -> Any:
        a = np.zeros(2)
        a[0] = y[0]
        return a

    u = mk()
    u += y
    v = mk()
    v *= u
    return v.sum()


def item_given(y: Any) -> Any:
    c = [y * 2]

    def first(items: Any) -> Any:
        return items[0]

    u = first(c)
    u += y
    return (u * c[0]).sum()


def filled_within(y: Any) -> Any:
    def fill(a: Any) -> Any:
        b = a * 1
        b[0] = a[1]
        return b

    u = fill(y)
    u[1] = 3.0
    return (u * y).sum()


def swapped(y: Any) -> Any:
    def swap(a: Any, b: Any) -> Any:
        return b, a

    p = y * 2
    q = y * 3
    r, s = swap(p, q)
    p += 1
    return (r * s).sum()


FOLLOWED: list[Any] = [
    euler,
    what_a_function_gives,
    what_a_function_sums,
    runge_kutta,
    residual_block,
    made_by_closure,
    filled_within,
]
HELD: list[Any] = [
    given_back,
    given_as_view,
    kept_for_good,
    kept_in_object,
    given_in_pair,
    part_of_pair,
    given_or_not,
    given_through_two,
    argument_given_back,
    captured,
    given_by_closure,
    item_given,
    swapped,
]


def check(f: Any) -> None:
    y, h = np.array([1.3, 0.7]), 1e-6
    changed, plain = y.copy(), y.copy()
    value, (found,) = withgradient(f, changed)
    assert value == f(plain)
    assert changed.tolist() == plain.tolist()
    expected = [(f(y + h * e) - f(y - h * e)) / (2 * h) for e in np.eye(2)]
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("f", FOLLOWED)
def test_arrays_that_functions_only_look_at(f: Any) -> None:
    check(f)


@pytest.mark.parametrize("f", HELD)
def test_arrays_that_functions_keep_or_give(f: Any) -> None:
    check(f)
