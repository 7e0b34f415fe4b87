"""Draws from SciPy's distributions, by their parameters: the random bits stay.

y = loc + scale z. SciPy draws the z of some distributions by quantiles, and then it is differentiated by the shapes as
`ppf` is; of others by rejection, or by what NumPy has for it.
"""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import copy
import types
from typing import Any

import numpy as np
import scipy.stats as stats

from ....tangents import tangent, unknown
from ...knots import call_pullback
from ...numpy.random import over, tells
from ...registry import non_differentiable, rule
from .methods import BASE, GENERIC, in_places, of_class, parameters_of, places, values_of
from .table import formula_of


def state_of(self: Any, given: Any) -> Any:
    """A copy of the state that a distribution draws from."""
    state = self._random_state if given is None else given
    return copy.deepcopy(np.random.mtrand._rand if isinstance(state, types.ModuleType) else state)


def uniform_of(self: Any, z: Any, *shapes: Any) -> Any:
    """The uniform numbers of which draws are the quantiles; None if they are drawn otherwise, or are unknown."""
    by_quantiles = type(self)._rvs is stats.rv_continuous._rvs and formula_of(type(self), "cdf") is not None
    return self.cdf(*[np.asarray(x, float) for x in (z, *shapes)]) if by_quantiles and len(shapes) > 0 else None


def unknown_shape(self: Any, i: int) -> Any:
    """The cotangent of a shape by which draws jump, or that SciPy does not tell apart."""
    names = parameters_of(self)
    name = f"scipy.stats.{self.name}" if type(self).__module__.startswith("scipy.") else self.name
    return unknown(
        f"the shape `{names[i]}` of `{name}.rvs`",
        "it is drawn by rejection, or in a way that is not followed",
        f"draw by quantiles: `{name}.ppf(rng.uniform(), {', '.join(names[:-2])})`"
        if formula_of(type(self), "cdf") is not None
        else f"make it a constant: `adjoint.stop_gradient({names[i]})`",
        True,
    )


non_differentiable(state_of, uniform_of, unknown_shape)


@rule(GENERIC.rvs)
def rvs_rule(self: Any, *args: Any, **kwds: Any) -> Any:
    """y = loc + scale z, where z = ppf(u, shapes), or is drawn otherwise."""
    everything = (*args, *kwds.values())
    at, given = places(self, len(args), tuple(kwds), 0)
    values = values_of(self, everything, at)
    *shapes, loc, scale = values
    twin = None if tells(loc, scale) else state_of(self, kwds.get("random_state"))
    y = GENERIC.rvs(self, *args, **kwds)
    z = (y - loc) / scale if twin is None else GENERIC.rvs(self, *shapes, size=np.shape(y), random_state=twin)
    u, z_back = uniform_of(self, z, *shapes), None
    if u is not None:
        z, z_back = call_pullback(type(self).ppf, self, u, *shapes)

    def rvs_back(y_bar: Any) -> Any:
        jumps = [unknown_shape(self, i) for i in range(len(shapes))]
        shape_bars = jumps if z_back is None else z_back(y_bar * scale)[3:]
        bars = [*shape_bars, over(y_bar, y), y_bar * z, *[None] * len(everything)]
        return (None, *in_places(bars, given, everything))

    return y, rvs_back


@rule(stats.rv_discrete.rvs)
def discrete_rvs_rule(self: Any, *args: Any, **kwds: Any) -> Any:
    """Integers are piecewise constant; the numbers of a table are shifted: y = loc + z."""
    y = stats.rv_discrete.rvs(self, *args, **kwds)
    everything = (*args, *kwds.values())
    at, given = places(self, len(args), tuple(kwds), 0)
    shifted = np.asarray(y).dtype.kind == "f"

    def discrete_rvs_back(y_bar: Any) -> Any:
        bars = [*[None] * (len(at) - 1), over(y_bar, y) if shifted else None]
        return (None, *in_places([*bars, *[None] * len(everything)], given, everything))

    return y, discrete_rvs_back


def _wrapped(draw: Any) -> None:
    @rule(draw)
    def wrapped_rvs_rule(self: Any, *args: Any, **kwds: Any) -> Any:
        """A draw, modulo a period: it moves as before."""
        twin = state_of(self, kwds.get("random_state"))
        y = draw(self, *args, **kwds)
        _, back = rvs_rule(self, *args, **{**kwds, "random_state": twin})
        n = 1 + len(args) + len(kwds)
        return y, lambda y_bar: back(y_bar)[:n]


_wrapped(type(stats.vonmises).rvs)
_wrapped(type(stats.wrapcauchy).rvs)


@rule(BASE.rvs)
def frozen_rvs_rule(self: Any, size: Any = None, random_state: Any = None) -> Any:
    """By what the frozen distribution holds."""
    n, names = len(self.args), tuple(self.kwds)
    options = {"size": size, "random_state": random_state}
    y, back = call_pullback(of_class(self.dist, "rvs"), self.dist, *self.args, **self.kwds, **options)

    def frozen_rvs_back(y_bar: Any) -> Any:
        bars = back(y_bar)[2:]
        named = dict(zip(names, bars[n : n + len(names)], strict=True))
        return tangent(self, ("args", "kwds"), tuple(bars[:n]), named), None, None

    return y, frozen_rvs_back
