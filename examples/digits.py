"""
Handwritten digits
==================

Read handwritten digits: a small convolutional network on the 1797 images of 8×8 pixels that scikit-learn has.
"""

from __future__ import annotations

import numpy as np
from sklearn.datasets import load_digits

from adjoint import nn
from adjoint.demos.pictures import OUTPUT, draw_history, draw_readings, run
from adjoint.nn import optimizers


def network(rng) -> nn.Chain:
    """Two convolutions, each with a pooling to half the size, and a dense layer for the ten classes."""
    return nn.Chain(
        nn.Conv(1, 8, (3, 3), nn.relu, padding="same", rng=rng),
        nn.MaxPool((2, 2)),
        nn.Conv(8, 16, (3, 3), nn.relu, padding="same", rng=rng),
        nn.MaxPool((2, 2)),
        nn.flatten,
        nn.Dropout(0.2),
        nn.Dense(64, 10, rng=rng),
    )


def main(steps: int = 600, output=OUTPUT, seed: int = 0):
    """Train on four fifths of the digits, and draw what is misread of the others."""
    images, digits = load_digits(return_X_y=True)
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(images))
    x, y = (images.reshape(-1, 8, 8, 1) / 16)[order], digits[order]
    (x, x_test), (y, y_test) = np.split(x, [1437]), np.split(y, [1437])
    batches = nn.minibatches(x, y, size=64, rng=rng)

    def accuracy(run):
        run.log("accuracy", np.mean(nn.onecold(run.model(x_test)) == y_test))

    model, loss, optimizer = network(rng), nn.supervised(nn.logit_cross_entropy), optimizers.adam(3e-3)
    done = nn.fit(
        model, loss, batches, optimizer, rng=rng, epochs=max(steps // len(batches), 1),
        validation=(x_test, y_test), callbacks=[accuracy],
    )  # fmt: skip
    history = done.history
    print(f"loss {history['loss'][0]:.3f} -> {history['loss'][-1]:.3f}, accuracy {history['accuracy'][-1]:.1%}")

    draw_history({name: history[name] for name in ("loss", "validation")}, output, "digits", xlabel="epoch")
    draw_readings(x_test[..., 0], nn.onecold(done.model(x_test)), y_test, output, "digits")
    return done.model, history, history["accuracy"][-1]


if __name__ == "__main__":
    run(main)
