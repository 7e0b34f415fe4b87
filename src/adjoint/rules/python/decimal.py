"""Decimal numbers carry no derivative: a float that becomes one is refused."""

from __future__ import annotations

from decimal import Decimal, getcontext, localcontext, setcontext

from ..registry import non_differentiable
from .fractions import exact

_FLOATS = "compute with floats, and convert what comes out"

exact(Decimal, "`Decimal(...)`", _FLOATS)
non_differentiable(getcontext, localcontext, setcontext)
