"""Functions that work element by element. Most are declared by their partials, in terms of the result `y` where that saves work."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls

import math
import operator
from typing import Any

import numpy as np

from ...tangents import unbroadcast
from ..python import scalars
from ..registry import Back, Numeric, find_rules, rule, scalar_rule
from .lifting import array_rule, lifted, refuse_out
from .linear import cast, ghost, nested

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


# Choosing between values


@scalar_rule(np.maximum, np.minimum, np.fmax, np.fmin)
def extremum_partials(x1, x2, y):
    return np.where(x1 == x2, 0.5, x1 == y), np.where(x1 == x2, 0.5, x2 == y)


@array_rule(np.clip, returns="elementwise")
def clip_rule(a: np.ndarray, a_min=None, a_max=None, out=None, min=None, max=None):
    """y = a between its bounds (included), so ā = ȳ there; outside of them ȳ belongs to the bound."""
    refuse_out(out)
    low, high = (a_min if min is None else min), (a_max if max is None else max)
    y = np.clip(a, low, high)

    def clip_back(y_bar):
        a_bar = cast(np.where(a == y, y_bar, 0.0), a.dtype)
        low_bar = None if low is None else unbroadcast(np.where(a < low, y_bar, 0.0), low)
        high_bar = None if high is None else unbroadcast(np.where(a > high, y_bar, 0.0), high)
        if min is None and max is None:
            return a_bar, low_bar, high_bar
        return a_bar, None, None, None, low_bar, high_bar

    return y, clip_back


@array_rule(np.ndarray.clip, np.generic.clip, returns="elementwise")
def clip_method_rule(a: np.ndarray, min=None, max=None, out=None):
    """`a.clip(min, max)`."""
    refuse_out(out)
    return clip_rule(a, min, max)


@rule(np.where, returns="array")
def where_rule(condition: Any, x: Any, y: Any, *, needs=None):
    """z = x where the condition holds, else y, so x̄ and ȳ are z̄ where it holds and where it does not."""
    to_x = (needs is None or needs[1]) and (ghost(x),)
    to_y = (needs is None or needs[2]) and (ghost(y),)

    def where_back(z_bar):
        x_bar = bring_back(np.where(condition, z_bar, 0.0), to_x[0]) if to_x else None
        y_bar = bring_back(np.where(condition, 0.0, z_bar), to_y[0]) if to_y else None
        return None, x_bar, y_bar

    return np.where(condition, x, y), where_back


@rule(np.where)
def where_indices_rule(condition: Any):
    """`np.where(condition)` gives indices."""

    def where_indices_back(y_bar):
        return (None,)

    return np.where(condition), where_indices_back


def bring_back(d: Any, like: Any) -> Any:
    """`unbroadcast`, for sequences too."""
    if isinstance(like, list | tuple):
        return nested(unbroadcast(d, np.asarray(like)), like)
    return unbroadcast(d, like)


@array_rule(np.nan_to_num, returns="elementwise")
def nan_to_num_rule(x: np.ndarray, copy=True, nan=0.0, posinf=None, neginf=None):
    """y = x where that is finite, so x̄ = ȳ there."""
    y = np.nan_to_num(x, True, nan, posinf, neginf)
    finite, dtype = np.isfinite(x), x.dtype

    def nan_to_num_back(y_bar):
        return (cast(np.where(finite, y_bar, 0.0), dtype),)

    return y, nan_to_num_back


# Lists and tuples where NumPy would make arrays of them


def _unary_on_sequences(f: Any) -> None:
    call = find_rules(f).methods[0].call  # type: ignore[union-attr]

    def sequence_rule(x):
        return call(x)

    rule(f)(lifted(sequence_rule, list | tuple))


def _binary_on_sequences(f: Any, array: Any = object) -> None:
    call = find_rules(f).methods[0].call  # type: ignore[union-attr]

    def sequences_rule(a: Any, b: Any) -> tuple[Any, Back]:
        left = np.asarray(a) if isinstance(a, list | tuple) else a
        y, back = call(left, np.asarray(b) if isinstance(b, list | tuple) else b)

        def sequences_back(y_bar: Any) -> tuple[Any, ...]:
            a_bar, b_bar = back(y_bar)
            return (
                nested(a_bar, a) if isinstance(a, list | tuple) else a_bar,
                nested(b_bar, b) if isinstance(b, list | tuple) else b_bar,
            )

        return y, sequences_back

    for first, second in ((list | tuple, array), (array, list | tuple), (list | tuple, list | tuple)):
        if array is object or array in (first, second):
            sequences_rule.__annotations__ = {"a": first, "b": second}
            rule(f)(sequences_rule)


UNARY = (
    np.positive, np.negative, np.square, np.reciprocal, np.sqrt, np.cbrt, np.exp, np.exp2, np.expm1, np.log, np.log2, np.log10,
    np.log1p, np.sin, np.cos, np.tan, np.arcsin, np.arccos, np.arctan, np.sinh, np.cosh, np.tanh, np.arcsinh, np.arccosh,
    np.arctanh, np.deg2rad, np.radians, np.rad2deg, np.degrees, np.sinc, np.abs, np.fabs, np.real, np.imag,
)  # fmt: skip
BINARY = (
    np.add, np.subtract, np.multiply, np.true_divide, np.remainder, np.fmod, np.power, np.float_power, np.logaddexp,
    np.logaddexp2, np.arctan2, np.hypot, np.copysign, np.maximum, np.minimum, np.fmax, np.fmin,
)  # fmt: skip

for _f in UNARY:
    _unary_on_sequences(_f)
for _f in BINARY:
    _binary_on_sequences(_f)
for _f in (operator.add, operator.sub, operator.mul, operator.truediv, operator.mod, operator.pow):
    _binary_on_sequences(_f, np.ndarray)
