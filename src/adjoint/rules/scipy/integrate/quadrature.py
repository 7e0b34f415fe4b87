"""Integrals of functions, by the rule of Leibniz."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc, import-untyped"

import numpy as np
from scipy import integrate

from ...numpy.lifting import composed
from ...registry import non_differentiable, rule
from .leibniz import boundary, of_integrand
from .weights import check_real, weighted_bars


@rule(integrate.quad, calls=True)
def quad_rule(
    func, a, b, args=(), full_output=0, epsabs=1.49e-8, epsrel=1.49e-8, limit=50, points=None, weight=None,
    wvar=None, wopts=None, maxp1=50, limlst=50, complex_func=False, *, needs=None,
):  # fmt: skip
    """F = ∫ f(x, θ) dx; the estimate of the error carries no derivative."""
    y = integrate.quad(
        func, a, b, args, full_output, epsabs, epsrel, limit, points, weight, wvar, wopts, maxp1, limlst, complex_func
    )
    operands = args if isinstance(args, tuple) else (args,)
    if weight is not None:
        given = {"epsabs": epsabs, "epsrel": epsrel, "limit": limit, "maxp1": maxp1, "limlst": limlst}
        check_real(complex_func)

        def weighted_back(bars):
            if bars[0] is None:
                return (None,) * 4
            f_bar, a_bar, b_bar, arg_bars, wvar_bar = weighted_bars(
                y[0], bars[0], func, a, b, operands, wvar, weight, given
            )
            arg_bars = arg_bars[0] if arg_bars is not None and not isinstance(args, tuple) else arg_bars
            return f_bar, a_bar, b_bar, arg_bars, *(None,) * 6, wvar_bar

        return y, weighted_back
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
