"""Choices of a program about the derivatives of SciPy's solvers; nothing of SciPy is imported here."""

from __future__ import annotations

import contextlib
import contextvars
from collections.abc import Iterator

from ..registry import non_differentiable

_CHOSEN: contextvars.ContextVar[bool] = contextvars.ContextVar("through_steps", default=False)


@contextlib.contextmanager
def through_steps() -> Iterator[None]:
    """Differentiate `scipy.integrate.solve_ivp` through the steps it takes, instead of by the adjoint equation.

    The gradient is then that of the numbers which the solver returned, to rounding: right even at a coarse tolerance,
    at the cost of keeping every stage. It is for the explicit methods RK23, RK45 and DOP853.

    Returns
    -------
    A context manager, within which gradients take the steps.

    Examples
    --------
    >>> import adjoint
    >>> from scipy.integrate import solve_ivp
    >>> def end(k): return solve_ivp(lambda t, y: -k * y, (0.0, 1.0), [1.0]).y[0, -1]
    >>> with adjoint.optimize.through_steps():
    ...     slope = adjoint.gradient(end, 1.0)[0]
    >>> round(slope, 3)
    -0.367
    """
    token = _CHOSEN.set(True)
    try:
        yield
    finally:
        _CHOSEN.reset(token)


def is_through_steps() -> bool:
    """Tell whether `solve_ivp` is to be differentiated through its steps."""
    return _CHOSEN.get()


non_differentiable(through_steps, is_through_steps)
