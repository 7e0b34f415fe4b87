"""
A rhyme, letter by letter
=========================

Learn a rhyme by heart, letter by letter: an LSTM that says what comes next, and then writes by itself.
"""

from __future__ import annotations

import numpy as np

from adjoint import nn
from adjoint.demos.pictures import OUTPUT, draw_history, draw_probabilities, run
from adjoint.nn import optimizers

WHO = (
    ("house", "built by Jack"),
    ("malt", "lay in"),
    ("rat", "ate"),
    ("cat", "killed"),
    ("dog", "worried"),
    ("cow with the crumpled horn", "tossed"),
    ("maiden all forlorn", "milked"),
    ("man all tattered and torn", "kissed"),
    ("priest all shaven and shorn", "married"),
    ("cock that crowed in the morn", "waked"),
    ("farmer sowing his corn", "kept"),
)
"""A nursery rhyme, printed in 1755: each verse begins with one more, and goes through all that were before."""


def rhyme() -> str:
    """The text, some 2,400 letters."""
    verses = []
    for last in range(len(WHO)):
        lines = [f"this is the {WHO[last][0]}"]
        lines += [f" that {WHO[k][1]} the {WHO[k - 1][0]}" for k in range(last, 0, -1)]
        verses.append("\n".join(lines) + "\n that Jack built.\n\n")
    return "".join(verses)


class Writer(nn.Layer):
    """Letters, (samples, steps), to scores of the next letter, (samples, steps, letters)."""

    def __init__(self, letters, width, rng):
        options = {"rng": rng, "dtype": np.float32}
        self.embedding = nn.Embedding(letters, 16, **options)
        self.memory = nn.LSTM(16, width, **options)
        self.head = nn.Dense(width, letters, **options)

    def run(self, codes, state=None):
        hidden, state = self.memory.run(self.embedding(codes), state)
        return self.head(hidden), state

    def __call__(self, codes):
        return self.run(codes)[0]


def write(model, letters, begin, length, rng, temperature=0.5):
    """Text that goes on from `begin`, a little surer than the model is, and the probabilities that it gave."""
    codes, state, rows = [letters.index(letter) for letter in begin], None, []
    scores, state = model.run(np.array([codes]), state)
    for _ in range(length):
        last = scores[0, -1].astype(float)
        rows.append(nn.softmax(last))
        codes.append(int(rng.choice(len(letters), p=nn.softmax(last / temperature))))
        scores, state = model.run(np.array([codes[-1:]]), state)
    return "".join(letters[code] for code in codes), np.array(rows)


def main(steps: int = 400, output=OUTPUT, seed: int = 0):
    """Train on pieces of 50 letters of the rhyme, let the model write, and draw how sure it was."""
    text = rhyme()
    letters = sorted(set(text))
    codes = np.array([letters.index(letter) for letter in text])
    rng = np.random.default_rng(seed)
    model = Writer(len(letters), 64, rng)
    pieces = np.lib.stride_tricks.sliding_window_view(codes, 51)
    batches = nn.minibatches(pieces[:, :-1], pieces[:, 1:], size=32, rng=rng)
    done = nn.fit(
        model,
        nn.supervised(nn.logit_cross_entropy),
        batches,
        optimizers.chain(optimizers.clip_by_global_norm(1.0), optimizers.adam(1e-2)),
        epochs=max(steps // len(batches), 1),
        rng=rng,
    )
    history = done.history.steps
    print(f"loss {history[0]:.3f} -> {history[-1]:.3f}, over {len(letters)} letters")

    written, rows = write(done.model, letters, "this is the ", 300, rng)
    print(written)
    draw_history(history, output, "characters")
    draw_probabilities(rows[:70], letters, written[-len(rows) :][:70], output, "characters")
    return done.model, history, written


if __name__ == "__main__":
    run(main)
