"""
A polynomial by a network
=========================

Fit the same data by a small network, which knows nothing of polynomials.
"""

from __future__ import annotations

import numpy as np

from adjoint.demos.pictures import OUTPUT, draw_fit, draw_history, run
from adjoint.demos.polynomials import noisy_polynomial
from adjoint.nn import Chain, Dense, gradient_descent, mse, tanh


def main(steps: int = 2000, output=OUTPUT, seed: int = 0):
    """Fit a cubic by a network with one hidden layer."""
    x, y = noisy_polynomial(seed=seed)
    rng = np.random.default_rng(seed + 1)
    model = Chain(Dense(1, 16, activation=tanh, rng=rng), Dense(16, 1, rng=rng))

    # Networks like numbers near one: both axes are scaled for training, and back for the picture.
    x_scale, y_scale = np.std(x), np.std(y)
    inputs, targets = x[:, np.newaxis] / x_scale, y[:, np.newaxis] / y_scale
    model, history = gradient_descent(
        model, mse, inputs, targets, learning_rate=0.05, steps=steps, batch_size=50, rng=rng
    )

    def fit(x):
        return model(x[:, np.newaxis] / x_scale)[:, 0] * y_scale

    print(f"network            loss {mse(fit(x), y):9.2f}   {model}")
    draw_fit(x, y, {"network": fit}, output, "polynomial_network")
    draw_history(history, output, "polynomial_network")
    return model, history


if __name__ == "__main__":
    run(main)
