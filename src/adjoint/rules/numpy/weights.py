"""The weights of the bases of `numpy.polynomial`, and intervals. Loaded when it is seen."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc, attr-defined"

from typing import Any

import numpy as np
from numpy.polynomial import chebyshev, hermite, hermite_e, laguerre, legendre, polyutils

from ..registry import non_differentiable, not_implemented
from .lifting import composed


@composed(chebyshev.chebweight)
def weight_of_chebyshev(x: Any) -> Any:
    """y = 1 / √(1 - x²)."""
    return 1.0 / (np.sqrt(1.0 + x) * np.sqrt(1.0 - x))


@composed(hermite.hermweight)
def weight_of_hermite(x: Any) -> Any:
    """y = exp(-x²)."""
    return np.exp(-(x**2))


@composed(hermite_e.hermeweight)
def weight_of_hermite_e(x: Any) -> Any:
    """y = exp(-x² / 2)."""
    return np.exp(-0.5 * x**2)


@composed(laguerre.lagweight)
def weight_of_laguerre(x: Any) -> Any:
    """y = exp(-x)."""
    return np.exp(-x)


@composed(polyutils.mapparms)
def map_of_intervals(old: Any, new: Any) -> Any:
    """The offset and the scale that bring one interval onto another."""
    length = old[1] - old[0]
    return (old[1] * new[0] - old[0] * new[1]) / length, (new[1] - new[0]) / length


@composed(polyutils.mapdomain)
def mapped_domain(x: Any, old: Any, new: Any) -> Any:
    """y = the points of one interval in another."""
    offset, scale = polyutils.mapparms(old, new)
    return offset + scale * np.asarray(x)


non_differentiable(legendre.legweight, chebyshev.chebpts1, chebyshev.chebpts2)
non_differentiable(polyutils.format_float, np.polynomial.set_default_printstyle)

not_implemented(
    polyutils.as_series,
    polyutils.trimseq,
    why="it prepares coefficients for the other functions of this module",
    way_out="index the coefficients",
)
