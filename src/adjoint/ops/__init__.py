"""Operations, each said once: what passes ask of a function of Python's or NumPy's stands in its record."""

from . import arrays, library, numpy, python
from .bound import Bound, Parameters, bind
from .effects import UNSEEN, Alloc, Calls, Effect, Effects, Keeps, Read, Returns, World, Write, holding
from .registry import OPS, Op, each, find_op, op, parameters_of

__all__ = [
    "OPS", "UNSEEN", "Alloc", "Bound", "Calls", "Effect", "Effects", "Keeps", "Op", "Parameters", "Read", "Returns",
    "World", "Write", "arrays", "bind", "each", "find_op", "holding", "library", "numpy", "op", "parameters_of",
    "python",
]  # fmt: skip
