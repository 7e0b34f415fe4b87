"""Operations, each said once: what passes ask of a function of Python's or NumPy's stands in its record."""

from . import (
    arrays,
    creation_types,
    draws,
    library,
    linalg_types,
    logs,
    numpy,
    numpy_types,
    other_types,
    part_types,
    place_types,
    python,
    python_types,
    statistic_types,
    texts,
    view_types,
)
from .bound import Bound, Parameters, bind
from .effects import UNSEEN, Alloc, Calls, Effect, Effects, Keeps, Read, Returns, World, Write, holding
from .given import Given, Seen, type_given
from .registry import OPS, Op, batches, each, find_op, gives, leaves, op, parameters_of

__all__ = [
    "OPS", "UNSEEN", "Alloc", "Bound", "Calls", "Effect", "Effects", "Given", "Keeps", "Op", "Parameters", "Read",
    "Returns", "Seen", "World", "Write", "arrays", "batches", "bind", "creation_types", "draws", "each", "find_op",
    "gives", "holding", "leaves", "library", "linalg_types", "logs", "numpy", "numpy_types", "op", "other_types",
    "parameters_of", "part_types", "place_types", "python", "python_types", "statistic_types", "texts", "type_given",
    "view_types",
]  # fmt: skip
