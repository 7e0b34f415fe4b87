"""Samples for `scipy.signal`."""

from typing import Any

import numpy as np
from rules.sampling import Sample, normal, sample, sample_of
from scipy import signal
from scipy.signal import windows


def plain(of: Any, f: Any, *args: Any, **options: Any) -> Sample:
    return sample_of(of, f, *args).but(**{"single": False, "strided": False, "lists": False, "order": 1, **options})


T = np.array([0.1, 0.7, 1.3])
MODES = ("full", "same", "valid")
SAMPLES: list[Sample] = []

for f in (signal.convolve, signal.fftconvolve, signal.oaconvolve, signal.correlate):
    SAMPLES += [
        sample(f, normal(5), normal(3, seed=1)).but(complex=True),
        *[plain(f, lambda a, b, m=m, f=f: f(a, b, m), normal(3), normal(6, seed=1)) for m in MODES],
        *[plain(f, lambda a, b, m=m, f=f: f(a, b, m), normal(5, 4), normal(3, 2)).but(complex=True) for m in MODES],
        sample(f, [1.0, 2.0], [3.0, 1.0, 2.0]),
        sample(f, 2.0, 3.0),
    ]
for f in (signal.fftconvolve, signal.oaconvolve):
    SAMPLES += [
        plain(f, lambda a, b, m=m, f=f: f(a, b, m, axes=-1), normal(n, 7), normal(k, 3))
        for m in MODES
        for n, k in ((2, 2), (1, 2), (2, 1))
    ]
for f in (signal.convolve2d, signal.correlate2d):
    SAMPLES += [
        *[
            plain(f, lambda a, b, m=m, e=e, f=f: f(a, b, m, e, fillvalue=0.5), normal(4, 3), normal(3, 2))
            for m in MODES
            for e in ("fill", "wrap", "symm")
        ],
        *[plain(f, lambda a, b, m=m, f=f: f(a, b, m), normal(2, 3), normal(4, 5)).but(complex=True) for m in MODES],
        sample(f, normal(3, 3), normal(2, 2)),
        plain(f, lambda a, v, f=f: f(a, np.ones((2, 2)), fillvalue=v), normal(3, 3), 0.3),
    ]
SAMPLES += [
    plain(signal.convolve, lambda a, b: signal.convolve(a, b, method="direct"), normal(5), normal(3)),
    plain(signal.correlate, lambda a, b: signal.correlate(a, b, method="fft"), normal(5), normal(3)),
    *[
        plain(signal.upfirdn, lambda h, x, u=u, d=d, a=a: signal.upfirdn(h, x, u, d, axis=a), normal(4), normal(7, 2))
        for u, d, a in ((3, 2, 0), (1, 2, 1), (2, 1, 0))
    ],
]

B, A = np.array([0.5, 0.3, 0.2]), np.array([1.3, -0.4, 0.2, 0.1])
SECTIONS = signal.butter(4, 0.3, output="sos")[:, [0, 1, 2, 4, 5]]


def sos(s: Any) -> Any:
    """All sections; SciPy wants the fourth coefficient to be just 1."""
    return np.stack([s[:, 0], s[:, 1], s[:, 2], np.ones(len(s)), s[:, 3], s[:, 4]], axis=1)


SAMPLES += [
    sample(signal.lfilter, B, A, normal(2, 6)).but(complex=True),
    plain(signal.lfilter, lambda b, a, x: signal.lfilter(b, a, x, axis=0), B, A, normal(6, 2)),
    *[plain(signal.lfilter, lambda b, x, a=a: signal.lfilter(b, a, x), B, normal(6)) for a in (1.0, [2.0])],
    plain(signal.lfilter, lambda b, a, x, z: signal.lfilter(b, a, x, zi=z), B, A, normal(2, 6), normal(2, 3), order=2),
    plain(signal.lfilter, lambda b, a, x, zi: signal.lfilter(b, a, x, 0, zi), B, A, normal(6, 2), normal(3, 2)),
    plain(signal.lfilter, lambda b, a, x, zi: signal.lfilter(b, a, x, zi=zi), B, A, normal(2), normal(3)),
    plain(signal.lfilter, lambda b, x, zi: signal.lfilter(b, 2.0, x, zi=zi), B, normal(2, 5), normal(1, 2)),
    sample(signal.lfilter_zi, B, A),
    sample(signal.lfiltic, B, A, normal(3), normal(2)),
    plain(signal.lfiltic, lambda b, a, y: signal.lfiltic(b, a, y), B, A, normal(1)),
    plain(signal.lfiltic, lambda b, y, x: signal.lfiltic(b, 2.0, y, x=x), B, normal(2), normal(4)),
    plain(signal.sosfilt, lambda s, x: signal.sosfilt(sos(s), x), SECTIONS, normal(2, 6), order=2),
    plain(signal.sosfilt, lambda s, x: signal.sosfilt(sos(s), x, axis=0), SECTIONS, normal(6, 2)),
    plain(
        signal.sosfilt, lambda s, x, z: signal.sosfilt(sos(s), x, 0, z), SECTIONS, normal(6, 3), normal(2, 2, 3),
    ),
    plain(signal.sosfilt_zi, lambda s: signal.sosfilt_zi(sos(s)), SECTIONS),
    *[
        plain(signal.filtfilt, lambda b, a, x, p=p: signal.filtfilt(b, a, x, padtype=p), B, A, normal(2, 14))
        for p in ("odd", "even", "constant", None)
    ],
    plain(signal.filtfilt, lambda b, a, x: signal.filtfilt(b, a, x, 0, padlen=3), B, A, normal(14)),
    *[
        plain(signal.sosfiltfilt, lambda s, x, p=p: signal.sosfiltfilt(sos(s), x, 0, p), SECTIONS, normal(18, 2))
        for p in ("odd", None)
    ],
    *[
        plain(signal.decimate, lambda x, k=k, z=z: signal.decimate(x, 2, 4, k, 0, z), normal(17, 2))
        for k in ("iir", "fir")
        for z in (True, False)
    ],
    plain(signal.decimate, lambda x: signal.decimate(x, 2), normal(40)),
    *[
        plain(signal.savgol_filter, lambda x, d, m=m: signal.savgol_filter(x, 5, 3, 1, d, 0, m, 0.3), normal(9, 2), 0.5)
        for m in ("interp", "mirror", "nearest", "constant", "wrap")
    ],
    sample(signal.savgol_filter, normal(2, 9), 5, 2),
]  # fmt: skip

SAMPLES += [
    *[
        plain(signal.resample, lambda x, n=n, w=w: signal.resample(x, n, window=w), normal(k)).but(complex=True)
        for n in (5, 8, 12)
        for k, w in ((8, None), (7, "hamming"))
    ],
    plain(signal.resample, lambda x: signal.resample(x, 5, axis=1), normal(2, 8), order=2),
    plain(signal.resample, lambda x: signal.resample(x, 6, domain="freq"), normal(8, dtype=complex)),
    plain(signal.resample, lambda x, t: signal.resample(x, 5, t), normal(8), np.arange(8.0)),
    *[
        plain(signal.resample_poly, lambda x, u=u, d=d, p=p: signal.resample_poly(x, u, d, 0, padtype=p), normal(9, 2))
        for u, d, p in ((3, 2, "constant"), (2, 3, "mean"), (4, 6, "median"), (1, 2, "maximum"), (1, 1, "minimum"))
    ],
    plain(
        signal.resample_poly, lambda x, w: signal.resample_poly(x, 2, 3, window=w), normal(9), np.array([0.1, 0.5, 0.3])
    ),
    plain(signal.resample, lambda x, w: signal.resample(x, 6, window=w), normal(7), np.hamming(7)).but(complex=True),
    plain(signal.resample, lambda x, c: signal.resample(x, 6, window=lambda f: np.exp(-c * f**2)), normal(7), 2.0),
    sample(signal.detrend, normal(2, 6)).but(complex=True),
    sample(signal.detrend, normal(6, 2), axis=0, type="constant"),
    sample(signal.detrend, normal(8), bp=[3]),
    plain(signal.hilbert, lambda x: signal.hilbert(x), normal(2, 6), order=2),
    *[plain(signal.hilbert, lambda x, n=n: signal.hilbert(x, n, axis=0), normal(6, 2)) for n in (5, 9)],
]

EIGHT = {"nperseg": 8}
for f in (signal.welch, signal.spectrogram, signal.stft, signal.periodogram):
    size = {} if f is signal.periodogram else EIGHT
    SAMPLES += [
        plain(f, lambda x, fs, f=f, size=size: f(x, fs, **size), normal(20), 2.5),
        plain(f, lambda x, f=f, size=size: f(x, axis=0, detrend=False, scaling="spectrum", **size), normal(20, 2)),
        plain(f, lambda x, f=f, size=size: f(x, return_onesided=False, nfft=24, **size), normal(20)).but(complex=True),
        plain(f, lambda x, f=f, size=size: f(x, detrend="linear", **size), normal(20)),
    ]
SAMPLES += [
    plain(signal.welch, lambda x, w: signal.welch(x, window=w), normal(20), np.hanning(9)[1:-1], order=2),
    plain(signal.welch, lambda x: signal.welch(x, nperseg=7, noverlap=3, average="median"), normal(20)),
    *[plain(signal.periodogram, lambda x, n=n: signal.periodogram(x, nfft=n), normal(20)) for n in (11, 25)],
    plain(signal.periodogram, lambda x, w: signal.periodogram(x, window=w), normal(7), np.hanning(9)[1:-1]),
    *[plain(signal.csd, lambda x, y, a=a: signal.csd(x, y, **EIGHT, average=a), normal(20), normal(20, seed=1))
      for a in ("mean", "median")],
    plain(signal.coherence, lambda x, y: signal.coherence(x, y, **EIGHT), normal(20), normal(20, seed=1)),
    *[plain(signal.spectrogram, lambda x, m=m: signal.spectrogram(x, **EIGHT, mode=m), normal(20))
      for m in ("complex", "magnitude")],
    *[plain(signal.stft, lambda x, e=e: signal.stft(x, **EIGHT, boundary=e), normal(20))
      for e in ("even", "odd", "constant", None)],
    plain(signal.stft, lambda x: signal.stft(x, 1.0, "hann", 7, 5, padded=False, axis=0, scaling="psd"), normal(20, 2)),
    plain(signal.freqz, lambda b, a: signal.freqz(b, a, 5), B, A, order=2),
    plain(signal.freqz, lambda b, w, fs: signal.freqz(b, 1, w, fs=fs), B, np.linspace(0.1, 2, 4), 5.0),
    plain(signal.freqz, lambda b: signal.freqz(b, 2.0, 5, whole=True, fs=3.0), B),
    plain(signal.sosfreqz, lambda s: signal.sosfreqz(sos(s), 5), SECTIONS),
    plain(signal.medfilt, lambda x: signal.medfilt(x, 3), normal(4, 5), order=2),
    plain(signal.medfilt, lambda x: signal.medfilt(x), normal(8)),
    plain(signal.medfilt2d, lambda x: signal.medfilt2d(x, [3, 5]), normal(4, 5)),
    plain(signal.order_filter, lambda x: signal.order_filter(x, np.eye(3), 2), normal(4, 5)),
    plain(signal.wiener, lambda x: signal.wiener(x, 3), normal(4, 5)),
    plain(signal.wiener, lambda x, n: signal.wiener(x, 3, n), normal(9), 0.3),
    plain(signal.find_peaks, lambda x: x[signal.find_peaks(x)[0]], normal(20)),
    *[
        s
        for sym in (True, False)
        for s in (
            plain(windows.gaussian, lambda s, sym=sym: windows.gaussian(6, s, sym=sym), 1.3, order=2),
            plain(windows.general_gaussian, lambda p, s, sym=sym: windows.general_gaussian(7, p, s, sym), 1.3, 0.7),
            plain(windows.exponential, lambda t, sym=sym: windows.exponential(6, tau=t, sym=sym), 1.3),
            plain(windows.kaiser, lambda b, sym=sym: windows.kaiser(6, b, sym=sym), 1.3),
            plain(windows.general_cosine, lambda a, sym=sym: windows.general_cosine(6, a, sym=sym), normal(3)),
            plain(windows.general_hamming, lambda a, sym=sym: windows.general_hamming(6, a, sym=sym), 0.3),
            *[plain(windows.tukey, lambda a, n=n, sym=sym: windows.tukey(n, a, sym), 0.7) for n in (1, 7, 8)],
            *[plain(windows.chebwin, lambda a, n=n, sym=sym: windows.chebwin(n, a, sym), 51.0) for n in (1, 2, 7, 8)],
            *[plain(windows.taylor, lambda s, n=n, sym=sym: windows.taylor(n, 4, s, sym=sym), 33.0) for n in (1, 7, 8)],
            plain(windows.taylor, lambda s, sym=sym: windows.taylor(8, 5, s, False, sym), 33.0),
            *[
                plain(f, lambda s, f=f, sym=sym: f(1, s, sym=sym) * s, 1.3)
                for f in (windows.gaussian, windows.general_hamming, windows.kaiser)
            ],
        )
    ],
    *[plain(windows.tukey, lambda a, k=k: windows.tukey(8, k + a), 0.5) for k in (-1, 1)],
    plain(windows.kaiser_bessel_derived, lambda b: windows.kaiser_bessel_derived(8, b), 1.3, order=2),
    plain(windows.tukey, lambda a: windows.tukey(8, a), 0.7, order=2),
    plain(windows.chebwin, lambda a: windows.chebwin(6, a), 51.0, order=2),
    plain(windows.taylor, lambda s: windows.taylor(6, sll=s), 33.0, order=2),
    *[
        plain(signal.get_window, lambda a, n=n, bins=bins: signal.get_window((n, a), 7, bins), a)
        for n, a in (
            ("gaussian", 1.3), ("kaiser", 1.3), ("general hamming", 0.3), ("tukey", 0.7),
            ("cheb", 51.0), ("taylor", 4), ("general_cosine", normal(3)),
        )
        for bins in (True, False)
    ],
    plain(signal.get_window, lambda b: signal.get_window(b, 7), 1.3, order=2),
    plain(signal.get_window, lambda p, s: signal.get_window(("general gaussian", p, s), 7), 1.3, 0.7),
    plain(signal.get_window, lambda t: signal.get_window(("exponential", 2, t), 7), 1.3),
    plain(windows.exponential, lambda c, t: windows.exponential(6, c, t, False), 1.7, 1.3),
    plain(signal.get_window, lambda x: x * signal.get_window("hann", len(x)), normal(5)),
    *[plain(signal.chirp, lambda t, f0, t1, f1, m=m: signal.chirp(t, f0, t1, f1, m), T, 1.5, 2.0, 0.5, order=2)
      for m in ("linear", "quadratic", "logarithmic", "hyperbolic")],
    plain(signal.chirp, lambda t, phi: signal.chirp(t, 1.5, 2.0, 0.5, "quadratic", phi, False), T, 30.0),
    plain(signal.sweep_poly, lambda t, c, phi: signal.sweep_poly(t, c, phi), T, np.array([0.4, -0.8, 1.3]), 30.0),
    plain(signal.gausspulse, lambda t, fc, bw: signal.gausspulse(t, fc, bw), T, 1.4, 0.6, order=2),
    plain(signal.gausspulse, lambda t, bwr: signal.gausspulse(t, 1.4, 0.5, bwr, retquad=True, retenv=True), T, -5.0),
    plain(signal.gausspulse, lambda fc, tpr: signal.gausspulse("cutoff", fc, tpr=tpr), 1.4, -50.0),
    plain(signal.sawtooth, lambda t, w: signal.sawtooth(t, w), T + 0.1, 0.35, order=2),
    plain(signal.sawtooth, lambda t: signal.sawtooth(7 * t), T + 0.1),
]  # fmt: skip
