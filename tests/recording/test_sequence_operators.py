"""Which operand Python asks first: what `+=` makes of a list, and what NumPy does with an object on its right."""

from __future__ import annotations

from collections import UserDict, UserList, deque
from typing import Any

import numpy as np
import pytest

from adjoint import grad, gradient
from adjoint.errors import UnsupportedSyntaxError


def list_plus_array(x: Any) -> Any:
    xs = [1.0]
    xs += np.array([x, x * x])
    return xs[1] * xs[0]


def stored_list_plus_array(x: Any) -> Any:
    xs = [1.0]
    xs.append(x)
    xs += np.array([x, x * x])
    return xs[1] * xs[0]


def deque_plus_array(x: Any) -> Any:
    xs: Any = deque([x])
    xs += np.array([x, x * x])
    return xs[1] * xs[0]


def extended_by_an_array(x: Any) -> Any:
    xs = [1.0]
    xs.extend(np.array([x, x * x]))
    return xs[1] * xs[2]


def list_plus_user_list(x: Any) -> Any:
    xs: Any = [1.0, x]
    ys = xs
    xs += UserList([x, x * x])
    return xs[1] * xs[2] * xs[3] if len(ys) == 2 else 0.0


def stored_list_plus_user_list(x: Any) -> Any:
    xs: Any = [1.0]
    xs.append(x)
    xs += UserList([x, x * x])
    return xs[1] * xs[2] * xs[3]


def deque_plus_user_list(x: Any) -> Any:
    xs: Any = deque([x])
    xs += UserList([x, x * x])
    return xs[1] * xs[2] + xs.data[0]


class Declines:
    def __init__(self, x: Any) -> None:
        self.x = x

    def __radd__(self, other: Any) -> Any:
        return NotImplemented

    def __rmul__(self, other: Any) -> Any:
        return [item * self.x for item in other]

    def __iter__(self) -> Any:
        return iter([self.x, self.x * 2.0])


def list_plus_what_declines(x: Any) -> Any:
    xs: Any = [x]
    xs += Declines(x)
    return xs[0] * xs[1] * xs[2]


def list_times_object(x: Any) -> Any:
    xs: Any = [x]
    xs.append(x * x)
    xs *= Declines(x)
    return xs[0] * xs[1]


def number_plus_object(x: Any) -> Any:
    return np.float64(2.0) * Whole(x) + x


class Whole:
    __array_ufunc__ = None

    def __init__(self, x: Any) -> None:
        self.x = x

    def __rmul__(self, other: Any) -> Any:
        return other * self.x * self.x


def array_times_whole(x: Any) -> Any:
    return (np.array([x, 1.0]) * Whole(x)).sum()


def unpacked(x: Any) -> Any:
    a, b = UserList([x, x * x])
    return a * b + sum(UserList([x, x * x])) + max(UserList([x, x * x])) ** 2


def mapping(x: Any) -> Any:
    d = UserDict(a=x)
    d.update(b=x * x)
    return d["a"] * d["b"]


PROGRAMS = [
    list_plus_array, stored_list_plus_array, deque_plus_array, extended_by_an_array, list_plus_user_list,
    stored_list_plus_user_list, deque_plus_user_list, list_plus_what_declines, list_times_object, number_plus_object,
    array_times_whole, unpacked, mapping,
]  # fmt: skip


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_both_orders(f: Any) -> None:
    x, h = 0.8, 1e-4
    (d,), (dd,) = gradient(f, x), gradient(grad(f), x)
    assert d == pytest.approx((f(x + h) - f(x - h)) / (2 * h), rel=1e-6)
    assert dd == pytest.approx((f(x + h) - 2 * f(x) + f(x - h)) / h**2, rel=1e-5)


class Item:
    def __init__(self, x: Any) -> None:
        self.x = x

    def __radd__(self, other: Any) -> Any:
        return other * self.x


@pytest.mark.parametrize("stores", [False, True])
@pytest.mark.parametrize("made", [Item, lambda x: UserList([x, x * x])])
def test_an_object_that_numpy_gives_the_items_is_refused(made: Any, stores: bool) -> None:
    def program(x: Any) -> Any:
        xs = [x]
        if stores:
            xs[0] = xs[0] * 2.0
        return (np.array([x, 2.0]) + made(x)).sum() * xs[0]

    with pytest.raises(UnsupportedSyntaxError, match="item by item"):
        gradient(program, 0.8)
