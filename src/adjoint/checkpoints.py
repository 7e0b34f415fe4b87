"""Computing again in place of keeping: functions that run twice so that their intermediate values need no memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from .derivatives.named import NamedFunction, name_after
from .derivatives.rerun import run_again
from .errors import check_callable
from .options import refuse_options
from .runtime.argnums import name_of

P = ParamSpec("P")
R = TypeVar("R")


def checkpoint(f: Callable[P, R], **unknown: Any) -> Callable[P, R]:
    """The same function, which keeps only its arguments for the reverse pass, and there runs again.

    Forward, `f` runs as plain Python does, and nothing that it computes on the way is kept. So a chain of `n` parts of
    which each is checkpointed keeps `n` values instead of all, for one more run of each part; checkpointed parts may
    have such parts in their turn.

    What `f` does besides it does again in each reverse pass, such as printing. Its result must depend on its arguments
    and on what it captures alone: draw random numbers outside, and pass them. A function that stores into what it is
    given or captures, and any in a program that stores (which is recorded), runs once and keeps all, as without.

    Parameters
    ----------
    f : any callable of ordinary Python.

    Returns
    -------
    A function with the name and signature of `f`; it can be pickled if `f` can.

    Raises
    ------
    MutationError
        In the reverse pass, if the second run does not give what the first gave, to a thousandth.
    OptionError
        For an option, as other tools have them.

    References
    ----------
    Griewank and Walther, Evaluating Derivatives, 2nd ed., section 12.2 (checkpointing of call trees).

    Examples
    --------
    >>> import math
    >>> from adjoint import gradient
    >>> @checkpoint
    ... def wave(x): return math.sin(math.exp(x))
    >>> gradient(lambda x: wave(wave(x)), 0.0) == gradient(lambda x: math.sin(math.exp(math.sin(math.exp(x)))), 0.0)
    True
    """
    check_callable(f)
    refuse_options("checkpoint", unknown, ())
    return Checkpointed(f)


class Checkpointed(NamedFunction):
    """A function that runs again in the reverse pass."""

    def __init__(self, f: Callable[..., Any]) -> None:
        self._f = f
        name_after(self, f)

    def __reduce__(self) -> Any:
        return Checkpointed, (self._f,)

    def __repr__(self) -> str:
        return f"checkpoint({name_of(self._f)})"

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        return run_again(self._f, args, kwargs)
