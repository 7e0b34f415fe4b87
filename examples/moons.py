"""
Two moons
=========

Tell two interleaving half circles apart: the smallest problem for which a network needs its hidden layers.
"""

from __future__ import annotations

import numpy as np
from sklearn.datasets import make_moons

from adjoint.demos.pictures import OUTPUT, draw_boundary, draw_history, draw_points, run
from adjoint.nn import Chain, Dense, gradient_descent, logit_cross_entropy, onecold, onehot, relu


def main(steps: int = 1000, output=OUTPUT, seed: int = 0):
    """Train a network on the moons and draw its decision boundary."""
    x, classes = make_moons(200, noise=0.15, random_state=seed)
    rng = np.random.default_rng(seed + 1)
    model = Chain(
        Dense(2, 16, activation=relu, rng=rng),
        Dense(16, 16, activation=relu, rng=rng),
        Dense(16, 2, rng=rng),
    )
    print(model)

    model, history = gradient_descent(model, logit_cross_entropy, x, onehot(classes, 2), learning_rate=0.5, steps=steps)
    accuracy = np.mean(onecold(model(x)) == classes)
    print(f"loss {history[0]:.3f} -> {history[-1]:.3f}, accuracy {accuracy:.1%}")

    draw_points(x, classes, output, "moons_data")
    draw_history(history, output, "moons")
    draw_boundary(x, classes, lambda points: onecold(model(points)), output, "moons_boundary")
    return model, history, accuracy


if __name__ == "__main__":
    run(main)
