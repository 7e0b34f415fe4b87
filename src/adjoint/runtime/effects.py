"""Effects of functions that are known when a program is made, or found as it runs: whether a call may be done again."""

from __future__ import annotations

import _random
import builtins
import sys
import types
from typing import Any, NamedTuple

import numpy as np

from ..errors import MutationError, UnsupportedSyntaxError, calling_place
from ..ir import changes, classes, intrinsics
from ..ir.located import WALKS
from ..ops.data import leaves_reading, only_reads
from ..ops.questions import is_lazy, mutators, of_numpy
from ..origin import is_held, own_name
from ..rules.libraries import on_change
from ..rules.outside import DRAWING, acts, is_iterator, runs_through
from ..rules.registry import RULES, non_differentiable
from ..tangents.sweep import ASSUMING, thread
from ..transforms.effects import IN_PLACE, is_maker
from ..transforms.outs import place_of_out
from .profiles import Mispredicted

SETTLED = (int, float, complex, str, bytes, tuple, frozenset, np.generic)
"""Classes of values that no operator changes in place."""


class Effects(NamedTuple):
    """Effects of calls of a function."""

    acts: bool
    """True if one does more than compute."""
    runs_through: bool
    """True if one runs through its arguments."""
    gives_own: bool
    """True if what one gives is no iterator of somebody's."""
    reads: bool
    """True if it is one of a library of data that reads, as long as what it is given leaves it to that."""


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
        if not outer:
            state.links = {}


_EFFECTS: dict[Any, Effects] = {}
MAX_FUNCTIONS = 5000

on_change.append(_EFFECTS.clear)


def effects_of(f: Any) -> Effects:
    """The effects of calls of a function. Of a function that is there for good they are asked once, of a method of
    Python's own classes once for its class."""
    key = _key_of(f)
    if key is None:
        return Effects(acts(f), runs_through(f), _gives_own(f), only_reads(f))
    found = _EFFECTS.get(key)
    if found is None:
        if len(_EFFECTS) >= MAX_FUNCTIONS:
            _EFFECTS.clear()
        found = _EFFECTS[key] = Effects(acts(f), runs_through(f), _gives_own(f), only_reads(f))
    return found


def _gives_own(f: Any) -> bool:
    if f is builtins.iter:
        return False
    ours = any([f is own for own in (intrinsics.iterate, intrinsics.make_cell, intrinsics.capture_cell, *WALKS)])
    return ours or is_lazy(f) or is_maker(f) or of_numpy(f)


_SIMPLE = (types.FunctionType, types.MethodDescriptorType, types.WrapperDescriptorType, np.ufunc, type(np.sum))
_OF_THE_IR = (intrinsics.__name__, changes.__name__, classes.__name__)
_OF_ITSELF = (type, np.ufunc, _random.Random, *DRAWING)
"""Classes of objects whose methods are known by the object."""


def _key_of(f: Any) -> Any:
    """The key of the effects of a function: itself, if it is there for good and hashed by its identity; class and
    name of a method in C of an object of the standard library's; None of any other."""
    if type(f) is types.BuiltinFunctionType:
        own = f.__self__
        if isinstance(own, types.ModuleType | None):
            return f
        cls = type(own)
        settled = cls.__module__ in sys.stdlib_module_names and is_held(cls) and not isinstance(own, _OF_ITSELF)
        return (cls, f.__name__) if settled else None
    simple = type(f) in _SIMPLE and (type(f) is not types.FunctionType or f in RULES or f.__module__ in _OF_THE_IR)
    return f if simple else None


def only_computing(f: Any, /, *args: Any, **kwargs: Any) -> None:
    """Refuse a call of what only the run shows, unless that is known to do no more than compute, and draws from no
    iterator that was there before."""
    if thread.state.trial and (_does_more(f, args, kwargs) or _draws(f, args, kwargs)):
        refuse_effects(f)


def _does_more(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Tell whether a call does more than compute; that of a library of data may be told to store, or handed more."""
    found = effects_of(f)
    return not leaves_reading(args, kwargs) if found.reads else found.acts


def _draws(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Tell whether a call runs through an iterator that it is given."""
    return any(map(is_iterator, (*args, *kwargs.values()))) and effects_of(f).runs_through


def check_repeatable(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Refuse a call that has effects, in a run that may have to be done again."""
    if args and isinstance(args[0], SETTLED) and type(f) is types.BuiltinFunctionType and f in IN_PLACE:
        return  # what cannot change is made anew
    if _does_more(f, args, kwargs) or _draws(f, args, kwargs) and not _is_within_rule():
        refuse_effects(f)


def _is_within_rule() -> bool:
    """Tell whether a call stands in a rule, which is differentiated in its turn: what that runs through is its own, or
    has been asked for when the rule was called."""
    frame: types.FrameType | None = sys._getframe(2)
    while frame is not None and frame.f_globals.get("__name__", "").startswith("adjoint.runtime."):
        frame = frame.f_back
    return frame is not None and frame.f_globals.get("__name__", "").startswith("adjoint.rules.")


def repeatable(spec: Any, f: Any) -> Any:
    """The spec that is generated for a call, unless that has effects in a run that may have to be done again; in any
    other run one that takes nothing for granted."""
    if thread.state.trial and spec.acts_unasked:
        refuse_effects(f)
    return spec.allowed


def refuse_effects(f: Any) -> None:
    """Refuse a run on its way, before it does what cannot be done again. A store may be followed by another program."""
    name, kinds = own_name(f), (types.MethodDescriptorType, types.BuiltinMethodType)
    stores = isinstance(f, kinds) and name in mutators() or type(f) is types.BuiltinFunctionType and f in IN_PLACE
    error = MutationError if stores else UnsupportedSyntaxError
    raise error(
        f"`{name or type(f).__name__}` does more than compute",
        "the program may have to be run again, and would do it twice",
        "call it outside of what is differentiated",
        calling_place(),
    )


non_differentiable(check_repeatable, effects_of, only_computing)


__all__ = [
    "SETTLED",
    "check_repeatable",
    "effects_of",
    "in_trial",
    "only_computing",
    "place_of_out",
    "refuse_effects",
    "repeatable",
]
