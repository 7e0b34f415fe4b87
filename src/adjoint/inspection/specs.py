"""Rules that are made for the calls that are shown."""

from __future__ import annotations

import types
from collections.abc import Collection
from typing import Any

from ..classify import kind_of
from ..derivatives.choice import REFUSALS, is_to_be_recorded, keeps_structure
from ..derivatives.sharing import sharing_program
from ..derivatives.writing import writing_program
from ..errors import MutationError
from ..runtime import tables
from ..runtime.binding import bind
from ..runtime.called import are_types, function_of_call
from ..runtime.spec import Spec

_UNKNOWN_CALL = "a call is known only as it runs"


def spec_of_call(
    function: types.FunctionType, args: tuple[Any, ...], kwargs: dict[str, Any], as_run: bool = False
) -> Spec | str:
    """The generated rule of a function for these arguments, made if need be; or why it is recorded instead.

    It takes nothing for granted; with `as_run` it may, as the next run does, what runs before have shown.
    """
    try:
        table = tables.table_of(function)
        flat, _ = bind(function, table.signature, args, kwargs)
        if is_to_be_recorded(function, args):
            spec = None
        elif table.shares is not None:  # a run has found it
            spec = sharing_program(function, flat)
        elif table.writes or _is_refused(function, table, flat):
            spec = writing_program(function, flat) or sharing_program(function, flat)
        else:
            spec = None
        if spec is not None:
            return spec
        spec = tables.find_now(function, table, flat, None) if as_run else tables.find_spec(function, table, flat)
    except REFUSALS as error:
        return error.what
    if not keeps_structure(function, spec):
        return "each round of a loop would copy what it stores into" if spec.copies else _UNKNOWN_CALL
    return "it cannot be, as was found when it ran" if is_to_be_recorded(function, args) else spec


def shown_spec(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[types.FunctionType, Spec | str]:
    """The function that is meant by a callable, and its rule for these arguments, or for types in place of them."""
    function, own_args, own_kwargs = function_of_call(f, args, kwargs)
    if are_types(args, kwargs):
        return function, spec_or_reason(function, own_args, own_kwargs)
    if kind_of(f) == "gradient":
        return function, _spec_of_gradient(function, own_args, own_kwargs)
    return function, spec_of_call(function, own_args, own_kwargs)


def _spec_of_gradient(function: types.FunctionType, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Spec | str:
    """The rule for the call of a gradient, made for this one alone, or why there is none: others may be for any."""
    from ..reflection.making import spec_of_types

    try:
        spec = spec_of_types(function, args, kwargs)
    except REFUSALS as error:
        return error.what
    return spec if keeps_structure(function, spec) else _UNKNOWN_CALL


def spec_or_reason(
    function: types.FunctionType,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    own: bool = True,
    places: Collection[int] | None = None,
) -> Spec | str:
    """The rule for types, or why there is none."""
    from ..reflection.making import spec_of_types

    try:
        return spec_of_types(function, args, kwargs, own, places)
    except MutationError:
        raise  # what runs is told by arguments
    except REFUSALS as error:
        return error.what


def _is_refused(function: types.FunctionType, table: tables.Table, flat: tuple[Any, ...]) -> bool:
    """Tell whether a function stores into what others can see."""
    try:
        return not keeps_structure(function, tables.find_spec(function, table, flat))
    except MutationError:
        return True
