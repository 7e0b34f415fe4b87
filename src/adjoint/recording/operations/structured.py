"""Functions that only compute, within a recorded program: reversed in their structure, by the rule generated for them.

They are given numbers, texts, arrays, and lists, tuples and dicts of these: no code of anybody else's runs. As with
rules, what may be stored into later is copied first. They store nothing, keep nothing, give what nobody else has, and
read nothing that a recorded program may change; where that is not sure, they are recorded like any other.
"""

from __future__ import annotations

import inspect
import types
from typing import Any

import numpy as np

from ...errors import AdjointError
from ...faults import show_fault
from ...identity import IdentityMap
from ...origin import is_ours
from ...rules.registry import non_differentiable
from ...runtime.spec import Spec
from ...runtime.tables import find_spec, table_of
from ...tangents import Unknown, release
from ...tangents.form import fit, form_of
from ...tangents.structural import fields_of
from ...tangents.unknown import unknown_in
from ..given import depth
from ..observer import OBSERVER
from ..places import gather_cotangent, place, scatter_cotangent
from ..program import Program
from ..sweep import Sweep, is_valued
from .base import NOTHING, Result, nothing
from .contents import arrays_in
from .functions import BY_RULE
from .ruled import snapshot

WORTH = 400
"""Operations of a function that are recorded for each of its lines: by then that has cost what its rule costs."""
LEAST = 12
"""Operations in a call, on the average, where the rule costs less than they do."""
LARGEST = 1 << 13
"""Largest number of entries that are copied; with more of them recording costs little beside the operations."""
MAX_FAILURES = 3
_PLAIN = frozenset([float, int, bool, complex, str, type(None), np.float64])
_NUMERIC = frozenset("fciub")


_STARS = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS
_SUSPENDED = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ITERABLE_COROUTINE | inspect.CO_ASYNC_GENERATOR
_FAILURES: IdentityMap[int] = IdentityMap()
"""By a function's code, how often it was not one that only computes."""
MAX_CALLEES = 4096


def in_structure(program: Program, f: types.FunctionType, args: tuple[Any, ...]) -> Result | None:
    """A call by the rule of a function that only computes; None where it is to be recorded, as it was until now."""
    if program.steps <= max(WORTH * program.lines, LEAST * program.calls):
        return None
    if _failures_of(f.__code__) >= MAX_FAILURES:
        return None
    if len(args) != f.__code__.co_argcount:
        return None
    if depth() != 1 or OBSERVER.get() is not None:
        return None
    cells = f.__closure__
    if cells is not None and not _holds_numbers(cells):
        return None
    numbers = _PLAIN.issuperset(map(type, args))
    if not numbers and not is_data(args):
        return None
    try:
        spec = find_spec(f, table_of(f), args)
    except AdjointError:
        _FAILURES[f.__code__] = MAX_FAILURES
        return None
    if not computes_alone(spec):
        _FAILURES[f.__code__] = _failures_of(f.__code__) + 1
        return None
    return _of_numbers(spec, f, args) if numbers else _of_data(spec, f, args)


def _failures_of(code: types.CodeType) -> int:
    known = _FAILURES.get(code)
    if known is None:
        varies = code.co_flags & (_STARS | _SUSPENDED) or code.co_kwonlyargcount
        known = _FAILURES[code] = MAX_FAILURES if varies or is_ours(code.co_filename) else 0
        _FAILURES.shorten(MAX_CALLEES)
    return known


def computes_alone(spec: Spec) -> bool:
    """Tell whether a program stores and keeps nothing, and reads nothing that others change."""
    if not spec.only_computes or spec.may_be_refused or not spec.sees_only_arguments:
        return False
    return spec.summary is not None and spec.summary.kept <= {0}


def is_data(args: tuple[Any, ...]) -> bool:
    """Tell whether values are numbers, texts, arrays, and what holds these, none of them twice, and not many of
    them."""
    room, todo, seen = LARGEST, [*args], set[int]()
    while todo:
        x = todo.pop()
        cls = type(x)
        if cls in _PLAIN:
            room -= 1
        elif id(x) in seen:
            return False
        elif cls is np.ndarray:
            if x.dtype.kind not in _NUMERIC or x.base is not None:
                return False
            room -= x.size
        elif cls is list or cls is tuple:
            todo += x
        elif cls is dict:
            todo += x.values()
            if not all([type(key) is str for key in x]):
                return False
        else:
            return False
        seen.add(id(x))
        if room < len(todo):
            return False
    return True


def _of_numbers(spec: Spec, f: Any, args: tuple[Any, ...]) -> Result | None:
    """A call with numbers, which nobody can store into."""
    try:
        y, rule_back = spec.rule(f, *args) if spec.takes_self else spec.rule(*args)
    except Exception as error:  # noqa: BLE001 - it is raised again where the call is recorded
        show_fault(error)
        return None
    if type(y) not in _PLAIN and not (type(y) is tuple and _PLAIN.issuperset(map(type, y))):
        return None
    captured = _captured(f)

    def numbers_back(sweep: Sweep, y_bar: Any) -> Any:
        if y_bar is None:
            return NOTHING
        if (unknown := unknown_in(y_bar, y)) is not None:
            _give_captured(sweep, captured, unknown)
            return None, *[unknown if is_valued(x) else None for x in args]
        f_bar, *bars = rule_back(y_bar)
        _give_captured(sweep, captured, f_bar)
        return None, *bars

    return y, numbers_back


def _of_data(spec: Spec, f: Any, args: tuple[Any, ...]) -> Result | None:
    """A call with arrays and containers, of which copies are handed over."""
    kept = snapshot(args)
    try:
        y, rule_back = spec.rule(f, *kept) if spec.takes_self else spec.rule(*kept)
    except Exception as error:  # noqa: BLE001 - it is raised again where the call is recorded
        show_fault(error)
        return None
    if type(y) not in _PLAIN and not _is_new(y, kept):
        return None
    y = y if type(y) in _PLAIN else snapshot(y)  # the rule may keep what it gave
    if not is_valued(y) and place(y) is None:
        return y, nothing
    at, places, form, captured = place(y), [place(x) for x in args], form_of(y), _captured(f)

    def structured_back(sweep: Sweep, y_bar: Any) -> Any:
        d = gather_cotangent(sweep, at, y_bar)
        if d is None:
            return NOTHING
        if (unknown := unknown_in(d, y)) is not None:
            _give_captured(sweep, captured, unknown)
            return None, *[scatter_cotangent(sweep, p, unknown) for p in places]
        f_bar, *bars = rule_back(fit(d, form, f))
        _give_captured(sweep, captured, f_bar)
        taken: dict[int, Any] = {id(a): a for a in arrays_in([d])}
        given = [release(bar, x, taken, False) for bar, x in zip(bars, args, strict=True)]
        return None, *[scatter_cotangent(sweep, p, bar) for p, bar in zip(places, given, strict=True)]

    return y, structured_back


def _captured(f: types.FunctionType) -> list[tuple[str, types.CellType]]:
    """The variables with numbers that a function captures: they may be bound to something else later."""
    pairs = zip(f.__code__.co_freevars, f.__closure__ or (), strict=True)
    return [(name, cell) for name, cell in pairs if is_valued(cell.cell_contents)]


def _give_captured(sweep: Sweep, captured: list[tuple[str, types.CellType]], d: Any) -> None:
    """Give the variables that a function captures their cotangents."""
    if d is None or not captured:
        return
    fields = None if isinstance(d, Unknown) else fields_of(d)
    for name, cell in captured:
        sweep.add(cell, 0, d if fields is None else fields.get(name))


def _holds_numbers(cells: tuple[types.CellType, ...]) -> bool:
    """Tell whether variables are bound to numbers and texts."""
    try:
        return all([type(cell.cell_contents) in _PLAIN for cell in cells])
    except ValueError:  # one is not bound
        return False


def _is_new(y: Any, kept: tuple[Any, ...]) -> bool:
    """Tell whether a result is an array, or a tuple or list of numbers and arrays, none of them a view, or given."""
    if type(y) is list and _holds(kept, y):
        return False
    parts = y if type(y) in (tuple, list) else (y,)
    arrays = [x for x in parts if type(x) is np.ndarray]
    if any([type(x) not in _PLAIN and type(x) is not np.ndarray for x in parts]):
        return False
    known = {id(a) for a in arrays_in(kept)}
    return all([a.base is None and id(a) not in known for a in arrays]) and len({id(a) for a in arrays}) == len(arrays)


def _holds(values: Any, y: Any) -> bool:
    """Tell whether an object is in containers, or in those within them."""
    parts = values.values() if type(values) is dict else values
    return any([x is y or type(x) in (list, tuple, dict) and _holds(x, y) for x in parts])


non_differentiable(is_data, computes_alone)

BY_RULE.append(in_structure)
