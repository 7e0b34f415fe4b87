"""Rules for NumPy, by family."""

from . import (  # noqa: F401
    calculus,
    choosing,
    constant,
    creation,
    decompositions,
    einsum,
    elementwise,
    indexing,
    joining,
    linalg,
    nan,
    products,
    quantiles,
    random,
    rearranging,
    reductions,
    scans,
    sequences,
    shaping,
    sorting,
    statistics,
    ufuncs,
)
from .shaping import ATTRIBUTES, INACTIVE_ATTRIBUTES

__all__ = ["ATTRIBUTES", "INACTIVE_ATTRIBUTES"]
