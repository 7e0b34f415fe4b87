"""Arrays of xarray that hold numbers: loaded when a program has imported xarray."""

from . import kinds, operators, reductions, selections

__all__ = ["kinds", "operators", "reductions", "selections"]
