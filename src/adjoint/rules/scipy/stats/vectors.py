"""Draws of vectors and matrices, by the parameters of their distributions: the random bits stay.

y = mean + z: of where the draws lie the derivative is known, of how they spread it is not.
"""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import inspect
from typing import Any

import numpy as np
import scipy.stats as stats

from ....tangents import tangent, unknown
from ...knots import call_pullback
from ...numpy.linear import bring_back
from ...registry import non_differentiable, rule
from .multivariate import parameter_bar, parameter_of

OPTIONS = ("size", "random_state")


def unknown_parameter(family: Any, name: str) -> Any:
    """The cotangent of a parameter that draws jump by, or that is not told apart from the random bits."""
    return unknown(
        f"`{name}` of `{type(family).__name__.removesuffix('_gen')}.rvs`",
        "it is drawn by rejection, or in a way that is not followed",
        f"make it a constant: `adjoint.stop_gradient({name})`, or draw standard numbers and transform them",
        True,
    )


def moved(y_bar: Any, mean: Any) -> Any:
    """The cotangent of what each draw is moved by."""
    if mean is None or y_bar is None:
        return None
    rows = np.reshape(y_bar, (-1, *np.shape(mean)))
    return bring_back(rows.sum(axis=0), mean)


non_differentiable(unknown_parameter)


def _draws(family: Any, location: str | None, frozen: Any, parameters: tuple[str, ...]) -> None:
    """The rule of `family.rvs`, and of that of a distribution whose parameters are given."""
    method = type(family).rvs
    names = tuple(inspect.signature(method).parameters)[1:]

    @rule(method)
    def vectors_rule(self: Any, *args: Any, **kwds: Any) -> Any:
        """The draws, which move with their location."""
        y = method(self, *args, **kwds)
        given = dict(zip((*names[: len(args)], *kwds), (*args, *kwds.values()), strict=True))

        def vectors_back(y_bar: Any) -> Any:
            bars = [
                None if name in OPTIONS else moved(y_bar, x) if name == location else unknown_parameter(self, name)
                for name, x in given.items()
            ]
            return (None, *bars)

        return y, vectors_back

    @rule(type(frozen).rvs)
    def frozen_vectors_rule(self: Any, size: Any = 1, random_state: Any = None) -> Any:
        values = [parameter_of(self, name) for name in parameters]
        y, back = call_pullback(method, self._dist, *values, size=size, random_state=random_state)

        def frozen_vectors_back(y_bar: Any) -> Any:
            bars = back(y_bar)[2 : 2 + len(values)]
            return (tangent(self, parameters, *map(parameter_bar, bars, values)), None, None)

        return y, frozen_vectors_back


_draws(stats.multivariate_normal, "mean", stats.multivariate_normal(), ("mean", "cov"))
_draws(stats.multivariate_t, "loc", stats.multivariate_t(), ("loc", "shape", "df"))
_draws(stats.matrix_normal, "mean", stats.matrix_normal(np.zeros((1, 1))), ("mean", "rowcov", "colcov"))
_draws(stats.dirichlet, None, stats.dirichlet([1.0, 1.0]), ("alpha",))
_draws(stats.multinomial, None, stats.multinomial(1, [0.5, 0.5]), ("n", "p"))
_draws(stats.wishart, None, stats.wishart(1, 1), ("df", "scale"))
_draws(stats.invwishart, None, stats.invwishart(1, 1), ("df", "scale"))
