"""Rules for NumPy, by family."""

from . import (  # noqa: F401
    attributes,
    choosing,
    constant,
    convolution,
    copying,
    creation,
    decompositions,
    diagonals,
    einsum,
    elementwise,
    indexing,
    inserting,
    joining,
    linalg,
    methods,
    padding,
    polynomials,
    products,
    random,
    ranges,
    rearranging,
    reductions,
    scans,
    selecting,
    sequences,
    shaping,
    sorting,
    strides,
    vectors,
)
from .attributes import ATTRIBUTES, INACTIVE_ATTRIBUTES

__all__ = ["ATTRIBUTES", "INACTIVE_ATTRIBUTES"]
