"""Calls of the functions that SciPy's solvers are given, and their results."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import numpy as np

from ...implicit import implicit_bars
from ...numpy.lifting import refuse
from ...registry import non_differentiable

TOLERANCE = 1e-3
"""How far from a solution a solver may have stopped, relative to 1 + |x|."""


def as_args(args):
    """`args` as a tuple: SciPy takes a single one as it is.

    >>> as_args(2.0), as_args((2.0,))
    ((2.0,), (2.0,))
    """
    return args if isinstance(args, tuple) else (args,)


def as_given(bars, args):
    """The cotangents of a tuple in the form in which `args` was given."""
    return bars if isinstance(args, tuple) or bars is None else bars[0]


def in_form_of(bars, args):
    """The cotangents of a tuple for `args` that a solver spreads, whatever they are a sequence of.

    >>> in_form_of((1.0, None), [2.0, 3.0])
    [1.0, None]
    """
    if bars is None or isinstance(args, tuple):
        return bars
    if isinstance(args, np.ndarray):
        return np.stack([np.zeros(np.shape(a)) if bar is None else bar for bar, a in zip(bars, args, strict=True)])
    return list(bars)


def of_result(y_bar, known, name, constant=()):
    """The cotangents of some items of a result; nothing may flow to others, but to those that are constant."""
    if y_bar is None:
        return tuple([None for _ in known])
    for key, bar in y_bar.items():
        if key not in known and key not in constant:
            check_nothing(bar, name, key)
    return tuple([y_bar.get(key) for key in known])


def check_nothing(bar, name, key):
    """Refuse an item of a result that is not followed."""
    if flows(bar):
        what = f"`{key}` of what scipy.optimize.{name} returns"
        refuse(what, "only the solution and the value there have a rule", "compute it from the solution")


def flows(bar):
    """Tell whether a cotangent holds a number other than zero."""
    if isinstance(bar, dict):
        return any(map(flows, bar.values()))
    if isinstance(bar, tuple | list):
        return any(map(flows, bar))
    return bar is not None and (not isinstance(bar, int | float | complex | np.ndarray | np.generic) or np.any(bar))


def first_of(y):
    """The solution, where others come with it."""
    return y[0] if isinstance(y, tuple) else y


def objective(x, fun, args):
    """The value at a point."""
    y = fun(x, *args)
    return y[0] if isinstance(y, tuple) else y


def scalar(y):
    """One number, also out of an array that holds it."""
    return np.reshape(y, ())[()] if isinstance(y, np.ndarray) else y


def as_solution(x, like):
    """A solution, which `like` has the form of, as what its residual is a function of: of floating-point numbers."""
    return np.asarray(x, dtype=float) if isinstance(like, list | tuple) else x


non_differentiable(as_solution, check_nothing)


def at_solution(residual, x, *params):
    """The function that gives the cotangents of the parameters of `residual(x, *params) = 0` from that of x."""
    bars_of = implicit_bars(residual, x, params, TOLERANCE)
    return lambda x_bar: bars_of(x_bar)[1]
