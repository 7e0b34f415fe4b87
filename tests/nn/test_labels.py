"""One-hot rows and back."""

import numpy as np
import pytest

from adjoint import gradient
from adjoint.errors import OptionError, StructureError
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


@pytest.mark.parametrize(
    ("labels", "classes", "said"),
    [
        ([0, 3], 3, "label 3 is not one of the classes"),
        ([0.5], 3, "label 0.5 is not one of the classes"),
        (["a"], 3, "label 'a' is not one of the classes"),
        (["a"], ["b", "c"], "label 'a' is not one of the classes"),
        ([[0], [0, 1]], 2, "labels or classes are no array"),
    ],
)
def test_labels_that_are_no_classes(labels, classes, said):
    with pytest.raises(StructureError, match=said) as caught:
        onehot(labels, classes)
    assert caught.value.place.filename == __file__


@pytest.mark.parametrize("classes", [0, -1, 1.5, True, None, "ab", [], ["a", "a"], [[0, 1]], np.array(3)])
def test_classes_that_are_none(classes):
    with pytest.raises(OptionError, match="classes=.* are no classes"):
        onehot([0], classes)


def test_classes_of_any_form():
    for classes in (3, np.int64(3), range(3), [0, 1, 2], (0, 1, 2), np.arange(3), [0.0, 1.0, 2.0]):
        assert onehot([2, 0.0], classes).tolist() == [[0, 0, 1], [1, 0, 0]]


def test_axes_that_are_none():
    for axis in (2, -3, 0.5, None, "a"):
        with pytest.raises(OptionError, match="is no axis of 2"):
            onehot([0], 2, axis=axis)
        with pytest.raises(OptionError, match="is no axis of 2"):
            onecold(np.ones((1, 2)), axis=axis)
    with pytest.raises(OptionError, match="axis=-1 is no axis of 0"):
        onecold(1.0)


def test_scores_that_are_of_other_classes():
    for scores, classes in ((np.ones((2, 3)), ["a"]), (np.ones((2, 3)), "abcd"), (np.ones((2, 0)), None)):
        with pytest.raises(StructureError, match="there are . scores along axis -1"):
            onecold(scores, classes)


def test_rows_are_constants_of_a_loss():
    x = np.arange(6.0).reshape(2, 3)
    assert gradient(lambda x: np.sum(onehot([2, 0], 3) * x), x)[0].tolist() == [[0, 0, 1], [1, 0, 0]]
    assert gradient(lambda x: np.sum(onehot(onecold(x), 3) * x), x)[0].tolist() == [[0, 0, 1], [0, 0, 1]]
