"""Functions that printed programs call by name, each in three forms: for Numba, in Python, and as text of a module.

Numba's own forms of them cost what programs need not pay: sums in a fixed order, indices that may count from the end,
extrema entry by entry. These are single instructions of LLVM, of which it makes those of vectors.
"""

from __future__ import annotations

import functools
import operator
import re
from collections.abc import Callable
from typing import Any

import numpy as np

from . import functions


def _at(i: int) -> int:
    """An index, which is not negative."""
    if i < 0:
        raise AssertionError("a negative index in a compiled program")
    return i


IN_PYTHON: dict[str, Callable[..., Any]] = {
    "plus": operator.add,
    "at": _at,
    "maximum": np.maximum,
    "minimum": np.minimum,
    "prange": range,
    "threads": lambda: 2,
    **{name: functions.in_python(f) for name, f in functions.FUNCTIONS.items()},
}

_IN_A_MODULE = {
    "plus": """@njit(fastmath={"reassoc", "nsz"})
def plus(a, b):
    \"\"\"a + b, in sums whose order is free.\"\"\"
    return a + b
""",
    "at": """@njit()
def at(i):
    \"\"\"An index that is not negative.\"\"\"
    return np.uint64(i)
""",
    "maximum": """@njit()
def maximum(a, b):
    \"\"\"The larger one, or the nan.\"\"\"
    return np.maximum(a, b)
""",
    "minimum": """@njit()
def minimum(a, b):
    \"\"\"The smaller one, or the nan.\"\"\"
    return np.minimum(a, b)
""",
}


OWN_LINE = '@njit(error_model="numpy", nogil=True)'


def in_a_module(text: str) -> str:
    """The definitions of those that a program calls.

    >>> print(in_a_module("s = maximum(s, x[i])"))
    @njit()
    def maximum(a, b):
        \"\"\"The larger one, or the nan.\"\"\"
        return np.maximum(a, b)
    <BLANKLINE>
    """
    own = [found for name, found in _IN_A_MODULE.items() if re.search(rf"\b{name}\(", text)]
    ours = [f"{OWN_LINE}\n{functions.text_of(name)}" for name in functions.named_in(text)]
    return "\n\n".join([*own, *ours])


def runs_in_parts(text: str) -> bool:
    """Tell whether a program has loops whose parts run side by side, for which it is compiled in another way."""
    return "prange(" in text


@functools.cache
def by_numba() -> dict[str, Any]:
    """The functions for what Numba compiles."""
    from llvmlite import ir
    from numba import float64, get_num_threads, int64, prange, types, uint64
    from numba.extending import intrinsic

    @intrinsic  # type: ignore[untyped-decorator]
    def plus(context: Any, a: Any, b: Any) -> Any:
        """The sum of two floats, of which the compiler may change the order with that of others."""

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.fadd(*args, flags=("reassoc", "nsz"))

        return float64(float64, float64), generate

    @intrinsic  # type: ignore[untyped-decorator]
    def at(context: Any, i: Any) -> Any:
        """An index that is not negative, so that Numba does not count it from the end of the axis if it is."""
        return uint64(int64), lambda context, builder, signature, args: args[0]

    def extremum(of_floats: str, of_integers: str) -> Any:
        @intrinsic  # type: ignore[untyped-decorator]
        def extremum(context: Any, a: Any, b: Any) -> Any:
            """The larger or smaller one; nan if one of them is nan."""
            kind = float64 if types.Float in (type(a), type(b)) else int64

            def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
                of = args[0].type
                name = f"llvm.{of_floats if kind is float64 else of_integers}"
                return builder.call(builder.module.declare_intrinsic(name, [of], ir.FunctionType(of, [of, of])), args)

            return kind(kind, kind), generate

        return extremum

    return {
        "plus": plus,
        "at": at,
        "maximum": extremum("maximum", "smax"),
        "minimum": extremum("minimum", "smin"),
        "prange": prange,
        "threads": get_num_threads,
        **functions.by_numba(),
    }


__all__ = ["IN_PYTHON", "by_numba", "in_a_module", "runs_in_parts"]
