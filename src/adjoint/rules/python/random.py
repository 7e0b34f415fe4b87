"""The module `random`: a draw is a constant; what shifts, scales or selects draws has a derivative.

Draws by rejection are refused by the parameters on which that depends; other methods of `Random` are followed.
"""

from __future__ import annotations

import functools
import random
from typing import Any

from ...tangents import unbroadcast, unknown
from ..registry import Back, non_differentiable, rule
from .iteration import collect, place, scatter, source_of, spread


def _between(a: Any, b: Any, u: float) -> tuple[Any, Back]:
    """y = a + (b - a) u."""

    def between_back(y_bar: Any) -> tuple[Any, ...]:
        return unbroadcast(y_bar * (1 - u), a), unbroadcast(y_bar * u, b)

    return a + (b - a) * u, between_back


def _scaled(mu: Any, sigma: Any, z: float) -> tuple[Any, Back]:
    """y = μ + z σ."""

    def scaled_back(y_bar: Any) -> tuple[Any, ...]:
        return unbroadcast(y_bar, mu), unbroadcast(y_bar * z, sigma)

    return mu + z * sigma, scaled_back


@rule(random.uniform, returns="float")
def uniform_rule(a: Any, b: Any) -> tuple[Any, Back]:
    """y = a + (b - a) u."""
    return _between(a, b, random.random())


@rule(random.gauss, returns="float")
def gauss_rule(mu: Any = 0.0, sigma: Any = 1.0) -> tuple[Any, Back]:
    """y = μ + z σ."""
    return _scaled(mu, sigma, random.gauss(0.0, 1.0))


@rule(random.normalvariate, returns="float")
def normalvariate_rule(mu: Any = 0.0, sigma: Any = 1.0) -> tuple[Any, Back]:
    """y = μ + z σ."""
    return _scaled(mu, sigma, random.normalvariate(0.0, 1.0))


def _of_generator(y: Any, back: Back) -> tuple[Any, Back]:
    """The same of a method, whose generator gets nothing."""
    return y, lambda y_bar: (None, *back(y_bar))


@rule(random.Random.uniform, returns="float")
def uniform_of_rule(self: Any, a: Any, b: Any) -> tuple[Any, Back]:
    """y = a + (b - a) u."""
    return _of_generator(*_between(a, b, self.random()))


@rule(random.Random.gauss, returns="float")
def gauss_of_rule(self: Any, mu: Any = 0.0, sigma: Any = 1.0) -> tuple[Any, Back]:
    """y = μ + z σ."""
    return _of_generator(*_scaled(mu, sigma, random.Random.gauss(self, 0.0, 1.0)))


@rule(random.Random.normalvariate, returns="float")
def normalvariate_of_rule(self: Any, mu: Any = 0.0, sigma: Any = 1.0) -> tuple[Any, Back]:
    """y = μ + z σ."""
    return _of_generator(*_scaled(mu, sigma, random.Random.normalvariate(self, 0.0, 1.0)))


JUMPS = "it is drawn by rejection: with the same random bits it jumps as the parameter moves"


@rule(random.Random.gammavariate, returns="float")
def gammavariate_rule(self: Any, alpha: Any, beta: Any) -> tuple[Any, Back]:
    """y = β z(α)."""
    y = random.Random.gammavariate(self, alpha, beta)

    def gammavariate_back(y_bar: Any) -> tuple[Any, ...]:
        way_out = "draw by quantiles: `beta * scipy.stats.gamma.ppf(random.random(), alpha)`"
        alpha_bar = unknown("`alpha` of `gammavariate`", JUMPS, way_out, True)
        return None, alpha_bar, unbroadcast(y_bar * (y / beta), beta)

    return y, gammavariate_back


@rule(random.Random.betavariate, returns="float")
def betavariate_rule(self: Any, alpha: Any, beta: Any) -> tuple[Any, Back]:
    """No derivative by either parameter."""

    def betavariate_back(y_bar: Any) -> tuple[Any, ...]:
        way_out = "draw by quantiles: `scipy.stats.beta.ppf(random.random(), alpha, beta)`"
        alpha_bar = unknown("`alpha` of `betavariate`", JUMPS, way_out, True)
        return None, alpha_bar, unknown("`beta` of `betavariate`", JUMPS, way_out, True)

    return random.Random.betavariate(self, alpha, beta), betavariate_back


@rule(random.Random.vonmisesvariate, returns="float")
def vonmisesvariate_rule(self: Any, mu: Any, kappa: Any) -> tuple[Any, Back]:
    """y = μ + z(κ), wrapped; a κ that is nearly 0 counts as 0, and then y is uniform, whatever μ."""

    def vonmisesvariate_back(y_bar: Any) -> tuple[Any, ...]:
        way_out = "make it a constant: `adjoint.stop_gradient(kappa)`"
        kappa_bar = unknown("`kappa` of `vonmisesvariate`", JUMPS, way_out, True)
        return None, unbroadcast(y_bar if kappa > 1e-6 else 0.0 * y_bar, mu), kappa_bar

    return random.Random.vonmisesvariate(self, mu, kappa), vonmisesvariate_back


def _one(draw: Any, seq: Any) -> tuple[Any, Back]:
    """One item: what is selected gets all of it."""
    source, index = source_of(seq), draw(range(len(seq)))
    return seq[index], lambda y_bar: (place(source, index, y_bar),)


def _several(population: Any, picks: Any) -> tuple[Any, Back]:
    """Items by their places; nothing flows through their number, or their weights."""
    source, n = source_of(population), len(population)
    return collect(picks, population), lambda y_bar: (spread(source, scatter(n, picks, y_bar)), None)


@rule(random.choice)
def choice_rule(seq: list | tuple) -> tuple[Any, Back]:  # type: ignore[type-arg]
    """One item: what is selected gets all of it."""
    return _one(random.choice, seq)


@rule(random.Random.choice)
def choice_of_rule(self: Any, seq: list | tuple) -> tuple[Any, Back]:  # type: ignore[type-arg]
    """One item: what is selected gets all of it."""
    return _of_generator(*_one(functools.partial(random.Random.choice, self), seq))


@rule(random.sample)
def sample_rule(population: list | tuple, k: int) -> tuple[Any, Back]:  # type: ignore[type-arg]
    """`k` different items."""
    return _several(population, random.sample(range(len(population)), k))


@rule(random.Random.sample)
def sample_of_rule(self: Any, population: list | tuple, k: int) -> tuple[Any, Back]:  # type: ignore[type-arg]
    """`k` different items."""
    return _of_generator(*_several(population, random.Random.sample(self, range(len(population)), k)))


@rule(random.choices)
def choices_rule(
    population: list | tuple,  # type: ignore[type-arg]
    weights: Any = None,
    *,
    cum_weights: Any = None,
    k: int = 1,
) -> tuple[Any, Back]:
    """`k` items with replacement; nothing flows through the weights."""
    return _several(population, random.choices(range(len(population)), weights, cum_weights=cum_weights, k=k))


@rule(random.Random.choices)
def choices_of_rule(
    self: Any,
    population: list | tuple,  # type: ignore[type-arg]
    weights: Any = None,
    *,
    cum_weights: Any = None,
    k: int = 1,
) -> tuple[Any, Back]:
    """`k` items with replacement; nothing flows through the weights."""
    places = range(len(population))
    picks = random.Random.choices(self, places, weights, cum_weights=cum_weights, k=k)
    return _of_generator(*_several(population, picks))


non_differentiable(random.random, random.randint, random.randrange, random.getrandbits, random.seed, random.randbytes)
non_differentiable(random.getstate, random.setstate)
if hasattr(random.Random, "binomialvariate"):
    non_differentiable(random.Random.binomialvariate)
