"""Sums of partitions, and their addition: in one order, whoever has computed them."""

from __future__ import annotations

import threading
import traceback
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from adjoint.errors import OptionError, PartitionError
from adjoint.interop.programs import replaced
from adjoint.runtime.travelling import with_libraries, with_texts
from adjoint.tangents import accumulate
from adjoint.tangents.accumulate import scaled
from adjoint.tangents.sweep import apart

from .guarded import guarded, stored


class Part(NamedTuple):
    """The result of one partition, or of several: sums, how many they are of, and what is handed out beside them."""

    value: Any
    bars: Any
    count: Any
    aux: list[Any]
    count_bars: Any = None
    """The derivatives of the count, where it may have any."""


def added(parts: Sequence[Part]) -> Part:
    """The sum of parts, from left to right."""
    first, *others = parts
    value, bars, count, aux, count_bars = first.value, first.bars, first.count, [*first.aux], first.count_bars
    for part in others:
        value = value + part.value
        bars = accumulate(bars, part.bars)
        count = count + part.count
        aux += part.aux
        count_bars = accumulate(count_bars, part.count_bars)
    return Part(value, bars, count, aux, count_bars)


def mean_of(part: Part) -> Part:
    """The sums divided by their count: d(s / n) = (ds − (s / n) dn) / n."""
    n = float(np.asarray(part.count).item())
    if n == 0.0:
        raise OptionError(
            "the counts of all partitions add up to 0",
            "the mean of nothing is no number",
            'give data with rows, or write `reduction="sum"`',
        )
    mean = part.value / n
    bars = part.bars if part.count_bars is None else accumulate(part.bars, scaled(part.count_bars, -mean))
    return Part(mean, scaled(bars, 1.0 / n), part.count, part.aux)


class Tree:
    """Adds up parts that come in the order of their partitions; at most `split_every` wait on each level."""

    def __init__(self, split_every: int) -> None:
        self.split_every = split_every
        self.levels: list[list[Part]] = []

    def add(self, part: Part, level: int = 0) -> None:
        """Take the next part of a level."""
        if level == len(self.levels):
            self.levels.append([])
        waiting = self.levels[level]
        waiting.append(part)
        if len(waiting) == self.split_every:
            self.levels[level] = []
            self.add(added(waiting), level + 1)

    def total(self) -> Part:
        """The sum of all."""
        level = 0
        while True:
            waiting = self.levels[level]
            if len(waiting) == 1 and not any(self.levels[level + 1 :]):
                return waiting[0]
            self.levels[level] = []
            if waiting:
                self.add(added(waiting), level + 1)
            level += 1


class Sent:
    """A function that is sent to workers; one that has come before is not made anew, nor are its derivatives."""

    def __init__(self, f: Callable[..., Any]) -> None:
        self.f = f

    def __reduce__(self) -> Any:
        import cloudpickle

        return with_libraries(received, (cloudpickle.dumps(Carried(self.f)),))


class Carried:
    """A function that takes the texts along of all that it may differentiate there, as a derivative does."""

    def __init__(self, f: Callable[..., Any]) -> None:
        self.f = f

    def __reduce__(self) -> Any:
        return with_texts(same, (self.f,))


def same(f: Callable[..., Any]) -> Callable[..., Any]:
    """The function itself: what a carried one is where it arrives."""
    return f


def received(pickled: bytes) -> Sent:
    """The function of a pickle; the latest ones are kept, as long as they are small together."""
    import pickle

    with _LOCK:
        found = _RECEIVED.pop(pickled, None)
    found = Sent(pickle.loads(pickled)) if found is None else found
    with _LOCK:
        _RECEIVED[pickled] = found
        while len(_RECEIVED) > MAX_KEPT or len(_RECEIVED) > 1 and sum(map(len, _RECEIVED)) > MAX_BYTES:
            del _RECEIVED[next(iter(_RECEIVED))]
    return found


_RECEIVED: dict[bytes, Sent] = {}
_LOCK = threading.Lock()
MAX_KEPT, MAX_BYTES = 32, 64 << 20
"""How many functions a worker keeps, and how long their pickles are together: a loss may hold data."""


CALLED = (
    "partition {index} raises",
    "call the loss with that partition alone, `{alone}` for example",
)


class Call:
    """A job with the whole ones of its arguments, to be called with the blocks of a partition.

    What changes from call to call, and is none of the loss's arguments, is handed to the job `before` these: so its
    pickle stays the same, and a worker knows it again.
    """

    def __init__(
        self,
        job: Callable[..., Any] | Sent,
        args: Sequence[Any],
        places: Sequence[int],
        kwargs: dict[str, Any],
        alone: str,
        before: Sequence[Any] = (),
    ) -> None:
        self.alone = alone
        self.job = job if isinstance(job, Sent) else Sent(job)
        self.args, self.places, self.kwargs, self.before = list(args), tuple(places), kwargs, tuple(before)

    def __reduce__(self) -> Any:
        parts = self.job, self.args, self.places, self.kwargs, self.alone, self.before
        return with_texts(Call, parts, (self.args, self.kwargs, self.before))  # those of the job are in its own pickle

    def __call__(self, index: int, *blocks: Any) -> Any:
        """The result of the function for a partition; `PartitionError` says of which one it fails."""
        args, kwargs = guarded((replaced(self.args, self.places, blocks), self.kwargs))
        try:
            with apart():  # a scheduler may run it in the thread that asks for it
                return self.job.f(*self.before, *args, **kwargs)
        except Exception as error:
            raise failed(index, stored(error), self.alone) from error

    def given(self, places: Sequence[int], values: Sequence[Any]) -> Call:
        """The same with other whole arguments at some places."""
        args = replaced(self.args, places, values)
        return Call(self.job, args, self.places, self.kwargs, self.alone, self.before)


def filled(call: Call, places: Sequence[int], *values: Any) -> Call:
    """A call with some whole arguments that were computed before."""
    return call.given(places, values)


def failed(index: int, error: Exception, alone: str, told: tuple[str, str] = CALLED) -> PartitionError:
    """The error of a partition whose function, or what it is made by, raised another one."""
    lines = "".join(traceback.format_exception(error)).rstrip()
    what, way_out = [text.format(index=index, alone=alone.format(index=index)) for text in told]
    found = PartitionError(f"{what} {type(error).__name__}: {error}", f"where it ran:\n{lines}", way_out)
    found.index = index
    return found
