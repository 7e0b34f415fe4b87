"""`autograd.misc`: vectors of structures, optimizers, fixed points."""

from __future__ import annotations

from ..boxes import refused_names
from .flatten import flatten

__getattr__ = refused_names(__name__)

__all__ = ["flatten"]
