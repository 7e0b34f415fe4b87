"""Functions that work element by element, most of them declared by their partials."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import math
from typing import Any

import numpy as np

from ...tangents import ghost, stops_at, unbroadcast
from ..calls import refuse_stores
from ..products import arctan2_products, log_product, pow_products, radius, sqrt_product, truediv_products
from ..python import scalars
from ..registry import Numeric, rule, scalar_rule
from .lifting import array_rule
from .linear import bring_back, cast

Numbers = Numeric | list | tuple
"""What ufuncs take that have no scalar rule: numbers, arrays, and nested sequences of numbers."""

LN2, LN10 = math.log(2.0), math.log(10.0)


# Arithmetic


scalar_rule(np.positive)(scalars.pos_partial)
scalar_rule(np.negative)(scalars.neg_partial)
scalar_rule(np.add)(scalars.add_partials)
scalar_rule(np.subtract)(scalars.sub_partials)
scalar_rule(np.multiply)(scalars.mul_partials)
scalar_rule(np.true_divide, singular=True, products=truediv_products)(scalars.truediv_partials)
scalar_rule(np.remainder)(scalars.mod_partials)
scalar_rule(np.power, np.float_power, singular=True, products=pow_products)(scalars.pow_partials)
scalar_rule(np.power, np.float_power, singular=True, products=pow_products)(scalars.power_partials)


@scalar_rule(np.square)
def square_partial(x, y):
    return 2 * x


@scalar_rule(np.reciprocal, singular=True)
def reciprocal_partial(x, y):
    return -y * y


@scalar_rule(np.fmod)
def fmod_partials(x1, x2, y):
    return 1, -np.rint((x1 - y) / x2)  # the quotient by itself may round up to the next integer


@scalar_rule(np.nextafter)
def nextafter_partials(x1, x2, y):
    return 1, 0.0


@rule(np.divmod)
def divmod_rule(x1: Numbers, x2: Numbers, **options):
    """`q, r = x1 // x2, x1 - q x2`; q is piecewise constant."""
    refuse_stores(options)
    q, r = np.divmod(x1, x2, **options)

    def divmod_back(y_bar):
        _, r_bar = y_bar
        return (None, None) if r_bar is None else (bring_back(r_bar, x1), bring_back(-q * r_bar, x2))

    return (q, r), divmod_back


@rule(np.modf)
def modf_rule(x: Numbers, **options):
    """`f, n = x - trunc(x), trunc(x)`; n is piecewise constant."""
    refuse_stores(options)

    def modf_back(y_bar):
        f_bar, _ = y_bar
        return (None if f_bar is None else bring_back(f_bar, x),)

    return np.modf(x, **options), modf_back


@rule(np.frexp)
def frexp_rule(x: Numbers, **options):
    """`x = m 2ᵉ`; e is piecewise constant."""
    refuse_stores(options)
    m, e = np.frexp(x, **options)

    def frexp_back(y_bar):
        m_bar, _ = y_bar
        return (None if m_bar is None else bring_back(np.ldexp(m_bar, -e), x),)

    return (m, e), frexp_back


@rule(np.ldexp, linear="x1")
def ldexp_rule(x1: Numbers, x2: Any, **options):
    """`y = x1 · 2ˣ²`, x2 an integer."""
    refuse_stores(options)

    def ldexp_back(y_bar):
        return bring_back(np.ldexp(y_bar, x2), x1), None

    return np.ldexp(x1, x2, **options), ldexp_back


# Powers, exponentials, logarithms


@scalar_rule(np.sqrt, singular=True, products=sqrt_product)
def sqrt_partial(x, y):
    return 0.5 / y


@scalar_rule(np.sqrt, singular=True)
def sqrt_number_partial(x: float, y):
    return 0.5 / float(y) if y else math.inf


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
    return np.exp(x)


@scalar_rule(np.log, singular=True, products=log_product)
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
    return exponential_share(np.exp, x1, x2, y), exponential_share(np.exp, x2, x1, y)


@scalar_rule(np.logaddexp2, singular=True)
def logaddexp2_partials(x1, x2, y):
    return exponential_share(np.exp2, x1, x2, y), exponential_share(np.exp2, x2, x1, y)


def exponential_share(exponential, x, other, y):
    """The part that one of two terms has in a sum of exponentials; where that is infinite or 0, that of the larger one.

    >>> exponential_share(np.exp, np.array([0.0, np.inf]), np.array([0.0, np.inf]), np.array([np.log(2), np.inf]))
    array([0.5, 0.5])
    """
    infinite = np.isinf(y)
    return np.where(infinite, np.where(x == other, 0.5, x == y), exponential(x - np.where(infinite, 0.0, y)))


@scalar_rule(np.sin)
def sin_partial(x, y):
    return np.cos(x)


@scalar_rule(np.cos)
def cos_partial(x, y):
    return -np.sin(x)


@scalar_rule(np.tan)
def tan_partial(x, y):
    return 1 + y * y


# Of complex numbers by the result, here and below: on a cut a root may be that of the other side.
@scalar_rule(np.arcsin, singular=True)
def arcsin_partial(x, y):
    return 1 / np.cos(y) if np.iscomplexobj(x) else 1 / np.sqrt(1 - x * x)


@scalar_rule(np.arccos, singular=True)
def arccos_partial(x, y):
    return -1 / np.sin(y) if np.iscomplexobj(x) else -1 / np.sqrt(1 - x * x)


@scalar_rule(np.arctan, singular=True)
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
    return 1 / np.cosh(y) if np.iscomplexobj(x) else 1 / np.hypot(x, 1)


@scalar_rule(np.arccosh, singular=True)
def arccosh_partial(x, y):
    return 1 / np.sinh(y) if np.iscomplexobj(x) else 1 / (np.sqrt(x - 1) * np.sqrt(x + 1))


@scalar_rule(np.arctanh, singular=True)
def arctanh_partial(x, y):
    return np.divide(1, 1 - x * x)


@scalar_rule(np.arctan2, singular=True, products=arctan2_products)
def arctan2_partials(x1, x2, y):
    return x2 / radius(x1, x2) / radius(x1, x2), -x1 / radius(x1, x2) / radius(x1, x2)


@scalar_rule(np.hypot)
def hypot_partials(x1, x2, y):
    return x1 / np.where(y == 0, np.inf, y), x2 / np.where(y == 0, np.inf, y)


@scalar_rule(np.deg2rad, np.radians)
def deg2rad_partial(x, y):
    return math.pi / 180


@scalar_rule(np.rad2deg, np.degrees)
def rad2deg_partial(x, y):
    return 180 / math.pi


@scalar_rule(np.sinc)
def sinc_partial(x, y):
    return np.where(np.abs(x) < 0.3, sinc_slope_near_0(x), (np.cos(math.pi * x) - y) / np.where(x == 0, 1, x))


def sinc_slope_near_0(x):
    """The series Σ (-1)ᵏ 2k π²ᵏ x²ᵏ⁻¹ / (2k + 1)! of the derivative of sinc, with as many terms as |x| < 0.3 needs."""
    z = np.where(np.abs(x) < 0.3, x, 0.0) ** 2
    slope = 0.0
    for c in SINC_SLOPE:
        slope = slope * z + c
    return slope * x


SINC_SLOPE = tuple((-1) ** k * 2 * k * math.pi ** (2 * k) / math.factorial(2 * k + 1) for k in range(9, 0, -1))


# Absolute value, sign, complex numbers


@scalar_rule(np.abs)
def abs_partial(x, y):
    return np.conj(x) / np.where(y == 0, np.inf, y) if np.iscomplexobj(x) else np.sign(x)


@scalar_rule(np.fabs)
def fabs_partial(x, y):
    return np.sign(x)


@scalar_rule(np.heaviside)
def heaviside_partials(x1, x2, y):
    return 0.0, x1 == 0


@rule(np.sign)
def sign_rule(x: Numbers, **options):
    """Real numbers have signs 1, 0 and -1; of a complex one it is s = z / |z|, so z̄ = (ȳ - s Re(s̄ ȳ)) / |z|."""
    refuse_stores(options)
    s = np.sign(x, **options)

    def sign_back(y_bar):
        if not np.iscomplexobj(s):
            return (None,)
        size = np.abs(x)
        return (bring_back((y_bar - s * np.real(np.conj(s) * y_bar)) / np.where(size == 0, np.inf, size), x),)

    return s, sign_back


@scalar_rule(np.copysign)
def copysign_partials(x1, x2, y):
    return np.sign(x1) * np.copysign(1, x2), 0.0


@scalar_rule(np.real)
def real_partial(val, y):
    return 1


@scalar_rule(np.imag)
def imag_partial(val, y):
    return -1j if np.iscomplexobj(val) else 0.0


@array_rule(np.real_if_close)
def real_if_close_rule(a: np.ndarray, tol=100):
    """y = Re a if that is nearly all of it, else a: ā = ȳ."""
    y, kind = np.real_if_close(a, tol), a.dtype

    def real_if_close_back(y_bar):
        return (cast(y_bar, kind),)

    return y, real_if_close_back


@rule(np.conj, linear="x")
def conj_rule(x: Numbers, **options):
    """y = conj(z) is not holomorphic: z̄ = conj(ȳ)."""
    refuse_stores(options)
    like = x if isinstance(x, list | tuple) else ghost(x)
    y = np.conj(x, **options)

    def conj_back(y_bar):
        return (None if stops_at((like,), y) else bring_back(y_bar.conjugate(), like),)

    return y, conj_back


@rule(np.ndarray.conj, np.ndarray.conjugate, np.generic.conj, np.generic.conjugate, linear="x")
def conj_method_rule(x: np.ndarray | np.generic):
    """`x.conj()`, which for real numbers is x itself."""
    like = ghost(x)

    def conj_method_back(y_bar):
        return (unbroadcast(y_bar.conjugate(), like),)

    return x.conj(), conj_method_back


@rule(np.angle)
def angle_rule(z: Numbers, deg: Any = False):
    """y = Im log z, so z̄ = i ȳ z / |z|²."""

    def angle_back(y_bar):
        values = np.asarray(z)
        size = np.where(values == 0, np.inf, np.abs(values))
        return (bring_back(1j * y_bar * (values / size) * ((180 / math.pi if deg else 1) / size), z),)

    return np.angle(z, deg), angle_back


@array_rule(np.unwrap)
def unwrap_rule(p: np.ndarray, discont=None, axis=-1, *, period=2 * math.pi):
    """y = p + n · period with whole numbers n, so p̄ = ȳ and that of the period is Σ ȳ n."""
    y = np.unwrap(p, discont, axis, period=period)

    def unwrap_back(y_bar):
        turns = np.rint((y - p) / period)
        return cast(y_bar, p.dtype), None, None, bring_back(y_bar * turns, period)

    return y, unwrap_back
