"""The derivative of a solution as a matrix: all columns of S' = (∂f/∂y) S + (∂f/∂θ) are solved together.

∂f/∂y and ∂f/∂θ are found row by row, by as many pullbacks of f as there are states, whatever many parameters there are.
So it is for few states, where it takes the place of sweeps for each cotangent and of a solution for each tangent.
"""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc, import-untyped"

from typing import Any, NamedTuple

import numpy as np
from scipy.integrate import solve_ivp

from ....tangents.lane_runs import alone
from ...knots import call_pullback
from ..structures import FormGrownError, flattened, leaves_of, merged, restored, size_of
from .sweeps import grid_of, interpolated, probed, states_on

STATES, COLUMNS = 8, 64
"""How many there may be."""


class Flow(NamedTuple):
    """The derivative of the numbers of a solution by those of the initial state, of f and of its arguments, whose form
    is kept beside the matrix."""

    matrix: Any
    form: Any

    def pulled(self, y_bar):
        """The cotangents of the initial state, of f and of its arguments."""
        n = len(y_bar)
        bars = np.ravel(y_bar) @ self.matrix
        return bars[:n], restored(bars[n:], self.form)

    def pushed(self, state_dot, fun_dot, arg_dots, shape):
        """The tangent of the solution; None if something moves that is not among the columns."""
        try:
            others = flattened((fun_dot, arg_dots), self.form)
        except FormGrownError:
            return None
        state_dot = np.zeros(shape[0]) if state_dot is None else state_dot
        return np.reshape(self.matrix @ np.concatenate((state_dot, others)), shape)


def flow_of(start, times, steps, y0, fun, args, solver):
    """The flow from the start to these times; None if there are too many states or parameters."""
    if len(y0) > STATES or y0.dtype.kind == "c":
        return None
    grid = grid_of(steps, solver.degree)
    states = states_on(grid, start, fun, y0, args, solver)
    form = probed(grid[:1], states, fun, args, solver)
    while True:
        if len(y0) + size_of(form) > COLUMNS or any(np.iscomplexobj(leaf.like) for leaf in leaves_of(form)):
            return None
        try:
            return Flow(alone(flow_along, times, grid, states, fun, args, solver, form), form)
        except FormGrownError as grown:
            form = merged(form, grown.form)


def flow_along(times, grid, states, fun, args, solver, form):
    """The matrix: its rows are the states at the times, those of one state together."""
    n = len(states)
    identity = np.eye(n, n + size_of(form))
    if len(grid) == 1:
        columns = np.repeat(np.ravel(identity)[:, None], len(times), axis=1)
    else:
        rest = (grid, states, fun, args, solver, form)
        columns = solve_ivp(
            flow_slope, (grid[0], grid[-1]), np.ravel(identity), solver.method, t_eval=times, args=rest,
            **solver.linear_options(flow_jacobian),
        ).y  # fmt: skip
    return np.reshape(np.transpose(np.reshape(columns, (*identity.shape, len(times))), (0, 2, 1)), (n * len(times), -1))


def flow_slope(t, w, grid, states, fun, args, solver, form):
    """The right-hand side for all columns."""
    n = len(states)
    rows = rows_at(t, interpolated(t, grid, states, solver.degree), fun, args, solver, form)
    s = np.reshape(w, (n, -1))
    moved = rows[:, :n] @ s
    moved[:, n:] += rows[:, n:]
    return np.ravel(moved)


def flow_jacobian(t, w, grid, states, fun, args, solver, form):
    """∂f/∂y for each of the columns, for implicit methods."""
    n = len(states)
    rows = rows_at(t, interpolated(t, grid, states, solver.degree), fun, args, solver, form)
    return np.kron(rows[:, :n], np.eye(len(w) // n))


def rows_at(t, y, fun, args, solver, form) -> Any:
    """∂f/∂y and ∂f/∂θ side by side."""
    n = len(y)
    _, back = call_pullback(solver.slope, t, y, fun, args)
    rows = np.zeros((n, n + size_of(form)))
    for i, unit in enumerate(np.eye(n)):
        _, _, y_bar, fun_bar, arg_bars = back(unit)
        if y_bar is not None:
            rows[i, :n] = y_bar
        rows[i, n:] = flattened((fun_bar, arg_bars), form)
    return rows
