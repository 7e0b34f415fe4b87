"""Samples for `scipy.fft`."""

from typing import Any

import numpy as np
from rules.sampling import Sample, normal, sample, sample_of
from scipy import fft

X = normal(3, 4)
C = normal(3, 4, dtype=complex)


def of_one_axis(f: Any) -> list[Sample]:
    x = X if f in (fft.rfft, fft.ihfft) else C
    return [
        *[sample_of(f, lambda x, n=n: f(x, n), x).but(single=n is None) for n in (None, 3, 6)],
        *[sample_of(f, lambda x, norm=norm: f(x, axis=0, norm=norm), x).but(single=False) for norm in NORMS],
        sample_of(f, lambda x: f(x, axis=-2, n=3), X).but(order=1),
        sample_of(f, lambda x: f(x, workers=1), [1.0, 2.0, 4.0]).but(order=1),
    ]


def of_all_axes(f: Any) -> list[Sample]:
    real = f in (fft.rfftn, fft.ihfftn, fft.rfft2, fft.ihfft2)
    x = normal(2, 3, 4) if real else normal(2, 3, 4, dtype=complex)
    return [
        sample_of(f, lambda x: f(x), x),
        sample_of(f, lambda x: f(x, s=(2, 5), axes=(0, 2), norm="ortho"), x).but(single=False, order=1),
        sample_of(f, lambda x: f(x, axes=(-1, 1), norm="forward"), x).but(single=False, order=1),
        sample_of(f, lambda x: f(x=x, s=(4, 4)), x[0]).but(single=False, order=1),
    ]


def of_cosines(f: Any) -> list[Sample]:
    kinds = [
        sample_of(f, lambda x, kind=kind, norm=norm: f(x, kind, norm=norm, axis=0), X).but(single=False, order=1)
        for kind in (1, 2, 3, 4)
        for norm in NORMS
    ]
    return [
        *kinds,
        *[
            sample_of(f, lambda x, kind=kind: f(x, kind, orthogonalize=True), X).but(complex=kind == 2)
            for kind in (1, 2, 3, 4)
        ],
        sample_of(f, lambda x: f(x, norm="ortho", orthogonalize=False), X).but(order=1),
        sample_of(f, lambda x: f(x, n=3), X),
        sample_of(f, lambda x: f(x, n=6), X),
    ]


NORMS = ("backward", "ortho", "forward")
ONE = (fft.fft, fft.ifft, fft.rfft, fft.irfft, fft.hfft, fft.ihfft)
TWO = (fft.fft2, fft.ifft2, fft.rfft2, fft.irfft2, fft.hfft2, fft.ihfft2)
ALL = (fft.fftn, fft.ifftn, fft.rfftn, fft.irfftn, fft.hfftn, fft.ihfftn)
COSINES = (fft.dct, fft.idct, fft.dst, fft.idst)
OVER_ALL = (fft.dctn, fft.idctn, fft.dstn, fft.idstn)

SAMPLES = [
    *[s for f in ONE for s in of_one_axis(f)],
    *[s for f in (*TWO, *ALL) for s in of_all_axes(f)],
    *[s for f in COSINES for s in of_cosines(f)],
    *[sample_of(f, lambda x, f=f: f(x, 3, s=(4, 3), axes=(1, 0), norm="ortho"), X) for f in OVER_ALL],
    *[sample_of(f, lambda x, f=f: f(x, 2), X) for f in OVER_ALL],
    sample(fft.fftshift, X).but(complex=True),
    sample(fft.ifftshift, normal(3), axes=0),
    sample_of(fft.fftfreq, lambda d: fft.fftfreq(5, d), 0.5),
    sample_of(fft.rfftfreq, lambda d: fft.rfftfreq(5, d=d), np.float64(0.5)),
]

SAMPLES += [
    sample_of(fft.fht, lambda a: fft.fht(a, 0.1, 0.5, 0.2, 0.3), normal(2, 8)).but(single=False),
    sample_of(fft.fht, lambda a: fft.fht(a, 0.1, 0.5), normal(7)).but(single=False),
    sample_of(fft.ifht, lambda a: fft.ifht(a, 0.1, 0.5, 0.2, -0.1), normal(8)).but(single=False),
]
