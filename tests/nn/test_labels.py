"""One-hot rows and back."""

import numpy as np
import pytest

from adjoint.nn import onecold, onehot


@pytest.mark.parametrize("axis", [0, -1])
def test_there_and_back(axis):
    labels = ["b", "a", "c", "b"]
    rows = onehot(labels, ["a", "b", "c"], axis=axis)
    assert rows.shape == ((4, 3) if axis else (3, 4))
    assert onecold(rows, ["a", "b", "c"], axis=axis).tolist() == labels


def test_by_number_of_classes():
    assert onehot(np.array([2, 0]), 3, dtype=np.float32).dtype == np.float32
    assert onecold(onehot([2, 0], 3)).tolist() == [2, 0]


def test_of_one_label():
    assert onehot(1, 3).tolist() == [0.0, 1.0, 0.0]


def test_unknown_label():
    with pytest.raises(ValueError, match="label 3 is not one of the classes"):
        onehot([0, 3], 3)
