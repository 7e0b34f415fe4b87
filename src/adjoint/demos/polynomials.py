"""The data of the polynomial examples, and the best fit there is to compare with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

TARGET = np.array([15.0, -2.1, 13.9, 1.5])
LEARNING_RATE = 1e-4


def noisy_polynomial(samples: int = 100, noise: float = 0.2, seed: int = 0) -> tuple[Array, Array]:
    """Points of 15 - 2.1 x + 13.9 x² + 1.5 x³ in [-5, 5], with noise of a fifth of the mean of |y|."""
    rng = np.random.default_rng(seed)
    x = (rng.random(samples) - 0.5) * 10
    y = np.polynomial.polynomial.polyval(x, TARGET)
    return x, y + rng.standard_normal(samples) * np.mean(np.abs(y)) * noise


def least_squares(x: Array, y: Array, terms: int = 4) -> Array:
    """The weights with the smallest mean squared error, by the pseudoinverse."""
    return np.linalg.pinv(np.vander(x, terms, increasing=True)) @ y


def evaluate(weights: Array) -> Callable[[Array], Array]:
    """The polynomial with these weights as a function of an array."""
    return lambda x: np.polynomial.polynomial.polyval(x, weights)


def report(x: Array, y: Array, fits: dict[str, Array]) -> None:
    """Print loss and weights of each fit {name: weights}, beside the target's and the least possible."""
    for name, weights in ({"target": TARGET, "least squares": least_squares(x, y)} | fits).items():
        loss = np.mean((evaluate(weights)(x) - y) ** 2)
        print(f"{name:<18} loss {loss:9.2f}   weights {np.array2string(np.asarray(weights), precision=2)}")
