"""The standard library: by twins in Python, and by the operations that its functions stand for."""

from __future__ import annotations

import _random
import functools
import numbers
import operator
import statistics
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from ...rules.calls import check_are_numbers
from ...runtime.operators import is_sequence
from .. import reference_programs
from ..sweep import Sweep, add
from .attributes import read
from .base import (
    NOTHING,
    Back,
    Record,
    Result,
    adapting,
    does,
    handles,
    handles_methods,
    nothing,
    unfinished,
    with_first,
)  # fmt: skip
from .calls import invoke_as, invoke_method, run
from .items import delete_item_at, read_item, set_item_at
from .iteration import materialised
from .native import check_index
from .opaque import opaque
from .operators import _IN_PLACE, _NAMES, _inplace, concatenated, of_one, operate
from .slots import in_turn

Args = tuple[Any, ...]
Kwargs = dict[str, Any]


@handles(*reference_programs.TWINS)
def _twin(record: Record, k: int, f: Any, args: Args, kwargs: Kwargs) -> Result:
    if getattr(f, "__module__", None) == "itertools":
        f(*map(_standing_for, args), **{name: _standing_for(value) for name, value in kwargs.items()})  # for its errors
    return run(record, k, reference_programs.TWINS[f], args, kwargs)


def _standing_for(x: Any) -> Any:
    """A stand-in that raises the errors that a value does, and runs no code of the user's."""
    asked = isinstance(getattr(type(x), "__index__", None), types.FunctionType)
    return () if hasattr(type(x), "__iter__") else 1 if asked else x


@handles(np.vectorize, np.frompyfunc)
def _by_entries(record: Record, k: int, f: Any, args: Args, kwargs: Kwargs) -> Result:
    """A function by entries: what it holds is followed when it is called."""
    return f(*args, **kwargs), nothing


# ---- operators as functions

_UNARY = (operator.neg, operator.pos, operator.invert, operator.inv)


@handles(*_UNARY)
def _unary(record: Record, k: int, f: Any, args: Args, kwargs: Kwargs) -> Result:
    return of_one(record, k, f, *args)


@handles(operator.concat, operator.iconcat)
def _concatenated(record: Record, k: int, f: Any, args: Args, kwargs: Kwargs) -> Result:
    if not all(map(is_sequence, args)):
        return f(*args), nothing  # Python says what it is
    return concatenated(record, k, f is operator.iconcat, *args)


@handles(*(fn for fn in _NAMES if fn not in _UNARY))
def _binary(record: Record, k: int, f: Any, args: Args, kwargs: Kwargs) -> Result:
    return operate(record, k, f, *args)


@handles(*_IN_PLACE)
def _in_place(record: Record, k: int, f: Any, args: Args, kwargs: Kwargs) -> Result:
    return _inplace(record, k, f, *args)


@handles(operator.getitem)
def _getitem(record: Record, k: int, f: Any, args: Args, kwargs: Kwargs) -> Result:
    check_index(*args)
    y, back = read_item(record, k, *args)
    return y, lambda sweep, y_bar: (*back(sweep, y_bar)[:2], None)


@handles(operator.setitem)
def _setitem(record: Record, k: int, f: Any, args: Args, kwargs: Kwargs) -> Result:
    return None, _of_store(record, k, lambda write: set_item_at(write, k, *args), (2, 1))


@handles(operator.delitem)
def _delitem(record: Record, k: int, f: Any, args: Args, kwargs: Kwargs) -> Result:
    check_index(*args)
    return None, _of_store(record, k, lambda write: delete_item_at(write, k, *args), (1,))


def _of_store(record: Record, k: int, store: Callable[[Record], None], places: tuple[int, ...]) -> Back:
    """The `back` of a store as a call; `places` says where the steps of the store have the cotangent of each argument
    after the owner. What was stored before an exception is written down."""
    steps: list[Any] = []

    def store_back(sweep: Sweep, y_bar: Any) -> Any:
        d = (*in_turn(steps)(sweep, None), *NOTHING)
        return None, None, *[d[i] for i in places]

    try:
        store(steps.append)
    except BaseException:
        if steps:
            record((k, unfinished(store_back)))
        raise
    return store_back


def _getter(record: Record, k: int, f: Any, x: Any) -> Result:
    """A call of what `itemgetter`, `attrgetter` or `methodcaller` made."""
    _, names = f.__reduce__()[:2]
    pairs = []
    for name in names:
        if isinstance(f, operator.itemgetter):
            check_index(x, name)
            pairs.append([read_item(record, k, x, name)])
        else:
            chain, owner = [], x
            for part in name.split("."):
                y, back = read(record, k, owner, part)
                chain.append((y, back))
                owner = y
            pairs.append(chain)
    values = [chain[-1][0] for chain in pairs]

    def getter_back(sweep: Sweep, y_bar: Any) -> Any:
        bars = (y_bar,) if len(pairs) == 1 else y_bar if y_bar is not None else NOTHING
        total = None
        for i in reversed(range(len(pairs))):
            d = bars[i]
            for _, back in reversed(pairs[i]):
                d = back(sweep, d)[1]
            total = add(total, d)
        return None, total

    return values[0] if len(values) == 1 else tuple(values), getter_back


@does("getter")
def call_getter(record: Record, k: int, f: Any, args: Args, kwargs: Kwargs) -> Result:
    """A call of an object of the module `operator`."""
    if isinstance(f, operator.methodcaller):
        return _call_method(record, k, f, args[0])
    return _getter(record, k, f, *args)


def _call_method(record: Record, k: int, f: Any, x: Any) -> Result:
    made, given = f.__reduce__()[:2]
    if isinstance(made, functools.partial):
        name, values, named = made.args[0], tuple(given), made.keywords
    else:
        name, values, named = given[0], tuple(given[1:]), {}

    def of_method(back: Any) -> Any:
        def reverse(sweep: Sweep, y_bar: Any) -> Any:
            d = back(sweep, y_bar)
            for slot, bar in zip((*range(len(values)), *named), d[2:], strict=False):
                sweep.add(f, slot, bar)
            return d[:2]

        return reverse

    y, back = invoke_method(adapting(record, of_method), k, x, name, values, named)
    return y, of_method(back)


@handles_methods(operator.methodcaller, "__reduce__")
def _parts_of_caller(record: Record, k: int, f: Any, args: Args, kwargs: Kwargs) -> Result:
    """Parts of such an object, for which a second derivative asks."""
    y = f.__reduce__()
    named = isinstance(y[0], functools.partial)

    def parts_back(sweep: Sweep, y_bar: Any) -> Any:
        given = None if y_bar is None else y_bar[1]
        for i, bar in enumerate(() if given is None else given if named else given[1:]):
            sweep.add(f, i, bar)
        if named:
            for name, bar in sweep.take_slots(y[0].keywords).items():
                sweep.add(f, name, bar)
        return NOTHING

    return y, parts_back


@handles(operator.methodcaller)
def _make_caller(record: Record, k: int, f: Any, args: Args, kwargs: Kwargs) -> Result:
    y, n = operator.methodcaller(*args, **kwargs), len(args) - 1

    def reverse(sweep: Sweep, y_bar: Any) -> Any:
        return (None, None, *[sweep.take(y, slot) for slot in (*range(n), *kwargs)])

    return y, reverse


@handles(operator.call)
def _called(record: Record, k: int, f: Any, args: Args, kwargs: Kwargs) -> Result:
    """`operator.call(g, *args)`."""
    return invoke_as(with_first, record, k, args[0], args[1:], kwargs)


@handles_methods(types.FunctionType, "__call__")
@handles_methods(types.MethodType, "__call__")
@handles_methods(types.BuiltinFunctionType, "__call__")
def _called_by_name(record: Record, k: int, f: Any, args: Args, kwargs: Kwargs) -> Result:
    return invoke_as(with_first, record, k, f, args, kwargs)


@handles(operator.itemgetter, operator.attrgetter)
def _make_getter(record: Record, k: int, f: Any, args: Args, kwargs: Kwargs) -> Result:
    return f(*args), nothing


@handles(tuple.__new__)
def _new_tuple(record: Record, k: int, f: Any, args: Args, kwargs: Kwargs) -> Result:
    cls, *rest = args
    if not rest:
        return tuple.__new__(cls), nothing
    items, back = materialised(record, k, rest[0])
    y = tuple.__new__(cls, items)

    def new_back(sweep: Sweep, y_bar: Any) -> Any:
        return None, None, back(sweep, y_bar)[1]

    return y, new_back


def _draw(name: str) -> None:
    """Random numbers are data."""

    @handles_methods(_random.Random, name)
    def drawn(record: Record, k: int, self: Any, args: Args, kwargs: Kwargs) -> Result:
        return getattr(_random.Random, name)(self, *args, **kwargs), nothing


for _name in ("random", "getrandbits", "seed", "getstate", "setstate"):
    _draw(_name)


@handles(numbers.Rational.__float__, getattr(statistics, "_float_sqrt_of_frac", None))
def _through_integers(record: Record, k: int, f: Any, args: Args, kwargs: Kwargs) -> Result:
    """A float made of integers into which others were taken apart: through these nothing flows."""
    return opaque(f, args, kwargs)


# ---- statistics: in closed form, for their own way is by exact fractions


def _statistic(function: Any, partials: Any) -> None:
    """Declare a statistic of a list of numbers by its partial derivatives."""

    @handles(function)
    def handler(record: Record, k: int, f: Any, args: Args, kwargs: Kwargs) -> Result:
        if any([isinstance(x, int | float) for x in (*args[1:], *kwargs.values())]):
            return _around(record, k, f, args, kwargs)
        items, back = materialised(record, k, args[0])
        others = {i: materialised(record, k, x) for i, x in enumerate((*args[1:], *kwargs.values())) if x is not None}
        rest = [others[i][0] if i in others else None for i in range(len(args) - 1 + len(kwargs))]
        check_are_numbers(f"statistics.{f.__name__}", [*items, *[v for r in rest if r is not None for v in r]])
        y = f(items, *rest[: len(args) - 1], **dict(zip(kwargs, rest[len(args) - 1 :], strict=True)))
        kept = [list(items), *[list(r) for r in rest if r is not None]]

        def statistic_back(sweep: Sweep, y_bar: Any) -> Any:
            found = None if y_bar is None else partials(*kept, y)
            bars = [None if found is None else [y_bar * p for p in part] for part in (found or [()] * len(kept))]
            given: list[Any] = [None] * len(rest)
            for j, i in reversed(list(enumerate(others, start=1))):
                given[i] = others[i][1](sweep, bars[j])[1]
            return (None, back(sweep, bars[0])[1], *given)

        return y, statistic_back


def _around(record: Record, k: int, f: Any, args: Args, kwargs: Kwargs) -> Result:
    """A variance or deviation around a given centre: Σ (x - c)² / n, or its root."""
    items, back = materialised(record, k, args[0])
    (centre,) = (*args[1:], *kwargs.values())
    y, kept = f(items, centre), list(items)
    n = len(kept) - (f in (statistics.variance, statistics.stdev))
    root = f in (statistics.stdev, statistics.pstdev)

    def around_back(sweep: Sweep, y_bar: Any) -> Any:
        if y_bar is None:
            return (None, back(sweep, None)[1], None)
        scale = (y_bar / y if y else 0.0) / n if root else 2 * y_bar / n
        bars = [scale * (x - centre) for x in kept]
        return (None, back(sweep, bars)[1], -sum(bars))

    return y, around_back


def _of_mean(xs: Any, *given: Any) -> Any:
    *weights, y = given
    if not weights:
        return [[1 / len(xs)] * len(xs)]
    total = sum(weights[0])
    return [w / total for w in weights[0]], [(x - y) / total for x in xs]


def _of_variance(xs: Any, y: Any) -> Any:
    mean = statistics.fmean(xs)
    return [[2 * (x - mean) / (len(xs) - 1) for x in xs]]


def _of_pvariance(xs: Any, y: Any) -> Any:
    mean = statistics.fmean(xs)
    return [[2 * (x - mean) / len(xs) for x in xs]]


def _of_root(partials: Any) -> Any:
    return lambda xs, y: [[p / (2 * y) if y else 0.0 for p in partials(xs, y)[0]]]


def _of_geometric(xs: Any, y: Any) -> Any:
    return [[y / (len(xs) * x) for x in xs]]


def _of_harmonic(xs: Any, *given: Any) -> Any:
    *weights, y = given
    ws = weights[0] if weights else [1.0] * len(xs)
    total = sum(ws)
    by_x = [w * y * y / (total * x * x) for x, w in zip(xs, ws, strict=True)]
    return (by_x, [y / total - y * y / (total * x) for x in xs]) if weights else [by_x]


def _middle(low: bool, high: bool) -> Any:
    def partials(xs: Any, y: Any) -> Any:
        order = sorted(range(len(xs)), key=xs.__getitem__)
        n = len(xs)
        at = {order[n // 2]: 1.0}
        if n % 2 == 0:
            a, b = order[n // 2 - 1], order[n // 2]
            at = {a: 1.0} if low and not high else {b: 1.0} if high and not low else {a: 0.5, b: 0.5}
        return [[at.get(i, 0.0) for i in range(n)]]

    return partials


def _of_mode(xs: Any, y: Any) -> Any:
    at = xs.index(y)
    return [[float(i == at) for i in range(len(xs))]]


@handles(statistics.multimode)
def _multimode(record: Record, k: int, f: Any, args: Args, kwargs: Kwargs) -> Result:
    items, back = materialised(record, k, *args, *kwargs.values())
    y = f(items)
    at = [items.index(mode) for mode in y]

    def multimode_back(sweep: Sweep, y_bar: Any) -> Any:
        slots = sweep.take_slots(y)
        bars: list[Any] = [None] * len(items)
        for j, i in enumerate(at):
            bars[i] = slots.get(j)
        return None, back(sweep, bars)[1]

    return y, multimode_back


for _function, _partials in (
    (statistics.mode, _of_mode),
    (statistics.mean, _of_mean),
    (statistics.fmean, _of_mean),
    (statistics.variance, _of_variance),
    (statistics.pvariance, _of_pvariance),
    (statistics.stdev, _of_root(_of_variance)),
    (statistics.pstdev, _of_root(_of_pvariance)),
    (statistics.geometric_mean, _of_geometric),
    (statistics.harmonic_mean, _of_harmonic),
    (statistics.median, _middle(True, True)),
    (statistics.median_low, _middle(True, False)),
    (statistics.median_high, _middle(False, True)),
):
    _statistic(_function, _partials)


__all__ = ["call_getter"]
