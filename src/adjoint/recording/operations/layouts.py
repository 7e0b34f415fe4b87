"""The layout of operands in memory: of copies that lie otherwise, NumPy and BLAS may add in another order, and give
another last bit."""

from __future__ import annotations

import operator
import types
from typing import Any

import numpy as np

from ...origin import module_of
from ...rules.registry import non_differentiable
from ...tangents.windows import owner_of

_MODULES = frozenset(["numpy", "numpy.linalg"])


def is_otherwise(method: Any, values: Any, copies: Any) -> bool:
    """Tell whether the copies of operands lie in memory otherwise than the operands: with other strides, or apart where
    these share it (`x.T @ x` is computed as one triangle). What is elementwise does not ask for the latter."""
    arrays: list[Any] = []
    for value, copy in zip(values, copies, strict=True):
        if type(value) is np.flatiter or _lies_otherwise(value, copy, arrays):
            return True
    return len(arrays) > 1 and method.partials is None and len({id(owner_of(a)) for a in arrays}) < len(arrays)


def _lies_otherwise(value: Any, copy: Any, arrays: list[Any]) -> bool:
    """Tell whether an array, or one in a sequence, was copied with other strides; notes those that were copied."""
    if value is copy:
        return False
    if type(value) is np.ndarray:
        arrays.append(value)
        return bool(value.strides != copy.strides)
    pairs = zip(value, copy, strict=True) if isinstance(value, list | tuple) else ()
    return any([_lies_otherwise(v, c, arrays) for v, c in pairs])


def only_computes(f: Any, values: Any) -> bool:
    """Tell whether a function may be called once more: one of NumPy's that neither draws nor calls what it is
    handed."""
    if isinstance(f, types.MethodDescriptorType):
        return f.__objclass__ is np.ndarray
    if isinstance(f, np.ufunc):
        return f.types != ["O" * f.nin + "->" + "O" * f.nout]  # what `np.frompyfunc` made calls Python
    known = f is operator.matmul or module_of(f) in _MODULES
    return known and not any(map(callable, values))


non_differentiable(is_otherwise, only_computes)
