"""Spectra of signals: windowed pieces, their Fourier transforms, and means of the products of these."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc, import-untyped"

import numpy as np
from scipy import fft, signal

from ...numpy.lifting import composed, refuse
from ...registry import non_differentiable
from .filters import extended as beyond_ends


def window_of(window, nperseg, n):
    """The window and its length, for a signal of n samples."""
    if isinstance(window, str | tuple):
        length = min(256 if nperseg is None else int(nperseg), n)
        return np.asarray(signal.get_window(window, length)), length
    return np.asarray(window), len(window)


def pieces_of(n, length, step):
    """The samples in each piece, one piece in a row."""
    starts = np.arange(0, n - length + 1, step)
    return starts[:, None] + np.arange(length)


def doubled(nfft, bins):
    """2 for each frequency of half a spectrum that stands for two.

    >>> doubled(4, 3), doubled(3, 2)
    (array([1., 2., 1.]), array([1., 2.]))
    """
    w = np.full(bins, 2.0)
    w[0] = 1.0
    if nfft % 2 == 0:
        w[-1] = 1.0
    return w


def median_bias(n):
    """By how much the median of n squares is below their mean."""
    pairs = 2 * np.arange(1.0, (n - 1) // 2 + 1)
    return 1 + np.sum(1.0 / (pairs + 1) - 1.0 / pairs)


non_differentiable(window_of, pieces_of, doubled, median_bias)


def transforms(x, window, places, detrend, nfft, onesided):
    """The Fourier transform of each piece, along the last axis."""
    pieces = x[..., places]
    if callable(detrend):
        refuse(
            "a spectrum with a function for `detrend`",
            "what it does to the segments is not followed",
            "take the trend off before",
        )
    if detrend:
        pieces = signal.detrend(pieces, type=detrend)
    return fft.rfft(pieces * window, nfft) if onesided else fft.fft(pieces * window, nfft)


def extended(x, edge, boundary):
    """The signal, which goes on at both ends."""
    if boundary is None:
        return x
    pads = [(0, 0)] * (x.ndim - 1) + [(edge, edge)]
    if boundary == "odd":
        return beyond_ends(x, edge, "odd")
    return np.pad(x, pads, {"zeros": "constant", "even": "reflect", "constant": "edge"}[boundary])


def settings(x, fs, window, nperseg, noverlap, nfft, onesided, scaling):
    """The window, the places of the pieces, the length of the transforms, whether these are halves, the scale."""
    taps, length = window_of(window, nperseg, x.shape[-1])
    if not isinstance(window, str | tuple):
        taps = np.asarray(window) * 1.0
    step = length - (length // 2 if noverlap is None else noverlap)
    total = np.sum(taps * taps) * fs if scaling == "density" else np.sum(taps) ** 2
    whole = length if nfft is None else nfft
    return taps, pieces_of(x.shape[-1], length, step), whole, onesided and not np.iscomplexobj(x), 1.0 / total


def frequencies(nfft, fs, onesided):
    """The frequencies of a transform."""
    return (fft.rfftfreq(nfft) if onesided else fft.fftfreq(nfft)) * fs


def density(x, y, fs, window, nperseg, noverlap, nfft, detrend, onesided, scaling):
    """conj(X) Y for each piece: the frequencies, and the densities with the pieces along the last axis."""
    both = x if y is None else x + 0 * y
    taps, places, whole, half, scale = settings(both, fs, window, nperseg, noverlap, nfft, onesided, scaling)
    first = transforms(x, taps, places, detrend, whole, half)
    if y is None:
        product = np.real(first) ** 2 + np.imag(first) ** 2
    else:
        product = np.conj(first) * transforms(y, taps, places, detrend, whole, half)
    result = product * scale
    if half:
        result = result * doubled(whole, result.shape[-1])
    return frequencies(whole, fs, half), np.swapaxes(result, -1, -2)


def averaged(result, average):
    """The mean of all pieces, or their median."""
    n = result.shape[-1]
    if average == "median" and n > 1:
        if np.iscomplexobj(result):
            middle = np.median(np.real(result), axis=-1) + 1j * np.median(np.imag(result), axis=-1)
        else:
            middle = np.median(result, axis=-1)
        return middle / median_bias(n)
    return np.mean(result, axis=-1)


@composed(signal.welch)
def welch_of(
    x, fs=1.0, window="hann", nperseg=None, noverlap=None, nfft=None, detrend="constant", return_onesided=True,
    scaling="density", axis=-1, average="mean",
):  # fmt: skip
    """The mean of |X|² over pieces."""
    values = np.moveaxis(np.asarray(x) * 1.0, axis, -1)
    f, p = density(values, None, fs, window, nperseg, noverlap, nfft, detrend, return_onesided, scaling)
    return f, np.moveaxis(averaged(p, average), -1, axis)


@composed(signal.csd)
def csd_of(
    x, y, fs=1.0, window="hann", nperseg=None, noverlap=None, nfft=None, detrend="constant", return_onesided=True,
    scaling="density", axis=-1, average="mean",
):  # fmt: skip
    """The mean of conj(X) Y over pieces."""
    if np.shape(x) != np.shape(y):
        refuse("scipy.signal.csd", "signals of different shapes have no rule", "make them equally long")
    first, second = np.moveaxis(np.asarray(x) * 1.0, axis, -1), np.moveaxis(np.asarray(y) * 1.0, axis, -1)
    f, p = density(first, second, fs, window, nperseg, noverlap, nfft, detrend, return_onesided, scaling)
    return f, np.moveaxis(averaged(p, average), -1, axis)


@composed(signal.coherence)
def coherence_of(
    x, y, fs=1.0, window="hann", nperseg=None, noverlap=None, nfft=None, detrend="constant", axis=-1
):  # fmt: skip
    """|Pxy|² / Pxx / Pyy."""
    options = (fs, window, nperseg, noverlap, nfft, detrend, True, "density", axis)
    f, xx = welch_of(x, *options)
    _, yy = welch_of(y, *options)
    _, xy = csd_of(x, y, *options)
    return f, (np.real(xy) ** 2 + np.imag(xy) ** 2) / xx / yy


@composed(signal.periodogram)
def periodogram_of(
    x, fs=1.0, window="boxcar", nfft=None, detrend="constant", return_onesided=True, scaling="density", axis=-1
):  # fmt: skip
    """|X|² of the whole signal."""
    values = np.moveaxis(np.asarray(x) * 1.0, axis, -1)
    if nfft is not None and nfft < values.shape[-1]:
        values, nfft = values[..., :nfft], None
    n = values.shape[-1]
    taps = "boxcar" if window is None else window
    f, p = density(values, None, fs, taps, n, 0, nfft, detrend, return_onesided, scaling)
    return f, np.moveaxis(p[..., 0], -1, axis)


@composed(signal.stft)
def stft_of(
    x, fs=1.0, window="hann", nperseg=256, noverlap=None, nfft=None, detrend=False, return_onesided=True,
    boundary="zeros", padded=True, axis=-1, scaling="spectrum",
):  # fmt: skip
    """The transform of each piece."""
    values = np.moveaxis(np.asarray(x) * 1.0, axis, -1)
    _, length = window_of(window, nperseg, values.shape[-1])
    step = length - (length // 2 if noverlap is None else noverlap)
    wide = extended(values, length // 2, boundary)
    if padded:
        missing = (-(wide.shape[-1] - length) % step) % length
        wide = np.concatenate((wide, np.zeros((*wide.shape[:-1], missing))), axis=-1)
    kind = "density" if scaling == "psd" else "spectrum"
    # The length is that of the signal before it was extended.
    taps, places, whole, half, scale = settings(wide, fs, window, length, noverlap, nfft, return_onesided, kind)
    result = transforms(wide, taps, places, detrend, whole, half) * np.sqrt(scale)
    time = (places[:, 0] + length / 2 - (0 if boundary is None else length / 2)) / fs
    place = axis - 1 if axis < 0 else axis
    return frequencies(whole, fs, half), time, np.moveaxis(result, -1, place)


@composed(signal.spectrogram)
def spectrogram_of(
    x, fs=1.0, window=("tukey", 0.25), nperseg=None, noverlap=None, nfft=None, detrend="constant",
    return_onesided=True, scaling="density", axis=-1, mode="psd",
):  # fmt: skip
    """|X|² of each piece, or what `mode` says of X."""
    values = np.moveaxis(np.asarray(x) * 1.0, axis, -1)
    _, length = window_of(window, nperseg, values.shape[-1])
    overlap = length // 8 if noverlap is None else noverlap
    place = axis - 1 if axis < 0 else axis
    taps, places, whole, half, scale = settings(values, fs, window, length, overlap, nfft, return_onesided, scaling)
    time = (places[:, 0] + length / 2) / fs
    if mode == "psd":
        f, p = density(values, None, fs, window, length, overlap, nfft, detrend, return_onesided, scaling)
        return f, time, np.moveaxis(np.swapaxes(p, -1, -2), -1, place)
    if mode not in ("complex", "magnitude"):
        refuse("scipy.signal.spectrogram(mode=)", "only 'psd', 'complex' and 'magnitude' have a rule", "use np.angle")
    result = transforms(values, taps, places, detrend, whole, half) * np.sqrt(scale)
    result = np.abs(result) if mode == "magnitude" else result
    return frequencies(whole, fs, half), time, np.moveaxis(result, -1, place)


# Responses of filters


def angles(given, w, fs):
    """The angles of the frequencies: those that are given are differentiated."""
    return (w if np.ndim(given) == 0 else np.asarray(given) * 1.0) * (2 * np.pi / fs)


def power_sum(c, z):
    """Σ cₖ zᵏ."""
    total = c[-1] + 0 * z
    for k in range(len(c) - 2, -1, -1):
        total = total * z + c[k]
    return total


def grid_for(worN, whole, fs, include_nyquist):  # noqa: N803
    """The frequencies that `freqz` takes."""
    return signal.freqz([1.0], 1, worN=worN, whole=whole, fs=fs, include_nyquist=include_nyquist)[0]


non_differentiable(grid_for)


@composed(signal.freqz)
def freqz_of(b, a=1, worN=512, whole=False, plot=None, fs=2 * np.pi, include_nyquist=False):  # noqa: N803
    """H = Σ bₖ zᵏ / Σ aₖ zᵏ at z = exp(-i ω)."""
    numerator, denominator = np.atleast_1d(b), np.atleast_1d(a)
    if numerator.ndim > 1 or denominator.ndim > 1:
        refuse("scipy.signal.freqz", "several filters at once have no rule", "give one at a time")
    w = grid_for(worN, whole, fs, include_nyquist) if worN is None or np.ndim(worN) == 0 else worN
    omega = angles(worN, w, fs)
    z = np.exp(-1j * omega)
    return omega * (fs / (2 * np.pi)), power_sum(numerator, z) / power_sum(denominator, z)


def freqz_sos_of(sos, worN=512, whole=False, fs=2 * np.pi):  # noqa: N803
    """The product of the responses of all sections."""
    w = grid_for(worN, whole, fs, False) if worN is None or np.ndim(worN) == 0 else worN
    omega = angles(worN, w, fs)
    z = np.exp(-1j * omega)
    sections = np.atleast_2d(sos)
    response = 1.0 + 0 * z
    for i in range(len(sections)):
        response = response * power_sum(sections[i, :3], z) / power_sum(sections[i, 3:], z)
    return omega * (fs / (2 * np.pi)), response


for _name in ("sosfreqz", "freqz_sos"):
    if hasattr(signal, _name):
        composed(getattr(signal, _name))(freqz_sos_of)
