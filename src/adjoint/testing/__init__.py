"""Checking derivatives: against finite differences, and against the conditions every pullback has to keep.

`check_gradient` checks what `pullback` makes of a function, `check_rule` the rule written for it. Both say nothing when
all is well and raise `GradientMismatch`, a table of what differs, when it is not.
"""

from .check import check_gradient, check_rule
from .report import GradientMismatch

__all__ = ["GradientMismatch", "check_gradient", "check_rule"]
