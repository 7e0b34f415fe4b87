"""Rules for `scipy.interpolate`."""

import scipy.interpolate

from ..effects import declare
from . import (
    bases,
    collocation,
    cubic,
    fitted,
    grids,
    linear,
    piecewise,
    polynomials,
    radial,
    refused,
    scattered,
    splines,
    surfaces,
    tensor,
    tuples,
)

__all__ = [
    "bases",
    "collocation",
    "cubic",
    "fitted",
    "grids",
    "linear",
    "piecewise",
    "polynomials",
    "radial",
    "refused",
    "scattered",
    "splines",
    "surfaces",
    "tensor",
    "tuples",
]

declare(
    scipy.interpolate,
    shows="insert make_interp_spline make_lsq_spline make_smoothing_spline splantider splder splprep splrep sproot",
    but="Rbf",
)
