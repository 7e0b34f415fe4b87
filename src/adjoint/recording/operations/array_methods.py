"""Methods of arrays that are called by the names of operators, that give views, or that are refused."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ...errors import MutationError, NoRuleError, calling_place
from ...rules.registry import find_rules
from ...tangents.windows import reads_bits
from ..sweep import Sweep
from .array_items import of_array, of_flat
from .arrays import NUMERIC, inplace_array
from .base import Record, Result, handles_methods, nothing
from .items import write_item
from .opaque import opaque
from .outputs import Values
from .ruled import ruled

Kwargs = dict[str, Any]

ARITHMETIC = ("add", "sub", "mul", "matmul", "truediv", "floordiv", "mod", "pow")

# ---- methods with two underscores, called by name


@handles_methods(np.flatiter, "copy")
def _copy_of_row(record: Record, k: int, self: Any, args: Values, kwargs: Kwargs) -> Result:
    """`a.flat.copy()`: the entries in one row, in memory of their own."""
    return of_flat(self.base, slice(None))


@handles_methods(np.flatiter, "__array__")
def _array_of_row(record: Record, k: int, self: Any, args: Values, kwargs: Kwargs) -> Result:
    """`a.flat.__array__()`: the entries in one row, a view where they lie so."""
    rules = find_rules(np.array)
    return (None if rules is None else ruled(rules, np.array, (self, *args), kwargs)) or opaque(
        np.array, (self, *args), kwargs
    )


@handles_methods(np.ndarray, "__getitem__")
def _getitem(record: Record, k: int, self: Any, args: Values, kwargs: Kwargs) -> Result:
    y, back = of_array(self, *args, **kwargs)

    def getitem_back(sweep: Sweep, y_bar: Any) -> Any:
        return (*back(sweep, y_bar)[:2], None)

    return y, getitem_back


@handles_methods(np.ndarray, "__setitem__")
def _setitem(record: Record, k: int, self: Any, args: Values, kwargs: Kwargs) -> Result:
    back = write_item(self, *args, **kwargs)

    def setitem_back(sweep: Sweep, y_bar: Any) -> Any:
        return None, None, None, back(sweep, y_bar)[1]

    return None, setitem_back


def _in_place(name: str) -> Any:
    fn = getattr(operator, name)

    def handler(record: Record, k: int, self: Any, args: Values, kwargs: Kwargs) -> Result:
        return inplace_array(fn, self, *args, **kwargs)

    return handler


for _name in (*ARITHMETIC, "lshift", "rshift", "and", "or", "xor"):
    handles_methods(np.ndarray, f"__i{_name}__")(_in_place(f"__i{_name}__"))


def _binary(name: str, reflected: bool) -> Any:
    f = getattr(operator, f"__{name}__")
    method = getattr(np.ndarray, f"__r{name}__" if reflected else f"__{name}__")

    def handler(record: Record, k: int, self: Any, args: Values, kwargs: Kwargs) -> Result:
        rules = find_rules(f)
        if len(args) != 1 or not isinstance(args[0], NUMERIC) or rules is None:
            return opaque(method, (self, *args), kwargs)
        if not rules.differentiable:
            return method(self, *args), nothing
        y, back = ruled(rules, f, (*args, self) if reflected else (self, *args), {}) or opaque(
            method, (self, *args), {}
        )

        def binary_back(sweep: Sweep, y_bar: Any) -> Any:
            d = back(sweep, y_bar)
            return (None, d[2], d[1]) if reflected else d

        return y, binary_back

    return handler


for _name in ARITHMETIC:
    for _reflected in (False, True):
        handles_methods(np.ndarray, f"__{'r' * _reflected}{_name}__")(_binary(_name, _reflected))


# ---- what is refused


def _refused(what: str, why: str, way_out: str) -> Any:
    def handler(record: Record, k: int, self: Any, args: Values, kwargs: Kwargs) -> Result:
        raise MutationError(f"`{what}` of an array", why, way_out, calling_place())

    return handler


handles_methods(np.ndarray, "resize")(
    _refused(".resize", "its memory moves, and who holds a part of it would see another", "use `np.resize(a, shape)`")
)
handles_methods(np.ndarray, "setfield")(
    _refused(".setfield", "it writes into the bytes of the items", "store numbers into the array: `a[...] = values`")
)


@handles_methods(np.ndarray, "byteswap")
def _byteswap(record: Record, k: int, self: Any, args: Values, kwargs: Kwargs) -> Result:
    if any((*args, *kwargs.values())):
        why = "the bytes of its items would mean other numbers"
        raise MutationError("`.byteswap(True)` of an array", why, "use `a.byteswap()`", calling_place())
    return opaque(np.ndarray.byteswap, (self, *args), kwargs)


@handles_methods(np.ndarray, "view")
def _view(record: Record, k: int, self: Any, args: Values, kwargs: Kwargs) -> Result:
    """The same memory: nothing flows. Floats are not read as what they are not."""
    y = self.view(*args, **kwargs)
    if reads_bits(y, self) and self.dtype.kind in "fc":
        raise NoRuleError(
            f"`.view` of an array of {self.dtype} as {y.dtype} has no rule",
            "it reads the same bits in another way",
            "use `astype`, or cut the derivative with `adjoint.stop_gradient`",
            calling_place(),
        )
    return y, nothing
