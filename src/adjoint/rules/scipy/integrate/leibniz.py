"""The rule of Leibniz, for functions of any structure: with F = ∫ f(x, θ) dx from a to b,

    θ̄ = F̄ ∫ ∂f/∂θ dx,   ā = -F̄ f(a),   b̄ = F̄ f(b).

The integrand of θ̄ is a vector: all that the function captured and all its arguments are integrated together.
"""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc, import-untyped"

import math

import numpy as np
from scipy import integrate

from ....tangents import unbroadcast
from ...knots import call_pullback
from ...registry import non_differentiable, rule
from ..structures import FormGrownError, flattened, form_of, leaves_of, merged, numbers_of, restored, size_of


def integrated(f, a, b, operands, options):
    """∫ f(x, *operands) dx for a function whose result has any structure.

    >>> round(integrated(lambda x, c: (c * x, [x]), 0.0, 1.0, (2.0,), {})[0], 9)
    1.0
    """
    if not a < b and not b < a:
        return None
    form = form_of(f(midpoint(a, b), *operands))
    while True:
        try:
            few = _are_few(form) and "quadrature" not in options
            found = _in_turn(f, operands, form, a, b, options) if few else None
            if found is None:
                found = _integral(_vector(f, operands, form), a, b, options)
            return restored(found, form)
        except FormGrownError as grown:
            form = merged(form, grown.form)


def _integral(f, a, b, options):
    """∫ f dx of a vector, over all in one where that is close enough: `quad_vec` halves the interval before it asks."""
    value, error = integrate.quad_vec(f, a, b, **{**options, "limit": 1})
    if error <= max(options.get("epsabs", 1e-200), options.get("epsrel", 1e-8) * np.linalg.norm(value)) / 8:
        return value
    return integrate.quad_vec(f, a, b, **options)[0]


FEW = 4
"""Numbers that are integrated one after the other, by compiled code."""
LIMIT = 1000
"""The number of parts of an interval after which that is given up."""


def _are_few(form):
    """Tell whether a form holds few numbers, all of them real."""
    return size_of(form) <= FEW and not any([np.iscomplexobj(leaf.like) for leaf in leaves_of(form)])


def _in_turn(f, operands, form, a, b, options):
    """The same, one number after the other: most of them ask at the same points, where f is computed once. None where
    `quad` says that it has not come close enough."""
    known: dict[float, list[float]] = {}

    def number(x, i):
        found = known.get(x)
        if found is None:
            found = known[x] = numbers_of(f(x, *operands), form)
        return found[i]

    options = {**options, "limit": LIMIT}
    values = []
    for i in range(size_of(form)):
        value, _, _, *message = integrate.quad(number, a, b, (i,), full_output=1, **options)
        if message:
            return None
        values.append(value)
    return np.array(values)


def _vector(f, operands, form):
    return lambda x: flattened(f(x, *operands), form)


def midpoint(a, b):
    """A point between two limits, which may be infinite.

    >>> midpoint(0.0, 1.0), midpoint(-math.inf, 3.0)
    (0.5, 2.0)
    """
    if math.isinf(a) and math.isinf(b):
        return 0.0
    if math.isinf(a):
        return b - math.copysign(1.0, b - a)
    return a + math.copysign(1.0, b - a) if math.isinf(b) else 0.5 * (a + b)


@rule(integrated)
def integrated_rule(f, a, b, operands, options, *, needs=None):
    """Leibniz' rule again: so are derivatives of any order."""
    wanted = (True,) * 3 if needs is None else needs

    def integrated_back(y_bar):
        f_bar, operand_bars = of_integrand(f, a, b, operands, y_bar, options)
        a_bar = boundary(f, a, operands, y_bar, -1) if wanted[1] else None
        b_bar = boundary(f, b, operands, y_bar, 1) if wanted[2] else None
        return f_bar, a_bar, b_bar, operand_bars, None

    return integrated(f, a, b, operands, options), integrated_back


def sensitivity(x, f, operands, y_bar):
    """The cotangents of a function and of its operands at one point, for one cotangent of its value."""
    _, back = call_pullback(f, x, *operands)
    f_bar, _, *bars = back(y_bar)
    return f_bar, tuple(bars)


def boundary(f, x, operands, y_bar, sign):
    """The cotangent of a limit: ±⟨ȳ, f(x)⟩, nothing at infinity."""
    if math.isinf(x):
        return None
    value = at_limit(f, x, operands)
    if value is None:
        return math.nan
    form = merged(form_of(value), form_of(y_bar))
    there = flattened(value, form)
    if not np.isfinite(there).all():  # at a pole, which nothing else flows through
        return math.nan
    return unbroadcast(sign * np.real(np.sum(np.conj(there) * flattened(y_bar, form))), x)


def at_limit(f, x, operands):
    """f at a limit; None where it has a pole there.

    >>> at_limit(lambda x: 1 / x, 0.0, ())
    """
    try:
        with np.errstate(all="ignore"):
            return f(x, *operands)
    except ArithmeticError:
        return None


@rule(at_limit)
def at_limit_rule(f, x, operands):
    """f̄ and the cotangents of its operands, by f itself."""

    def at_limit_back(y_bar):
        _, back = call_pullback(f, x, *operands)
        f_bar, x_bar, *bars = back(y_bar)
        return f_bar, x_bar, tuple(bars)

    return at_limit(f, x, operands), at_limit_back


non_differentiable(midpoint, math.isinf)


def of_integrand(f, a, b, operands, y_bar, options):
    """The cotangents of what the integrand captured and of its arguments: ȳ ∫ ∂f/∂θ dx."""
    bars = integrated(sensitivity, a, b, (f, operands, y_bar), options)
    return (None, None) if bars is None else bars
