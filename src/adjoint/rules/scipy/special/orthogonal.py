"""Orthogonal polynomials and spherical harmonics: by the argument, and by what else has a known derivative.

Source: NIST Digital Library of Mathematical Functions, 18.9 and 14.10.
"""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

from typing import Any

import numpy as np
import scipy.special as special

from ....tangents import is_whole, unknown
from ...numpy.linear import bring_back
from ...registry import non_differentiable, rule, scalar_rule


@scalar_rule(special.eval_jacobi)
def jacobi_partials(n, alpha, beta, x, y):
    return (
        unknown("the degree `n`"),
        unknown("the parameter `alpha`"),
        unknown("the parameter `beta`"),
        (n + alpha + beta + 1) / 2 * lower(special.eval_jacobi, n, alpha + 1, beta + 1, x),
    )


@scalar_rule(special.eval_sh_jacobi)
def sh_jacobi_partials(n, p, q, x, y):
    return (
        unknown("the degree `n`"),
        unknown("the parameter `p`"),
        unknown("the parameter `q`"),
        n * lower(special.eval_sh_jacobi, n, p + 2, q + 1, x),
    )


@scalar_rule(special.eval_gegenbauer)
def gegenbauer_partials(n, alpha, x, y):
    return (
        unknown("the degree `n`"),
        unknown("the parameter `alpha`"),
        2 * alpha * lower(special.eval_gegenbauer, n, alpha + 1, x),
    )


@scalar_rule(special.eval_genlaguerre)
def genlaguerre_partials(n, alpha, x, y):
    return (
        unknown("the degree `n`"),
        unknown("the parameter `alpha`"),
        -lower(special.eval_genlaguerre, n, alpha + 1, x),
    )


@scalar_rule(special.eval_laguerre)
def laguerre_partials(n, x, y):
    return unknown("the degree `n`"), -lower(special.eval_genlaguerre, n, 1.0, x)


@scalar_rule(special.eval_legendre)
def legendre_partials(n, x, y):
    return unknown("the degree `n`"), (n + 1) / 2 * lower(special.eval_jacobi, n, 1.0, 1.0, x)


@scalar_rule(special.eval_sh_legendre)
def sh_legendre_partials(n, x, y):
    return unknown("the degree `n`"), (n + 1) * lower(special.eval_jacobi, n, 1.0, 1.0, 2 * x - 1)


@scalar_rule(special.eval_chebyt)
def chebyt_partials(n, x, y):
    return unknown("the degree `n`"), n * lower(special.eval_chebyu, n, x)


@scalar_rule(special.eval_chebyu)
def chebyu_partials(n, x, y):
    return unknown("the degree `n`"), 2 * lower(special.eval_gegenbauer, n, 2.0, x)


@scalar_rule(special.eval_chebyc)
def chebyc_partials(n, x, y):
    return unknown("the degree `n`"), n * lower(special.eval_chebys, n, x)


@scalar_rule(special.eval_chebys)
def chebys_partials(n, x, y):
    return unknown("the degree `n`"), lower(special.eval_gegenbauer, n, 2.0, x / 2)


@scalar_rule(special.eval_sh_chebyt)
def sh_chebyt_partials(n, x, y):
    return unknown("the degree `n`"), 2 * n * lower(special.eval_sh_chebyu, n, x)


@scalar_rule(special.eval_sh_chebyu)
def sh_chebyu_partials(n, x, y):
    return unknown("the degree `n`"), 4 * lower(special.eval_gegenbauer, n, 2.0, 2 * x - 1)


@scalar_rule(special.eval_hermite)
def hermite_partials(n, x, y):
    return unknown("the degree `n`"), 2 * n * lower(special.eval_hermite, n, x)


@scalar_rule(special.eval_hermitenorm)
def hermitenorm_partials(n, x, y):
    return unknown("the degree `n`"), n * lower(special.eval_hermitenorm, n, x)


def lower(f, n, *others):
    """The polynomial of degree n - 1; of degree -1 it is 0.

    >>> float(lower(special.eval_legendre, 2, 0.5)), float(lower(special.eval_legendre, 0, 0.5))
    (0.5, 0.0)
    """
    if np.ndim(n) == 0:
        return f(n - 1, *others) if n != 0 else 0.0 * f(0, *others)
    return np.where(np.equal(n, 0), 0.0, f(np.where(np.equal(n, 0), 0, n - 1), *others))


@scalar_rule(special.lpmv)
def lpmv_partials(m, v, x, y):
    return (
        unknown("the order `m`"),
        unknown("the degree `v`"),
        (v * x * y - (v + m) * special.lpmv(m, v - 1, x)) / (x * x - 1),
    )


# Functions that give their own derivatives, by `diff_n`


def derivatives_rule(self: Any, *args: Any, diff_n: Any = 0, **kwargs: Any) -> Any:
    """y = (f, f′, …), of which each is the derivative of the one before: Legendre's functions have them along the first
    axis, spherical harmonics as arrays of their own."""
    y = self(*args, diff_n=diff_n, **kwargs)
    harmonic = is_harmonic(self)

    def derivatives_back(y_bar: Any) -> Any:
        count = 2 if harmonic else 1
        orders = [None if is_whole(x) else unknown("a degree or an order") for x in args[:-count]]
        if diff_n > 1:  # SciPy gives two derivatives
            return (None, *orders, *[unknown("the argument (of order 3; `eval_legendre` has all)")] * count)
        more = self(*args, diff_n=diff_n + 1, **kwargs)
        if not harmonic:
            return (None, *orders, bring_back(y_bar * more[1:], args[-1]))
        seeds = y_bar if diff_n else (y_bar,)
        return (None, *orders, *[angle_bar(seeds, more[1:], i, args[i - 2]) for i in (0, 1)])

    return y, derivatives_back


if hasattr(special, "legendre_p"):
    rule(type(special.legendre_p).__call__)(derivatives_rule)


def angle_bar(seeds: Any, slopes: Any, i: int, angle: Any) -> Any:
    """The cotangent of angle `i`, by which the slopes have their last index."""
    total = None
    for k, (d, p) in enumerate(zip(seeds, slopes, strict=True)):
        if d is not None:
            part = np.sum(d * np.conj(p[..., i]), axis=tuple(range(-k, 0)))
            total = part if total is None else total + part
    return bring_back(total, angle)


def is_harmonic(f: Any) -> bool:
    """Tell whether a function has two angles for its arguments."""
    return f is special.sph_harm_y or f is special.sph_harm_y_all


non_differentiable(is_harmonic)

# Nodes, weights, polynomials, zeros: of integers alone

non_differentiable(
    special.roots_legendre, special.roots_sh_legendre, special.roots_chebyt, special.roots_chebyu, special.roots_chebyc,
    special.roots_chebys, special.roots_sh_chebyt, special.roots_sh_chebyu, special.roots_hermite,
    special.roots_hermitenorm, special.roots_laguerre, special.legendre, special.sh_legendre, special.chebyt,
    special.chebyu, special.chebyc, special.chebys, special.sh_chebyt, special.sh_chebyu, special.hermite,
    special.hermitenorm, special.laguerre,
)  # fmt: skip
