"""What functions do with their arguments: which give something new, which only look, which write, which show views."""

from __future__ import annotations

import bisect
import builtins
import copy
import functools
import heapq
import inspect
import math
import operator
import sys
import types
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..identity import is_hashable
from ..ir import changes, intrinsics
from ..ir.nodes import Atom, Call, Const, Star, Var
from ..ir.types import Array, Dict, Fn, Inert, List, Record, Scalar, Tuple, Type, Unknown
from ..ir.watch import watched
from .infer import is_immutable, type_of
from .outs import OUTS, is_no_array, overwrites, place_of_out

_BINARY = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and_", "or_", "xor", "lshift", "rshift")
PLAIN = {getattr(operator, f"i{name.strip('_')}"): getattr(operator, name) for name in _BINARY}
"""The operation that gives a new value, for each that works in place."""
IN_PLACE = frozenset([operator.iconcat, *PLAIN])
"""Operators that change their first argument if it is a container, or an object that says so."""

_ARITHMETIC = (
    *(operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod),
    *(operator.pow, operator.matmul, operator.neg),
)
_COMPARISON = (operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne)

_MAKERS = frozenset(
    [
        *(intrinsics.make_list, intrinsics.make_dict, intrinsics.make_set, intrinsics.merge_dicts),
        *(intrinsics.dict_from_items, intrinsics.concat_lists, changes.snapshot, changes.copied),
        *(sorted, list.copy, dict.copy),
    ]
)
"""Functions whose result nobody else has."""

_NOT_NEW = frozenset([memoryview, types.MappingProxyType, np.nditer, np.flatiter, np.broadcast, np.ndenumerate])
"""Classes whose instances show what they are made from; so does a scalar's that is given an array."""

OF_NUMBERS = frozenset(
    [
        *(*_ARITHMETIC, *PLAIN, operator.pos, abs, operator.lt, operator.le, operator.gt, operator.ge),
        *[f for name, f in vars(math).items() if callable(f) and not name.startswith("_")],
    ]
)
"""Functions that take no None: Python raises its error there."""

_OPERATORS = frozenset([*_ARITHMETIC, operator.abs])
"""Operators whose result is new, unless the class of an operand says otherwise."""
_ASKING = frozenset([*_OPERATORS, *_COMPARISON, operator.pos, operator.getitem])
"""Operators that ask the class of an operand what they give: it may be the object itself."""

_LOOKERS = frozenset(
    [
        *(operator.getitem, operator.contains, intrinsics.not_contains, intrinsics.position, intrinsics.unpack),
        *(intrinsics.argmax, intrinsics.argmin),
        *(changes.snapshot, changes.copied, changes.check_store, changes.item_in_place),
        *(len, sum, min, max, sorted, any, all, list, tuple, set, dict, abs, round, divmod, pow),
        *(isinstance, type, print, repr, str, format, bool, float, int, complex, range, hash, id),
        *(*_ARITHMETIC, operator.pos, *_COMPARISON),
        *(operator.is_, operator.is_not, operator.not_, intrinsics.format_value, builtins.getattr),
        *(dict.get, dict.copy, list.copy, list.index, list.count, intrinsics.observe, intrinsics.expect),
        *(intrinsics.check, intrinsics.check_lengths),
    ]
)
"""Functions that look at their arguments and keep none of them."""

_LAZY = frozenset([iter, map, zip, enumerate, reversed, filter, dict.values, dict.items, dict.keys])
"""Functions that give what runs through an argument later; so do those of `itertools`."""

_NEW = frozenset(
    [
        *("array", "copy", "zeros", "ones", "empty", "full", "zeros_like", "ones_like", "empty_like", "full_like"),
        *("arange", "linspace", "logspace", "geomspace", "eye", "identity", "tri", "vander", "fromfunction"),
        *("fromiter", "indices", "diagflat", "tril", "triu"),
        *("concatenate", "stack", "vstack", "hstack", "dstack", "column_stack", "row_stack", "block", "append"),
        *("insert", "delete", "repeat", "tile", "pad", "roll"),
        *("sum", "prod", "mean", "std", "var", "median", "average", "ptp", "quantile", "percentile", "trapezoid"),
        *("max", "min", "amax", "amin", "argmax", "argmin", "all", "any", "cumsum", "cumprod", "cumulative_sum"),
        *("cumulative_prod", "count_nonzero", "nansum", "nanprod", "nanmean", "nanstd", "nanvar", "nanmax", "nanmin"),
        *("nanmedian", "nancumsum", "nancumprod", "nanargmax", "nanargmin", "nanquantile", "nanpercentile"),
        *("sort", "argsort", "lexsort", "unique", "searchsorted", "digitize", "bincount", "interp", "partition"),
        *("argpartition", "nonzero", "argwhere", "flatnonzero", "take", "take_along_axis", "choose", "compress"),
        *("extract", "select", "where", "clip", "sinc", "i0", "angle", "unwrap", "ediff1d"),
        *("gradient", "cross", "outer", "inner", "dot", "vdot", "tensordot", "kron", "trace", "convolve", "correlate"),
        *("cov", "corrcoef", "polyval", "polyfit", "roots", "isclose", "allclose", "array_equal", "isin", "shape"),
        *("ndim", "size", "triu_indices", "tril_indices", "unravel_index", "ravel_multi_index", "isreal", "iscomplex"),
        *("norm", "det", "slogdet", "inv", "pinv", "solve", "lstsq", "eig", "eigh", "eigvals", "eigvalsh", "svd"),
        *("svdvals", "qr", "cholesky", "matrix_rank", "cond", "tensorsolve", "tensorinv", "matrix_norm", "vector_norm"),
        *("vecdot", "fft", "ifft", "rfft", "irfft", "fft2", "ifft2", "rfft2", "irfft2", "fftfreq"),
        *("rfftfreq", "isscalar", "iscomplexobj", "isrealobj", "result_type", "can_cast", "shares_memory"),
        *("may_share_memory", "array_repr", "array_str", "array2string"),
    ]
)
"""Functions of NumPy, by name, whose result holds nothing of the arguments; any other may give one or a view of it.

`round` of integers gives the array itself, before NumPy 2.4.
"""

_NEW_METHODS = frozenset(
    [
        *("copy", "flatten", "tolist", "item", "tobytes", "sum", "prod", "mean", "std", "var", "max", "min", "argmax"),
        *("argmin", "all", "any", "cumsum", "cumprod", "argsort", "argpartition", "searchsorted", "nonzero", "take"),
        *("repeat", "choose", "compress", "clip", "dot", "trace", "astype", "__len__", "__contains__"),
        *("__add__", "__radd__", "__sub__", "__rsub__", "__mul__", "__rmul__", "__truediv__", "__rtruediv__"),
        *("__matmul__", "__rmatmul__", "__neg__", "__abs__", "__lt__", "__le__", "__gt__", "__ge__", "__eq__"),
    ]
)
"""Methods of arrays of the same kind."""
_PUBLIC = ("numpy", "numpy.linalg", "numpy.fft")


def looks(fn: Any) -> bool:
    """Whether a function only looks at its arguments, and keeps none of them: what it gives holds no list of theirs."""
    if not is_hashable(fn) or fn in WRITERS or fn is np.diff:  # which may give the list itself
        return False
    module = getattr(fn, "__module__", None) or ""
    return fn in _LOOKERS or isinstance(fn, np.ufunc) or module in ("math", "numpy", "numpy.linalg")


WRITERS = frozenset(
    [
        *(np.copyto, np.put, np.place, np.putmask, np.fill_diagonal, np.put_along_axis, operator.setitem),
        *(operator.delitem, setattr, delattr),
        *(heapq.heappush, heapq.heappop, heapq.heapify, heapq.heapreplace, heapq.heappushpop),
        *(bisect.insort, bisect.insort_left, bisect.insort_right),
    ]
)
"""Functions that write into an argument and say nothing of it to the types."""
IN_PLACE_BY: dict[Any, tuple[str, int]] = {
    np.nan_to_num: ("copy", 1),
    **dict.fromkeys([np.median, np.nanmedian], ("overwrite_input", 3)),
    **dict.fromkeys([np.quantile, np.percentile, np.nanquantile, np.nanpercentile], ("overwrite_input", 4)),
}
"""Functions that may be told to write into their first argument: by which keyword, and where it is by position."""
_DESCRIPTORS = (types.MethodDescriptorType, types.WrapperDescriptorType)


def writes(fn: Any, args: Sequence[Atom | Star], keywords: Sequence[str | None]) -> bool:
    """Whether a call may write into one of its arguments: a writer, an `out`, or `np.add.at`.

    A star may stand for any number of arguments, and two of them, whose name is None, for any keyword.
    """
    if not is_hashable(fn):
        return False
    if is_writer(fn):
        return True
    stars = next((i for i, a in enumerate(args) if isinstance(a, Star)), None)
    if stars is not None:
        if fn in (functools.partial, map, filter, operator.methodcaller) and stars == 0:
            return True
        args = [*args, *[args[stars]] * 8]
    spread = None in keywords
    if overwrites(fn, args, keywords):
        return True
    if fn is copy.deepcopy and (len(args) > 1 or keywords):  # a memo notes what is copied
        return True
    if fn is functools.update_wrapper:  # an object keeps what it wraps
        return not args or not isinstance(type_of(args[0]), Fn)  # type: ignore[arg-type]
    if fn in (functools.partial, map, filter) and isinstance(args[0], Const) and is_writer(args[0].value):
        return True
    if fn is operator.methodcaller and isinstance(args[0], Const) and args[0].value in changes.WRITING_METHODS:
        return True
    owner = getattr(fn, "__self__", None)
    if getattr(fn, "__name__", "") == "at" and isinstance(owner, np.ufunc):
        return True
    if isinstance(owner, (np.random.RandomState, np.random.Generator)):
        after = _PLACES_IN_GENERATORS.get(fn.__name__, sys.maxsize)
        return fn.__name__ == "shuffle" or "out" in keywords or spread or len(args) > after
    option, at = IN_PLACE_BY.get(fn, ("", sys.maxsize))
    if option in keywords or spread and option or len(args) > at:
        return True
    place = place_of_out(fn)
    if place is None:
        return False
    given = args[place] if len(args) > place else None
    return spread or any(name in keywords for name in OUTS) or given is not None and not is_no_array(given)


def is_writer(fn: Any) -> bool:
    """Whether a function writes into what it is called with: one of these, or a method of a class by its name."""
    if isinstance(fn, _DESCRIPTORS):
        return fn.__name__ in changes.WRITING_METHODS
    if getattr(fn, "__module__", None) == "numpy.ma.core":
        return fn.__name__ in ("put", "putmask")
    return is_hashable(fn) and fn in WRITERS


_PLACES_IN_GENERATORS = {"random": 2, "standard_normal": 2, "standard_exponential": 3, "standard_gamma": 3}
_PLAIN_ATTRIBUTES = frozenset({"shape", "ndim", "size", "dtype", "nbytes", "itemsize"})
_VIEWS_OF_DICTS = frozenset({"values", "keys", "items", "__iter__", "__reversed__"})


def shows(s: Call, fn: Any) -> bool:
    """Whether after a call somebody may hold one of its arguments who is not known: not by its result alone."""
    objects = [t.cls for a in s.args if not isinstance(a, Star) and isinstance(t := type_of(a), Record)]
    if objects and (fn is builtins.getattr or fn is builtins.hasattr):
        return not (isinstance(s.args[1], Const) and is_data(objects[0], s.args[1].value))
    if objects and is_hashable(fn) and fn in _ASKING:
        return True
    if fn is dict and s.kwargs:
        return True
    return not (is_looker(fn) or is_lazy(fn) or of_numpy(fn) or getattr(fn, "__module__", None) == "math")


def viewed(s: Call, fn: Any, bundles: set[Var], methods: set[Var]) -> list[Var]:
    """The arguments that the result of a call may be, be a view of, or run through later.

    `bundles` are variables that may hold several views, `methods` those that are methods of what they give views of.
    """
    args = [a for a in (*s.args, *(v for _, v in s.kwargs)) if isinstance(a, Var) and not is_immutable(a.type)]
    if s.fn in methods:
        return [s.fn]
    if fn is dict.get or fn is builtins.next or fn is sum or fn is functools.reduce or fn in (min, max):
        first = 1 if fn is functools.reduce else 0  # any other may be the result itself
        alone = len(s.args) == 1 or fn not in (min, max)
        pieces = [a for a in args if a is s.args[first] and (a in bundles or _has_views(s, fn, a))] if alone else []
        return [*pieces, *(a for a in args if not alone or a is not s.args[first])]
    if isinstance(fn, type) and (issubclass(fn, np.generic) or fn in _NOT_NEW):
        return args
    if fn is operator.getitem or fn is intrinsics.unpack or fn in (list, tuple, sorted, copy.copy):
        return [a for a in args[:1] if a in bundles or _has_views(s, fn, a)]
    if fn is builtins.getattr and len(s.args) > 2:
        return args
    if fn is builtins.getattr:
        name = s.args[1].value if isinstance(s.args[1], Const) else None
        containers = (Array, Unknown) if name not in _VIEWS_OF_DICTS else (Array, Unknown, Dict, List)
        return [a for a in args[:1] if isinstance(a.type, containers) and name not in _PLAIN_ATTRIBUTES]
    if fn is intrinsics.invoke:
        method: Any = s.args[1]
        name = method.value
        new = name in _NEW_METHODS and not s.kwargs and (name != "astype" or len(s.args) == 3)
        return [] if new else [a for a in args[:1] if isinstance(a.type, Unknown)]
    if is_lazy(fn) or of_numpy(fn) and not is_new(s, fn) or fn is changes.snapshot and not is_new(s, fn):
        return args
    return []


def _has_views(s: Call, fn: Any, a: Var) -> bool:
    """Whether a piece of `a` may be a view of it: a row, a slice."""
    if isinstance(a.type, Array) and fn is operator.getitem:
        index = type_of(s.args[1])  # type: ignore[arg-type]
        return not _copies(index)
    return isinstance(a.type, Array) and a.type.ndim != 1 or isinstance(a.type, Unknown)


def _copies(index: Type) -> bool:
    """Whether an index of an array picks entries: a mask, or several indices; a single one may be a NumPy integer."""
    return isinstance(index, List) or isinstance(index, Array) and index.scalar is False and index.ndim not in (None, 0)


def is_lazy(fn: Any) -> bool:
    """Whether a function gives something that runs through its arguments later."""
    return is_hashable(fn) and fn in _LAZY or getattr(fn, "__module__", None) == "itertools"


def of_numpy(fn: Any) -> bool:
    """Whether a function is one of NumPy's: it keeps none of its arguments, but for what its result says."""
    owner = getattr(fn, "__self__", None)
    if isinstance(fn, np.ufunc) or isinstance(owner, (np.ufunc, np.random.Generator, np.random.RandomState)):
        return True
    return not isinstance(fn, type) and package_of(fn) == "numpy"


def package_of(fn: Any) -> str:
    """The package that a function, or the class of a method, is defined in."""
    module = getattr(fn, "__module__", None) or getattr(getattr(fn, "__objclass__", None), "__module__", None) or ""
    return str(module.partition(".")[0])


def is_library_ufunc(fn: Any) -> bool:
    """Whether a ufunc is one of NumPy's or SciPy's; those of `np.frompyfunc` call a function of the user's."""
    return any([getattr(m, fn.__name__, None) is fn for m in (np, sys.modules.get("scipy.special"))])


def is_data(cls: type, name: str) -> bool:
    """Whether an attribute of an object is what was stored there, or else what the class holds as it is."""
    static = inspect.getattr_static(cls, name, None)
    lookup: Any = cls.__getattribute__
    usual = lookup is object.__getattribute__ and not hasattr(cls, "__getattr__")
    return usual and (isinstance(static, types.MemberDescriptorType) or not hasattr(type(static), "__get__"))


def is_maker(fn: Any) -> bool:
    """Whether a function gives something new, as long as no keyword says otherwise."""
    if isinstance(fn, type):
        return not issubclass(fn, np.generic) and fn not in _NOT_NEW and not is_lazy(fn) and _makes_anew(fn)
    if not is_hashable(fn):
        return False
    return fn in _MAKERS or of_numpy(fn) and _of_numpy_is_new(fn)


def _of_numpy_is_new(fn: Any) -> bool:
    """Whether a function or method of NumPy gives something new."""
    if isinstance(fn, np.ufunc):
        return True
    owner = getattr(fn, "__self__", None)
    if isinstance(owner, (np.random.Generator, np.random.RandomState)):
        return True
    if isinstance(owner, np.ufunc):
        return fn.__name__ in ("reduce", "accumulate", "outer", "reduceat")
    name = getattr(fn, "__name__", "")
    if isinstance(fn, (types.MethodDescriptorType, types.WrapperDescriptorType)):
        return getattr(fn, "__objclass__", None) is np.ndarray and name in _NEW_METHODS
    return name in _NEW and getattr(fn, "__module__", None) in _PUBLIC


def _makes_anew(cls: type) -> bool:
    """Whether calling a class gives a new object: no `__new__` or metaclass of the user's says otherwise."""
    new, call = cls.__new__, type(cls).__call__
    return not isinstance(new, types.FunctionType) and not isinstance(call, types.FunctionType)


def is_new(s: Call, fn: Any) -> bool:
    """Whether what a call gives is new: `np.array(a, copy=False)` may be `a` itself."""
    if fn is watched:
        return isinstance(s.args[0], Const) and isinstance(s.args[0].value, type) and is_maker(s.args[0].value)
    if fn is operator.getitem:  # a slice of a list is a list of its own
        kind = type_of(s.args[1])  # type: ignore[arg-type]
        base = type_of(s.args[0])  # type: ignore[arg-type]
        return isinstance(base, List) and kind == Inert(slice) or isinstance(base, Array) and _copies(kind)
    if fn is changes.snapshot:  # of what is no list it is the thing itself
        return isinstance(s.out.type, List)
    if is_hashable(fn) and fn in _OPERATORS:
        return isinstance(s.out.type, (Array, Scalar, List, Tuple))
    if fn is np.einsum:  # of one array it is a view
        return len(s.args) > 2 and type_of(s.args[0]) == Inert(str) and not s.kwargs  # type: ignore[arg-type]
    if fn is np.ndarray.astype and len(s.args) > 2:
        return False  # whether to copy, by place
    names = [name for name, _ in s.kwargs]
    return is_maker(fn) and not any(name in ("copy", "out", None) for name in names) and not writes(fn, s.args, names)


_COUNTS = frozenset([len, hash, id, ord, round])
"""Functions whose result is a number, or what its class makes of it."""
_TELLING = frozenset(["dtype", "axis", "shape", "order", "like", "key", "reverse", "keepdims", "ndmin", "subok"])
"""Keywords that leave what is made new."""


def makes(fn: Any, n: int, names: Sequence[str]) -> bool:
    """Whether a call with `n` arguments by position, and others by these names, surely gives what nobody else has: the
    same question as `is_new`, where nothing but the call is known."""
    if not is_hashable(fn):
        return False
    if fn in _COUNTS or fn is sum and n == 1 and not names or getattr(fn, "__module__", None) == "math":
        return True
    place = place_of_out(fn)
    by_place = place is not None and n > place or n > IN_PLACE_BY.get(fn, ("", sys.maxsize))[1]
    return is_maker(fn) and fn is not np.einsum and not by_place and _TELLING.issuperset(names)


def gives_new(s: Call) -> bool:
    """Whether the result of a call is new where its arguments are of Python's or NumPy's own classes: arithmetic, a
    copy."""
    fn = s.fn.value if isinstance(s.fn, Const) else None
    if fn is intrinsics.invoke:
        copies = isinstance(s.args[1], Const) and s.args[1].value in ("copy", "astype", "flatten")
        return copies and not s.kwargs and len(s.args) < 4
    return is_hashable(fn) and fn in _OPERATORS


def is_looker(fn: Any) -> bool:
    """Whether a function keeps nothing of its arguments."""
    return isinstance(fn, np.ufunc) or is_hashable(fn) and fn in _LOOKERS
