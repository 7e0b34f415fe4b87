"""Objects of which NumPy makes numbers, by methods that it runs by itself: what these store is refused, and what they
give is followed or refused."""

from __future__ import annotations

from array import array
from collections import UserList, deque
from typing import Any

import numpy as np
import pytest

from adjoint import gradient
from adjoint.errors import AdjointError, UnsupportedSyntaxError

from .differences import check


class Sequence:
    def __init__(self, items: Any) -> None:
        self.items = items
        self.k = 0

    def __len__(self) -> int:
        return len(self.items)

    def __getitem__(self, i: int) -> Any:
        return self.items[i]


class Counting(Sequence):
    def __len__(self) -> int:
        self.k += 1
        return len(self.items)


class CountingItems(Sequence):
    def __getitem__(self, i: int) -> Any:
        self.k += 1
        return self.items[i]


class Iterated:
    """Not a sequence: one number to NumPy."""

    def __init__(self, items: Any) -> None:
        self.items = items
        self.k = 0

    def __iter__(self) -> Any:
        self.k += 1
        return iter(self.items)


class OwnItems(list[Any]):
    def __iter__(self) -> Any:
        return iter([7.0, 8.0])


class Interface:
    def __init__(self, items: Any) -> None:
        self.items = np.array(items)

    @property
    def __array_interface__(self) -> Any:
        return self.items.__array_interface__


# ---- stored into an array


def stored(v: Any) -> Any:
    a = np.zeros(2)
    a[:] = v
    return a


def stored_in_rows(v: Any) -> Any:
    a = np.zeros((1, 2))
    a[...] = [v]
    return a


def copied(v: Any) -> Any:
    a = np.zeros(2)
    np.copyto(a, v)
    return a


def put(v: Any) -> Any:
    a = np.zeros(2)
    np.put(a, [0, 1], v)
    return a


def stored_flat(v: Any) -> Any:
    a = np.zeros(2)
    a.flat[:] = v
    return a


STORES = [stored, stored_in_rows, copied, put, stored_flat]
WEIGHTS = np.array([1.0, 3.0])


@pytest.mark.parametrize("store", STORES)
def test_a_deque_is_stored_as_a_list_is(store: Any) -> None:
    check(lambda x: (store(deque([x, x * x])) * WEIGHTS).sum(), 1.3, order=2)


@pytest.mark.parametrize("make", [Sequence, OwnItems, Interface])
@pytest.mark.parametrize("store", STORES)
def test_an_object_that_is_an_array_to_numpy_is_refused(store: Any, make: Any) -> None:
    with pytest.raises(UnsupportedSyntaxError, match="an object is stored into an array"):
        gradient(lambda x: (store(make([x, x * x])) * WEIGHTS).sum(), 1.3)


@pytest.mark.parametrize("make", [UserList, lambda v: array("d", v), lambda v: memoryview(array("d", v))])
@pytest.mark.parametrize("store", STORES)
def test_an_object_of_a_library_is_refused_where_its_numbers_count(store: Any, make: Any) -> None:
    with pytest.raises(AdjointError):
        gradient(lambda x: (store(make([x, x * x])) * WEIGHTS).sum(), 1.3)
    if make is not UserList:  # which is written in Python
        check(lambda x: (store(make([1.0, 2.0])) * WEIGHTS).sum() * x, 1.3)


# ---- given to a function of NumPy

TAKES = [
    np.array, np.sum, np.sin, np.linalg.norm, lambda o: np.array(o, dtype=float), lambda o: np.stack([o, o]),
    lambda o: np.concatenate([o, [1.0]]), lambda o: np.dot(o, o), lambda o: np.where([True, False], o, 0.0),
    lambda o: np.array([[o], [o]]), lambda o: np.maximum(o, 0.0), stored, copied,
]  # fmt: skip


@pytest.mark.parametrize("make", [Counting, CountingItems])
@pytest.mark.parametrize("take", TAKES)
def test_methods_that_store_are_refused(take: Any, make: Any) -> None:
    def program(x: Any) -> Any:
        o = make([1.0, 2.0])
        take(o)
        return x**o.k

    with pytest.raises(UnsupportedSyntaxError):
        gradient(program, 1.3)


@pytest.mark.parametrize("make", [Counting, CountingItems, Iterated])
def test_what_takes_items_one_after_the_other(make: Any) -> None:
    def program(x: Any) -> Any:
        o = make([x, x * x])
        return np.fromiter(o, float, count=2).sum() * x**o.k

    check(program, 1.3, order=2)


@pytest.mark.parametrize("take", [np.size, np.ndim])
def test_an_object_that_is_no_sequence_is_one_to_numpy(take: Any) -> None:
    def program(x: Any) -> Any:
        o = Iterated([1.0, 2.0])
        return x ** (take(o) + o.k + 2)

    check(program, 1.3)
    with pytest.raises(AdjointError, match="an array of objects"):
        gradient(lambda x: np.array(Iterated([x, x])).item().k * x, 1.3)


def test_a_list_with_items_of_its_own_is_refused() -> None:
    with pytest.raises(UnsupportedSyntaxError, match="a sequence with items of its own"):
        gradient(lambda x: np.array([OwnItems([x, x]), OwnItems([x, x])]).sum(), 1.3)


# ---- changes that an exception ends


class Note:
    def __init__(self, x: Any) -> None:
        self.x, self.v = x, 1.0

    def __len__(self) -> int:
        return 2

    def __getitem__(self, i: int) -> Any:
        self.v = self.v * self.x
        if i > 1:
            raise IndexError
        return [1.0, 2.0][i]


def test_what_is_changed_before_an_exception_is_refused() -> None:
    def program(x: Any) -> Any:
        o = Note(x)
        try:
            np.zeros(o)  # type: ignore[call-overload]
        except TypeError:
            return o.v * x
        return x

    with pytest.raises(AdjointError, match="changes what it is given"):
        gradient(program, 1.3)
