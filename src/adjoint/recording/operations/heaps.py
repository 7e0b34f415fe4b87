"""Heaps, and what `heapq` does with whole iterables.

The items are compared once and in the same order as `heapq` compares them; what is kept is the path of each item that
moved.
"""

from __future__ import annotations

import heapq
from typing import Any

from ..sweep import Sweep
from .base import NOTHING, Back, Record, Result, handles, nothing, unfinished
from .comparisons import StandIns
from .iteration import stream_of
from .ordering import Keys, adding
from .slots import Args, Kwargs, bars_of, gathered, only, operand_of, unheard
from .streaming import Pair, Stream, check_size


def _sift_down(heap: list[Any], start: int, path: list[int], stand: StandIns) -> None:
    """Let the item at the end of `path` rise along it, as `heapq` does."""
    at = path[-1]
    while at > start:
        parent = (at - 1) >> 1
        if not stand(heap[at]) < stand(heap[parent]):
            return
        heap[at], heap[parent] = heap[parent], heap[at]
        at = parent
        path.append(at)


def _sift_up(heap: list[Any], start: int, path: list[int], stand: StandIns) -> None:
    """Let the item at `start` sink to the bottom and rise from there; `path` becomes the places from start to end."""
    path.append(start)
    n, at = len(heap), start
    while at < n >> 1:
        child = 2 * at + 1
        if child + 1 < n and not stand(heap[child]) < stand(heap[child + 1]):
            child += 1
        heap[at], heap[child] = heap[child], heap[at]
        at = child
        path.append(at)
    while at > start:
        parent = (at - 1) >> 1
        if not stand(heap[at]) < stand(heap[parent]):
            return
        heap[at], heap[parent] = heap[parent], heap[at]
        path.pop()
        at = parent


def _unsift(sweep: Sweep, heap: Any, path: list[int]) -> Any:
    """Each item goes back along the path by one; gives the cotangent of the one at its end, which was at its start."""
    bars = [sweep.take(heap, i) for i in path]
    for i, d in zip(path[1:], bars, strict=False):
        sweep.add(heap, i, d)
    return bars[-1]


def _is_heap(args: Args, kwargs: Kwargs, n: int) -> bool:
    return len(args) == n and not kwargs and isinstance(args[0], list) and (n == 2 or len(args[0]) > 0)


@handles(heapq.heappush)
def _heappush(record: Record, k: int, f: Any, args: Args, kwargs: Kwargs) -> Result:
    if not _is_heap(args, kwargs, 2):
        return f(*args, **kwargs), nothing  # raises
    heap, item = args
    path, stand = [len(heap)], StandIns(k)

    def push_back(sweep: Sweep, y_bar: Any) -> Any:
        stand.back(sweep, None)
        return None, None, _unsift(sweep, heap, path)

    list.append(heap, item)
    _tried(record, k, push_back, _sift_down, heap, 0, path, stand)
    return None, push_back


def _tried(record: Record, k: int, back: Back, sift: Any, *args: Any) -> None:
    """Sift; items that cannot be compared stay where they are by then."""
    try:
        sift(*args)
    except BaseException:
        record((k, unfinished(back)))
        raise


@handles(heapq.heappop)
def _heappop(record: Record, k: int, f: Any, args: Args, kwargs: Kwargs) -> Result:
    if not _is_heap(args, kwargs, 1):
        return f(*args, **kwargs), nothing  # raises
    heap = args[0]
    y = last = list.pop(heap)
    n, path = len(heap), [0] if not heap else []
    stand = StandIns(k)

    def pop_back(sweep: Sweep, y_bar: Any) -> Any:
        stand.back(sweep, None)
        if n:
            sweep.add(heap, n, _unsift(sweep, heap, path))
        sweep.add(heap, 0, y_bar)
        return NOTHING

    if heap:
        y, heap[0] = heap[0], last
        _tried(record, k, pop_back, _sift_up, heap, 0, path, stand)
    return y, pop_back


@handles(heapq.heapreplace, heapq.heappushpop)
def _heapreplace(record: Record, k: int, f: Any, args: Args, kwargs: Kwargs) -> Result:
    if not _is_heap(args, kwargs, 2) or f is heapq.heapreplace and not args[0]:
        return f(*args, **kwargs), nothing  # raises
    heap, item = args
    stand = StandIns(k)
    if f is heapq.heappushpop and not (heap and stand(heap[0]) < stand(item)):
        return item, lambda sweep, y_bar: (stand.back(sweep, None)[0], None, y_bar)
    path: list[int] = []

    def replace_back(sweep: Sweep, y_bar: Any) -> Any:
        stand.back(sweep, None)
        item_bar = _unsift(sweep, heap, path)
        sweep.add(heap, 0, y_bar)
        return None, None, item_bar

    y, heap[0] = heap[0], item
    _tried(record, k, replace_back, _sift_up, heap, 0, path, stand)
    return y, replace_back


@handles(heapq.heapify)
def _heapify(record: Record, k: int, f: Any, args: Args, kwargs: Kwargs) -> Result:
    if not _is_heap(args, kwargs, 1):
        return f(*args, **kwargs), nothing
    heap = args[0]
    paths: list[list[int]] = []
    stand = StandIns(k)

    def heapify_back(sweep: Sweep, y_bar: Any) -> Any:
        stand.back(sweep, None)
        if sweep.slots.get(id(heap)):
            for path in reversed(paths):
                sweep.add(heap, path[0], _unsift(sweep, heap, path))
        return NOTHING

    def sift_all() -> None:
        for start in reversed(range(len(heap) >> 1)):
            paths.append([])
            _sift_up(heap, start, paths[-1], stand)

    _tried(record, k, heapify_back, sift_all)
    return None, heapify_back


# ---- whole iterables


@handles(heapq.nlargest, heapq.nsmallest)
def _of_extremes(record: Record, k: int, f: Any, args: Args, kwargs: Kwargs) -> Result:
    values = (*args, *kwargs.values())
    names = ("n", "iterable", "key")
    count, at, by = [operand_of(args, kwargs, i, name) for i, name in enumerate(names)]
    if count is None or at is None or len(args) > 3 or not kwargs.keys() <= set(names[len(args) :]):
        return f(*args, **kwargs), nothing  # raises
    check_size(values[at])
    items, give = gathered(record, k, values[at], at + 1)
    n = len(items)
    keyed = Keys(items)
    order: list[int] = []
    y: list[Any] = []

    def extremes_back(sweep: Sweep, y_bar: Any) -> Any:
        bars: list[Any] = [None] * n
        for i, d in zip(order, bars_of(sweep, y, len(order)), strict=True):
            bars[i] = d
        keyed.give(sweep, adding(bars))
        return only(len(values), at + 1, give(sweep, bars))

    try:
        keyed.compute(k, None if by is None else values[by])
        order += f(values[count], range(n), key=keyed.keys.__getitem__)
    except BaseException:
        record((k, unfinished(extremes_back)))
        raise
    y += [items[i] for i in order]
    return y, extremes_back


class _Merged(Stream):
    """`heapq.merge`: of each source one item waits, and a cell for its cotangent until it is given."""

    def __init__(self, streams: list[Stream], key: Any, reverse: bool) -> None:
        self.streams, self.key, self.reverse = streams, key, reverse
        self.waiting: list[Any] | None = None

    def _by(self, name: str) -> Any:
        """A function of `heapq`, or its counterpart with the largest first."""
        if self.reverse:
            name = f"_{name}_max" if hasattr(heapq, f"_{name}_max") else f"{name}_max"
        return getattr(heapq, name)

    def step(self, record: Record, k: int) -> Pair:
        if self.waiting is None:
            sign = -1 if self.reverse else 1
            entries = [[None, i * sign, stream, None, None] for i, stream in enumerate(self.streams)]
            self.waiting = [entry for entry in entries if self._draw(record, k, entry)]
            self._by("heapify")(self.waiting)
        elif self.waiting:
            entry = self.waiting[0]
            if self._draw(record, k, entry):
                self._by("heapreplace")(self.waiting, entry)
            else:
                self._by("heappop")(self.waiting)
        if not self.waiting:
            raise StopIteration
        *_, y, cell = self.waiting[0]

        def merged_back(sweep: Sweep, y_bar: Any) -> Any:
            sweep.add(cell, 0, y_bar)
            return NOTHING

        return y, merged_back

    def _draw(self, record: Record, k: int, entry: list[Any]) -> bool:
        """Let the next item of a source wait, if it has one."""
        try:
            y, back = entry[2].step(record, k)
        except StopIteration:
            return False
        cell: list[Any] = []
        keyed = Keys([y])

        def drawn_back(sweep: Sweep, y_bar: Any) -> Any:
            keyed.give(sweep, lambda i, d: sweep.add(cell, 0, d))
            return back(sweep, sweep.take(cell, 0))

        try:
            keyed.compute(k, self.key)
        finally:
            record((k, unfinished(drawn_back)))
        entry[0], entry[3], entry[4] = keyed.keys[0], y, cell
        return True


@handles(heapq.merge)
def _merge(record: Record, k: int, f: Any, args: Args, kwargs: Kwargs) -> Result:
    if not kwargs.keys() <= {"key", "reverse"}:
        return f(*args, **kwargs), nothing  # raises
    pairs = [stream_of(unheard(record), k, x) for x in args]

    def merge_back(sweep: Sweep, y_bar: Any) -> Any:
        bars = [back(sweep, None)[1] for _, back in reversed(pairs)]
        return (None, *reversed(bars), *NOTHING)

    streams = [stream for stream, _ in pairs]
    return _Merged(streams, kwargs.get("key"), kwargs.get("reverse", False)), merge_back
