"""Calls that are recorded: the recorder is loaded when the first of them comes."""

from __future__ import annotations

import functools
import types
from typing import Any

from ..errors import AdjointError
from ..origin import module_of
from ..rules.libraries import quietly
from ..rules.registry import non_differentiable
from ..runtime.effects import refuse_effects
from ..runtime.tables import Needs
from ..tangents.sweep import thread
from .choice import remember


def record(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], needs: Needs = None) -> Any:
    """The result of `recorded_for` for a call; derivatives within it are recorded as well."""
    return _recorder()(needs, f, args, kwargs)


@functools.cache
def _recorder() -> Any:
    """`recorded_for`, loaded when something is recorded: no program that there is has asked for the rules that come
    along, so all stay."""
    with quietly():
        from ..recording.entry import recorded_for
        from . import within  # noqa: F401 - it says how

    return recorded_for


def recording(
    f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], needs: Needs, refusal: AdjointError | None = None
) -> Any:
    """`(y, back)` of a call that is recorded, and what the function and its arguments looked like before."""
    if thread.state.trial:  # what is recorded may store: so is the program that calls it
        refuse_effects(f)
    if refusal is not None and (refusal.final or isinstance(f, types.BuiltinFunctionType)):
        raise refusal
    try:
        found = record(f, args, kwargs, needs)
    except AdjointError as error:
        raise error from None
    except RecursionError:
        if refusal is None or not module_of(f).startswith("adjoint."):
            raise  # the program's own
        raise refusal from None
    remember(f, args, refusal)
    return found


non_differentiable(_recorder)
