"""The meaning of functions of Python and NumPy in loops."""

import sys
from typing import Any

from . import (  # noqa: F401  (they declare it)
    algebra,
    bits,
    calls,
    joining,
    library,
    making,
    names,
    ordering,
    products,
    python,
    reductions,
    scalars,
    shaping,
)


def meaning_of(*call: Any) -> Any:
    """The result of a call: `(lower, fn, args, kwargs)`."""
    if "scipy.special" in sys.modules:
        from . import special  # noqa: F401  (it adds what these mean)
    return calls.meaning_of(*call)


__all__ = ["meaning_of"]
