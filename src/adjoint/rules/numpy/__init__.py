"""Rules for NumPy, by family."""

from . import (  # noqa: F401
    choosing,
    constant,
    creation,
    decompositions,
    einsum,
    elementwise,
    indexing,
    joining,
    linalg,
    products,
    random,
    rearranging,
    reductions,
    scans,
    sequences,
    shaping,
    sorting,
)
from .shaping import ATTRIBUTES, INACTIVE_ATTRIBUTES

__all__ = ["ATTRIBUTES", "INACTIVE_ATTRIBUTES"]
