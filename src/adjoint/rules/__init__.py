"""Rules: how the derivative of a function is declared, where its code is not to be looked into."""

from ..tangents import accumulate, zeros_like
from .columns import unzip
from .registry import non_differentiable, not_implemented, opt_out, rule, scalar_rule

__all__ = [
    "accumulate",
    "non_differentiable",
    "not_implemented",
    "opt_out",
    "rule",
    "scalar_rule",
    "unzip",
    "zeros_like",
]
