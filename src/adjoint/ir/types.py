"""The lattice of types that specialisation works with: what is known of a value before the program runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


class Type:
    """What is known of a value. Immutable and hashable; equality is structural."""

    __slots__ = ()

    differentiable = True


@dataclass(frozen=True, slots=True)
class Unknown(Type):
    """Anything: the top of the lattice."""


@dataclass(frozen=True, slots=True)
class Bottom(Type):
    """No value yet: the bottom of the lattice (an unbound name, a call that does not return)."""


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
    value."""

    entries: tuple[tuple[str, Type], ...] = ()

    @property
    def differentiable(self) -> bool:  # type: ignore[override]
        return any([t.differentiable for _, t in self.entries])


@dataclass(frozen=True, slots=True)
class Default(Dict):
    """A dict of the class `cls` that gives a value of the type `missing` where it has no item: it is a `defaultdict`,
    which stores that, or a `Counter`. `item` is the type of what is stored."""

    cls: type = dict
    missing: Type = Bottom()


@dataclass(frozen=True, slots=True)
class View(Type):
    """What gives items of one type, of a builtin class `cls` that is no list: a view of a dict, an iterator."""

    item: Type
    cls: type

    @property
    def differentiable(self) -> bool:  # type: ignore[override]
        return self.item.differentiable


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
class Located(Type):
    """A list, a dict or an array that others may have as well: what it holds (`of` says what) is memory, which is read
    and stored into in the order of the program. It carries no derivative itself."""

    of: Type

    differentiable = False


@dataclass(frozen=True, slots=True)
class Repeated(Located):
    """A view of an array in which several items may be at one place, as of what `broadcast_to` gives: it is only
    read."""


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
    keeps the other function in `attribute`."""

    cls: type
    attribute: str
    inner: Type
    wanted: tuple[int, ...]
    single: bool
    with_value: bool

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


_KINDS = ("bool", "int", "float", "complex")
_LETTERS = {"bool": "b", "int": "i", "float": "f", "complex": "c"}


def join(a: Type, b: Type) -> Type:
    """The smallest type of the lattice that holds both.

    A number that may be an int or a float counts as a float, and `Array` without a dtype holds Python's numbers as
    well: the derivative is the same.
    """
    if a == b or isinstance(b, Bottom):
        return a
    if isinstance(a, Bottom):
        return b
    if isinstance(a, Scalar) and isinstance(b, Scalar):
        kind = max(a.kind, b.kind, key=_KINDS.index)
        return Scalar(kind, kind == "complex")
    if isinstance(a, Scalar) and isinstance(b, Array):
        a, b = b, a
    if isinstance(a, Array) and isinstance(b, Scalar):
        kind = max(a.kind, _LETTERS[b.kind], key="buifc".find)
        if kind != a.kind and (a.scalar is not True or (a.kind, kind) == ("u", "i")):
            return UNKNOWN  # into an array of integers no floats can be stored, and unsigned ones are no signed ones
        # Python's floats are float64, so that a number of either kind is as wide.
        dtype = a.dtype if a.dtype == "float64" and a.scalar and b.kind != "complex" else ""
        return Array(kind, dtype, 0 if a.scalar or a.ndim == 0 else None, True if a.scalar else None)
    if isinstance(a, Array) and isinstance(b, Array) and a.kind == b.kind:
        return Array(
            a.kind,
            a.dtype if a.dtype == b.dtype else "",
            a.ndim if a.ndim == b.ndim else None,
            a.scalar if a.scalar == b.scalar else None,
        )
    if isinstance(a, Tuple) and isinstance(b, Tuple) and len(a.items) == len(b.items) and a.cls is b.cls:
        return Tuple(tuple(join(x, y) for x, y in zip(a.items, b.items, strict=True)), a.cls)
    if isinstance(a, List) and isinstance(b, List):
        return of_items(a, join(a.item, b.item)) if of_items(a, BOTTOM) == of_items(b, BOTTOM) else UNKNOWN
    if isinstance(a, Keyed) and isinstance(b, Keyed) and [*dict(a.entries)] == [*dict(b.entries)]:
        others = dict(b.entries)
        return keyed({name: join(t, others[name]) for name, t in a.entries})
    if isinstance(a, Default) or isinstance(b, Default):
        return _join_defaults(a, b)
    if isinstance(a, Dict) and isinstance(b, Dict):
        return Dict(join(a.item, b.item))
    if isinstance(a, View) and isinstance(b, View) and a.cls is b.cls:
        return View(join(a.item, b.item), a.cls)
    if isinstance(a, Record) and isinstance(b, Record) and a.cls is b.cls:
        return _join_records(a, b)
    return _join_with_none(a, b)


def of_items(t: List, item: Type) -> List:
    """The type of a list or a deque like another, with items of this type."""
    return Deque(item, t.bounded) if isinstance(t, Deque) else List(item)


def of_values(t: Dict, value: Type) -> Dict:
    """The type of a dict like another, with values of this type."""
    return Default(value, t.cls, t.missing) if isinstance(t, Default) else Dict(value)


def _join_defaults(a: Type, b: Type) -> Type:
    """The join of dicts that give something for a key that they have not."""
    alike = isinstance(a, Default) and isinstance(b, Default) and (a.cls, a.missing) == (b.cls, b.missing)
    return Default(join(a.item, b.item), a.cls, a.missing) if alike else UNKNOWN  # type: ignore[attr-defined]


def keyed(entries: Mapping[str, Type]) -> Keyed:
    """The type of a dict with these keys."""
    item: Type = BOTTOM
    for t in entries.values():
        item = join(item, t)
    return Keyed(item, tuple(entries.items()))


def _join_with_none(a: Type, b: Type) -> Type:
    """The join of numbers that may be None."""
    none = [t == NONE or isinstance(t, Maybe) for t in (a, b)]
    items = [t.item if isinstance(t, Maybe) else t for t in (a, b) if t != NONE]
    if not any(none) or not all(map(_is_single, items)):
        return UNKNOWN
    return Maybe(items[0] if len(items) == 1 else join(*items))


def _is_single(t: Type) -> bool:
    """Whether a type is that of one number, which cannot change, or of a reference."""
    return isinstance(t, (Scalar, Ref, Located)) or isinstance(t, Array) and t.scalar is True and bool(t.dtype)


def _join_records(a: Record, b: Record) -> Record:
    fields, others = dict(a.fields or ()), dict(b.fields or ())
    if fields.keys() != others.keys() or None in (a.fields, b.fields):
        return Record(a.cls)
    return Record(a.cls, tuple([(name, join(t, others[name])) for name, t in fields.items()]))


def depth(t: Type) -> int:
    """Nesting of containers in a type; specialisation widens what grows too deep."""
    if isinstance(t, Tuple):
        return 1 + max((depth(item) for item in t.items), default=0)
    if isinstance(t, Keyed):
        return 1 + max([depth(entry) for _, entry in t.entries], default=0)
    if isinstance(t, (List, Dict, View)):
        return 1 + depth(t.item)
    if isinstance(t, Located):
        return depth(t.of)
    if isinstance(t, Record) and t.fields:
        return 1 + max([depth(field) for _, field in t.fields])
    return 0
