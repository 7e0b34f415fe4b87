"""`np.emath`: functions that give complex numbers where real ones would be outside of their domain; a window.

Partials are written by the result, which says on what side of a cut it lies.
"""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import numpy as np

from ...tangents import apply_partial, quietly
from ..registry import Numeric, non_differentiable, rule
from .lifting import composed
from .linear import bring_back

Numbers = Numeric | list | tuple


def _elementwise(f, partial):
    @rule(f)
    def domain_rule(x: Numbers):
        y = f(x)

        def domain_back(y_bar):
            return (bring_back(apply_partial(y_bar, quietly(partial, np.asarray(x), y), True), x),)

        return y, domain_back


_elementwise(np.emath.sqrt, lambda x, y: 0.5 / y)
_elementwise(np.emath.log, lambda x, y: 1 / x)
_elementwise(np.emath.log2, lambda x, y: 1 / (x * np.log(2.0)))
_elementwise(np.emath.log10, lambda x, y: 1 / (x * np.log(10.0)))
_elementwise(np.emath.arcsin, lambda x, y: 1 / np.cos(y))
_elementwise(np.emath.arccos, lambda x, y: -1 / np.sin(y))
_elementwise(np.emath.arctanh, lambda x, y: 1 / (1 - x * x))


@rule(np.emath.logn)
def logn_rule(n: Numbers, x: Numbers):
    """y = log x / log n, so x̄ = ȳ / (x log n) and n̄ = -ȳ y / (n log n), conjugated."""
    y = np.emath.logn(n, x)
    base, argument = np.asarray(n), np.asarray(x)

    def logn_back(y_bar):
        scale = np.emath.log(base)
        n_bar = apply_partial(y_bar, quietly(lambda: -y / (base * scale)), True)
        return bring_back(n_bar, n), bring_back(apply_partial(y_bar, quietly(lambda: 1 / (argument * scale)), True), x)

    return y, logn_back


@rule(np.emath.power)
def power_rule(x: Numbers, p: Numbers):
    """y = xᵖ, so x̄ = ȳ p xᵖ⁻¹ and p̄ = ȳ y log x, conjugated."""
    y = np.emath.power(x, p)
    base, exponent = np.asarray(x), np.asarray(p)

    def power_back(y_bar):
        by_base = quietly(lambda: np.where(exponent == 0, 0.0, exponent * np.emath.power(base, exponent - 1.0)))
        by_exponent = quietly(lambda: np.where(y == 0, 0.0, y * np.emath.log(base)))
        return bring_back(apply_partial(y_bar, by_base, True), x), bring_back(
            apply_partial(y_bar, by_exponent, True), p
        )

    return y, power_back


@composed(np.kaiser)
def kaiser(M, beta):
    """I₀(β √(1 - t²)) / I₀(β), with t from -1 to 1."""
    return np.i0(beta * semicircle(M)) / np.i0(np.asarray(beta, dtype=float)) if M != 1 else np.ones(1) + 0.0 * beta


def semicircle(n):
    """√(1 - t²) at points t from -1 to 1.

    >>> semicircle(3)
    array([0., 1., 0.])
    """
    middle = (n - 1) / 2.0
    return np.sqrt(1 - ((np.arange(n) - middle) / middle) ** 2)


non_differentiable(semicircle)
