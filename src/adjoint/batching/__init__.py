"""Functions of single examples as functions of many: `vmap`."""

from . import derivatives, functions, within
from .mapped import Mapped, vmap

__all__ = ["Mapped", "derivatives", "functions", "vmap", "within"]
