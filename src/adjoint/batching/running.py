"""One run for all lanes together."""

from __future__ import annotations

from typing import Any

from ..errors import AdjointError
from ..origin import is_users
from ..tangents.lanes import NoLanes, current, is_narrow
from ..tangents.sweep import thread
from .calls import call_along
from .values import is_used_up, lanes_in

_DIFFERS = "something that differs between the lanes is asked for as one value"


def _where(error: BaseException) -> str:
    """The line of the user's file from which an error was raised."""
    found, trace = "", error.__traceback__
    while trace is not None:
        filename = trace.tb_frame.f_code.co_filename
        if is_users(filename) and not filename.startswith("<adjoint"):
            found = f" ({filename}:{trace.tb_lineno})"
        trace = trace.tb_next
    return found


def run_together(f: Any, n: int, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """`f(*args, **kwargs)` for `n` lanes, in which nothing is done that could not be done again.

    Raises
    ------
    NoLanes
        With the reason, if it cannot be run for all lanes together.
    """
    if current.within:
        raise NoLanes("lanes within lanes")
    if is_used_up((f, args, kwargs)):
        raise NoLanes("an iterator, or what fills in what is missing: each lane takes something of it")
    state = thread.state
    trial, memo, bars, count = state.trial, state.memo, state.bars, current.count
    state.trial, state.memo, state.bars = True, {}, {}
    narrow = any([is_narrow(x.dtype) for x in lanes_in((args, kwargs))])
    current.count, current.within, current.plain, current.narrow = n, True, False, narrow
    try:
        return call_along(f, *args, **kwargs)
    except NoLanes as error:
        raise NoLanes(f"{str(error) or _DIFFERS}{_where(error)}") from None
    except AdjointError as error:
        raise NoLanes(f"{error.what}{_where(error)}") from error
    except Exception as error:  # the loop raises it, or shows that there is none
        first = f"{type(error).__name__}: {error}".splitlines()[0]
        raise NoLanes(f"{first}{_where(error)}") from error
    finally:
        state.trial, state.memo, state.bars = trial, memo, bars
        current.count, current.within = count, False
