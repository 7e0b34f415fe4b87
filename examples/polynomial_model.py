"""
A polynomial by a model
=======================

Fit a polynomial by `pullback` of a callable model: an ordinary class, whose code `adjoint` differentiates.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from adjoint import pullback
from adjoint.demos.pictures import OUTPUT, draw_history, draw_points, run
from adjoint.demos.polynomials import LEARNING_RATE, noisy_polynomial, report
from adjoint.nn import gradient_descent, mse


def evalpoly(x, weights):
    """w₀ + w₁ x + w₂ x² + ...; there is no rule for it."""
    y, power = 0.0, 1.0
    for w in weights:
        y += w * power
        power *= x
    return y


@dataclass(frozen=True)
class Polynomial:
    """A polynomial; of an array of numbers, it gives an array."""

    weights: np.ndarray

    def __call__(self, xs):
        return np.array([evalpoly(x, self.weights) for x in xs])


def main(steps: int = 200, output=OUTPUT, seed: int = 0):
    """Fit a polynomial by gradient descent on a callable model."""
    x, y = noisy_polynomial(seed=seed)
    model = Polynomial(np.random.default_rng(seed + 1).random(4))

    loss, back = pullback(lambda m: mse(m(x), y), model)
    _, model_bar = back(1.0)
    print(f"loss {loss:.2f} at the start, gradient {model_bar}")

    model, history = gradient_descent(model, mse, x, y, learning_rate=LEARNING_RATE, steps=steps)
    draw_points(np.column_stack([x, y]), np.zeros(len(x)), output, "polynomial_data")
    report(x, y, {"gradient descent": model.weights}, output, "polynomial_model")
    draw_history(history, output, "polynomial_model")
    return model, history


if __name__ == "__main__":
    run(main)
