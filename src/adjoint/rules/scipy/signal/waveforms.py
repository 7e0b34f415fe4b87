"""Waveforms of a changing frequency."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import math

import numpy as np
from scipy import signal

from ...numpy.lifting import composed


@composed(signal.chirp)
def chirp(t, f0, t1, f1, method="linear", phi=0, vertex_zero=True, *, complex=False):  # noqa: A002
    """cos or exp(i ·) of the phase, which is 2π times the integral of the frequency."""
    t = np.asarray(t)
    if method in ("linear", "lin", "li"):
        turns = f0 * t + (f1 - f0) / t1 * t * t / 2
    elif method in ("quadratic", "quad", "q"):
        rate = (f1 - f0) / (t1 * t1)
        late = f1 * t + rate * ((t1 - t) ** 3 - t1**3) / 3
        turns = f0 * t + rate * t**3 / 3 if vertex_zero else late
    elif f0 == f1:
        # In the limit of equal frequencies: f₀ t + (f₁ - f₀) t² / (2 t₁), to the first order.
        turns = f0 * t + (f1 - f0) / t1 * t * t / 2
    elif method in ("logarithmic", "log", "lo"):
        growth = np.log(f1 / f0)
        turns = t1 * f0 / growth * np.expm1(growth * t / t1)
    else:
        singular = f1 * t1 / (f1 - f0)
        turns = -singular * f0 * np.log(np.abs(1 - t / singular))
    phase = 2 * math.pi * turns + phi * (math.pi / 180)
    return np.exp(1j * phase) if complex else np.cos(phase)
