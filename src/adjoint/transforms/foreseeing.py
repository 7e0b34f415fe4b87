"""Values of which only the run shows what they are, with what the profile says of them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..ir import intrinsics
from ..ir.nodes import Atom, Call, Const, Span, Var
from ..ir.types import UNKNOWN, Inert
from ..origin import module_of
from .facts import Structural
from .infer import is_known
from .splitting import Kinds, are_split, begin_open, holder_of, place_of

if TYPE_CHECKING:
    from .specialise import Specialiser


def foreseen(sp: Specialiser, key: Any, value: Atom, start: int) -> Atom:
    """A value that was made from a place in the statements on, with the type that the profile takes for granted."""
    if not isinstance(value, Var) or value in sp.facts or value in sp.resolver.pending:
        return value
    if value in sp.attended:
        return value  # in a function that is written out here, where others may have read it
    made = sp.resolver.made.get(value)
    if made not in sp.statements[start:] or not isinstance(made, Call) or not _is_seen(made):
        return value
    t, check, kinds = _foresee(sp, key, value, place_of(sp.resolver, made))
    if t != value.type:
        new = Var(value.name, t, value.active)
        outs = tuple(new if out is value else out for out in made.outs)
        sp.statements[sp.statements.index(made)] = typed = replace(made, outs=outs)
        value = new
        if t == Inert(str):  # what it is made of says which names it may be
            sp.resolver.made[value] = typed
    _attend(sp, value, check, kinds, made.span)
    return value


def foreseen_element(sp: Specialiser, key: Any, element: Var, sequence: Atom, span: Span | None) -> Var:
    """The same of an element that a loop takes of a sequence."""
    t, check, kinds = _foresee(sp, key, element, (*holder_of(sp.resolver, sequence), list))
    element = Var(element.name, t, element.active)
    _attend(sp, element, check, kinds, span)
    return element


def _foresee(sp: Specialiser, key: Any, value: Var, place: Any) -> Any:
    """The type that a value was seen to have here, by the types that the function is called with, and what is to be
    done with it; it may be read from a place that others have read."""
    profile = sp.context.profile
    key = (sp.types, *map(sp.places.of, sp.frame.calls), (sp.places.of(key[0]), *key[1:]))
    t, check = profile.foresee(key, value, place)
    found = profile.kinds_at(key) if t == UNKNOWN else None
    if found is None or not are_split(found[1]):
        return t, check, None
    return (t, check, Kinds(*found)) if len(found[1]) > 1 else (*profile.granted(*found), None)


def _attend(sp: Specialiser, value: Var, check: tuple[Const, Const] | None, kinds: Kinds | None, span: Any) -> None:
    """Write out what the profile does with a value when it is there, if anything. Take up of which kinds it may be, or
    that its type is no more than that."""
    if kinds is not None:
        sp.kinds[value] = kinds
    elif value.type != UNKNOWN and not is_known(value.type):
        begin_open(sp.resolver, value)
    sp.attended.add(value)
    if check is not None:
        sp.context.waits = True
        sp.statements.append(Call((), check[0], (value, check[1]), (), span))


def _is_seen(made: Call) -> bool:
    """Tell whether a call gives a value of the program, which its run shows: it may be a location, or a function."""
    if made.how is not None:
        return not isinstance(made.how, Structural) or made.how.kind in ("field", "part", "key", "element", "load_cell")
    fn = made.fn.value if isinstance(made.fn, Const) else None
    return fn is intrinsics.load_global or module_of(fn) not in ("adjoint.ir.intrinsics", "adjoint.ir.changes")
