"""Functions that call one of the user's for rows or parts of an array: by its derivative. `entries` has `np.vectorize`.

Each is written as a program in Python, which is differentiated (and, where it has to be, recorded) in its place. The
function is called as NumPy calls it: in the same order, as often, with arguments of the same types. NumPy's own code
then makes the result of what it gave, so that types and shapes are those of the plain program.
"""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import inspect
import itertools
from typing import Any

import numpy as np

from ..knots import call_pullback
from ..registry import non_differentiable, rule
from ..signatures import as_declared
from .lifting import refuse
from .linear import bring_back, nested

PROGRAMS: dict[Any, Any] = {}
"""Functions that call functions, and the programs in their place."""


def in_python(f):
    """Declare the program that is differentiated in place of `f`: it has its parameters, and gives the same value."""

    def register(program):
        signature = inspect.signature(program)
        declared = as_declared(program)

        def program_rule(*args, **kwargs):
            y, back = call_pullback(program, *args, **kwargs)
            return y, lambda y_bar: declared(back(y_bar)[1:], tuple(kwargs))

        program_rule.__name__ = program_rule.__qualname__ = f"{program.__name__}_rule"
        program_rule.__annotations__ = {}
        program_rule.__signature__ = signature  # type: ignore[attr-defined]
        rule(f)(program_rule)
        PROGRAMS[f] = program
        return program

    return register


def replay(results):
    """A function that gives these results, one by one, whatever it is called with.

    >>> f = replay([1.5, 2.5])
    >>> f(0), f(0)
    (1.5, 2.5)
    """
    rest = iter(results)
    return lambda *args, **kwargs: next(rest)


def living(bars, results, dtype):
    """The cotangents of those results whose derivative lives on in an array of this dtype."""
    return [bar if lives_on(result, dtype) else None for bar, result in zip(bars, results, strict=True)]


def lives_on(result, dtype):
    """Tell whether the derivative of a result lives on in an array of this dtype: not if it was made an integer there.

    >>> lives_on(1.5, np.dtype(int)), lives_on(2, np.dtype(int))
    (False, True)
    """
    return dtype.kind in "fc" or dtype.kind in "iu" and np.asarray(result).dtype.kind in "iu"


# Rows and axes


@in_python(np.apply_along_axis)
def along(func1d, axis, arr, *args, **kwargs):
    """y = f(row) for each row along an axis."""
    rows = np.moveaxis(np.asarray(arr), axis, -1)
    results = [func1d(rows[index], *args, **kwargs) for index in np.ndindex(*rows.shape[:-1])]
    return along_axis(axis, arr, results)


def along_axis(axis, array, results):
    """The array that NumPy makes of the results for rows along an axis."""
    return np.apply_along_axis(replay(results), axis, np.broadcast_to(0.0, np.shape(array)))


@rule(along_axis)
def along_axis_rule(axis, array, results):
    """The results side by side, so that each has its part of ȳ."""
    y = along_axis(axis, array, results)
    first, kind = axis % np.ndim(array), y.dtype
    inner = tuple(range(first, first + np.ndim(results[0])))

    def along_axis_back(y_bar):
        moved = np.moveaxis(y_bar, inner, tuple(range(-len(inner), 0))) if inner else y_bar
        bars = nested(np.reshape(moved, (len(results), *np.shape(results[0]))), results)
        return None, None, living(bars, results, kind)

    return y, along_axis_back


@in_python(np.apply_over_axes)
def over_axes(func, a, axes):
    """y = f(... f(a, axis) ..., axis)."""
    value = np.asarray(a)
    n = value.ndim
    for axis in np.atleast_1d(axes).tolist():
        place = n + axis if axis < 0 else axis
        result = func(value, place)
        if result.ndim != value.ndim:
            result = np.expand_dims(result, place)
            if result.ndim != value.ndim:
                raise ValueError("function is not returning an array of the correct shape")
        value = result
    return value


@in_python(np.fromfunction)
def from_function(function, shape, *, dtype=float, like=None, **kwargs):
    """y = f(indices): what flows goes to what f captures, and to keywords."""
    if like is not None:
        refuse("np.fromfunction(like=)", "the array is made by another library", "leave it out")
    return function(*np.indices(shape, dtype=dtype), **kwargs)


@in_python(np.fromiter)
def from_iterable(iter, dtype, count=-1, *, like=None):
    """y = the items as an array."""
    items = list(iter) if count < 0 else list(itertools.islice(iter, count))
    return from_items(items, dtype, count)


def from_items(items, dtype, count):
    """`np.fromiter`, of a list."""
    return np.fromiter(items, dtype, count)


@rule(from_items)
def from_items_rule(items, dtype, count):
    """The items as entries, so that each has its entry of ȳ."""
    y = from_items(items, dtype, count)
    kind = y.dtype

    def from_items_back(y_bar):
        return living(nested(y_bar, items), items, kind), None, None

    return y, from_items_back


# Parts


@in_python(np.piecewise)
def piecewise(x, condlist, funclist, *args, **kw):
    """y = fᵢ(x) where condition i is the last that holds, 0 where none does."""
    array = np.asarray(x)
    called = [callable(f) for f in funclist]
    values = []
    for f, c in zip(funclist, conditions_of(array, condlist, len(funclist)), strict=True):
        values.append(f(array[c], *args, **kw) if callable(f) and np.any(c) else f)
    return pieces(x, condlist, called, values)


def conditions_of(x, condlist, n):
    """The conditions of `np.piecewise` as arrays; one more, that none of them holds, if there are more functions.

    >>> conditions_of(np.arange(2), [[True, False]], 2)
    [array([ True, False]), array([False,  True])]
    """
    alone = np.isscalar(condlist) or not isinstance(condlist[0], list | np.ndarray) and x.ndim != 0
    conditions = np.asarray([condlist] if alone else condlist, dtype=bool)
    if n not in (len(conditions), len(conditions) + 1):
        raise ValueError(f"with {len(conditions)} condition(s), either that many functions are expected or one more")
    rest = [~np.any(conditions, axis=0)] if n > len(conditions) else []
    return [*conditions, *rest]


def last_of(conditions):
    """Masks of where each condition is the last that holds.

    >>> last_of([np.array([True, True]), np.array([False, True])])
    [array([ True, False]), array([False,  True])]
    """
    later = [np.any(conditions[i + 1 :], axis=0) for i in range(len(conditions))]
    return [c & ~after for c, after in zip(conditions, later, strict=True)]


def pieces(x, condlist, called, values):
    """The result of `np.piecewise` from the values that its functions gave for their parts, and from numbers in their
    place."""
    return np.piecewise(x, condlist, [replay([v]) if call else v for call, v in zip(called, values, strict=True)])


@rule(pieces)
def pieces_rule(x, condlist, called, values):
    """The values at the places of their conditions, so that each has its part of ȳ."""
    y = pieces(x, condlist, called, values)
    kind, conditions = y.dtype, conditions_of(np.asarray(x), condlist, len(values))

    def pieces_back(y_bar):
        bars = [
            bring_back(np.where(last, y_bar, 0.0)[c], value) if np.any(c) and lives_on(value, kind) else None
            for value, c, last in zip(values, conditions, last_of(conditions), strict=True)
        ]
        return None, None, None, bars

    return y, pieces_back


non_differentiable(lives_on, conditions_of, last_of)
