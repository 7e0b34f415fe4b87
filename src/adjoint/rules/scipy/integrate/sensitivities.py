"""Sensitivities of the solution of y' = f(t, y, θ): s' = (∂f/∂y) s + (∂f/∂θ) θ̇, solved beside y' = f itself.

Of few states and parameters the whole derivative is one matrix, which serves both modes (`flows`). Otherwise cotangents
come from a sweep back, and a tangent is solved beside the state: a call of `solve_ivp` for y and s together, which is
differentiated in its turn, so that derivatives of any order are those of an equation.

The cotangents J(x)ᴴ ȳ of a solution are themselves a function of x and ȳ. Along v it moves by the gradient of
⟨ȳ, J(x) v⟩ by x, and by J(x)ᴴ v̄, so that the second derivative is one sweep along the equation for y and s = J(x) v.

Source: R. P. Dickinson, R. J. Gelinas, Sensitivity analysis of ordinary differential equation systems, J. Comput. Phys.
21 (1976), 123-143; D. B. Özyurt, P. I. Barton, Cheap second order directional derivatives of stiff ODE embedded
functionals, SIAM J. Sci. Comput. 26 (2005), 1725-1743.
"""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc, import-untyped"

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

from ....tangents.lane_runs import in_lanes, unlaned
from ....tangents.lanes import Lanes
from ...knots import call_pullback, call_pushforward
from ...registry import non_differentiable, rule
from .flows import flow_of
from .sweeps import KEPT, Solver, grid_of, states_on, steps_of, sweep


@dataclass(frozen=True)
class Course:
    """The course that a solver found: the states, in columns, and the times between which it stepped (None: not
    kept)."""

    solver: Solver
    states: Any
    steps: Any = None
    flows: list = field(default_factory=list)
    """The derivative as a matrix, once it was asked for: None in it where it is too large."""


def states_at(start, times, y0, fun, args, course):
    """The states at these times, one in each column, of the solution that begins with `y0` at the start."""
    return course.states


def until(steps, end):
    """The steps up to a time.

    >>> until(np.array([0.0, 1.0, 2.0]), 1.5)
    array([0. , 1. , 1.5])
    """
    steps = np.asarray(steps)
    end = float(end)
    before = steps[np.abs(steps - steps[0]) < abs(end - steps[0])]
    return np.append(before, end)  # the start alone, if that is the end


def stepped(start, times, y0, fun, args, course):
    """The times between which the solver stepped, up to the last that is read."""
    if course.steps is not None:
        return until(course.steps, times[-1])
    return steps_of(fun, (float(start), float(times[-1])), y0, args, course.solver)


def flow_along_course(start, times, y0, fun, args, course):
    """The derivative of the states as a matrix, which is found once; None if it would be too large."""
    if not course.flows:
        steps = stepped(start, times, y0, fun, args, course)
        course.flows.append(flow_of(float(start), times, steps, y0, fun, args, course.solver))
    return course.flows[0]


def has_moves(dots):
    """Tell whether any of these tangents is one."""
    return any(d is not None for d in dots)


non_differentiable(until, stepped, has_moves)


def moved(times, states, bars, fun, args, slope):
    """The cotangents of times at which a state is read: ⟨ȳ, f(t, y)⟩; the states are columns."""
    slopes = [slope(t, states[:, k], fun, args) for k, t in enumerate(times)]
    return np.array([np.real(np.vdot(f, bars[:, k])) for k, f in enumerate(slopes)])


# ---- backwards


def bars_at(y_bar, start, times, y0, fun, args, course):
    """The cotangents of the arguments of `states_at`: ȳ goes back along a' = -(∂f/∂y)ᴴ a."""
    if not len(times):
        return None, None, None, None, None
    solver = course.solver
    flow = flow_along_course(start, times, y0, fun, args, course)
    if flow is not None:
        a, (fun_bar, arg_bars) = flow.pulled(y_bar)
    else:
        along = np.concatenate((np.reshape(np.asarray(start, float), (1,)), times))
        jumps = np.concatenate((np.zeros((len(y_bar), 1)), y_bar), axis=1)
        grid = grid_of(stepped(start, times, y0, fun, args, course), solver.degree)
        states = states_on(grid, start, fun, y0, args, solver)
        a, (fun_bar, arg_bars) = sweep(along, jumps, grid, states, fun, args, solver)
    start_bar = -np.real(np.vdot(solver.slope(start, y0, fun, args), a))
    return start_bar, moved(times, course.states, y_bar, fun, args, solver.slope), a, fun_bar, arg_bars


def bars_tangent(dots, bars, y_bar, start, times, y0, fun, args, course):
    """The gradient of ⟨ȳ, J v⟩ by what moves along v, and Jᴴ of the tangent of ȳ."""
    y_dot = dots[0]
    if not has_moves(dots[1:6]):
        return bars_at(y_dot, start, times, y0, fun, args, course)
    _, back = call_pullback(with_tangents, dots[1:6], start, times, y0, fun, args, course)
    return back((np.zeros_like(y_bar) if y_dot is None else y_dot, y_bar))[2:7]


@rule(bars_at, forward=bars_tangent)
def bars_at_rule(y_bar, start, times, y0, fun, args, course, *, needs=None):
    """Linear in ȳ with the transpose v ↦ J v; by x it is that of ⟨ȳ, J(x) v⟩."""

    def bars_at_back(v):
        if needs is not None and not any(needs[1:]):
            return (state_tangents(v, course.states, start, times, y0, fun, args, course),)
        (_, tangents), back = call_pullback(with_tangents, v, start, times, y0, fun, args, course)
        return tangents, *back((None, y_bar))[2:7], None

    return bars_at(y_bar, start, times, y0, fun, args, course), bars_at_back


# ---- forwards


def state_tangents(dots, states, start, times, y0, fun, args, course):
    """s at these times, one in each column, `dots` being the tangents of the arguments of `states_at`."""
    if not len(times):
        return np.zeros_like(states)
    start_dot, times_dot, state_dot, fun_dot, arg_dots = dots[:5]
    flow = flow_along_course(start, times, y0, fun, args, course)
    if flow is None:
        return with_tangents(dots, start, times, y0, fun, args, course)[1]
    if start_dot is not None:
        change = course.solver.slope(start, y0, fun, args) * start_dot
        state_dot = -change if state_dot is None else state_dot - change
    tangents = flow.pushed(state_dot, fun_dot, arg_dots, states.shape)
    if tangents is None:
        return with_tangents(dots, start, times, y0, fun, args, course)[1]
    return (
        tangents
        if times_dot is None
        else tangents + slopes_at(times, states, fun, args, course.solver.slope) * times_dot
    )


@rule(state_tangents)
def state_tangents_rule(dots, states, start, times, y0, fun, args, course):
    """Of a single tangent, as a program."""
    (_, tangents), back = call_pullback(with_tangents, dots, start, times, y0, fun, args, course)

    def state_tangents_back(s_bar):
        bars = back((None, s_bar))
        return bars[1], None, *bars[2:7], None

    return tangents, state_tangents_back


@rule(states_at, calls=True, forward=state_tangents)
def states_at_rule(start, times, y0, fun, args, course):
    """y(tₖ), so ȳ goes back along the adjoint equation."""

    def states_at_back(y_bar):
        return *bars_at(y_bar, start, times, y0, fun, args, course), None

    return states_at(start, times, y0, fun, args, course), states_at_back


def with_tangents(dots, start, times, y0, fun, args, course):
    """The states at these times and how they move: s, and f(t, y) ṫ where the time moves itself."""
    start_dot, times_dot, state_dot, fun_dot, arg_dots = dots[:5]
    solver, n = course.solver, len(y0)
    s = np.zeros_like(y0) if state_dot is None else state_dot
    if start_dot is not None:
        s = s - solver.slope(start, y0, fun, args) * start_dot
    w = solve_ivp(
        beside, (start, times[-1]), np.concatenate((y0, s)), solver.method, t_eval=times,
        args=(fun, args, fun_dot, arg_dots, solver.slope), **options_for(solver, n, 1, jacobian_beside),
    ).y  # fmt: skip
    y, tangents = w[:n], w[n:]
    if times_dot is not None:
        tangents = tangents + slopes_at(times, y, fun, args, solver.slope) * times_dot
    return y, tangents


def slopes_at(times, states, fun, args, slope):
    """f at the states that are read."""
    return np.stack([slope(t, states[:, k], fun, args) for k, t in enumerate(times)], axis=1)


def beside(t, w, fun, args, fun_dot, arg_dots, slope):
    """The right-hand side for y and s, one behind the other."""
    n = len(w) // 2
    y, y_dot = call_pushforward(slope, (t, w[:n], fun, args), (None, None, w[n:], fun_dot, arg_dots))
    return np.concatenate((y, y_dot))


def jacobian_beside(t, w, *rest):
    """The matrix of this equation, for implicit methods: all columns as lanes."""
    return matrix_of(beside, t, w, rest)


def matrix_of(slope, t, w, rest):
    """∂f/∂w of a right-hand side."""
    still = (None,) * len(rest)
    units = np.eye(len(w), dtype=w.dtype)
    columns = in_lanes(lambda e: call_pushforward(slope, (t, w, *rest), (None, None, e, *still))[1], Lanes(units))
    return np.transpose(unlaned(columns, len(w)))


def options_for(solver, n, count, jacobian):
    """The options of the solver for a state of `n` numbers and so many tangents."""
    options = {key: solver.options[key] for key in KEPT if key in solver.options}
    if np.ndim(options.get("atol", 0.0)):
        least = np.full(n * count, np.min(options["atol"]))
        options["atol"] = np.concatenate((np.broadcast_to(options["atol"], (n,)), least))
    return {**options, "jac": jacobian} if solver.is_implicit else options


non_differentiable(options_for)
