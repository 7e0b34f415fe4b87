"""The versions of wrapt whose wrappers are followed."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="import-untyped, import-not-found, unused-ignore, attr-defined"

from __future__ import annotations

import wrapt

from ...errors import NoRuleError, calling_place

OLDEST = (2, 2)
"""The version of wrapt from which on its wrappers are followed: those of before say less of what they are around, and
that their classes are Python's own."""
WHY = "its wrappers do not say enough of the function and the object that they are around"
WAY_OUT = f"install wrapt {OLDEST[0]}.{OLDEST[1]} or newer"


def is_old():
    """Tell whether this is an older version."""
    return tuple([int(part) for part in wrapt.__version__.split(".")[:2]]) < OLDEST


def check_version():
    """Raise `NoRuleError` for a wrapper of an older version."""
    if is_old():
        raise NoRuleError(f"a decorator of wrapt {wrapt.__version__}", WHY, WAY_OUT, calling_place())
