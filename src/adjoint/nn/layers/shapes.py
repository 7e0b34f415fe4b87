"""Shapes that layers take, and the layer that only makes another of one."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from adjoint.errors import ShapeError, calling_place
from adjoint.nn.places import layer_here
from adjoint.rules import non_differentiable


def flatten(x: Any) -> Any:
    """Return `x` with all that belongs to a sample in one axis: (samples, ...) becomes (samples, features).

    Parameters
    ----------
    x : an array, (samples, ...).

    Returns
    -------
    An array of the shape (samples, features).

    Raises
    ------
    ShapeError
        If `x` is a single number.

    Examples
    --------
    >>> flatten(np.zeros((2, 4, 4, 3))).shape
    (2, 48)
    """
    check_samples(x)
    shape = np.shape(x)
    return np.reshape(x, (shape[0], math.prod(shape[1:])))


def check_samples(x: Any) -> None:
    """Raise `ShapeError` if `x` is a single number, which has no samples."""
    if np.ndim(x) == 0:
        raise ShapeError(
            "`flatten` is given a single number",
            "samples come first, and what belongs to each is put in one axis",
            "give an array of shape (samples, ...)",
            calling_place(),
        )


def check_inputs(x: Any, inputs: int) -> None:
    """Raise `ShapeError` unless the last axis of `x` has so many numbers."""
    if np.ndim(x) == 0 or np.shape(x)[-1] != inputs:
        raise ShapeError(
            f"x has the shape {np.shape(x)}{layer_here()}",
            f"features lie along the last axis, and the layer takes {inputs}",
            f"give an array of shape (..., {inputs}), or make the layer for the width that it is given",
            calling_place(),
        )


def check_sum(y: Any, x: Any) -> None:
    """Raise `ShapeError` unless what a layer gives has the shape of what it takes: broadcasting would repeat one."""
    if np.shape(y) != np.shape(x):
        raise ShapeError(
            f"the layer gives the shape {np.shape(y)} for {np.shape(x)}{layer_here()}",
            "both are added, number by number",
            "take a layer that keeps the shape, or another connection, such as `np.concatenate` of both",
            calling_place(),
        )


non_differentiable(check_samples, check_inputs, check_sum)
