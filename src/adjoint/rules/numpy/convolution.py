"""Convolution and correlation of rows."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import numpy as np

from ..registry import rule
from .linear import bring_back, cast
from .products import Arrays


@rule(np.convolve, linear="a v")
def convolve_rule(a: Arrays, v: Arrays, mode="full"):
    """yₖ = Σ aᵢ v_{k-i}, so ā = ȳ correlated with v, and v̄ with a."""
    x, z = np.asarray(a), np.asarray(v)

    def convolve_back(y_bar):
        d = _full(y_bar, x.size, z.size, mode)
        a_bar = np.correlate(d, z, "valid") if z.size else d
        v_bar = np.correlate(d, x, "valid")
        return bring_back(cast(a_bar, x.dtype), a), bring_back(cast(v_bar, z.dtype), v)

    return np.convolve(a, v, mode), convolve_back


@rule(np.correlate, linear="a v")
def correlate_rule(a: Arrays, v: Arrays, mode="valid"):
    """yₖ = Σ a_{i+k} conj(vᵢ): the convolution of a with v reversed."""
    x, z = np.asarray(a), np.asarray(v)

    def correlate_back(y_bar):
        # With a shorter `a` NumPy exchanges the two and gives the result in reverse; "same" is then cut elsewhere.
        swapped = x.size < z.size
        d = np.flip(y_bar) if swapped else y_bar
        d = _full(d, x.size, z.size, mode)
        d = np.flip(d) if swapped else d
        w = np.flip(z)
        a_bar = np.correlate(d, w.conj(), "valid")
        w_bar = np.correlate(d, x, "valid")
        return bring_back(cast(a_bar, x.dtype), a), bring_back(cast(np.flip(w_bar).conj(), z.dtype), v)

    return np.correlate(a, v, mode), correlate_back


def _full(y_bar, n, m, mode):
    """ȳ of the mode "full", zero where the other modes have cut it."""
    total = n + m - 1
    start = 0 if mode == "full" else min(n, m) - 1 if mode == "valid" else (min(n, m) - 1) // 2
    return np.pad(y_bar, (start, total - start - len(y_bar)))
