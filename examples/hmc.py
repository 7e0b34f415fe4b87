"""
Hamiltonian Monte Carlo
=======================

Hamiltonian Monte Carlo: draws from a density by its gradient. Here the posterior of a line through noisy data.
"""

import numpy as np

from adjoint.demos.pictures import OUTPUT, draw_densities, run
from adjoint.demos.polynomials import noisy_line
from adjoint.optimize import Objective


def sample(log_density, start, *, draws=1000, tune=500, length=1.5, rng=None):
    """Draws of a model (or dict) from a log density, as models like `start`; and the share of proposals accepted.

    A fictitious particle with a random momentum moves along the density's slopes for about `length` (R. M. Neal, "MCMC
    using Hamiltonian dynamics", 2011). While it tunes, it learns the size of the steps by which 80 % are accepted, and
    the variance of each number, which sets the scale of its momentum.
    """
    rng, objective = np.random.default_rng(rng), Objective(log_density, like=start)
    here = (objective.x0, *objective.value_and_grad(objective.x0))
    scale, log_step = 1.0, np.log(0.1)
    chain, accepted = [], []
    for i in range(tune + draws):
        steps = min(1 + int(rng.uniform(0.5, 1.5) * length / np.exp(log_step)), 100)
        gain, there = leapfrog(objective.value_and_grad, *here, scale * np.exp(log_step), steps, rng)
        accepted.append(np.log(rng.uniform()) < gain < np.inf)
        here = there if accepted[-1] else here
        chain.append(here[0])
        log_step += (i < tune) * (accepted[-1] - 0.8) / np.sqrt(i + 10)
        if i in (tune // 4, tune // 2):
            scale, log_step = np.std(chain[i // 2 :], axis=0) + 1e-3 * scale, np.log(0.3)
    return [objective.unravel(x) for x in chain[tune:]], np.mean(accepted[tune:])


def leapfrog(value_and_grad, x, value, slope, step, steps, rng):
    """The energy lost and the place reached by moves along the slopes.

    There is half a step of momentum before and after each step of the place.
    """
    momentum = rng.normal(size=x.size)
    energy = 0.5 * momentum @ momentum - value
    for _ in range(steps):
        momentum = momentum + 0.5 * step * slope
        x = x + step * momentum
        value, slope = value_and_grad(x)
        momentum = momentum + 0.5 * step * slope
    return energy - 0.5 * momentum @ momentum + value, (x, value, slope)


def main(steps: int = 2000, output=OUTPUT, seed: int = 0):
    """Draw from the posterior of a line, flat in its weights and log σ, and draw the draws."""
    inputs, values = noisy_line(seed=seed)

    def log_density(p):
        squares = np.sum((values - inputs @ p["weights"]) ** 2)
        return -len(values) * p["log_sigma"] - 0.5 * squares * np.exp(-2 * p["log_sigma"])

    draws, accepted = sample(log_density, {"weights": np.zeros(2), "log_sigma": 0.0}, draws=steps, rng=seed + 1)
    print(f"{accepted:.0%} of the proposals accepted")
    numbers = np.array([[*p["weights"], np.exp(p["log_sigma"])] for p in draws])
    draw_densities(["offset", "slope", "σ"], numbers, np.linalg.lstsq(inputs, values)[0], output, "hmc")
    return draws, accepted


if __name__ == "__main__":
    run(main)
