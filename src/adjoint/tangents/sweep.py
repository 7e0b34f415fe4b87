"""State of one run of a pullback: the cotangents of shared variables, and of cached results.

A variable that is rebound after an inner function captured it is a location, not a value; its cotangent lives here
while the reverse pass runs. Forward, a sweep holds what `lru_cache` would have remembered: a private cache, forgotten
with it.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from typing import Any

from ..errors import NoRuleError, UnsupportedSyntaxError, calling_place
from ..pause import begin_run, end_run
from .accumulate import accumulate
from .zeros import densify


class State:
    """The state that a thread keeps of the sweep, and of the forward run, that it is in."""

    __slots__ = ("bars", "beside", "links", "memo", "shared", "stores", "trial")

    def __init__(self) -> None:
        self.bars: dict[int, Slot] | None = None
        self.beside: Any = None
        self.memo: dict[Any, Any] | None = None
        self.shared = False
        self.stores: tuple[Any, ...] = ()
        """Stores of such a run into its arguments: `ir.changes.written` says it."""
        self.trial: bool | int = False
        """True if the run may have to be done again: then nothing may be done in it that cannot be done twice. With
        `ASSUMING` it may take for granted what runs before have shown."""
        self.links: dict[Any, list[Any]] = {}
        """The findings of such a run for its calls: `runtime.links` says it."""


ASSUMING = 2


class _Thread(threading.local):
    def __init__(self) -> None:
        self.state = State()


thread = _Thread()
"""Its `state` is that of the thread that asks."""


@contextlib.contextmanager
def apart() -> Iterator[None]:
    """Run what is no part of the sweep, or of the run, that this thread is in: a task of its own."""
    outer, thread.state = thread.state, State()
    try:
        yield
    finally:
        thread.state = outer


on_error: list[Callable[[Exception], None]] = []
"""The observers that are told of the errors that a run of a pullback ends with, before they go on."""


def in_sweep(f: Any, *args: Any) -> Any:
    """`f(*args)` as one outermost run of a pullback."""
    state = thread.state
    outer, state.bars = state.bars, {}
    try:
        result = f(*args)
        if state.bars:
            check_taken(state.bars)
        return result
    except Exception as error:
        failed(error)
        raise
    finally:
        state.bars = outer


def in_run(f: Any, *args: Any) -> Any:
    """`f(*args)` as one outermost run, forward and back: `in_pass` and `in_sweep` in one."""
    state = thread.state
    memo, state.memo, bars, state.bars = state.memo, {}, state.bars, {}
    begin_run()
    try:
        result = f(*args)
        if state.bars:
            check_taken(state.bars)
        return result
    except Exception as error:
        failed(error)
        raise
    finally:
        end_run()
        state.memo, state.bars = memo, bars


def hidden_refusal(error: Exception) -> NoRuleError | None:
    """The refusal of a cotangent that is not known, where NumPy stores it into an array, and hides that behind an error
    of its own."""
    hidden = error.__cause__ if isinstance(error, ValueError) else None
    return hidden if isinstance(hidden, NoRuleError) else None


def failed(error: Exception) -> None:
    """Tell of the error that a run of a pullback ends with; raise the refusal that it hides, if it does."""
    for told in on_error:
        told(error)
    if (refusal := hidden_refusal(error)) is not None:
        raise refusal from None


def check_taken(slots: dict[int, Slot]) -> None:
    """Refuse to lose what was added for a remembered result, if nothing came where it was computed first."""
    if any(slot.bar is not None and isinstance(slot.location, Awaited) for slot in slots.values()):
        raise UnsupportedSyntaxError(
            "a result remembered by `lru_cache` was first computed where nothing of it is differentiated",
            "what flows to it later would be lost",
            "compute it first where it counts, or call the function without the cache",
            calling_place(),
        )


def in_noted_sweep(f: Any, *args: Any) -> tuple[Any, bool]:
    """`in_sweep(f, *args)`, and whether it came upon a location."""
    state = thread.state
    outer, state.bars = state.bars, {}
    try:
        result = f(*args)
        check_taken(state.bars)
        return result, bool(state.bars)
    finally:
        state.bars = outer


def open_table() -> Any:
    """Begin to keep cotangents of locations apart; gives what is to be closed."""
    state = thread.state
    outer, state.bars = state.bars, {}
    return outer


def close_table(outer: Any) -> list[Slot]:
    """End it; gives the slots that there are."""
    state = thread.state
    found, state.bars = state.bars, outer
    return [*(found or {}).values()]


def in_located_sweep(f: Any, *args: Any) -> tuple[Any, list[tuple[Any, Any]]]:
    """`f(*args)`, and what it adds to locations: pairs of these and their cotangents."""
    state = thread.state
    outer, state.bars = state.bars, {}
    try:
        result = f(*args)
        return result, [(slot.location, slot.bar) for slot in state.bars.values() if slot.bar is not None]
    finally:
        state.bars = outer


class _Aside(list[Any]):
    """The cotangents that several runs have added to locations."""


def set_aside(location: Any, f: Any, *args: Any) -> Any:
    """`f(*args)`, where what it adds to locations waits at this one, to be restored."""
    state = thread.state
    outer, state.bars = state.bars, {}
    try:
        result = f(*args)
        found = {key: slot for key, slot in state.bars.items() if slot.bar is not None}
    finally:
        state.bars = outer
    if found:
        slot = locate(location)
        slot.bar = _Aside([*(slot.bar or ()), found])
    return result


def take_aside(location: Any) -> tuple[list[Slot], list[Slot]]:
    """Take the cotangent that has been set aside at a location: for remembered results, and for all other locations."""
    found = [slot for slots in take_in(locate(location)) or () for slot in slots.values()]
    waiting = [slot for slot in found if isinstance(slot.location, Awaited)]
    return waiting, [slot for slot in found if not isinstance(slot.location, Awaited)]


def restore(slots: list[Slot]) -> None:
    """Add what has been set aside to its locations."""
    for slot in slots:
        if isinstance(slot.bar, _Aside):
            own = locate(slot.location)
            own.bar = _Aside([*(own.bar or ()), *slot.bar])
        else:
            add_in(locate(slot.location), slot.bar)


def in_shared(f: Any, *args: Any) -> Any:
    """`f(*args)`, reversing a run that came upon locations."""
    state = thread.state
    outer, state.shared = state.shared, True
    try:
        return f(*args)
    finally:
        state.shared = outer


def completed(d: Any, y: Any) -> Any:
    """`d`; but zeros like `y` for None where cotangents may flow by locations: then nothing may be left out."""
    return densify(None, y) if d is None and thread.state.shared else d


def in_pass(f: Any, /, *args: Any, **kwargs: Any) -> Any:
    """`f(*args, **kwargs)` as one outermost forward run."""
    state = thread.state
    outer, state.memo = state.memo, {}
    begin_run()
    try:
        return f(*args, **kwargs)
    finally:
        end_run()
        state.memo = outer


def memo() -> dict[Any, Any]:
    """The private cache of the running forward pass."""
    found = thread.state.memo
    return {} if found is None else found


class Awaited:
    """A location whose cotangent is taken by the run of a pullback that it comes from."""


class Slot:
    """The key under which a sweep keeps the cotangent of a location: a location itself, for the sweep that
    differentiates it."""

    __slots__ = ("bar", "location")

    def __init__(self, location: Any) -> None:
        self.location = location  # its identity is the key
        self.bar: Any = None


def locate(location: Any) -> Slot:
    """The slot of a location in the sweep that is running."""
    bars = thread.state.bars
    if bars is None:
        raise UnsupportedSyntaxError(
            "a variable that is bound again after a function has captured it, as `n` of `lambda x: x**n` in a loop",
            "what flows to it is followed in reverse, and not in forward mode",
            "bind it as a default, `lambda x, n=n: x**n`, or take this derivative in reverse, by `adjoint.gradient`",
            calling_place(),
        )
    slot = bars.get(id(location))
    if slot is None:
        slot = bars[id(location)] = Slot(location)
    return slot


def add_in(slot: Slot, d: Any) -> None:
    """Add to what a slot holds."""
    if d is not None:
        slot.bar = accumulate(slot.bar, d)


def take_in(slot: Slot) -> Any:
    """Take what a slot holds, which is nothing afterwards."""
    bar, slot.bar = slot.bar, None
    return bar


def read_in(slot: Slot) -> Any:
    """The cotangent that a slot holds."""
    return slot.bar


def put_in(slot: Slot, d: Any) -> None:
    """Let a slot hold this."""
    slot.bar = d


def add_at_location(location: Any, d: Any) -> None:
    """Add `d` to the cotangent of a location."""
    add_in(locate(location), d)


def take_at_location(location: Any) -> Any:
    """The cotangent of a location, which is zero afterwards."""
    return take_in(locate(location))
