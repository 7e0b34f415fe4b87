"""`autograd.differential_operators`: the operators under the name of autograd's module."""

from . import by_name, operators
from .by_name import *  # noqa: F403
from .operators import *  # noqa: F403

__all__ = [*operators.__all__, *by_name.__all__]  # noqa: PLE0604
