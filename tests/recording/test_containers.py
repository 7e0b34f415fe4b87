"""Operations on containers leave what Python leaves, and their reverse hands each cotangent to whose the item was."""

from __future__ import annotations

import bisect
import heapq
import operator
import random
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from recording.containers import Model

from adjoint.recording.operations import dicts, items, lists
from adjoint.recording.operations.calls import invoke_method
from adjoint.recording.sweep import Sweep


class Numbers:
    """Numbers that are all different, in an order that is drawn."""

    def __init__(self, draw: Callable[..., Any]) -> None:
        self.rest = draw(st.permutations([i + 0.25 for i in range(40)]))

    def __call__(self, n: int | None = None) -> Any:
        return self.rest.pop() if n is None else [self.rest.pop() for _ in range(n)]


def a_slice(draw: Any, n: int) -> slice:
    ends = st.none() | st.integers(-n - 1, n + 1)
    return slice(draw(ends), draw(ends), draw(st.sampled_from([None, 1, 2, 3, -1, -2])))


def iterable(draw: Any, new: Numbers, own: Any, limit: int = 4) -> Any:
    kind = draw(st.sampled_from([list, tuple, deque, set, None]))
    n = 1 if kind is set else draw(st.integers(0, limit))  # two sets need not have the same order
    return own if kind is None else kind(new(n))


COMMON = {
    "append": lambda draw, xs, new: (new(),),
    "extend": lambda draw, xs, new: (iterable(draw, new, xs),) if len(xs) < 12 else ([],),
    "insert": lambda draw, xs, new: (draw(st.integers(-9, 9)), new()),
    "remove": lambda draw, xs, new: (draw(st.sampled_from([*xs, -1.0])),),
    "reverse": lambda draw, xs, new: (),
    "copy": lambda draw, xs, new: (),
    "__getitem__": lambda draw, xs, new: (draw(st.integers(-6, 6)),),
    "__setitem__": lambda draw, xs, new: (draw(st.integers(-6, 6)), new()),
    "__delitem__": lambda draw, xs, new: (draw(st.integers(-6, 6)),),
    "__imul__": lambda draw, xs, new: (draw(st.sampled_from([0, 1, 2])) if len(xs) < 8 else 1,),
    "__iadd__": lambda draw, xs, new: (new(2),),
}
OF_LISTS: dict[Any, Any] = {
    **COMMON,
    "pop": lambda draw, xs, new: draw(st.sampled_from([(), (0,), (-1,), (1,), (-2,)])),
    "sort": lambda draw, xs, new: (),
    "clear": lambda draw, xs, new: (),
    list.__getitem__: lambda draw, xs, new: (a_slice(draw, len(xs)),),
    list.__delitem__: lambda draw, xs, new: (a_slice(draw, len(xs)),),
    list.__setitem__: lambda draw, xs, new: (a_slice(draw, len(xs)), new(draw(st.integers(0, 4)))),
    random.Random.shuffle: None,
    heapq.heappush: lambda draw, xs, new: (new(),),
    heapq.heappop: lambda draw, xs, new: (),
    heapq.heapify: lambda draw, xs, new: (),
    heapq.heapreplace: lambda draw, xs, new: (new(),),
    heapq.heappushpop: lambda draw, xs, new: (new(),),
    bisect.insort: lambda draw, xs, new: (new(),),
    sorted: lambda draw, xs, new: (),
    list: lambda draw, xs, new: (),
    tuple: lambda draw, xs, new: (),
}
OF_DEQUES: dict[Any, Any] = {
    **COMMON,
    "appendleft": COMMON["append"],
    "extendleft": COMMON["extend"],
    "pop": lambda draw, xs, new: (),
    "popleft": lambda draw, xs, new: (),
    "rotate": lambda draw, xs, new: draw(st.sampled_from([(), (-1,), (2,), (-3,), (17,)])),
    deque: lambda draw, xs, new: draw(st.sampled_from([(), (2,), (None,)])),
}


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_lists(data: Any) -> None:
    new = Numbers(data.draw)
    xs = new(data.draw(st.integers(0, 6)))
    model = Model(xs)
    for f in data.draw(st.lists(st.sampled_from(list(OF_LISTS)), min_size=1, max_size=5)):
        if f is random.Random.shuffle:
            model.do(f, random.Random(len(xs)), xs)
        else:
            model.do(f, xs, *OF_LISTS[f](data.draw, xs, new))
    model.check()


@settings(max_examples=150, deadline=None)
@given(st.data(), st.sampled_from([None, None, 0, 3, 5]))
def test_deques(data: Any, maxlen: int | None) -> None:
    new = Numbers(data.draw)
    xs = deque(new(data.draw(st.integers(0, 6))), maxlen)
    model = Model(xs)
    for f in data.draw(st.lists(st.sampled_from(list(OF_DEQUES)), min_size=1, max_size=5)):
        model.do(f, xs, *OF_DEQUES[f](data.draw, xs, new))
    model.check()


KEYS = st.sampled_from("abcd")
OF_DICTS: dict[Any, Any] = {
    "get": lambda draw, d, new: (draw(KEYS), new()),
    "setdefault": lambda draw, d, new: (draw(KEYS), new()),
    "pop": lambda draw, d, new: (draw(KEYS), *draw(st.sampled_from([(), (new(),)]))),
    "popitem": lambda draw, d, new: (),
    "update": lambda draw, d, new: (pairs(draw, new, d),),
    "__ior__": lambda draw, d, new: (pairs(draw, new, d),),
    "__or__": lambda draw, d, new: ({draw(KEYS): new()},),
    "clear": lambda draw, d, new: (),
    "copy": lambda draw, d, new: (),
    "__getitem__": lambda draw, d, new: (draw(KEYS),),
    "__setitem__": lambda draw, d, new: (draw(KEYS), new()),
    "__delitem__": lambda draw, d, new: (draw(KEYS),),
    "__contains__": lambda draw, d, new: (draw(KEYS),),
    dict: lambda draw, d, new: (),
    OrderedDict: lambda draw, d, new: (),
}


def pairs(draw: Any, new: Numbers, own: Any) -> Any:
    found = [(key, new()) for key in draw(st.lists(KEYS, max_size=4))]
    kinds = [lambda: own, lambda: dict(found), lambda: found, lambda: tuple(map(list, found)), lambda: [*found, "ef"]]
    return draw(st.sampled_from([*kinds, lambda: [*found, (1, 2, 3)], lambda: [*found, 7]]))()


@settings(max_examples=150, deadline=None)
@given(st.data(), st.sampled_from([dict, OrderedDict, lambda d: defaultdict(lambda: 0.5, d), Counter]))
def test_dicts(data: Any, cls: Any) -> None:
    new = Numbers(data.draw)
    d = cls({key: new() for key in data.draw(st.lists(KEYS, unique=True))})
    python = Counter if isinstance(d, Counter) else ()
    model = Model(d)
    for f in data.draw(st.lists(st.sampled_from(list(OF_DICTS)), min_size=1, max_size=5)):
        if f == "__getitem__" and isinstance(d, defaultdict):
            continue  # all that it makes is the same number
        if not python or f not in ("update", "__ior__", "__or__", "copy", "__delitem__", "__getitem__"):
            model.do(f, d, *OF_DICTS[f](data.draw, d, new))
    model.check()


OF_SETS: dict[Any, Any] = {
    "add": lambda draw, s, new: (draw(st.sampled_from([new(), *s])),),
    "discard": lambda draw, s, new: (draw(st.sampled_from([new(), *s])),),
    "remove": lambda draw, s, new: (draw(st.sampled_from([-1.0, *s])),),
    "clear": lambda draw, s, new: (),
    "copy": lambda draw, s, new: (),
    "isdisjoint": lambda draw, s, new: (overlapping(draw, new, s),),
    **{
        name: lambda draw, s, new: tuple(overlapping(draw, new, s) for _ in range(draw(st.integers(0, 2))))
        for name in ("update", "union", "intersection", "difference", "intersection_update", "difference_update")
    },
    **{
        name: lambda draw, s, new: (overlapping(draw, new, s),)
        for name in ("symmetric_difference", "symmetric_difference_update")
    },
    **{
        f: lambda draw, s, new: (set(overlapping(draw, new, s)),)
        for f in (set.__or__, set.__and__, set.__sub__, set.__xor__, set.__ior__, set.__iand__, set.__isub__)
    },
    set.__ixor__: lambda draw, s, new: (frozenset(overlapping(draw, new, s)),),
    set: lambda draw, s, new: (),
    frozenset: lambda draw, s, new: (),
}


def overlapping(draw: Any, new: Numbers, own: Any) -> Any:
    """Some numbers, of which some are equal to those in a set, but not the same."""
    again = [x + 0.0 for x in draw(st.lists(st.sampled_from(sorted(own)), max_size=3))] if own else []
    return draw(st.sampled_from([list, tuple, set, frozenset]))([*again, *new(draw(st.integers(0, 3)))])


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_sets(data: Any) -> None:
    new = Numbers(data.draw)
    s = set(new(data.draw(st.integers(0, 5))))
    model = Model(s)
    for f in data.draw(st.lists(st.sampled_from(list(OF_SETS)), min_size=1, max_size=4)):
        model.do(f, s, *OF_SETS[f](data.draw, s, new))
    model.check()


def test_pop_of_a_set() -> None:
    s = {1.5, 2.5}
    steps: list[Any] = []
    y, back = invoke_method(steps.append, 0, s, "pop", (), {})
    sweep = Sweep()
    back(sweep, 3.0)
    assert sweep.take(s, y) == 3.0


@pytest.mark.parametrize("f", [heapq.nlargest, heapq.nsmallest])
@pytest.mark.parametrize("n", [0, 1, 2, 9])
def test_extremes(f: Any, n: int) -> None:
    xs = [3.5, 1.5, 2.5, 0.5]
    for key in (None, abs, lambda x: (x - 2.0) ** 2):
        model = Model(xs)
        model.do(f, n, xs, key=key)
        model.do(f, n, deque([4.25, 0.25]))
        model.do(f, n, (9.25, 0.75))
        wanted = xs.copy()
        model.check()
        xs += wanted


@pytest.mark.parametrize("n", [0, 1, 2, 3, 10, 31])
def test_heaps_with_the_same_number_twice(n: int) -> None:
    """Identities do not tell places apart: the cotangents of one object are added."""
    numbers = [(7 * i) % 5 + 0.5 for i in range(n)]
    xs = [numbers[i // 2] for i in range(n)]
    model = Model(xs)
    model.do(heapq.heapify, xs)
    for i in range(min(n, 5)):
        model.do((heapq.heappop, heapq.heapreplace, heapq.heappushpop)[i % 3], xs, *([-1.0 + i / 3, 2.75][: i % 3 > 0]))
        model.do(heapq.heappush, xs, 2.5 + i % 2 / 8)
    places = list(enumerate(xs))
    sweep = Sweep()
    for i, _ in places:
        sweep.add(xs, i, 1.0)
    given = 0.0
    for back, y in zip(reversed(model.backs), reversed(model.results), strict=True):
        d = back(sweep, None if y is None else 1.0)
        given += (d[2] or 0.0) if len(d) == 3 else 0.0
    popped = sum(y is not None for y in model.results)
    assert given + sum(sweep.take_slots(xs).values()) == len(places) + popped


def test_heap_of_what_cannot_be_compared() -> None:
    heap: list[Any] = [0.5, 1.5, 2.5, "a"]
    model = Model(heap)
    model.do(heapq.heappush, heap, 3.5)
    model.do(heapq.heappop, heap)
    model.do(heapq.heapify, heap)
    model.do(heapq.heapify, ())
    model.do(heapq.heappop, [])
    model.do(heapq.heapreplace, [], 1.25)
    model.check()


@pytest.mark.parametrize("source", [random.Random, np.random.default_rng, np.random.RandomState])
def test_shuffling_takes_the_same_random_numbers(source: Any) -> None:
    rng, xs = source(5), [i + 0.5 for i in range(9)]
    model = Model(xs)
    model.do("shuffle", rng, xs)
    model.do("shuffle", rng, xs)
    twin = model.twins[id(rng)]
    assert rng.random() == twin.random()
    model.check()


def test_queues_cost_the_same_at_both_ends() -> None:
    """A long deque that is used as a queue: neither way looks at all of it."""
    n = 20_000
    q = deque(float(i) for i in range(n))
    backs = []
    for _ in range(n):
        y, pop_back = invoke_method(lambda step: None, 0, q, "popleft", (), {})
        _, append_back = invoke_method(lambda step: None, 0, q, "append", (y,), {})
        backs.append((pop_back, append_back))
    sweep = Sweep()
    for i in range(n):
        sweep.add(q, i, float(i))
    for pop_back, append_back in reversed(backs):
        pop_back(sweep, append_back(sweep, None)[2])
    assert [sweep.take(q, i) for i in range(n)] == [float(i) for i in range(n)]


def test_what_goes_at_the_end_of_a_list_moves_no_other_item(monkeypatch: pytest.MonkeyPatch) -> None:
    def spread(*_: Any) -> None:
        raise AssertionError("it looks at all items")

    monkeypatch.setattr(lists, "spread", spread)
    steps: list[Any] = []
    xs = [0.5, 1.5, 2.5, 3.5]
    items.delete_item(steps.append, 0, xs, -1)
    items.delete_item(steps.append, 0, xs, slice(2, None))
    items.set_item(steps.append, 0, xs, slice(2, 2), [7.5])
    invoke_method(steps.append, 0, xs, "remove", (7.5,), {})
    _, back = invoke_method(steps.append, 0, xs, "__delitem__", (1,), {})
    assert xs == [0.5]
    sweep = Sweep()
    sweep.add(xs, 0, 1.0)
    back(sweep, None)
    for _, back in reversed(steps):
        back(sweep, None)
    assert sweep.take_slots(xs) == {0: 1.0}


def test_slices_and_helpers_without_a_record() -> None:
    xs = [0.5, 1.5, 2.5, 3.5]
    back = lists.set_slice(xs, slice(1, 3), np.array([7.5]))
    assert xs == [0.5, 7.5, 3.5]
    sweep = Sweep()
    sweep.add(xs, 1, 2.0)
    sweep.add(xs, 2, 3.0)
    assert back(sweep, None)[1] is None
    assert sweep.take_slots(xs) == {3: 3.0}
    for wrong in (5, [1.0]):
        with pytest.raises((TypeError, ValueError)):
            lists.set_slice(xs, slice(None, None, 2), wrong)
    steps: list[Any] = []
    items.set_item(steps.append, 0, xs, slice(0, 1), (9.5, 8.5))
    sweep.add(xs, 0, 1.0)
    assert steps[0][1](sweep, None)[1] == (1.0, None)
    assert dicts.merged(steps.append, 0, {"a": 1.0}, {"b": 2.0})[0] == {"a": 1.0, "b": 2.0}
    assert dicts.combined(operator.or_, {1}, {2})[0] == {1, 2}
    with pytest.raises(TypeError):
        lists.concatenate([1.0], (2.0,))
    with pytest.raises(TypeError):
        lists.repeat([1.0], 0.5)
