"""Functions that are called plainly and only compute: it is known what they give, and they may be called twice."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from ..ir import changes
from ..ir.nodes import Block, Call, Const, Function, If, Loop, Star, Statement
from ..ir.types import BOTTOM, Dict, Fn, Inert, List, Record, Type
from ..origin import is_users_class
from ..rules.registry import find_rules
from ..transforms.effects import is_data
from ..transforms.facts import Callee, Dynamic
from ..transforms.infer import type_of
from ..transforms.listing import calls_itself
from .acting import NONE_READ, Reading, effects_of, is_plain_data, is_read
from .implicit_calls import acts_in_making
from .program_calls import statements_of

_STARS = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS
"""Flags of code whose arguments are put into a tuple or a dict: `h(a, b)` is read as `h((a, b))` is."""
MAX_READINGS = 4
"""The number of readings of a function that calls itself, until it gives what was assumed of it."""
_OF_CONTAINERS = frozenset(
    [changes.call_method, changes.delete_item, changes.extended, changes.list_append, changes.set_item]
)
"""Stores into lists and dicts: a function that is called plainly makes those itself into which it stores, or is
refused."""


def settled_reading(read: Callable[[], Function], generation: Any, key: Reading) -> Function:
    """Read a function; if it only computes, note it with the type of what it gives.

    One that calls itself is read until it gives what was assumed that it gives; nothing, at first. What was read in
    the meantime relied on that, and is read again.
    """
    code, given = key[0], key[1][0]
    if code.co_flags & _STARS or isinstance(given, Fn) and given.captures:
        return read()
    computing, plain = generation.computing, generation.plain
    if not calls_itself(code):
        typed = read()
        if only_computes(typed.body, computing):
            computing[key] = type_of(typed.body.results[0])
        return typed
    before, known = dict(computing), dict(plain)
    found: Type = BOTTOM
    for _ in range(MAX_READINGS):
        computing[key] = found
        typed = read()
        assumed, found = found, type_of(typed.body.results[0])
        computes = only_computes(typed.body, computing)
        if computes and found == assumed:
            return typed
        for old, new in ((computing, before), (plain, known)):
            old.clear()
            old.update(new)
        if not computes:
            break
    return read()


def only_computes(block: Block, computing: Mapping[Reading, Type] = NONE_READ) -> bool:
    """Tell whether a function that is called plainly surely does nothing else: it applies rules to numbers, arrays and
    texts, makes objects and reads their fields, calls what is `computing` itself, and runs no code that only its
    arguments know.

    >>> from adjoint.frontend import lower_code
    >>> only_computes(lower_code((lambda n: 0.0).__code__, {}).body)
    True
    """
    return all([_computes(s, computing) for s in statements_of(block)])


def _computes(s: Statement, computing: Mapping[Reading, Type]) -> bool:
    if isinstance(s, If):
        return is_plain_data(type_of(s.cond))
    if isinstance(s, Loop):
        return all([_is_plain(type_of(a)) for a in s.sequences])
    if not isinstance(s, Call) or not isinstance(s.fn, Const) or isinstance(s.how, (Dynamic, Callee)):
        return False
    f, given = s.fn.value, [a.value if isinstance(a, Star) else a for a in (*s.args, *(v for _, v in s.kwargs))]
    if f is getattr and isinstance(t := type_of(given[0]), Record):
        return isinstance(s.args[1], Const) and is_data(t.cls, s.args[1].value)
    rules = find_rules(f)
    if isinstance(f, type) and rules is None:
        return is_users_class(f) and not acts_in_making(f)
    if is_read(s, f, computing):
        return True
    data = all([_is_plain(type_of(a)) for a in given])
    if f in _OF_CONTAINERS:
        return data
    return data and rules is not None and not rules.is_users and not effects_of(f)[0]


def _is_plain(t: Type) -> bool:
    """Tell whether values of a type are plain data, or lists and dicts of it, or say which part of a list."""
    return t in (BOTTOM, Inert(slice)) or is_plain_data(t) or isinstance(t, List | Dict) and _is_plain(t.item)
