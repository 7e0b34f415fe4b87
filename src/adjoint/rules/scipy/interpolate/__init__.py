"""Rules for `scipy.interpolate`."""

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
