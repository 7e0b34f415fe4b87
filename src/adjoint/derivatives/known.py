"""Outermost calls whose way is known: of functions that were reversed by their structure before, with arguments of the
same types. Of these nothing is asked but the guard of their rule."""

from __future__ import annotations

import types
from types import FunctionType
from typing import Any

from ..rules.registry import RULES
from ..runtime.hidden import PLAIN
from ..runtime.spec import Spec
from ..runtime.tables import MAX_CODES, on_drop, table_of
from ..tangents.sweep import ASSUMING

_KNOWN: dict[int, tuple[int, Any, tuple[Any, bool, int], types.CodeType]] = {}
"""By the identity of a code, of its last such call: the number of arguments, the guard, the rule, whether that takes
the function, and whether it may be refused on its way; and the code, which is kept alive."""


def known_rule(f: Any, args: tuple[Any, ...]) -> tuple[Any, bool, int] | None:
    """The rule of a call whose way is known, whether it takes the function, and whether it may be refused on its way;
    None of any other call."""
    found = _KNOWN.get(id(f.__code__)) if type(f) is FunctionType else None
    if found is None or found[0] != len(args) or f in RULES or not found[1](f, *args):
        return None
    return found[2]


def learn(f: types.FunctionType, args: tuple[Any, ...], spec: Spec) -> None:
    """Keep what has been generated for a call that is reversed by its structure, if nothing but the guard tells that it
    is: an object may be one that only a recording follows."""
    if not PLAIN.issuperset(map(type, args)) or not spec.is_for_known or spec.has_effects:
        return
    for guard, known in table_of(f).entries.get((None, *map(type, args)), ()):
        if known is spec or known.generic is spec:
            if len(_KNOWN) > MAX_CODES:
                _KNOWN.clear()
            trial = ASSUMING if known.may_be_refused else False
            _KNOWN[id(f.__code__)] = len(args), guard, (known.rule, known.takes_self, trial), f.__code__


def unlearn(code: Any) -> None:
    """Forget the call of a code: one like it has been recorded."""
    _KNOWN.pop(id(code), None)


on_drop.append(unlearn)


def unlearn_all() -> None:
    """Forget all calls."""
    _KNOWN.clear()
