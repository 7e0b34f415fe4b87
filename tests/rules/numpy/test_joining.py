"""Rules of the functions that make one array of several, or several of one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from rules.checker import run_rule
from rules.numpy.table import call, check, rng

A, B = rng(2, 3), rng(2, 3, seed=1)
V, W = rng(3), rng(3, seed=1)
T = rng(4, 6, 2)
F = A.astype(np.float32)


@pytest.mark.parametrize(
    ("f", "args", "kwargs"),
    [
        call(np.concatenate, [A, B]),
        call(np.concatenate, (A, B[:, :1]), axis=1),
        call(np.concatenate, (A, B), axis=-1),
        call(np.concatenate, [A, V], axis=None),
        call(np.concatenate, [F, F]),
        call(np.concatenate, [F, B]),
        call(np.concatenate, [A, np.array([[1, 2, 3]])]),
        call(np.concatenate, T, axis=0),
        call(np.concatenate, ([1.5, 2.5], V)),
        call(np.concatenate, [A[:0], B]),
        call(np.stack, [A, B]),
        call(np.stack, (A, B), axis=-1),
        call(np.stack, [1.5, 2.5, np.float64(3.5)]),
        call(np.stack, T, axis=1),
        call(np.hstack, [A, B]),
        call(np.hstack, (V, W)),
        call(np.hstack, [1.5, V]),
        call(np.vstack, [A, V]),
        call(np.vstack, (V, W)),
        call(np.dstack, [A, B]),
        call(np.dstack, [V, W]),
        call(np.column_stack, [V, W]),
        call(np.column_stack, (rng(2), A)),
        call(np.append, V, W),
        call(np.append, A, 2.5),
        call(np.append, A, B, axis=1),
        call(np.append, V, [1.5, 2.5]),
        call(np.block, [[A, B], [B, A]]),
        call(np.block, [V, 1.5, W]),
        call(np.block, [[A, rng(2, 1)], [2.5, rng(1, 3)]]),
        call(np.block, A),
        call(np.split, T, 2),
        call(np.split, T, [1, 3], axis=1),
        call(np.array_split, T, 4, axis=1),
        call(np.array_split, [1.5, 2.5, 3.5], 2),
        call(np.hsplit, T, 3),
        call(np.hsplit, V, 3),
        call(np.vsplit, T, 2),
        call(np.dsplit, T, 2),
        *([call(np.unstack, A), call(np.unstack, T, axis=1)] if hasattr(np, "unstack") else []),
    ],
)
def test_joining(f: Any, args: Any, kwargs: Any) -> None:
    check(f, args, kwargs)


def test_pieces_without_cotangent() -> None:
    _, back, _ = run_rule(np.split, V, 3)
    assert back([None, np.ones(1), None])[0].tolist() == [0.0, 1.0, 0.0]
