"""Rules that are made for the calls that are shown."""

from __future__ import annotations

import reprlib
import types
from collections.abc import Collection
from typing import Any

from ..classify import kind_of
from ..derivatives.choice import REFUSALS, has_been_recorded, is_to_be_recorded, keeps_structure
from ..derivatives.sharing import sharing_program
from ..derivatives.trials import refusal_of_run, refusal_of_storing_run
from ..derivatives.writing import writing_program
from ..errors import AdjointError, MutationError
from ..ir.exceptions import give_up, opened
from ..ir.nodes import Call, Const
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
        recorded = is_to_be_recorded(function, args)
        if table.shares is not None:  # a run has found it
            spec = sharing_program(function, flat)
        elif table.writes or _is_refused(function, table, flat):
            spec = writing_program(function, flat) or sharing_program(function, flat)
        else:
            spec = None
        if spec is not None:
            refusal = refusal_of_storing_run(function, flat, spec)
            if refusal is not None:
                return _found(refusal, function, args, kwargs)
            if not has_been_recorded(function, args):
                return spec
        spec = tables.find_now(function, table, flat, None) if as_run else tables.find_spec(function, table, flat)
    except REFUSALS as error:
        return error.what
    if not keeps_structure(function, spec):
        return "each round of a loop would copy what it stores into" if spec.copies else _UNKNOWN_CALL
    if (refusal := refusal_of_run(function, args, kwargs, spec)) is not None:
        return _found(refusal, function, args, kwargs)
    return "it cannot be, as was found when it ran" if recorded else spec


def _found(refusal: AdjointError, function: types.FunctionType, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    """The reason why this very call is recorded, which its run has shown."""
    return f"{refusal.what}, as a run of {shown_call(function, args, kwargs)} shows"


def shown_call(function: types.FunctionType, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    """A call as it is written: with numbers and texts, and the classes of what else it is given.

    >>> shown_call(bool, (1.5, [2.0]), {"k": "a"})
    "`bool(1.5, <list>, k='a')`"
    """
    given = [*map(_shown, args), *[f"{name}={_shown(value)}" for name, value in kwargs.items()]]
    return f"`{function.__name__}({', '.join(given)})`"


def _shown(value: Any) -> str:
    """A number or a text that is short; of anything else its class, as its `__repr__` is the user's."""
    plain = value is None or type(value) in (bool, int, float, complex, str)
    return reprlib.repr(value) if plain else f"<{type(value).__name__}>"


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
    if not keeps_structure(function, spec):
        return _UNKNOWN_CALL
    refusal = refusal_of_run(function, args, kwargs, spec)
    return spec if refusal is None else f"{refusal.what}, as a run of it shows"


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


def may_be_given_up(spec: Spec) -> bool:
    """Tell whether a program, or one that it calls, is given up where an exception comes that is not followed."""
    from ..reflection.templates import statements_in

    bodies = [part.primal.body for part in spec.all() if part.primal is not None]
    called = [s.fn.value for b in bodies for s in statements_in(b) if isinstance(s, Call) and isinstance(s.fn, Const)]
    return any(f is opened or f is give_up for f in called)


def _is_refused(function: types.FunctionType, table: tables.Table, flat: tuple[Any, ...]) -> bool:
    """Tell whether a function stores into what others can see."""
    try:
        return not keeps_structure(function, tables.find_spec(function, table, flat))
    except MutationError:
        return True
