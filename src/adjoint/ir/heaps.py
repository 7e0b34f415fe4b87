"""Heaps in lists, and lists in order: where items go, and what goes with them.

`heapq` moves the items between the root, or a leaf, and one place; so the place tells how to move others likewise.
"""

from __future__ import annotations

import bisect
import heapq
from collections.abc import Iterator
from typing import Any

LARGEST = 2500
"""`heapify` of more goes through them in another order."""


def place_of_push(heap: list[Any], item: Any) -> int:
    """The place that `heappush` gives an item.

    >>> place_of_push([1.0, 3.0], 2.0), place_of_push([1.0, 3.0], 0.0)
    (2, 0)
    """
    place = len(heap)
    while place and item < heap[(place - 1) >> 1]:
        place = (place - 1) >> 1
    return place


def place_of_pop(heap: list[Any]) -> int:
    """The place to which `heappop` moves the last item.

    >>> place_of_pop([1.0, 2.0, 5.0, 3.0, 4.0]), place_of_pop([1.0, 2.0, 5.0, 4.0, 3.0])
    (3, 1)
    """
    end = len(heap) - 1
    if end < 1:
        return 0
    place, child, last = 0, 1, heap[end]
    while child < end:
        if child + 1 < end and not heap[child] < heap[child + 1]:
            child += 1
        place, child = child, 2 * child + 1
    while place and last < heap[place]:
        place = (place - 1) >> 1
    return place


def push_at(items: list[Any], place: int, item: Any) -> None:
    """`heappush` where the place is known."""
    items.append(item)
    i = len(items) - 1
    while i != place:
        items[i] = items[(i - 1) >> 1]
        i = (i - 1) >> 1
    items[place] = item


def unpush(items: list[Any], place: int) -> Any:
    """The item at a place, of which the ones before it on its way are put back."""
    item, i = items[-1], len(items) - 1
    while i != place:
        i = (i - 1) >> 1
        item, items[i] = items[i], item
    items.pop()
    return item


def pop_at(items: list[Any], place: int) -> Any:
    """`heappop` where the place is known."""
    last = items.pop()
    if not items:
        return last
    i = place
    while i:
        last, items[i] = items[i], last
        i = (i - 1) >> 1
    first, items[0] = items[0], last
    return first


def unpop(items: list[Any], place: int, item: Any) -> None:
    """The items before `pop_at`, which gave `item`."""
    if not items:
        items.append(item)
        return
    items.append(items[place])
    i = place
    while i:
        items[i] = items[(i - 1) >> 1]
        i = (i - 1) >> 1
    items[0] = item


def moves_of_push(target: list[Any]) -> dict[int, int]:
    """The places from which the items come that move when the last one is pushed onto the heap of the others."""
    i = last = len(target) - 1
    moves = {}
    while i and target[last] < target[(i - 1) >> 1]:
        moves[i] = i = (i - 1) >> 1
    return moves | {i: last} if moves else moves


def moves_of_pop(target: list[Any]) -> dict[int, int]:
    """The same when the first item goes to the end, and the last one down from the root of the heap."""
    if not target:
        raise IndexError("index out of range")
    end = len(target) - 1
    return _gone_down(target, end, target[end], end) | {end: 0} if end else {}


def moves_of_replace(target: list[Any], item: Any) -> dict[int, int]:
    """The same when another item is at the root of the heap."""
    if not target:
        raise IndexError("index out of range")
    return _gone_down(target, len(target), item, 0)


def _gone_down(target: list[Any], n: int, item: Any, place_of_item: int) -> dict[int, int]:
    """The same when an item goes from the root down to a leaf, by the smaller of two, and up to its place."""
    child, path = 1, [0]
    while child < n:
        if child + 1 < n and not target[child] < target[child + 1]:
            child += 1
        path.append(child)
        child = 2 * child + 1
    while len(path) > 1 and item < target[path[-1]]:
        path.pop()
    moves = dict(zip(path, path[1:], strict=False))
    return moves if not moves and place_of_item == 0 else moves | {path[-1]: place_of_item}


def starts_below(target: list[Any], item: Any) -> bool:
    """Tell whether the first item is smaller than another one."""
    return bool(target) and target[0] < item


def place_behind(target: list[Any], item: Any) -> int:
    """The place behind those that are not larger, in a list that is in order."""
    return bisect.bisect_right(target, item)


def place_before(target: list[Any], item: Any) -> int:
    """The place in front of those that are not smaller."""
    return bisect.bisect_left(target, item)


def place_of(target: Any, item: Any) -> int:
    """The place of the item that `target.remove(item)` takes out; where there is none, Python's error."""
    if item not in target:
        type(target)().remove(item)
    return int(target.index(item))


def order_of_heapify(heap: list[Any]) -> list[int]:
    """The old place of each item that `heapify` leaves.

    >>> order_of_heapify([3.0, 1.0, 2.0])
    [1, 0, 2]
    """
    n = len(heap)
    order = list(range(n))
    for start in _sifted(n):
        moved, place, child = order[start], start, 2 * start + 1
        while child < n:
            if child + 1 < n and not heap[order[child]] < heap[order[child + 1]]:
                child += 1
            order[place] = order[child]
            place, child = child, 2 * child + 1
        while place > start and heap[moved] < heap[order[(place - 1) >> 1]]:
            order[place] = order[(place - 1) >> 1]
            place = (place - 1) >> 1
        order[place] = moved
    return order


def order_of_sort(keys: list[Any], reverse: Any) -> list[int]:
    """Places from which a sort by keys takes the item of each place.

    >>> order_of_sort([3.0, 1.0, 3.0], True)
    [0, 2, 1]
    """
    return sorted(range(len(keys)), key=keys.__getitem__, reverse=reverse)


ASKED = (moves_of_push, moves_of_pop, moves_of_replace, starts_below, place_behind, place_before, place_of)
"""The functions that only ask a list for its items, as they are now."""
COMPARING = (*ASKED, place_of_push, place_of_pop, order_of_heapify)
"""Those that compare items, and give places."""


def _sifted(n: int) -> Iterator[int]:
    """The places whose items are taken down, in their order: of a long heap a parent comes right behind its children,
    as these are in the processor's cache then."""
    if n <= LARGEST:
        yield from reversed(range(n // 2))
        return
    end = n >> 1
    leftmost = (1 << (end + 1).bit_length() - 1) - 1
    for place in (*range(leftmost - 1, (end >> 1) - 1, -1), *range(end - 1, leftmost - 1, -1)):
        yield place
        while place & 1:
            place >>= 1
            yield place


def permute(items: list[Any], order: list[int]) -> None:
    """The item from `order[i]` at each place `i`."""
    items[:] = [items[i] for i in order]


def unpermute(items: list[Any], order: list[int]) -> None:
    """The item from each place `i` at `order[i]`."""
    moved = [*items]
    for i, item in zip(order, moved, strict=True):
        items[i] = item


def heappush(heap: list[Any], place: int, item: Any) -> None:
    """`heapq.heappush`, which takes the item to its place."""
    heapq.heappush(heap, item)


def heappop(heap: list[Any], place: int) -> Any:
    """`heapq.heappop`, which takes the last item to its place."""
    return heapq.heappop(heap)


def heapify(heap: list[Any], order: list[int]) -> None:
    """`heapq.heapify`, which orders the items so."""
    heapq.heapify(heap)


FUNCTIONS = {
    **{f.__name__: f for f in (push_at, unpush, pop_at, unpop, permute, unpermute)},
    **{f.__name__: f for f in (heappush, heappop, heapify)},
}
"""Functions that change a list as if they were methods of it."""
BY_PLACE = {"heappush": "push_at", "heappop": "pop_at", "heapify": "permute"}
"""Functions that do the same to a list that goes with a heap."""
