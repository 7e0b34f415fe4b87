"""Generator expressions that a comprehension makes and keeps: they read its variables when they are run, as in Python,
and so the last values of these."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from adjoint import grad, hessian
from adjoint.errors import UnsupportedSyntaxError
from adjoint.testing import check_gradient

X, STEP = 1.5, 1e-3


def summed(x: Any) -> Any:
    rows = [(x * i * j for j in range(3)) for i in range(3)]
    return x * sum(sum(row) for row in rows)


def run_one_by_one(x: Any) -> Any:
    rows, total = [(x * i * j for j in range(3)) for i in range(3)], 0.0
    for row in rows:
        for v in row:
            total += v * v
    return total


def of_a_dict(x: Any) -> Any:
    rows = {i: (x * x * i * j for j in range(3)) for i in range(3)}
    return sum(sum(row) for row in rows.values())


def of_two_loops(x: Any) -> Any:
    rows = [(x * x * i * j * k for j in range(3) if j != i) for i in range(3) for k in range(2)]
    return sum(sum(row) for row in rows)


def in_a_tuple(x: Any) -> Any:
    rows = [((v * v * i for v in [x, x * i]), i, x * i) for i in range(1, 4)]
    return sum(sum(row) * a * b for row, a, b in rows)


def of_values(x: Any) -> Any:
    rows = [(v * w for w in [v, 2 * v]) for v in [x, x * x, x * x * x]]
    return sum(next(row) for row in rows) + sum(sum(row) for row in rows)


def with_a_generator_within(x: Any) -> Any:
    rows = [(sum(v * v * i for v in [x, j]) for j in range(3)) for i in range(3)]
    return sum(sum(row) for row in rows)


def with_functions(x: Any) -> Any:
    rows = [((lambda u: u * u * i * j) for j in range(3)) for i in range(3)]  # noqa: B023
    return sum(f(x) for row in rows for f in row)


def asked_within(x: Any) -> Any:
    kept: list[Any] = []
    rows = [(kept.append(g := (x * i * j for j in range(1, 3))), next(g))[1] for i in range(1, 3)]  # type: ignore[func-returns-value]
    return x * sum(rows) + sum(sum(g) for g in kept) * x


PROGRAMS = [summed, run_one_by_one, of_a_dict, of_two_loops, in_a_tuple, of_values, with_a_generator_within]
PROGRAMS += [with_functions, asked_within]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_variables_have_their_last_values(f: Any) -> None:
    check_gradient(f, X)
    assert np.allclose(hessian(f)(X), (f(X + STEP) - 2 * f(X) + f(X - STEP)) / STEP**2, rtol=1e-3)


def test_one_name_twice() -> None:
    def f(x: Any) -> Any:
        rows = [(sum(i for i in [x, j]) for j in range(i)) for i in range(3)]  # noqa: B023
        return sum(sum(row) for row in rows)

    with pytest.raises(UnsupportedSyntaxError, match="has a variable of the same name within"):
        grad(f)(X)
