"""Programs that change containers: by keys that store, from sources that look on, with subclasses, up to an error."""

from __future__ import annotations

import bisect
import copy
import heapq
import random
from collections import OrderedDict, defaultdict, deque
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest

from adjoint import grad
from adjoint.recording.entry import recorded


def gradients(f: Any, *args: Any) -> Any:
    """The cotangents of the arguments; the value is that of the plain call."""
    wanted = f(*copy.deepcopy(args))
    y, back, _ = recorded(f, *args)
    assert y == wanted
    bars = back(1.0)[1:]
    assert back(1.0)[1:] == bars
    return bars[0] if len(args) == 1 else bars


def weighted(xs: Any) -> Any:
    return sum([10.0**i * x for i, x in enumerate(xs)])


@pytest.mark.parametrize("reverse", [False, True])
def test_sorting_is_stable_and_keys_may_store(reverse: bool) -> None:
    def program(xs: Any) -> Any:
        seen: list[Any] = []

        def key(x: Any) -> Any:
            seen.append(x)
            return x // 1.0

        ys = sorted(xs, key=key, reverse=reverse)
        xs.sort(key=key, reverse=reverse)
        return weighted(xs) + 0.5 * weighted(ys) + 0.1 * seen[1] + 0.2 * seen[-1]

    order = [0, 2, 1] if reverse else [1, 0, 2]
    wanted = [0.0] * 3
    for place, i in enumerate(order):
        wanted[i] += 1.5 * 10.0**place
    wanted[1] += 0.1
    wanted[2] += 0.2
    assert gradients(program, [2.5, 1.5, 2.1]) == pytest.approx(wanted)


def test_a_key_that_raises_leaves_what_it_stored() -> None:
    def program(xs: Any) -> Any:
        seen: list[Any] = []

        def key(x: Any) -> Any:
            seen.append(x)
            if len(seen) == 2:
                raise ValueError
            return x

        for f in (sorted, lambda xs, key: xs.sort(key=key), lambda xs, key: heapq.nlargest(1, xs, key)):
            try:
                f(xs, key=key)
            except ValueError:
                xs[0] *= seen.pop() * seen.pop()
        return weighted(xs)

    x, y = 2.0, 3.0  # x becomes x²y, x⁴y³, x⁸y⁷
    bars = gradients(program, [x, y])
    assert bars == pytest.approx([8 * x**7 * y**7, 7 * x**8 * y**6 + 10.0])


def test_a_sort_that_fails_leaves_the_order_that_it_reached() -> None:
    def program(xs: Any) -> Any:
        try:
            xs.sort()
        except TypeError:
            xs[-1] = 0.0
        return weighted(xs)

    assert gradients(program, [3.0, 1.0, 2.0, None]) == program_order([3.0, 1.0, 2.0, None])


def program_order(xs: list[Any]) -> list[Any]:
    before = list(xs)
    with pytest.raises(TypeError):
        xs.sort()
    return [None if x is None else 10.0 ** xs.index(x) for x in before]


def test_a_list_is_empty_while_it_is_sorted() -> None:
    def program(xs: Any) -> Any:
        xs.sort(key=lambda x: -x * (1.0 + len(xs)))
        try:
            xs.sort(key=lambda x: xs.append(x) or x)
        except ValueError as error:
            assert str(error) == "list modified during sort"
        return weighted(xs)

    assert gradients(program, [1.0, 3.0, 2.0]) == [1.0, 100.0, 10.0]


def test_merging() -> None:
    def squares(xs: Any) -> Any:
        for x in xs:
            yield x * x

    def program(xs: Any, t: Any) -> Any:
        up = list(heapq.merge(xs, squares(xs), t))
        down = list(heapq.merge(xs[::-1], t[::-1], reverse=True, key=lambda x: x))
        two = heapq.merge(squares(xs), [0.5])
        return weighted(up) + weighted(down) + 3.0 * next(two) + 4.0 * next(two)

    def plain(x: float, y: float, t: float) -> Any:
        return program([x, y], (t,))

    at = (1.5, 2.5, 3.0)
    bars = gradients(program, [*at[:2]], at[2:])
    assert (*bars[0], *bars[1]) == pytest.approx(differences(plain, *at), rel=1e-5)


def test_insort_by_a_key_that_stores() -> None:
    def program(xs: Any, x: Any) -> Any:
        seen: list[Any] = []

        def key(v: Any) -> Any:
            seen.append(v)
            return -v

        bisect.insort(xs, x, key=key)
        bisect.insort_left(x=x, a=xs)
        bisect.insort(q := deque([0.5, 9.5]), x)
        return weighted(xs) + 0.25 * sum(seen) + q[1]

    def plain(*at: float) -> Any:
        return program(list(at[:3]), at[3])

    bars = gradients(program, [4.0, 2.0, 1.0], 3.0)
    assert (*bars[0], bars[1]) == pytest.approx(differences(plain, 4.0, 2.0, 1.0, 3.0), rel=1e-5)


def test_shuffling_by_the_module() -> None:
    def program(xs: Any) -> Any:
        random.shuffle(xs)
        np.random.shuffle(xs)
        return weighted(xs)

    def seeded(xs: Any) -> Any:
        random.seed(3)
        np.random.seed(3)
        return program(xs)

    xs = [1.0, 2.0, 3.0, 4.0]
    bars = gradients(seeded, list(xs))
    ys = list(xs)
    seeded(ys)
    assert bars == [10.0 ** ys.index(x) for x in xs]


def test_what_is_extended_may_be_looked_at_meanwhile() -> None:
    def program(xs: Any, d: Any) -> Any:
        xs.extend(xs[-1] * 2.0 for _ in range(2))
        xs += (xs[-1] * x for x in xs[:2])
        q = deque(xs, maxlen=3)
        q.extend(q[0] * q[-1] for _ in range(2))
        q.extendleft(q[0] + x for x in xs[:2])
        d.update((key, d["a"] * len(d)) for key in "bc")
        s = {d["a"]}
        s.update(len(s) * x for x in xs[:2])
        return weighted(xs) + weighted(q) + d["b"] + 3.0 * d["c"] + weighted(sorted(s))

    at = [0.7, 1.1, 0.9]

    def plain(x: float, y: float, z: float) -> Any:
        return program([x, y], {"a": z})

    bars = gradients(program, at[:2], {"a": at[2]})
    assert (*bars[0], bars[1]["a"]) == pytest.approx(differences(plain, *at), rel=1e-5)


def test_a_source_that_raises_has_given_what_came_before() -> None:
    def items(x: Any, n: int) -> Any:
        for i in range(n):
            yield x * (i + 1.0)
        raise KeyError

    def program(x: Any) -> Any:
        xs: list[Any] = []
        d: dict[Any, Any] = {}
        q: Any = deque([x], 2)
        s: set[Any] = set()
        for put in (xs.extend, q.extend, q.extendleft, s.update):
            try:
                put(items(x, 3))
            except KeyError:
                x = x * 2.0
        try:
            d.update([("a", x), ("b", 3.0 * x), ("c",)])
        except ValueError:
            xs[1:1] = items(x, 0) if not xs else [x]
        return weighted(xs) + weighted(q) + weighted(sorted(s)) + d["a"] + d["b"]

    assert gradients(program, 0.7) == pytest.approx(program(1.0))


class Counted(list[Any]):
    """Overrides what it then leaves to `list`; has fields of its own."""

    def __init__(self, xs: Any, scale: Any) -> None:
        super().__init__(xs)
        self.scale = scale
        self.total = 0.0

    def append(self, x: Any) -> None:
        self.total += x
        super().append(x * self.scale)

    def __setitem__(self, i: Any, x: Any) -> None:
        super().__setitem__(i, x)

    def __getitem__(self, i: Any) -> Any:
        return super().__getitem__(i)

    def __delitem__(self, i: Any) -> None:
        super().__delitem__(i)

    def __iadd__(self, other: Any) -> Any:
        super().__iadd__(other)
        return self

    def __add__(self, other: Any) -> Any:
        return super().__add__(other)


def test_subclass_of_list() -> None:
    def program(x: Any, y: Any) -> Any:
        xs = Counted([x, y, 5.0], y)
        xs.append(x * x)
        xs[0] = xs[1] * xs[0]
        xs[1:3] = [x, y, x * y]
        del xs[1]
        xs += (x, y)
        xs.insert(0, y)
        xs.pop(0)
        xs.reverse()
        xs.sort(key=lambda v: -v)
        return weighted(xs + [y]) + xs.total * 3.0

    _compared(program, 0.7, 1.3)


class Doubling(OrderedDict[Any, Any]):
    """Stores twice of what it is given."""

    def __setitem__(self, key: Any, value: Any) -> None:
        super().__setitem__(key, 2.0 * value)

    def __missing__(self, key: Any) -> Any:
        self[key] = 5.0
        return self[key]


class Pairs:
    """No dict, but something like it."""

    def __init__(self, x: Any) -> None:
        self.x = x

    def keys(self) -> Any:
        return ["a", "b"]

    def __getitem__(self, key: Any) -> Any:
        return self.x * 2.0 if key == "a" else self.x * self.x


def test_subclasses_of_dict_and_mappings() -> None:
    def program(x: Any, y: Any) -> Any:
        d = Doubling()
        d["z"] = y
        d.update({"a": x}, b=x * y)
        d.update(Pairs(y))
        d["a"] += d["new"] * x
        e = dict(Pairs(x), c=y)
        e |= Pairs(y)
        f: Any = defaultdict(lambda: x * y, e)
        f["made"] += y
        g = f | {"c": x}
        del f["made"]
        g.update(zip("pq", [x, y * y], strict=True))
        h = dict.fromkeys("uv", x * 3.0)
        return (
            weighted(d.values()) + weighted(e.values()) + weighted(f.values()) + weighted(g.values()) + h["u"] * h["v"]
        )

    _compared(program, 0.7, 1.3)


def test_new_ones_and_views() -> None:
    def program(x: Any, y: Any) -> Any:
        d = {"a": x, "b": y}
        shown = MappingProxyType(d)
        xs = [*dict(shown).values()] if shown.get("a") == x else []
        xs.extend(d.values())
        ys = tuple(v * w for v, w in zip(xs, reversed(xs), strict=True))
        q: Any = deque(map(lambda v: v * v, xs), maxlen=3)
        q.rotate(1)
        s = set(ys)
        s &= {x * y}
        s |= frozenset(xs)
        e = dict(d.items(), c=x * x)
        n = (x, y) * 2 + (x,) + tuple(q)
        xs[:] = (v * x for v in xs)
        xs[::2] = list(q)[:2]
        total = shown.get("a") * shown.copy()["b"] * shown.get("c", x)
        return total + weighted(xs + [*ys, *q, *sorted(s), *e.values(), *n])

    _compared(program, 0.7, 1.3)


def _compared(program: Any, *at: float) -> None:
    assert gradients(program, *at) == pytest.approx(differences(program, *at), rel=1e-5)


def differences(f: Any, *at: float) -> Any:
    """Derivatives by all arguments, from central differences."""
    ends = [[[v + sign * 1e-6 * (i == j) for j, v in enumerate(at)] for sign in (1, -1)] for i in range(len(at))]
    return tuple([(f(*up) - f(*down)) / 2e-6 for up, down in ends])


def test_the_reverse_is_differentiated_like_the_program() -> None:
    def program(x: Any, y: Any) -> Any:
        xs = [x * y, y, x, 3.0 * x]
        xs.insert(1, y * y * x)
        xs[1:3] = [v * v for v in xs[1:3]]
        xs.sort(key=lambda v: -v)
        z = xs.pop(0) * xs.pop()
        xs.extend(v * x for v in xs[:2])
        del xs[::2]
        q = deque(xs, maxlen=3)
        q.append(x * z)
        q.appendleft(y * z)
        q.rotate(-2)
        w = q.popleft()
        d = defaultdict(lambda: x * y, a=w)
        d.update(b=w * w)
        d["made"] += d.pop("a")
        heap = [v * v for v in q] + list(d.values())
        heapq.heapify(heap)
        heapq.heappush(heap, x * y * w)
        s = {x * x, heapq.heappop(heap)} | {y}
        bisect.insort(heap, x)
        return weighted(heap) * z + weighted(sorted(s))

    def slope(x: Any, y: Any) -> Any:
        a, b = grad(program, (0, 1))(x, y)
        return 2.0 * a + b

    assert grad(slope, (0, 1))(0.7, 1.3) == pytest.approx(differences(slope, 0.7, 1.3), rel=1e-5)
