"""Ordinary differential equations: by the adjoint equation, or through the steps that the solver took.

The derivative is by the initial state, by the times at which the result is read (the ends of the interval, `t_eval`),
by `args` and by all that the right-hand side captured. The times of steps that the solver chose count as constants.
"""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc, import-untyped"

import numpy as np
from scipy import integrate

from ....tangents import accumulate
from ...numpy.linear import nested
from ...registry import non_differentiable, rule
from ..choices import is_through_steps
from .events import with_events
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


@rule(integrate.solve_ivp, calls=True)
def solve_ivp_rule(
    fun, t_span, y0, method="RK45", t_eval=None, dense_output=False, events=None, vectorized=False, args=None, **options
):
    """y(t) of y' = f(t, y): ȳ goes back along a' = -(∂f/∂y)ᴴ a."""
    result = integrate.solve_ivp(fun, t_span, y0, method, t_eval, dense_output, events, vectorized, args, **options)
    if is_through_steps():
        return result, replay_rule(result, fun, t_span, y0, method, t_eval, events, args, options)
    solver = Solver(method, options, slope_of)
    operands = () if args is None else tuple(args)

    def solve_ivp_back(bar):
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

    return result, solve_ivp_back


@rule(integrate.odeint, calls=True)
def odeint_rule(
    func, y0, t, args=(), Dfun=None, col_deriv=0, full_output=0, ml=None, mu=None, rtol=None, atol=None,  # noqa: N803
    tcrit=None, h0=0.0, hmax=0.0, hmin=0.0, ixpr=0, mxstep=0, mxhnil=0, mxordn=12, mxords=5, printmessg=0, tfirst=False,
):  # fmt: skip
    """y(tₖ) of y' = f(y, t): ȳ goes back along a' = -(∂f/∂y)ᴴ a."""
    result = integrate.odeint(
        func, y0, t, args, Dfun, col_deriv, full_output, ml, mu, rtol, atol, tcrit, h0, hmax, hmin, ixpr, mxstep,
        mxhnil, mxordn, mxords, printmessg, tfirst,
    )  # fmt: skip
    ys = result[0] if full_output else result
    default = 1.49012e-8
    options = {"rtol": default if rtol is None else rtol, "atol": default if atol is None else atol}
    solver = Solver("LSODA", options, slope_of if tfirst else slope_of_state_first)

    def odeint_back(bar):
        y_bar = bar[0] if full_output else bar
        if y_bar is None:
            return (None,) * 4
        jumps, times = np.transpose(y_bar), np.asarray(t, float)
        start = np.reshape(np.asarray(y0, float), (-1,))
        steps = steps_of(func, ends_of((times[0], times[-1])), start, args, solver)
        a, (func_bar, arg_bars) = pulled(times, jumps, steps, func, start, args, solver)
        first = -np.real(np.vdot(solver.slope(times[0], start, func, args), a))
        along = moved(times[1:], np.transpose(ys)[:, 1:], jumps[:, 1:], func, args, solver.slope)
        t_bar = nested(np.concatenate((np.reshape(first, (1,)), along)), t)
        initial = nested(np.reshape(a + jumps[:, 0], np.shape(y0)), y0)
        return func_bar, initial, t_bar, arg_bars

    return result, odeint_back
