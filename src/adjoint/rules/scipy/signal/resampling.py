"""Signals at other rates, their trends and their analytic parts: all linear."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc, operator, import-untyped"

import math

import numpy as np
from scipy import fft, signal

from ...numpy.lifting import array_rule, composed, refuse
from ...numpy.linear import cast
from ...registry import non_differentiable


def spectral_window(window, n):
    """The window in the order of the frequencies of an FFT of n points; None for none."""
    if window is None:
        return None
    if callable(window):
        return window(fft.fftfreq(n))
    return np.asarray(window) * 1.0 if hasattr(window, "shape") else named_window(window, n)


def named_window(window, n):
    """A window by its name, as SciPy takes it."""
    return np.real(fft.fft(signal.resample(np.ones(n, complex), n, window=window, domain="freq")))


def unpaired(n, num, m, bins):
    """The weights of the kept frequencies: a bin without its partner stands for two, or for half of one."""
    w = np.ones(bins)
    if m % 2 == 0 and n != num:
        w[m // 2] = 2.0 if num < n else 0.5
    return w


non_differentiable(named_window, unpaired)


@composed(signal.resample)
def resample_of(x, num, t=None, axis=0, window=None, domain="time"):
    """The spectrum cut, or filled up with zeros."""
    values = np.moveaxis(np.asarray(x), axis, -1)
    n = values.shape[-1]
    m = min(num, n)
    half = m // 2 + 1
    weights = spectral_window(window, n)
    if domain == "time" and not np.iscomplexobj(values):
        spectrum = fft.rfft(values)
        if weights is not None:
            bins = spectrum.shape[-1]
            both = np.concatenate((weights[:1], (weights[1:bins] + np.flip(weights[n - bins + 1 :])) / 2))
            spectrum = spectrum * both
        y = fft.irfft(spectrum[..., :half] * unpaired(n, num, m, half), num) * (num / n)
    else:
        spectrum = fft.fft(values) if domain == "time" else values
        if weights is not None:
            spectrum = spectrum * weights
        low, high = spectrum[..., :half], spectrum[..., n - (m - half) :]
        gap = np.zeros((*values.shape[:-1], num - m))
        if m % 2 == 0 and num < n:  # both of a pair have become one
            low = np.concatenate((low[..., :-1], low[..., -1:] + spectrum[..., n - m // 2 : n - m // 2 + 1]), axis=-1)
        if m % 2 == 0 and num > n:  # one has become a pair
            shared = low[..., -1:] / 2
            low, gap = np.concatenate((low[..., :-1], shared), axis=-1), gap[..., 1:]
            high = np.concatenate((shared, high), axis=-1)
        y = fft.ifft(np.concatenate((low, gap, high), axis=-1)) * (num / n)
    y = np.moveaxis(y, -1, axis)
    return y if t is None else (y, np.arange(num) * (t[1] - t[0]) * n / num + t[0])


def low_pass(up, down, window):
    """The taps of a low-pass filter, and how many come before the middle one."""
    rate = max(up, down)
    half = 10 * rate
    return signal.firwin(2 * half + 1, 1.0 / rate, window=window) * up, half


non_differentiable(low_pass)


@composed(signal.resample_poly)
def resample_poly_of(x, up, down, axis=0, window=("kaiser", 5.0), padtype="constant", cval=None):
    """Zeros between the samples, a low-pass filter, and every so many samples of that."""
    levels = {"mean": np.mean, "median": np.median, "minimum": np.min, "maximum": np.max}
    if padtype != "constant" and padtype not in levels or cval:
        why = "it has a rule for zeros beyond the ends, or one level for the signal"
        way_out = "use 'constant' without `cval`, 'mean', 'median', 'minimum' or 'maximum'"
        refuse("scipy.signal.resample_poly(padtype=, cval=)", why, way_out)
    values = np.moveaxis(np.asarray(x) * 1.0, axis, -1)
    common = math.gcd(up, down)
    up, down = up // common, down // common
    if up == down == 1:
        return np.moveaxis(values, -1, axis)
    n = values.shape[-1]
    count = n * up // down + bool(n * up % down)
    if isinstance(window, list | np.ndarray):
        taps = np.asarray(window) * up
        half = (len(taps) - 1) // 2
    else:
        taps, half = low_pass(up, down, window)
    level = 0.0
    if padtype in levels:
        level = levels[padtype](values, axis=-1, keepdims=True)
        values = values - level
    spread = np.concatenate((values[..., None], np.zeros((*values.shape, up - 1))), axis=-1)
    dense = np.reshape(spread, (*values.shape[:-1], n * up))
    whole = signal.fftconvolve(dense, np.reshape(taps, (*(1,) * (dense.ndim - 1), -1)), axes=-1)
    missing = max(half + (count - 1) * down + 1 - whole.shape[-1], 0)
    whole = np.concatenate((whole, np.zeros((*whole.shape[:-1], missing))), axis=-1)
    return np.moveaxis(whole[..., half : half + (count - 1) * down + 1 : down] + level, -1, axis)


@array_rule(signal.detrend, linear="data")
def detrend_rule(data: np.ndarray, axis=-1, type="linear", bp=0, overwrite_data=False):
    """The data without their trend: a projection, which is its own adjoint."""
    if overwrite_data:
        refuse("signal.detrend(overwrite_data=True)", "it stores into the data", "leave it off")
    kind = data.dtype

    def detrend_back(y_bar):
        return (cast(signal.detrend(y_bar, axis, type, bp), kind),)

    return signal.detrend(data, axis, type, bp), detrend_back


def one_sided(n):
    """2 for the positive frequencies of n points, 1 for 0 and the highest one of an even n, 0 for the negative ones.

    >>> one_sided(4)
    array([1., 2., 1., 0.])
    """
    h = np.zeros(n)
    h[0] = 1.0
    h[1 : (n + 1) // 2] = 2.0
    if n % 2 == 0:
        h[n // 2] = 1.0
    return h


non_differentiable(one_sided)


@composed(signal.hilbert)
def hilbert_of(x, N=None, axis=-1):  # noqa: N803
    """The signal without its negative frequencies."""
    values = np.moveaxis(np.asarray(x) * 1.0, axis, -1)
    n = values.shape[-1] if N is None else N
    return np.moveaxis(fft.ifft(fft.fft(values, n) * one_sided(n)), -1, axis)
