"""All that is public: what stands at the top of `adjoint`, and in its modules."""

from typing import Any

import adjoint
import adjoint.compat.autograd.extend
import adjoint.compat.autograd.test_util
import adjoint.dask
import adjoint.ir

MODULES = (
    *(adjoint, adjoint.calculus, adjoint.errors, adjoint.inspect, adjoint.optimize, adjoint.rules, adjoint.sparse),
    adjoint.stats,
)
PUBLIC: dict[str, Any] = {name: getattr(module, name) for module in MODULES for name in module.__all__}
"""Functions and classes by their names, of which no two are the same."""

FURTHER = (
    adjoint.compat.autograd,
    adjoint.compat.autograd.extend,
    adjoint.compat.autograd.test_util,
    adjoint.dask,
    adjoint.ir,
)
"""Modules with names of their own, which may be those of the others; they are imported by their names alone."""
