"""Derivatives of ordinary Python by transforming its code: `pullback(f, *args) -> (y, back)`, and what builds on it.

What is used most stands here; the rest in modules that say what they are: `calculus` (more derivatives), `rules`,
`inspect`, `errors`, `sparse`, `optimize`, `stats`, `testing`, `nn`, `compat`, `interop`, `dask`, `ir`.
"""

import importlib as _importlib
import warnings as _warnings
from typing import Any as _Any

from .pause import pausing as _pausing

with _pausing(ages=True):  # a fifth of the time of an import is what the collector takes
    from . import calculus, errors, inspect, optimize, rules, sparse, stats
    from .api import gradient, pullback, rrule, withgradient
    from .batching import vmap
    from .checkpoints import checkpoint
    from .compilation import compile
    from .curvature import hvp
    from .derivatives import stop_gradient
    from .diagnostics import explain
    from .directional import jvp, vjp
    from .explorer import explore
    from .forward import linearize
    from .gradients import grad, value_and_grad
    from .hessians import hessian
    from .jacobians import jacobian
    from .rules import rule
    from .tangents import Tangent
    from .versions import show_versions

__version__ = "0.2.0"

__all__ = [
    "Tangent",
    "checkpoint",
    "compile",
    "explain",
    "explore",
    "grad",
    "gradient",
    "hessian",
    "hvp",
    "jacobian",
    "jvp",
    "linearize",
    "pullback",
    "rrule",
    "rule",
    "show_versions",
    "stop_gradient",
    "value_and_grad",
    "vjp",
    "vmap",
    "withgradient",
]

_WHEN_ASKED_FOR = ("compat", "dask", "interop", "ir", "nn", "testing")
_MODULES = (calculus, errors, inspect, optimize, rules, sparse, stats)


def _checked_pullback(f: _Any, /, *args: _Any, **kwargs: _Any) -> _Any:
    return pullback(f, *args, check=True, **kwargs)


def __getattr__(name: str) -> _Any:
    """Some modules are loaded when they are first asked for; old names go on working."""
    if name in _WHEN_ASKED_FOR:
        return _importlib.import_module(f"{__name__}.{name}")
    if name == "checked_pullback":
        _warnings.warn("write `adjoint.pullback(..., check=True)`", DeprecationWarning, stacklevel=2)
        return _checked_pullback
    from .other_names import OF_0_1, OF_OTHERS, missing_name, name_in, told

    for module in _MODULES:
        if name in module.__all__ and name in OF_0_1:
            _warnings.warn(f"`adjoint.{name}` is now `{module.__name__}.{name}`", DeprecationWarning, stacklevel=2)
            return getattr(module, name)
        if name in module.__all__:
            raise told(name_in(module.__name__, name))
    if name in OF_OTHERS:
        raise told(missing_name(name))
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__", *_WHEN_ASKED_FOR, *(m.__name__.rpartition(".")[2] for m in _MODULES)])
