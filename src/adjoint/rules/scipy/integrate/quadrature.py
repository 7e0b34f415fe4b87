"""Integrals of functions, by Leibniz' rule: with F = ∫ f(x, θ) dx from a to b,

    θ̄ = F̄ ∫ ∂f/∂θ dx,   ā = -F̄ f(a),   b̄ = F̄ f(b).

The integrand of θ̄ is a vector: all that the function captured and all its arguments are integrated together.
"""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc, import-untyped"

import math

import numpy as np
from scipy import integrate

from ....tangents import quietly, unbroadcast
from ...numpy.lifting import composed, refuse
from ...registry import call_pullback, non_differentiable, rule
from ..structures import FormGrownError, flattened, form_of, merged, restored


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
            return restored(_integral(_vector(f, operands, form), a, b, options), form)
        except FormGrownError as grown:
            form = merged(form, grown.form)


def _integral(f, a, b, options):
    """∫ f dx of a vector, over all in one where that is close enough: `quad_vec` halves the interval before it asks."""
    value, error = integrate.quad_vec(f, a, b, **{**options, "limit": 1})
    if error <= max(options.get("epsabs", 1e-200), options.get("epsrel", 1e-8) * np.linalg.norm(value)) / 8:
        return value
    return integrate.quad_vec(f, a, b, **options)[0]


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
    products = quietly(np.multiply, np.conj(flattened(value, form)), flattened(y_bar, form))  # at a pole, nan
    return unbroadcast(sign * np.real(np.sum(products)), x)


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


@rule(integrate.quad, calls=True)
def quad_rule(
    func, a, b, args=(), full_output=0, epsabs=1.49e-8, epsrel=1.49e-8, limit=50, points=None, weight=None,
    wvar=None, wopts=None, maxp1=50, limlst=50, complex_func=False, *, needs=None,
):  # fmt: skip
    """F = ∫ f(x, θ) dx; the estimate of the error carries no derivative."""
    if weight is not None:
        refuse("scipy.integrate.quad(weight=)", "its rules are for that weight alone", "multiply the integrand by it")
    y = integrate.quad(
        func, a, b, args, full_output, epsabs, epsrel, limit, points, None, None, None, maxp1, limlst, complex_func
    )
    operands = args if isinstance(args, tuple) else (args,)
    options = {"epsabs": epsabs, "epsrel": epsrel, **({} if points is None else {"points": points})}
    wanted = (True,) * 4 if needs is None else (*needs, True, True, True, True)

    def quad_back(bars):
        y_bar = bars[0]
        if y_bar is None:
            return (None,) * 4
        f_bar, arg_bars = None, None
        if wanted[0] or wanted[3]:
            f_bar, arg_bars = of_integrand(func, a, b, operands, y_bar, options)
        a_bar = boundary(func, a, operands, y_bar, -1) if wanted[1] else None
        b_bar = boundary(func, b, operands, y_bar, 1) if wanted[2] else None
        if arg_bars is not None and not isinstance(args, tuple):
            arg_bars = arg_bars[0]
        return f_bar, a_bar, b_bar, arg_bars

    return y, quad_back


def of_integrand(f, a, b, operands, y_bar, options):
    """The cotangents of what the integrand captured and of its arguments: ȳ ∫ ∂f/∂θ dx."""
    bars = integrated(sensitivity, a, b, (f, operands, y_bar), options)
    return (None, None) if bars is None else bars


@rule(integrate.quad_vec, calls=True)
def quad_vec_rule(
    f, a, b, epsabs=1e-200, epsrel=1e-8, norm="2", cache_size=100e6, limit=10000, workers=1, points=None,
    quadrature=None, full_output=False, *, args=(), needs=None,
):  # fmt: skip
    """F = ∫ f(x, θ) dx for a vector f."""
    given = {"args": args} if args else {}
    y = integrate.quad_vec(
        f, a, b, epsabs, epsrel, norm, cache_size, limit, workers, points, quadrature, full_output, **given
    )
    options = {"epsabs": epsabs, "epsrel": epsrel, "limit": limit, "points": points, "quadrature": quadrature}
    wanted = (True,) * 3 if needs is None else (*needs, True, True, True)

    def quad_vec_back(bars):
        y_bar = bars[0]
        if y_bar is None:
            return (None,) * 3
        f_bar, arg_bars = of_integrand(f, a, b, args, y_bar, options)
        a_bar = boundary(f, a, args, y_bar, -1) if wanted[1] else None
        b_bar = boundary(f, b, args, y_bar, 1) if wanted[2] else None
        nothing = (None,) * 9
        return f_bar, a_bar, b_bar, *nothing, arg_bars

    return y, quad_vec_back


# Integrals over several variables: integrals of integrals


@composed(integrate.dblquad)
def dblquad_of(func, a, b, gfun, hfun, args=(), epsabs=1.49e-8, epsrel=1.49e-8):
    """∫ ∫ f(y, x) dy dx."""

    def inner(x):
        low = gfun(x) if callable(gfun) else gfun
        high = hfun(x) if callable(hfun) else hfun
        return integrate.quad(lambda y: func(y, x, *args), low, high, epsabs=epsabs, epsrel=epsrel)[0]

    return integrate.quad(inner, a, b, epsabs=epsabs, epsrel=epsrel)[0], 0.0


@composed(integrate.tplquad)
def tplquad_of(func, a, b, gfun, hfun, qfun, rfun, args=(), epsabs=1.49e-8, epsrel=1.49e-8):
    """∫ ∫ ∫ f(z, y, x) dz dy dx."""

    def inner(y, x):
        low = qfun(x, y) if callable(qfun) else qfun
        high = rfun(x, y) if callable(rfun) else rfun
        return integrate.quad(lambda z: func(z, y, x, *args), low, high, epsabs=epsabs, epsrel=epsrel)[0]

    return dblquad_of(inner, a, b, gfun, hfun, (), epsabs, epsrel)


@composed(integrate.nquad)
def nquad_of(func, ranges, args=None, opts=None, full_output=False):
    """∫ ... ∫ f(x₀, x₁, ...) dx₀ dx₁ ..., where ranges and options may depend on the variables outside of them."""
    n = len(ranges)
    extra = () if args is None else args

    def inner(depth, outside):
        if depth < 0:
            return func(*outside, *extra)
        limits = ranges[depth]
        low, high = limits(*outside, *extra) if callable(limits) else limits
        option = {} if opts is None else opts if not isinstance(opts, list | tuple) else opts[depth]
        chosen = option(*outside, *extra) if callable(option) else option
        return integrate.quad(lambda x: inner(depth - 1, (x, *outside)), low, high, **chosen)[0]

    return (inner(n - 1, ()), 0.0, {}) if full_output else (inner(n - 1, ()), 0.0)


@composed(integrate.fixed_quad)
def fixed_quad_of(func, a, b, args=(), n=5):
    """Σ wᵢ f(xᵢ) at the nodes of Gauss and Legendre."""
    nodes, weights = np.polynomial.legendre.leggauss(n)
    values = func((b - a) * (nodes + 1) / 2.0 + a, *args)
    return (b - a) / 2.0 * np.sum(weights * values, axis=-1), None


non_differentiable(np.polynomial.legendre.leggauss)
