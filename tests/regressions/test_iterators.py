"""Iterators that are run through again, and give nothing then; those that were made outside of the program."""

from __future__ import annotations

import itertools
import operator
from typing import Any

import numpy as np
import pytest
from compiled.lists import ITERATED

from adjoint import AdjointError, grad, pushforward, value_and_grad

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
