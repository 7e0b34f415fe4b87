"""Ordinary differential equations: by the adjoint equation, or through the steps that the solver took.

The derivative is by the initial state, by the times at which the result is read (the ends of the interval, `t_eval`),
by `args` and by all that the right-hand side captured. The times of steps that the solver chose count as constants.
"""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc, import-untyped"

import numpy as np
from scipy import integrate

from ....tangents import accumulate
from ...numpy.linear import nested, stacked
from ...registry import call_pullback, non_differentiable, rule
from ..choices import is_through_steps
from .events import with_events
from .sensitivities import Equation, Moving, state_tangents, with_times
from .steps import replay_rule
from .sweeps import Solver, grid_of, slope_of, slope_of_state_first, states_on, steps_of, sweep


def until(steps, end):
    """The steps up to a time.

    >>> until(np.array([0.0, 1.0, 2.0]), 1.5)
    array([0. , 1. , 1.5])
    """
    steps = np.asarray(steps)
    end = float(end)
    before = steps[np.abs(steps - steps[0]) < abs(end - steps[0])]
    return np.append(before, end)  # the start alone, if that is the end


def ends_of(t_span):
    """The interval of a solver as numbers."""
    start, end = t_span
    return float(start), float(end)


non_differentiable(until, ends_of)


def pulled(times, jumps, steps, fun, y0, args, solver):
    """a at the first of the times, and the cotangents of f and its arguments."""
    grid = grid_of(until(steps, times[-1]), solver.degree)
    states = states_on(grid, times[0], fun, y0, args, solver)
    return sweep(times, jumps, grid, states, fun, args, solver)


def moved(times, states, bars, fun, args, slope):
    """The cotangents of times at which a state is read: ⟨ȳ, f(t, y)⟩; the states are columns."""
    slopes = [slope(t, states[:, k], fun, args) for k, t in enumerate(times)]
    return np.array([np.real(np.vdot(f, bars[:, k])) for k, f in enumerate(slopes)])


def is_by_equation(dots, fun, t_span, y0, method="RK45", t_eval=None, dense_output=False, events=None, *_, **__):
    """Whether the tangent of a solution is that of its equation."""
    return not dense_output and events is None and not is_through_steps()


def solution_tangent(
    d, result, fun, t_span, y0, method="RK45", t_eval=None, dense_output=False, events=None, vectorized=False,
    args=None, **options,
):  # fmt: skip
    """The tangent of what `solve_ivp` gives, `d` being those of its arguments."""
    fun_dot, span_dot, state_dot, _, eval_dot, _, _, _, args_dot = d
    solver, operands = Solver(method, options, slope_of), () if args is None else tuple(args)
    ts, ys, given = np.asarray(result.t), np.asarray(result.y), t_eval is not None
    start_dot, end_dot = (None, None) if span_dot is None else span_dot
    steps = steps_of(fun, ends_of(t_span), y0, operands, solver) if given else ts
    equation = Equation(fun, operands, solver, until(steps, ts[-1]))
    moving = Moving(fun_dot, None if args_dot is None else tuple(args_dot), start_dot, state_dot)
    tangents = state_tangents(ts, y0, equation, moving)
    if given:
        times_dot = None if eval_dot is None else stacked(eval_dot, t_eval)[: len(ts)]
    else:
        # The first column is the initial state itself; the times between are those of the solver.
        ends = (0.0 if start_dot is None else start_dot, 0.0 if end_dot is None or result.status else end_dot)
        times_dot = np.concatenate((np.reshape(ends[0], (1,)), np.zeros(len(ts) - 2), np.reshape(ends[1], (1,))))
    tangents = with_times(tangents, times_dot, ts, ys, equation)
    return {"t": np.zeros(len(ts)) if times_dot is None else times_dot, "y": tangents}


@rule(integrate.solve_ivp, calls=True, forward=solution_tangent, forward_for=is_by_equation)
def solve_ivp_rule(
    fun, t_span, y0, method="RK45", t_eval=None, dense_output=False, events=None, vectorized=False, args=None, **options
):
    """y(t) of y' = f(t, y): ȳ goes back along a' = -(∂f/∂y)ᴴ a."""
    result = integrate.solve_ivp(fun, t_span, y0, method, t_eval, dense_output, events, vectorized, args, **options)
    if is_through_steps():
        return result, replay_rule(result, fun, t_span, y0, method, t_eval, events, args, options)

    def solve_ivp_back(bar):
        return bars_of_solution(bar, result, fun, t_span, y0, method, t_eval, events, args, options)

    return result, solve_ivp_back


def bars_of_solution(bar, result, fun, t_span, y0, method, t_eval, events, args, options):
    """The cotangents of the arguments of `solve_ivp`, in their order."""
    return by_adjoint_equation(bar, result, fun, t_span, y0, method, t_eval, events, args, options)


def by_adjoint_equation(bar, result, fun, t_span, y0, method, t_eval, events, args, options):
    """The same, as a program: the one above has a rule."""
    solver = Solver(method, options, slope_of)
    operands = () if args is None else tuple(args)
    ts, ys = np.asarray(result.t), np.asarray(result.y)
    y_bars = np.zeros(ys.shape) if bar.get("y") is None else bar.get("y")
    t_bars = np.zeros(ts.shape) if bar.get("t") is None else bar.get("t")
    given = t_eval is not None
    # Without `t_eval` the first column is the initial state itself.
    times, jumps = (ts, y_bars) if given else (ts[1:], y_bars[:, 1:])
    events_bar, event_arg_bars = None, None
    if events is not None:
        stopped = not given and result.status == 1
        times, jumps, events_bar, event_arg_bars = with_events(
            result, bar, times, t_bars, jumps, fun, operands, events, stopped
        )
    times = np.concatenate((np.reshape(np.asarray(t_span[0], float), (1,)), times))
    jumps = np.concatenate((np.zeros((len(jumps), 1)), jumps), axis=1)
    steps = steps_of(fun, ends_of(t_span), y0, operands, solver) if given else ts
    a, (fun_bar, arg_bars) = pulled(times, jumps, steps, fun, y0, operands, solver)

    start_bar = -np.real(np.vdot(slope_of(t_span[0], np.asarray(y0), fun, operands), a))
    end_bar, eval_bars = 0.0, None
    if given:
        along = moved(ts, ys, y_bars, fun, operands, slope_of) + t_bars
        eval_bars = nested(np.concatenate((along, np.zeros(len(t_eval) - len(ts)))), t_eval)
    else:
        start_bar = start_bar + t_bars[0]
        if result.status == 0:
            end_bar = moved(ts[-1:], ys[:, -1:], y_bars[:, -1:], fun, operands, slope_of)[0] + t_bars[-1]
    initial = nested(a if given else a + y_bars[:, 0], y0)
    arg_bars = accumulate(arg_bars, event_arg_bars)
    if args is None or arg_bars is None:
        arg_bars = None
    elif isinstance(args, list):
        arg_bars = list(arg_bars)
    span_bar = nested(np.stack((start_bar, end_bar)), t_span)
    return fun_bar, span_bar, initial, None, eval_bars, None, events_bar, None, arg_bars


@rule(bars_of_solution)
def bars_of_solution_rule(bar, result, fun, t_span, y0, method, t_eval, events, args, options, *, needs=None):
    """Linear in ȳ, with the transpose ẋ ↦ ẏ: where only that is asked for, the solution's tangent is."""
    operands = (bar, result, fun, t_span, y0, method, t_eval, events, args, options)
    if needs is None or any(needs[1:]) or events is not None:
        bars, back = call_pullback(by_adjoint_equation, *operands)
        return bars, lambda d: back(d)[1:]

    def tangent_of_solution(d):
        return (solution_tangent(d, result, fun, t_span, y0, method, t_eval, args=args, **options),)

    return by_adjoint_equation(*operands), tangent_of_solution


def states_tangent(
    d, result, func, y0, t, args=(), Dfun=None, col_deriv=0, full_output=0, ml=None, mu=None, rtol=None,  # noqa: N803
    atol=None, tcrit=None, h0=0.0, hmax=0.0, hmin=0.0, ixpr=0, mxstep=0, mxhnil=0, mxordn=12, mxords=5, printmessg=0,
    tfirst=False,
):  # fmt: skip
    """The tangent of what `odeint` gives, `d` being those of its arguments."""
    ys = result[0] if full_output else result
    y_dot = tangent_of_states(d[:4], ys, func, y0, t, args, solver_of(rtol, atol, tfirst))
    return (y_dot, None) if full_output else y_dot


@rule(integrate.odeint, calls=True, forward=states_tangent)
def odeint_rule(
    func, y0, t, args=(), Dfun=None, col_deriv=0, full_output=0, ml=None, mu=None, rtol=None, atol=None,  # noqa: N803
    tcrit=None, h0=0.0, hmax=0.0, hmin=0.0, ixpr=0, mxstep=0, mxhnil=0, mxordn=12, mxords=5, printmessg=0, tfirst=False,
):  # fmt: skip
    """y(tₖ) of y' = f(y, t): ȳ goes back along a' = -(∂f/∂y)ᴴ a."""
    result = integrate.odeint(
        func, y0, t, args, Dfun, col_deriv, full_output, ml, mu, rtol, atol, tcrit, h0, hmax, hmin, ixpr, mxstep,
        mxhnil, mxordn, mxords, printmessg, tfirst,
    )  # fmt: skip
    solver = solver_of(rtol, atol, tfirst)

    def odeint_back(bar):
        y_bar = bar[0] if full_output else bar
        if y_bar is None:
            return (None,) * 4
        return bars_of_states(y_bar, result[0] if full_output else result, func, y0, t, args, solver)

    return result, odeint_back


def solver_of(rtol, atol, tfirst):
    """What solves the linear equations that belong to `odeint`."""
    default = 1.49012e-8
    options = {"rtol": default if rtol is None else rtol, "atol": default if atol is None else atol}
    return Solver("LSODA", options, slope_of if tfirst else slope_of_state_first)


non_differentiable(solver_of)


def bars_of_states(y_bar, ys, func, y0, t, args, solver):
    """The cotangents of the first arguments of `odeint`."""
    return states_by_adjoint_equation(y_bar, ys, func, y0, t, args, solver)


def states_by_adjoint_equation(y_bar, ys, func, y0, t, args, solver):
    """The same, as a program: the one above has a rule."""
    jumps, times = np.transpose(y_bar), np.asarray(t, float)
    start = np.reshape(np.asarray(y0, float), (-1,))
    steps = steps_of(func, ends_of((times[0], times[-1])), start, args, solver)
    a, (func_bar, arg_bars) = pulled(times, jumps, steps, func, start, args, solver)
    first = -np.real(np.vdot(solver.slope(times[0], start, func, args), a))
    along = moved(times[1:], np.transpose(ys)[:, 1:], jumps[:, 1:], func, args, solver.slope)
    t_bar = nested(np.concatenate((np.reshape(first, (1,)), along)), t)
    initial = nested(np.reshape(a + jumps[:, 0], np.shape(y0)), y0)
    return func_bar, initial, t_bar, arg_bars


@rule(bars_of_states)
def bars_of_states_rule(y_bar, ys, func, y0, t, args, solver, *, needs=None):
    """Linear in ȳ, as above."""
    operands = (y_bar, ys, func, y0, t, args, solver)
    if needs is None or any(needs[1:]):
        bars, back = call_pullback(states_by_adjoint_equation, *operands)
        return bars, lambda d: back(d)[1:]

    def states_along(d):
        return (tangent_of_states(d, ys, func, y0, t, args, solver),)

    return states_by_adjoint_equation(*operands), states_along


def tangent_of_states(d, ys, func, y0, t, args, solver):
    """The same, `d` being those of the first arguments."""
    func_dot, state_dot, eval_dot, arg_dots = d
    times, states = np.asarray(t, float), np.transpose(ys)
    start = np.reshape(np.asarray(y0, float), (-1,))
    steps = until(steps_of(func, ends_of((times[0], times[-1])), start, args, solver), times[-1])
    times_dot = None if eval_dot is None else stacked(eval_dot, t)
    moving = Moving(
        func_dot,
        None if arg_dots is None else tuple(arg_dots),
        None if times_dot is None else times_dot[0],
        None if state_dot is None else np.reshape(stacked(state_dot, y0), (-1,)),
    )
    equation = Equation(func, args, solver, steps)
    tangents = state_tangents(times, start, equation, moving)
    return np.transpose(with_times(tangents, times_dot, times, states, equation))
