"""Rows as columns, and back."""

from __future__ import annotations

import math
from typing import Any

import pytest

from adjoint import grad, pullback
from adjoint.rules import unzip


def spread(rows: Any) -> Any:
    xs, ys = unzip(rows, 2)
    return xs[0] * ys[1] + math.sin(xs[1]) * xs[0]


@pytest.mark.parametrize("rows", [[(2.0, 3.0), (4.0, 5.0)], ([2.0, 3.0], [4.0, 5.0]), [[2.0, 3.0], (4.0, 5.0)]])
def test_like_finite_differences(rows: Any) -> None:
    bars, step = grad(spread)(rows), 1e-6
    for i in range(2):
        for j in range(2):
            up, down = (
                spread([[x + s * ((i, j) == (k, m)) for m, x in enumerate(row)] for k, row in enumerate(rows)])
                for s in (step, -step)
            )
            assert (bars[i][j] or 0.0) == pytest.approx((up - down) / (2 * step), rel=1e-6, abs=1e-7)
    assert type(bars) is type(rows) and [type(bar) for bar in bars] == [type(row) for row in rows]


def test_a_column_that_nothing_reads() -> None:
    assert pullback(lambda rows: unzip(rows, 2)[0][1], [(1.0, 2.0), (3.0, 4.0)])[1](1.0)[1][1][0] == 1.0


def test_rows_of_another_length_are_refused() -> None:
    with pytest.raises(ValueError, match="a row has 3 items, and not 2"):
        unzip([(1, 2, 3)], 2)
    assert unzip([], 3) == ((), (), ())
