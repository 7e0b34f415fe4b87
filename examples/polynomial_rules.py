"""
A polynomial by rules alone
===========================

Fit a polynomial by rules alone: no code is generated, each `back` is called by hand.

`rrule` gives the value of a function and the function that takes cotangents backwards. The chain rule is then a matter
of calling the `back`s in the reverse order, first in a loop over the samples, then with `map`.
"""

from __future__ import annotations

import numpy as np

from adjoint import rrule, rule
from adjoint.demos.pictures import OUTPUT, draw_history, run
from adjoint.demos.polynomials import LEARNING_RATE, noisy_polynomial, progress, report
from adjoint.nn import mse


def evalpoly(x, weights):
    """w₀ + w₁ x + w₂ x² + ..., by Horner's scheme."""
    return np.polyval(weights[::-1], x)


@rule(evalpoly)
def evalpoly_rule(x, weights):
    """x̄ = ȳ Σᵢ i wᵢ xⁱ⁻¹ and w̄ᵢ = ȳ xⁱ."""
    powers = x ** np.arange(len(weights))
    slope = np.arange(1, len(weights)) * weights[1:] @ powers[:-1]
    return evalpoly(x, weights), lambda y_bar: (y_bar * slope, y_bar * powers)


def by_loop(weights, xs, ys):
    """The loss and its gradient, from one sample after the other, with a loss for each."""
    total, weights_bar = 0.0, np.zeros_like(weights)
    for x, y in zip(xs, ys, strict=True):
        y_hat, evalpoly_back = rrule(evalpoly, x, weights)
        loss, mse_back = rrule(mse, y_hat, y)
        _, y_hat_bar, _ = mse_back(1.0 / len(xs))
        total, weights_bar = total + loss / len(xs), weights_bar + evalpoly_back(y_hat_bar)[2]
    return total, weights_bar


def by_map(weights, xs, ys):
    """The same from all samples at once, with one loss: nearly what `pullback` does with `map`."""
    y_hats, backs = zip(*map(lambda x: rrule(evalpoly, x, weights), xs), strict=True)
    loss, mse_back = rrule(mse, np.array(y_hats), ys)
    _, y_hats_bar, _ = mse_back(1.0)
    return loss, sum(back(y_bar)[2] for back, y_bar in zip(backs, y_hats_bar, strict=True))


def main(steps: int = 200, output=OUTPUT, seed: int = 0):
    """Fit a polynomial by calling rules by hand, once with a loop over the samples and once with map."""
    xs, ys = noisy_polynomial(seed=seed)
    fits, histories = {}, {}
    for name, value_and_grad in {"rules in a loop": by_loop, "rules and map": by_map}.items():
        fits[name], histories[name] = np.random.default_rng(seed + 1).random(4), []
        for _ in progress(name, steps):
            loss, weights_bar = value_and_grad(fits[name], xs, ys)
            fits[name] = fits[name] - LEARNING_RATE * weights_bar
            histories[name].append(loss)
    report(xs, ys, fits, output, "polynomial_rules")
    draw_history(histories, output, "polynomial_rules")
    return fits, histories


if __name__ == "__main__":
    run(main)
