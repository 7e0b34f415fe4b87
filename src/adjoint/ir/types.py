"""The lattice of types that specialisation works with: what is known of a value before the program runs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any


class Type:
    """Knowledge of a value. Immutable and hashable; equality is structural."""

    __slots__ = ()

    differentiable = True


@dataclass(frozen=True, slots=True)
class Unknown(Type):
    """Anything: the top of the lattice."""


@dataclass(frozen=True, slots=True)
class Bottom(Type):
    """No value yet: the bottom of the lattice (an unbound name, a call that does not return)."""


@dataclass(frozen=True, slots=True)
class Empty(Bottom):
    """No item yet, of a list or a dict that is made empty at a `site` of the program, and comes to hold some."""

    site: Any


@dataclass(frozen=True, slots=True)
class Scalar(Type):
    """An exact Python number: `kind` is "bool", "int", "float" or "complex". What is complex in one branch and real in
    another is `mixed`."""

    kind: str
    mixed: bool = False

    @property
    def differentiable(self) -> bool:  # type: ignore[override]
        return self.kind != "bool"


@dataclass(frozen=True, slots=True)
class Array(Type):
    """A NumPy array or NumPy scalar. `dtype` is its name ("float64"), or "" if only the kind is known; `kind` is its
    dtype's kind letter (b i u f c of numbers; those of text, times, objects and records, which have no name here, say
    nothing of the items); `ndim` its rank if known; `scalar` tells NumPy scalars (True) from arrays (False), None where
    it may be either."""

    kind: str
    dtype: str = ""
    ndim: int | None = None
    scalar: bool | None = None

    @property
    def differentiable(self) -> bool:  # type: ignore[override]
        return self.kind in "iufc"


@dataclass(frozen=True, slots=True)
class Tuple(Type):
    """A tuple of known length; `cls` is `tuple` or the class of a named tuple."""

    items: tuple[Type, ...]
    cls: type = tuple

    @property
    def differentiable(self) -> bool:  # type: ignore[override]
        return any(item.differentiable for item in self.items)


@dataclass(frozen=True, slots=True)
class Variadic(Type):
    """A tuple of any length with items of one type, which never change: `tuple[float, ...]`."""

    item: Type

    @property
    def differentiable(self) -> bool:  # type: ignore[override]
        return self.item.differentiable


@dataclass(frozen=True, slots=True)
class List(Type):
    """A list with items of one type."""

    item: Type

    @property
    def differentiable(self) -> bool:  # type: ignore[override]
        return self.item.differentiable


@dataclass(frozen=True, slots=True)
class Deque(List):
    """A deque, which loses items where it is full, if it is `bounded`."""

    bounded: bool = False


@dataclass(frozen=True, slots=True)
class Dict(Type):
    """A dict with values of one type."""

    item: Type

    @property
    def differentiable(self) -> bool:  # type: ignore[override]
        return self.item.differentiable


@dataclass(frozen=True, slots=True)
class Keyed(Dict):
    """A dict of which all keys are known: texts, in order, each with the type of its value. `item` is the type of any
    value. One that is made empty at a `site` of the program may have some of the keys only, in any order."""

    entries: tuple[tuple[str, Type], ...] = ()
    site: Any = None

    @property
    def differentiable(self) -> bool:  # type: ignore[override]
        return any([t.differentiable for _, t in self.entries])


@dataclass(frozen=True, slots=True)
class Default(Dict):
    """A dict of the class `cls` that gives a value of the type `missing` where it has no item: it is a `defaultdict`,
    which stores that, or a `Counter`. `item` is the type of what is stored. One that is made at a `site` of the program
    may be known to hold values of several types, by name."""

    cls: type = dict
    missing: Type = Bottom()
    entries: tuple[tuple[str, Type], ...] = ()
    site: Any = None


@dataclass(frozen=True, slots=True)
class View(Type):
    """Iterable of items of one type, of a builtin class `cls` that is no list: a view of a dict, an iterator."""

    item: Type
    cls: type

    @property
    def differentiable(self) -> bool:  # type: ignore[override]
        return self.item.differentiable

    @property
    def is_used_up(self) -> bool:
        """Tell whether this is an iterator, whose items are there once."""
        return issubclass(self.cls, Iterator)


@dataclass(frozen=True, slots=True)
class Record(Type):
    """An instance of a user's class (exactly that class); `fields` are its attributes with their types, if all of them
    are known."""

    cls: type
    fields: tuple[tuple[str, Type], ...] | None = None


@dataclass(frozen=True, slots=True)
class Ref(Record):
    """An instance that others may have as well: its fields are memory, which is read and stored into in the order of
    the program. The reference itself carries no derivative."""

    differentiable = False


@dataclass(frozen=True, slots=True)
class Among(Type):
    """An instance of exactly one of a few classes: `kinds` are the types of these, in the order of their names."""

    kinds: tuple[Record, ...]

    @property
    def differentiable(self) -> bool:  # type: ignore[override]
        return any([kind.differentiable for kind in self.kinds])


@dataclass(frozen=True, slots=True)
class Raised(Type):
    """An exception that the program has made, of exactly one of a few classes: `kinds` are the types of these."""

    kinds: tuple[Record, ...]

    @property
    def differentiable(self) -> bool:  # type: ignore[override]
        return any([kind.differentiable for kind in self.kinds])


@dataclass(frozen=True, slots=True)
class Located(Type):
    """A list, a dict or an array that others may have as well: what it holds (`of` says what) is memory, which is read
    and stored into in the order of the program. It carries no derivative itself."""

    of: Type

    differentiable = False


@dataclass(frozen=True, slots=True)
class Repeated(Located):
    """A view of an array in which several items may be at one place, as of what `broadcast_to` gives: it is only
    read."""


@dataclass(frozen=True, slots=True)
class Either(Type):
    """An array that others may have as well, or a number: which of the two, an item is asked when it is read."""

    array: Type
    number: Type

    @property
    def differentiable(self) -> bool:  # type: ignore[override]
        return self.number.differentiable


@dataclass(frozen=True, slots=True, eq=False)
class Known(Type):
    """One object that is known: a function, class or module. Compared by identity."""

    value: Any

    differentiable = False

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Known) and self.value is other.value

    def __hash__(self) -> int:
        return id(self.value)


@dataclass(frozen=True, slots=True, eq=False)
class Fn(Type):
    """A Python function, by its code and its globals (compared by identity) and the types of what it captures, of its
    defaults and of its keyword-only defaults (by name); `template` is what it is made from, where the program makes
    it."""

    code: Any
    captures: tuple[Type, ...] = ()
    defaults: tuple[Type, ...] = ()
    keywords: tuple[tuple[str, Type], ...] = ()
    template: Any = field(default=None, repr=False)
    scope: Any = field(default=None, repr=False)

    @property
    def differentiable(self) -> bool:  # type: ignore[override]
        return any(t.differentiable for t in self.parts)

    @property
    def parts(self) -> tuple[Type, ...]:
        """The types of all that the function holds."""
        return (*self.captures, *self.defaults, *(t for _, t in self.keywords))

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Fn)
            and self.code is other.code
            and self.scope is other.scope
            and self.captures == other.captures
            and self.defaults == other.defaults
            and self.keywords == other.keywords
        )

    def __hash__(self) -> int:
        return hash((id(self.code), self.captures, self.defaults, self.keywords))


@dataclass(frozen=True, slots=True)
class Nested(Type):
    """A function that gives gradients of another: `grad(f)`, by arguments that are known. `cls` is its class, which
    keeps the other function in `attribute`. With an `order` it gives that derivative by a number, in forward mode."""

    cls: type
    attribute: str
    inner: Type
    wanted: tuple[int, ...]
    single: bool
    with_value: bool
    order: int = 0

    @property
    def differentiable(self) -> bool:  # type: ignore[override]
        return self.inner.differentiable


@dataclass(frozen=True, slots=True)
class Inert(Type):
    """A value of a class that carries no derivative: str, bytes, None, range, slice, dtype..."""

    cls: type

    differentiable = False


@dataclass(frozen=True, slots=True)
class Maybe(Type):
    """A number of the type `item`, or None. Arithmetic takes it for the number: Python raises where it is None."""

    item: Type

    @property
    def differentiable(self) -> bool:  # type: ignore[override]
        return self.item.differentiable


@dataclass(frozen=True, slots=True)
class OneOf(Type):
    """Any of these, as guards ask: of a field that has held numbers of several kinds, or None."""

    kinds: tuple[Type, ...]


class Absent:
    """The class of what is not there."""


ABSENT = Inert(Absent)
"""An attribute that an object does not have itself: its class has it."""
NONE = Inert(type(None))
UNKNOWN = Unknown()
BOTTOM = Bottom()
BOOL = Scalar("bool")
INT = Scalar("int")
FLOAT = Scalar("float")
COMPLEX = Scalar("complex")
MIXED = Scalar("complex", True)
