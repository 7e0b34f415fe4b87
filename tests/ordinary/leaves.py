"""The real numbers that arguments are made of, each at one place, and what cotangents say of them."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np

from adjoint import Tangent

from .looks import address, cell_of, fields_of, get, put


class Slot(NamedTuple):
    """A place that holds a value. What can be reached in two ways is one place, with one key."""

    key: Any
    get: Callable[[], Any]
    put: Callable[[Any], None]


def numbers(args: list[Any]) -> list[Slot]:
    """The places of all real numbers in arguments: floats, parts of complex numbers, items of arrays, wherever they
    are. Each place once, in an order that depends on the structure alone. Putting something there changes the arguments
    in place."""
    found: dict[Any, Slot] = {}
    visited: list[Any] = []

    def visit(slot: Slot) -> None:
        value = slot.get()
        if is_number(value):
            for _, part in parts(slot):
                found.setdefault(part.key, part)
        elif not any(value is known for known in visited):
            if not isinstance(value, tuple):
                visited.append(value)
            for _, inner in insides(slot):
                visit(inner)

    for _, slot in arguments(args):
        visit(slot)
    return list(found.values())


def totals(args: list[Any], bars: tuple[Any, ...]) -> dict[Any, float]:
    """What the cotangents of arguments say of each place, added up where there are several ways to it.

    Raises
    ------
    AssertionError
        If a cotangent has not the structure of its argument.
    """
    sums: defaultdict[Any, float] = defaultdict(float)

    def add(slot: Slot, d: Any, path: str, above: tuple[tuple[int, int], ...]) -> None:
        value = slot.get()
        if d is None or (id(value), id(d)) in above:
            return
        if is_number(value):
            assert np.shape(d) == np.shape(value), f"{path}: {d!r} is no cotangent of {value!r}"
            assert np.iscomplexobj(value) or not np.iscomplexobj(d), f"{path}: {d!r} is complex, {value!r} is not"
            for pick, part in parts(slot):
                sums[part.key] += float(pick(d))
            return
        inner = list(insides(slot))
        if isinstance(value, list | tuple | deque):
            assert isinstance(d, list | tuple | deque), f"{path}: {d!r} is no cotangent of a {type(value).__name__}"
            assert len(d) == len(value), f"{path}: {d!r} has {len(d)} items, at the start there are {len(value)}"
        elif inner:
            names = [name for name, _ in inner]
            assert isinstance(d, dict | Tangent), f"{path}: {d!r} is no cotangent of a {type(value).__name__}"
            assert all(name in names for name in d), f"{path}: {d!r} has others than {names}"
        for name, part in inner:
            if isinstance(d, list | tuple | deque) or name in d:
                add(part, d[name], f"{path}[{name!r}]", (*above, (id(value), id(d))))

    assert len(bars) == len(args), f"{len(bars)} cotangents for {len(args)} arguments"
    for (i, slot), d in zip(arguments(args), bars, strict=True):
        add(slot, d, f"argument {i}", ())
    return sums


def arguments(args: list[Any]) -> Iterator[tuple[int, Slot]]:
    """The places of the arguments themselves."""
    for i in range(len(args)):
        yield i, _item(args, i, ("argument", i))


def is_number(value: Any) -> bool:
    """Whether something is a number that may be moved, or an array of them."""
    if isinstance(value, np.ndarray | np.generic):
        return value.dtype.kind in "fc"
    return isinstance(value, float | complex)


def parts(slot: Slot) -> Iterator[tuple[Callable[[Any], Any], Slot]]:
    """The real numbers of a number or an array, each with how it is picked from a cotangent."""
    value = slot.get()
    if isinstance(value, np.ndarray):
        for index in np.ndindex(value.shape):
            where = address(value) + sum(i * step for i, step in zip(index, value.strides, strict=True))
            if value.dtype.kind == "f":
                yield lambda d, i=index: d[i], _item(value, index, ("memory", where))
            else:
                half = value.dtype.itemsize // 2
                yield lambda d, i=index: np.real(d[i]), _item(value.real, index, ("memory", where))
                yield lambda d, i=index: np.imag(d[i]), _item(value.imag, index, ("memory", where + half))
    elif isinstance(value, complex | np.complexfloating):
        kind, now = type(value), slot.get
        yield np.real, Slot((slot.key, "re"), lambda: now().real, lambda v: slot.put(kind(complex(v, now().imag))))
        yield np.imag, Slot((slot.key, "im"), lambda: now().imag, lambda v: slot.put(kind(complex(now().real, v))))
    else:
        yield lambda d: d, Slot(slot.key, slot.get, lambda v: slot.put(type(value)(v)))


def insides(slot: Slot) -> Iterator[tuple[Any, Slot]]:
    """The places in a container, an object or a function, each with its index, key or name."""
    value = slot.get()
    if isinstance(value, list | deque):
        for i in range(len(value)):
            yield i, _item(value, i, (id(value), i))
    elif isinstance(value, dict):
        for key in list(value):
            yield key, _item(value, key, (id(value), key))
    elif isinstance(value, tuple):
        for i in range(len(value)):
            yield i, _tuple_item(slot, i)
    elif not isinstance(value, np.ndarray | np.generic | type | str | bytes | set | frozenset):
        for name in fields_of(value):
            yield name, _field(value, name)


def _item(value: Any, index: Any, key: Any) -> Slot:
    def store(new: Any) -> None:
        value[index] = new

    return Slot(key, lambda: value[index], store)


def _tuple_item(slot: Slot, i: int) -> Slot:
    """An item of a tuple: to change it, another tuple is put where that one is."""

    def store(new: Any) -> None:
        old = slot.get()
        items = [new if k == i else item for k, item in enumerate(old)]
        slot.put(old._make(items) if hasattr(old, "_fields") else tuple(items))

    return Slot((slot.key, i), lambda: slot.get()[i], store)


def _field(value: Any, name: str) -> Slot:
    owner = (id(cell_of(value, name)),) if isinstance(value, FunctionType) else (id(value), name)
    return Slot(owner, lambda: get(value, name), lambda new: put(value, name, new))
