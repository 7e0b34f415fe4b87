"""The data of the examples with polynomials, and the best fit there is to compare with."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from adjoint.demos.pictures import Folder, draw_fit

Array = np.ndarray[Any, Any]

TARGET = np.array([15.0, -2.1, 13.9, 1.5])
LEARNING_RATE = 1e-4
PARTS = 4


def noisy_polynomial(samples: int = 100, noise: float = 0.2, seed: int = 0) -> tuple[Array, Array]:
    """Points of 15 - 2.1 x + 13.9 x² + 1.5 x³ in [-5, 5], with noise of a fifth of the mean of |y|."""
    rng = np.random.default_rng(seed)
    x = (rng.random(samples) - 0.5) * 10
    y = np.polynomial.polynomial.polyval(x, TARGET)
    return x, y + rng.standard_normal(samples) * np.mean(np.abs(y)) * noise


def noisy_line(samples: int = 12, noise: float = 0.4, seed: int = 0) -> tuple[Array, Array]:
    """Inputs (1, x) and values of the line 1 - x / 2 in [-2, 2], with noise of this deviation."""
    rng = np.random.default_rng(seed)
    inputs = np.column_stack([np.ones(samples), rng.uniform(-2, 2, samples)])
    return inputs, inputs @ np.array([1.0, -0.5]) + noise * rng.normal(size=samples)


def least_squares(x: Array, y: Array, terms: int = 4) -> Array:
    """The weights with the smallest mean squared error, by the pseudoinverse."""
    return np.linalg.pinv(np.vander(x, terms, increasing=True)) @ y


def evaluate(weights: Array) -> Callable[[Array], Array]:
    """The polynomial with these weights as a function of an array."""
    return lambda x: np.polynomial.polynomial.polyval(x, weights)


def progress(name: str, steps: int) -> Iterator[int]:
    """The steps of a descent, of which it prints how many are done, at each quarter of them."""
    for step in range(1, steps + 1):
        yield step
        if step % -(-steps // PARTS) == 0:
            print(f"{name:<18} {step} of {steps} steps", flush=True)


def report(x: Array, y: Array, fits: dict[str, Array], output: Folder, name: str) -> None:
    """Print loss and weights of each fit {label: weights}, beside the target's and the least possible; draw them."""
    best = {"least squares": least_squares(x, y)}
    for label, weights in ({"target": TARGET} | best | fits).items():
        loss = np.mean((evaluate(weights)(x) - y) ** 2)
        print(f"{label:<18} loss {loss:9.2f}   weights {np.array2string(np.asarray(weights), precision=2)}")
    draw_fit(x, y, {label: evaluate(weights) for label, weights in (fits | best).items()}, output, name)
