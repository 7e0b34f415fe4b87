"""The functions that have a row, or a rule, and can be tried."""

from __future__ import annotations

import builtins
import functools
import importlib.util
import itertools
import math
import operator
import sys
from collections import deque
from pathlib import Path
from typing import Any

import numpy as np

from adjoint.ops import OPS, World
from adjoint.ops.questions import possible
from adjoint.rules.outside import acts
from adjoint.rules.registry import RULES
from adjoint.transforms import effects

LEFT_OUT = {
    "exit",
    "quit",
    "breakpoint",
    "input",
    "help",
    "open",
    "print",
    "exec",
    "eval",
    "copyright",
    "credits",
    "test",
}
"""What stops, asks, or runs other programs."""
FILES = {"tofile", "dump", "memmap", "load", "loadtxt", "genfromtxt", "fromregex", "save", "savez", "savez_compressed"}
FILES |= {"savetxt", "fromfile", "set_string_function", "seterr", "seterrcall", "setbufsize", "set_printoptions"}
MODULES = (np, np.linalg, np.fft, builtins, operator, math, itertools)


def everything() -> list[Any]:
    """Functions, methods and classes, each once."""
    found: list[Any] = [f for f in RULES if not _is_own(f)]
    found += [getattr(m, name) for m in MODULES for name in dir(m) if name[0] != "_" and name not in LEFT_OUT]
    for cls in (np.ndarray, list, dict, set, frozenset, tuple, deque, str, bytes, bytearray):
        found += [vars(cls)[name] for name in vars(cls) if callable(vars(cls)[name]) and name != "__class__"]
    found += [f for row in OPS.values() for f in row.functions]
    found += [functools.partial]
    seen: dict[int, Any] = {id(f): f for f in found if callable(f) and not _is_left_out(f)}
    return [*seen.values()]


def _is_own(f: Any) -> bool:
    """Whether a function is none of NumPy, SciPy or Python: of this library, or of tests that ran before in the same
    process."""
    if (code := getattr(f, "__code__", None)) is not None:
        return not any(Path(code.co_filename).is_relative_to(root) for root in ROOTS)
    module = getattr(f, "__module__", None) or getattr(type(f), "__module__", "")
    return module.split(".")[0] not in LIBRARIES


LIBRARIES = {"numpy", "scipy", "numba", *sys.stdlib_module_names}
ROOTS = [
    Path(found.origin).parent
    for name in ("numpy", "scipy", "operator")
    if (found := importlib.util.find_spec(name)) and found.origin
]


def _is_left_out(f: Any) -> bool:
    """Whether trying a function would do something outside, needs what no pattern gives, or is of what is refused."""
    module = getattr(f, "__module__", None) or type(f).__module__
    random = module.startswith(("numpy.random", "random")) or "Random" in str(getattr(f, "__objclass__", ""))
    generic = isinstance(getattr(f, "__objclass__", None), type) and issubclass(f.__objclass__, np.generic)
    world = any(isinstance(e, World) for e in possible(f))
    files = world or getattr(f, "__name__", "") in FILES
    given = type(f).__hash__ is not None and f in RULES and acts(f) and f not in effects.IN_PLACE
    return (
        module.startswith(("adjoint.", "scipy.", "numpy.ma", "numpy.polynomial")) or random or generic or files or given
    )
