"""`scipy.ndimage` at its edges: ties, integers, results that are given."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from adjoint import gradient
from adjoint.errors import MutationError, NoRuleError

ndimage = pytest.importorskip("scipy.ndimage")

X = np.array([[1.0, 3.0, 2.0], [0.0, 5.0, 4.0]])


def test_ties_share_equally() -> None:
    bar = gradient(lambda x: ndimage.maximum_filter(x, 3, mode="constant", cval=-1.0)[0, 0], np.ones((2, 2)))[0]
    assert np.array_equal(bar, np.full((2, 2), 0.25))


def test_an_image_of_integers_has_a_result_of_integers() -> None:
    image = np.arange(6).reshape(2, 3)
    assert not gradient(lambda x: ndimage.uniform_filter(x).sum(), image)[0].any()
    assert gradient(lambda x: ndimage.uniform_filter(x, output=float).sum(), image)[0].any()


def test_a_result_that_is_given() -> None:
    def filtered(x: Any) -> Any:
        result = np.zeros((2, 3))
        ndimage.sobel(x, output=result)
        return result.sum()

    def by_place(x: Any) -> Any:
        result = np.zeros((2, 3))
        ndimage.sobel(x, -1, result)
        return result.sum()

    for program in (filtered, by_place):
        with pytest.raises(MutationError):
            gradient(program, X)


def test_a_gradient_that_is_zero() -> None:
    bar = gradient(lambda x: ndimage.gaussian_gradient_magnitude(x, 1.0).sum(), np.zeros((3, 3)))[0]
    assert np.array_equal(bar, np.zeros((3, 3)))


def test_the_factor_of_a_zoom_only_counts() -> None:
    assert gradient(lambda z: ndimage.zoom(X, z).sum(), 1.7)[0] == 0.0


def test_masks_and_labels_carry_nothing() -> None:
    def bright(x: Any) -> Any:
        labels, n = ndimage.label(ndimage.binary_dilation(x > 2.5))
        return ndimage.sum(x, labels, np.arange(1, n + 1)).sum()

    assert np.array_equal(gradient(bright, X)[0], np.where(ndimage.binary_dilation(X > 2.5), 1.0, 0.0))


@pytest.mark.parametrize("program", [
    lambda x: ndimage.generic_filter(x, np.mean, 3).sum(),
])  # fmt: skip
def test_refused(program: Any) -> None:
    with pytest.raises(NoRuleError):
        gradient(program, X)


@pytest.mark.parametrize("distances", [ndimage.distance_transform_edt, ndimage.distance_transform_bf])
def test_distances_by_their_spacing_are_refused(distances: Any) -> None:
    image = np.array([[0.0, 1.0, 2.0], [3.0, 0.0, 1.0]])
    with pytest.raises(NoRuleError, match="sampling"):
        gradient(lambda s: distances(image, sampling=s).sum(), 2.0)
    assert np.array_equal(gradient(lambda x: distances(x).sum(), image)[0], np.zeros((2, 3)))
