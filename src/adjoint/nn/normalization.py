"""Arrays brought to mean 0 and variance 1 along axes, by a rule of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from adjoint import rule
from adjoint.errors import ShapeError, calling_place
from adjoint.nn.places import layer_here
from adjoint.rules import non_differentiable

Back = Callable[[Any], tuple[Any, ...]]


def averaged(x: Any, axes: tuple[int, ...]) -> Any:
    """The mean along axes, which are kept with length 1.

    One of several goes before the others: sums of a few features at a time are slow, and less exact.
    """
    if len(axes) > 1:
        x, axes = np.mean(x, axes[0], keepdims=True), axes[1:]
    return np.mean(x, axes, keepdims=True)


def normalized(x: Any, axes: tuple[int, ...], eps: float) -> tuple[Any, Any, Any]:
    """The array x̂ = (x - μ) / √(σ² + ε), with μ and σ² along the axes, which they keep with length 1."""
    mean = averaged(x, axes)
    centred = x - mean
    var = averaged(centred * centred, axes)
    return centred / np.sqrt(var + eps), mean, var


def normalized_tangent(dots: Any, y: Any, x: Any, axes: Any, eps: Any) -> tuple[Any, Any, Any]:
    """The Jacobian of x̂ is symmetric; μ and σ² move by ⟨ẋ⟩ and 2 ⟨(x - μ) ẋ⟩."""
    (x_dot, *_), (y, _, var) = dots, y
    mean_dot, along = averaged(x_dot, axes), averaged(x_dot * y, axes)
    scale = np.sqrt(var + eps)
    return (x_dot - mean_dot - y * along) / scale, mean_dot, 2 * scale * along


def only_the_array_moves(dots: Any, *args: Any) -> bool:
    """True where ε stays, and the array does not."""
    return dots[0] is not None and dots[2] is None


@rule(normalized, forward=normalized_tangent, forward_for=only_the_array_moves)
def normalized_rule(x: Any, axes: Any, eps: Any) -> tuple[Any, Back]:
    """x̄ = (d - ⟨d⟩ - x̂ ⟨d x̂⟩) / √(σ² + ε) with d the cotangent of x̂ and ⟨⟩ the mean along the axes, and
    μ̄ / n + 2 (x - μ) σ̄² / n of the other two (S. Ioffe and C. Szegedy, "Batch normalization", 2015, section 3);
    ε̄ = -½ Σ d x̂ / (σ² + ε)."""
    y, mean, var = normalized(x, axes, eps)

    def normalized_back(bars: Any) -> tuple[Any, ...]:
        y_bar, mean_bar, var_bar = bars
        variance = var + eps
        scale = np.sqrt(variance)
        n = max(np.size(y) // max(np.size(mean), 1), 1)
        x_bar, eps_bar = np.zeros_like(y), 0.0
        if y_bar is not None:
            along = averaged(y_bar * y, axes)
            x_bar = (y_bar - averaged(y_bar, axes) - y * along) / scale
            eps_bar = -0.5 * n * np.sum(along / variance)
        if mean_bar is not None:
            x_bar = x_bar + mean_bar / n
        if var_bar is not None:
            x_bar = x_bar + y * (scale * var_bar * (2 / n))
        return x_bar, None, eps_bar

    return (y, mean, var), normalized_back


def check_features(x: Any, features: int) -> None:
    """Raise `ShapeError` unless `x` has so many features, along its last axis, and is real."""
    if np.ndim(x) == 0 or np.shape(x)[-1] != features or np.iscomplexobj(x):
        given = f"an array of shape {np.shape(x)}{' of complex numbers' * np.iscomplexobj(x)}"
        raise ShapeError(
            f"{given} for {features} features{layer_here()}",
            "features are real, and lie along the last axis",
            f"give an array of shape (samples, ..., {features})",
            calling_place(),
        )


def check_each(arrays: Any, features: int) -> None:
    """Raise `ShapeError` unless these are scale, bias, mean and variance, each of so many features."""
    shapes = [np.shape(array) for array in arrays]
    if shapes != [(features,)] * 4:
        raise ShapeError(
            f"`arrays` have the shapes {', '.join(map(str, shapes))}",
            "they are scale, bias, mean and variance of the features",
            f"give four arrays of shape ({features},)",
            calling_place(),
        )


def check_several(x: Any) -> None:
    """Raise `ShapeError` unless there are two numbers or more of each feature: one has no variance."""
    if np.size(x) < 2 * np.shape(x)[-1]:
        raise ShapeError(
            f"a batch of shape {np.shape(x)} in training{layer_here()}",
            "the variance of a feature is that of two numbers or more",
            "train with larger batches, or call the layer, which uses the statistics that it has",
            calling_place(),
        )


non_differentiable(check_each, check_features, check_several)
