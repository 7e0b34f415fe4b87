"""The Bessel function that NumPy has."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import math

import numpy as np

from ..registry import non_differentiable, scalar_rule


@scalar_rule(np.i0)
def i0_partial(x, y):
    return bessel_i1(x)


def bessel_i1(x):
    """I₁(x) = 1/π ∫₀^π exp(x cos θ) cos θ dθ by the midpoint rule, which is exact to rounding with enough points.

    Source: Abramowitz and Stegun, Handbook of Mathematical Functions, 9.6.19.
    """
    x = np.asarray(x, dtype=np.float64)
    cosines = midpoints(x)
    return np.mean(np.exp(x[..., None] * cosines) * cosines, axis=-1)


def midpoints(x):
    """cos θ at as many points as x needs."""
    n = 32 + int(np.max(np.minimum(np.nan_to_num(np.abs(x)), 720.0), initial=0.0))  # beyond, I₁ is infinite
    return np.cos((np.arange(n) + 0.5) * (math.pi / n))


non_differentiable(midpoints)
