"""Ordinary differential equations: by the adjoint equation, or through the steps that the solver took.

The derivative is by the initial state, by the times at which the result is read (the ends of the interval, `t_eval`),
by `args` and by all that the right-hand side captured. The times of steps that the solver chose count as constants.
"""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc, import-untyped"

import numpy as np
from scipy import integrate

from ....tangents import accumulate
from ....tangents.unknown import Unknown
from ...knots import call_pullback, call_pushforward
from ...numpy.lifting import refuse
from ...numpy.linear import nested
from ...registry import non_differentiable, rule
from ..choices import is_through_steps
from .events import with_events
from .sensitivities import Course, moved, states_at, until
from .steps import replay_rule
from .sweeps import Solver, grid_of, slope_of, slope_of_state_first, states_on, steps_of, sweep


def ends_of(t_span):
    """The interval of a solver as numbers."""
    start, end = t_span
    return float(start), float(end)


non_differentiable(ends_of)


def pulled(times, jumps, steps, fun, y0, args, solver):
    """a at the first of the times, and the cotangents of f and its arguments."""
    grid = grid_of(until(steps, times[-1]), solver.degree)
    states = states_on(grid, times[0], fun, y0, args, solver)
    return sweep(times, jumps, grid, states, fun, args, solver)


def is_by_equation(dots, fun, t_span, y0, method="RK45", t_eval=None, dense_output=False, events=None, *_, **__):
    """Tell whether the tangent of a solution is that of its equation."""
    return dense_output or events is None and not is_through_steps()


def course_of(result, t_eval, method, options):
    """The course that `solve_ivp` found."""
    steps = np.asarray(result.t) if t_eval is None else None
    return Course(Solver(method, options, slope_of), np.asarray(result.y), steps)


non_differentiable(course_of)


def solution(fun, t_span, y0, t_eval, args, course, ended):
    """The times and the states of a solution, as a program of what moves."""
    ends = np.asarray(t_span, float)
    if t_eval is None:
        # The first column is the initial state itself; the times between are those of the solver.
        times = np.concatenate((ends[:1], course.steps[1:-1], ends[1:] if ended else course.steps[-1:]))
    else:
        times = np.asarray(t_eval, float)[: course.states.shape[1]]
    operands = () if args is None else tuple(args)
    return times, states_at(ends[0], times, np.asarray(y0, course.states.dtype), fun, operands, course)


def solution_tangent(
    d, result, fun, t_span, y0, method="RK45", t_eval=None, dense_output=False, events=None, vectorized=False,
    args=None, **options,
):  # fmt: skip
    """The tangent of what `solve_ivp` gives, `d` being those of its arguments."""
    if events is not None or is_through_steps():
        refuse_dense_output()  # it would be transposed, and lose what is read of it
    operands = (fun, t_span, y0, t_eval, args, course_of(result, t_eval, method, options), result.status == 0)
    times, tangents = call_pushforward(solution, operands, (None, d[0], d[1], d[2], d[4], d[8], None, None))[1]
    return {"t": times, "y": tangents, "sol": Unknown("what `dense_output` gave", *OF_STEPS)}


OF_STEPS = (
    "a dense output is made of the steps that the solver took, which are not followed",
    "ask `solve_ivp` for these times by `t_eval`",
)


def refuse_dense_output():
    """Raise: what is read of a dense output has no derivative."""
    refuse("scipy.integrate.solve_ivp", *OF_STEPS)


def without_dense(back):
    """A pullback that refuses cotangents of a dense output."""

    def solve_ivp_back(bar):
        if bar.get("sol") is not None:
            refuse_dense_output()
        return back(bar)

    return solve_ivp_back


@rule(integrate.solve_ivp, calls=True, forward=solution_tangent, forward_for=is_by_equation)
def solve_ivp_rule(
    fun, t_span, y0, method="RK45", t_eval=None, dense_output=False, events=None, vectorized=False, args=None, **options
):
    """y(t) of y' = f(t, y): ȳ goes back along a' = -(∂f/∂y)ᴴ a."""
    result = integrate.solve_ivp(fun, t_span, y0, method, t_eval, dense_output, events, vectorized, args, **options)
    if dense_output:
        return result, without_dense(
            solve_ivp_rule(fun, t_span, y0, method, t_eval, False, events, vectorized, args, **options)[1]
        )
    if is_through_steps():
        return result, replay_rule(result, fun, t_span, y0, method, t_eval, events, args, options)
    if events is not None:

        def with_events_back(bar):
            return by_adjoint_equation(bar, result, fun, t_span, y0, method, t_eval, events, args, options)

        return result, with_events_back
    course = course_of(result, t_eval, method, options)
    _, back = call_pullback(solution, fun, t_span, y0, t_eval, args, course, result.status == 0)

    def solve_ivp_back(bar):
        _, fun_bar, span_bar, state_bar, eval_bar, arg_bars, _, _ = back((bar.get("t"), bar.get("y")))
        return fun_bar, span_bar, state_bar, None, eval_bar, None, None, None, arg_bars

    return result, solve_ivp_back


def by_adjoint_equation(bar, result, fun, t_span, y0, method, t_eval, events, args, options):
    """The cotangents of the arguments of `solve_ivp`, in their order, where events are read or end it."""
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


def states_along(func, y0, t, args, course):
    """The states that `odeint` gives, as a program of what moves."""
    times, y0 = np.asarray(t, float), np.asarray(y0, float)
    return np.transpose(states_at(times[0], times, np.ravel(y0), func, args, course))


def states_tangent(
    d, result, func, y0, t, args=(), Dfun=None, col_deriv=0, full_output=0, ml=None, mu=None, rtol=None,  # noqa: N803
    atol=None, tcrit=None, h0=0.0, hmax=0.0, hmin=0.0, ixpr=0, mxstep=0, mxhnil=0, mxordn=12, mxords=5, printmessg=0,
    tfirst=False,
):  # fmt: skip
    """The tangent of what `odeint` gives, `d` being those of its arguments."""
    course = course_along(result[0] if full_output else result, rtol, atol, tfirst)
    y_dot = call_pushforward(states_along, (func, y0, t, args, course), (None, *d[:4], None))[1]
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
    course = course_along(result[0] if full_output else result, rtol, atol, tfirst)
    _, back = call_pullback(states_along, func, y0, t, args, course)

    def odeint_back(bar):
        y_bar = bar[0] if full_output else bar
        return (None,) * 4 if y_bar is None else back(y_bar)[1:5]

    return result, odeint_back


def course_along(ys, rtol, atol, tfirst):
    """The course that `odeint` found, with the solver of the linear equations that belong to it."""
    default = 1.49012e-8
    options = {"rtol": default if rtol is None else rtol, "atol": default if atol is None else atol}
    return Course(Solver("LSODA", options, slope_of if tfirst else slope_of_state_first), np.transpose(ys))


non_differentiable(course_along)
