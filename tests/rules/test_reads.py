"""The values that a pullback of an elementwise rule keeps: those that its partials read."""

import operator
import tracemalloc
import weakref
from typing import Any

import numpy as np
import pytest

from adjoint import pullback, rrule
from adjoint.inspect import residuals
from adjoint.rules import scalar_rule
from adjoint.rules.reads import parameters_read
from adjoint.rules.ready import ready_elementwise
from adjoint.rules.registry import find_rules

N = 1_000_000


def kept_bytes(f: Any, *args: Any) -> int:
    """The memory that a pullback keeps, without the arguments."""
    pullback(f, *args)
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        y, back = pullback(f, *args)
        assert y.nbytes == 8 * N
        del y
        kept = tracemalloc.get_traced_memory()[0] - before
        del back
    finally:
        tracemalloc.stop()
    return kept


@pytest.mark.parametrize(
    ("f", "n", "arrays"),
    [
        (np.add, 2, 0),
        (np.multiply, 2, 0),
        (operator.mul, 2, 0),
        (np.sin, 1, 0),
        (np.log, 1, 0),
        (np.exp, 1, 1),
        (np.divide, 2, 1),
    ],
)
def test_the_result_is_kept_where_it_is_read(f: Any, n: int, arrays: int) -> None:
    assert round(kept_bytes(f, *[np.full(N, 2.0)] * n) / (8 * N), 2) == arrays


OPERANDS = [
    (np.add, [False, False], (1.0, 1.0)),
    (np.divide, [False, True], (0.25, -0.125)),
    (np.multiply, [True, True], (4.0, 2.0)),
]


@pytest.mark.parametrize("again", [False, True])
@pytest.mark.parametrize(("f", "alive", "bars"), OPERANDS)
def test_operands_are_kept_where_they_are_read(f: Any, alive: list[bool], bars: Any, again: bool) -> None:
    args = [np.full(N, 2.0), np.full(N, 4.0)]
    refs = [weakref.ref(a) for a in args]
    rules = find_rules(f)
    method: Any = rules and rules.select((np.ndarray, np.ndarray))
    rule: Any = ready_elementwise(f, method, (np.ndarray, np.ndarray), None) if again else method.call
    back = rule(*args)[1]
    del args
    assert [ref() is not None for ref in refs] == alive
    assert [d[0] for d in back(np.ones(N))[-2:]] == pytest.approx(bars)


def test_cotangents_of_large_arrays_are_right() -> None:
    x = np.linspace(0.5, 2.0, 200_000)
    for f, derivative in (
        (np.log, 1 / x),
        (np.sqrt, 0.5 / np.sqrt(x)),
        (np.square, 2 * x),
        (np.arctan, 1 / (1 + x * x)),
    ):
        for _ in range(2):  # the second call is made ready
            assert np.allclose(pullback(f, x)[1](np.ones_like(x))[1], derivative, rtol=1e-12, atol=0.0)


def test_parameters_that_may_be_read() -> None:
    def within(a: float, b: float, y: float) -> Any:
        return (lambda: a)(), 1.0

    def by_name(a: float, b: float, y: float) -> Any:
        return locals()["b"], 1.0

    assert parameters_read(within, 3) == (True, False, False)
    assert parameters_read(by_name, 3) == (True,) * 3
    assert parameters_read(lambda a, b=1.0, c=2.0: a, 2) == (True, True)
    assert parameters_read(lambda a, *more: a, 1) == (True,)
    assert parameters_read(max, 2) == (True, True)


def test_a_scalar_rule_of_ones_own_keeps_what_it_reads() -> None:
    def scale(a: Any, k: Any) -> Any:
        return a * k

    @scalar_rule(scale)
    def scale_partials(a: Any, k: Any, y: Any) -> Any:
        return k, y / k

    _, back = rrule(scale, 2.0, 4.0)
    assert residuals(back) == {"k": 4.0, "y": 8.0} and back(1.0) == (None, 4.0, 2.0)
