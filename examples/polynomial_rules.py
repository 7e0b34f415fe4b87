"""
A polynomial by rules alone
===========================

Fit a polynomial by rules alone: no code is generated, each `back` is called by hand.

`rrule` gives the value of a function and the function that takes cotangents backwards. The chain rule is then a matter
of calling the `back`s in the reverse order, first in a loop over the samples, then with `map`.
"""

from __future__ import annotations

import operator
from functools import reduce
from itertools import repeat

import numpy as np

from adjoint import rrule, rule
from adjoint.demos.pictures import OUTPUT, draw_fit, draw_history, run
from adjoint.demos.polynomials import LEARNING_RATE, evaluate, least_squares, noisy_polynomial, report
from adjoint.nn import mse

PARTS = 4  # by hand 200 calls of rules a step take their time: how far it is is said so often


def evalpoly(x, weights):
    """w₀ + w₁ x + w₂ x² + ..., by Horner's scheme."""
    y = 0.0
    for w in weights[::-1]:
        y = y * x + w
    return y


@rule(evalpoly)
def evalpoly_rule(x, weights):
    """x̄ = ȳ Σᵢ i wᵢ xⁱ⁻¹ and w̄ᵢ = ȳ xⁱ."""
    powers = x ** np.arange(len(weights))

    def evalpoly_back(y_bar):
        slopes = np.arange(1, len(weights)) * weights[1:]
        return y_bar * (slopes @ powers[:-1]), y_bar * powers

    return evalpoly(x, weights), evalpoly_back


def descend_with_loop(weights, xs, ys, learning_rate, steps):
    """One sample after the other, with a loss for each."""
    history = []
    for _ in range(steps):
        loss, weights_bar = 0.0, np.zeros_like(weights)
        for x, y in zip(xs, ys, strict=True):
            y_hat, evalpoly_back = rrule(evalpoly, x, weights)
            loss_x, mse_back = rrule(mse, y_hat, y)
            _, y_hat_bar, _ = mse_back(1.0 / len(xs))
            _, _, weights_bar_x = evalpoly_back(y_hat_bar)
            loss += loss_x / len(xs)
            weights_bar += weights_bar_x
        weights = weights - learning_rate * weights_bar
        history.append(loss)
    return weights, history


def descend_with_map(weights, xs, ys, learning_rate, steps):
    """All samples at once, with one loss: nearly what `pullback` does with `map`."""
    history = []
    for _ in range(steps):
        y_hats, backs = zip(*map(rrule, repeat(evalpoly), xs, repeat(weights)), strict=True)
        loss, mse_back = rrule(mse, np.array(y_hats), ys)
        _, y_hats_bar, _ = mse_back(1.0)
        weights_bar = reduce(operator.add, map(lambda back, bar: back(bar)[2], backs, y_hats_bar))
        weights = weights - learning_rate * weights_bar
        history.append(loss)
    return weights, history


def main(steps: int = 200, output=OUTPUT, seed: int = 0):
    """Fit a polynomial by calling rules by hand, once with a loop over the samples and once with map."""
    xs, ys = noisy_polynomial(seed=seed)
    start = np.random.default_rng(seed + 1).random(4)
    fits, histories = {}, {}
    for name, descend in {"rules in a loop": descend_with_loop, "rules and map": descend_with_map}.items():
        fits[name], histories[name] = start, []
        for some in np.array_split(np.arange(steps), PARTS):
            fits[name], losses = descend(fits[name], xs, ys, LEARNING_RATE, len(some))
            histories[name] += losses
            print(f"{name:<18} {len(histories[name])} of {steps} steps", flush=True)
    report(xs, ys, fits)
    curves = {name: evaluate(weights) for name, weights in fits.items()}
    draw_fit(xs, ys, curves | {"least squares": evaluate(least_squares(xs, ys))}, output, "polynomial_rules")
    draw_history(histories, output, "polynomial_rules")
    return fits, histories


if __name__ == "__main__":
    run(main)
