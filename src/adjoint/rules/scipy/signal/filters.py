"""Filters given by difference equations, Σ aₖ yₙ₋ₖ = Σ bₖ xₙ₋ₖ, by the signal, the coefficients and the state.

The adjoint of a causal filter is the same filter run backwards in time.
"""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc, import-untyped"

import numpy as np
from scipy import signal
from scipy.signal import lfilter, lfilter_zi, lfiltic, sosfilt, sosfilt_zi

from ....ops import Alloc, each
from ...numpy.lifting import composed, refuse
from ...registry import non_differentiable, rule
from ..margins import surrounded
from ..precision import in_doubles
from ..structures import in_kind


def fir(b, x):
    """Σ bₖ xₙ₋ₖ along the last axis, zero before the start.

    >>> fir(np.array([1.0, 2.0]), np.ones(3))
    array([1., 3., 3.])
    """
    return lfilter(b, [1.0], x)


def all_pole(a, w):
    """The y with yₙ = wₙ - Σₖ aₖ yₙ₋ₖ along the last axis, for a₀ = 1.

    >>> all_pole(np.array([1.0, -1.0]), np.ones(3))
    array([1., 2., 3.])
    """
    return lfilter([1.0], a, w)


def backwards(x):
    """The last axis turned round."""
    return np.flip(x, axis=-1)


def lagged(d, x, n):
    """Σ dᵢ conj(xᵢ₋ₖ) over all i, for each k below n."""
    length = x.shape[-1]
    sums = [np.sum(d[..., k:] * np.conj(x[..., : max(length - k, 0)])) for k in range(n)]
    return np.stack(sums)


@rule(fir)
def fir_rule(b, x):
    """y = b * x."""

    def fir_back(y_bar):
        x_bar = backwards(fir(np.conj(b), backwards(y_bar)))
        return in_kind(lagged(y_bar, x, len(b)), b), in_kind(x_bar, x)

    return fir(b, x), fir_back


@rule(all_pole)
def all_pole_rule(a, w):
    """y = w / a, so w̄ = ȳ / a backwards in time, and āₖ = -Σ w̄ₙ conj(yₙ₋ₖ)."""
    y = all_pole(a, w)

    def all_pole_back(y_bar):
        w_bar = backwards(all_pole(np.conj(a), backwards(y_bar)))
        return in_kind(-lagged(w_bar, y, len(a)), a), in_kind(w_bar, w)

    return y, all_pole_back


def filled(c, n):
    """Coefficients with zeros at the end, up to so many.

    >>> filled(np.ones(1), 3)
    array([1., 0., 0.])
    """
    return np.concatenate((c, np.zeros(n - len(c))))


def run(b, a, x, zi):
    """The output along the last axis, and the state at the end where one is given at the start."""
    order = max(len(a), len(b))
    b, a = filled(b, order) / a[0], filled(a, order) / a[0]
    n = x.shape[-1]
    w = fir(b, x)
    if zi is None:
        return all_pole(a, w), None
    state = np.broadcast_to(zi, (*x.shape[:-1], order - 1))
    if n >= order - 1:
        start = np.concatenate((state, np.zeros((*x.shape[:-1], n - order + 1))), axis=-1)
    else:
        start = state[..., :n]
    y = all_pole(a, w + start)
    ends = []
    for i in range(order - 1):
        end = state[..., n + i] if n + i < order - 1 else np.zeros(x.shape[:-1])
        for k in range(i + 1, order):
            if 0 <= n + i - k < n:
                end = end + b[k] * x[..., n + i - k] - a[k] * y[..., n + i - k]
        ends.append(end)
    return y, np.stack(ends, axis=-1) if ends else np.zeros((*x.shape[:-1], 0))


@composed(lfilter)
def lfilter_of(b, a, x, axis=-1, zi=None):
    """The output, and the state at the end where one is given at the start."""
    coefficients, poles = np.atleast_1d(b) * 1.0, np.atleast_1d(a) * 1.0
    values = np.moveaxis(np.asarray(x) * 1.0, axis, -1)
    y, zf = run(coefficients, poles, values, None if zi is None else np.moveaxis(np.asarray(zi) * 1.0, axis, -1))
    y = np.moveaxis(y, -1, axis)
    return y if zf is None else (y, np.moveaxis(zf, -1, axis))


@composed(lfilter_zi)
def lfilter_zi_of(b, a):
    """The state in which the filter stays for a constant input: (I - Aᵀ) z = b₁.. - a₁.. b₀."""
    numerator, denominator = np.atleast_1d(b) * 1.0, np.atleast_1d(a) * 1.0
    kind = np.result_type(numerator, denominator)
    numerator, denominator = in_doubles(numerator), in_doubles(denominator)
    if denominator[0] == 0.0 and len(denominator) > 1:
        refuse("scipy.signal.lfilter_zi", "leading zeros have no rule", "leave the zeros off")
    order = max(len(numerator), len(denominator))
    b, a = filled(numerator, order) / denominator[0], filled(denominator, order) / denominator[0]
    shift = np.eye(order - 1, k=1)
    first = np.zeros(order - 1)
    first[0] = 1.0
    z = np.linalg.solve(np.eye(order - 1) + np.outer(a[1:], first) - shift, b[1:] - a[1:] * b[0])
    return z.astype(kind)


DIVIDES = bool(lfiltic([1.0], [2.0, 1.0], [1.0])[0] == -0.5)
"""True if `lfiltic` heeds the first coefficient of the denominator, as it does since SciPy 1.16."""


@composed(lfiltic)
def lfiltic_of(b, a, y, x=None):
    """The state in which the latest outputs and inputs, the newest first, leave a filter: with a₀ = 1,
    zᵢ = Σⱼ bᵢ₊ⱼ₊₁ xⱼ - aᵢ₊ⱼ₊₁ yⱼ."""
    numerator, denominator = np.atleast_1d(b) * 1.0, np.atleast_1d(a) * 1.0
    m, n = len(numerator) - 1, len(denominator) - 1
    inputs = np.zeros(m) if x is None else filled((np.asarray(x) * 1.0)[:m], m)
    outputs = filled((np.asarray(y) * 1.0)[:n], n)
    state = []
    for i in range(max(m, n)):
        past = np.sum(numerator[i + 1 :] * inputs[: max(m - i, 0)])
        state.append(past - np.sum(denominator[i + 1 :] * outputs[: max(n - i, 0)]))
    if not state:
        return np.zeros(0)
    return np.stack(state) / denominator[0] if DIVIDES else np.stack(state)


@composed(sosfilt)
def sosfilt_of(sos, x, axis=-1, zi=None):
    """One section after the other."""
    sections = np.atleast_2d(sos)
    y = np.moveaxis(np.asarray(x) * 1.0, axis, -1)
    if zi is None:
        for i in range(len(sections)):
            y, _ = run(sections[i, :3], sections[i, 3:], y, None)
        return np.moveaxis(y, -1, axis)
    place = axis % y.ndim + 1
    states = np.moveaxis(np.asarray(zi) * 1.0, place, -1)
    ends = []
    for i in range(len(sections)):
        y, end = run(sections[i, :3], sections[i, 3:], y, states[i])
        ends.append(end)
    return np.moveaxis(y, -1, axis), np.moveaxis(np.stack(ends), -1, place)


@composed(sosfilt_zi)
def sosfilt_zi_of(sos):
    """The state of each section for a constant input, as the sections before have scaled it."""
    scale, states = 1.0, []
    for i in range(len(sos)):
        b, a = sos[i, :3], sos[i, 3:]
        states.append(scale * lfilter_zi_of(b, a))
        scale = scale * np.sum(b) / np.sum(a)
    return np.stack(states)


# Forwards and backwards


def extended(x, edge, padtype):
    """The signal, which goes on at both ends of the last axis: turned round a point, mirrored, or constant."""
    if padtype is None or edge == 0:
        return x
    n = x.shape[-1]
    if padtype == "constant":
        left, right = np.repeat(x[..., :1], edge, axis=-1), np.repeat(x[..., -1:], edge, axis=-1)
    else:
        left, right = backwards(x[..., 1 : edge + 1]), backwards(x[..., n - edge - 1 : n - 1])
        if padtype == "odd":
            left, right = 2 * x[..., :1] - left, 2 * x[..., -1:] - right
    return np.concatenate((left, x, right), axis=-1)


def there_and_back(filtered, x, edge, padtype):
    """A filter run forwards, and then backwards over what came out."""
    wide = extended(x, edge, padtype)
    y = filtered(wide, wide[..., :1])
    y = backwards(filtered(backwards(y), y[..., -1:]))
    return y[..., edge : y.shape[-1] - edge] if edge else y


@composed(signal.filtfilt)
def filtfilt_of(b, a, x, axis=-1, padtype="odd", padlen=None, method="pad", irlen=None):
    """The filter of Gustafsson's method is refused."""
    if method != "pad":
        refuse(
            "scipy.signal.filtfilt(method='gust')",
            "its initial conditions are those of a least-squares problem",
            "use method='pad'",
        )
    numerator, denominator = np.atleast_1d(b) * 1.0, np.atleast_1d(a) * 1.0
    values = np.moveaxis(np.asarray(x) * 1.0, axis, -1)
    edge = 0 if padtype is None else 3 * max(len(numerator), len(denominator)) if padlen is None else padlen
    steady = lfilter_zi_of(numerator, denominator)

    def filtered(signal, start):
        return run(numerator, denominator, signal, steady * start)[0]

    return np.moveaxis(there_and_back(filtered, values, edge, padtype), -1, axis)


def taps_of(sos):
    """The number of taps that the padding of `sosfiltfilt` counts with."""
    return 2 * len(sos) + 1 - min(int(np.sum(sos[:, 2] == 0)), int(np.sum(sos[:, 5] == 0)))


non_differentiable(taps_of)


@composed(signal.sosfiltfilt)
def sosfiltfilt_of(sos, x, axis=-1, padtype="odd", padlen=None):
    """The sections forwards, and then backwards."""
    sections = np.asarray(sos) * 1.0
    values = np.moveaxis(np.asarray(x) * 1.0, axis, -1)
    edge = 0 if padtype is None else 3 * taps_of(sections) if padlen is None else padlen
    steady = sosfilt_zi_of(sections)

    def filtered(signal, start):
        for i in range(len(sections)):
            signal = run(sections[i, :3], sections[i, 3:], signal, steady[i] * start)[0]
        return signal

    return np.moveaxis(there_and_back(filtered, values, edge, padtype), -1, axis)


def decimating(q, n, ftype):
    """The taps, or the sections, of the filter before samples are left out."""
    if ftype == "fir":
        return signal.firwin((20 * q if n is None else n) + 1, 1.0 / q, window="hamming")
    return signal.cheby1(8 if n is None else n, 0.05, 0.8 / q, output="sos")


non_differentiable(decimating)


@composed(signal.decimate)
def decimate_of(x, q, n=None, ftype="iir", axis=-1, zero_phase=True):
    """A low-pass filter, and then every q-th sample."""
    values = np.asarray(x) * 1.0
    if ftype == "fir":
        taps = decimating(q, n, ftype)
        if zero_phase:
            return signal.resample_poly(values, 1, q, axis=axis, window=taps)
        length = values.shape[axis] // q + bool(values.shape[axis] % q)
        whole = signal.upfirdn(taps, values, up=1, down=q, axis=axis)
        return np.moveaxis(np.moveaxis(whole, axis, 0)[:length], 0, axis)
    if ftype != "iir":
        refuse(
            "scipy.signal.decimate(ftype=)",
            "a filter of one's own may be of any class",
            "filter first, and take x[::q]",
        )
    sections = decimating(q, n, ftype)
    y = sosfiltfilt_of(sections, values, axis=axis) if zero_phase else sosfilt_of(sections, values, axis=axis)
    return np.moveaxis(np.moveaxis(y, axis, 0)[::q], 0, axis)


@composed(signal.savgol_filter)
def savgol_of(x, window_length, polyorder, deriv=0, delta=1.0, axis=-1, mode="interp", cval=0.0):
    """The value in the middle of a polynomial fitted to each window; near the ends, of that of the first and last."""
    if window_length % 2 == 0:
        refuse("scipy.signal.savgol_filter", "windows of even length have no rule", "take an odd one")
    values = np.moveaxis(np.asarray(x) * 1.0, axis, -1)
    n, half = values.shape[-1], window_length // 2
    fits = fits_of(window_length, polyorder, deriv)
    if mode == "interp":
        middle = signal.fftconvolve(values, np.reshape(fits[half, ::-1], weights_shape(values.ndim)), "valid", -1)
        first = values[..., :window_length] @ fits[:half].T
        last = values[..., n - window_length :] @ fits[half + 1 :].T
        smooth = np.concatenate((first, middle, last), axis=-1)
    else:
        wide = beyond_ends(values, half, mode, cval)
        smooth = signal.fftconvolve(wide, np.reshape(fits[half, ::-1], weights_shape(values.ndim)), "valid", -1)
    return np.moveaxis(smooth / delta**deriv, -1, axis)


def weights_shape(ndim):
    """The shape of weights along the last axis."""
    return (*(1,) * (ndim - 1), -1)


def fits_of(window_length, polyorder, deriv):
    """The matrix that gives the values of the polynomial fitted to a window, at all of its points."""
    places = np.arange(window_length) - window_length // 2
    powers = places[:, None] ** np.arange(polyorder + 1.0)
    n = np.arange(polyorder + 1)
    factors = np.array([np.prod(np.arange(k - deriv + 1.0, k + 1)) if k >= deriv else 0.0 for k in n])
    slopes = places[:, None] ** np.maximum(n - deriv, 0).astype(float) * factors
    return slopes @ np.linalg.pinv(powers)


non_differentiable(fits_of, weights_shape)


def beyond_ends(x, edge, mode, cval):
    """The signal, which goes on at both ends as the mode says."""
    pads = [(0, 0)] * (x.ndim - 1) + [(edge, edge)]
    if mode == "constant":
        return surrounded(x, pads, cval)
    return np.pad(x, pads, {"nearest": "edge", "mirror": "reflect", "wrap": "wrap"}[mode])


each((Alloc(),), lfilter, lfiltic)
