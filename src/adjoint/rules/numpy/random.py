"""`np.random`: a draw is a constant; what shifts and scales draws has a derivative.

No rule is given to functions that take entries of their argument (`choice`, `permutation`, `shuffle`).
"""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

from types import MethodType
from typing import Any

import numpy as np
import numpy.random as random

from ..registry import Back, non_differentiable, rule
from .linear import bring_back

LOCATION_AND_SCALE = ("normal", "laplace", "logistic", "gumbel")
TAKES_ENTRIES = ("choice", "permutation", "permuted", "shuffle")


def _location_and_scale_rule(draw: Any) -> Any:
    """y = μ + z σ."""

    def draw_rule(self: Any, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> tuple[Any, Back]:
        y = draw(self, loc, scale, size)

        def draw_back(y_bar: Any) -> tuple[Any, ...]:
            z = (y - np.asarray(loc)) / np.asarray(scale)
            return None, bring_back(y_bar * np.ones(np.shape(y)), loc), bring_back(y_bar * z, scale)

        return y, draw_back

    return draw_rule


def _uniform_rule(draw: Any) -> Any:
    """y = a + (b - a) u."""

    def uniform_rule(self: Any, low: Any = 0.0, high: Any = 1.0, size: Any = None) -> tuple[Any, Back]:
        y = draw(self, low, high, size)

        def uniform_back(y_bar: Any) -> tuple[Any, ...]:
            u = (y - np.asarray(low)) / (np.asarray(high) - np.asarray(low))
            return None, bring_back(y_bar * (1 - u), low), bring_back(y_bar * u, high)

        return y, uniform_back

    return uniform_rule


def _exponential_rule(draw: Any) -> Any:
    """y = β z."""

    def exponential_rule(self: Any, scale: Any = 1.0, size: Any = None) -> tuple[Any, Back]:
        y = draw(self, scale, size)

        def exponential_back(y_bar: Any) -> tuple[Any, ...]:
            return None, bring_back(y_bar * y / np.asarray(scale), scale)

        return y, exponential_back

    return exponential_rule


for _owner in (random.Generator, random.RandomState):
    for _name, _draw in vars(_owner).items():
        if _name in LOCATION_AND_SCALE:
            rule(_draw)(_location_and_scale_rule(_draw))
        elif _name == "uniform":
            rule(_draw)(_uniform_rule(_draw))
        elif _name == "exponential":
            rule(_draw)(_exponential_rule(_draw))
        elif not _name.startswith("_") and _name not in TAKES_ENTRIES and callable(_draw):
            non_differentiable(_draw)

# The functions of the module are methods of one hidden generator.
for _name in random.__all__:
    _draw = getattr(random, _name)
    if isinstance(_draw, MethodType) and _name not in (*TAKES_ENTRIES, *LOCATION_AND_SCALE, "uniform", "exponential"):
        non_differentiable(_draw)

non_differentiable(random.default_rng, random.seed, random.Generator, random.RandomState, random.SeedSequence)
non_differentiable(
    random.BitGenerator, random.MT19937, random.PCG64, random.PCG64DXSM, random.Philox, random.SFC64, random.ranf,
    random.sample, *[getattr(random, _name) for _name in ("get_bit_generator", "set_bit_generator")],
)  # fmt: skip
