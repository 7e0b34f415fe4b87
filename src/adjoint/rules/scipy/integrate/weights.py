"""Integrals with a weight that the method knows: cos ωx, sin ωx, 1 / (x - c), powers of the limits' distances."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc, import-untyped"

import math

import numpy as np
from scipy import integrate

from ....tangents.unknown import Unknown
from ...numpy.lifting import refuse
from ...registry import non_differentiable, rule
from ..structures import FormGrownError, flattened, form_of, merged, restored, size_of
from .leibniz import boundary, midpoint, sensitivity


def weighted(f, a, b, operands, wvar, weight, options):
    """∫ w(x) f(x, *operands) dx for a function whose result has any structure: each number in it by itself.

    >>> round(weighted(lambda x: 1.0, 0.0, 1.0, (), 2.0, "cos", {}), 9) == round(math.sin(2.0) / 2, 9)
    True
    """
    form = form_of(f(midpoint(a, b), *operands))
    while True:
        try:
            found = [
                integrate.quad(_number(f, operands, form, i), a, b, weight=weight, wvar=wvar, **options)[0]
                for i in range(size_of(form))
            ]
            return restored(np.array(found), form)
        except FormGrownError as grown:
            form = merged(form, grown.form)


def _number(f, operands, form, i):
    return lambda x: flattened(f(x, *operands), form)[i]


def weight_at(x, weight, wvar):
    """The weight at a limit: that of a power has a pole there, and moves with the limit."""
    if weight == "cos":
        return math.cos(wvar * x)
    if weight == "sin":
        return math.sin(wvar * x)
    if weight == "cauchy":
        return 1 / (x - wvar)
    why = "the weight is a power of the distance from it"
    return Unknown(f"a limit of `quad(weight={weight!r})`", why, "map the interval to one with constant limits")


def turned(x, f, operands, form):
    """x f(x, *operands), whose parts are those of the form."""
    return restored(x * flattened(f(x, *operands), form), form)


def by_frequency(y, y_bar, f, a, b, operands, wvar, weight, options):
    """The cotangent of what is in the weight."""
    if weight not in ("cos", "sin"):
        why = "the integral of the derivative of the weight does not exist at its pole"
        return Unknown(f"`wvar` of `quad(weight={weight!r})`", why, "make it a constant: `adjoint.stop_gradient(wvar)`")
    form = merged(form_of(y), form_of(y_bar))
    if weight == "cos":
        change = -flattened(weighted(turned, a, b, (f, operands, form), wvar, "sin", options), form)
    else:
        change = flattened(weighted(turned, a, b, (f, operands, form), wvar, "cos", options), form)
    return np.sum(change * flattened(y_bar, form))


def weighted_bars(y, y_bar, f, a, b, operands, wvar, weight, options):
    """The rule of Leibniz, where the weight stays: f̄, ā, b̄, the cotangents of the operands and of `wvar`."""
    bars = weighted(sensitivity, a, b, (f, operands, y_bar), wvar, weight, options)
    f_bar, operand_bars = (None, None) if bars is None else bars
    a_bar = None if math.isinf(a) else boundary(f, a, operands, y_bar, -1) * weight_at(a, weight, wvar)
    b_bar = None if math.isinf(b) else boundary(f, b, operands, y_bar, 1) * weight_at(b, weight, wvar)
    wvar_bar = by_frequency(y, y_bar, f, a, b, operands, wvar, weight, options)
    return f_bar, a_bar, b_bar, operand_bars, wvar_bar


@rule(weighted)
def weighted_rule(f, a, b, operands, wvar, weight, options):
    """Leibniz' rule again: so are derivatives of any order."""
    y = weighted(f, a, b, operands, wvar, weight, options)

    def weighted_back(y_bar):
        if y_bar is None:
            return (None,) * 5
        return weighted_bars(y, y_bar, f, a, b, operands, wvar, weight, options)

    return y, weighted_back


def check_real(complex_func):
    """Refuse complex integrands with a weight."""
    if complex_func:
        what = "scipy.integrate.quad(weight=, complex_func=True)"
        refuse(what, "each number is integrated by itself", "integrate the real and the imaginary part")


non_differentiable(check_real)
