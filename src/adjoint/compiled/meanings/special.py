"""Functions of `scipy.special`; this module is imported where a program has imported that."""

from __future__ import annotations

import importlib
import inspect
import math
from typing import Any

import numpy as np

from ...tangents import unknown
from .. import arrays, functions
from .. import special as programs
from ..elementary import ELEMENTARY, ERF, ERFC, LINK, LT, NEG, SELECT, Elementary
from ..kernel import Lit
from ..lower import Lower
from ..ruled import stopped
from ..values import NONE, CannotCompile, Value, is_number
from .calls import MEANINGS, Meaning, entrywise


def _of_arrays(program: Any) -> Meaning:
    """A function of arrays by its program."""

    def meaning(lower: Lower, a: Value, *args: Value, **kwargs: Value) -> Value:
        given = a if is_number(a) else arrays.as_array(lower.w, a)
        if given.kind != "f" or is_number(given):
            raise CannotCompile(f"`{program.__name__}` of such arguments")
        return lower.call_function(program, [given, *args], kwargs)

    return meaning


def _ruled(name: str, rule: Any, text: str = "", plain: Any = None) -> Elementary:
    """A function of numbers with a form of its own, whose partials are those of a rule."""
    f = plain or functions.FUNCTIONS[name]
    places = ", ".join(f"{{{k}}}" for k in range(len(inspect.signature(f).parameters)))
    return Elementary(name, f"{text or name}({places})", "f", f, rule, dear=True)


def _as(fn: Any) -> Meaning:
    return lambda lower, *args: entrywise(lower, (fn, None), args)


special = importlib.import_module("scipy.special")
errors, information = [
    importlib.import_module(f"adjoint.rules.scipy.special.{name}") for name in ("errors", "information")
]
MILLS = _ruled("mills_fraction", errors.mills_fraction)
POLYGAMMA = _ruled("polygamma", special.polygamma)


def polygamma(lower: Lower, n: Value, x: Value) -> Value:
    """ψ⁽ⁿ⁾(x) for n that is written down."""
    if not lower.branchless and (not isinstance(n, Lit) or n.kind != "i" or n.value < 1):
        raise CannotCompile("`polygamma` of an order that is not known, or is not positive")
    return entrywise(lower, (POLYGAMMA, None), [n, x])


def ratio_slope(lower: Lower, x: Value, y: Value) -> Value:
    """The derivative of φ(x) / Φ(x), as `adjoint.rules` has it."""
    w = lower.w
    c, following = w.op(MILLS, x, 0), w.op(MILLS, x, 1)
    far = w.sub(w.mul(c, w.sub(following, c)), 1.0)
    return w.op(SELECT, w.op(LT, x, -2.0), far, w.mul(w.op(NEG, y), c))


def moved(lower: Lower, value: Value, carrier: Value) -> Value:
    """Entries with the derivatives of others."""
    return arrays.elementwise(lower.w, lambda v, c: lower.w.op(LINK, v, c), [value, carrier], "f")


MEANINGS.update({
    programs.still: stopped,
    programs.moved: moved,
    information.quotient: _as(_ruled("quotient", information.quotient)),
    special.gamma: _as(_ruled("gamma", special.gamma)),
    special.gammaln: _as(_ruled("lgamma", special.gammaln, "math.lgamma", math.lgamma)),
    special.polygamma: polygamma,
    unknown: lambda lower, *args, **kwargs: NONE,
    errors.ratio_slope: ratio_slope,
    errors.mills_fraction: _as(MILLS),
    errors.density_ratio: _as(_ruled("density_ratio", errors.density_ratio)),
    special.erf: _as(ERF),
    special.erfc: _as(ERFC),
    special.expm1: _as(ELEMENTARY[np.expm1][0]),
    special.log1p: _as(ELEMENTARY[np.log1p][0]),
    special.exp2: _as(ELEMENTARY[np.exp2][0]),
    special.cbrt: _as(ELEMENTARY[np.cbrt][0]),
    **{getattr(special, name): _as(_ruled(name, getattr(special, name))) for name in (
        "expit", "logit", "log_expit", "xlogy", "xlog1py", "entr", "ndtr", "log_ndtr", "psi",
    )},
    **{getattr(special, f.__name__): _of_arrays(f) for f in (
        programs.logsumexp, programs.softmax, programs.log_softmax,
    )},
})  # fmt: skip
