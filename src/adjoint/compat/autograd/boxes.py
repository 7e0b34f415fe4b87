"""`autograd.numpy.numpy_boxes`: arrays are never wrapped here."""

from .tracer import Box


class ArrayBox(Box):
    """autograd's wrapper of an array, for `isinstance` and hints: nothing is one."""


__all__ = ["ArrayBox"]
