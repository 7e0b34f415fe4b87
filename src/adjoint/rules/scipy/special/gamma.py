"""Γ, its logarithm, its derivatives, and what is made of it."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import math

import numpy as np
import scipy.special as special

from ....tangents import is_whole, unbroadcast, unknown
from ...numpy.lifting import array_rule, composed
from ...registry import non_differentiable, scalar_rule


@scalar_rule(special.gamma)
def gamma_partial(z, y):
    return y * special.psi(z)


@scalar_rule(special.gammaln, special.loggamma)
def gammaln_partial(z, y):
    return special.psi(z)


@scalar_rule(special.rgamma)
def rgamma_partial(z, y):
    return rgamma_slope(z)


def rgamma_slope(z):
    """(1/Γ)′ = -ψ / Γ; left of 1/2 by reflection, 1/Γ(z) = Γ(1 - z) sin(πz) / π, which has no poles there.

    >>> float(rgamma_slope(-1.0))
    -1.0
    """
    left = np.real(z) < 0.5
    a, b = np.where(left, z, 0.0), np.where(left, 1.0, z)
    reflected = np.cos(math.pi * a) - np.sin(math.pi * a) * special.psi(1 - a) / math.pi
    return np.where(left, special.gamma(1 - a) * reflected, -special.rgamma(b) * special.psi(b))


@scalar_rule(special.psi)
def psi_partial(z, y):
    return trigamma(1, z)


@scalar_rule(special.polygamma, returns=None)
def polygamma_partials(n, x, y):
    return unknown("the order `n`"), special.polygamma(n + 1, x)


def trigamma(n, z):
    """ψ⁽ⁿ⁾(z), n ≥ 1, for complex numbers as well: ψ⁽ⁿ⁾(z) = ψ⁽ⁿ⁾(z + 1) - (-1)ⁿ n! / zⁿ⁺¹ up to Re z = 15, then the
    asymptotic series.

    Source: NIST Digital Library of Mathematical Functions, 5.15.5 and 5.15.8.
    """
    return complex_polygamma(n, z) if np.iscomplexobj(z) else special.polygamma(n, z)


def complex_polygamma(n, z):
    """ψ⁽ⁿ⁾(z) of complex numbers.

    >>> complex(np.round(complex_polygamma(1, np.complex128(1)), 12))
    (1.644934066848+0j)
    """
    z = np.asarray(z)
    sign, total = (-1) ** n, np.zeros(z.shape, z.dtype)
    for _ in range(max(0, math.ceil(15 - np.min(z.real, initial=15.0)))):
        near = z.real < 15
        total = total - sign * math.factorial(n) * np.where(near, np.where(near, z, 1.0) ** (-n - 1.0), 0.0)
        z = np.where(near, z + 1, z)
    series = math.factorial(n - 1) / z**n + math.factorial(n) / (2 * z ** (n + 1))
    for k in range(1, 9):
        series = series + special.bernoulli(2 * k)[-1] * math.factorial(2 * k + n - 1) / (
            math.factorial(2 * k) * z ** (2 * k + n)
        )
    return total - sign * series


@scalar_rule(complex_polygamma)
def complex_polygamma_partials(n, z, y):
    return 0, complex_polygamma(n + 1, z)


@array_rule(special.multigammaln)
def multigammaln_rule(a: np.ndarray, d):
    """By a; the dimension is a whole number."""
    y = special.multigammaln(a, d)

    def multigammaln_back(y_bar):
        d_bar = None if is_whole(d) else unknown("the dimension `d`")
        return unbroadcast(y_bar * sum_of_psi(a, d), a), d_bar

    return y, multigammaln_back


def sum_of_psi(a, d):
    """Σⱼ ψ(a - j/2), j < d."""
    return np.sum(special.psi(np.asarray(a)[..., None] - np.arange(d) / 2), axis=-1)


def psi_fall(a, b):
    """ψ(a) - ψ(a + b), to all digits where a and a + b are positive: Σⱼ b / ((a + j) (a + b + j)) of the first eight j,
    with the minus sign, and the difference of the asymptotic series, term by term.

    Source: NIST DLMF 5.7.6 and 5.11.2.

    >>> float(psi_fall(1e15, 1.0)), float(psi_fall(1.0, 1.0))
    (-1e-15, -1.0)
    """
    positive = (np.real(a) > 0) & (np.real(a + b) > 0)
    p, q = np.where(positive, a, 1.0), np.where(positive, b, 1.0)
    near = 0.0 * q
    for j in range(8):
        near = near + q / (p + j) / (p + q + j)
    p = p + 8
    one, other, step = 1 / p, 1 / (p + q), q / p / (p + q)
    u, v, gap = one * one, other * other, step * (one + other)
    tail, power, apart = step / 2, 0 * v + 1, gap
    for k in range(1, 9):
        tail = tail + EVEN_BERNOULLI[k] / (2 * k) * apart
        power = power * v
        apart = u * apart + power * gap
    elsewhere = special.psi(np.where(positive, 1.0, a)) - special.psi(np.where(positive, 1.0, a + b))
    return np.where(positive, -np.log1p(q / p) - tail - near, elsewhere)


EVEN_BERNOULLI = [float(b) for b in special.bernoulli(16)[::2]]


@scalar_rule(special.poch)
def poch_partials(z, m, y):
    return -y * psi_fall(z, m), y * special.psi(z + m)


@scalar_rule(special.beta)
def beta_partials(a, b, y):
    return y * psi_fall(a, b), y * psi_fall(b, a)


@scalar_rule(special.betaln)
def betaln_partials(a, b, y):
    return psi_fall(a, b), psi_fall(b, a)


@scalar_rule(special.binom)
def binom_partials(n, k, y):
    above, below = n - k + 1, k + 1
    by_n, by_k = slope_where_zero(n, above, below), slope_where_zero(n, below, above)
    a, b = np.where(is_pole(above), 1.0, above), np.where(is_pole(below), 1.0, below)
    return by_n - y * psi_fall(a, n + 1 - a), by_k - by_n - y * psi_fall(b, a - b)


def is_pole(z):
    """Tell whether Γ has a pole at z."""
    return (z <= 0) & (z == np.floor(z))


def slope_where_zero(n, z, other):
    """Γ(n + 1) / Γ(other) times (1/Γ)′(-m) = (-1)ᵐ m! where z is such a pole, else 0."""
    pole = is_pole(z)
    m = np.where(pole, -z, 0.0)
    above, below = np.where(pole, n + 1, 1.0), np.where(pole, other, 1.0)
    signs = special.gammasgn(above) * special.gammasgn(np.where(is_pole(below), 1.0, below))
    sign = np.where(is_pole(below), 0.0, signs)
    size = np.exp(special.gammaln(above) - special.gammaln(below) + special.gammaln(m + 1))
    return np.where(pole, sign * size * np.cos(math.pi * m), 0.0)


@scalar_rule(slope_where_zero, returns=None)
def slope_where_zero_partials(n, z, other, y):
    """Not known: those of 1/Γ of second order, at its zeros."""
    unknown_there = np.where(is_pole(z), np.nan, 0.0)
    return unknown_there, unknown_there, unknown_there


# Counts, which SciPy continues to real numbers


@composed(special.comb)
def comb(N, k, *, exact=False, repetition=False):
    """(n over k) for 0 ≤ k ≤ n, else 0; with repetition of n + k - 1."""
    N, k = np.asarray(N), np.asarray(k)
    n = N + k - 1 if repetition else N
    return np.where((k <= n) & (n >= 0) & (k >= 0), special.binom(n, k), 0.0)


@composed(special.perm)
def perm(N, k, exact=False):
    """n (n - 1) ⋯ (n - k + 1) for 0 ≤ k ≤ n, else 0."""
    N, k = np.asarray(N), np.asarray(k)
    return np.where((k <= N) & (N >= 0) & (k >= 0), special.poch(N - k + 1, k), 0.0)


@composed(special.factorial)
def factorial(n, exact=False, extend="zero"):
    """Γ(n + 1), and 0 left of 0 unless it is extended."""
    y = special.gamma(np.asarray(n) + 1.0)
    return y if extend == "complex" else np.where(np.asarray(n) < 0, 0.0, y)


non_differentiable(special.gammasgn, special.bernoulli, special.euler, special.stirling2)
