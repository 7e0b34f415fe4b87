"""Facts: how calls resolve, and what is known of variables while a program is specialised."""

from __future__ import annotations

import abc
from dataclasses import dataclass
from typing import Any

from ..ir.lattice import join
from ..ir.nodes import Atom, Const, Var
from ..ir.types import Type
from .infer import type_of

NO_EXAMPLE = object()
AS_IT_IS = object()
"""What is relied on of a class of which nothing may change."""


@dataclass(frozen=True, slots=True)
class Spliced:
    """The call has a scalar rule whose partials are put in its place."""

    method: Any


@dataclass(frozen=True, slots=True)
class Ruled:
    """The call has a rule, which is called."""

    method: Any


@dataclass(frozen=True, slots=True)
class Callee:
    """The call is of a function whose generated rule is known."""

    handle: Any
    takes_self: bool


@dataclass(frozen=True, slots=True)
class Dynamic:
    """A call of something that is known only when it runs. With `whole`, cotangents of numbers are made zeros where
    nothing flows, as those of calls beside it are."""

    whole: bool = False


@dataclass(frozen=True, slots=True)
class Structural:
    """The call only moves values; `transforms.structural` knows how it reverses."""

    kind: str
    extra: Any = None


@dataclass(frozen=True)
class Bound:
    """A fact: `receiver.name` where the class of the receiver has the function `function` under that name."""

    receiver: Atom
    name: str
    function: Any = None


@dataclass(frozen=True)
class Likely:
    """A fact: a method of an object that is of the class's, unless the object hides it: what it may do is looked at."""

    receiver: Atom
    function: Any


@dataclass(frozen=True)
class Items:
    """A fact: a tuple made of these atoms, or a list that is only read."""

    atoms: tuple[Atom, ...]


@dataclass(frozen=True)
class Grown:
    """A fact: a list that has grown to these atoms, one after the other."""

    atoms: tuple[Atom, ...]


@dataclass(frozen=True)
class Rows:
    """A fact: an array, or what `tolist` gives of it, made of these atoms, in tuples within each other by its axes."""

    atoms: tuple[Any, ...]


@dataclass(frozen=True)
class Made:
    """A fact: a function made here, with these values of what it captures; None for what may be bound anew."""

    captures: tuple[Atom | None, ...]


@dataclass(frozen=True)
class Entries:
    """A fact: a dict made of these atoms, which is only read."""

    atoms: dict[str, Atom]


@dataclass(frozen=True)
class Source:
    """A fact: an iterator over these, as `zip` or `enumerate` makes it; `equal_lengths` says that all are of one
    length, `sequences_invariant` that no list of them grows afterwards, `site` where it was made."""

    kind: str
    atoms: tuple[Atom, ...]
    equal_lengths: bool = False
    sequences_invariant: bool = True
    site: Var | None = None


@dataclass(frozen=True)
class RunThrough:
    """A fact: the keys, values or items of a dict that others may have, or the items of a list and their numbers from
    `start` on, which a loop runs through."""

    target: Any
    part: str
    start: Any = Const(0)


@dataclass(frozen=True, eq=False)
class GlobalName:
    """A name of a scope, of which the object is known that it stands for."""

    scope: dict[str, Any]
    name: str

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GlobalName) and self.scope is other.scope and self.name == other.name

    def __hash__(self) -> int:
        return hash((id(self.scope), self.name))


@dataclass(frozen=True)
class Key:
    """A key of a dict, as a step of a path: steps that are texts are attributes."""

    name: str


class Apart:
    """A fact about an abstract class: that none of some classes is registered as one of its subclasses."""

    def __init__(self, classes: tuple[type, ...]) -> None:
        self.classes = classes
        self.token = abc.get_cache_token()
        """Says that nothing has been registered since, of any class."""

    def holds(self, cls: type) -> bool:
        """Tell whether that is so."""
        return not any([issubclass(own, cls) for own in self.classes])


@dataclass(frozen=True)
class Exactly:
    """A fact about an attribute: that it is this very value, and not only one of its type."""

    value: Any


@dataclass(frozen=True)
class Gives:
    """A fact about a function that looks something up: what it gives for some arguments."""

    function: Any
    args: tuple[Any, ...]
    value: Any


@dataclass(frozen=True)
class Path:
    """A fact: the attributes and places from a parameter or a global name on, with the object found there (while
    specialising only)."""

    param: int | GlobalName
    names: tuple[str | int | Key, ...]
    example: Any


def is_active(atom: Atom) -> bool:
    return isinstance(atom, Var) and atom.active


def joined(a: Atom, b: Atom) -> tuple[Type, bool]:
    """Type and activity of what is one of two atoms."""
    t = join(type_of(a), type_of(b))
    return t, (is_active(a) or is_active(b)) and t.differentiable
