"""
Hamiltonian Monte Carlo
=======================

Hamiltonian Monte Carlo: draws from a density by its gradient. Here the posterior of a line through noisy data.
"""

from __future__ import annotations

import numpy as np

from adjoint.demos.pictures import OUTPUT, draw_densities, run
from adjoint.optimize import Objective


def sample(log_density, start, *, draws=1000, tune=500, length=1.5, rng=None):
    """Draws of a model (or dict) from a log density, as models like `start`; and the share of proposals accepted.

    A fictitious particle with a random momentum moves along the density's slopes for about `length` (R. M. Neal, "MCMC
    using Hamiltonian dynamics", 2011). While it tunes, it learns the size of the steps by which 80 % are accepted, and
    the variance of each number, which sets the scale of its momentum.
    """
    rng = rng or np.random.default_rng()
    objective = Objective(log_density, like=start)
    x, scale, log_step, accepted = objective.x0, np.ones_like(objective.x0), np.log(0.1), 0.0
    value, slope = objective.value_and_grad(x)
    chain = np.empty((tune + draws, x.size))
    for i in range(tune + draws):
        step = np.exp(log_step)
        momentum = rng.normal(size=x.size)
        steps = 1 + int(rng.uniform(0.5, 1.5) * length / step)
        new = leapfrog(objective, x, momentum, slope, step, scale, min(steps, 100))
        gain = new[2] - value + 0.5 * (momentum @ momentum - new[1] @ new[1])
        chance = float(np.exp(min(gain, 0.0))) if np.isfinite(gain) else 0.0
        if rng.uniform() < chance:
            x, _, value, slope = new
        chain[i] = x
        if i < tune:
            log_step += (chance - 0.8) / np.sqrt(i + 10)
            if i in (tune // 4, tune // 2):
                scale, log_step = chain[i // 2 : i + 1].std(axis=0) + 1e-3 * scale, np.log(0.3)
        else:
            accepted += chance / draws
    return [objective.unravel(x) for x in chain[tune:]], accepted


def leapfrog(objective, x, momentum, slope, step, scale, steps):
    """Moves place and momentum along the slopes, half a step of momentum before and after each step of the place."""
    for _ in range(steps):
        momentum = momentum + 0.5 * step * scale * slope
        x = x + step * scale * momentum
        value, slope = objective.value_and_grad(x)
        momentum = momentum + 0.5 * step * scale * slope
    return x, momentum, value, slope


def line(seed: int = 0, samples: int = 12):
    """Inputs and noisy values of a line, and the log density of its parameters: flat in weights and log σ."""
    rng = np.random.default_rng(seed)
    inputs = np.column_stack([np.ones(samples), rng.uniform(-2, 2, samples)])
    values = inputs @ np.array([1.0, -0.5]) + 0.4 * rng.normal(size=samples)

    def log_density(p):
        residuals = values - inputs @ p["weights"]
        return -samples * p["log_sigma"] - 0.5 * np.sum(residuals**2) * np.exp(-2 * p["log_sigma"])

    return inputs, values, log_density


def main(steps: int = 2000, output=OUTPUT, seed: int = 0):
    """Draw from the posterior of a line, and draw the draws."""
    inputs, values, log_density = line(seed)
    start = {"weights": np.zeros(2), "log_sigma": 0.0}
    draws, accepted = sample(log_density, start, draws=steps, rng=np.random.default_rng(seed + 1))
    found = {
        "offset": np.array([p["weights"][0] for p in draws]),
        "slope": np.array([p["weights"][1] for p in draws]),
        "σ": np.exp([p["log_sigma"] for p in draws]),
    }
    least = dict(zip(found, np.linalg.lstsq(inputs, values)[0], strict=False))
    for name, numbers in found.items():
        known = f", least squares {least[name]:.3f}" if name in least else ""
        print(f"{name}: {np.mean(numbers):.3f} ± {np.std(numbers):.3f}{known}")
    print(f"{accepted:.0%} of the proposals accepted")
    draw_densities(found, least, output, "hmc")
    return draws, accepted


if __name__ == "__main__":
    run(main)
