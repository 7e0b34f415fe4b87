"""Rules of the functions that make one array of several, or several of one."""

from __future__ import annotations

import numpy as np
import pytest
from rules.checker import run_rule
from rules.numpy.table import rng

from adjoint.errors import NoRuleError

V = rng(3)


def test_pieces_without_cotangent() -> None:
    _, back, _ = run_rule(np.split, V, 3)
    assert back([None, np.ones(1), None])[0].tolist() == [0.0, 1.0, 0.0]


def test_through_integers_nothing_flows() -> None:
    _, back, _ = run_rule(np.concatenate, [V, np.array([1, 2])], dtype=int, casting="unsafe")
    first, second = back(np.ones(5))[0]
    assert first is None and second.tolist() == [1.0, 1.0]


@pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")
def test_matrices_are_refused() -> None:
    for key in (("r", V), "1, 2"):
        with pytest.raises(NoRuleError, match="matrix"):
            run_rule(type(np.r_).__getitem__, np.r_, key)
