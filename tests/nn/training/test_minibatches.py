"""Arrays in batches."""

from __future__ import annotations

import numpy as np
import pytest
from nn.training.small import X, Y, fitted

from adjoint import nn
from adjoint.errors import OptionError, StructureError


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

    def test_arrays_that_are_none(self) -> None:
        with pytest.raises(OptionError, match="size=True is no size of a batch"):
            nn.minibatches(X, size=True)
        with pytest.raises(OptionError, match="size='a' is no size of a batch"):
            nn.minibatches(X, size="a")  # type: ignore[arg-type]
        with pytest.raises(StructureError, match="(?s)there are no samples.*size=32"):
            nn.minibatches(X, Y, 32)
        for arrays, kind in (((X, X), "tuple"), ((X, Y), "tuple"), ({"x": X}, "dict")):
            with pytest.raises(StructureError, match=f"a {kind} of arrays is no array of samples"):
                nn.minibatches(arrays)
        for ragged in ([[1.0], [1.0, 2.0]], [X, Y], ([[1.0], [1.0, 2.0]], [1.0])):
            with pytest.raises(StructureError, match="the samples of a list differ in shape"):
                nn.minibatches(ragged)
        for rng in ("a", -1, 1.5):
            with pytest.raises(OptionError, match=f"rng={rng!r} is no source of random numbers"):
                nn.minibatches(X, rng=rng)  # type: ignore[arg-type]

    def test_lists_of_samples(self) -> None:
        (first,), (second,) = nn.minibatches([np.ones(2), np.zeros(2), np.ones(2)], size=2)
        assert first.tolist() == [[1, 1], [0, 0]] and second.tolist() == [[1, 1]]
        assert [b.tolist() for (b,) in nn.minibatches((1, 2, 3), size=2)] == [[1, 2], [3]]
        assert [b.tolist() for (b,) in nn.minibatches(((0, 1), [1, 0]))] == [[[0, 1], [1, 0]]]

    def test_what_is_left_can_be_left_out(self) -> None:
        x = np.arange(7)
        batches = nn.minibatches(x, size=3, drop_last=True)
        assert len(batches) == 2 and [list(b) for (b,) in batches] == [[0, 1, 2], [3, 4, 5]]
        assert len(nn.minibatches(x, size=7, drop_last=True)) == 1
        shuffled = nn.minibatches(x, size=3, drop_last=True, rng=0)
        left = [{*range(7)} - {int(i) for (b,) in shuffled for i in b} for _ in range(20)]
        assert all(len(rest) == 1 for rest in left) and len(set.union(*left)) > 3
        with pytest.raises(StructureError, match="7 samples make no batch of 8"):
            nn.minibatches(x, size=8, drop_last=True)
        with pytest.raises(OptionError, match="`drop_last` is 'no', neither True nor False"):
            nn.minibatches(x, size=8, drop_last="no")  # type: ignore[arg-type]

    def test_a_batch_of_one_sample_is_left_out_for_statistics(self) -> None:
        start = nn.Chain(nn.Dense(2, 3), nn.BatchNorm(3), nn.Dense(3, 1))
        batches = nn.minibatches(X[:33], Y[:33], size=16, rng=0)
        with pytest.raises(ValueError, match="in training"):
            fitted(start, batches=batches)
        done = fitted(start, batches=nn.minibatches(X[:33], Y[:33], size=16, rng=0, drop_last=True))
        assert len(done.history.steps) == 4
