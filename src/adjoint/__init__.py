"""Derivatives of ordinary Python by transforming its code: `pullback(f, *args) -> (y, back)`, and what builds on it."""

import importlib as _importlib
from typing import Any as _Any

from . import rules as _rules  # noqa: F401  (declares the rules)
from .api import gradient, pullback, rrule, withgradient
from .black_box import NumericWarning, numeric
from .checkpoints import checkpoint
from .compilation import compile, to_file
from .curvature import ggnvp, hvp
from .derivatives import stop_gradient
from .derivatives.pullback import Pullback
from .diagnostics import Explanation, debug_nans, explain
from .directional import Vjp, derivative, elementwise_grad, jvp, vjp
from .errors import (
    AdjointError,
    CompileError,
    CompileFallbackWarning,
    CotangentError,
    ImplicitError,
    MissingLibraryError,
    MutationError,
    NonFiniteError,
    NoRuleError,
    NotDifferentiableError,
    NotScalarError,
    OptionError,
    RuleError,
    ShapeError,
    SingularError,
    SourceChangedError,
    SourceUnavailableError,
    SparsityError,
    StructureError,
    TooLargeError,
    UnsupportedSyntaxError,
    WrongGradientError,
)
from .forward import Linearized, frule, linearize, pushforward
from .gradients import grad, value_and_grad
from .hessians import hessian, hessian_diag
from .hooks import gradient_hook
from .implicit import implicit
from .inspection import CacheInfo, cache_clear, cache_info, code_adjoint, code_ir, code_primal, code_pushforward
from .jacobians import jacobian, value_and_jacobian
from .objectives import Model, Objective, Residuals
from .rules.registry import non_differentiable, not_implemented, opt_out, rule, scalar_rule
from .rules.scipy.choices import through_steps
from .sparsity import Sparsity, find_sparsity
from .support import Support, supports
from .tangents import Tangent
from .tangents.seeds import seeds
from .uncertainty import covariance, propagate, standard_errors
from .versions import show_versions

__version__ = "0.1.0"

__all__ = [
    "AdjointError",
    "CacheInfo",
    "CompileError",
    "CompileFallbackWarning",
    "CotangentError",
    "Explanation",
    "ImplicitError",
    "Linearized",
    "MissingLibraryError",
    "Model",
    "MutationError",
    "NoRuleError",
    "NonFiniteError",
    "NotDifferentiableError",
    "NotScalarError",
    "NumericWarning",
    "Objective",
    "OptionError",
    "Pullback",
    "Residuals",
    "RuleError",
    "ShapeError",
    "SingularError",
    "SourceChangedError",
    "SourceUnavailableError",
    "Sparsity",
    "SparsityError",
    "StructureError",
    "Support",
    "Tangent",
    "TooLargeError",
    "UnsupportedSyntaxError",
    "Vjp",
    "WrongGradientError",
    "cache_clear",
    "cache_info",
    "checkpoint",
    "code_adjoint",
    "code_ir",
    "code_primal",
    "code_pushforward",
    "compile",
    "covariance",
    "debug_nans",
    "derivative",
    "elementwise_grad",
    "explain",
    "find_sparsity",
    "frule",
    "ggnvp",
    "grad",
    "gradient",
    "gradient_hook",
    "hessian",
    "hessian_diag",
    "hvp",
    "implicit",
    "jacobian",
    "jvp",
    "linearize",
    "non_differentiable",
    "not_implemented",
    "numeric",
    "opt_out",
    "propagate",
    "pullback",
    "pushforward",
    "rrule",
    "rule",
    "scalar_rule",
    "seeds",
    "show_versions",
    "standard_errors",
    "stop_gradient",
    "supports",
    "through_steps",
    "to_file",
    "value_and_grad",
    "value_and_jacobian",
    "vjp",
    "withgradient",
]


def __getattr__(name: str) -> _Any:
    """`adjoint.testing` and `adjoint.nn` are loaded when they are first asked for."""
    if name in ("nn", "testing"):
        return _importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
