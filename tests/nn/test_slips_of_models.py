"""Slips with models: swapped arguments, and arrays of nothing."""

from __future__ import annotations

import numpy as np
import pytest

from adjoint import gradient, nn
from adjoint.errors import OptionError


def test_swapped_arguments_of_tree_map() -> None:
    for model in (nn.Dense(2, 3), {"w": 1.0}):
        with pytest.raises(OptionError) as caught:
            nn.tree_map(model, lambda leaf: leaf)  # type: ignore[type-var, arg-type]
        assert "`tree_map(f, model)`" in caught.value.way_out


@pytest.mark.parametrize("shape", [(2, 0), (0, 3), (0,)])
@pytest.mark.parametrize("f", [nn.softmax, nn.log_softmax])
def test_scores_of_nothing_have_no_probabilities(f: object, shape: tuple[int, ...]) -> None:
    x = np.ones(shape, np.float32)
    y = f(x)  # type: ignore[operator]
    assert y.shape == shape and y.dtype == np.float32
    assert gradient(lambda x: np.sum(f(x)), x)[0].shape == shape  # type: ignore[operator]
