"""Functions that call one of the user's for each entry of an array: `np.vectorize` and `np.frompyfunc`."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import contextlib
import re
from typing import Any, NamedTuple

import numpy as np

from ...tangents import field_bar
from ...wrappers import function_of
from ..knots import call_pullback
from ..registry import non_differentiable, rule
from .callables import in_python, living, replay
from .lifting import refuse
from .linear import nested


class Calls(NamedTuple):
    """The calls of a function for the entries of arrays: for those at `places` (of each array), or, with `ranks`, for
    the blocks of so many axes; the first result is for its type only if `extra`. `positions` are those of the results.
    """

    inds: Any
    names: Any
    places: Any
    positions: Any
    first: bool = False
    extra: bool = False
    ranks: Any = None
    loop: Any = ()


# np.vectorize


@rule(np.vectorize)
def make_vectorize_rule(pyfunc: Any = np._NoValue, *args, **kwargs):
    """A function by entries: its cotangent has that of the function in the field `pyfunc`."""

    def make_vectorize_back(y_bar):
        return (field_bar(y_bar, "pyfunc"),)

    return np.vectorize(pyfunc, *args, **kwargs), make_vectorize_back


@in_python(np.vectorize.__call__)
def vectorized(self, *args, **kwargs):
    """y = f(a) for each entry a."""
    if is_decorator(self):
        return decorated(self, *args)
    calls = calls_of(self, args, kwargs)
    if calls is None:
        return self.pyfunc(*args, **kwargs)
    return assembled(self, args, kwargs, results_of(self.pyfunc, args, kwargs, calls), calls)


def is_decorator(vectorized):
    """Tell whether a function by entries has yet to be given the function: `np.vectorize(otypes=[float])`."""
    return vectorized.pyfunc is np._NoValue


def decorated(vectorized, *args):
    """A function by entries that is given the function."""
    return np.vectorize.__call__(vectorized, *args)


@rule(decorated)
def decorated_rule(vectorized, *args):
    """The object itself, which has the cotangent of the function in the field `pyfunc`."""

    def decorated_back(y_bar):
        return None, field_bar(y_bar, "pyfunc")

    return decorated(vectorized, *args), decorated_back


def calls_of(vectorized, args, kwargs):
    """The calls that a function by entries makes; None if it is called once, without entries."""
    inds = [i for i in range(len(args)) if i not in vectorized.excluded]
    names = [name for name in kwargs if name not in vectorized.excluded]
    values = [args[i] for i in inds] + [kwargs[name] for name in names]
    if vectorized.signature is not None:
        return _calls_with_signature(vectorized, args, kwargs, inds, names, values)
    if not values:
        return None
    if vectorized.otypes is None and any(np.size(v) == 0 for v in values):
        np.vectorize.__call__(vectorized, *args, **kwargs)  # for its error
    places, positions = order_of(values)
    first = vectorized.otypes is None
    if first and vectorized.cache:  # the result for the type is used for the entry that comes first
        return Calls(inds, names, [p[1:] for p in places], positions, first)
    return Calls(inds, names, places, positions, first, first)


def order_of(values):
    """In which order NumPy takes the entries of arrays together: their places in each, and those in the result.

    >>> order_of([np.arange(2), np.zeros((2, 1))])
    ([array([0, 1, 0, 1]), array([0, 0, 1, 1])], array([0, 1, 2, 3]))
    """
    rows: list[Any] = []

    def note(*places: int) -> int:
        rows.append(places)
        return len(rows) - 1

    found = np.frompyfunc(note, len(values), 1)(*[_numbered(np.asanyarray(v)) for v in values])
    columns = np.array(rows, dtype=np.intp).reshape(-1, len(values))
    return [column.copy() for column in columns.T], np.argsort(np.asarray(found, dtype=np.intp).reshape(-1))


def _numbered(array):
    """The places of entries, laid out in memory as NumPy lays out the entries for a Python function."""
    numbers = np.empty_like(np.asanyarray(array, dtype=object))
    numbers[...] = np.arange(array.size).reshape(array.shape)
    return numbers


class _Reached(Exception):
    """A function is called: its arguments have been looked at."""


def _calls_with_signature(vectorized, args, kwargs, inds, names, values):
    def reach(*args: Any, **kwargs: Any) -> Any:
        raise _Reached

    with contextlib.suppress(_Reached):
        _with_function(vectorized, reach)(*args, **kwargs)  # for its errors
    groups = re.findall(r"\(([^)]*)\)", vectorized.signature.partition("->")[0])
    ranks = [len([name for name in group.split(",") if name.strip()]) for group in groups]
    shapes = [np.shape(v) for v in values]
    loop = np.broadcast_shapes(*[shape[: len(shape) - n] for shape, n in zip(shapes, ranks, strict=True)])
    return Calls(inds, names, (), np.arange(np.prod(loop, dtype=int)), ranks=ranks, loop=loop)


def _with_function(vectorized, function):
    options = vectorized.excluded, vectorized.cache, vectorized.signature
    return np.vectorize(function, vectorized.otypes, None, *options)


def results_of(function, args, kwargs, calls):
    """The results of a function at each of its calls."""
    values = [args[i] for i in calls.inds] + [kwargs[name] for name in calls.names]
    arrays = [np.asarray(v) for v in values]
    if calls.ranks is not None:
        shapes = [calls.loop + a.shape[a.ndim - n :] for a, n in zip(arrays, calls.ranks, strict=True)]
        whole = [np.broadcast_to(a, shape) for a, shape in zip(arrays, shapes, strict=True)]
        columns = [[a[index] for index in np.ndindex(*calls.loop)] for a in whole]
    else:
        flat = [np.reshape(a, -1) for a in arrays]
        columns = [a[at].tolist() for a, at in zip(flat, calls.places, strict=True)]
        if calls.first:
            columns = [[a[0]] + column for a, column in zip(flat, columns, strict=True)]
    if calls.names or len(calls.inds) < len(args) or kwargs:
        return results_beside_others(function, args, kwargs, calls, list(zip(*columns, strict=True)))
    if len(columns) == 1:
        return [function(x) for x in columns[0]]
    if len(columns) == 2:
        return [function(x, y) for x, y in zip(columns[0], columns[1], strict=True)]
    return [function(*row) for row in zip(*columns, strict=True)]


def results_beside_others(function, args, kwargs, calls, rows):
    """The same, where there are other arguments, or keywords."""
    n = len(calls.inds)
    results = []
    for row in rows:
        given = [row[calls.inds.index(i)] if i in calls.inds else x for i, x in enumerate(args)]
        results.append(function(*given, **{**kwargs, **dict(zip(calls.names, row[n:], strict=True))}))
    return results


def assembled(vectorized, args, kwargs, results, calls):
    """The arrays that NumPy makes of a function's results by entries."""
    return np.vectorize.__call__(_with_function(vectorized, replay(results)), *args, **kwargs)


@rule(assembled)
def assembled_rule(vectorized, args, kwargs, results, calls):
    """The results as entries, so that each has its entry of ȳ."""
    y = assembled(vectorized, args, kwargs, results, calls)
    dtypes = dtypes_of(y)

    def assembled_back(y_bar):
        return None, None, None, taken_apart(y_bar, dtypes, results, calls), None

    return y, assembled_back


def dtypes_of(y):
    """The dtype of a result, or of each."""
    return tuple([np.asarray(part).dtype for part in y]) if isinstance(y, tuple) else np.asarray(y).dtype


def taken_apart(y_bar, dtypes, results, calls):
    """The cotangents of the results, from that of the array (or arrays) of them."""
    given = results[1:] if calls.extra else results
    n = len(calls.positions)
    if isinstance(dtypes, tuple):
        columns = [
            [None] * n if bar is None else _entries(bar, dtype, [result[k] for result in given], calls)
            for k, (bar, dtype) in enumerate(zip(y_bar, dtypes, strict=True))
        ]
        bars: Any = list(zip(*columns, strict=True))
    else:
        bars = _entries(y_bar, dtypes, given, calls)
    return [None] + bars if calls.extra else bars


def _entries(y_bar, dtype, results, calls):
    if calls.ranks is None:
        rows = np.reshape(y_bar, -1)[calls.positions]
    else:
        rows = np.reshape(y_bar, (len(results), *np.shape(y_bar)[len(calls.loop) :]))
    return living(nested(rows, results), results, dtype)


# np.frompyfunc


@rule(np.frompyfunc)
def make_ufunc_rule(func, /, nin, nout, *args, **kwargs):
    """A function by entries. What it captures has no place in a ufunc: where it captures, the program is recorded."""
    if getattr(func, "__closure__", True):
        refuse("np.frompyfunc", "what the function captures is not followed", "use `np.vectorize(f, otypes=[float])`")
    return np.frompyfunc(func, nin, nout, *args, **kwargs), lambda y_bar: None


@rule(np.ufunc.__call__)
def ufunc_rule(self: np.ufunc, *args, **kwargs):
    """y = f(a), for what `np.frompyfunc` made; other ufuncs have rules of their own. Arrays of objects are refused."""
    if function_of(self) is None:
        return call_pullback(self, *args, **kwargs)
    if is_of_numbers(args, kwargs):
        y, back = call_pullback(by_numbers, self, *args)

        def ufunc_back(y_bar):
            return back(y_bar)[1:]

        return y, ufunc_back
    y = np.ufunc.__call__(self, *args, **kwargs)
    if gives_numbers(self, args, y):
        why = "it gives arrays of objects, and no rule looks into what these are"
        refuse(f"`{self.__name__}`, made by `numpy.frompyfunc`,", why, "use `np.vectorize(f, otypes=[float])`")
    return y, lambda y_bar: None


make_ufunc_rule.called_by = ufunc_rule  # type: ignore[attr-defined]


def by_numbers(ufunc, *args):
    """The value of a ufunc that `np.frompyfunc` made, of numbers alone."""
    return function_of(ufunc)(*as_numbers(args))


def as_numbers(args: Any) -> tuple[Any, ...]:
    """Numbers as those of Python that a function by entries is given."""
    return tuple([a.item() if isinstance(a, np.ndarray | np.generic) else a for a in args])


def is_of_numbers(args: Any, kwargs: Any) -> bool:
    """Tell whether a ufunc is called with numbers alone.

    >>> is_of_numbers((2.0,), {}), is_of_numbers(([2.0],), {})
    (True, False)
    """
    return not kwargs and all(np.ndim(a) == 0 for a in args)


def gives_numbers(ufunc, args, y):
    """Tell whether arrays of objects that a ufunc gave hold numbers, which come of its arguments or of what it
    captures."""
    items = [item for part in (y if isinstance(y, tuple) else (y,)) for item in np.ravel(part).tolist()]
    numbers = [x for x in items if isinstance(x, int | float | complex | np.number | np.ndarray | list | tuple)]
    numeric = any(np.asarray(a).dtype.kind in "iufc" for a in args)
    return any(not isinstance(x, bool) for x in numbers) and (
        numeric or bool(getattr(function_of(ufunc), "__closure__", True))
    )


non_differentiable(function_of, is_decorator, calls_of, order_of, dtypes_of, is_of_numbers, gives_numbers)
