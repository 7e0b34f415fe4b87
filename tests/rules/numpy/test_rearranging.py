"""Rules of the functions that flip, shift, repeat, pad or cut out entries."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from rules.checker import run_rule
from rules.numpy.table import call, check, rng

from adjoint.errors import NoRuleError

A = rng(3, 4)
V = rng(5)
T = rng(3, 3, 4)


@pytest.mark.parametrize(
    ("f", "args", "kwargs"),
    [
        call(np.flip, A),
        call(np.flip, A, 0),
        call(np.flip, A, axis=(0, -1)),
        call(np.flip, [1.5, 2.5]),
        call(np.flipud, A),
        call(np.fliplr, A),
        call(np.rot90, A),
        call(np.rot90, T, 3, axes=(1, 2)),
        call(np.roll, A, 2),
        call(np.roll, A, -1, axis=1),
        call(np.roll, A, (1, 2), axis=(0, 1)),
        call(np.repeat, A, 2),
        call(np.repeat, A, 3, axis=1),
        call(np.repeat, A, [1, 0, 2], axis=0),
        call(np.repeat, V, np.array([1, 2, 0, 1, 1])),
        call(np.repeat, 2.5, 3),
        call(np.ndarray.repeat, A, 2, axis=-1),
        call(np.tile, V, 2),
        call(np.tile, A, (2, 3)),
        call(np.tile, A, (2, 1, 2)),
        call(np.tile, T, (2,)),
        call(np.tile, 2.5, 3),
        call(np.resize, A, (2, 7)),
        call(np.pad, A, 1),
        call(np.pad, A, ((1, 0), (0, 2))),
        call(np.pad, A, (1, 2), "constant", constant_values=3),
        call(np.pad, A.astype(np.float32), 1),
        call(np.pad, A, 2, "edge"),
        call(np.pad, A, 2, mode="reflect"),
        call(np.pad, A, 2, mode="symmetric"),
        call(np.pad, A, ((1, 2), (3, 1)), mode="wrap"),
        call(np.diag, V),
        call(np.diag, V, -1),
        call(np.diag, A),
        call(np.diag, A, 1),
        call(np.diag, A, k=-2),
        call(np.diag, [1.5, 2.5]),
        call(np.diagflat, A, 1),
        call(np.diagonal, A),
        call(np.diagonal, T, 1, 0, 2),
        call(np.diagonal, T, axis1=-1, axis2=-2),
        call(np.ndarray.diagonal, A, -1),
        call(np.linalg.diagonal, T),
        call(np.trace, A),
        call(np.trace, A, 1),
        call(np.trace, A, offset=-2),
        call(np.trace, T, 0, 1, 2),
        call(np.ndarray.trace, T),
        call(np.linalg.trace, T),
        call(np.linalg.trace, T, offset=1),
        call(np.tril, A),
        call(np.triu, A, 1),
        call(np.tril, T, -1),
        call(np.triu, V),
    ],
)
def test_rearranging(f: Any, args: Any, kwargs: Any) -> None:
    check(f, args, kwargs)


def test_computed_margins_are_refused() -> None:
    with pytest.raises(NoRuleError):
        run_rule(np.pad, A, 1, "linear_ramp")
