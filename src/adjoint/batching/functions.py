"""Functions of Python's on lanes: mathematics of numbers, what is asked of a value, and what calls others."""

from __future__ import annotations

import builtins
import functools
import inspect
import math
import operator
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ..derivatives import stop_gradient
from ..ir import changes, intrinsics
from ..ops.registry import batches
from ..origin import is_users_class
from ..tangents.lanes import Lanes, NoLanes, note_kind
from .calls import CALLS, call_along, each_lane
from .checks import check_same_object
from .programs import OF_IN_PLACE, OF_OBJECTS
from .values import holds_lanes, lane_of

# ---- mathematics


def _finite(f: Callable[..., Any], nin: int | None = None) -> Callable[..., Any]:
    """A function of NumPy's for one of numbers that raises where NumPy's gives nan or infinity; it has `nin` arguments
    as a ufunc has, which takes others for arrays to write into."""

    def of_lanes(*args: Any) -> Any:
        if nin is not None and len(args) != nin:
            raise NoLanes
        note_kind(plain=True)
        data = [_numbers(x) for x in args]
        with np.errstate(all="ignore"):
            found = f(*data)
        if not np.isfinite(found).all():
            raise NoLanes
        return Lanes(found)

    return of_lanes


def _numbers(x: Any) -> Any:
    if type(x) is not Lanes:
        return float(x)
    if x.ndim or x.dtype.kind == "c":
        raise NoLanes
    return x.data.astype(np.float64, copy=False)


def _log(x: Any, base: Any = np.e) -> Any:
    return np.log(x) if base is np.e else np.log(x) / np.log(base)


def _hypot(*xs: Any) -> Any:
    return functools.reduce(np.hypot, xs, 0.0)


_SAME_NAMES = "sin cos tan sinh cosh tanh exp expm1 exp2 log2 log10 log1p sqrt cbrt fabs copysign fmod degrees radians"
for _name in _SAME_NAMES.split():
    if hasattr(math, _name):
        batches(_finite(getattr(np, _name), getattr(np, _name).nin), getattr(math, _name))
for _name, _other in {
    "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan, "atan2": np.arctan2, "asinh": np.arcsinh,
    "acosh": np.arccosh, "atanh": np.arctanh, "pow": np.float_power,
}.items():  # fmt: skip
    batches(_finite(_other, _other.nin), getattr(math, _name))
batches(_finite(_log), math.log)
batches(_finite(_hypot), math.hypot)


def _one_number(x: Any) -> Any:
    if type(x) is not Lanes or x.size != 1 or x.dtype.kind == "c":
        raise NoLanes
    note_kind(plain=True)
    return Lanes(x.data.reshape(len(x.data)).astype(np.float64))


def _larger(*xs: Any, **options: Any) -> Any:
    return _extreme(operator.gt, xs, options)


def _smaller(*xs: Any, **options: Any) -> Any:
    return _extreme(operator.lt, xs, options)


def _extreme(better: Any, xs: Any, options: Any) -> Any:
    """`max` and `min` of numbers: the first of the best ones."""
    if len(xs) == 1 and isinstance(xs[0], (list, tuple)):
        xs = xs[0]
    if options or not xs or any([np.ndim(x) for x in xs if type(x) is Lanes or isinstance(x, np.ndarray)]):
        raise NoLanes
    best = xs[0]
    for x in xs[1:]:
        is_better = better(x, best)
        if type(is_better) is Lanes and not _same_everywhere(is_better):
            best = np.where(is_better, x, best)
        else:
            best = x if is_better else best
    return best


def _same_everywhere(flags: Lanes) -> bool:
    return bool(flags.data.all() or not flags.data.any())


batches(_one_number, float)
batches(_larger, max)
batches(_smaller, min)

# ---- arrays


def _array(object: Any, dtype: Any = None, **options: Any) -> Any:
    """`np.array` and `np.asarray`: of lanes in lists their stack."""
    if options.pop("copy", True) is None or {*options} - {"order"}:
        raise NoLanes
    if type(object) is not Lanes:
        if not isinstance(object, (list, tuple)) or not object:
            raise NoLanes
        object = np.stack([_array(x) if holds_lanes(x) else np.asarray(x) for x in object])
    if not object.ndim:
        raise NoLanes  # an array without axes, which may be changed in place
    return object.copy() if dtype is None else object.astype(dtype)


batches(_array, np.array)
batches(_array, np.asarray)
batches(_array, np.asanyarray)


def _item(x: Any, *index: Any) -> Any:
    """`x[i]` for an index that differs between lanes: one integer."""
    (i,) = index
    if type(i) is not Lanes:
        return x[i]
    if i.ndim or i.dtype.kind not in "iu":
        if type(x) is np.ndarray and i.dtype.kind in "iu":
            return Lanes(x[i.data])
        raise NoLanes
    if type(x) is Lanes:
        return Lanes(x.data[np.arange(len(x.data)), i.data])
    if type(x) is not np.ndarray:
        raise NoLanes
    return Lanes(x[i.data])


CALLS[operator.getitem] = _item


def _stored(target: Any, key: Any, value: Any) -> Any:
    if holds_lanes(key):
        raise NoLanes
    return changes.stored(target, key, value)


CALLS[changes.stored] = CALLS[changes.set_item] = _stored


def _changed(operation: Any, target: Any, value: Any, *sources: Any) -> Any:
    """`target op= value`: the array after it, in the dtype that it had."""
    if type(target) is not Lanes:
        if not isinstance(target, np.ndarray):
            return operation(target, value)
        raise NoLanes
    found = OF_IN_PLACE[operation](target, value)
    if target.ndim and (found.shape != target.shape or not np.can_cast(found.dtype, target.dtype, "same_kind")):
        raise NoLanes
    return found.astype(target.dtype) if target.ndim else found


CALLS[changes.in_place] = _changed

for _in_place in OF_IN_PLACE:
    CALLS[_in_place] = functools.partial(_changed, _in_place)


# ---- what is asked of a value: the answer is that of its class


def _of_lane(f: Any) -> Callable[..., Any]:
    def asked(x: Any, *args: Any) -> Any:
        if type(x) is Lanes and not x.ndim:
            raise NoLanes("the class of a number")  # of Python's, of NumPy's, or an array without axes
        return f(lane_of(x, 0), *args)

    return asked


def _is(x: Any, y: Any) -> bool:
    """`x is y`; of two values with lanes it is not known which object each was."""
    if type(x) is Lanes and type(y) is Lanes or x is not y and holds_lanes(x) and holds_lanes(y):
        raise NoLanes("whether two values are one object")
    return x is y


CALLS[operator.is_] = _is
CALLS[operator.is_not] = lambda x, y: not _is(x, y)


def _compared(f: Any) -> Callable[[Any, Any], Any]:
    """`x == y` and `x != y` of objects."""

    def compared(x: Any, y: Any) -> Any:
        check_same_object((x, y))
        return f(x, y)

    return compared


CALLS.update({f: _compared(f) for f in OF_OBJECTS})


def _contains(xs: Any, x: Any) -> Any:
    """`x in xs`: of a list the items are asked, whether one is `x` or is equal to it."""
    check_same_object((xs, x, [*xs] if isinstance(xs, (dict, set)) else None))
    return x in xs if type(xs) in (list, tuple) else each_lane(operator.contains, (xs, x), {})


CALLS[operator.contains] = _contains
CALLS[intrinsics.not_contains] = lambda xs, x: not _contains(xs, x)


def _with_keys(f: Any, places: slice) -> Any:
    """A function that makes a set or a dict: which of its keys are one is asked of the objects."""

    def made(*given: Any) -> Any:
        check_same_object(given[places])
        return f(*given)

    return made


CALLS[intrinsics.make_set] = _with_keys(intrinsics.make_set, slice(None))
CALLS[intrinsics.make_dict] = _with_keys(intrinsics.make_dict, slice(None, None, 2))
CALLS[intrinsics.dict_from_items] = _with_keys(intrinsics.dict_from_items, slice(0, 1))


def _identity(x: Any) -> int:
    raise NoLanes("the identity of a value, or its hash")


CALLS[id] = CALLS[hash] = _identity


CALLS.update({f: _of_lane(f) for f in (isinstance, type, callable, hasattr, np.isscalar)})


def _attribute(x: Any, name: str, *default: Any) -> Any:
    if type(x) is Lanes and (not hasattr(np.ndarray, name) or name in _OF_MEMORY or _is_own(name)):
        raise NoLanes
    own = inspect.getattr_static(type(x), name, None)
    if isinstance(own, (property, functools.cached_property)) and is_users_class(type(x)):
        raise NoLanes("an attribute that is computed")
    if isinstance(getattr(type(x), "__getattr__", None), types.FunctionType) and type(x) is not Lanes:
        raise NoLanes("an attribute that is computed")
    return getattr(x, name, *default)


_OF_MEMORY = ("data", "flat", "base", "flags", "strides")


def _is_own(name: str) -> bool:
    """True of an attribute that tells of lanes what they are, as `__class__` and `__doc__` do."""
    return name.startswith("__") and not isinstance(vars(Lanes).get(name), types.FunctionType)


CALLS[builtins.getattr] = _attribute
CALLS[stop_gradient] = lambda x: x

# ---- what calls others


def _invoke(target: Any, name: str, /, *args: Any, **kwargs: Any) -> Any:
    return call_along(_attribute(target, name), *args, **kwargs)


def _apply(function: Any, stars: Any, names: Any, *values: Any) -> Any:
    args, kwargs = intrinsics.spread(stars, names, values)
    return call_along(function, *args, **kwargs)


def _map(f: Any, *iterables: Any) -> Iterator[Any]:
    return iter([call_along(f, *xs) for xs in zip(*iterables, strict=False)])


def _reduce(f: Any, iterable: Any, *initial: Any) -> Any:
    return functools.reduce(lambda a, b: call_along(f, a, b), iterable, *initial)


CALLS[intrinsics.invoke] = CALLS[intrinsics.invoke_whole] = _invoke
CALLS[intrinsics.apply] = _apply
CALLS[map] = _map
CALLS[functools.reduce] = _reduce
