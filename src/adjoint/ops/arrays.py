"""Memory effects of arrays: methods that are no functions of NumPy, attributes, ufuncs."""

from __future__ import annotations

import numpy as np

from .effects import Alloc, Effects, Read, Returns, Write
from .numpy import INTO, NEW, OUT
from .python import in_place, methods, special
from .registry import each, op

VIEW: Effects = (Alloc(), Returns("self", "view"))

for _name in ("flatten", "tolist", "item", "tobytes"):
    op(getattr(np.ndarray, _name), getattr(np.generic, _name), effects=NEW, parameters="self *values")
methods(np.ndarray, view_getfield=VIEW)
methods(np.ndarray, fill_setfield_setflags_resize=(Write("self"),), sort_partition=(Write("self", "reorders"),))
for _name in ("conj", "conjugate"):
    op(getattr(np.ndarray, _name), getattr(np.generic, _name), effects=(*VIEW, *OUT), parameters="self out")
op(np.ndarray.round, effects=(*VIEW, *OUT), parameters="self decimals out")
op(
    np.ndarray.byteswap,
    effects=(Alloc(), Write("self").when("inplace"), Returns("self").when("inplace")),
    parameters="self inplace",
)
op(
    np.ndarray.astype,
    np.generic.astype,
    effects=(Alloc(), Returns("self").when("copy", False)),
    parameters="self dtype order casting subok copy",
)
if hasattr(np.ndarray, "to_device"):
    op(np.ndarray.to_device, effects=VIEW)
special(np.ndarray, "len contains neg abs lt le gt ge eq ne and or xor lshift rshift invert", NEW)
special(np.ndarray, "add radd sub rsub mul rmul truediv rtruediv floordiv rfloordiv mod rmod matmul rmatmul", NEW)
special(np.ndarray, "getitem", (Alloc("self"), Returns("self", "view"), Returns("self", "item")))
special(np.ndarray, "setstate", (Write("self"),))
in_place(np.ndarray)

MEMORY = ("T", "mT", "real", "imag", "flat", "base", "data", "ctypes", "__array_interface__", "__array_struct__")
SHAPE = ("shape", "size", "ndim", "dtype", "itemsize", "nbytes", "strides", "flags", "device")
for _names, _effects in ((MEMORY, VIEW), (SHAPE, (Read("self", "shape"),))):
    each(_effects, *[vars(np.ndarray)[name] for name in _names if name in vars(np.ndarray)], parameters="self")

# ---- ufuncs: those of `np.frompyfunc` call a function of the user's

op(np.ufunc.__call__, effects=INTO)
op(np.ufunc.reduce, effects=INTO, parameters="self array axis dtype out keepdims initial where")
op(np.ufunc.accumulate, effects=INTO, parameters="self array axis dtype out")
op(np.ufunc.reduceat, effects=INTO, parameters="self array indices axis dtype out")
op(np.ufunc.outer, effects=INTO, parameters="self A B")
op(np.ufunc.at, effects=(Write("a"),), parameters="self a indices b")
