"""`autograd.misc`: vectors of structures, optimizers, fixed points, functions with arguments given."""

from __future__ import annotations

from ..boxes import refused_names
from .const_graph import const_graph
from .flatten import flatten

__getattr__ = refused_names(__name__)

__all__ = ["const_graph", "flatten"]
