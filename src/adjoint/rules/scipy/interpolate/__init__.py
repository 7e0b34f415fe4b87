"""Rules for `scipy.interpolate`."""

from . import collocation, cubic, fitted, grids, linear, piecewise, polynomials, radial, refused, splines

__all__ = [
    "collocation",
    "cubic",
    "fitted",
    "grids",
    "linear",
    "piecewise",
    "polynomials",
    "radial",
    "refused",
    "splines",
]
