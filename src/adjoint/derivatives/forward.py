"""Forward mode from outside: ẏ = J ẋ of any call, and the linear map itself, to be used for many tangents.

What has no forward form of its own is transposed: the pullback ȳ ↦ Jᵀ ȳ is linear, and its own pullback is ẋ ↦ J ẋ.
Of a program that is recorded the rows of J are taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ..errors import AdjointError, NotDifferentiableError, calling_place
from ..rules.registry import Back
from ..runtime.dispatch import call_pullback
from ..runtime.forward import OWN, PUSHERS, choose_pushforward
from ..runtime.jvp import call_pushforward, split, transposed, transposed_here
from ..runtime.targets import chosen, special
from ..tangents.lane_runs import alone
from ..tangents.sweep import in_pass, in_sweep
from ..tangents.vectors import dimension, inner, unravel
from ..tangents.zeros import items_in
from . import begin, value_and_bars
from .along import begun_along, method_pulled_along, pulled_along, value_and_bars_along
from .choice import DEBUGGER, REFUSALS, generated_for, in_structure, is_to_be_recorded, keeps_structure
from .ordering import in_line
from .pullback import Pullback
from .results import handed_out
from .shared_along import pushed_shared
from .sharing import is_sharing, turns_out_sharing
from .writing import is_writing, pushed_call

Values = tuple[Any, ...]
Push = Callable[[Values], Any]
"""From the tangents of the function, of each argument, then of each keyword, to that of the result (None for zero)."""


def linear_map(f: Any, args: Values, kwargs: dict[str, Any]) -> tuple[Any, Push]:
    """The value of an outermost call and ẋ ↦ J ẋ, which may be called any number of times."""
    spec = _structure_of(f, args, kwargs)
    if spec is not NotImplemented and not isinstance(spec, AdjointError):
        try:
            y, push = in_structure(f, spec, args, in_pass, transposed_here, f, args, kwargs)
            return handed_out(y, f, args, kwargs), push
        except REFUSALS as error:
            if error.final:
                raise
    return _by_rows(*begin(None, f, args, kwargs))


def _structure_of(f: Any, args: Values, kwargs: dict[str, Any]) -> Any:
    """The program generated for a call that is followed by its structure, None where a rule says it all; why it is
    refused, or `NotImplemented` for one that is recorded, or whose objects are memory."""
    if DEBUGGER.get() is not None or is_to_be_recorded(f, args) or is_sharing(f, args):
        return NotImplemented
    try:
        found = generated_for(f, args, kwargs, None)
    except REFUSALS as error:
        return error  # said again, if it cannot be recorded either
    if found is None:
        return None
    return found[1] if keeps_structure(*found) else NotImplemented


MAX_KEPT = 1_000_000
"""The number of numbers in the rows of a Jacobian that are kept for further tangents."""


def _by_rows(y: Any, back: Any, given: Values) -> tuple[Any, Push]:
    """ẋ ↦ J ẋ by the rows of J, one run of the pullback each: recording the reverse of a record takes far longer."""
    _refuse_iterators(y)
    n = dimension(y)
    kept: list[Any] = []

    def rows() -> Iterator[Any]:
        for i in range(n):
            unit = np.zeros(n)
            unit[i] = 1.0
            yield alone(in_sweep, back, unravel(unit, y))

    of_data = getattr(back, "of_data", None)

    def push(dots: Values) -> Any:
        if of_data is not None:
            inner(alone(in_sweep, back, of_data), dots)  # which refuses what is not known
        if not kept and _are_few(n, given[1:]):
            kept[:] = rows()
        return unravel(np.array([inner(row, dots) for row in kept or rows()]), y)

    return y, push


ITERATORS = ("adjoint", "builtins", "itertools", "numpy")
"""The modules of the classes of iterators that have no fields of a user's."""


def _refuse_iterators(y: Any) -> None:
    """Refuse a result that gives its numbers later, alone or in a container: it has no tangent now."""
    for item in items_in(y):
        if hasattr(type(item), "__next__") and type(item).__module__.partition(".")[0] in ITERATORS:
            raise NotDifferentiableError(
                "the tangent of an iterator",
                "its items are not there yet",
                "return a list of its items, or use `adjoint.pullback`",
                calling_place(),
            )


def _are_few(n: int, given: Values) -> bool:
    """Tell whether `n` rows are of few numbers; of what holds itself, whose zeros have no end, none are kept."""
    try:
        return n * dimension(given) <= MAX_KEPT
    except NotDifferentiableError:
        return False


def pushforward_of(f: Any, args: Values, dots: Values, names: tuple[str, ...] = ()) -> tuple[Any, Any]:
    """The value of an outermost call, whose last arguments are given by these names, and the tangent of its result."""
    positional, keywords = split(args, names)
    if dots[0] is None and len(dots) == 1 + len(args):
        line = in_line(f, positional, dots[1 : 1 + len(positional)], keywords)
        if line is not None and all([d is None for d in dots[1 + len(positional) :]]):
            f, args, dots, names = line.function, line.values, (None, *line.dots), ()
            positional, keywords = args, {}
    spec = NotImplemented if is_writing(f) else _structure_of(f, positional, keywords)
    refusal = spec if isinstance(spec, AdjointError) else None
    if spec is not NotImplemented and refusal is None:
        try:
            return in_structure(f, spec, positional, in_pass, call_pushforward, f, args, dots, names)  # type: ignore[no-any-return]
        except REFUSALS as error:  # of forward mode: the pullback may know more
            if error.final:
                raise
            refusal = error
    if not keywords:
        sharing = is_sharing(f, positional)
        if not sharing and (found := pushed_call(f, positional, dots)) is not None:
            return found
        if (sharing or turns_out_sharing(f, positional, refusal)) and (
            found := pushed_shared(f, positional, dots)
        ) is not None:
            return found
    y, push = _by_rows(*begin(None, f, positional, keywords))
    return y, push(dots)


PUSHERS.add(pushforward_of)
OWN[begin], OWN[value_and_bars] = begun_along, value_and_bars_along
OWN[Pullback], OWN[Pullback.__call__] = pulled_along, method_pulled_along


@chosen(pushforward_of)
def choose_pushforward_of(*args: Any) -> Any:
    """The derivative of taking a tangent."""
    return choose_pushforward(*args)


@special(linear_map)
def linear_map_rule(f: Any, function: Any, args: Values, kwargs: dict[str, Any], /) -> tuple[Any, Back]:
    """The derivative of taking a linear map."""
    return call_pullback(transposed, function, args, kwargs)
