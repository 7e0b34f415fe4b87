"""Layers that normalize: over the batch, and over the features of each sample."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from adjoint.nn.arguments import check_between, check_counts, check_dtype
from adjoint.nn.batches import batch_normalized, moved
from adjoint.nn.layers.base import Layer
from adjoint.nn.layers.described import by_shapes
from adjoint.nn.layers.inheriting import with_fields
from adjoint.nn.normalization import check_each, check_features, check_several, normalized
from adjoint.nn.tree import field


@dataclass(frozen=True, init=False, eq=False, repr=False)
class BatchNorm(Layer):
    """A normalization of each feature over a batch: y = scale (x - μ) / √(σ² + ε) + bias.

    In training μ and σ² are those of the batch, over all axes but the last, and the layer afterwards has running ones;
    in inference they are these (S. Ioffe and C. Szegedy, "Batch normalization: accelerating deep network training by
    reducing internal covariate shift", 2015). `mean` and `var` are buffers: they are saved, and nothing trains them.

    Shapes: (samples, ..., features) to the same; scale, bias, mean, var (features,).

    Parameters
    ----------
    features : the length of the last axis.
    momentum : m in mean ← (1 - m) mean + m μ, as PyTorch has it (Flax's is 1 - m); `var` gets the variance with
        n - 1 in the denominator. Static.
    eps : ε; static.
    dtype : of scale, bias and statistics.
    arrays : scale, bias, mean and var, if they are not to be the first ones: 1, 0, 0 and 1.

    Raises
    ------
    OptionError
        If an argument is not what it is said to be.
    ShapeError
        If an array has another number of features, or in training a single number of each.

    Examples
    --------
    >>> layer = BatchNorm(2)
    >>> x = np.array([[1.0, 10.0], [3.0, 30.0]])
    >>> y, layer = layer.train(x)
    >>> y.round(3), layer.mean
    (array([[-1., -1.],
            [ 1.,  1.]]), array([0.2, 2. ]))
    """

    scale: np.ndarray
    bias: np.ndarray
    mean: np.ndarray = field(buffer=True)
    var: np.ndarray = field(buffer=True)
    momentum: float = field(static=True)
    eps: float = field(static=True)

    def __init__(
        self,
        features: int,
        *,
        momentum: float = 0.1,
        eps: float = 1e-5,
        dtype: DTypeLike = np.float64,
        arrays: tuple[Any, Any, Any, Any] | None = None,
    ) -> None:
        check_counts(features=features)
        check_between(0, 1, momentum=momentum)
        check_between(0, math.inf, eps=eps)
        check_dtype(dtype)
        first = [np.full(features, value, dtype) for value in (1, 0, 0, 1)]
        check_each(arrays or first, features)
        for name, array in zip(("scale", "bias", "mean", "var"), arrays or first, strict=True):
            object.__setattr__(self, name, array)
        object.__setattr__(self, "momentum", momentum)
        object.__setattr__(self, "eps", eps)

    def __call__(self, x: Any) -> Any:
        check_features(x, len(self.scale))
        return (x - self.mean) * (self.scale / np.sqrt(self.var + self.eps)) + self.bias

    def train(self, x: Any, rng: np.random.Generator | None = None) -> tuple[Any, BatchNorm]:
        """The batch normalized by itself, and the layer with the next running statistics."""
        check_features(x, len(self.scale))
        check_several(x)
        y, mean, var = batch_normalized(x, self.scale, self.bias, self.eps)
        n = np.size(x) // np.size(mean)
        mean = moved(self.mean, mean, self.momentum, 1.0)
        var = moved(self.var, var, self.momentum, n / (n - 1))
        return y, with_fields(self, {"mean": mean, "var": var})

    @by_shapes
    def __repr__(self) -> str:
        return f"BatchNorm({len(self.scale)})"


@dataclass(frozen=True, init=False, eq=False, repr=False)
class LayerNorm(Layer):
    """A normalization of each sample over its features: y = scale (x - μ) / √(σ² + ε) + bias.

    J. Ba, J. Kiros and G. Hinton, "Layer normalization", 2016.

    Shapes: (..., features) to the same; scale, bias (features,).

    Parameters
    ----------
    features : the length of the last axis, over which μ and σ² are taken.
    eps : ε; static.
    dtype : of scale and bias.

    Raises
    ------
    OptionError
        If an argument is not what it is said to be.
    ShapeError
        If an array has another number of features.

    Examples
    --------
    >>> LayerNorm(2)(np.array([[1.0, 3.0], [10.0, 30.0]])).round(3)
    array([[-1.,  1.],
           [-1.,  1.]])
    """

    scale: np.ndarray
    bias: np.ndarray
    eps: float = field(static=True)

    def __init__(self, features: int, *, eps: float = 1e-5, dtype: DTypeLike = np.float64) -> None:
        check_counts(features=features)
        check_between(0, math.inf, eps=eps)
        check_dtype(dtype)
        object.__setattr__(self, "scale", np.ones(features, dtype))
        object.__setattr__(self, "bias", np.zeros(features, dtype))
        object.__setattr__(self, "eps", eps)

    def __call__(self, x: Any) -> Any:
        check_features(x, len(self.scale))
        return normalized(x, (np.ndim(x) - 1,), self.eps)[0] * self.scale + self.bias

    @by_shapes
    def __repr__(self) -> str:
        return f"LayerNorm({len(self.scale)})"
