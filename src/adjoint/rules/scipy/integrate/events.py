"""Events of differential equations: at τ the function g(t, y, θ) is 0, so that

    dτ = -(g_y dy + g_θ dθ) / ġ with ġ = g_t + g_y f,

where dy is that of the state at a fixed time.
"""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc, import-untyped"

import numpy as np

from ....tangents import accumulate
from ...knots import call_pullback
from ...registry import non_differentiable
from .sweeps import slope_of


def event_of(t, y, event, args):
    """The function whose zeros are events."""
    return event(t, y, *args)


def ended_by(result, events):
    """The place in a list of events of the one at which the solver stopped."""
    last = result.t[-1]
    found = [e for e, times in enumerate(result.t_events) if len(times) and times[-1] == last]
    return next(e for e in found if getattr(events[e], "terminal", False))


def in_order(times, forward):
    """The order that sorts the times."""
    return np.argsort(times if forward else -times, kind="stable")


non_differentiable(ended_by, in_order)


def with_events(result, bar, times, t_bars, jumps, fun, args, events, stopped):
    """The times and jumps with those of events among them, sorted; and the cotangents of the events and of their
    arguments. If the solver stopped at an event, what is read there is the event's."""
    one = callable(events)
    every = [events] if one else list(events)
    of_times, of_states = bar.get("t_events"), bar.get("y_events")
    ending = ended_by(result, every) if stopped else -1
    extra_times, extra_jumps, event_bars, arg_bars = [], [], [], None
    for e, event in enumerate(every):
        event_bar = None
        n = len(result.t_events[e])
        for j in range(n):
            t, y = result.t_events[e][j], result.y_events[e][j]
            t_bar = 0.0 if of_times is None or of_times[e] is None else of_times[e][j]
            y_bar = np.zeros(len(y)) if of_states is None or of_states[e] is None else of_states[e][j]
            if e == ending and j == n - 1:
                t_bar, y_bar = t_bar + t_bars[-1], y_bar + jumps[:, -1]
            slope = slope_of(t, y, fun, args)
            _, back = call_pullback(event_of, t, y, event, args)
            _, g_t, g_y, _, _ = back(1.0)
            rate = (0.0 if g_t is None else g_t) + (0.0 if g_y is None else np.real(np.vdot(g_y, slope)))
            weight = -(t_bar + np.real(np.vdot(slope, y_bar))) / rate
            _, _, g_y, own_bar, own_arg_bars = back(weight)
            event_bar = accumulate(event_bar, own_bar)
            arg_bars = accumulate(arg_bars, own_arg_bars)
            extra_times.append(t)
            extra_jumps.append(y_bar if g_y is None else y_bar + g_y)
        event_bars.append(event_bar)
    if stopped:
        times, jumps = times[:-1], jumps[:, :-1]
    if extra_times:
        times = np.concatenate((times, np.stack(extra_times)))
        jumps = np.concatenate((jumps, np.stack(extra_jumps, axis=1)), axis=1)
        order = in_order(times, result.t[-1] >= result.t[0])
        times, jumps = times[order], jumps[:, order]
    if one:
        return times, jumps, event_bars[0], arg_bars
    return times, jumps, tuple(event_bars) if isinstance(events, tuple) else event_bars, arg_bars
