"""`autograd.builtins`: the builtins of Python, which are differentiated as they are."""

from builtins import dict, isinstance, list, tuple, type  # noqa: UP029

from .boxes import Box


class SequenceBox(Box):
    """autograd's wrapper of a list or a tuple: nothing is one."""


class DictBox(Box):
    """autograd's wrapper of a dict: nothing is one."""


__all__ = ["DictBox", "SequenceBox", "dict", "isinstance", "list", "tuple", "type"]
