"""Functions of `operator` that store, of objects whose classes have their own `__setitem__`, `__delitem__`, `__iadd__`:
they run what the statement runs."""

from __future__ import annotations

import functools
import itertools
import operator
from collections import UserDict, deque
from typing import Any

import pytest

from .differences import check


class Plain:
    def __init__(self, v: Any) -> None:
        self.v = v

    def __setitem__(self, i: Any, v: Any) -> None:
        self.v = self.v * v + i

    def __delitem__(self, i: Any) -> None:
        self.v = self.v * i


class Slotted(Plain):
    __slots__ = ()


class OfDict(dict[Any, Any]):
    def __setitem__(self, i: Any, v: Any) -> None:
        dict.__setitem__(self, "v", v * v + i)

    @property
    def v(self) -> Any:
        return self["v"]


class OfList(list[Any]):
    def __setitem__(self, i: Any, v: Any) -> None:
        list.__setitem__(self, 0, v * v + i)

    @property
    def v(self) -> Any:
        return self[0]


class OfUserDict(UserDict[Any, Any]):
    def __init__(self, v: Any) -> None:
        self.data = {"v": v}

    def __setitem__(self, i: Any, v: Any) -> None:
        self.data["v"] = v * v + i

    @property
    def v(self) -> Any:
        return self.data["v"]


class Raising(Plain):
    def __setitem__(self, i: Any, v: Any) -> None:
        self.v = self.v * v
        raise ValueError

    def __delitem__(self, i: Any) -> None:
        self.v = self.v * i
        raise ValueError


class Index:
    """An index that stores when it is asked for its number."""

    def __init__(self, v: Any) -> None:
        self.v = v

    def __index__(self) -> int:
        self.v = self.v * self.v
        return 0


MAKERS = [Plain, Slotted, lambda x: OfDict(v=x), lambda x: OfList([x]), OfUserDict]
WAYS = [
    operator.setitem,
    lambda a, i, v: functools.partial(operator.setitem, a)(i, v),
    lambda a, i, v: list(map(operator.setitem, [a], [i], [v])),
    lambda a, i, v: list(itertools.starmap(operator.setitem, [(a, i, v)])),
    lambda a, i, v: getattr(operator, "".join(["set", "item"]))(a, i, v),
]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("make", MAKERS)
def test_setitem_asks_the_object(make: Any, way: Any) -> None:
    def program(x: Any) -> Any:
        a = make(x)
        way(a, x * x, x)
        return a.v

    check(program, 1.3)


def test_setitem_in_structured_code() -> None:
    def program(x: Any) -> Any:
        a = Plain(x)
        operator.setitem(a, 2, x)
        return a.v

    check(program, 1.3, order=2)


def test_of_an_object_that_is_given() -> None:
    def program(a: Any, x: Any) -> Any:
        operator.setitem(a, x * x, x)
        return a.v

    check(program, Plain(3.0), 1.3)


def test_delitem_by_an_index_with_a_derivative() -> None:
    def program(x: Any) -> Any:
        a = Plain(x)
        operator.delitem(a, x * x)
        return a.v

    check(program, 1.3)


@pytest.mark.parametrize("store", [lambda a, x: operator.setitem(a, 0, x), operator.delitem])
def test_what_was_stored_before_an_exception(store: Any) -> None:
    def program(x: Any) -> Any:
        a = Raising(x)
        try:
            store(a, x)
        except ValueError:
            return a.v
        return 0.0

    check(program, 1.3)


@pytest.mark.parametrize("items", [[0.0], []])
def test_an_index_that_stores(items: list[Any]) -> None:
    def program(x: Any) -> Any:
        i, a = Index(x), [v * x for v in items]
        try:
            operator.setitem(a, i, x * x)
        except IndexError:
            return i.v
        return a[0] * i.v

    check(program, 1.3)


METHODS = {
    "__add__": lambda self, other: [sum(self) * 3.0],
    "__radd__": lambda self, other: [sum(self) * 5.0],
    "__iadd__": lambda self, other: [sum(self) * 7.0],
}


@pytest.mark.parametrize("function", [operator.concat, operator.iconcat, operator.iadd])
@pytest.mark.parametrize("base", [list, deque, tuple])
@pytest.mark.parametrize("names", [(), ("__add__",), ("__iadd__",), ("__add__", "__iadd__")])
@pytest.mark.parametrize("others", [(), ("__radd__",), ("__add__", "__radd__")])
def test_concatenations_ask_the_methods_that_python_asks(function: Any, base: Any, names: Any, others: Any) -> None:
    first: Any = type("First", (base,), {name: METHODS[name] for name in names})
    second: Any = type("Second", (base,), {name: METHODS[name] for name in others})

    def program(x: Any) -> Any:
        a, b = first([x, 2.0 * x]), second([x * x])
        made = function(a, b)
        return sum([i * v for i, v in enumerate(made, 1)]) + 3.0 * sum(a)

    check(program, 1.3)
