"""Distribution functions and their inverses. Counts are rounded down, and carry no derivative."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import math

import numpy as np
import scipy.special as special

from ....tangents import unknown
from ...numpy.lifting import composed
from ...registry import scalar_rule
from .incomplete import beta_density_by, betainc_by, inverse

# Gamma, χ², Poisson


@composed(special.gdtr)
def gdtr(a, b, x):
    """P(b, a x)."""
    return special.gammainc(b, a * x)


@composed(special.gdtrc)
def gdtrc(a, b, x):
    """Q(b, a x)."""
    return special.gammaincc(b, a * x)


@composed(special.chdtr)
def chdtr(v, x):
    """P(v/2, x/2)."""
    return special.gammainc(v / 2, x / 2)


@composed(special.chdtrc)
def chdtrc(v, x):
    """Q(v/2, x/2)."""
    return special.gammaincc(v / 2, x / 2)


@composed(special.pdtr)
def pdtr(k, m):
    """Q(⌊k⌋ + 1, m)."""
    return special.gammaincc(np.floor(k) + 1, m)


@composed(special.pdtrc)
def pdtrc(k, m):
    """P(⌊k⌋ + 1, m)."""
    return special.gammainc(np.floor(k) + 1, m)


def continuous_pdtr(p, m):
    """Q(k + 1, m), k not rounded."""
    return special.gammaincc(p + 1, m)


inverse(special.gdtrix, special.gdtr, 2)
inverse(special.gdtria, gdtr, 0)
inverse(special.gdtrib, gdtr, 1)
inverse(special.chdtri, special.chdtrc, 1)
inverse(special.chdtriv, special.chdtr, 0)
inverse(special.pdtri, special.pdtr, 1)
inverse(special.pdtrik, continuous_pdtr, 0)

# Beta, binomial, negative binomial, F


@composed(special.bdtr)
def bdtr(k, n, p):
    """The complement of Iₚ(⌊k⌋ + 1, n - ⌊k⌋), and 1 for k = n."""
    rest = np.floor(n) - np.floor(k)
    return np.where(rest > 0, special.betaincc(np.floor(k) + 1, np.where(rest > 0, rest, 1), p), 1.0)


@composed(special.bdtrc)
def bdtrc(k, n, p):
    """Iₚ(⌊k⌋ + 1, n - ⌊k⌋), and 0 for k = n."""
    rest = np.floor(n) - np.floor(k)
    return np.where(rest > 0, special.betainc(np.floor(k) + 1, np.where(rest > 0, rest, 1), p), 0.0)


@composed(special.nbdtr)
def nbdtr(k, n, p):
    """Iₚ(⌊n⌋, ⌊k⌋ + 1)."""
    return special.betainc(np.floor(n), np.floor(k) + 1, p)


@composed(special.nbdtrc)
def nbdtrc(k, n, p):
    """The complement of Iₚ(⌊n⌋, ⌊k⌋ + 1)."""
    return special.betaincc(np.floor(n), np.floor(k) + 1, p)


def continuous_bdtr(k, n, p):
    """As `bdtr`, k and n not rounded."""
    return special.betaincc(k + 1, n - k, p)


def continuous_nbdtr(k, n, p):
    """As `nbdtr`, k not rounded."""
    return special.betainc(n, k + 1, p)


@composed(special.fdtr)
def fdtr(dfn, dfd, x):
    """Iₜ(dfn/2, dfd/2), t = dfn x / (dfd + dfn x)."""
    return special.betainc(dfn / 2, dfd / 2, dfn * x / (dfd + dfn * x))


@composed(special.fdtrc)
def fdtrc(dfn, dfd, x):
    """Iₜ(dfd/2, dfn/2), t = dfd / (dfd + dfn x)."""
    return special.betainc(dfd / 2, dfn / 2, dfd / (dfd + dfn * x))


inverse(special.bdtri, special.bdtr, 2)
inverse(special.bdtrik, lambda p, n, pr: continuous_bdtr(p, n, pr), 0)
inverse(special.bdtrin, continuous_bdtr, 1)
inverse(special.nbdtri, special.nbdtr, 2)
inverse(special.nbdtrik, continuous_nbdtr, 0)
inverse(special.nbdtrin, continuous_nbdtr, 1)
inverse(special.fdtri, special.fdtr, 2)
inverse(special.fdtridfd, fdtr, 1)

# Student


@scalar_rule(special.stdtr)
def stdtr_partials(df, t, y):
    return stdtr_by_df(df, t), t_density(df, t)


def t_density(df, t):
    """(1 + t²/n)^(-(n + 1)/2) / (√n B(1/2, n/2))."""
    return np.exp(-(df + 1) / 2 * np.log1p(t * t / df) - special.betaln(0.5, df / 2)) / np.sqrt(df)


def stdtr_by_df(df, t):
    """Of 1/2 + sign(t) Iₓ(1/2, n/2) / 2 with x = t² / (n + t²)."""
    other = np.where(t == 0, 1.0, t)
    x = other * other / (df + other * other)
    by_b = np.sign(t) * betainc_by(0.5 + 0 * df, df / 2, x, 0, 1) / 4
    return by_b - t * t_density(df, t) / (2 * df)


@scalar_rule(stdtr_by_df)
def stdtr_by_df_partials(df, t, y):
    return stdtr_by_df_twice(df, t), t_density_by_df(df, t)


def t_density_by_df(df, t):
    """∂/∂n of the density."""
    log = np.log1p(t * t / df) - (df + 1) * t * t / (df * (df + t * t)) + 1 / df
    return t_density(df, t) * (special.psi((df + 1) / 2) - special.psi(df / 2) - log) / 2


def stdtr_by_df_twice(df, t):
    """The derivative of both terms of the first one, the first again by b and by x."""
    other = np.where(t == 0, 1.0, t)
    x, slope = other * other / (df + other * other), -((other / (df + other * other)) ** 2)
    half = 0.5 + 0 * df
    first = betainc_by(half, df / 2, x, 0, 2) / 2 + beta_density_by(half, df / 2, x, 0, 1) * slope
    return np.sign(t) * first / 4 - t * (t_density_by_df(df, t) - t_density(df, t) / df) / (2 * df)


inverse(special.stdtrit, special.stdtr, 1)
inverse(special.stdtridf, lambda p, t: special.stdtr(p, t), 0)

# Noncentral χ², Tukey's λ


@scalar_rule(special.chndtr)
def chndtr_partials(x, df, nc, y):
    return (
        noncentral_density(x, df, nc),
        unknown("the degrees of freedom `df`"),
        -noncentral_density(x, df + 2, nc),
    )


def noncentral_density(x, df, nc):
    """The density of the noncentral χ² distribution: by ₀F₁, or by I where that would overflow."""
    near = x * nc < 1e4
    a, b = np.where(near, x * nc, 1.0), np.where(near, 1e4, x * nc)
    log = special.xlogy(df / 2 - 1, x) - df / 2 * math.log(2) - special.gammaln(df / 2) - (x + nc) / 2
    far = np.exp(-((np.sqrt(x) - np.sqrt(nc)) ** 2) / 2) / 2 * np.power(x / np.where(near, 1.0, nc), df / 4 - 0.5)
    return np.where(near, np.exp(log) * special.hyp0f1(df / 2, a / 4), far * special.ive(df / 2 - 1, np.sqrt(b)))


inverse(special.chndtrix, special.chndtr, 0)
inverse(special.chndtrinc, special.chndtr, 2)


@scalar_rule(special.tklmbda, singular=True)
def tklmbda_partials(x, lmbda, y):
    return 1 / (np.power(y, lmbda - 1) + np.power(1 - y, lmbda - 1)), unknown("the shape `lmbda`")
