"""Rules: how the derivative of a function is declared, where its code is not to be looked into."""

from .registry import non_differentiable, not_implemented, opt_out, rule, scalar_rule

__all__ = ["non_differentiable", "not_implemented", "opt_out", "rule", "scalar_rule"]
