"""The adjoint of y' = f(t, y, θ): a' = -(∂f/∂y)ᴴ a and θ̄' = -(∂f/∂θ)ᴴ a, solved from the last time to the first.

Where the result is read, at t_k, its cotangent is added to a. The state that the adjoint equation needs on its way is
interpolated: it is solved for once more, at points in each step that the solver took, so that nothing is ever
integrated against its stable direction.

Source: L. S. Pontryagin et al., The Mathematical Theory of Optimal Processes (1962); Y. Cao, S. Li, L. Petzold, R.
Serban, Adjoint sensitivity analysis for differential-algebraic equations, SIAM J. Sci. Comput. 24 (2003), 1076-1089.
"""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc, import-untyped"

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

from ...knots import call_pullback
from ...registry import non_differentiable, rule
from ..structures import FormGrownError, flattened, form_of, merged, restored, size_of

KEPT = ("rtol", "atol", "max_step")
"""The options of a solver that make sense for the adjoint equation, too."""

DEGREES = {"RK23": 3, "RK45": 5, "DOP853": 7, "Radau": 4}
"""Of the polynomials that interpolate the state within a step."""


@dataclass(frozen=True)
class Solver:
    """The solver of an equation: the method and the options of `solve_ivp`; `slope(t, y, f, args)` calls the user's
    f."""

    method: Any
    options: Any
    slope: Any

    @property
    def degree(self) -> int:
        """Of the polynomials that interpolate the state within a step."""
        return DEGREES.get(getattr(self.method, "__name__", self.method), 5)

    def linear_options(self, jacobian: Any) -> dict[str, Any]:
        """The options for a linear equation along the solution, that has this matrix."""
        kept = {key: self.options[key] for key in KEPT if key in self.options}
        if np.ndim(kept.get("atol", 0.0)):
            kept["atol"] = float(np.min(kept["atol"]))
        return {**kept, "jac": jacobian} if self.is_implicit else kept

    @property
    def is_implicit(self) -> bool:
        """True if it solves equations in each step, for which it takes a matrix."""
        return getattr(self.method, "__name__", self.method) in ("Radau", "BDF", "LSODA")


def slope_of(t, y, fun, args):
    """The right-hand side as `solve_ivp` calls it."""
    return np.asarray(fun(t, y, *args))


def slope_of_state_first(t, y, fun, args):
    """The right-hand side as `odeint` calls it."""
    return np.asarray(fun(y, t, *args))


def grid_of(steps, degree):
    """The points at which the state is kept: in each step those of Chebyshev and Lobatto.

    >>> grid_of(np.array([0.0, 1.0, 3.0]), 2)
    array([0. , 0.5, 1. , 2. , 3. ])
    """
    if len(steps) == 1:
        return steps
    size = np.abs(steps[-1] - steps[0])
    wide = np.abs(np.diff(steps)) > 1e-12 * max(size, float(np.max(np.abs(steps))))
    wide[-1:] = True
    starts = np.concatenate((steps[:1], steps[1:-1][wide[:-1]]))
    ends = np.concatenate((starts[1:], steps[-1:]))
    inner = 0.5 - 0.5 * np.cos(np.pi * np.arange(degree) / degree)
    return np.concatenate((np.ravel(starts[:, None] + (ends - starts)[:, None] * inner), ends[-1:]))


def basis(t, grid, degree):
    """The start of the points of the step that t lies in, and the values at t of their Lagrange polynomials.

    >>> basis(0.5, np.array([0.0, 0.5, 1.0]), 2)
    (0, array([0., 1., 0.]))
    """
    n = (len(grid) - 1) // degree
    ends = grid[degree::degree]
    k = int(np.searchsorted(ends, t) if grid[-1] > grid[0] else np.searchsorted(-ends, -t))
    start = degree * min(k, n - 1)
    points = grid[start : start + degree + 1]
    signs = np.where(np.arange(degree + 1) % 2 == 0, 1.0, -1.0)
    signs[0] *= 0.5
    signs[-1] *= 0.5
    distances = t - points
    if not np.all(distances):
        return start, np.where(distances == 0, 1.0, 0.0)
    terms = signs / distances
    return start, terms / np.sum(terms)


def steps_of(fun, span, y0, args, solver):
    """The times between which a solver takes its steps."""
    return solve_ivp(solver.slope, span, y0, solver.method, args=(fun, args), **solver.options).t


non_differentiable(grid_of, basis, steps_of)


def states_on(grid, start, fun, y0, args, solver):
    """The states at the points of a grid, one in each column."""
    if len(grid) == 1:
        return np.reshape(np.asarray(y0), (-1, 1))
    return solve_ivp(
        solver.slope, (start, grid[-1]), y0, solver.method, t_eval=grid, args=(fun, args), **solver.options
    ).y


def interpolated(t, grid, states, degree):
    """The state at a time, from those at the points of its step."""
    start, weights = basis(t, grid, degree)
    return states[:, start : start + degree + 1] @ weights


def adjoint_slope(t, w, grid, states, fun, args, solver, form):
    """The right-hand side of the adjoint equation: w is a, then θ̄ as one vector."""
    n = len(states)
    _, back = call_pullback(solver.slope, t, interpolated(t, grid, states, solver.degree), fun, args)
    _, _, y_bar, fun_bar, arg_bars = back(w[:n])
    a = np.zeros(n) if y_bar is None else y_bar
    return -np.concatenate((a, flattened((fun_bar, arg_bars), form)))


def adjoint_jacobian(t, w, grid, states, fun, args, solver, form):
    """The adjoint equation is linear in a: its matrix, column by column, for implicit methods."""
    n = len(states)
    columns = [adjoint_slope(t, e, grid, states, fun, args, solver, form) for e in np.eye(n, len(w))]
    return np.concatenate((np.stack(columns, axis=1), np.zeros((len(w), len(w) - n))), axis=1)


def swept(times, jumps, grid, states, fun, args, solver, form):
    """a at the first of the times, and the cotangents of f and its arguments; `jumps[:, k]` is added to a at time k,
    but for the first."""
    n, last = len(states), len(times) - 1
    w = np.concatenate((jumps[:, last], np.zeros(size_of(form))))
    rest = (grid, states, fun, args, solver, form)
    options = solver.linear_options(adjoint_jacobian)
    for k in range(last, 0, -1):
        if times[k] != times[k - 1]:
            ends = (times[k], times[k - 1])
            w = solve_ivp(adjoint_slope, ends, w, solver.method, args=rest, **options).y[:, -1]
        if k > 1:
            w = w + np.concatenate((jumps[:, k - 1], np.zeros(size_of(form))))
    return w[:n], restored(w[n:], form)


def with_form(times, jumps, grid, states, fun, args, solver, form: Any = (None, None)):
    """`swept`, and the form of what flows to f and its arguments, which is not known before."""
    while True:
        try:
            return swept(times, jumps, grid, states, fun, args, solver, form), form
        except FormGrownError as grown:
            form = merged(form, grown.form)


def form_for(times, jumps, grid, states, fun, args, solver):
    """The form of all that can flow to f and its arguments, whatever the jumps are."""
    return with_form(times, np.ones_like(jumps), grid, states, fun, args, solver)[1]


def probed(grid, states, fun, args, solver):
    """The form of what can flow to f and its arguments from some step: found where each step begins."""
    form: Any = (None, None)
    for k in range(0, len(grid), solver.degree):
        _, back = call_pullback(solver.slope, grid[k], states[:, k], fun, args)
        form = merged(form, form_of(tuple(back(np.ones(len(states), states.dtype))[3:])))
    return form


non_differentiable(form_for, probed)


def sweep(times, jumps, grid, states, fun, args, solver):
    """`swept`; where nothing is added to a, the solver goes on."""
    chosen = np.any(jumps != 0, axis=0)
    chosen[0] = True
    # What flows nowhere now has a derivative all the same: there are zeros for all that f depends on.
    form = (None, None) if np.all(chosen) else probed(grid, states, fun, args, solver)
    if not np.any(chosen[1:]):
        return np.zeros(len(states), jumps.dtype), restored(np.zeros(size_of(form)), form)
    return with_form(times[chosen], jumps[:, chosen], grid, states, fun, args, solver, form)[0]


@rule(sweep)
def sweep_rule(times, jumps, grid, states, fun, args, solver):
    """The derivative of what each interval does."""

    def sweep_back(y_bar):
        form = form_for(times, jumps, grid, states, fun, args, solver)
        _, back = call_pullback(swept, times, jumps, grid, states, fun, args, solver, form)
        return back(y_bar)[1:8]

    return sweep(times, jumps, grid, states, fun, args, solver), sweep_back
