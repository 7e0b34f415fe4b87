"""Functions that work element by element, most of them declared by their partials."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import math
from typing import Any

import numpy as np

from ...tangents import unbroadcast
from ..python import scalars
from ..registry import Numeric, rule, scalar_rule
from .linear import ghost

LN2 = math.log(2.0)
LN10 = math.log(10.0)


# Arithmetic


scalar_rule(np.positive)(scalars.pos_partial)
scalar_rule(np.negative)(scalars.neg_partial)
scalar_rule(np.add)(scalars.add_partials)
scalar_rule(np.subtract)(scalars.sub_partials)
scalar_rule(np.multiply)(scalars.mul_partials)
scalar_rule(np.true_divide, singular=True)(scalars.truediv_partials)
scalar_rule(np.remainder)(scalars.mod_partials)
scalar_rule(np.power, np.float_power, singular=True)(scalars.pow_partials)
scalar_rule(np.power, np.float_power, singular=True)(scalars.power_partials)


@scalar_rule(np.square)
def square_partial(x, y):
    return 2 * x


@scalar_rule(np.reciprocal, singular=True)
def reciprocal_partial(x, y):
    return -y * y


@scalar_rule(np.fmod)
def fmod_partials(x1, x2, y):
    return 1, -np.trunc(x1 / x2)


@rule(np.divmod)
def divmod_rule(x1: Numeric, x2: Numeric):
    """`q, r = x1 // x2, x1 - q x2`; q is piecewise constant."""
    q, r = np.divmod(x1, x2)

    def divmod_back(y_bar):
        _, r_bar = y_bar
        return (None, None) if r_bar is None else (unbroadcast(r_bar, x1), unbroadcast(-q * r_bar, x2))

    return (q, r), divmod_back


@rule(np.modf)
def modf_rule(x: Numeric):
    """`f, n = x - trunc(x), trunc(x)`; n is piecewise constant."""

    def modf_back(y_bar):
        f_bar, _ = y_bar
        return (unbroadcast(f_bar, x),)

    return np.modf(x), modf_back


@rule(np.frexp)
def frexp_rule(x: Numeric):
    """`x = m 2ᵉ`; e is piecewise constant."""
    m, e = np.frexp(x)

    def frexp_back(y_bar):
        m_bar, _ = y_bar
        return (None,) if m_bar is None else (unbroadcast(m_bar * np.ldexp(1.0, -e), x),)

    return (m, e), frexp_back


@rule(np.ldexp, returns="array")
def ldexp_rule(x1: Numeric, x2: Any):
    """`y = x1 · 2ˣ²`, x2 an integer."""

    def ldexp_back(y_bar):
        return unbroadcast(np.ldexp(y_bar, x2), x1), None

    return np.ldexp(x1, x2), ldexp_back


# Powers, exponentials, logarithms


@scalar_rule(np.sqrt, singular=True)
def sqrt_partial(x, y):
    return 0.5 / y


@scalar_rule(np.sqrt, singular=True, returns="float64")
def sqrt_number_partial(x: float, y):
    return 0.5 / y if y else math.inf


@scalar_rule(np.cbrt, singular=True)
def cbrt_partial(x, y):
    return 1 / (3 * y * y)


@scalar_rule(np.exp)
def exp_partial(x, y):
    return y


@scalar_rule(np.exp2)
def exp2_partial(x, y):
    return LN2 * y


@scalar_rule(np.expm1)
def expm1_partial(x, y):
    return y + 1


@scalar_rule(np.log, singular=True)
def log_partial(x, y):
    return np.divide(1, x)


@scalar_rule(np.log2, singular=True)
def log2_partial(x, y):
    return np.divide(1 / LN2, x)


@scalar_rule(np.log10, singular=True)
def log10_partial(x, y):
    return np.divide(1 / LN10, x)


@scalar_rule(np.log1p, singular=True)
def log1p_partial(x, y):
    return np.divide(1, 1 + x)


@scalar_rule(np.logaddexp, singular=True)
def logaddexp_partials(x1, x2, y):
    return np.exp(x1 - y), np.exp(x2 - y)


@scalar_rule(np.logaddexp2, singular=True)
def logaddexp2_partials(x1, x2, y):
    return np.exp2(x1 - y), np.exp2(x2 - y)


# Trigonometric and hyperbolic functions


@scalar_rule(np.sin)
def sin_partial(x, y):
    return np.cos(x)


@scalar_rule(np.cos)
def cos_partial(x, y):
    return -np.sin(x)


@scalar_rule(np.tan)
def tan_partial(x, y):
    return 1 + y * y


@scalar_rule(np.arcsin, singular=True)
def arcsin_partial(x, y):
    return 1 / np.sqrt(1 - x * x)


@scalar_rule(np.arccos, singular=True)
def arccos_partial(x, y):
    return -1 / np.sqrt(1 - x * x)


@scalar_rule(np.arctan)
def arctan_partial(x, y):
    return 1 / (1 + x * x)


@scalar_rule(np.sinh)
def sinh_partial(x, y):
    return np.cosh(x)


@scalar_rule(np.cosh)
def cosh_partial(x, y):
    return np.sinh(x)


@scalar_rule(np.tanh)
def tanh_partial(x, y):
    return 1 - y * y


@scalar_rule(np.arcsinh)
def arcsinh_partial(x, y):
    return 1 / np.sqrt(x * x + 1)


# In two factors: of a complex root of x² - 1 the branch would be wrong.
@scalar_rule(np.arccosh, singular=True)
def arccosh_partial(x, y):
    return 1 / (np.sqrt(x - 1) * np.sqrt(x + 1))


@scalar_rule(np.arctanh, singular=True)
def arctanh_partial(x, y):
    return np.divide(1, 1 - x * x)


@scalar_rule(np.arctan2, singular=True)
def arctan2_partials(x1, x2, y):
    return np.divide(x2, x1 * x1 + x2 * x2), np.divide(-x1, x1 * x1 + x2 * x2)


@scalar_rule(np.hypot)
def hypot_partials(x1, x2, y):
    return x1 / np.where(y == 0, 1, y), x2 / np.where(y == 0, 1, y)


@scalar_rule(np.deg2rad, np.radians)
def deg2rad_partial(x, y):
    return math.pi / 180


@scalar_rule(np.rad2deg, np.degrees)
def rad2deg_partial(x, y):
    return 180 / math.pi


@scalar_rule(np.sinc)
def sinc_partial(x, y):
    return np.where(
        np.abs(x) < 1e-3,
        x * (math.pi**4 / 30 * x * x - math.pi**2 / 3),
        (np.cos(math.pi * x) - y) / np.where(x == 0, 1, x),
    )


@scalar_rule(np.i0)
def i0_partial(x, y):
    return bessel_i1(x)


def bessel_i1(x):
    """I₁(x) = 1/π ∫₀^π exp(x cos θ) cos θ dθ by the midpoint rule, which is exact to rounding with enough points.

    Source: Abramowitz and Stegun, Handbook of Mathematical Functions, 9.6.19.
    """
    x = np.asarray(x, dtype=np.float64)
    n = 32 + int(np.max(np.abs(x), initial=0.0))
    cosines = np.cos((np.arange(n) + 0.5) * (math.pi / n))
    return np.mean(np.exp(x[..., None] * cosines) * cosines, axis=-1)


# Absolute value, sign, complex numbers


@scalar_rule(np.abs)
def abs_partial(x, y):
    return np.conj(x) / np.where(y == 0, 1, y) if np.iscomplexobj(x) else np.sign(x)


@scalar_rule(np.fabs)
def fabs_partial(x, y):
    return np.sign(x)


@scalar_rule(np.copysign)
def copysign_partials(x1, x2, y):
    return np.sign(x1) * np.copysign(1, x2), 0.0


@scalar_rule(np.real)
def real_partial(val, y):
    return 1


@scalar_rule(np.imag)
def imag_partial(val, y):
    return -1j


@scalar_rule(np.real_if_close)
def real_if_close_partial(a, y):
    return 1


@rule(np.conj, returns="elementwise")
def conj_rule(x: Numeric):
    """y = conj(z) is not holomorphic: z̄ = conj(ȳ)."""
    like = ghost(x)

    def conj_back(y_bar):
        return (unbroadcast(y_bar.conjugate(), like),)

    return np.conj(x), conj_back


@rule(np.ndarray.conj, np.ndarray.conjugate, np.generic.conj, np.generic.conjugate, returns="elementwise")
def conj_method_rule(x: np.ndarray | np.generic):
    """`x.conj()`, which for real numbers is x itself."""
    like = ghost(x)

    def conj_method_back(y_bar):
        return (unbroadcast(y_bar.conjugate(), like),)

    return x.conj(), conj_method_back


@rule(np.angle, returns="elementwise")
def angle_rule(z: Numeric, deg: Any = False):
    """y = Im log z, so z̄ = i ȳ z / |z|²."""

    def angle_back(y_bar):
        scale = (180 / math.pi if deg else 1) / np.where(z == 0, 1, np.abs(z) ** 2)
        return (unbroadcast(1j * y_bar * z * scale, z),)

    return np.angle(z, deg), angle_back
