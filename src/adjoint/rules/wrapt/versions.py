"""The versions of wrapt whose wrappers are followed."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="import-untyped, import-not-found, unused-ignore, attr-defined"

from __future__ import annotations

import wrapt

from ...errors import NoRuleError, calling_place

OLDEST = 2
"""The version of wrapt from which on its wrappers are followed: those of before say less of what they are around."""


def check_version():
    """Raise `NoRuleError` for a wrapper of an older version."""
    if int(wrapt.__version__.partition(".")[0]) < OLDEST:
        raise NoRuleError(
            f"a decorator of wrapt {wrapt.__version__}",
            "its wrappers do not say enough of the function and the object that they are around",
            f"install wrapt {OLDEST}.0 or newer",
            calling_place(),
        )
