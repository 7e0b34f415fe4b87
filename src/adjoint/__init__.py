"""Derivatives of ordinary Python by transforming its code: `pullback(f, *args) -> (y, back)`, and what builds on it."""

import importlib as _importlib
from typing import Any as _Any

from . import rules as _rules  # noqa: F401  (declares the rules)
from .api import (
    checked_pullback,
    grad,
    gradient,
    jacobian,
    pullback,
    rrule,
    value_and_grad,
    withgradient,
)
from .black_box import NumericWarning, numeric
from .derivatives import stop_gradient
from .derivatives.pullback import Pullback
from .diagnostics import Explanation, debug_nans, explain
from .errors import (
    AdjointError,
    CotangentError,
    ImplicitError,
    MutationError,
    NonFiniteError,
    NoRuleError,
    NotDifferentiableError,
    NotScalarError,
    RuleError,
    SourceChangedError,
    SourceUnavailableError,
    UnsupportedSyntaxError,
    WrongGradientError,
)
from .forward import Linearized, frule, linearize, pushforward
from .implicit import implicit
from .inspection import CacheInfo, cache_clear, cache_info, code_adjoint, code_ir, code_primal, code_pushforward
from .rules.registry import non_differentiable, not_implemented, opt_out, rule, scalar_rule
from .rules.scipy.choices import through_steps
from .support import Support, supports
from .tangents import Tangent

__version__ = "0.1.0"

__all__ = [
    "AdjointError",
    "CacheInfo",
    "CotangentError",
    "Explanation",
    "ImplicitError",
    "Linearized",
    "MutationError",
    "NoRuleError",
    "NonFiniteError",
    "NotDifferentiableError",
    "NotScalarError",
    "NumericWarning",
    "Pullback",
    "RuleError",
    "SourceChangedError",
    "SourceUnavailableError",
    "Support",
    "Tangent",
    "UnsupportedSyntaxError",
    "WrongGradientError",
    "cache_clear",
    "cache_info",
    "checked_pullback",
    "code_adjoint",
    "code_ir",
    "code_primal",
    "code_pushforward",
    "debug_nans",
    "explain",
    "frule",
    "grad",
    "gradient",
    "implicit",
    "jacobian",
    "linearize",
    "non_differentiable",
    "not_implemented",
    "numeric",
    "opt_out",
    "pullback",
    "pushforward",
    "rrule",
    "rule",
    "scalar_rule",
    "stop_gradient",
    "supports",
    "through_steps",
    "value_and_grad",
    "withgradient",
]


def __getattr__(name: str) -> _Any:
    """`adjoint.testing` and `adjoint.nn` are loaded when they are first asked for."""
    if name in ("nn", "testing"):
        return _importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
