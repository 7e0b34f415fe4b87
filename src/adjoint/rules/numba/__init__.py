"""Functions that Numba compiles (`@njit`): differentiated from their source, and compiled as they are."""
# mypy: disable-error-code="import-untyped, import-not-found, no-any-unimported, unused-ignore"

from __future__ import annotations

import inspect
from typing import Any

from numba.core.dispatcher import Dispatcher
from numba.core.registry import CPUDispatcher
from numba.misc.special import prange

from ...errors import MutationError
from ...origin import is_users
from ...tangents.fields import carry
from ...wrappers import STORING, TRANSPARENT
from ..found_by import BY_CLASS
from ..knots import call_compiled, call_pullback
from ..registry import Back, changed, non_differentiable, rule
from ..signatures import as_declared


def declare(f: Dispatcher) -> None:
    """Declare the rule of one such function."""
    program = f.py_func
    declared = as_declared(program)
    mode = True if is_users(program.__code__.co_filename) else None  # what a library wrote nobody here can change

    def dispatched_rule(*args: Any, **kwargs: Any) -> tuple[Any, Back]:
        found = call_compiled(program, args, kwargs, mode, True)
        if found is not None:
            y, back = found
        else:
            try:
                y, back = call_pullback(program, *args, **kwargs)
            except MutationError:
                if not STORING.get(program):
                    STORING[program] = True  # from now on it is followed where it is called
                    changed()
                raise
        return y, lambda y_bar: declared(back(y_bar)[1:], tuple(kwargs))

    signature = inspect.signature(program)
    dispatched_rule.__name__ = dispatched_rule.__qualname__ = f"{program.__name__}_rule"
    dispatched_rule.__doc__ = "By its compiled pullback; by that of its source where there is none."
    dispatched_rule.__annotations__ = {}
    dispatched_rule.__signature__ = signature  # type: ignore[attr-defined]
    rule(f, program=program)(dispatched_rule)


BY_CLASS[CPUDispatcher] = declare
TRANSPARENT[CPUDispatcher] = "py_func"
carry(CPUDispatcher, ())
non_differentiable(prange)
