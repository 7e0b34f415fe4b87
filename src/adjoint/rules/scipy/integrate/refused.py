"""What is left of `scipy.integrate`: classes that are stepped by hand, and integrals without a rule."""
# mypy: disable-error-code="import-untyped"

from typing import Any

from scipy import integrate

from ...registry import Back, not_implemented, rule

not_implemented(
    integrate.OdeSolution.__call__,
    why="a dense output is made of the steps that the solver took, which are not followed",
    way_out="ask `solve_ivp` for these times by `t_eval`",
)
for _solver in ("RK23", "RK45", "DOP853", "Radau", "BDF", "LSODA", "OdeSolver", "DenseOutput", "OdeSolution"):
    not_implemented(
        getattr(integrate, _solver),
        why="a solver that is stepped by hand keeps its state where it is not followed",
        way_out="use `solve_ivp`, which has a rule",
    )
not_implemented(
    integrate.ode, integrate.complex_ode,
    why="it keeps its state where it is not followed",
    way_out="use `solve_ivp`, which has a rule",
)  # fmt: skip
not_implemented(
    integrate.solve_bvp,
    why="its mesh depends on the solution",
    way_out="shoot with `solve_ivp`, or solve the collocation equations by `scipy.optimize.root`",
)
_NEWER = ("qmc_quad", "nsum", "tanhsinh", "cubature", "quadrature", "romberg", "cumtrapz", "trapz", "simps")
for _name in _NEWER:
    if hasattr(integrate, _name):
        not_implemented(
            getattr(integrate, _name),
            why="nobody has written its rule",
            way_out="use `quad`, `quad_vec`, `nquad`, `trapezoid` or `simpson`, which have one",
        )


@rule(integrate.newton_cotes)
def newton_cotes_rule(rn: int, equal: int = 0) -> tuple[Any, Back]:
    """The weights for so many points."""

    def newton_cotes_back(y_bar: Any) -> tuple[Any, ...]:
        return None, None

    return integrate.newton_cotes(rn, equal), newton_cotes_back


@rule(integrate.newton_cotes)
def newton_cotes_at_points_rule(rn: Any, equal: int = 0) -> tuple[Any, Back]:
    """At points that are differentiated there is no rule."""
    from ...numpy.lifting import refuse

    refuse("scipy.integrate.newton_cotes", "the weights at given points have no rule", "give the number of points")
    return integrate.newton_cotes(rn, equal), lambda y_bar: (None, None)
