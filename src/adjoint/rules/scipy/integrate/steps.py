"""The derivative of what an explicit solver computed, rather than of the equation: its steps are taken again.

The steps that the solver accepted are replayed with their lengths, which count as constants, and that program is
differentiated. It costs memory for all stages, and is exact for the numbers that came out.

Source: E. Hairer, S. P. Nørsett, G. Wanner, Solving Ordinary Differential Equations I (1993), II.4 to II.6.
"""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc, import-untyped"

from __future__ import annotations

import numpy as np
from scipy import integrate

from ...knots import call_pullback
from ...numpy.lifting import refuse
from ...registry import non_differentiable
from .sweeps import Solver, slope_of, steps_of

METHODS = {"RK23": integrate.RK23, "RK45": integrate.RK45, "DOP853": integrate.DOP853}


def explicit(method):
    """The class of an explicit Runge-Kutta method.

    >>> explicit("RK23").__name__
    'RK23'
    """
    cls = METHODS.get(method, method) if isinstance(method, str) else method
    if not isinstance(cls, type) or not issubclass(cls, tuple(METHODS.values())):
        name = getattr(method, "__name__", method)
        why = f"`{name}` solves an equation in each step, or is not known"
        refuse(
            "scipy.integrate.solve_ivp, through its steps,", why, "use RK23, RK45 or DOP853, or the adjoint equation"
        )
    return cls


def place_of(t, steps):
    """In which of the steps a time lies: that which ends at it, or the first that ends later."""
    ends = np.asarray(steps[1:])
    forward = steps[-1] >= steps[0]
    return int(min(np.searchsorted(ends, t) if forward else np.searchsorted(-ends, -t), len(ends) - 1))


non_differentiable(explicit, place_of)


def replay_rule(result, fun, t_span, y0, method, t_eval, events, args, options):
    """The `back` of `solve_ivp` by the steps that it took."""
    cls = explicit(method)
    if events is not None:
        refuse("scipy.integrate.solve_ivp(events=), through its steps,", "events lie between steps", "leave them off")
    operands = () if args is None else tuple(args)

    def replay_back(bar):
        ended = result.status == 0
        steps = result.t
        if t_eval is not None:
            ends = (float(t_span[0]), float(t_span[1]))
            steps = steps_of(fun, ends, y0, operands, Solver(method, options, slope_of))
        _, back = call_pullback(replayed, fun, t_span, y0, operands, t_eval, steps, cls, ended)
        _, fun_bar, span_bar, initial, arg_bars, eval_bars, _, _, _ = back((bar.get("t"), bar.get("y")))
        bars = list(arg_bars) if isinstance(args, list) and arg_bars is not None else arg_bars
        return fun_bar, span_bar, initial, None, eval_bars, None, None, None, None if args is None else bars

    return replay_back


def replayed(fun, t_span, y0, args, t_eval, steps, cls, ended):
    """The times and the states that the method gives with these steps."""
    inner = [float(t) for t in steps[1:]]
    times = [t_span[0], *inner[:-1], t_span[1] if ended else inner[-1]]
    y = np.asarray(y0) * 1.0
    f = slope_of(times[0], y, fun, args)
    states, pieces = [y], []
    for k in range(len(times) - 1):
        t, h = times[k], times[k + 1] - times[k]
        stages = [f]
        for s in range(1, len(cls.C)):
            dy = cls.A[s, :s] @ np.stack(stages) * h
            stages.append(slope_of(t + cls.C[s] * h, y + dy, fun, args))
        y_new = y + h * (cls.B @ np.stack(stages))
        f_new = slope_of(times[k + 1], y_new, fun, args)
        pieces.append((t, h, y, y_new, [*stages, f_new]))
        y, f = y_new, f_new
        states.append(y)
    if t_eval is None:
        return np.stack([t * 1.0 for t in times]), np.stack(states, axis=1)
    read = [t for t in t_eval if ended or abs(t - times[0]) <= abs(times[-1] - times[0])]
    columns = [interpolated(t, pieces[place_of(t, steps)], fun, args, cls) for t in read]
    return np.stack([t * 1.0 for t in read]), np.stack(columns, axis=1)


def interpolated(t, piece, fun, args, cls):
    """The state within a step, by the polynomial that belongs to the method."""
    start, h, y, y_new, stages = piece
    x = (t - start) / h
    if not issubclass(cls, integrate.DOP853):
        powers = np.cumprod(np.stack([x] * cls.P.shape[1]))
        return y + h * (np.stack(stages).T @ (cls.P @ powers))
    extended = list(stages)
    for s, c in enumerate(cls.C_EXTRA, start=len(stages)):
        dy = cls.A_EXTRA[s - len(stages), :s] @ np.stack(extended) * h
        extended.append(slope_of(start + c * h, y + dy, fun, args))
    rise = y_new - y
    terms = [rise, h * stages[0] - rise, 2 * rise - h * (stages[-1] + stages[0])]
    terms += [h * (row @ np.stack(extended)) for row in cls.D]
    total = np.zeros_like(y)
    for i, term in enumerate(terms[::-1]):
        total = (total + term) * (x if i % 2 == 0 else 1 - x)
    return y + total
