"""
Handwritten digits
==================

Read handwritten digits: a small convolutional network on the 1797 images of 8×8 pixels that scikit-learn has.
"""

from __future__ import annotations

import numpy as np
from sklearn.datasets import load_digits

from adjoint import nn
from adjoint.demos.pictures import OUTPUT, draw_history, draw_images, run
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
    train, test = slice(0, 1437), slice(1437, None)
    model = network(rng)
    print(model)

    batches = nn.minibatches(x[train], y[train], size=64, rng=rng)

    def accuracy(model):
        return np.mean(nn.onecold(model(x[test])) == y[test])

    done = nn.fit(
        model,
        nn.supervised(nn.logit_cross_entropy),
        batches,
        optimizers.adam(3e-3),
        epochs=max(steps // len(batches), 1),
        rng=rng,
        validation=(x[test], y[test]),
        callbacks=[lambda run: run.log("accuracy", accuracy(run.model))],
    )
    history = done.history
    print(f"loss {history['loss'][0]:.3f} -> {history['loss'][-1]:.3f}, accuracy {history['accuracy'][-1]:.1%}")

    read = nn.onecold(done.model(x[test]))
    draw_history({name: history[name] for name in ("loss", "validation")}, output, "digits", xlabel="epoch")
    wrong = np.flatnonzero(read != y[test])[:8]
    shown = [*wrong, *np.flatnonzero(read == y[test])[: 16 - len(wrong)]]
    titles = [f"{read[i]}" + (f" ({y[test][i]})" if read[i] != y[test][i] else "") for i in shown]
    draw_images(x[test][shown, :, :, 0], titles, output, "digits")
    return done.model, history, history["accuracy"][-1]


if __name__ == "__main__":
    run(main)
