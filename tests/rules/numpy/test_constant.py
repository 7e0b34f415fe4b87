"""Functions through which nothing flows."""

from __future__ import annotations

import numpy as np
import pytest

from adjoint.rules.registry import find_rules


@pytest.mark.parametrize(
    "f",
    [
        np.argmax, np.argsort, np.shape, np.zeros, np.ones_like, np.isfinite, np.greater, np.floor,
        np.round, np.ndarray.argmax, np.ndarray.round, np.random.poisson, np.random.default_rng,
        np.random.Generator.random, np.int64,
    ],
)  # fmt: skip
def test_nothing_flows(f: object) -> None:
    rules = find_rules(f)
    assert rules is not None and not rules.differentiable


@pytest.mark.parametrize("f", [np.random.permutation, np.random.shuffle])
def test_what_takes_entries_of_its_argument_is_not_constant(f: object) -> None:
    assert find_rules(f) is None


@pytest.mark.parametrize("f", [np.random.Generator.choice, np.random.RandomState.choice])
def test_entries_that_are_drawn_have_derivatives(f: object) -> None:
    rules = find_rules(f)
    assert rules is not None and rules.differentiable
