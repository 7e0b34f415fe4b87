"""Functions of `scipy.special`; this module is imported where a program has imported that."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

from .. import arrays
from .. import special as programs
from ..elementary import ELEMENTARY, ERF, ERFC
from ..lower import Lower
from ..ruled import stopped
from ..values import CannotCompile, Value, is_number
from .calls import MEANINGS, Meaning, entrywise
from .gamma import by_entries, gamma, log_gamma


def _of_floats(program: Any, arrays_only: bool = False) -> Meaning:
    """A function of numbers or arrays by its program."""

    def meaning(lower: Lower, *args: Value, **kwargs: Value) -> Value:
        n = 1 if arrays_only else len(args)
        given = [x if is_number(x) else arrays.as_array(lower.w, x) for x in args[:n]]
        if any(x.kind != "f" for x in given) or arrays_only and is_number(given[0]):
            raise CannotCompile(f"`{program.__name__}` of such arguments")
        return lower.call_function(program, [*given, *args[n:]], kwargs)

    return meaning


def _as(fn: Any) -> Meaning:
    return lambda lower, *args: entrywise(lower, (fn, None), args)


special = importlib.import_module("scipy.special")
MEANINGS.update({
    programs.still: stopped,
    special.gamma: gamma,
    special.gammaln: log_gamma,
    special.psi: by_entries(programs.digamma),
    special.ndtr: by_entries(programs.ndtr),
    special.log_ndtr: by_entries(programs.log_ndtr),
    special.erf: _as(ERF),
    special.erfc: _as(ERFC),
    special.expm1: _as(ELEMENTARY[np.expm1][0]),
    special.log1p: _as(ELEMENTARY[np.log1p][0]),
    special.exp2: _as(ELEMENTARY[np.exp2][0]),
    special.cbrt: _as(ELEMENTARY[np.cbrt][0]),
    **{getattr(special, f.__name__): _of_floats(f) for f in (
        programs.expit, programs.logit, programs.log_expit, programs.xlogy, programs.xlog1py, programs.entr,
    )},
    **{getattr(special, f.__name__): _of_floats(f, arrays_only=True) for f in (
        programs.logsumexp, programs.softmax, programs.log_softmax,
    )},
})  # fmt: skip
