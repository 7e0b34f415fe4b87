"""Questions about the effects of functions, answered from their rows."""

from __future__ import annotations

import bisect
import functools
import heapq
import operator
import random
from collections import OrderedDict, deque
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..origin import module_of
from .bound import Bound, bind
from .effects import UNSEEN, Alloc, Calls, Effect, Effects, Keeps, Returns, World, Write, holding
from .numpy import EARLY, OUT
from .python import ASKED, METHOD, RESULT
from .registry import OPS, Op, find_op, parameters_of

_OF_NUMPY: Effects = (Alloc(), Returns("*", "view"), *OUT)
_ANY = Bound((), {}, 0, open=True)
OUTS = ("out", "output")
"""The names, in NumPy and SciPy, of the array that a result is written into."""
OPTIONAL = (*OUTS, "memo")
"""Parameters that are there to be written."""
_SURE = frozenset(["", "grows", "shrinks", "reorders", "fills", EARLY])
"""Kinds of writes that do not depend on the class of what is written, and are none of the IR."""


def package_of(f: Any) -> str:
    """The package that a function, or the class of a method, is defined in."""
    module = module_of(f) or module_of(getattr(f, "__objclass__", None))
    return module.partition(".")[0]


def of_numpy(f: Any) -> bool:
    """Tell whether a function is one of NumPy's: it keeps none of its arguments, but for what its result says."""
    owner = getattr(f, "__self__", None)
    if isinstance(f, np.ufunc) or isinstance(owner, np.ufunc | np.random.Generator | np.random.RandomState):
        return True
    return not isinstance(f, type) and package_of(f) == "numpy"


def of_arrays(f: Any) -> bool:
    """Tell whether a function is one of NumPy's, or one of SciPy's that has a row: its result holds of its arguments
    what its effects say, and nothing else."""
    return of_numpy(f) or not isinstance(f, type) and package_of(f) == "scipy" and find_op(f) is not None


def row_of(f: Any) -> Op | None:
    """The row of a function; of one of NumPy's that has none, the row of all such."""
    found = find_op(f)
    return Op((f,), _OF_NUMPY) if found is None and of_numpy(f) else found


def bound_to(f: Any, row: Op, args: Sequence[Any], kwargs: Sequence[tuple[str | None, Any]], star: int = -1) -> Bound:
    """A call of a function of a row, laid out by its parameters."""
    return bind(parameters_of(f, row), args, kwargs, star)


def possible(f: Any) -> Effects:
    """All effects that some call of a function may have; none of one that is not known."""
    row = row_of(f)
    if row is None:
        return ()
    return row.effects(_ANY) if callable(row.effects) else row.effects


def is_writer(f: Any) -> bool:
    """Tell whether a function writes into what it is called with, whatever the options are."""
    return any([isinstance(e, Write) and _is_sure(e) and e.ref not in OPTIONAL for e in possible(f)])


def may_write(bound: Bound, row: Op) -> bool:
    """Tell whether a call may write into one of its arguments."""
    return any(isinstance(e, Write) and e.how in _SURE for e in holding(row.effects, bound))


def _is_sure(effect: Write) -> bool:
    return effect.how in _SURE and not effect.option


def is_fixed(row: Op) -> bool:
    """Tell whether the effects are the same of each call, however it is laid out."""
    return not callable(row.effects) and not any([e.ref or e.option for e in row.effects])


def gives_new(effects: Effects, asked: bool = False) -> bool:
    """Tell whether the result of a call with these effects is new; if `asked`, where no class of an operand says
    else."""
    new = [e for e in effects if isinstance(e, Alloc) and (asked or e.how != ASKED)]
    return bool(new) and not any(isinstance(e, Returns) for e in effects)


def is_maker(f: Any) -> bool:
    """Tell whether a function gives something new, as long as no argument but the first says otherwise."""
    row = row_of(f)
    if row is None:
        return False
    if is_fixed(row):
        return gives_new(row.effects)  # type: ignore[arg-type]
    parameters = parameters_of(f, row)
    return gives_new(tuple(holding(row.effects, bind(parameters, [UNSEEN], ()))))


def makes(f: Any, n: int, names: Sequence[str]) -> bool:
    """Tell whether a call with `n` arguments by position, and others by these names, surely gives what nobody else
    has."""
    row = row_of(f)
    if row is None:
        return False
    bound = bound_to(f, row, [UNSEEN] * n, [(name, UNSEEN) for name in names])
    return gives_new(tuple(holding(row.effects, bound)), asked=True)


def is_lazy(f: Any) -> bool:
    """Tell whether a function gives something that runs through its arguments later."""
    return any([isinstance(e, Returns) and e.how == "lazy" for e in possible(f)])


def is_looker(f: Any) -> bool:
    """Tell whether a function keeps nothing of its arguments, and changes none: its result may hold items of them."""
    row = None if of_numpy(f) and not isinstance(f, np.ufunc) else find_op(f)
    return row is not None and not is_lazy(f) and not any([_keeps(e) for e in possible(f)])


def _calls(effect: Any) -> bool:
    return isinstance(effect, Calls) and effect.ref != "key" and effect.how != METHOD


def _keeps(effect: Any) -> bool:
    if isinstance(effect, Calls):
        return effect.ref != "key"
    return isinstance(effect, Keeps) or isinstance(effect, Write) and effect.ref not in OUTS and not effect.option


def holds_items(f: Any) -> bool:
    """Tell whether what a function gives holds its arguments, or items of them; of operators and attributes the types
    say that. What is taken out of a container, or a function gives that is called, may be anybody's."""
    if of_numpy(f) or f is getattr or module_of(f) == "_operator" and f is not operator.getitem:
        return False
    effects = possible(f)
    return (is_lazy(f) or not any(map(_gives_others, effects))) and any(map(_gives_items, effects))


def _gives_others(effect: Any) -> bool:
    return isinstance(effect, Write) and effect.how != "advances" or effect.how == ASKED or _calls(effect)


def _gives_items(effect: Any) -> bool:
    if isinstance(effect, Keeps):
        return effect.how == RESULT
    return isinstance(effect, Returns) or isinstance(effect, Alloc) and bool(effect.ref) and effect.how != ASKED


def changes_nothing(f: Any) -> bool:
    """Tell whether a function is known to change none of its arguments."""
    return find_op(f) is not None and not any([isinstance(e, Write) for e in possible(f)])


def stores_early(f: Any) -> bool:
    """Tell whether a function stores before it has read everything."""
    return any([isinstance(e, Write) and e.how == EARLY for e in possible(f)])


def left_by(f: Any) -> Any:
    """The function that gives what another leaves in its first argument; None if there is none."""
    row = find_op(f) if f is not None and not isinstance(f, np.ufunc) else None
    return None if row is None else row.leaves


def called_by(f: Any) -> tuple[int | str, ...]:
    """The arguments that a function calls: their places, and the names of those that may stand by name."""
    row = row_of(f)
    called = [e.ref for e in possible(f) if _calls_argument(e)]
    if row is None or not called:
        return ()
    parameters = parameters_of(f, row)
    return (*[parameters.place(ref) for ref in called if ref in parameters.names], *called)


def called_in(f: Any, n: int, names: Sequence[str]) -> tuple[int, ...]:
    """The arguments, counted, that a call with `n` by position, and others by these names, may call."""
    row = row_of(f)
    if row is None:
        return ()
    bound = bound_to(f, row, [UNSEEN] * n, [(name, UNSEEN) for name in names])
    return tuple([i for e in holding(row.effects, bound) if _calls_argument(e) for i in bound.places(e.ref)])


def _calls_argument(effect: Effect) -> bool:
    return isinstance(effect, Calls) and effect.how != METHOD


# ---- where nothing but a name is known


@functools.cache
def writing_names() -> frozenset[str]:
    """The names of methods that may change what they are called on, or, of a generator, what they are given."""
    return frozenset([f.__name__ for f, row in _methods() if _writes(f, row)])


@functools.cache
def mutators() -> frozenset[str]:
    """The names of methods of containers and arrays that always change them."""
    found = [f for f, row in _methods() if getattr(f, "__objclass__", None) in _CONTAINERS and _writes(f, row, True)]
    return frozenset([f.__name__ for f in found if not f.__name__.startswith("__")])


@functools.cache
def changing_functions() -> frozenset[str]:
    """The names of functions of the standard library that change what they are given."""
    return frozenset([name for module in _LIBRARY for name, f in vars(module).items() if is_writer(f)])


_LIBRARY = (heapq, bisect, random)
_CONTAINERS = (list, dict, set, deque, OrderedDict, np.ndarray)


def _methods() -> list[tuple[Any, Op]]:
    found = [(f, row) for row in OPS.values() if not callable(row.effects) for f in row.functions]
    return [(f, row) for f, row in found if "." in getattr(f, "__qualname__", "")]


def _writes(f: Any, row: Op, always: bool = False) -> bool:
    effects = possible(f)
    written = [e.ref for e in effects if isinstance(e, Write) and e.ref != "out" and not (always and e.option)]
    draws = any(isinstance(e, World) for e in effects)
    return any(draws or ref == "self" or parameters_of(f, row).place(ref) == 0 for ref in written)
