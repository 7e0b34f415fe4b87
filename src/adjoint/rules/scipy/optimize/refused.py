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
    _O.linprog,
    _O.milp,
    why="the solution of a linear program stays at a corner, and jumps",
    way_out="solve the equations that hold at the corner by `np.linalg.solve`",
)
not_implemented(
    _O.fmin_cobyla,
    _O.fmin_slsqp,
    why="only minima without constraints, or with bounds, have a rule",
    way_out="use `scipy.optimize.minimize` with bounds, or write the optimality conditions as the residual of "
    "`adjoint.implicit`",
)
not_implemented(
    _O.fmin_l_bfgs_b,
    _O.fmin_tnc,
    _O.shgo,
    _O.direct,
    _O.brute,
    _O.fminbound,
    _O.brent,
    _O.golden,
    why="it has no rule",
    way_out="use `scipy.optimize.minimize` or `minimize_scalar`, which have",
)
not_implemented(
    _O.line_search,
    why="how long a step is, is decided by comparisons",
    way_out="cut the derivative with `adjoint.stop_gradient`",
)
not_implemented(
    _O.approx_fprime,
    why="differences of differences have no digits left",
    way_out="use `adjoint.gradient`, or `adjoint.numeric`",
)
not_implemented(
    _O.isotonic_regression,
    _O.quadratic_assignment,
    why="it has no rule",
    way_out="write one for the function of yours that calls it: `@adjoint.rule(...)`",
)
