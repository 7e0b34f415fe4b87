"""Functions of NumPy of numbers, of arrays of numbers that lie in one piece, and of lists and tuples of these.

None of these operands is a table, stands for something else, or has a part out of sight. So it is known once, for a
function and the classes of its operands, which rule there is, and what this gives is asked alone: it must be a number,
or an array with memory of its own. The first call goes the long way (`ruled`), which shows whether it is; so does
whatever is otherwise.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...errors import NoRuleError
from ...rules.calls import of_numbers
from ...rules.libraries import on_change
from ...rules.outside import acts
from ...rules.registry import non_differentiable
from ...rules.rulesets import Method, RuleSet
from ...runtime.targets import select
from ...tangents import quietly
from ...tangents.unknown import refused, unknown_in
from ...tangents.windows import owner_of
from ..places import place, scatter_cotangent
from ..sweep import Sweep, is_valued
from .base import NOTHING, Result, does, nothing
from .contents import arrays_in
from .layouts import only_computes
from .outputs import writes_out
from .quick import MAX_PLANS, REAL
from .ruled import keeps, long_way, may_view
from .snapshots import own_copy, snapshot

Args = tuple[Any, ...]
Kwargs = dict[str, Any]
Call = Callable[[Args, Kwargs], Result | None]

_CONTAINERS = frozenset([list, tuple])
_ITEMS = REAL | _CONTAINERS | {complex, bool, np.ndarray}
_ARRAYS = _CONTAINERS | {np.ndarray}
_OPERANDS = _ITEMS | {str, type(None), type}
_NUMBERS = REAL | {complex, bool, np.complex128, np.bool_, np.int64}
_NUMERIC = frozenset("fciub")
SMALL = 1 << 10
"""Entries of a result that is copied without asking whether its rule keeps it."""

_CALLS: dict[Any, Call | None] = {}
"""By function, classes of operands and keywords; None where such calls go the long way."""

on_change.append(_CALLS.clear)


@does("plain operands")
def called(rules: RuleSet, f: Any, args: Args, kwargs: Kwargs) -> Result | None:
    """The result of a call of such a function, and its `back`; None where it goes the long way."""
    if rules.is_users:
        return None  # such functions come and go, and are not kept alive
    key = (f, *map(type, args), *kwargs, *map(type, kwargs.values()))
    try:
        call = _CALLS[key]
    except KeyError:
        call, found = _made(rules, f, args, kwargs), None
        if call is not None:
            found = long_way(rules, f, args, kwargs)
            call = call if _is_apart(found[0], args) else None
        if len(_CALLS) > MAX_PLANS:
            _CALLS.clear()
        _CALLS[key] = call
        return found
    found = None if call is None else call(args, kwargs)
    if found is UNFIT:
        _CALLS[key] = found = None
    return found


UNFIT: Result = None, nothing
"""In place of a result that has another form than those before."""


def _is_apart(y: Any, args: Args) -> bool:
    """Tell whether a result is a number, an array of its own, or one in the memory of the first argument."""
    if type(y) is not np.ndarray:
        return type(y) in _NUMBERS
    return _is_own(y) or bool(args) and type(args[0]) is np.ndarray and owner_of(y) is owner_of(args[0])


def _made(rules: RuleSet, f: Any, args: Args, kwargs: Kwargs) -> Call | None:
    values = (*args, *kwargs.values())
    classes = set(map(type, values))
    if not _OPERANDS.issuperset(classes) or not only_computes(f, ()) or acts(f):
        return None
    if writes_out(f, args, kwargs) or "out" in kwargs:
        return None
    if not rules.differentiable:
        return _plainly(f)
    if args and type(args[0]) is np.ndarray and may_view(rules.function):
        return _viewing(f)
    found = None if classes.isdisjoint(_ARRAYS) else select(rules, args, kwargs)
    if found is None or of_numbers(f) or not (found[0].call.__module__ or "").startswith("adjoint.rules.numpy"):
        return None
    return _by_rule(f, *found, len(args))


def _plainly(f: Any) -> Call:
    """By a function through which nothing flows."""

    def plain_call(args: Args, kwargs: Kwargs) -> Result | None:
        if not all([_is_plain(x) for x in (*args, *kwargs.values())]):
            return None
        y = f(*args, **kwargs)
        return (y, nothing) if type(y) in _NUMBERS or type(y) is np.ndarray and _is_own(y) else UNFIT

    return plain_call


def _viewing(f: Any) -> Call:
    """By a function that may give the memory of its first argument in another form: who has one has the other."""

    def view_call(args: Args, kwargs: Kwargs) -> Result | None:
        if not all([_is_plain(x) for x in (*args[1:], *kwargs.values())]) or args[0].dtype.kind not in _NUMERIC:
            return None
        y = f(*args, **kwargs)
        return (y, nothing) if type(y) is np.ndarray and owner_of(y) is owner_of(args[0]) else UNFIT

    return view_call


def _by_rule(f: Any, method: Method, picks: tuple[int, ...], slots: tuple[int, ...], n: int) -> Call:
    """By a rule, for `n` arguments by position."""
    elementwise = method.partials is not None

    def ruled_call(args: Args, kwargs: Kwargs) -> Result | None:
        values = (*args, *kwargs.values())
        if not all(map(_is_plain, values)):
            return None
        copies = {id(x): own_copy(x) for x in values if type(x) is np.ndarray}
        kept = [copies[id(x)] if id(x) in copies else snapshot(x) for x in values]
        places = [place(x) for x in values]
        keywords = {name: kept[i] for i, name in enumerate(kwargs, start=n) if i not in picks}
        y, rule_back = method.call(*[kept[i] for i in picks], **keywords)
        is_array = type(y) is np.ndarray
        given = arrays_in(kept)
        if not (_is_own(y) and not any([y is a for a in given]) if is_array else type(y) in _NUMBERS):
            return UNFIT
        if len(given) > 1 and not elementwise and _share(values, {id(a) for a in given}):
            y = quietly(lambda: f(*args, **kwargs))  # `x.T @ x` is not computed as a product of copies
        elif is_array and (y.size <= SMALL or keeps(rule_back, y)):
            y = y.copy("K")  # the program may store into its own
        always = getattr(rule_back, "always", False)

        def call_back(sweep: Sweep, y_bar: Any) -> Any:
            d = sweep.take_array(y) if is_array else y_bar
            if d is None and not always:
                return NOTHING
            unknown = unknown_in(d, y)
            if unknown is None:
                try:
                    bars = rule_back(d)
                except NoRuleError as error:
                    unknown = refused(error)
            if unknown is not None:
                bars = [unknown if p is not None or is_valued(x) else None for p, x in zip(places, values, strict=True)]
                return None, *[scatter_cotangent(sweep, p, bar) for p, bar in zip(places, bars, strict=True)]
            m = len(bars)
            bars = [bars[i] if i < m else None for i in slots]
            return None, *[scatter_cotangent(sweep, p, bar) for p, bar in zip(places, bars, strict=True)]

        return y, call_back

    return ruled_call


def _share(values: Any, copies: set[int]) -> bool:
    """Tell whether arrays in these values share memory, where their copies do not."""
    return len({id(owner_of(a)) for a in arrays_in(values)}) < len(copies)


def _is_plain(x: Any, depth: int = 4) -> bool:
    """Tell whether an operand is no array and holds none, or numbers that lie in memory as their copies do."""
    if type(x) is np.ndarray:
        return x.dtype.kind in _NUMERIC and x.flags.c_contiguous
    if type(x) not in _CONTAINERS:
        return True
    return depth > 0 and all([type(item) in _ITEMS and _is_plain(item, depth - 1) for item in x])


def _is_own(y: Any) -> bool:
    """Tell whether an array holds numbers, in memory of its own."""
    return y.base is None and y.dtype.kind in _NUMERIC


non_differentiable(_made, _share, _is_plain, _is_own)
