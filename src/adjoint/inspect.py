"""Looking at what is made of a program: its source, its IR, what became of it, what is supported."""

from .caches import CacheInfo, cache_clear, cache_info
from .derivatives.residuals import residuals
from .diagnostics import End, Explanation, Refusal, Treated, debug_nans, explain
from .explorer import graph
from .inspection import code_adjoint, code_ir, code_primal, code_pushforward
from .support import Support, supports

__all__ = [
    "CacheInfo",
    "End",
    "Explanation",
    "Refusal",
    "Support",
    "Treated",
    "cache_clear",
    "cache_info",
    "code_adjoint",
    "code_ir",
    "code_primal",
    "code_pushforward",
    "debug_nans",
    "explain",
    "graph",
    "residuals",
    "supports",
]
