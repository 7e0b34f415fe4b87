"""Values of variables while a program is lowered: scalars, arrays, ranges, containers that are taken apart, and
objects that are known."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from .kernel import Atom, Buf, Lit, Reg


class CannotCompile(Exception):
    """Raised for what has no form in loops: `where` it is, once that is known, and what else to do."""

    def __init__(
        self,
        what: str,
        where: Any = None,
        why: str = "the compiled tier has no form of it in loops",
        way_out: str = "write it in another way, or leave `compile` off",
    ) -> None:
        super().__init__(what)
        self.what = what
        self.where = where
        self.why = why
        self.way_out = way_out


def too_long(how: str) -> CannotCompile:
    """The reason where a program grows as it is written out."""
    return CannotCompile(
        f"a program of {how} once its objects are written out one by one",
        why="a compiler would take minutes for it, or hours",
        way_out="keep the numbers in arrays and let loops run through these, or leave `compile` off",
    )


class NoCompiler(CannotCompile):
    """Nothing can be compiled now, whatever it is."""


Index = tuple[Atom, ...]


@dataclass(eq=False, slots=True)
class Arr:
    """An array: `at(index)` writes what reads one entry; `place(index)` is where in `buf` it lies, if it lies there.

    What lies nowhere is computed where it is read, from its `parts`, until it is given memory: `arrays.located`. A view
    is a part of `base`, the array and where in it entries are. Its first `listed` axes are lists: of numbers, of lists,
    of arrays; it `grows` where a loop appends to it. `item_of` says of which list an array is an item, and which one.
    """

    shape: tuple[Atom, ...]
    kind: str
    at: Callable[[Index], Atom]
    buf: Buf | None = None
    place: Callable[[Index], Index] | None = None
    parts: tuple[Arr, ...] = ()
    base: tuple[Arr, Callable[[Index], Index]] | None = None
    listed: int = 0
    grows: Any = None
    item_of: tuple[Arr, Atom] | None = None

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def reads(self) -> frozenset[Buf]:
        """The buffers that entries are read from."""
        if self.buf is not None:
            return frozenset([self.buf])
        return frozenset[Buf]().union(*[a.reads for a in self.parts])


@dataclass(frozen=True, slots=True)
class Range:
    """`range(start, stop, step)`."""

    start: Atom
    stop: Atom
    step: Atom
    parallel: bool = False
    """True if it is `prange`."""


@dataclass(frozen=True, slots=True)
class Zipped:
    """`zip(*parts)`; or what runs through the one part `alone`."""

    parts: tuple[Value, ...]
    alone: bool = False


@dataclass(eq=False, slots=True)
class Once:
    """An iterator: it can be run through once, by what stands in the same round of the same loops."""

    of: Value
    where: Any
    used: bool = False


@dataclass(frozen=True, slots=True)
class Known:
    """An object that is known while the program is lowered."""

    value: Any


@dataclass(frozen=True, slots=True)
class Method:
    """A method that is bound to a value."""

    of: Value
    name: str


@dataclass(eq=False, slots=True)
class Items:
    """A list, a dict with these keys, a named tuple or an object with these fields: all its items are written down."""

    items: list[Any]
    cls: Any = list
    keys: tuple[Any, ...] = ()

    @property
    def named(self) -> bool:
        """True if it has fields, and is never changed."""
        return self.cls not in (list, dict)

    @property
    def is_object(self) -> bool:
        """True if its items can be had by their names only."""
        return self.named and not issubclass(self.cls, tuple)

    def place_of(self, key: Any) -> int:
        """The place of the item at an index or a key."""
        known = self.keys if self.cls is dict else range(len(self.items))
        at = key + len(self.items) if self.cls is not dict and type(key) is int and key < 0 else key
        if at not in known:
            raise CannotCompile("an item that a list or a dict does not have")
        return known.index(at)


@dataclass(eq=False, slots=True)
class Record:
    """An object, by its fields, or a function, by what it captures: `read(name)` gives what is asked for."""

    value: Any
    read: Callable[[str], Any]
    fields: dict[str, Any] = field(default_factory=dict)

    def get(self, name: str) -> Any:
        if name not in self.fields:
            self.fields[name] = self.read(name)
        return self.fields[name]


@dataclass(eq=False, slots=True)
class Object:
    """An object that is made on the way: whoever holds it sees what is assigned to its attributes."""

    cls: type
    fields: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Unset:
    """A variable that is not bound on this path."""


@dataclass(frozen=True, slots=True)
class Maybe:
    """A variable that is bound on some paths: numbers, which are 0 on the others, and whether it is."""

    value: Any
    bound: Any


Value = Any
"""`Reg | Lit | Arr | Range | Once | Known | Method | Items | Object | Record | Unset | Maybe`, or a tuple of these."""


def is_number(v: Any) -> bool:
    return isinstance(v, Reg | Lit)


def leaves(v: Any) -> list[Any]:
    """The values in a container that is taken apart."""
    if isinstance(v, tuple):
        return [leaf for item in v for leaf in leaves(item)]
    if isinstance(v, Items):
        return [leaf for item in v.items for leaf in leaves(item)]
    if isinstance(v, Maybe):
        return [*leaves(v.value), v.bound]
    return [v]


def rebuilt(v: Any, parts: list[Any]) -> Any:
    """The container with other values in it, which are taken from the front of `parts`."""
    if isinstance(v, tuple):
        return tuple([rebuilt(item, parts) for item in v])
    if isinstance(v, Items):
        return Items([rebuilt(item, parts) for item in v.items], v.cls, v.keys)
    if isinstance(v, Maybe):
        return Maybe(rebuilt(v.value, parts), parts.pop(0))
    return parts.pop(0)


def maybe(v: Any, like: Any) -> Any:
    """A value as one that may be unbound, if the other one is or may be; as it is where it is not made of numbers."""
    if isinstance(v, Maybe) or not isinstance(like, Unset | Maybe):
        return v
    if not isinstance(v, Unset):
        return Maybe(v, Lit(True)) if all(map(is_number, leaves(v))) else v
    if isinstance(like, Unset):
        return v
    zeros: list[Any] = [Lit({"f": 0.0, "i": 0, "b": False}[x.kind]) for x in leaves(like.value)]
    return Maybe(rebuilt(like.value, zeros), Lit(False))


def describe(v: Any) -> str:
    """The description of a value in messages."""
    names = {Arr: "an array", Range: "a range", Items: "a list", Record: "an object", Unset: "an unbound variable"}
    names[Object] = "an object"
    names[Once] = "an iterator"
    if isinstance(v, Known):
        return f"`{getattr(v.value, '__name__', v.value)}`"
    if isinstance(v, Arr) and v.listed:
        return "a list"
    return names.get(type(v), "a tuple" if isinstance(v, tuple) else "a number" if is_number(v) else "such a list")


def arrays_in(v: Any, met: frozenset[int] = frozenset()) -> list[Arr]:
    """The arrays in a value, with those that a function or an object holds."""
    found: list[Arr] = []
    for leaf in leaves(v):
        match leaf:
            case Arr():
                found.append(leaf)
            case Record():
                found += [a for field in leaf.fields.values() for a in arrays_in(field, met)]
            case Object() if id(leaf) not in met:
                found += [a for x in leaf.fields.values() for a in arrays_in(x, met | {id(leaf)})]
            case Method():
                found += arrays_in(leaf.of, met)
            case Zipped():
                found += arrays_in(leaf.parts, met)
            case Once():
                found += arrays_in(leaf.of, met)
    return found


def is_growing(x: Any) -> bool:
    return isinstance(x, Arr) and x.grows is not None


def constant(value: Any) -> Value:
    """A constant of the program."""
    if type(value) in (bool, int, float):
        return Lit(value)
    if type(value) is tuple:
        return tuple([constant(x) for x in value])
    return Known(value)


def keys_of(x: Value) -> Value:
    """The keys that a loop over a dict runs through; any other value as it is."""
    return tuple([constant(k) for k in x.keys]) if isinstance(x, Items) and x.cls is dict else x


def same(x: Any, y: Any) -> bool:
    """Tell whether two values are one and the same."""
    if isinstance(x, Arr) and isinstance(y, Arr):
        return x is y or x.buf is not None and x.buf is y.buf and x.place is y.place
    if isinstance(x, Known) and isinstance(y, Known):
        return x.value is y.value
    if isinstance(x, Unset) and isinstance(y, Unset):
        return True
    return x is y or isinstance(x, Lit) and x == y and type(x.value) is type(y.value)


def option(x: Any) -> Any:
    """The value of an option that is known beforehand, such as an axis, a flag or a word: which program it is depends
    on it.

    Raises
    ------
    CannotCompile
        If that is known only when the program runs.
    """
    match x:
        case Lit() | Known():
            return x.value
        case tuple():
            return tuple(map(option, x))
        case Items(cls=cls) if cls is list:
            return [option(item) for item in x.items]
        case None:
            return None
    raise CannotCompile("an option that is known only when the program runs (an axis, an order, a flag, ...)")


def flag(x: Any) -> bool:
    """The same of an option that is true or false."""
    given = option(x)
    if given is not None and type(given) not in (bool, int):
        raise CannotCompile("a flag that is no truth value")
    return bool(given)


NO, ZERO, LAST, FIFTY, NONE = Lit(False), Lit(0), Lit(-1), Lit(50), Known(None)
"""Defaults of parameters."""
