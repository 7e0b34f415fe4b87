"""Findings on a program: what is refused, where derivatives end, which statement is wrong, whence a nan came."""

from .debugging import debug_nans
from .explained import explain
from .explanation import End, Explanation, Refusal, Treated

__all__ = ["End", "Explanation", "Refusal", "Treated", "debug_nans", "explain"]
