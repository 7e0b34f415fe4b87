"""
A rhyme, letter by letter
=========================

Learn a rhyme by heart, letter by letter: an LSTM that says what comes next, and then writes by itself.
"""

from __future__ import annotations

import numpy as np

from adjoint import nn
from adjoint.demos.pictures import OUTPUT, draw_history, draw_probabilities, run
from adjoint.demos.rhymes import rhyme


def step(model, codes, state=None):
    """Scores of what comes next, (samples, steps, letters), and what the model remembers."""
    hidden, state = model["memory"].run(model["embedding"](codes), state)
    return model["head"](hidden), state


def write(model, letters, begin, length, rng, temperature=0.5):
    """Text that goes on from `begin`, a little surer than the model is, and the probabilities that it gave."""
    codes, rows, state = [letters.index(letter) for letter in begin], [], None
    for _ in range(length):
        scores, state = step(model, np.array([codes[-1:] if rows else codes]), state)
        last = scores[0, -1].astype(float)
        rows.append(nn.softmax(last))
        codes.append(int(rng.choice(len(letters), p=nn.softmax(last / temperature))))
    return "".join(letters[code] for code in codes), np.array(rows)


def main(steps: int = 400, output=OUTPUT, seed: int = 0):
    """Train on pieces of 50 letters of the rhyme, let the model write, and draw how sure it was."""
    text = rhyme()
    letters = sorted(set(text))
    codes = np.array([letters.index(letter) for letter in text])
    rng = np.random.default_rng(seed)
    model = nn.Chain(
        embedding=nn.Embedding(len(letters), 16, rng=rng, dtype=np.float32),
        memory=nn.LSTM(16, 64, rng=rng, dtype=np.float32),
        head=nn.Dense(64, len(letters), rng=rng, dtype=np.float32),
    )
    pieces = np.lib.stride_tricks.sliding_window_view(codes, 51)
    batches = nn.minibatches(pieces[:, :-1], pieces[:, 1:], size=32, rng=rng)
    optimizer = nn.optimizers.chain(nn.optimizers.clip_by_global_norm(1.0), nn.optimizers.adam(1e-2))
    epochs = max(steps // len(batches), 1)
    done = nn.fit(model, nn.supervised(nn.logit_cross_entropy), batches, optimizer, epochs=epochs, rng=rng)
    history = done.history.steps
    print(f"loss {history[0]:.3f} -> {history[-1]:.3f}, over {len(letters)} letters")

    written, rows = write(done.model, letters, "this is the ", 300, rng)
    print(written)
    draw_history(history, output, "characters")
    draw_probabilities(rows[:70], letters, written[-len(rows) :][:70], output, "characters")
    return done.model, history, written


if __name__ == "__main__":
    run(main)
