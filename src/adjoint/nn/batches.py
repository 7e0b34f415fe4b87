"""Normalization over a batch, feature by feature: one program of NumPy forwards, and one backwards.

`normalized_by_parts` means the same. Tangents are those of it, and so are derivatives of derivatives.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from adjoint import pullback, rule
from adjoint.nn.convolution import in_kind_of
from adjoint.nn.normalization import Back, normalized

WIDE = 512
"""Rows of about so many numbers are quick to work on: those of few features are taken several at a time."""

Bars = tuple[Any, ...]


class Run(NamedTuple):
    """The remains of a run: x - μ as wide rows, 1 / √(σ² + ε), and how many numbers there are of each feature."""

    centred: np.ndarray
    inverse: np.ndarray
    n: int


def normalized_by_parts(x: Any, scale: Any, bias: Any, eps: float) -> tuple[Any, Any, Any]:
    """The batch scale (x - μ) / √(σ² + ε) + bias, with μ and σ² over all axes but the last, and μ and σ²."""
    y, mean, var = normalized(x, tuple(range(np.ndim(x) - 1)), eps)
    return y * scale + bias, np.reshape(mean, -1), np.reshape(var, -1)


def batch_normalized(x: Any, scale: Any, bias: Any, eps: float) -> tuple[Any, Any, Any]:
    """The same as `normalized_by_parts`, fast.

    Shapes: `x` (samples, ..., features), `scale` and `bias` (features,).
    """
    return _run(x, scale, bias, eps)[0]


def _run(x: Any, scale: Any, bias: Any, eps: float) -> tuple[tuple[Any, Any, Any], Run]:
    """The results, and what a run leaves: in single precision at least, as `np.mean` has it."""
    x = np.asarray(x)
    dtype = np.result_type(x, scale, bias) if x.dtype.kind == "f" else np.result_type(np.float64, scale, bias)
    rows = _wide(x.astype(np.result_type(x, np.float32) if x.dtype.kind == "f" else np.float64, copy=False))
    n, k = x.size // x.shape[-1], rows.shape[1] // x.shape[-1]
    mean = _folded(np.add.reduce(rows, axis=0), k) / rows.dtype.type(n)
    centred = rows - np.tile(mean, k)
    var = _folded(np.einsum("ij,ij->j", centred, centred), k) / rows.dtype.type(n)
    inverse = 1 / np.sqrt(var + eps)
    y = np.multiply(centred, np.tile(scale * inverse, k))
    y = np.add(y, np.tile(bias, k), out=y if y.dtype == np.result_type(y, bias) else None)
    return (y.reshape(x.shape).astype(dtype, copy=False), mean, var), Run(centred, inverse, n)


def _wide(x: Any) -> Any:
    """An array as rows of several samples each, where their number can be divided."""
    features = x.shape[-1]
    n = x.size // features
    k = math.gcd(n, 1 << max(WIDE // features, 1).bit_length() - 1)
    return x.reshape(n // k, k * features)


def _folded(sums: Any, k: int) -> Any:
    """Sums of the columns of wide rows, feature by feature."""
    return np.add.reduce(sums.reshape(k, -1), axis=0)


@rule(batch_normalized, program=normalized_by_parts)
def batch_normalized_rule(x: Any, scale: Any, bias: Any, eps: Any) -> tuple[Any, Back]:
    """The batch keeps what is centred; see `backward`."""
    results, run = _run(x, scale, bias, eps)
    return results, lambda bars: backward(run, bars, x, scale, bias, eps)


def backward(run: Run, bars: Bars, x: Any, scale: Any, bias: Any, eps: Any) -> Bars:
    """x̄ = s (d - ⟨d⟩ - x̂ ⟨d x̂⟩) / √(σ² + ε) + μ̄ / n + 2 (x - μ) σ̄² / n, s̄ = Σ d x̂, b̄ = Σ d, with s the scale, d the
    cotangent of the output and ⟨⟩ the mean (S. Ioffe and C. Szegedy, "Batch normalization", 2015, section 3);
    ε̄ = -½ Σ s d x̂ / (σ² + ε)."""
    centred, inverse, n = run
    y_bar, mean_bar, var_bar = [centred.dtype.type(0) if bar is None else bar for bar in bars]
    d = np.asarray(y_bar, np.result_type(y_bar, centred))
    d = _wide(np.ascontiguousarray(np.broadcast_to(d, np.shape(x))))
    k = d.shape[1] // len(inverse)
    total = _folded(np.add.reduce(d, axis=0), k)
    along = _folded(np.einsum("ij,ij->j", d, centred), k) * inverse
    factor = scale * inverse
    x_bar = np.multiply(d, np.tile(factor, k))
    slope = 2 / n * var_bar - factor * inverse * along / n
    x_bar += centred * np.tile(slope, k).astype(x_bar.dtype, copy=False)
    x_bar += np.tile((mean_bar - factor * total) / n, k).astype(x_bar.dtype, copy=False)
    x_bar = in_kind_of(x_bar.reshape(np.shape(x)), x)
    if bars[0] is None:
        return x_bar, None, None, 0.0
    eps_bar = -0.5 * np.sum(scale * along * inverse * inverse)
    return x_bar, in_kind_of(along, scale), in_kind_of(total, bias), eps_bar


def _backward_by_parts(run: Run, bars: Bars, *parts: Any) -> Bars:
    """The same."""
    found: Bars = pullback(normalized_by_parts, *parts)[1](bars)[1:]
    return found


@rule(backward, calls=True, program=_backward_by_parts)
def backward_rule(run: Run, bars: Bars, *parts: Any) -> tuple[Bars, Back]:
    """Second derivatives are those of the parts."""

    def backward_back(bars_bar: Any) -> Bars:
        return None, *pullback(_backward_by_parts, run, bars, *parts)[1](bars_bar)[2:]

    return backward(run, bars, *parts), backward_back


def moved(old: Any, new: Any, share: Any, factor: float) -> Any:
    """A running statistic, moved by a share towards a factor times a new one."""
    return ((1 - share) * old + share * factor * new).astype(old.dtype)


@rule(moved)
def moved_rule(old: Any, new: Any, share: Any, factor: float) -> tuple[Any, Back]:
    """ō = (1 - m) ȳ, n̄ = m f ȳ, m̄ = Σ (f n - o) ȳ."""

    def moved_back(y_bar: Any) -> Bars:
        return (1 - share) * y_bar, share * factor * y_bar, np.sum((factor * new - old) * y_bar), None

    return moved(old, new, share, factor), moved_back
