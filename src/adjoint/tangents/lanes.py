"""Several tangents as one: an array with a hidden first axis, on which what is linear works as on a single one.

The programs of both modes are linear in tangents and cotangents. Run on `Lanes` they give what they would give for each
of the lanes alone, and run once: elementwise operations take one more axis, products with matrices become products of
matrices, and any other function is called lane by lane. Where a program asks for what differs between the lanes it
raises `NoLanes`, and is then run for one lane after the other.
"""

from __future__ import annotations

import math
import operator
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ..errors import Abandoned
from ..ops.questions import is_writer
from ..ops.registry import find_op
from .structural import Tangent
from .unknown import Unknown

Array = np.ndarray[Any, Any]

_sum: Any = np.add.reduce


class NoLanes(Abandoned):
    """An operation that cannot be done for all lanes together; no `Exception`, so that no program catches it."""


ONE_BY_ONE: list[Callable[..., Any]] = []  # `lane_runs` says how a call runs for one lane after the other


class _Current(threading.local):
    count: int | None = None
    within: bool = False
    plain: bool = False
    narrow: bool = False
    largest: int = 0
    refused: BaseException | None = None


current = _Current()
"""Of the program that is running: how many lanes it has (None: none), whether they are those of its arguments, whether
there are numbers of Python among these, and narrow ones; how many numbers the largest had so far; and why the last that
could not was not run for all lanes together."""


def note_kind(plain: bool = False, narrow: bool = False) -> None:
    """Note that there are numbers of Python, or narrow ones, in a run: beside each other these keep their type, which
    lanes do not tell, so that both are not run together."""
    current.plain, current.narrow = current.plain or plain, current.narrow or narrow
    if current.plain and current.narrow:
        raise NoLanes("numbers of Python beside narrow ones of NumPy")


def is_narrow(dtype: np.dtype[Any]) -> bool:
    """True of numbers that become wider beside those of 64 bits, and do not beside those of Python."""
    return dtype.kind in "fiu" and dtype.itemsize < 8 or dtype.kind == "c" and dtype.itemsize < 16


class Lanes:
    """An array, or a number, of which there is one in each lane: `data` has their axis first."""

    __slots__ = ("data",)
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, data: Array) -> None:
        self.data = data
        if data.size > current.largest:
            current.largest = data.size
        if current.within and is_narrow(data.dtype):
            note_kind(narrow=True)

    # ---- as an array

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape in each lane."""
        return tuple(self.data.shape[1:])

    @property
    def ndim(self) -> int:
        """The number of axes in each lane."""
        return self.data.ndim - 1

    @property
    def size(self) -> int:
        """The number of items in each lane."""
        return math.prod(self.shape)

    @property
    def dtype(self) -> Any:
        """The type of the numbers."""
        return self.data.dtype

    @property
    def real(self) -> Lanes:
        """The real parts."""
        return Lanes(self.data.real)

    @property
    def imag(self) -> Lanes:
        """The imaginary parts."""
        return Lanes(self.data.imag)

    @property
    def T(self) -> Lanes:
        """The axes in reverse order."""
        return self.transpose()

    def transpose(self, *axes: Any) -> Lanes:
        """The axes in another order."""
        order = axes[0] if len(axes) == 1 and not isinstance(axes[0], int) else axes or None
        n = self.ndim
        order = range(n)[::-1] if order is None else [operator.index(i) % n for i in order]
        return Lanes(self.data.transpose(0, *[1 + i for i in order]))

    def reshape(self, *shape: Any, order: Any = "C") -> Lanes:
        """The items in another shape."""
        new = shape[0] if len(shape) == 1 else shape
        new = new if isinstance(new, tuple | list) else (new,)
        if order not in (None, "C"):
            raise NoLanes
        if self.data.size == 0 and -1 in new:
            raise NoLanes
        return Lanes(self.data.reshape(len(self.data), *new))

    def ravel(self, order: Any = "C") -> Lanes:
        """The items in one row."""
        return self.reshape(self.size, order=order)

    flatten = ravel

    def sum(self, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = False) -> Lanes:
        """Sums over axes."""
        if out is not None:
            raise NoLanes
        return Lanes(_sum(self.data, self.axes(axis), dtype, None, keepdims))

    def axes(self, axis: Any) -> tuple[int, ...]:
        """Axes of a lane as axes of `data`; all of them for None."""
        n = self.ndim
        if axis is None:
            return tuple(range(1, n + 1))
        given = axis if isinstance(axis, tuple) else (axis,)
        if any([not -n <= i < n for i in given]):
            raise NoLanes  # the plain function says what is wrong
        return tuple([1 + operator.index(i) % n for i in given])

    def astype(self, dtype: Any, *, copy: bool = True) -> Lanes:
        """Numbers of another type."""
        return Lanes(self.data.astype(dtype, copy=copy))

    def copy(self, order: Any = "C") -> Lanes:
        """One that shares no memory."""
        return Lanes(self.data.copy(order))

    def conj(self) -> Lanes:
        """The complex conjugates."""
        return Lanes(self.data.conj())

    conjugate = conj

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if not callable(method := getattr(np.ndarray, name, None)) or is_writer(method):
            raise NoLanes
        if current.within and name in ("view", "tobytes"):
            raise NoLanes("what depends on how an array lies in memory")
        return lambda *args, **kwargs: _by_lane(operator.methodcaller(name, *args, **kwargs), self)

    # ---- items

    def __len__(self) -> int:
        if not self.ndim:
            raise NoLanes
        return int(self.data.shape[1])

    def __iter__(self) -> Iterator[Lanes]:
        return iter([self[i] for i in range(len(self))])

    def __getitem__(self, index: Any) -> Lanes:
        if (basic := _basic(index)) is None:
            return Lanes(np.moveaxis(self.behind[beside(index)], -1, 0))
        item = self.data[basic]
        if current.within and item.ndim == 1 and basic[-1] is Ellipsis:
            raise NoLanes  # an array without axes
        return Lanes(item.copy() if item.ndim == 1 else item)  # a number is no view

    def __setitem__(self, index: Any, value: Any) -> None:
        if current.within and not np.can_cast(getattr(value, "dtype", self.dtype), self.dtype, "same_kind"):
            raise NoLanes
        if (basic := _basic(index)) is None:
            self.behind[beside(index)] = behind(value)
        else:
            place = self.data[basic]
            place[...] = padded(value, place.ndim - 1)

    @property
    def behind(self) -> Array:
        """A view with the axis of the lanes last: an index means there what it means in a lane."""
        return np.moveaxis(self.data, 0, -1)

    def __matmul__(self, other: Any) -> Any:
        return handler_of(np.matmul)(self, other)

    def __rmatmul__(self, other: Any) -> Any:
        return handler_of(np.matmul)(other, self)

    # ---- what would have to be the same in all lanes

    def __bool__(self) -> bool:
        if self.ndim:
            raise NoLanes
        first = bool(self.data[0])
        if not (self.data == 0).all() and not (self.data != 0).all():
            raise NoLanes("a branch on a value that differs between the lanes")
        return first

    def __float__(self) -> float:
        raise NoLanes

    __int__ = __index__ = __complex__ = __round__ = __float__

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        raise NoLanes

    # ---- functions of NumPy

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, out: Any = None, **kwargs: Any) -> Any:
        if out is not None or kwargs.get("where", True) is not True:
            raise NoLanes
        if method == "__call__" and ufunc.signature is None:
            return _wrapped(ufunc(*in_step(inputs), **kwargs))
        if method == "reduce" and ufunc is np.add and not {"initial", "where"} & kwargs.keys():
            return inputs[0].sum(*inputs[1:], **({"axis": 0} | kwargs if len(inputs) == 1 else kwargs))
        if method == "__call__" and ufunc is np.matmul and not kwargs:
            return handler_of(np.matmul)(*inputs)
        if method in ("at", "reduceat"):
            raise NoLanes
        return _by_lane(getattr(ufunc, method), *inputs, **kwargs)

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        handler = handler_of(func)
        if kwargs.get("out") is not None or handler is None and is_writer(func):
            raise NoLanes
        if handler is not None:
            try:
                return handler(*args, **kwargs)
            except (TypeError, NoLanes):  # a use that the handler does not know
                pass
        return _by_lane(func, *args, **kwargs)

    def __repr__(self) -> str:
        if current.within:
            raise NoLanes("text that is made of a value that differs between the lanes")
        return f"Lanes({len(self.data)} of {self.shape}, {self.dtype})"


def handler_of(f: Any) -> Any:
    """The handler of a function of NumPy for lanes, as its record says it; None if it is called lane by lane."""
    row = find_op(f)
    return None if row is None else row.lanes


def as_array(d: Any) -> Any:
    """`np.asarray(d)`; but lanes as they are."""
    return d if type(d) is Lanes else np.asarray(d)


_PLAIN = (int, float, complex, np.ndarray, np.generic)


def padded(x: Any, ndim: int) -> Any:
    """An operand with so many axes in each lane; what is the same in all lanes is so by broadcasting."""
    if type(x) is not Lanes:
        if isinstance(x, Unknown):
            raise NoLanes
        x = x if isinstance(x, _PLAIN) else _as_numbers(x)
        if current.plain and isinstance(x, np.ndarray | np.generic) and is_narrow(x.dtype):
            note_kind(narrow=True)
        return x
    missing = ndim - x.ndim
    return x.data.reshape(len(x.data), *(1,) * missing, *x.shape) if missing > 0 else x.data


def _as_numbers(x: Any) -> Array:
    """An operand that is no array; of what is none of numbers only a single lane knows what it does with them."""
    if current.within and not isinstance(x, tuple | list):
        raise NoLanes
    found = np.asarray(x)
    if current.within and found.dtype.kind not in "biufc":
        raise NoLanes
    return found


def in_step(xs: Sequence[Any]) -> list[Any]:
    """Operands that are broadcast together: lanes of fewer axes than others have get some of length one."""
    ndim = max([x.ndim if isinstance(x, Lanes | np.ndarray) else np.ndim(x) for x in xs])
    return [padded(x, ndim) for x in xs]


def behind(x: Any) -> Any:
    """An operand beside arrays that have the axis of the lanes last."""
    if type(x) is Lanes:
        return x.behind
    x = np.asarray(x)
    return x[..., None] if x.ndim else x


def beside(index: Any) -> Any:
    """An index into a lane as one into `Lanes.behind`."""
    has_dots = isinstance(index, tuple) and any([i is Ellipsis for i in index])
    return (*index, slice(None)) if has_dots else index


_BASIC = (int, np.integer, slice, type(None), type(...))


def _basic(index: Any) -> Any:
    """An index into a lane as one into `data`; None if arrays are among it."""
    if isinstance(index, tuple):
        for i in index:
            if not isinstance(i, _BASIC) or isinstance(i, bool):
                if type(i) is Lanes:
                    raise NoLanes
                return None
        return (slice(None), *index)
    if type(index) is Lanes:
        raise NoLanes
    return (slice(None), index) if isinstance(index, _BASIC) and not isinstance(index, bool) else None


def _wrapped(result: Any) -> Any:
    if isinstance(result, tuple):
        return tuple(map(_wrapped, result))
    if result.dtype.kind == "O":
        raise NoLanes  # of Python's objects, one of which a single lane gives as it is
    return Lanes(result)


def _binary(op: Any, reflected: bool = False) -> Any:
    raises, counts = op in _RAISING, op not in _COMPARING

    def method(self: Lanes, other: Any) -> Any:
        x: Any
        y: Any
        if isinstance(other, float):
            x, y = self.data, other
        elif type(other) is Lanes and other.data.ndim == self.data.ndim:
            x, y = self.data, other.data
        elif isinstance(other, _OTHERS):
            if current.within:
                raise NoLanes
            return NotImplemented
        else:
            x, y = in_step((self, other))
        if current.plain and counts and self.data.ndim == 1 and self.data.dtype.kind == "b":
            raise NoLanes  # flags of Python are counted
        found = op(y, x) if reflected else op(x, y)
        if raises and current.within and found.ndim == 1 and not np.isfinite(found).all():
            raise NoLanes  # numbers of Python raise where those of NumPy become infinite
        return Lanes(found)

    return method


_COMPARING = tuple([getattr(operator, f"__{name}__") for name in ("eq", "ne", "lt", "le", "gt", "ge")])
_RAISING = (operator.__truediv__, operator.__floordiv__, operator.__mod__, operator.__pow__)
_OTHERS = (tuple, list, dict, Tangent, type(None))


def _unary(op: Any) -> Any:
    def method(self: Lanes) -> Lanes:
        if current.plain and self.data.ndim == 1 and self.data.dtype.kind == "b":
            raise NoLanes  # flags of Python are counted
        return Lanes(op(self.data))

    return method


for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "and", "or", "xor", "lshift", "rshift"):
    setattr(Lanes, f"__{_name}__", _binary(getattr(operator, f"__{_name}__")))
    setattr(Lanes, f"__r{_name}__", _binary(getattr(operator, f"__{_name}__"), True))
for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
    setattr(Lanes, f"__{_name}__", _binary(getattr(operator, f"__{_name}__")))
for _name in ("neg", "pos", "abs", "invert"):
    setattr(Lanes, f"__{_name}__", _unary(getattr(operator, f"__{_name}__")))


def _by_lane(f: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
    if current.within and any([type(x) is str and x in ("K", "A") for x in (*args, kwargs.get("order"))]):
        raise NoLanes  # that is the order in memory, which lanes need not have
    return ONE_BY_ONE[0](f, *args, **kwargs)
