"""Distribution functions, their logarithms and quantiles: by the point their slopes are those of the density.

(log F)_x = exp(log p - log F) and (log F)_θ = F_θ / F, of SciPy's own log F, hold far out in the tail, where a formula
for F that is a difference has nothing left. Where SciPy's value is -inf within the support the slope is inf or nan,
unless the logarithm has a formula of its own that goes on.
"""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

from typing import Any

import numpy as np
import scipy.stats as stats

from ....tangents import Unknown, quietly, unknown
from ...knots import call_pullback
from ...registry import non_differentiable, rule
from .methods import in_places, inside, is_discrete, parameters_of, places, program_of, unknown_of, values_of
from .table import TABLE, formula_of


def _cumulative(owner: Any, method: str) -> None:
    f = getattr(owner, method)
    discrete = owner is stats.rv_discrete
    sign = -1.0 if "sf" in method else 1.0

    def cumulative_rule(self: Any, x: Any, *args: Any, **kwds: Any) -> Any:
        """F_x = p, F_θ by the formula; of logarithms exp(log p - log F) and F_θ / F."""
        y = f(self, x, *args, **kwds)
        lost = unknown_of(self, method)
        if lost is not None:
            return y, lambda y_bar: (lost, *[lost for _ in (x, *args, *kwds.values())])
        of, by_density, scaled = way_of(self, method)
        program = program_of(self, of, of) if is_in_closed_form(self, of, by_density) else None
        everything = (x, *args, *kwds.values())
        at, given = places(self, 1 + len(args), tuple(kwds), 1)
        values = values_of(self, everything, at)
        within, middle = inside(self, x, y, values)

        def cumulative_back(y_bar: Any) -> Any:
            bars: Any
            point = np.asarray(x) if within is True else np.where(within, x, middle)
            seed = y_bar * 1.0 if within is True else np.where(within, y_bar, 0.0)
            log = y if within is True else np.where(within, y, 0.0)
            n = len(values) - (1 if discrete else 2)
            if by_density:
                density = program_of(self, "logpdf", "logpdf")(point, *values)
                x_bar = sign * flow(seed, density - log if scaled else density)
                bars = [-x_bar, -x_bar * ((point - values[-2]) / values[-1])]
            if program is None:
                bars = [*unknown_shapes(self), *bars]
            elif n or not by_density:
                _, back = call_pullback(program, point, *values)
                found = back(flow(seed, -log) if scaled else seed)[1:]
                x_bar, bars = (x_bar, [*found[1:-2], *bars]) if by_density else (found[0], found[1:])
            return (None, *in_places([None if discrete else x_bar, *bars], given, everything))

        return y, cumulative_back

    cumulative_rule.__name__ = cumulative_rule.__qualname__ = f"{method}_rule"
    rule(f)(cumulative_rule)


def way_of(self: Any, method: str) -> Any:
    """Of what function the formula is taken; whether a density gives the slope by the point, location and scale; and
    whether the slopes are to be divided by exp(y)."""
    known = TABLE.get(type(self))
    if method.startswith("log") and (known is None or getattr(known, method) is None):
        return method[3:], known is not None and not is_discrete(self), True
    return method, not method.startswith("log") and known is not None and not is_discrete(self), False


def is_in_closed_form(self: Any, of: str, by_density: bool) -> bool:
    """Tell whether there is a formula; where only the density is known, that is enough for the point. Else it is
    refused."""
    return formula_of(type(self), of) is not None or not by_density


def unknown_shapes(self: Any) -> list[Any]:
    """The cotangents of shapes, unknown where only the density is known."""
    return [unknown(f"the shape `{name}` of `{self.name}`") for name in parameters_of(self)[:-2]]


def flow(seed: Any, log: Any) -> Any:
    """seed · exp(log), and 0 where nothing flows."""
    moving = seed != 0
    return np.where(moving, seed * quietly(np.exp, np.where(moving, log, 0.0)), 0.0)


non_differentiable(way_of, is_in_closed_form, unknown_shapes)

for _method in ("cdf", "sf", "logcdf", "logsf"):
    _cumulative(stats.rv_continuous, _method)
    _cumulative(stats.rv_discrete, _method)


# Quantiles, implicitly


def _quantile(method: str, of: str) -> None:
    f = getattr(stats.rv_continuous, method)
    sign = -1.0 if of == "sf" else 1.0

    def quantile_rule(self: Any, q: Any, *args: Any, **kwds: Any) -> Any:
        """F(y, θ) = q, so ∂y/∂q = 1 / p and ∂y/∂θ = -F_θ / p of the density p; y moves with location and scale."""
        y = f(self, q, *args, **kwds)
        lost = unknown_of(self, method)
        if lost is not None:
            return y, lambda y_bar: (lost, *[lost for _ in (q, *args, *kwds.values())])
        program = program_of(self, of, of) if is_in_closed_form(self, of, type(self) in TABLE) else None
        everything = (q, *args, *kwds.values())
        at, given = places(self, 1 + len(args), tuple(kwds), 1)
        values = values_of(self, everything, at)

        def quantile_back(y_bar: Any) -> Any:
            within, middle = inside(self, y, y, values)
            z = y if within is True else np.where(within, y, middle)
            spread = [np.asarray(v) for v in np.broadcast_arrays(z, *values)]
            density = program_of(self, "logpdf", "logpdf")(*spread)
            moved = np.where(within, y_bar, 0.0)
            along = sign * flow(moved, -density)
            bars = [moved, moved * ((spread[0] - spread[-2]) / spread[-1])]
            if program is None:
                bars = [*unknown_shapes(self), *bars]
            elif len(values) > 2:
                value, back = call_pullback(program, *spread)
                slopes = back(np.ones(np.shape(value)))[2:-2]
                bars = [*[minus(along, slope) for slope in slopes], *bars]
            return (None, *in_places([along, *bars], given, everything))

        return y, quantile_back

    quantile_rule.__name__ = quantile_rule.__qualname__ = f"{method}_rule"
    rule(f)(quantile_rule)


def minus(along: Any, slope: Any) -> Any:
    """-ȳ / F_y times F_θ."""
    return slope if slope is None or isinstance(slope, Unknown) else -along * slope


_quantile("ppf", "cdf")
_quantile("isf", "sf")
non_differentiable(stats.rv_discrete.ppf, stats.rv_discrete.isf)
