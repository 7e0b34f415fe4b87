"""Checks for what lanes cannot go through: each raises `NoLanes` with the reason, and the loop is taken."""

from __future__ import annotations

import types
from typing import Any

from ..errors import AdjointError
from ..identity import IdentityMap
from ..origin import is_users_class
from ..rules.libraries import on_change
from ..runtime.effects import check_repeatable
from ..runtime.implicit_calls import acts_in_making
from ..runtime.implicit_values import holds_storing
from ..runtime.spec import Spec
from ..tangents.lanes import NoLanes
from .programs import OF_MEMORY
from .values import by_identity, keeps_state


def check_same_object(x: Any) -> None:
    """Raise `NoLanes` where it counts which object it is that holds lanes."""
    if by_identity(x):
        raise NoLanes("which of several objects one is")


def check_single(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Raise `NoLanes` for a call that, made lane by lane, would not do what the loop does."""
    if isinstance(f, type) and is_users_class(f):
        if acts_in_making(f):
            raise NoLanes(f"making a `{f.__name__}` does more than compute")
    else:
        check_repeatable(f, args, kwargs)
    named = [x for given in (kwargs, *args) if type(given) is dict for x in given.values()]
    if any([f is known for known in OF_MEMORY]) or any([type(x) is str and x in LAYOUTS for x in (*args, *named)]):
        raise NoLanes("what depends on how an array lies in memory")
    if keeps_state((f, args, kwargs)):
        raise NoLanes("a function that is handed on may change what it captures")


LAYOUTS = ("K", "A")
"""Orders that are those in memory."""


def check_computes(spec: Spec, f: Any) -> None:
    """Raise `NoLanes` for a program that does more than compute: as a loop it does so once for each lane."""
    if spec.has_effects or spec.calls_unseen or spec.all_written:
        raise NoLanes(f"`{getattr(f, '__name__', type(f).__name__)}` does more than compute")


def refusal(error: AdjointError, f: Any, args: tuple[Any, ...]) -> NoLanes:
    """`NoLanes` with what an error says of the program of a call, which is kept for calls of the same kind."""
    why = f"{error.what}: {error.why}" if error.why else error.what
    if type(f) is types.FunctionType:
        known = _REFUSED.get(f.__code__) or {}
        _REFUSED[f.__code__] = {**known, tuple(map(type, args)): why} if len(known) < MAX_REFUSED else {}
    return NoLanes(why)


def known_refusal(f: types.FunctionType, args: tuple[Any, ...]) -> str | None:
    """Why there was no program for a call of this kind; to look for it again would take longer than the loop."""
    known = _REFUSED.get(f.__code__)
    return None if known is None else known.get(tuple(map(type, args)))


_REFUSED: IdentityMap[dict[tuple[type, ...], str]] = IdentityMap()
MAX_REFUSED = 20
on_change.append(_REFUSED.clear)


def check_once(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Raise `NoLanes` for a call without lanes that may do more than compute: the loop does so once for each lane."""
    for x in (f, *args, *kwargs.values()):
        if holds_storing(x):
            raise NoLanes(f"a method of `{type(x).__name__}` that Python calls by itself stores or acts")
    if type(f) is not types.FunctionType and keeps_state((args, kwargs), unknown=True):
        name = getattr(f, "__name__", type(f).__name__)
        raise NoLanes(f"a function that `{name}` is handed may do more than compute")
