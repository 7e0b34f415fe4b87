"""The closure form of an elementwise rule, from its partials."""

from __future__ import annotations

import cmath
import contextvars
import functools
from collections.abc import Callable
from math import isfinite
from typing import Any

import numpy as np

from ..errors import RuleError, calling_place, wrong_number
from ..tangents import Unknown, apply_partial, ghost, is_whole, quietly, stops_at, unbroadcast, unknown
from ..tangents.lanes import Lanes
from ..tangents.partials import ROW, cleaned, conjugated
from .calls import are_usual, as_computed, has_narrow, of_times, refuse_stores, wide
from .checked import check_keywords
from .products import SUMMED, keeps_zeros
from .reads import read_by_either

Back = Callable[[Any], tuple[Any, ...]]
Partials = Callable[..., Any]
Operands = tuple[Any, ...]
Needs = tuple[bool, ...] | None
"""Which cotangents are needed: a flag for each argument, None for all."""


def elementwise(
    f: Any, partials: Callable[..., Any], singular: bool, name: str, ours: bool, quick: Any = None
) -> Callable[..., tuple[Any, Back]]:
    """The closure form of a scalar rule; `quick` gives ȳ times the partials of real arrays, if there is a way.

    Where not all cotangents are needed, the others are None; `quick` is told, and need not compute them.
    """
    multiply = products if not singular else products_quietly if ours else products_of_singular
    whole = takes_whole(partials)
    if quick is not None and "needs" not in (getattr(quick, "__kwdefaults__", None) or {}):
        quick = _of_all(quick)

    def elementwise_rule(*args: Any, needs: Needs = None, **kwargs: Any) -> tuple[Any, Back]:
        if kwargs:
            refuse_stores(kwargs)
            if isinstance(f, np.ufunc) and ("dtype" in kwargs or "signature" in kwargs):
                return _in_precision(f, args, kwargs, multiply, partials, quick, name)
        y = f(*args, **kwargs)
        if are_usual(args):
            return y, _back(multiply, partials, quick, name, args, args, y, needs)
        if of_times(args, y):
            return y, lambda y_bar: (None,) * len(args)
        operands = tuple([wide(x, whole) for x in args]) if has_narrow(args) else args
        return y, _back(multiply, partials, quick, name, args, operands, y, needs)

    def users_rule(*args: Any, **kwargs: Any) -> tuple[Any, Back]:
        y = f(*args, **kwargs)
        if not kwargs:
            return y, _back(multiply, partials, quick, name, args, args, y)
        check_keywords(partials, tuple(kwargs))
        back = _back(multiply, functools.partial(partials, **kwargs), None, name, args, args, y)
        by_keywords = tuple([unknown(f"the keyword `{keyword}`", *_BY_KEYWORD) for keyword in kwargs])
        return y, lambda y_bar: (*back(y_bar), *by_keywords)

    rule: Any = elementwise_rule if ours else users_rule
    rule.__name__ = rule.__qualname__ = name
    rule.partials = partials
    if ours:
        rule.form = Form(f, partials, singular, multiply, quick, name)
    return rule  # type: ignore[no-any-return]


class Form:
    """The part of a rule of ours that comes after its result is there."""

    __slots__ = ("function", "multiply", "name", "partials", "quick", "singular")

    def __init__(self, f: Any, partials: Partials, singular: bool, multiply: Any, quick: Any, name: str) -> None:
        self.function, self.partials, self.singular = f, partials, singular
        self.multiply, self.quick, self.name = multiply, quick, name

    def reads(self, n: int) -> tuple[bool, ...]:
        """A flag for each of `n` operands and one for the result: the way back reads its values."""
        operands, _, of_result = _reads(self.partials, self.quick, n)
        return *operands, of_result

    def bars(self, y_bar: Any, args: Operands, y: Any, needs: Needs = None) -> tuple[Any, ...]:
        """Cotangents of the function, and of operands that partials take as they are."""
        if y_bar is None:
            return (None,) * (1 + len(args))
        ds = self.multiply(self.partials, self.quick, y_bar, args, y, needs)
        return (None, *[_brought(d, x) for d, x in zip(ds, args, strict=True)])

    def reversed(self, args: Operands, y: Any, needs: Needs = None) -> Back:
        """The `back` that gives the cotangents of the function, and of any operands."""
        n = len(args)
        operands = args
        if not are_usual(args):
            if of_times(args, y):
                return lambda y_bar: (None,) * (1 + n)
            whole = takes_whole(self.partials)
            operands = tuple([wide(x, whole) for x in args]) if has_narrow(args) else args
        back = _back(self.multiply, self.partials, self.quick, self.name, args, operands, y, needs)
        return lambda y_bar: (None,) * (1 + n) if y_bar is None else (None, *back(y_bar))


_BY_KEYWORD = (
    "a scalar rule has the partials by the arguments that are given by position",
    "write the rule as an `adjoint.rule`, whose pullback gives a cotangent for it too, or make it a constant",
)


def _of_all(products: Callable[..., Any]) -> Callable[..., Any]:
    """Products that are not told what is needed."""

    def untold(*values: Any, needs: Needs) -> Any:
        return products(*values)

    untold.products = products  # type: ignore[attr-defined]
    return untold


def takes_whole(partials: Callable[..., Any]) -> bool:
    """Tell whether partials tell whole numbers from others: special functions do, of orders."""
    return ".scipy." in partials.__module__


def _in_precision(
    f: Any,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    multiply: Callable[..., Any],
    partials: Callable[..., Any],
    quick: Any,
    name: str,
) -> tuple[Any, Back]:
    """A call of a ufunc that is told in which precision to compute."""
    y = f(*args, **kwargs)
    if stops_at(args, y):
        return y, lambda y_bar: (None,) * len(args)
    return y, _back(multiply, partials, quick, name, args, as_computed(f, args, kwargs), y)


def _back(
    multiply: Callable[..., Any],
    partials: Callable[..., Any],
    quick: Any,
    name: str,
    args: tuple[Any, ...],
    operands: tuple[Any, ...],
    y: Any,
    needs: Needs = None,
) -> Back:
    """The cotangents of `args` that are needed, from the partials at `operands`; what these do not read is not kept."""
    reads, all_read, reads_result = _reads(partials, quick, len(args))
    likes, kept = args, operands
    if not all_read:
        likes = tuple([ghost(x) for x in args])
        kept = tuple([x if read else None for x, read in zip(operands, reads, strict=True)])
    bring = functools.partial(_bring, name, likes)
    if not reads_result:
        multiply, y = functools.partial(_without_result, multiply, ghost(y)), None
    return lambda y_bar: bring(multiply(partials, quick, y_bar, kept, y, needs))


@functools.lru_cache(maxsize=1000)
def _reads(partials: Any, quick: Any, n: int) -> tuple[tuple[bool, ...], bool, bool]:
    """Flags for the operands that the way back reads, for all of them, and for the result."""
    *reads, of_result = read_by_either(partials, getattr(quick, "products", quick), n)
    return tuple(reads), all(reads), of_result


def _bring(name: str, likes: Operands, ds: Any) -> tuple[Any, ...]:
    """Products brought back to the operands, which have the forms of `likes`."""
    if len(ds) != len(likes):
        raise RuleError(*wrong_number(name, len(ds), len(likes)), calling_place())
    return tuple([_brought(d, x) for d, x in zip(ds, likes, strict=True)])


def _without_result(
    multiply: Any, form: Any, partials: Any, quick: Any, y_bar: Any, operands: Any, y: Any, needs: Any
) -> Any:
    """Products by partials that do not read the result: what is left of it is its form."""
    return multiply(partials, quick, y_bar, operands, form, needs)


def _brought(d: Any, x: Any) -> Any:
    """A product brought back to x."""
    if isinstance(d, Unknown):
        return None if is_whole(x) else d
    return unbroadcast(d, x)


def products(partials: Partials, quick: Any, y_bar: Any, operands: Operands, y: Any, needs: Needs = None) -> list[Any]:
    """ȳ · conj(p) for each of the partials that is needed."""
    return [p if stands(p) else apply_partial(y_bar, p) for p in only(_tuple(partials(*operands, y)), needs)]


def products_of_singular(
    partials: Partials, quick: Any, y_bar: Any, operands: Operands, y: Any, needs: Needs = None
) -> list[Any]:
    """The same, 0 where ȳ is 0 even if a partial is infinite there."""
    ps = only(_tuple(quietly(partials, *_of_numpy(operands), y)), needs)
    return [p if stands(p) else apply_partial(y_bar, p, True) for p in ps]


def _of_numpy(operands: Operands) -> list[Any]:
    """Operands by which NumPy divides: a zero of Python's would raise where that gives an infinity."""
    return [np.asarray(x)[()] if type(x) in (float, int, complex) and not x else x for x in operands]


def _tuple(ps: Any) -> tuple[Any, ...]:
    return ps if isinstance(ps, tuple) else (ps,)


def only(ps: tuple[Any, ...], needs: Needs) -> tuple[Any, ...]:
    """These with None for what is not needed."""
    if needs is None or len(ps) != len(needs):
        return ps
    return tuple([p if need else None for p, need in zip(ps, needs, strict=True)])


def stands(p: Any) -> bool:
    """Tell whether a partial stands as it is: it is not needed, or nobody knows it."""
    return p is None or isinstance(p, Unknown)


# The same, quickly


_QUIET = contextvars.Context()
"""One in which NumPy does not warn: to run in a copy of it is quicker than to enter `np.errstate` each time."""
_QUIET.run(np.seterr, all="ignore")

FLOATS = (float, np.float64)
BLOCK = 1 << 14
"""So many entries of some arrays fit into a cache of the processor."""


def products_quietly(
    partials: Partials, quick: Any, y_bar: Any, operands: Operands, y: Any, needs: Needs = None
) -> list[Any]:
    """`products_of_singular`, and for large arrays block by block: what is computed on the way stays in the cache."""
    if type(y_bar) is Lanes:
        return products_of_singular(partials, None, y_bar, operands, y, needs)
    if type(y) is not np.ndarray or y.dtype.kind != "f" or type(y_bar) is not np.ndarray or y_bar.dtype.kind != "f":
        quick = None
    run = _in_blocks if type(y) is np.ndarray and y.size > 2 * BLOCK and _are_alike((*operands, y_bar), y) else _cleaned
    return _QUIET.copy().run(run, partials, quick, y_bar, operands, y, needs)


def _are_alike(values: tuple[Any, ...], y: np.ndarray[Any, Any]) -> bool:
    """Tell whether these are numbers, and arrays of float64 that have the shape of `y` and lie in one piece, or
    stand for those that are not read."""
    for x in (y, *values):
        if type(x) is np.ndarray:
            if x.dtype != np.float64 or x.shape != y.shape or not x.flags.c_contiguous and any(x.strides):
                return False
        elif x is not None and type(x) is not float and type(x) is not int:
            return False
    return True


def _cleaned(partials: Partials, quick: Any, y_bar: Any, operands: Operands, y: Any, needs: Needs) -> list[Any]:
    if quick is not None and (ds := quick(y_bar, *operands, y, needs=needs or (True,) * len(operands))) is not None:
        return [None if d is None else cleaned(d, y_bar) for d in only(_tuple(ds), needs)]
    ps = only(_tuple(partials(*_of_numpy(operands), y)), needs)
    return [p if stands(p) else cleaned(y_bar * conjugated(p), y_bar) for p in ps]


def scaled_quietly(partials: Partials, y_bar: Any, a: Any, y: Any) -> Any:
    """The product for the only operand, a number of float64; None where its partial is none."""
    return _QUIET.copy().run(_scaled, partials, y_bar, a, y)


def _scaled(partials: Partials, y_bar: Any, a: Any, y: Any) -> Any:
    p = partials(a, y)
    return y_bar * p if type(p) in FLOATS else None


def scaled_pair_quietly(partials: Partials, y_bar: Any, a: Any, b: Any, y: Any) -> Any:
    """The products for two operands that are numbers; None where a partial is none, or not finite."""
    return _QUIET.copy().run(_scaled_pair, partials, y_bar, a, b, y)


def _scaled_pair(partials: Partials, y_bar: Any, a: Any, b: Any, y: Any) -> Any:
    try:
        p, q = partials(a, b, y)
    except ZeroDivisionError:  # of Python's numbers
        return None
    if type(p) not in FLOATS or type(q) not in FLOATS:
        return None
    ds = y_bar * p, y_bar * q
    return ds if isfinite(ds[0] + ds[1]) else None


def quickly(quick: Any, y_bar: Any, a: Any, b: Any, y: Any, needs: tuple[int, int], in_rows: bool) -> Any:
    """Products for two operands, of float64 arrays, `in_rows` of one length; None where the partials are to be
    computed."""
    return _QUIET.copy().run(_pair, quick, y_bar, a, b, y, needs, in_rows)


def _pair(quick: Any, y_bar: Any, a: Any, b: Any, y: Any, needs: tuple[int, int], in_rows: bool) -> Any:
    ds = quick(y_bar, a, b, y, needs=needs)
    if ds is None:
        return None
    d, e = ds
    if needs[0] and needs[1]:
        if needs[1] == SUMMED and type(e) is np.float64:
            return ds if isfinite(e) else None
        if in_rows and len(d) <= ROW and isfinite(d.dot(e)):
            return ds  # what is not finite in one of them shows in their product
        return cleaned(d, y_bar), cleaned(e, y_bar)
    if needs[0]:
        return d if keeps_zeros(quick, b) else cleaned(d, y_bar), None
    return None, cleaned(e, y_bar)


def quickly_of_one(quick: Any, y_bar: Any, a: Any, y: Any) -> Any:
    """The same for one operand."""
    return _QUIET.copy().run(_single, quick, y_bar, a, y)


def _single(quick: Any, y_bar: Any, a: Any, y: Any) -> Any:
    d = quick(y_bar, a, y, needs=(True,))
    return None if d is None else cleaned(d, y_bar)


def _in_blocks(partials: Partials, quick: Any, y_bar: Any, operands: Operands, y: Any, needs: Needs) -> list[Any]:
    rows = [x.reshape(-1) if type(x) is np.ndarray else x for x in (y_bar, *operands, y)]
    results: list[Any] = []
    for start in range(0, y.size, BLOCK):
        part = slice(start, start + BLOCK)
        d, *xs = [row[part] if type(row) is np.ndarray else row for row in rows]
        ds = _cleaned(partials, quick, d, tuple(xs[:-1]), xs[-1], needs)
        if not start:
            results = [d if stands(d) else np.empty(y.shape, d.dtype) for d in ds]
        for result, d in zip(results, ds, strict=True):
            if not stands(d):
                result.reshape(-1)[part] = d
    return results


def word_of(f: Any, returns: str | None) -> str | None:
    """The kind of result of an elementwise function: those of `math` and `cmath` make a number of Python's of any
    number."""
    module = getattr(f, "__module__", None)
    if returns != "elementwise" or module not in ("math", "cmath") or f is cmath.phase:
        return returns
    return "float" if module == "math" else "complex"
