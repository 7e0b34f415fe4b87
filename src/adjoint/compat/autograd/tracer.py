"""`autograd.tracer`: what does not depend on tracing; the rest of it is refused."""

from .boxes import Box, getval, isbox, refused_names
from .extend import notrace_primitive, primitive

__getattr__ = refused_names(__name__)

__all__ = ["Box", "getval", "isbox", "notrace_primitive", "primitive"]
