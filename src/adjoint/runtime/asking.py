"""Questions that a program asks before it does what only the run shows to be no effect."""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ..ir import changes, intrinsics
from ..ir.nodes import Block, Call, Const, Function, If, Loop, Statement, Var
from ..ir.types import Array, Fn, Inert, List, Tuple, Type, Unknown
from ..ops.data import is_table
from ..rules.registry import non_differentiable
from ..tangents.sweep import thread
from ..transforms.hoisting import hoisted
from ..transforms.infer import type_of
from ..transforms.plain_methods import methods_of
from .acting import (
    DATA,
    NONE_READ,
    call_acts,
    effects_of,
    is_surely_iterator,
    made_in,
    may_be_iterator,
    only_computing,
    refuse_effects,
    run_through,
)
from .powers import asking_for_real
from .program_calls import called, shared_calls_of, statements_of


def with_questions(function: Function) -> Function:
    """The program with all that it asks before it goes on, and with what no round of a loop changes in front of it."""
    return asking_for_real(hoisted(asking(function)))


def asking(function: Function) -> Function:
    """The program with a question before it runs through what only the run shows not to be an iterator, and before it
    calls what only the run shows to compute.

    So that is no effect of the program: the run is refused where it would be one, and nothing has been done before. Of
    a program that does more than compute nothing is asked: it is not run twice.
    """
    methods = methods_of(function.body)
    unseen = {called(s) for s in shared_calls_of(function.body) if _is_unseen(s, methods)}
    if any([call_acts(s, methods, NONE_READ, unseen) for s in shared_calls_of(function.body)]):
        return function
    through = [a for s in statements_of(function.body) for a in run_through(s)]
    if any(map(is_surely_iterator, through)):
        return function
    made = {*made_in(function.body)}
    asked = any(may_be_iterator(a, made) for a in through) or any(map(_stored_unseen, statements_of(function.body)))
    return replace(function, body=_asking(function.body, made, unseen, frozenset())) if asked or unseen else function


def _is_unseen(s: Statement, methods: Mapping[Any, Any]) -> bool:
    """Tell whether a statement calls what only the run shows, with nothing flowing through."""
    if not isinstance(s, Call) or s.how is not None:
        return False
    return isinstance(called(s), Var) and s.fn not in methods and not isinstance(called(s).type, Fn)


def _asking(block: Block, made: set[Var], unseen: set[Any], asked: frozenset[Any]) -> Block:
    """A block with the questions that have not been `asked` yet: values that are run through, or called."""
    statements: list[Statement] = []
    for s in block.statements:
        if isinstance(s, Call) and s.how is None and (fn := called(s)) in unseen:
            given = [_unless_made(a, made) for a in s.args[fn is not s.fn :]]
            named = tuple([(name, _unless_made(v, made)) for name, v in s.kwargs])
            statements.append(Call((), _CHECK, (fn, _ONLY_COMPUTING, *given), named, s.span))
        new = [a for a in dict.fromkeys(run_through(s)) if may_be_iterator(a, made) and a not in asked]
        asked |= {*new}
        statements += [Call((), _CHECK, (a, _ONLY_DATA), (), s.span) for a in new]
        if (value := _stored_unseen(s)) is not None:
            statements.append(Call((), _CHECK, (value, _ONLY_NUMBERS), (), s.span))
        match s:
            case If():
                s = replace(s, then=_asking(s.then, made, unseen, asked), orelse=_asking(s.orelse, made, unseen, asked))
            case Loop():
                cond = None if s.cond is None else _asking(s.cond, made, unseen, asked)
                s = replace(s, cond=cond, body=_asking(s.body, made, unseen, asked))
        statements.append(s)
    return replace(block, statements=tuple(statements))


def _unless_made(a: Any, made: set[Var]) -> Any:
    """Argument of a call, as it is asked for: an iterator that the program has made itself may be used up."""
    return _NOTHING if a in made and isinstance(type_of(a), (Unknown, Inert)) else a


def only_data(x: Any) -> None:
    """Refuse what a second run would not run through in the same way: all but numbers, texts, arrays, tables and
    containers of Python's own. An iterator is used up, and objects and functions do what only they know; a builtin one
    is known."""
    known = type(x) in DATA or type(x) in _VIEWS or is_table(type(x))
    if thread.state.trial and not known and not (type(x) in _BUILTIN and not effects_of(x)[0]):
        refuse_effects(x)


_VIEWS: tuple[type, ...] = (type({}.keys()), type({}.values()), type({}.items()))


def _stored_unseen(s: Statement) -> Var | None:
    """A value that is stored into what may be an array, and of which only the run shows what it is made of."""
    if not isinstance(s, Call) or not isinstance(s.fn, Const) or s.fn.value not in (changes.set_item, changes.stored):
        return None
    target, _, value = s.args
    if not isinstance(value, Var) or not isinstance(type_of(target), Array) or not _is_open(value.type):  # type: ignore[arg-type]
        return None
    return value


def _is_open(t: Type) -> bool:
    if isinstance(t, Tuple):
        return any(map(_is_open, t.items))
    return _is_open(t.item) if isinstance(t, List) else isinstance(t, Unknown)


def only_numbers(x: Any, depth: int = 4) -> None:
    """Refuse objects that NumPy makes numbers of, as they are stored into an array."""
    if type(x) is list or type(x) is tuple:
        for item in x if depth else ():
            only_numbers(item, depth - 1)
    elif thread.state.trial and type(x) not in DATA and not isinstance(x, np.generic):
        refuse_effects(x)


_BUILTIN = (types.BuiltinFunctionType, np.ufunc)
_CHECK, _ONLY_COMPUTING, _NOTHING = Const(intrinsics.check), Const(only_computing), Const(None)
_ONLY_DATA, _ONLY_NUMBERS = Const(only_data), Const(only_numbers)

non_differentiable(only_data, only_numbers)
