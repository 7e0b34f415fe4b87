"""The methods of SciPy's distributions: density, moments, by point and parameters.

The value is that of SciPy; the derivative is that of the formula in the table.
"""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import types
from typing import Any

import numpy as np
import scipy.stats as stats

from ....errors import NoRuleError, calling_place
from ....tangents import Unknown, field_bar, tangent
from ....tangents.unknown import refused
from ...knots import call_pullback
from ...numpy.lifting import composed
from ...numpy.linear import bring_back
from ...registry import non_differentiable, not_implemented, rule
from .table import TABLE, formula_of

GENERIC: Any = stats.rv_continuous.__mro__[1]
FROZEN = type(stats.norm(0.0))
FROZEN_DISCRETE = type(stats.poisson(1.0))
BASE: Any = FROZEN.__mro__[1]


def parameters_of(self: Any) -> tuple[str, ...]:
    """The names of a distribution's parameters, in order."""
    shapes = [name.strip() for name in (self.shapes or "").split(",") if name.strip()]
    return (*shapes, "loc") if isinstance(self, stats.rv_discrete) else (*shapes, "loc", "scale")


def is_discrete(self: Any) -> bool:
    """Tell whether a distribution has no scale."""
    return isinstance(self, stats.rv_discrete)


def formula(self: Any, method: str, of: str) -> Any:
    """The formula `of` for a method; `NoRuleError` where the table has none."""
    found = formula_of(type(self), of)
    if found is None:
        raise _no_formula(self, method)
    return found


def _no_formula(self: Any, method: str) -> NoRuleError:
    return NoRuleError(
        f"`scipy.stats.{self.name}.{method}` meets a value that is differentiated, and its derivative is not known",
        "it is not in the table of distributions",
        "write the formula out with functions of `scipy.special`, or a rule for a function of yours that calls it",
        calling_place(),
    )


def unknown_of(self: Any, method: str, of: str | None = None) -> Any:
    """The cotangent of all that a method is given, where the table has not the distribution, or no formula `of` it:
    nobody asks for it where they are constants. None where the table has them."""
    missing = type(self) not in TABLE or of is not None and formula_of(type(self), of) is None
    return refused(_no_formula(self, method)) if missing else None


def places(self: Any, n: int, names: tuple[str, ...], before: int) -> tuple[list[int], list[int]]:
    """The place of each parameter among the arguments (-1: it is not given), and the parameter that each argument is.
    The first `before` arguments (the point) come before the parameters."""
    parameters = parameters_of(self)
    given = [*range(n), *[before + parameters.index(name) if name in parameters else -1 for name in names]]
    at = [given.index(before + i) if before + i in given else -1 for i in range(len(parameters))]
    return at, given


def values_of(self: Any, everything: Any, at: Any) -> Any:
    """The parameters, defaults included."""
    defaults = [*[None] * (len(at) - (1 if isinstance(self, stats.rv_discrete) else 2)), 0.0, 1.0]
    return [default if i < 0 else as_array(everything[i]) for i, default in zip(at, defaults, strict=False)]


def as_array(x: Any) -> Any:
    """A list as an array, a number as it is."""
    return np.asarray(x) if isinstance(x, list | tuple) else x


def inside(self: Any, x: Any, y: Any, values: Any) -> Any:
    """A mask of the points in the support, True if all are; and a point that surely is."""
    names, discrete = parameters_of(self), isinstance(self, stats.rv_discrete)
    known, x = TABLE[type(self)].support, np.asarray(x)
    loc, scale = (values[-1], 1.0) if discrete else values[-2:]
    with np.errstate(all="ignore"):
        if known is None:
            low, high = self.support(**dict(zip(names, values, strict=True)))
        else:
            low, high = loc + scale * np.float64(known[0]), loc + scale * np.float64(known[1])
        within = (x >= low) & (x <= high) & np.isfinite(x) & ~np.isnan(y)
        if np.all(within):
            return True, None
        middle = np.where(np.isfinite(low), np.where(np.isfinite(high), (low + high) / 2, low + scale), high - scale)
        middle = np.where(np.isfinite(middle), middle, loc + np.asarray(scale))
    return within, np.floor(middle) if discrete else middle


def program_of(self: Any, method: str, of: str) -> Any:
    """The formula `of` as a program of the point and all parameters; made once for a method, with a code of its own."""
    key = type(self), method
    if key not in _PROGRAMS:
        f = formula(self, method, of)
        n = len(parameters_of(self))
        made = _of_counts(f, n - 1) if isinstance(self, stats.rv_discrete) else _of_points(f, n - 2, of == "logpdf")
        _PROGRAMS[key] = types.FunctionType(made.__code__.replace(), made.__globals__, method, None, made.__closure__)
    return _PROGRAMS[key]


_PROGRAMS: dict[tuple[type, str], Any] = {}


def _of_points(f: Any, n: int, density: bool) -> Any:
    if density:
        return (
            lambda x, loc, scale: f((x - loc) / scale) - np.log(scale),
            lambda x, a, loc, scale: f((x - loc) / scale, a) - np.log(scale),
            lambda x, a, b, loc, scale: f((x - loc) / scale, a, b) - np.log(scale),
            lambda x, a, b, c, loc, scale: f((x - loc) / scale, a, b, c) - np.log(scale),
        )[n]
    return (
        lambda x, loc, scale: f((x - loc) / scale),
        lambda x, a, loc, scale: f((x - loc) / scale, a),
        lambda x, a, b, loc, scale: f((x - loc) / scale, a, b),
        lambda x, a, b, c, loc, scale: f((x - loc) / scale, a, b, c),
    )[n]


def _of_counts(f: Any, n: int) -> Any:
    return (
        None,
        lambda k, a, loc: f(k - loc, a),
        lambda k, a, b, loc: f(k - loc, a, b),
        lambda k, a, b, c, loc: f(k - loc, a, b, c),
    )[n]


non_differentiable(parameters_of, is_discrete, formula, unknown_of, places, inside, program_of)


def as_given(bar: Any, x: Any) -> Any:
    """A cotangent as one of what was passed."""
    if isinstance(bar, Unknown):
        return None if bar.lets_through(x) else bar
    return None if bar is None else bring_back(bar, x)


def in_places(bars: Any, given: Any, everything: Any) -> Any:
    """The cotangents of the arguments, of those of the parameters."""
    return [as_given(bars[i], v) if i >= 0 else None for i, v in zip(given, everything, strict=True)]


# Densities


def _of_point(owner: Any, method: str, of: str) -> None:
    f = getattr(owner, method)
    discrete = owner is stats.rv_discrete
    multiplied = method in ("pdf", "pmf")

    def point_rule(self: Any, x: Any, *args: Any, **kwds: Any) -> Any:
        y = f(self, x, *args, **kwds)
        everything = (x, *args, *kwds.values())
        lost = unknown_of(self, method, of)
        if lost is not None:
            return y, lambda y_bar: (lost, *[lost for _ in everything])
        program = program_of(self, method, of)
        at, given = places(self, 1 + len(args), tuple(kwds), 1)
        values = values_of(self, everything, at)
        within, middle = inside(self, x, y, values)

        def point_back(y_bar: Any) -> Any:
            seed = y_bar * y if multiplied else y_bar * 1.0
            if within is True:
                _, back = call_pullback(program, np.asarray(x), *values)
                x_bar, *bars = back(seed)[1:]
            else:
                _, back = call_pullback(program, np.where(within, x, middle), *values)
                x_bar, *bars = back(np.where(within, seed, 0.0))[1:]
                x_bar = None if x_bar is None else np.where(within, x_bar, 0.0)
            return (None, *in_places([None if discrete else x_bar, *bars], given, everything))

        return y, point_back

    point_rule.__name__ = point_rule.__qualname__ = f"{method}_rule"
    rule(f)(point_rule)


for _method in ("pdf", "logpdf"):
    _of_point(stats.rv_continuous, _method, "logpdf")
for _method in ("pmf", "logpmf"):
    _of_point(stats.rv_discrete, _method, "logpdf")


# Moments


def _moment(method: str, of: str, program: Any) -> None:
    f = getattr(GENERIC, method)

    def moment_rule(self: Any, *args: Any, **kwds: Any) -> Any:
        y = f(self, *args, **kwds)
        everything = (*args, *kwds.values())
        lost = unknown_of(self, method, of)
        if lost is not None:
            return y, lambda y_bar: (lost, *[lost for _ in everything])
        known = formula(self, method, of)
        at, given = places(self, len(args), tuple(kwds), 0)
        values = values_of(self, everything, at)
        shapes = values[: len(at) - (1 if is_discrete(self) else 2)]
        loc, scale = values[len(shapes)], 1.0 if is_discrete(self) else values[-1]

        def moment_back(y_bar: Any) -> Any:
            _, back = call_pullback(program, known, loc, scale, *shapes)
            loc_bar, scale_bar, *others = back(y_bar * 1.0)[2:]
            bars = [*others, loc_bar, scale_bar]
            return (None, *in_places(bars, given, everything))

        return y, moment_back

    moment_rule.__name__ = moment_rule.__qualname__ = f"{method}_rule"
    rule(f)(moment_rule)


def mean(known: Any, loc: Any, scale: Any, *shapes: Any) -> Any:
    """Of loc + scale z."""
    return loc + scale * known(*shapes)


def variance(known: Any, loc: Any, scale: Any, *shapes: Any) -> Any:
    """Of loc + scale z."""
    return 0.0 * loc + scale * scale * known(*shapes)


def deviation(known: Any, loc: Any, scale: Any, *shapes: Any) -> Any:
    """Of loc + scale z."""
    return 0.0 * loc + scale * np.sqrt(known(*shapes))


def entropy(known: Any, loc: Any, scale: Any, *shapes: Any) -> Any:
    """Of loc + scale z."""
    return 0.0 * loc + np.log(scale) + known(*shapes)


_moment("mean", "mean", mean)
_moment("var", "var", variance)
_moment("std", "var", deviation)
_moment("entropy", "entropy", entropy)


@rule(GENERIC.median)
def median_rule(self: Any, *args: Any, **kwds: Any) -> Any:
    """The quantile of 1/2."""
    y, back = call_pullback(type(self).ppf, self, 0.5, *args, **kwds)

    def median_back(y_bar: Any) -> Any:
        bars = back(y_bar)[1:]
        return (bars[0], *bars[2:])

    return y, median_back


@composed(GENERIC.interval)
def interval(self: Any, confidence: Any, *args: Any, **kwds: Any) -> Any:
    """The quantiles between which this share lies."""
    return self.ppf((1 - confidence) / 2, *args, **kwds), self.ppf((1 + confidence) / 2, *args, **kwds)


# Distributions with parameters


def _frozen(f: Any) -> None:
    @rule(f)
    def frozen_rule(self: Any, *args: Any, **kwds: Any) -> Any:
        """`norm(loc, scale)`: its cotangent has the fields `args` and `kwds`."""
        y = f(self, *args, **kwds)
        n, names = len(args), tuple(kwds)

        def frozen_back(y_bar: Any) -> Any:
            own = field_bar(y_bar, "args") or (None,) * n
            named = field_bar(y_bar, "kwds") or {}
            return (None, *own, *[named.get(name) for name in names])

        return y, frozen_back


_frozen(GENERIC.__call__)
_frozen(GENERIC.freeze)


def _of_frozen(owner: Any, method: str) -> None:
    f = getattr(owner, method)

    def frozen_method_rule(self: Any, *point: Any, **named: Any) -> Any:
        given = (*point, *named.values())
        y, back = call_pullback(of_class(self.dist, method), self.dist, *given, *self.args, **self.kwds)
        m, n, names = len(given), len(self.args), tuple(self.kwds)

        def frozen_method_back(y_bar: Any) -> Any:
            bars = back(y_bar)[2:]
            own, kwds = tuple(bars[m : m + n]), dict(zip(names, bars[m + n :], strict=True))
            return (tangent(self, ("args", "kwds"), own, kwds), *bars[:m])

        return y, frozen_method_back

    frozen_method_rule.__name__ = frozen_method_rule.__qualname__ = f"frozen_{method}_rule"
    rule(f)(frozen_method_rule)


def of_class(self: Any, method: str) -> Any:
    """The function behind a method."""
    return getattr(type(self), method)


non_differentiable(of_class)

for _method in ("cdf", "logcdf", "ppf", "isf", "sf", "logsf", "mean", "var", "std", "median", "entropy", "interval"):
    _of_frozen(BASE, _method)
for _method in ("pdf", "logpdf"):
    _of_frozen(FROZEN, _method)
for _method in ("pmf", "logpmf"):
    _of_frozen(FROZEN_DISCRETE, _method)

not_implemented(
    GENERIC.stats, GENERIC.moment, BASE.stats, BASE.moment,
    BASE.expect, stats.rv_continuous.expect, stats.rv_discrete.expect, stats.rv_continuous.fit,
    why="it combines others that have derivatives",
    way_out="use `mean`, `var`, `ppf`, `logpdf`",
)  # fmt: skip
not_implemented(
    GENERIC.support, BASE.support,
    why="how shapes move the ends is known to SciPy alone",
    way_out="write them down, as `loc + scale * end`; `stop_gradient` where they only test",
)  # fmt: skip
