"""Rules of running sums, differences and the numerical calculus made of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from rules.checker import run_rule
from rules.numpy.table import call, check, rng

from adjoint.errors import NoRuleError

A = rng(3, 4)
V = rng(5)
T = rng(2, 4, 3)
HOLES = np.array([[1.5, 0.0, 2.0, -1.0], [0.0, 0.0, -1.0, 0.5], [0.5, 3.0, 1.0, 0.0]])


@pytest.mark.parametrize(
    ("f", "args", "kwargs"),
    [
        *(
            call(f, x, **kwargs)
            for f in (np.cumsum, np.cumprod, np.ndarray.cumsum, np.ndarray.cumprod)
            for x in (A, HOLES, A.astype(np.float32), rng(3, 4, dtype=np.complex128), A[::-1, ::2])
            for kwargs in ({}, {"axis": 0}, {"axis": -1})
        ),
        call(np.cumsum, [1.5, 2.5]),
        call(np.cumsum, np.zeros((0, 2)), axis=0),
        call(np.cumprod, np.zeros(0)),
        call(np.cumprod, np.zeros(1)),
        call(np.add.accumulate, A),
        call(np.multiply.accumulate, A, axis=1),
        call(np.maximum.accumulate, A),
        call(np.maximum.accumulate, A, axis=-1),
        call(np.minimum.accumulate, A, axis=1),
        call(np.diff, A),
        call(np.diff, A, axis=0),
        call(np.diff, V, 3),
        call(np.diff, T, 2, axis=1),
        call(np.diff, [1.5, 2.5, 4.5]),
        call(np.ediff1d, A),
        call(np.gradient, V),
        call(np.gradient, V, 0.5),
        call(np.gradient, V, np.cumsum(np.abs(rng(5, seed=1)) + 0.1), edge_order=2),
        call(np.gradient, A),
        call(np.gradient, A, 0.5),
        call(np.gradient, A, 0.5, 0.25),
        call(np.gradient, A, axis=1),
        call(np.gradient, T, 0.5, axis=1, edge_order=2),
        call(np.trapezoid, V),
        call(np.trapezoid, A, dx=0.5),
        call(np.trapezoid, A, axis=0),
        call(np.trapezoid, V, np.cumsum(np.abs(rng(5, seed=1)))),
        call(np.trapezoid, T, np.array([0.5, 1.0, 3.0, 3.5]), axis=1),
        call(np.trapezoid, A, rng(3, 4, seed=1)),
        call(np.trapezoid, V, [0.5, 1.0, 3.0, 3.5, 4.0]),
        call(np.interp, 1.25, np.array([0.5, 1.0, 3.0]), rng(3)),
        call(np.interp, np.array([0.25, 0.75, 2.0, 4.0]), np.array([0.5, 1.0, 3.0]), rng(3)),
        call(np.interp, [0.75, 2.0], [0.5, 1.0, 3.0], [1.5, 2.5, 0.5]),
    ],
)
def test_scans(f: Any, args: Any, kwargs: Any) -> None:
    if f is np.gradient and len(args) == 2 and np.ndim(args[1]):
        check(f, args, kwargs, constant=(1,))
    else:
        check(f, args, kwargs)


def test_what_has_no_rule() -> None:
    with pytest.raises(NoRuleError):
        run_rule(np.diff, A, prepend=0.0)
    with pytest.raises(NoRuleError):
        run_rule(np.interp, 1.5, V, V, left=0.0)
