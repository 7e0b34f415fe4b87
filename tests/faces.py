"""All that is public: what stands at the top of `adjoint`, and in its modules."""

from typing import Any

import adjoint

MODULES = (
    *(adjoint, adjoint.calculus, adjoint.errors, adjoint.inspect, adjoint.optimize, adjoint.rules, adjoint.sparse),
    adjoint.stats,
)
PUBLIC: dict[str, Any] = {name: getattr(module, name) for module in MODULES for name in module.__all__}
"""Functions and classes by their names, of which no two are the same."""
