"""Options of classes, and of objects that a function captures or finds by a global name: flags and texts decide
branches, and texts in a list or a tuple are the names that a loop runs through. Programs are made for their values,
under guards."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ..ir.lattice import keyed
from ..ir.nodes import Atom, Const
from ..ir.types import UNKNOWN, Known
from ..origin import looks_up_plainly
from .chosen_functions import is_plain_function
from .facts import Exactly, Items, Path

if TYPE_CHECKING:
    from .resolve import Resolver

OPTIONS = (bool, str)
"""Classes of values that programs are made for."""
MAX_TEXTS = 24
"""Texts in a list of names."""


def option_at(r: Resolver, fact: Path, name: Any, value: Any) -> Const | None:
    """A flag or a text that such an object holds, as a constant; None of anything else."""
    known = type(value) in OPTIONS and _is_for_value(r, fact, (name,), value)
    return Const(value) if known else None


def class_option_at(r: Resolver, cls: type, name: str, value: Any) -> bool:
    """Tell whether a flag or a text that stands in a class is taken for a constant, under a guard."""
    if type(value) not in OPTIONS or r.context.plain or r.generation.writes or not looks_up_plainly(cls):
        return False
    if not r.generation.varying.is_option((cls, name), value):
        return False
    r.guard(cls, name, Exactly(value))
    return True


def texts_at(r: Resolver, fact: Path, name: tuple[str, ...], value: Any) -> Items | None:
    """The texts in a list or a tuple that such an object holds; None of anything else."""
    named = type(value) in (list, tuple) and 0 < len(value) <= MAX_TEXTS and all([type(x) is str for x in value])
    if not named or not _is_for_value(r, fact, name, type(value)(value)):  # a list may change: the guard has its own
        return None
    return Items(tuple(map(Const, value)))


def keys_at(r: Resolver, a: Atom) -> tuple[str, ...] | None:
    """The names by which a dict holds its values that such an object holds, or that is found so itself; None of
    anything else."""
    fact = r.sp.facts.get(a)
    if not isinstance(fact, Path) or type(fact.example) is not dict or len(fact.example) > MAX_TEXTS:
        return None
    names = tuple(fact.example)
    if not all([type(name) is str for name in names]) or not _is_made_for(r, fact, fact.names, names):
        return None
    r.context.rely(fact.param, fact.names, keyed(dict.fromkeys(names, UNKNOWN)))
    return names


def functions_at(r: Resolver, a: Atom) -> dict[str, Any] | None:
    """The functions that a dict holds by names which is found so, as a table of handlers; None of anything else."""
    fact = r.sp.facts.get(a)
    if not isinstance(fact, Path) or type(fact.example) is not dict or not 1 < len(fact.example) <= MAX_TEXTS:
        return None
    found = {**fact.example}
    if not all([type(name) is str and is_plain_function(f) for name, f in found.items()]):
        return None
    if not _is_made_for(r, fact, fact.names, found, anywhere=True):
        return None
    r.context.rely(fact.param, fact.names, keyed({name: Known(f) for name, f in found.items()}))
    return found


def texts_in(r: Resolver, a: Atom) -> tuple[str, ...] | None:
    """The texts in a display, or in a constant tuple; None of anything else."""
    fact, values = r.sp.facts.get(a), list[Any]()
    if isinstance(fact, Items):
        values = [v.value if isinstance(v, Const) else None for v in fact.atoms]
    elif isinstance(a, Const) and type(a.value) is tuple:
        values = [*a.value]
    return tuple(values) if values and all([type(v) is str for v in values]) else None


def hand_on(r: Resolver, paths: Iterable[Path | None]) -> None:
    """Note such objects among the arguments of a function that is called."""
    r.generation.varying.captured.update([id(p.example) for p in paths if p is not None and is_captured(r, p)])


def is_captured(r: Resolver, fact: Path) -> bool:
    """Tell whether something is found from what the function captures or names: not from an argument alone."""
    if not isinstance(fact.param, int) or fact.param == 0:
        return True
    root = r.sp.facts.get(r.sp.atom(r.context.function.params[fact.param]))
    return isinstance(root, Path) and id(root.example) in r.generation.varying.captured


def _is_for_value(r: Resolver, fact: Path, name: tuple[str, ...], value: Any) -> bool:
    """Rely on the value of a field, unless it is one of an argument, or has changed several times."""
    names = (*fact.names, *name)
    if not _is_made_for(r, fact, names, value):
        return False
    r.context.rely(fact.param, names, Exactly(value))
    return True


def _is_made_for(r: Resolver, fact: Path, names: tuple[Any, ...], value: Any, anywhere: bool = False) -> bool:
    """Tell whether programs are made for a value that is found there; of an argument only what may be `anywhere`."""
    if r.context.plain or r.generation.memory is not None or r.generation.writes:
        return False
    if not anywhere and not is_captured(r, fact):
        return False
    place = r.context.function.name, fact.param, names
    return bool(r.generation.varying.is_option(place, value))
