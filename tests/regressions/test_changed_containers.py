"""Containers of `collections` and sets that a call changes: what else may have them, errors, and derivatives of
derivatives."""

from __future__ import annotations

import math
from collections import Counter, OrderedDict, defaultdict, deque
from typing import Any

import numpy as np
import pytest

from adjoint import grad, gradient, jvp, pullback
from adjoint.derivatives.choice import is_to_be_recorded
from adjoint.errors import NotDifferentiableError
from adjoint.tangents import accumulate
from adjoint.transforms import resizing

from . import changed_containers as programs
from .changed_containers import numbered
from .test_changed_arguments import differences, flat, same


def check(f: Any, make: Any) -> None:
    """Value, state and derivatives of three calls, which may be reversed in any way."""
    plain = make()
    expected, slopes = f(*plain), differences(f, make, 1e-6)
    for _ in range(3):
        args = make()
        y, back = pullback(f, *args)
        assert same(y, expected) and same([*args], [*plain])
        for bars in (back(1.0)[1:], back(1.0)[1:]):
            found = [d for bar, a in zip(bars, make(), strict=True) for d in flat(bar, a)]
            np.testing.assert_allclose(found, slopes, rtol=1e-6, atol=1e-8)


def test_deques_that_the_program_reaches_in_another_way() -> None:
    def of_two(q: Any, p: Any) -> Any:
        q.append(q[0] * 2.0)
        return p[-1] * q[1]

    check(of_two, lambda: (deque([1.5, 0.5]), deque([0.7])))
    for _ in range(2):
        q = deque([1.5, 0.5])
        y, _ = pullback(of_two, q, q)
        assert y == 1.5 and q == deque([1.5, 0.5, 3.0])

    held = deque([1.5, 0.5])

    def captures(q: Any) -> Any:
        q.rotate(1)
        return q[0] * held[0]

    check(captures, lambda: (deque([2.5, 0.7]),))
    y, _ = pullback(captures, held)
    assert y == 0.25 and held == deque([0.5, 1.5])

    def in_a_list(q: Any, kept: Any) -> Any:
        q.appendleft(3.0 * q[0])
        return kept[0][0] * q[0]

    q = deque([1.5, 0.5])
    pullback(in_a_list, deque([1.5, 0.5]), [[1.5, 0.5]])
    y, _ = pullback(in_a_list, q, [q])
    assert y == 4.5**2


def test_a_field_that_is_an_argument_as_well() -> None:
    def f(w: Any, q: Any, x: float) -> Any:
        w.items.append(x * x)
        return q[-1] * w.items[0] * x

    check(f, lambda: (programs.Window([0.7]), deque([0.5]), 0.8))
    for _ in range(2):
        w = programs.Window([0.7])
        y, back = pullback(f, w, w.items, 0.8)
        assert y == pytest.approx(0.8**3 * 0.7) and w.items == deque([0.7, 0.8 * 0.8])
        with pytest.raises(NotDifferentiableError, match="part of several arguments"):
            back(1.0)


def test_views_that_see_later_stores() -> None:
    check(numbered_of_known, lambda: ({"a": 0.7, "b": 1.2, "sum": 0.1}, 0.8))
    check(numbered, lambda: ({"a": 0.7, "b": 1.2, "sum": 0.1}, 0.8))
    check(numbered, lambda: (OrderedDict(a=0.7, b=1.2, sum=0.1), 0.8))
    check(kept_view, lambda: (OrderedDict(a=0.7, b=1.2), 0.8))


def numbered_of_known(d: Any, x: float) -> Any:
    total = 0.0
    for i, v in enumerate(d.values()):
        total += i * v
        d["sum"] = total * x
    return total + d["sum"]


def kept_view(d: Any, x: float) -> Any:
    values = enumerate(d.values())
    d["a"] = x * d["b"]
    return sum([i * v + v for i, v in values])


def test_sets_of_numbers_that_move() -> None:
    def smallest(s: Any, x: float) -> Any:
        s.add(x * x)
        return min(s) * x

    def put_by_operator(s: Any, x: float) -> Any:
        s |= {x * x}
        return min(s) * x

    def kept(s: Any, x: float) -> Any:
        s.discard(x)
        return len(s) * x

    for f, expected in ((smallest, 0.125), (put_by_operator, 0.125), (kept, 1.0)):
        for _ in range(2):
            y, back = pullback(f, {0.7, 1.5}, 0.5)
            assert y == pytest.approx(expected)
            assert back(1.0)[2] == pytest.approx(2.0 if f is kept else 0.75)


def test_what_is_handed_on_is_followed() -> None:
    def shift(q: Any, x: float) -> None:
        q.append(q.popleft() * x)

    def keep(q: Any, log: Any) -> Any:
        log.append(q)
        return q

    def f(q: Any, x: float) -> Any:
        for _ in range(3):
            shift(q, x)
        return programs.weighted(q)

    def g(q: Any, x: float) -> Any:
        log: list[Any] = []
        p = keep(q, log)
        p.append(x)
        return log[0][-1] * q[-1]

    def h(q: Any, x: float) -> Any:
        return [v * x for v in q][0] if isinstance(q, deque) else x

    def made_here(q: Any, x: float) -> Any:
        p, d = deque([x, q[0], x]), OrderedDict(a=x)
        for _ in range(2):
            shift(p, x)
            d["b"] = p[0] * d["a"]
        return programs.weighted(p) * programs.newest(d, p[0])

    for program in (f, g, h, made_here):
        check(program, lambda: (deque([1.5, 0.5]), 0.7))


def test_an_error_leaves_the_state_of_the_plain_call() -> None:
    def f(q: Any, d: Any, s: Any, x: float) -> Any:
        q.append(x)
        d["b"] = q.popleft()
        s.add(3)
        q.append(math.sqrt(x))
        return d["b"] * q[-1]

    make = lambda x: (deque([1.5]), OrderedDict(a=1.0), {1}, x)  # noqa: E731
    for _ in range(3):
        assert gradient(f, *make(4.0))[3] == pytest.approx(1.5 * 0.25)
        args = make(-1.0)
        with pytest.raises(ValueError, match="math domain error|nonnegative"):
            gradient(f, *args)
        assert same([*args], [deque([-1.0]), OrderedDict(a=1.0, b=1.5), {1, 3}, -1.0])
    with pytest.raises(IndexError, match="pop from an empty deque"):
        gradient(lambda q: q.popleft() * 1.0, deque())
    for _ in range(2):
        with pytest.raises(KeyError, match="dictionary is empty"):
            gradient(lambda d: d.popitem()[1], OrderedDict())


def test_the_cotangent_of_a_deque_is_a_list() -> None:
    for _ in range(2):
        assert gradient(programs.in_turn, deque([0.7, -1.2, 1.5]), 0.8)[0].__class__ is list
        assert grad(programs.ordered)(OrderedDict(a=0.7, b=-1.2, c=1.5), 0.8).__class__ is dict


def test_other_kinds_of_the_same_container() -> None:
    """Guards tell deques with a `maxlen`, dicts by what makes their items, and sets by what is in them."""

    def filled(q: Any, x: float) -> Any:
        q.extend([x, x * q[0]])
        return q[0] * q[-1] * len(q)

    def looked_up(d: Any, x: float) -> Any:
        d["a"] *= x
        return (d["c"] + d["a"]) ** 2 * len(d)

    for make in (lambda: deque([0.7, -1.2], maxlen=3), lambda: deque([0.7, -1.2]), lambda: deque([1, 2])):
        check(filled, lambda: (make(), 0.8))  # noqa: B023
    for made in (defaultdict(float, a=0.7), Counter(a=0.7), defaultdict(lambda: 0.5, a=0.7), defaultdict(int, a=0.7)):
        check(looked_up, lambda: (made.copy(), 0.8))  # noqa: B023
    with pytest.raises(KeyError):
        gradient(looked_up, OrderedDict(a=0.7), 0.8)

    def visited(xs: Any, seen: Any) -> Any:
        seen.add(0)
        return sum([x for i, x in enumerate(xs) if i not in seen])

    for seen in ({1}, {"a"}, {1.0}, {(1, 2)}):
        check(visited, lambda: ([0.7, -1.2, 1.5], seen.copy()))  # noqa: B023


def test_items_that_are_removed() -> None:
    def of_rows(rows: Any, x: float) -> Any:
        first = rows[0]
        first.append(x * rows[1][0])
        rows[0].remove(max(first))
        return first[0] * first[-1] * sum(rows[1])

    def made_here(x: float) -> Any:
        xs = [x, x * x, 3.0, x]
        xs.remove(x)
        return xs[0] + 10.0 * xs[2] * len(xs)

    check(of_rows, lambda: ([[0.7, -1.2], [0.4, 1.9]], 0.8))
    check(made_here, lambda: (0.8,))

    def missing(q: Any, x: float) -> Any:
        q.remove(x)
        return q[0] * x

    for items in ([0.7], deque([0.7])):
        for _ in range(2):
            with pytest.raises(ValueError) as plain:
                missing(items.copy(), 0.8)
            with pytest.raises(ValueError) as found:
                gradient(missing, items.copy(), 0.8)
            assert str(found.value) == str(plain.value)


def test_cotangents_of_deques_add_up_by_items() -> None:
    for a, b in ((deque([1.0, None]), deque([2.0, 3.0])), ([1.0, None], deque([2.0, 3.0])), (deque([1.0]), [2.0, 3.0])):
        assert [*accumulate(a, b)] == [3.0, 3.0]


def test_second_derivatives() -> None:
    def f(x: float) -> Any:
        return programs.in_turn(deque([0.7, x]), x) + programs.least_recent(OrderedDict(a=x, b=x * x, c=1.5, e=x), x)

    slope = grad(f)
    for _ in range(2):
        h = 1e-5
        assert grad(slope)(0.8) == pytest.approx((slope(0.8 + h) - slope(0.8 - h)) / (2 * h), rel=1e-6)
        assert jvp(f, (0.8,), (1.0,))[1] == pytest.approx(slope(0.8), rel=1e-12)
    assert not is_to_be_recorded(f, (0.8,))


def test_an_order_that_is_forgotten_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The check sees a reverse that is wrong: a popped item that is not put back."""
    monkeypatch.setattr(resizing, "_BACK_IN", {"popleft": "append"})

    def f(q: Any, x: float) -> Any:
        a = q.popleft()
        return a * q[0] + x * q[1]

    with pytest.raises(AssertionError):
        check(f, lambda: (deque([1.5, 0.5, 0.3]), 0.7))
