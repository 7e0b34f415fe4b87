"""Generators that call themselves: the list of all they give is made at once, before the first of them is used.

Nobody can tell, where what is done with each of them changes nothing that the generator may read, does no more than
compute, and is not gone on with when an exception comes.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import CodeType
from typing import TYPE_CHECKING, Any

from ..ir import changes
from ..ir.nodes import Atom, Call, Const, Loop, Statement, Var, blocks_of
from ..ir.types import Array, Deque, Dict, Keyed, List
from .uses import CHANGING, STORING, calls_of, has_attempts, is_call_of

if TYPE_CHECKING:
    from .generators import Made
    from .specialise import Specialiser

_FIELDS = tuple([f for f in STORING if f is not changes.call_method])
_CONTAINERS = (Array, Deque, Dict, Keyed, List)


def calls_itself(code: CodeType) -> bool:
    """Tell whether a function calls itself, as far as names tell.

    >>> def leaves(tree):
    ...     for part in tree: yield from leaves(part)
    >>> calls_itself(leaves.__code__), calls_itself(calls_itself.__code__)
    (True, False)
    """
    return code.co_name in code.co_names


def listed_at_once(sp: Specialiser, own: Var, made: Made) -> Atom | None:
    """The list of what a generator gives, made by a function; None if there is no such function, or if something may
    have changed since the generator was made."""
    r = sp.resolver
    fresh = made.here is sp.here and made.at == len(sp.statements) and own not in sp.heap.run
    if not fresh or r.generation.memory is not None or any(a in sp.heap for a in made.given):
        return None
    function = r.generation.listing(made.function)
    if function is None:
        return None
    sp.heap.run.add(own)
    call = Call((Var(own.name),), Const(function), (), (), made.call.span)
    return r.call(call, call.fn, [*made.given[1:]], [])[0]


def may_be_listed(sp: Specialiser, s: Loop, made: Made) -> bool:
    """Tell whether a loop over such a generator comes to the same over a list of what it gives."""
    functions = (sp.resolver.context.function, sp.frame.function)
    if s.exit_flag is not None or any(has_attempts(f.body) for f in functions):
        return False
    origins = dict(_origins(s))
    return all([_keeps_apart(sp, c, origins, made) for c in calls_of(s.body.statements)])


def _keeps_apart(sp: Specialiser, s: Call, origins: dict[Any, Any], made: Made) -> bool:
    """Tell whether a call changes at most a container that the generator has not been given."""
    if is_call_of(s, _FIELDS):
        return False
    if not is_call_of(s, CHANGING):
        return True
    target: Any = s.args[0]
    while target in origins:
        target = origins[target]
    a = sp.env.get(target)
    return isinstance(a, Var) and isinstance(a.type, _CONTAINERS) and a not in sp.heap and a not in made.given


def _origins(s: Statement) -> Iterator[tuple[Any, Any]]:
    """Pair the variables of loops, and the results of stores, with what they were before."""
    if isinstance(s, Loop):
        for block in blocks_of(s):
            yield from zip(block.params, s.inits, strict=False)
    elif is_call_of(s, CHANGING) and s.outs:
        yield s.outs[-1], s.args[0]  # type: ignore[union-attr]
    for block in blocks_of(s):
        for inner in block.statements:
            yield from _origins(inner)
