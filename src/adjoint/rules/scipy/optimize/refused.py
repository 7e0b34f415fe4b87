"""Functions of `scipy.optimize` that carry no derivative, those of a formula, and those that are refused."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls

import numpy as np
import scipy.optimize

from ...numpy.lifting import composed
from ...registry import non_differentiable, not_implemented

_O = scipy.optimize

non_differentiable(_O.linear_sum_assignment, _O.show_options, _O.linprog_verbose_callback, _O.check_grad)
non_differentiable(_O.bracket)


@composed(_O.rosen)
def rosen(x):
    """Σ 100 (xᵢ₊₁ - xᵢ²)² + (1 - xᵢ)²."""
    x = np.asarray(x)
    return np.sum(100.0 * (x[1:] - x[:-1] ** 2.0) ** 2.0 + (1 - x[:-1]) ** 2.0, axis=0)


not_implemented(
    _O.rosen_der,
    _O.rosen_hess,
    _O.rosen_hess_prod,
    why="it is a derivative itself",
    way_out="differentiate `scipy.optimize.rosen`",
)
not_implemented(
    _O.milp,
    why="a solution in integers stays where it is, and jumps",
    way_out="fix the integers and solve for the others by `scipy.optimize.linprog`, which has a rule",
)
not_implemented(
    _O.line_search,
    why="how long a step is, is decided by comparisons",
    way_out="cut the derivative with `adjoint.stop_gradient`",
)
not_implemented(
    _O.approx_fprime,
    why="differences of differences have no digits left",
    way_out="use `adjoint.gradient`, or `adjoint.calculus.numeric`",
)
not_implemented(
    _O.quadratic_assignment,
    why="it finds a permutation by steps that are not followed",
    way_out="take `col_ind` from a call outside, and compute the value of that permutation with functions of NumPy",
)
