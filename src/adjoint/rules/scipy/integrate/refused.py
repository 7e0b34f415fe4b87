"""The rest of `scipy.integrate`: classes that are stepped by hand, and integrals without a rule."""
# mypy: disable-error-code="import-untyped"

from typing import Any

from scipy import integrate

from ...registry import Back, not_implemented, rule

not_implemented(
    integrate.OdeSolution.__call__,
    integrate.DenseOutput.__call__,
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


def _refuse(names: str, why: str, way_out: str) -> None:
    found = [getattr(integrate, name) for name in names.split() if hasattr(integrate, name)]
    not_implemented(*found, why=why, way_out=way_out)


_refuse(
    "tanhsinh nsum cubature",
    "the integrand is called with arrays of points of many intervals at once, and its derivative is not integrated so",
    "use `quad`, `quad_vec` or `nquad`, which have rules; a series is a sum of its first terms",
)
_refuse(
    "qmc_quad",
    "its points are drawn, so that value and derivative would be those of different points",
    "draw the points yourself (`scipy.stats.qmc`), and take the mean of the values there",
)
_refuse(
    "quadrature romberg cumtrapz trapz simps",
    "it is deprecated, and gone from newer versions of SciPy",
    "use `quad`, `cumulative_trapezoid`, `trapezoid` or `simpson`, which have rules",
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

    refuse(
        "scipy.integrate.newton_cotes",
        "the weights at given points are found by a system that grows worse with each point",
        "give the number of points",
    )
    return integrate.newton_cotes(rn, equal), lambda y_bar: (None, None)
