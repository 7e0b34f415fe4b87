"""How the solution of y' = f(t, y, θ) moves: s' = (∂f/∂y) s + (∂f/∂θ) θ̇, solved beside it.

It is the transpose of the adjoint equation, and takes its place in forward mode: one linear equation of the size of the
state for each tangent.

Source: R. P. Dickinson, R. J. Gelinas, Sensitivity analysis of ordinary differential equation systems, J. Comput. Phys.
21 (1976), 123-143.
"""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc, import-untyped"

from typing import Any, NamedTuple

import numpy as np
from scipy.integrate import solve_ivp

from ....tangents import as_array
from ...numpy.linear import stacked
from ...registry import call_pushforward
from .sweeps import Solver, grid_of, interpolated, states_on


class Equation(NamedTuple):
    """What is solved: the right-hand side, its further arguments, the solver, the points between which it stepped."""

    fun: Any
    args: Any
    solver: Solver
    steps: Any


class Moving(NamedTuple):
    """The tangents of the right-hand side, of its arguments, of the initial time and state."""

    fun: Any
    args: Any
    start: Any
    state: Any


def state_tangents(times, y0, equation, moving):
    """s at these times, one in each column; the times are those at which the solution is read."""
    fun, args, solver, steps = equation
    y0 = np.asarray(y0)
    s = np.zeros(y0.shape) if moving.state is None else stacked(moving.state, y0)
    if moving.start is not None:
        s = s - solver.slope(steps[0], y0, fun, args) * moving.start
    grid = grid_of(steps, solver.degree)
    if len(grid) == 1:
        return np.repeat(np.reshape(s, (-1, 1)), len(times), axis=1)
    states = states_on(grid, steps[0], fun, y0, args, solver)
    rest = (grid, states, fun, args, solver, moving.fun, moving.args)
    return solve_ivp(
        tangent_slope, (steps[0], steps[-1]), s.astype(states.dtype), solver.method, t_eval=times, args=rest,
        **solver.linear_options(tangent_jacobian),
    ).y  # fmt: skip


def tangent_slope(t, s, grid, states, fun, args, solver, fun_dot, arg_dots):
    """The right-hand side of the equation for s."""
    y = interpolated(t, grid, states, solver.degree)
    return call_pushforward(solver.slope, (t, y, fun, args), (None, None, s, fun_dot, arg_dots))[1]


def tangent_jacobian(t, s, grid, states, fun, args, solver, fun_dot, arg_dots):
    """∂f/∂y, column by column, for implicit methods."""
    units = np.eye(len(s), dtype=s.dtype)
    return np.stack([tangent_slope(t, e, grid, states, fun, args, solver, None, None) for e in units], axis=1)


def with_times(tangents, times_dot, times, states, equation):
    """Tangents of states that are read at times which move themselves: s + f(t, y) ṫ."""
    if times_dot is None:
        return tangents
    fun, args, solver, _ = equation
    slopes = [solver.slope(t, states[:, k], fun, args) for k, t in enumerate(times)]
    return tangents + np.stack(slopes, axis=1) * as_array(times_dot)
