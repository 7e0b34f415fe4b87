"""
Three clusters
==============

Tell three clusters of points apart by a network that ends in softmax.
"""

from __future__ import annotations

import numpy as np

from adjoint.demos.pictures import OUTPUT, draw_boundary, draw_history, draw_points, run
from adjoint.nn import Chain, Dense, cross_entropy, gradient_descent, onecold, onehot, softmax, tanh


def three_clusters(samples: int = 300, spread: float = 0.5, seed: int = 0):
    """Points around the corners of a triangle, and the number of the corner each belongs to."""
    rng = np.random.default_rng(seed)
    classes = rng.integers(3, size=samples)
    angles = 2 * np.pi * classes / 3 + np.pi / 2
    corners = 1.5 * np.column_stack([np.cos(angles), np.sin(angles)])
    return corners + spread * rng.standard_normal((samples, 2)), classes


def main(steps: int = 500, output=OUTPUT, seed: int = 0):
    """Train a network on three clusters and draw its decision boundaries."""
    x, classes = three_clusters(seed=seed)
    rng = np.random.default_rng(seed + 1)
    model = Chain(Dense(2, 8, activation=tanh, rng=rng), Dense(8, 3, rng=rng), softmax)

    model, history = gradient_descent(
        model, cross_entropy, x, onehot(classes, 3), learning_rate=0.5, steps=steps, batch_size=100, rng=rng
    )
    accuracy = np.mean(onecold(model(x)) == classes)
    print(f"loss {history[0]:.3f} -> {history[-1]:.3f}, accuracy {accuracy:.1%}")

    draw_points(x, classes, output, "clusters_data")
    draw_history(history, output, "clusters")
    draw_boundary(x, classes, lambda points: onecold(model(points)), output, "clusters_boundary")
    return model, history, accuracy


if __name__ == "__main__":
    run(main)
