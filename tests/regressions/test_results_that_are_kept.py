"""Results in a tuple that a rule keeps, and that the program changes afterwards."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from .differences import check

A = np.array([[3.0, 0.4, 0.2], [0.5, 2.0, 0.3], [0.1, 0.6, 4.0]])


def factors(a: Any, x: float) -> float:
    q, r = np.linalg.qr(a)
    some = q if x > 0.0 else r
    some[0] *= x
    return float((q * r).sum())


def halves(a: Any, x: float) -> float:
    parts = np.modf(a * x)
    kept = [parts[0], parts]
    kept[0][0] *= x
    return float((parts[0] * a).sum())


def singular(a: Any, x: float) -> float:
    found = {"all": np.linalg.svd(a)}
    found["all"][1][1] = x
    return float(found["all"][1].sum() * x)


def eigen(a: Any, x: float) -> float:
    found = {"all": np.linalg.eigh(a + a.T)}
    found["all"][0][:2] *= x
    found["all"][1][0] = x
    return float((found["all"][1] ** 2 * found["all"][0]).sum())


@pytest.mark.parametrize("f", [factors, halves, singular, eigen])
def test_results_that_change(f: Any) -> None:
    check(f, A, 0.8)
