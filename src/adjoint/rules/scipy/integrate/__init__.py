"""Rules for `scipy.integrate`."""

import scipy.integrate

from .. import results
from ..effects import declare
from . import equations, quadrature, refused, samples

__all__ = ["equations", "quadrature", "refused", "results", "samples"]

declare(scipy.integrate, but="dblquad fixed_quad nquad odeint quad quad_vec solve_ivp tplquad")
