"""Waveforms: of a changing frequency, pulses, saws."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import math
from typing import Any

import numpy as np
from scipy import signal

from ...numpy.lifting import composed
from ...registry import non_differentiable


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


@composed(signal.sweep_poly)
def sweep_poly(t, poly, phi=0):
    """The same for a frequency that is a polynomial."""
    return np.cos(2 * math.pi * np.polyval(np.polyint(poly), t) + phi * (math.pi / 180))


@composed(signal.gausspulse)
def gausspulse(t, fc=1000, bw=0.5, bwr=-6, tpr=-60, retquad=False, retenv=False):
    """exp(-a t²) cos(2π f t), the spectrum of which falls by `bwr` decibels at the ends of the bandwidth."""
    a = -((math.pi * fc * bw) ** 2) / (bwr / 5 * math.log(10))
    if isinstance(t, str):
        return np.sqrt(-tpr / 20 * math.log(10) / a)
    t = np.asarray(t)
    envelope, phase = np.exp(-a * t * t), 2 * math.pi * fc * t
    found: Any = (envelope * np.cos(phase),)
    if retquad:
        found = (*found, envelope * np.sin(phase))
    if retenv:
        found = (*found, envelope)
    return found if retquad or retenv else found[0]


@composed(signal.sawtooth)
def sawtooth(t, width=1.0):
    """A line up from -1 to 1 in a share of the period, and a line down in the rest."""
    t, width = np.broadcast_arrays(np.asarray(t), np.asarray(width))
    turn = np.mod(t / (2 * math.pi), 1.0)
    up = turn < width
    rising = 2 * turn / np.where(up, width, 1.0) - 1
    falling = (width + 1 - 2 * turn) / np.where(up, 1.0, 1 - width)
    return np.where((width >= 0) & (width <= 1), np.where(up, rising, falling), np.nan)


non_differentiable(signal.square)
