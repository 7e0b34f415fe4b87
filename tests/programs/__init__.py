"""A corpus of small ordinary programs on which the engine is checked; none but `higher` knows of `adjoint`."""

from . import (  # noqa: F401  (importing a family enters its programs)
    arithmetic,
    arrays,
    combined,
    confused,
    containers,
    control_flow,
    effects,
    elementary,
    functions,
    higher,
    layered,
    linear_algebra,
    objects,
)
from .registry import FAMILIES, PROGRAMS, Program, program

__all__ = ["FAMILIES", "PROGRAMS", "Program", "program"]
