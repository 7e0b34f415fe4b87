"""Results of `scipy.stats` that are tuples with more fields than items."""

from __future__ import annotations

import numpy as np
import pytest

from adjoint import pullback
from adjoint.calculus import pushforward

stats = pytest.importorskip("scipy.stats")


def test_a_result_that_is_no_named_tuple() -> None:
    """It has `_fields`, and is not made from its items alone: its tangent is a plain tuple."""
    x, y, v = np.array([0.5, 1.0, 2.0, 4.0]), np.array([1.0, 0.5, 3.0, 3.5]), np.array([0.3, -0.2, 0.5, 0.1])
    result, dot = pushforward(stats.linregress, (x, y), (v, None))
    assert result == stats.linregress(x, y) and len(dot) == 5
    _, back = pullback(lambda x: stats.linregress(x, y), x)
    seed = tuple(np.eye(5)[1])
    np.testing.assert_allclose(dot[1], back(seed)[-1] @ v)


def test_the_tangent_of_a_named_tuple_has_its_fields() -> None:
    counts, v = np.array([5.0, 8.0, 4.0, 3.0]), np.array([1.0, 0.0, 0.0, 0.0])
    result, dot = pushforward(lambda a: stats.chisquare(a).pvalue, (counts,), (v,))
    assert result == stats.chisquare(counts).pvalue
    _, back = pullback(lambda a: stats.chisquare(a).pvalue, counts)
    assert dot == pytest.approx(back(1.0)[1] @ v, rel=1e-12) and dot != 0.0
