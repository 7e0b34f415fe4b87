"""Functions that autograd puts around those of NumPy and of users: they pass on what is no box of its tapes."""
# mypy: disable-error-code="import-untyped, import-not-found, no-any-unimported, unused-ignore"

from __future__ import annotations

from autograd.tracer import isbox, notrace_primitive, primitive

from ...wrappers import PASSING

for wrap in (primitive, notrace_primitive):
    PASSING[wrap(abs).__code__] = "f_raw", isbox
