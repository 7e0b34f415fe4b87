"""Taking a derivative from outside: of a program by its structure, or of one that is recorded."""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import FunctionType
from typing import Any, TypeVar

import numpy as np

from ..errors import GivenUpError
from ..pause import begin_run, end_run
from ..rules.found_by import BY_CLASS
from ..rules.knots import call_compiled
from ..rules.registry import Back, find_rules, has_rules, non_differentiable
from ..runtime.dispatch import call_pullback, needing, run_whole, structured_value_and_bars
from ..runtime.tables import find_whole, table_of
from ..runtime.targets import only_once, special
from ..tangents import check_all_numbers, check_numbers, scalar_seed
from ..tangents.sweep import in_pass, in_sweep
from .choice import (
    DEBUGGER,
    REFUSALS,
    NotKept,
    completed,
    differentiated,
    generated_for,
    half_way,
    has_been_recorded,
    identity_of_call,
    in_structure,
    is_to_be_recorded,
    keeps_structure,
    kept_for,
    refused,
)
from .ordering import ORDERED, by_line
from .parameters import by_layout, by_parameters, by_receiver, laid_out
from .planning import plan_pullback
from .plans import PULLBACK, planned
from .recorded import record, recording
from .results import handed_out
from .sharing import is_sharing, may_share, shared_call, sharing_program
from .storing_plans import storing_plan
from .trials import refusal_of_run, refusal_of_storing_run
from .weighing import let_be, weigh
from .writing import is_writing, writing_program, written_call

R = TypeVar("R")


def value_and_bars(f: Any, needs: tuple[bool, ...], args: tuple[Any, ...], kwargs: dict[str, Any], name: str) -> Any:
    """The value of a real scalar function, the cotangents of the slots that are asked for, and what the function and
    its arguments looked like, in one go."""

    def seeded(found: tuple[Any, Any, tuple[Any, ...]]) -> Any:
        y, back, given = found
        return y, in_sweep(back, scalar_seed(y, name)), given

    def structured() -> Any:
        by_function = functools.partial(by_receiver, functools.partial(_structured_bars, name))
        return by_line(by_function, f, needs, args, kwargs)

    begin_run()
    try:
        return _first_way(f, needs, args, kwargs, structured, seeded, True)
    finally:
        end_run()


def _first_way(
    f: Any,
    needs: tuple[bool, ...] | None,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    structured: Callable[[], Any],
    finish: Callable[[Any], Any],
    whole: bool,
) -> Any:
    """The derivative of a call by the first of the ways that takes it: by a debugger, compiled, as a program that
    changes its arguments, with objects as memory, by its structure, or recorded.

    `structured` is the way by structure, and raises `NotKept` where that is not to be kept; `finish` gets
    `(y, back, given)` of the ways that have a pullback. With `whole`, a program that changes its arguments gives
    cotangents at once."""
    if (debugger := DEBUGGER.get()) is not None:
        return finish(debugger.record(f, args, kwargs))
    if (compiled := compiled_call(f, args, kwargs)) is not None:
        return finish((*compiled, (f, *args, *kwargs.values())))
    call = (f, needs, args, kwargs)
    tried, refusal, unkept = is_sharing(f, args), None, None
    if not tried and is_writing(f) and (written := by_parameters(written_call, *call, None, whole)) is not None:
        return written
    if tried:
        if (shared := by_parameters(shared_call, *call)) is not None:
            return finish(shared)
        let_be(f)
    if not is_to_be_recorded(f, args):
        try:
            found = structured()
            completed(f, args)
            weigh(f, args, kwargs)
            return found
        except NotKept as error:
            unkept = error
        except REFUSALS as error:
            refusal = error
            refused(f)
        again = not isinstance(refusal, GivenUpError)  # the others would give up as well
        stores, shares = (again, again) if unkept is None else (unkept.may_store, unkept.may_share)
        if stores and (written := by_parameters(written_call, *call, refusal, whole)) is not None:
            return written
        if shares and not tried and (shared := by_parameters(shared_call, *call, refusal)) is not None:
            return finish(shared)
    elif not tried and may_share(f, args) and (shared := by_parameters(shared_call, *call)) is not None:
        return finish(shared)
    return finish(recording(f, args, kwargs, needs, refusal))


def _structured_bars(
    name: str, f: Any, needs: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[Any, Any, tuple[Any, ...]]:
    """`value_and_bars` of a call that is reversed by its structure; `NotKept` where that is not to be kept."""
    if type(f) is FunctionType and not has_rules(f):
        table_of(f)
        if (whole := by_layout(_whole_bars, f, needs, args, kwargs)) is not None:
            return whole
    check_all_numbers([x for x, asked in zip(args, needs[1:], strict=False) if asked])
    spec = kept_for(f, args, kwargs, needs)
    y, bars = in_structure(f, spec, args, structured_value_and_bars, f, needs, args, kwargs, name)
    return y, bars, (f, *args, *kwargs.values())


def _whole_bars(f: FunctionType, needs: tuple[bool, ...], args: tuple[Any, ...]) -> Any:
    """The same of a function and one argument for each of its parameters, by a program that gives both at once."""
    spec = find_whole(f, table_of(f), args, needs)
    if not keeps_structure(f, spec):
        if half_way(spec):
            raise NotKept(f, spec, args)
        return None  # by a pullback nothing may be copied
    return *in_structure(f, spec, args, run_whole, spec, f, args), (f, *args)


def transformed_codes(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The code objects that are transformed if a call is reversed by its structure, and whether these are all that
    there are; None if it is recorded. Nothing is run but what may be refused on its way, which has no effects."""
    if has_been_recorded(f, args):
        return None
    stores = is_writing(f) or may_share(f, args)
    try:
        found = None if stores else generated_for(f, args, kwargs, None)
        if found is None and not stores:
            return frozenset(), True
    except REFUSALS:
        found = None
    spec = found[1] if found is not None and keeps_structure(*found) else None
    if spec is not None and refusal_of_run(f, args, kwargs, spec) is not None:
        return None
    if spec is None and (call := laid_out(f, args, kwargs)) is not None:
        spec = writing_program(f, call[1]) or sharing_program(f, call[1])
        if spec is not None and refusal_of_storing_run(f, call[1], spec) is not None:
            return None
    if spec is None:
        return None
    return frozenset([code for part in spec.all() for code in (part.code, *part.inits)]), spec.resolved


def begin(needs: tuple[bool, ...] | None, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """`(y, back)` of an outermost call, and what the function and its arguments looked like before."""
    f = differentiated(f)
    if needs is None and (given := _planned_pullback(f, args, kwargs)) is not None:
        return given
    for x in args:
        if isinstance(x, np.ndarray):
            check_numbers(x.dtype)

    def structured() -> Any:
        return by_line(functools.partial(by_receiver, _structured_pullback), f, needs, args, kwargs)

    y, back, given = _first_way(f, needs, args, kwargs, structured, tuple, False)
    y = handed_out(y, f, args, kwargs)
    if needs is None:
        by_parameters(lambda g, _, flat: storing_plan(g, _pullback_of(g), flat, None), f, None, args, kwargs)
    return y, back, given


@only_once
def _planned_pullback(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The pullback of an outermost call by its plan; None where it has none."""
    if not kwargs and type(f) is FunctionType and (given := planned(f, PULLBACK, args)) is not None:
        return given
    return by_parameters(lambda g, _, flat: planned(g, _pullback_of(g), flat), f, None, args, kwargs)


def _pullback_of(f: FunctionType) -> Any:
    """The request for the pullback of a function that gets one argument for each parameter, packed ones as well."""
    return PULLBACK if table_of(f).simple else ORDERED


def _structured_pullback(
    f: Any, needs: tuple[bool, ...] | None, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[Any, Any, tuple[Any, ...]]:
    """`begin` of a call that is reversed by its structure; `NotKept` where that is not to be kept."""
    spec = kept_for(f, args, kwargs, needs)
    y, back = in_structure(f, spec, args, in_pass, needing(needs), f, *args, **kwargs)
    if needs is None and (call := laid_out(f, args, kwargs)) is not None:
        plan_pullback(f, _pullback_of(f), call[1])
    return y, back, (f, *args, *kwargs.values())


def compiled_call(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Back] | None:
    """The value and the pullback of an outermost call of a function of Numba, which may store into its arguments."""
    found: tuple[Any, Back] | None = call_compiled(f, args, kwargs) if is_compiled(f) else None
    return found


def is_compiled(f: Any) -> bool:
    """Tell whether a function is one of Numba's."""
    return type(f) is not FunctionType and find_rules(f) is not None and type(f) in BY_CLASS


@special(value_and_bars)
def value_and_bars_rule(
    f: Any, function: Any, needs: tuple[bool, ...], args: tuple[Any, ...], kwargs: dict[str, Any], name: str, /
) -> tuple[Any, Back]:
    """The derivative of taking a gradient, of a function that is known only now."""
    names = tuple(kwargs)
    (y, back), outer = call_pullback(call_pullback, function, *args, **kwargs)
    bars, again = call_pullback(in_sweep, back, scalar_seed(y, name))
    n = len(args)

    def value_and_bars_back(d: Any) -> tuple[Any, ...]:
        y_bar, bars_bar, _ = (None, None, None) if d is None else d
        back_bar = None if bars_bar is None else again(bars_bar)[1]
        _, f_bar, *of_args = outer((y_bar, back_bar))
        by_name = dict(zip(names, of_args[n:], strict=True))
        return (None, f_bar, None, tuple(of_args[:n]), by_name, None)

    return (y, bars, (function, *args, *kwargs.values())), value_and_bars_back


@special(begin)
def begin_rule(f: Any, needs: Any, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any], /) -> tuple[Any, Back]:
    """The derivative of a derivative's forward run."""
    names, n = tuple(kwargs), len(args)
    (y, back), outer = in_pass(call_pullback, call_pullback, function, *args, **kwargs)

    def begin_back(d: Any) -> tuple[Any, ...]:
        y_bar, back_bar, _ = (None, None, None) if d is None else d
        _, f_bar, *of_args = outer((y_bar, back_bar))
        by_name = dict(zip(names, of_args[n:], strict=True))
        return (None, None, f_bar, tuple(of_args[:n]), by_name)

    return (y, back, (function, *args, *kwargs.values())), begin_back


def stop_gradient(x: R) -> R:
    """Return `x` as a constant: the gradient stops here, and nothing flows back through it.

    Parameters
    ----------
    x : anything: a number, an array, a model, a text.

    Returns
    -------
    `x` itself, and no copy of it.

    Examples
    --------
    >>> from adjoint import gradient
    >>> gradient(lambda x: x * stop_gradient(x), 3.0)
    (3.0,)
    """
    return x


non_differentiable(stop_gradient, returns="like")

__all__ = [
    "DEBUGGER",
    "begin",
    "identity_of_call",
    "is_compiled",
    "record",
    "stop_gradient",
    "transformed_codes",
    "value_and_bars",
]
