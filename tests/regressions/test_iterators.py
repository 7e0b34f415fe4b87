"""Iterators that are run through again, and give nothing then; those that were made outside of the program."""

from __future__ import annotations

import functools
import itertools
import operator
from collections import deque
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from compiled.lists import ITERATED

from adjoint import grad, value_and_grad, withgradient
from adjoint.calculus import pushforward
from adjoint.errors import AdjointError

from .counting import instructions

X = np.array([0.5, 2.0, -1.0])


@pytest.mark.parametrize("f", ITERATED, ids=lambda f: f.__name__)
def test_an_iterator_gives_its_items_once(f: Any) -> None:
    value, found = value_and_grad(f)(X)
    assert value == f(X)
    h = 1e-6
    expected = [(f(X + h * e) - f(X - h * e)) / (2 * h) for e in np.eye(3)]
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-8)


# Iterators that were made outside of the program


def _squares(items: Any) -> Any:
    for v in items:
        yield v * v


READING = {
    "a generator": _squares,
    "an expression": lambda items: (v * v for v in items),
    "reversed": reversed,
    "enumerate": lambda items: (v for _, v in enumerate(items)),
    "chain": itertools.chain,
    "accumulate": itertools.accumulate,
}
FOLLOWED = {
    "iter": iter,
    "map": lambda items: map(lambda v: v * v, items),
    "zip": lambda items: (lambda pairs: map(operator.itemgetter(0), pairs))(zip(items, items, strict=True)),
    "filter": lambda items: filter(None, items),
}


def _stored_and_read(items: list[float], made: Any) -> Any:
    def f(x: float) -> Any:
        items[0] = x * x
        return sum(made)

    return f


@pytest.mark.parametrize("name", READING)
def test_what_iterators_made_outside_read_of_what_is_stored_is_refused(name: str) -> None:
    """They go on while the program runs; what they gave was a constant, whatever it was made of."""
    for derivative_of in (grad, lambda f: lambda x: pushforward(f, (x,), (1.0,))):
        items = [1.0, 2.0, 3.0]
        with pytest.raises(AdjointError, match="made outside of the program"):
            derivative_of(_stored_and_read(items, READING[name](items)))(0.7)


@pytest.mark.parametrize("name", FOLLOWED)
def test_builtin_iterators_made_outside_are_followed(name: str) -> None:
    def value(x: float) -> Any:
        items = [1.0, 2.0, 3.0]
        return _stored_and_read(items, FOLLOWED[name](items))(x)

    items = [1.0, 2.0, 3.0]
    expected = (value(0.7 + 1e-6) - value(0.7 - 1e-6)) / 2e-6
    assert np.isclose(grad(_stored_and_read(items, FOLLOWED[name](items)))(0.7), expected)


def test_data_from_outside_are_constants() -> None:
    def f(x: float, batches: Any) -> Any:
        total = np.zeros(1)
        for batch in batches:
            total[0] += np.sum(batch * x)
        return total[0]

    data = np.arange(6.0).reshape(3, 2)
    assert np.isclose(grad(f)(2.0, _squares(data)), 55.0)


def test_a_generator_made_outside_that_stores_is_refused() -> None:
    items = [1.0, 2.0]

    def doubling() -> Any:
        for i in range(2):
            items[i] = items[i] * 2.0
            yield i

    def f(x: float, doubled: Any) -> Any:
        items[1] = x
        return sum(doubled) + items[1]

    with pytest.raises(AdjointError, match="made outside of the program"):
        grad(f)(0.7, doubling())


class _Shared:
    value: Any = 1.0


_shared = _Shared()
_number = 1.0


def _read() -> Any:
    return _shared.value


def _store_item(holder: Any, x: Any) -> None:
    holder[0] = x


def _store_field(holder: Any, x: Any) -> None:
    holder.value = x


def _store_global(holder: Any, x: Any) -> None:
    global _number
    _number = x


def _store_late(holder: Any, x: Any) -> None:
    inside = [0.0]
    holder.value = inside
    inside[0] = x


def _endless(made: Any) -> Any:
    while True:
        yield made()


def _first_of_shared() -> Any:
    return _shared.value[0] if isinstance(_shared.value, list) else 2.0


ELSEWHERE: dict[str, Any] = {
    "iter of a deque": lambda: (d := deque([1.0, 2.0, 3.0]), iter(d), _store_item),
    "reversed of a deque": lambda: (d := deque([1.0, 2.0, 3.0]), (v for v in reversed([d]) for v in d), _store_item),
    "values of a dict": lambda: (d := {0: 1.0, 1: 2.0}, iter(d.values()), _store_item),
    "nditer": lambda: (a := np.ones(3), np.nditer(a), _store_item),
    "broadcast": lambda: (a := np.ones(3), np.broadcast(a, 2.0), _store_item),
    "a view": lambda: (a := np.ones(3), (v for v in a[:2]), _store_item),
    "an attribute of a class": lambda: (_Shared, _endless(lambda: _Shared.value), _store_field),
    "an object behind a function": lambda: (_shared, _endless(_read), _store_field),
    "a global": lambda: (None, _endless(lambda: _number), _store_global),
    "what comes there between the draws": lambda: (_shared, _endless(_first_of_shared), _store_late),
}


@pytest.mark.parametrize("name", ELSEWHERE)
def test_what_iterators_made_outside_reach_is_refused_where_it_is_stored(name: str, monkeypatch: Any) -> None:
    monkeypatch.setattr(_Shared, "value", 1.0)
    monkeypatch.setattr(_shared, "value", 1.0)
    monkeypatch.setitem(globals(), "_number", 1.0)
    holder, made, store = ELSEWHERE[name]()

    def f(x: Any) -> Any:
        first = next(made) if name.startswith("what comes") else 0.0
        store(holder, x)
        taken = next(made)
        store(holder, 0.0)
        return (taken[0] if isinstance(taken, tuple) else taken) * x + first

    with pytest.raises(AdjointError, match="made outside of the program"):
        grad(f)(1.5)


def test_what_iterators_made_outside_keep_is_followed_by_its_place() -> None:
    def f(x: float, made: Any) -> Any:
        next(made)[0] = x
        return next(made)[0] * x

    kept = [1.0]
    assert grad(f)(1.5, _endless(lambda: kept)) == 3.0


def _into_its_own(x: float, made: Any) -> Any:
    own, seen = np.zeros(2), []
    own[0] = x
    total = 0.0
    for v in made:
        seen.append(own)
        own[1] = own[0] * v
        total += own[1]
    return total


def test_what_a_program_stores_into_its_own_is_nothing_that_iterators_made_outside_read() -> None:
    data = [1.0, 2.0, 3.0]
    held = {"data": deque(data), "more": np.array(data)}
    for made in (
        iter(deque(data)),
        (v for v in held["data"]),
        np.nditer(held["more"]),
        iter(dict(enumerate(data)).values()),
    ):
        assert grad(_into_its_own)(2.0, made) == 6.0


@pytest.mark.parametrize("reached", ["list", "dict", "objects"])
def test_a_draw_costs_the_same_whatever_the_iterator_reaches(reached: str) -> None:
    """It walked through all of it, forward and in reverse."""

    def of(n: int) -> Any:
        made: Any = [float(i) for i in range(n)]
        return {"list": made, "dict": dict(enumerate(made)), "objects": [[v] for v in made]}[reached]

    def drawing(held: Any, times: int) -> Iterator[float]:
        for i in range(times):
            yield len(held) * 0.0 + i

    def cost(n: int, times: int) -> int:
        return instructions(grad(_into_its_own), 2.0, drawing(of(n), times))

    cost(1, 1)
    a_draw = [(cost(n, 30) - cost(n, 10)) / 20 for n in (10, 1000)]
    assert a_draw[1] <= a_draw[0] * 1.1


def draws_what_no_derivative_needs(x: float, it: Any) -> float:
    next(it, x)
    return wrapped(lambda v: v * x)(x)


def draws_in_a_callee(x: float, it: Any) -> float:
    drawn_times(it, x)
    return wrapped(lambda v: v * x)(x)


def sums_what_no_derivative_needs(x: float, it: Any) -> float:
    sum(it, x)
    return wrapped(lambda v: v * x)(x)


def pairs_what_no_derivative_needs(x: float, it: Any) -> float:
    list(zip(it, [x, x], strict=False))
    return wrapped(lambda v: v * x)(x)


def drawn_times(it: Any, x: float) -> float:
    y: float = next(it) * x
    return y


def wrapped(f: Any) -> Any:
    """What is refused on its way where the run may have to be done again: `update_wrapper` stores."""

    @functools.wraps(f)
    def wrapper(*args: Any) -> Any:
        return f(*args)

    return wrapper


@pytest.mark.parametrize(
    "f",
    [draws_what_no_derivative_needs, draws_in_a_callee, sums_what_no_derivative_needs, pairs_what_no_derivative_needs],
)
def test_a_draw_whose_result_is_not_needed_is_made_once(f: Any) -> None:
    left = iter([1.0, 2.0, 3.0, 4.0])
    f(2.0, left)
    expected = list(left)
    for _ in range(3):
        it = iter([1.0, 2.0, 3.0, 4.0])
        assert withgradient(f, 2.0, it)[:1] == (4.0,)
        assert list(it) == expected
