"""Types of arguments of which no more is known than of which kind they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..ir.nodes import Atom
from ..ir.types import Dict, Fn, List, Record, Tuple, Type
from .infer import is_known, shallow, type_of

if TYPE_CHECKING:
    from .resolve import Resolver


def foresees(r: Resolver) -> bool:
    """Tell whether runs have shown something of what is read here."""
    return r.context.profile is not None and r.context.profile.generic is not None


def is_open(r: Resolver, a: Atom) -> bool:
    """Tell whether no more is known of a value than of which kind it is, and the run has shown what it may hold."""
    held = isinstance(type_of(a), (Tuple, List, Dict)) and foresees(r) and not is_known(type_of(a))
    return held or a in r.sp.open and foresees(r)


def as_kind(t: Type) -> Type:
    """The type of an argument by which a recursion is made: of what holds more of its kind no more than that."""
    return t if is_known(t) and not _nests(t) else shallow(t)


def _nests(t: Type) -> bool:
    return isinstance(t, Tuple) and any([isinstance(u, (Tuple, List, Dict, Record)) for u in t.items])


def deepens(r: Resolver, t: Fn, types_: tuple[Type, ...]) -> bool:
    """Tell whether a function that calls itself gives itself tuples of tuples of another form than it was given."""
    around = [spec.types[1:] for spec in r.generation.open if spec.code is t.code]
    return bool(around) and any(map(_nests, types_)) and types_ not in around
