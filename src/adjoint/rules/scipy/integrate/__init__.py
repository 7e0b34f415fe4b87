"""Rules for `scipy.integrate`."""

from .. import results
from . import equations, quadrature, refused, samples

__all__ = ["equations", "quadrature", "refused", "results", "samples"]
