"""Questions that a program asks before it does what only the run shows to be no effect."""

from __future__ import annotations

import types
from collections.abc import Iterator, Mapping
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
from ..transforms.uses import is_call_of
from .acting import (
    DATA,
    NONE_READ,
    Reading,
    call_acts,
    is_surely_iterator,
    made_in,
    may_be_iterator,
    run_through,
)
from .effects import effects_of, only_computing, refuse_effects
from .giving_up import if_refused, may_act
from .powers import asking_for_real
from .program_calls import called, shared_calls_of, statements_of


def with_questions(function: Function, computing: Mapping[Reading, Type] = NONE_READ) -> tuple[Function, bool]:
    """The program with all that it asks before it goes on, and with what no round of a loop changes in front of it; and
    whether it only computes, so that nothing of what it does has to be asked."""
    asked = asking(function, computing)
    return asking_for_real(hoisted(asked or function)), asked is None


def asking(function: Function, computing: Mapping[Reading, Type] = NONE_READ) -> Function | None:
    """The program with a question before it runs through what only the run shows not to be an iterator, and before it
    calls what only the run shows to compute.

    So that is no effect of the program: the run is refused where it would be one, and nothing has been done before. Of
    a program that does more than compute nothing is asked: it is not run twice. But where it does so on one side of
    branches alone, it asks whether it may before it does: a run that may be refused is given up there. None of a
    program that only computes.
    """
    methods = methods_of(function.body)
    calls = shared_calls_of(function.body)
    unseen = {called(s) for s in calls if _is_unseen(s, methods)}
    acting = {s for s in calls if call_acts(s, methods, computing, unseen)}
    if not acting.isdisjoint(_always(function.body)):
        return function
    through = [a for s in statements_of(function.body) for a in run_through(s)]
    if any(map(is_surely_iterator, through)):
        return function
    made = {*made_in(function.body, computing)}
    asked = any(may_be_iterator(a, made) for a in through) or any(map(_stored_unseen, statements_of(function.body)))
    if not (asked or unseen or acting):
        return None
    return replace(function, body=_Asking(made, unseen, acting).block(function.body, frozenset()))


def _always(block: Block) -> Iterator[Statement]:
    """The statements of a program that no branch decides on: what is tried is run through, at least in part."""
    for s in block.statements:
        yield s
        if isinstance(s, Loop):
            yield from _always(s.body)
        elif isinstance(s, If) and s.is_attempt:
            yield from _always(s.then)


def _is_unseen(s: Statement, methods: Mapping[Any, Any]) -> bool:
    """Tell whether a statement calls what only the run shows, with nothing flowing through."""
    if not isinstance(s, Call) or s.how is not None:
        return False
    return isinstance(called(s), Var) and s.fn not in methods and not isinstance(called(s).type, Fn)


class _Asking:
    """The program with the questions that have not been asked yet: values that are run through, or called."""

    def __init__(self, made: set[Var], unseen: set[Any], acting: set[Any]) -> None:
        self.made = made
        self.unseen = unseen
        self.acting = acting

    def block(self, block: Block, asked: frozenset[Any]) -> Block:
        statements: list[Statement] = []
        for s in block.statements:
            if s in self.acting:
                statements.append(Call((), _CHECK, (called(s), _MAY_ACT), (), s.span))  # type: ignore[arg-type]
            elif isinstance(s, Call) and s.how is None and (fn := called(s)) in self.unseen:
                given = [_unless_made(a, self.made) for a in s.args[fn is not s.fn :]]
                named = [(name, _unless_made(v, self.made)) for name, v in s.kwargs]
                statements.append(self.question(s, fn, _ONLY_COMPUTING, given, named))
            new = [a for a in dict.fromkeys(run_through(s)) if may_be_iterator(a, self.made) and a not in asked]
            captures = is_call_of(s, (intrinsics.make_function,))
            asked |= {*new} if not captures else set()
            statements += [self.question(s, a, _ONLY_CAPTURED if captures else _ONLY_DATA) for a in new]
            if (value := _stored_unseen(s)) is not None:
                statements.append(self.question(s, value, _ONLY_NUMBERS))
            match s:
                case If():
                    s = replace(s, then=self.block(s.then, asked), orelse=self.block(s.orelse, asked))
                case Loop():
                    cond = None if s.cond is None else self.block(s.cond, asked)
                    s = replace(s, cond=cond, body=self.block(s.body, asked))
            statements.append(s)
        return replace(block, statements=tuple(statements))

    def question(self, s: Any, value: Any, test: Const, given: Any = (), named: Any = ()) -> Call:
        """A question before a statement; in a program that may act it is none of those for which it may be refused."""
        tests = (_IF_REFUSED, test) if self.acting else (test,)
        return Call((), _CHECK, (value, *tests, *given), tuple(named), s.span)


def _unless_made(a: Any, made: set[Var]) -> Any:
    """Argument of a call, as it is asked for: an iterator that the program has made itself may be used up."""
    return _NOTHING if a in made and isinstance(type_of(a), (Unknown, Inert)) else a


def only_data(x: Any) -> None:
    """Refuse what a second run would not run through in the same way: all but numbers, texts, arrays, tables and
    containers of Python's own. An iterator is used up, and objects and functions do what only they know; a builtin one
    is known."""
    known = type(x) in DATA or type(x) in _VIEWS or is_table(type(x))
    if thread.state.trial and not known and not (type(x) in _BUILTIN and not effects_of(x).acts):
        refuse_effects(x)


def only_captured(x: Any) -> None:
    """The same of what a function captures: it may be a function, of which it is asked where it is called."""
    if type(x) is not types.FunctionType:
        only_data(x)


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
_ONLY_DATA, _ONLY_CAPTURED, _ONLY_NUMBERS = map(Const, (only_data, only_captured, only_numbers))
_MAY_ACT, _IF_REFUSED = map(Const, (may_act, if_refused))

non_differentiable(only_data, only_captured, only_numbers)
