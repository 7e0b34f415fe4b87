"""Effects of programs: whether a run of one may do what cannot be done again, read from its typed IR."""

from __future__ import annotations

import builtins
import operator
import sys
import types
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..errors import UnsupportedSyntaxError, calling_place
from ..ir import intrinsics
from ..ir.nodes import Atom, Block, Call, Const, Loop, Star, Statement, Var, blocks_of
from ..ir.types import BOTTOM, Array, Dict, Fn, Inert, Known, List, Nested, Record, Scalar, Tuple, Type
from ..ir.watch import watched
from ..rules.libraries import on_change
from ..rules.outside import acts, is_iterator, runs_through, shows_iterator
from ..rules.registry import RULES, find_rules, non_differentiable
from ..tangents.sweep import ASSUMING, thread
from ..transforms.effects import is_lazy, is_maker, of_numpy
from ..transforms.infer import type_of
from ..transforms.outs import place_of_out
from ..transforms.specialise import Callee, Dynamic
from .hidden import acts_in_making
from .profiles import Mispredicted

_HELD = (Array, Dict, Fn, Inert, Known, List, Nested, Scalar, Tuple)
"""Types of values that are no iterators."""


def has_effects(block: Block, generated: bool = False) -> bool:
    """Whether a program does more than compute, but for what is known only when it runs: that is asked then. One that
    has been generated calls what it has been given by rules, and runs through what it has made."""
    return _acts(block, None if generated else {*_made(block)})


def _made(block: Block) -> Iterator[Var]:
    """The variables for what the program has made itself, or what is asked when it runs: no iterator of somebody's."""
    for s in _statements(block):
        if isinstance(s, Call) and _gives_own(_function(s)):
            yield from s.outs


def _statements(block: Block) -> Iterator[Statement]:
    """All statements of a block and of those within it, without a call for each: chains of conditions nest deeply."""
    todo = [block]
    while todo:
        for s in todo.pop().statements:
            yield s
            todo += blocks_of(s)


def _function(s: Call) -> Any:
    """What a call is of, where that is known; of a call that is watched, what is."""
    fn = s.args[0] if isinstance(s.fn, Const) and s.fn.value is watched else s.fn
    return fn.value if isinstance(fn, Const) else None


def _gives_own(f: Any) -> bool:
    if f is builtins.iter:
        return False
    ours = any([f is own for own in (intrinsics.iterate, intrinsics.make_cell, intrinsics.capture_cell)])
    return ours or is_lazy(f) or is_maker(f) or of_numpy(f)


def _acts(block: Block, made: set[Var] | None) -> bool:
    return any(_statement_acts(s, made) for s in _statements(block))


def _statement_acts(s: Statement, made: set[Var] | None) -> bool:
    if made is None:
        known = isinstance(s, Call) and isinstance(s.fn, Const) and not isinstance(s.how, Dynamic)
        return known and find_rules(s.fn.value) is not None and acts(s.fn.value)  # type: ignore[union-attr]
    if isinstance(s, Loop):
        return any(_may_be_iterator(q, made) for q in s.sequences)
    if not isinstance(s, Call) or isinstance(s.how, Dynamic | Callee):
        return False  # found when it runs; or read for itself
    if any(isinstance(a, Star) and _may_be_iterator(a.value, made) for a in s.args):
        return True
    f = _function(s)
    if f is None:
        return s.how is None
    if s.how is None and _is_called_plainly(f) or find_rules(f) is not None and acts(f):
        return True
    given = (*s.args, *(v for _, v in s.kwargs)) if f is not intrinsics.make_function else s.args[2:]
    return runs_through(f) and any(not isinstance(a, Star) and _may_be_iterator(a, made) for a in given)


def _is_called_plainly(f: Any) -> bool:
    """Whether a plain call of a function acts: of a class of the user's, making an object does what its methods do."""
    if isinstance(f, type):
        return f.__module__ != "builtins" and find_rules(f) is None and acts_in_making(f)
    return acts(f)


def _may_be_iterator(a: Atom | Star, made: set[Var]) -> bool:
    """Whether a value may be an iterator that was there before the program ran."""
    if not isinstance(a, Var) or a in made:
        return False
    t: Type = type_of(a)
    if isinstance(t, Record):
        return hasattr(t.cls, "__next__") or shows_iterator(t.cls)
    return t != BOTTOM and not isinstance(t, _HELD)


def watches(block: Block) -> bool:
    """Whether a program calls what may change its arguments, and is refused where it did."""
    called = (s.fn for s in _statements(block) if isinstance(s, Call))
    return any(isinstance(fn, Const) and fn.value is watched for fn in called)


# ---- while a program runs


def in_trial(run: Any, /, *args: Any, **kwargs: Any) -> Any:
    """`run(*args, **kwargs)` of a program that may be refused on its way: it has no effects, and what it finds while it
    runs is refused before it has any. It is done again where something is not what it was taken for."""
    state = thread.state
    outer, state.trial = state.trial, state.trial or ASSUMING
    try:
        return run(*args, **kwargs)
    except Mispredicted:
        if outer:
            raise
        state.trial = True
        return run(*args, **kwargs)
    finally:
        state.trial = outer


_SETTLED = (int, float, complex, str, bytes, tuple, frozenset, np.generic)
"""Classes of values that no operator changes in place."""


_EFFECTS: dict[Any, tuple[bool, bool]] = {}
MAX_FUNCTIONS = 5000

on_change.append(_EFFECTS.clear)


def effects_of(f: Any) -> tuple[bool, bool]:
    """Tell of a function that rules or handlers are kept for whether it does more than compute, and whether it runs
    through its arguments."""
    found = _EFFECTS.get(f)
    if found is None:
        if len(_EFFECTS) >= MAX_FUNCTIONS:
            _EFFECTS.clear()
        found = _EFFECTS[f] = acts(f), runs_through(f)
    return found


_SIMPLE = (types.FunctionType, types.MethodDescriptorType, types.WrapperDescriptorType, np.ufunc, type(np.sum))


def _is_kept(f: Any) -> bool:
    """Tell whether a function is there for good, and hashed by its identity."""
    if type(f) is types.BuiltinFunctionType:
        return isinstance(f.__self__, types.ModuleType | None)
    return type(f) in _SIMPLE and (type(f) is not types.FunctionType or f in RULES)


def check_repeatable(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Refuse a call that has effects, in a run that may have to be done again."""
    if (
        args
        and isinstance(args[0], _SETTLED)
        and any([f is g for g in (operator.iadd, operator.imul, operator.iconcat)])
    ):
        return  # what cannot change is made anew
    acting, through = effects_of(f) if _is_kept(f) else (acts(f), runs_through(f))
    draws = through and any(map(is_iterator, (*args, *kwargs.values())))
    if acting or draws and not _is_within_rule():
        refuse_effects(f)


def _is_within_rule() -> bool:
    """Whether a call stands in a rule, which is differentiated in its turn: what that runs through is its own, or has
    been asked for when the rule was called."""
    frame: types.FrameType | None = sys._getframe(2)
    while frame is not None and frame.f_globals.get("__name__", "").startswith("adjoint.runtime."):
        frame = frame.f_back
    return frame is not None and frame.f_globals.get("__name__", "").startswith("adjoint.rules.")


def repeatable(spec: Any, f: Any) -> Any:
    """What is generated for a call, unless that has effects in a run that may have to be done again; in any other run
    one that takes nothing for granted."""
    trial = thread.state.trial
    if trial and spec.has_effects:
        refuse_effects(f)
    return spec if spec.generic is None or trial is ASSUMING else spec.generic


def refuse_effects(f: Any) -> None:
    """Refuse a run on its way, before it does what cannot be done again."""
    raise UnsupportedSyntaxError(
        f"`{getattr(f, '__name__', None) or type(f).__name__}` does more than compute",
        "the program may have to be run again, and would do it twice",
        "call it outside of what is differentiated",
        calling_place(),
    )


non_differentiable(check_repeatable, effects_of)

__all__ = [
    "check_repeatable",
    "effects_of",
    "has_effects",
    "in_trial",
    "place_of_out",
    "refuse_effects",
    "repeatable",
    "watches",
]
