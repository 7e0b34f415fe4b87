"""Rules of the functions that make arrays of numbers, lists or end points."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from rules.checker import run_rule
from rules.numpy.table import call, check, rng

M = rng(3, 4)


@pytest.mark.parametrize(
    ("f", "args", "kwargs"),
    [
        call(np.array, [1.5, 2.5]),
        call(np.array, [[1.5, 2], (np.float64(2.5), 3.5)]),
        call(np.array, [M[0], M[1]]),
        call(np.array, M),
        call(np.array, 2.5),
        call(np.array, [1.5, 2.5], ndmin=2),
        call(np.array, [1.5, 2.5], dtype=complex),
        call(np.array, [1 + 2j, 2.5]),
        call(np.array, [np.float32(1.5), np.float32(2.5)]),
        call(np.asarray, [[1.5], [2.5]]),
        call(np.asarray, M),
        call(np.asarray, 2.5),
        call(np.ascontiguousarray, M.T),
        call(np.ascontiguousarray, 2.5),
        call(np.asfortranarray, M),
        call(np.full, (2, 3), 1.5),
        call(np.full, 3, rng(3)),
        call(np.full, (2, 3), [1.5, 2.5, 3.5]),
        call(np.full_like, M, 1.5),
        call(np.linspace, 0.5, 2.5, 5),
        call(np.linspace, 0.5, 2.5, num=4, endpoint=False),
        call(np.linspace, 0.5, 2.5, 5, retstep=True),
        call(np.linspace, rng(3), 2.5, 4),
        call(np.linspace, rng(3), rng(3, seed=1), 4, axis=1),
        call(np.linspace, [0.5, 1.5], rng(2), 4, axis=-1),
        call(np.linspace, 0.5, 2.5, 1),
        call(np.logspace, 0.5, 1.5, 4),
        call(np.geomspace, 0.5, 2.5, 4),
        call(np.arange, 0.25, 2.5, 0.5),
        call(np.arange, 0.25, 3.0),
        call(np.arange, 3.5),
        call(np.meshgrid, rng(3), rng(2)),
        call(np.meshgrid, rng(3), rng(2), rng(2, seed=1), indexing="ij"),
        call(np.meshgrid, rng(3), [1.5, 2.5], sparse=True),
        call(np.meshgrid, rng(3)),
    ],
)
def test_creation(f: Any, args: Any, kwargs: Any) -> None:
    if f is np.full_like:
        check(f, args, kwargs, constant=(0,))
    elif f is np.arange:
        check(f, args, kwargs, constant=((), (0,), (1,), (1,))[len(args)], rtol=1e-3)
    else:
        check(f, args, kwargs)


def test_through_integers_nothing_flows() -> None:
    assert run_rule(np.array, [1.5, 2.5], dtype=int)[1](np.ones(2)) == (None,)
    assert run_rule(np.full, 2, 1.5, dtype=int)[1](np.ones(2)) == (None, None)


def test_integers_in_lists_are_differentiated() -> None:
    assert run_rule(np.array, [1, 2])[1](np.array([0.5, 1.5])) == ([0.5, 1.5],)
