"""Arrays in batches."""

from __future__ import annotations

import numpy as np
import pytest
from nn.training.small import X, Y

from adjoint import OptionError, StructureError, nn


class TestMinibatches:
    def test_all_are_seen_each_time(self) -> None:
        x = np.arange(7)
        batches = nn.minibatches(x, -x, 2 * x, size=3, rng=np.random.default_rng(0))
        first, second = list(batches), list(batches)
        assert len(batches) == len(first) == 3 and [len(a) for a, _, _ in first] == [3, 3, 1]
        for seen in (first, second):
            assert sorted(np.concatenate([a for a, _, _ in seen])) == [*range(7)]
            assert all(np.array_equal(b, -a) and np.array_equal(c, 2 * a) for a, b, c in seen)
        assert not np.array_equal(first[0][0], second[0][0])

    def test_in_order_without_a_generator(self) -> None:
        x = np.arange(7)
        (first,), *_ = batches = nn.minibatches(x, size=3)
        assert first.base is x and [list(b) for (b,) in batches] == [[0, 1, 2], [3, 4, 5], [6]]
        assert [len(b) for (b,) in nn.minibatches(x, size=10)] == [7]

    def test_bad_input(self) -> None:
        with pytest.raises(StructureError, match="arrays of 50, 49 samples do not belong together"):
            nn.minibatches(X, Y[1:])
        for size in (0, -1, 2.5):
            with pytest.raises(OptionError, match=f"size={size} is no size of a batch"):
                nn.minibatches(X, size=size)  # type: ignore[arg-type]
        for arrays in ((), (np.zeros((0, 2)),), (3.0,)):
            with pytest.raises(StructureError, match="there are no samples to make batches of"):
                nn.minibatches(*arrays)
