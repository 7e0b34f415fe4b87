"""Logistic functions, entropies, losses, powers: what statistics and learning are written with."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import math

import numpy as np
import scipy.special as special

from ....tangents import ghost, is_whole, unbroadcast, unknown
from ...numpy import elementwise
from ...numpy.extrema import exponential_shares
from ...numpy.lifting import array_rule, refuse
from ...numpy.linear import bring_back, cast, kept
from ...registry import non_differentiable, scalar_rule

LN10 = math.log(10.0)

# Logistic functions


@scalar_rule(special.expit)
def expit_partial(x, y):
    return y * special.expit(-x)


@scalar_rule(special.logit, singular=True)
def logit_partial(x, y):
    return np.divide(1, x * (1 - x))


@scalar_rule(special.log_expit)
def log_expit_partial(x, y):
    return special.expit(-x)


if hasattr(special, "softplus"):
    # A function of Python since SciPy 1.17, which takes lists as ufuncs do.
    @array_rule(special.softplus)
    def softplus_rule(x: np.ndarray, **kwargs):
        y = special.softplus(x, **kwargs)
        return y, lambda y_bar: (y_bar * special.expit(x).astype(y.dtype),)


# Exponentials that are normalised


@array_rule(special.logsumexp)
def logsumexp_rule(a: np.ndarray, axis=None, b=None, keepdims=False, return_sign=False):
    """y = log Σ b exp(a), so ā = ȳ b exp(a - y) and b̄ = ȳ exp(a - y), summed to the shapes of a and b."""
    if return_sign and (np.iscomplexobj(a) or np.iscomplexobj(b)):
        refuse("logsumexp", "with complex numbers the sign of the sum is not constant", "leave out `return_sign`")
    y = special.logsumexp(a, axis=axis, b=b, keepdims=keepdims, return_sign=return_sign)

    def logsumexp_back(y_bar):
        value, d = (y[0], y_bar[0]) if return_sign else (y, y_bar)
        if d is None:
            return None, None, None
        shape = np.shape(a) if b is None else np.broadcast_shapes(np.shape(a), np.shape(b))
        weight = exponential_shares(np.exp, a, kept(value, shape, axis))
        if return_sign:
            weight = weight * kept(y[1], shape, axis)
        d = kept(d, shape, axis)
        if b is None:
            return unbroadcast(d * np.conj(weight), a), None, None
        b_bar = bring_back(d * np.conj(weight), b)
        return unbroadcast(d * np.conj(weight * np.asarray(b)), a), None, b_bar

    return y, logsumexp_back


@array_rule(special.softmax)
def softmax_rule(x: np.ndarray, axis=None):
    """y = exp(x) / Σ exp(x), so x̄ = y (ȳ - Σ y ȳ)."""
    like = ghost(x)
    y = special.softmax(x, axis=axis)

    def softmax_back(y_bar):
        return cast(y * (y_bar - np.sum(y * y_bar, axis=axis, keepdims=True)), like.dtype), None

    return y, softmax_back


@array_rule(special.log_softmax)
def log_softmax_rule(x: np.ndarray, axis=None):
    """y = x - log Σ exp(x), so x̄ = ȳ - exp(y) Σ ȳ."""
    like = ghost(x)
    y = special.log_softmax(x, axis=axis)

    def log_softmax_back(y_bar):
        return cast(y_bar - np.exp(y) * np.sum(y_bar, axis=axis, keepdims=True), like.dtype), None

    return y, log_softmax_back


# Entropies


def quotient(x, y):
    """x / y, and 0 where x is 0.

    >>> quotient(np.array([0.0, 1.0]), np.array([0.0, 2.0]))
    array([0. , 0.5])
    """
    return np.divide(x, np.where(x == 0, 1, y))


@scalar_rule(quotient, singular=True)
def quotient_partials(x, y, q):
    return np.divide(1, y), -quotient(q, y)


def log_quotient(x, y):
    """log(x / y)."""
    return np.log(np.divide(x, y))


@scalar_rule(log_quotient, singular=True)
def log_quotient_partials(x, y, log):
    return np.divide(1, x), np.divide(-1, y)


@scalar_rule(special.xlogy, singular=True)
def xlogy_partials(x, y, value):
    return np.log(y), quotient(x, y)


@scalar_rule(special.xlog1py, singular=True)
def xlog1py_partials(x, y, value):
    return np.log1p(y), quotient(x, 1 + y)


@scalar_rule(special.entr, singular=True)
def entr_partial(x, y):
    return -np.log(x) - 1


@scalar_rule(special.rel_entr, singular=True)
def rel_entr_partials(x, y, value):
    return log_quotient(x, y) + 1, -quotient(x, y)


@scalar_rule(special.kl_div, singular=True)
def kl_div_partials(x, y, value):
    return log_quotient(x, y), 1 - quotient(x, y)


# Losses


@scalar_rule(special.huber)
def huber_partials(delta, r, y):
    return np.maximum(np.abs(r) - delta, 0), np.clip(r, -delta, delta)


@scalar_rule(special.pseudo_huber)
def pseudo_huber_partials(delta, r, y):
    return 2 * y / delta - r * r / np.hypot(delta, r), r * delta / np.hypot(delta, r)


# Powers


scalar_rule(special.exp2)(elementwise.exp2_partial)
scalar_rule(special.expm1)(elementwise.expm1_partial)
scalar_rule(special.log1p, singular=True)(elementwise.log1p_partial)
scalar_rule(special.cbrt, singular=True)(elementwise.cbrt_partial)


@scalar_rule(special.exp10)
def exp10_partial(x, y):
    return LN10 * y


@scalar_rule(special.powm1, singular=True)
def powm1_partials(x, y, value):
    return y * np.power(x, y - 1), (value + 1) * np.log(x)


@scalar_rule(special.boxcox, singular=True)
def boxcox_partials(x, lmbda, y):
    return np.power(x, lmbda - 1), boxcox_by_power(log_or_infinite(x), lmbda)


@scalar_rule(special.boxcox1p, singular=True)
def boxcox1p_partials(x, lmbda, y):
    return np.power(1 + x, lmbda - 1), boxcox_by_power(np.log1p(x), lmbda)


@scalar_rule(special.inv_boxcox)
def inv_boxcox_partials(y, lmbda, x):
    return np.power(x, 1 - lmbda), -np.power(x, 1 - lmbda) * boxcox_by_power(np.log(x), lmbda)


@scalar_rule(special.inv_boxcox1p)
def inv_boxcox1p_partials(y, lmbda, x):
    return np.power(1 + x, 1 - lmbda), -np.power(1 + x, 1 - lmbda) * boxcox_by_power(np.log1p(x), lmbda)


def log_or_infinite(x):
    """log x, without a warning at 0."""
    return np.where(x == 0, -np.inf, np.log(np.where(x == 0, 1.0, x)))


def boxcox_by_power(log, lmbda):
    """∂/∂λ of (xˡ - 1) / λ, which is log²x · e(λ log x) with e(z) = ((z - 1) exp(z) + 1) / z² = ₁F₁(2, 3, z) / 2."""
    whole = np.isfinite(log)
    safe = np.where(whole, log, 0.0)  # SciPy's series does not end at infinity
    inverse = np.where(lmbda > 0, 1 / np.where(lmbda > 0, lmbda, 1.0) ** 2, np.inf)
    return np.where(whole, safe * safe * special.hyp1f1(2, 3, lmbda * safe) / 2, inverse)


# Circular functions


@scalar_rule(special.cosm1)
def cosm1_partial(x, y):
    return -np.sin(x)


@scalar_rule(special.sindg)
def sindg_partial(x, y):
    return math.pi / 180 * special.cosdg(x)


@scalar_rule(special.cosdg)
def cosdg_partial(x, y):
    return -math.pi / 180 * special.sindg(x)


@scalar_rule(special.tandg)
def tandg_partial(x, y):
    return math.pi / 180 * (1 + y * y)


@scalar_rule(special.cotdg)
def cotdg_partial(x, y):
    return -math.pi / 180 * (1 + y * y)


@scalar_rule(special.radian)
def radian_partials(d, m, s, y):
    return math.pi / 180, math.pi / 10800, math.pi / 648000


@array_rule(special.diric)
def diric_rule(x: np.ndarray, n):
    """By x; the degree is a whole number."""
    y = special.diric(x, n)

    def diric_back(y_bar):
        n_bar = None if is_whole(n) else unknown("the degree `n`")
        return unbroadcast(y_bar * diric_slope(x, n, y), x), n_bar

    return y, diric_back


def diric_slope(x, n, y):
    """Of y = sin(nx/2) / (n sin(x/2)): (cos(nx/2) - y cos(x/2)) / (2 sin(x/2)); near a peak, where these cancel,
    y (n cot(nu) - cot(u)) / 2 by the series of cot, u being half the way from the peak."""
    u = x / 2 - math.pi * np.round(x / (2 * math.pi))
    m = n * 1.0
    near = np.abs(m * u) < 0.1
    v = np.where(near, u, 0.0)
    w = v * v
    series = (m**2 - 1) / 3 + w * ((m**4 - 1) / 45 + w * (2 * (m**6 - 1) / 945 + w * (m**8 - 1) / 4725))
    slope = (np.cos(n * x / 2) - y * np.cos(x / 2)) / (2 * np.where(near, 1.0, np.sin(x / 2)))
    return np.where(near, -y * v * series / 2, slope)


non_differentiable(special.round)
