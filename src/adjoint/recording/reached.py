"""Objects that an iterator made outside of the program reaches: what it gives may be made of what the program stores
there.

That is walked through once in a recording. From then on the recording notes which objects are stored into others, so
that each draw adds only what has come to it since.
"""

from __future__ import annotations

import gc
import threading
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ..errors import AdjointError
from ..origin import is_users_class
from ..rules.registry import non_differentiable
from ..runtime.implicit_calls import is_written, stores
from ..runtime.local_stores import all_code
from ..runtime.owners import is_namespace
from ..tangents import Unknown, own_dict
from ..tangents.unknown import refused
from ..tangents.windows import owner_of
from .cuts import check_cuts, noted
from .lost import Loss, is_any_lost, losses_in
from .places import LEAVES
from .sweep import Everywhere, Sweep

_CLOSED = LEAVES - {type} | {types.CodeType, types.BuiltinFunctionType, np.dtype}


class Reach:
    """All that an iterator reaches, by identity."""

    def __init__(self, x: Any, unknown: Unknown) -> None:
        self.held: dict[int, Any] = {}
        self.names: dict[tuple[int, str], Any] = {}
        """The globals that its functions read: their namespaces, by these and the name."""
        self.functions: list[types.FunctionType] = []
        self.asked = 0
        self.is_storing = False
        self.unknown = unknown
        self.add(x)

    def add(self, x: Any) -> None:
        """Walk through a value as well."""
        waiting = [x]
        while waiting:
            x = waiting.pop()
            if type(x) in _CLOSED or id(x) in self.held:
                continue
            if isinstance(x, type) and not is_users_class(x) or isinstance(x, dict) and is_namespace(x):
                continue
            self.held[id(x)] = x
            waiting += _behind(x)
            if type(x) is types.FunctionType and is_written(x):
                self.functions.append(x)
                waiting += self._globals_of(x)

    def _globals_of(self, f: types.FunctionType) -> Iterator[Any]:
        names = {name for code in all_code(f.__code__) for name in code.co_names}
        scopes = [f.__globals__, *[vars(m) for name in names if type(m := f.__globals__.get(name)) is types.ModuleType]]
        for scope in scopes:
            self.names.update({(id(scope), name): scope for name in names})
            for name in names & scope.keys():
                if scope is f.__globals__ or not isinstance(scope[name], types.FunctionType | type):
                    yield scope[name]

    def update(self, new: list[tuple[Any, Any]]) -> None:
        """Add what has been stored into what is reached: pairs of holders and values."""
        known = -1
        while new and known != len(self.held):
            known, scopes = len(self.held), {key for key, _ in self.names}
            for holders, values in new:
                if any([id(h) in self.held or id(h) in scopes for h in holders]):
                    for v in values:
                        self.add(v)

    def stores(self) -> bool:
        """Tell whether any of its functions stores into more than its own variables."""
        new, self.asked = self.functions[self.asked :], len(self.functions)
        self.is_storing = self.is_storing or any(map(stores, new))
        return self.is_storing

    def losses(self) -> list[Loss]:
        """Losses in some of what is reached."""
        return losses_in(self.held.values()) if is_any_lost() else []

    def mark(self, sweep: Sweep) -> None:
        """Let it be unknown what flows to all that is reached, from here back to the beginning."""
        for (_, name), scope in self.names.items():
            sweep.add(scope, name, self.unknown)
        if id(self) in sweep.slots:
            return
        everywhere = Everywhere(self.unknown)
        sweep.slots[id(self)] = everywhere
        for key, x in self.held.items():
            sweep.slots[key] = everywhere
            if isinstance(x, np.ndarray):
                sweep.unknown[key] = x, self.unknown


def _behind(x: Any) -> list[Any]:
    """Objects that an object holds."""
    if isinstance(x, np.nditer):
        return list(x.operands)
    if isinstance(x, np.broadcast):
        return [it.base for it in x.iters]
    if isinstance(x, np.flatiter):
        return [x.base]
    if isinstance(x, memoryview):
        return [x.obj]
    if isinstance(x, np.ndarray):
        owner = owner_of(x)
        inside = list(x.flat) if x.dtype.kind == "O" else []
        return [*inside, owner, owner.base, own_dict(x)]
    if type(x) is types.FunctionType:
        return [*(x.__closure__ or ()), x.__defaults__, x.__kwdefaults__, vars(x)]
    if isinstance(x, type):
        return [*vars(x).values(), *x.__bases__, type(x)]
    if type(x) in (list, tuple, set, frozenset):
        return [] if LEAVES.issuperset(map(type, x)) else list(x)
    return [own_dict(x), *gc.get_referents(x)]


class _Reaches(threading.local):
    links: list[tuple[Any, Any]] | None = None
    found: dict[int, tuple[Any, Reach]] | None = None
    stored: dict[int, Any] | None = None
    """By identity, what something was stored into, where that is to be known when the recording is done."""


_reaches = _Reaches()


def begin_reaches() -> Any:
    """Begin with nothing reached; gives what was reached before."""
    outer = _reaches.links, _reaches.found
    _reaches.links, _reaches.found = [], {}
    return outer


def end_reaches(outer: Any) -> None:
    """Go back to what was reached before."""
    if _reaches.found:
        noted.open -= 1
    _reaches.links, _reaches.found = outer


def reach_of(x: Any, error: Callable[[Any], AdjointError]) -> Reach:
    """Objects that an iterator reaches, as it is now; `error` gives the refusal of what flows there."""
    found, links = _reaches.found, _reaches.links
    if found is None or links is None:
        return Reach(x, refused(error(x)))
    if links:
        for _, known in found.values():
            known.update(links)
        links.clear()
    if id(x) not in found:
        noted.open += not found
        found[id(x)] = x, Reach(x, refused(error(x)))
    return found[id(x)][1]


def begin_stored(is_asked: bool) -> bool:
    """Note from now on what is stored into, if that is asked afterwards. A derivative within forgets it: what its own
    program stores into is no matter of the user's."""
    noted.open += is_asked
    _reaches.stored = {} if is_asked else None
    return is_asked


def end_stored(is_asked: bool) -> list[Any]:
    """What something other than a number or a text was stored into, since that is noted; none if it is not."""
    noted.open -= is_asked
    found, _reaches.stored = _reaches.stored, None
    return [*found.values()] if is_asked and found else []


def note_stored(holders: tuple[Any, ...], values: tuple[Any, ...]) -> None:
    """Note that some of these values may be in one of the holders from now on, which may have changed before."""
    check_cuts(holders)
    if _reaches.stored is not None and not LEAVES.issuperset(map(type, values)):
        _reaches.stored.update({id(holder): holder for holder in holders})
    links = _reaches.links
    if _reaches.found and links is not None and not LEAVES.issuperset(map(type, values)):
        links.append((holders, values))


non_differentiable(begin_reaches, end_reaches, reach_of, note_stored, begin_stored, end_stored)
