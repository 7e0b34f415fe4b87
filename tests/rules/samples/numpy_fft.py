"""Samples for `numpy.fft`: lengths odd and even, cut and filled up, every normalisation."""

import numpy as np
from rules.sampling import normal, sample, sample_of

V = normal(5)
W = normal(6)
M = normal(3, 4)
T = normal(2, 3, 4)
Z = normal(4, dtype=np.complex128)
ONE = [np.fft.fft, np.fft.ifft, np.fft.rfft, np.fft.irfft, np.fft.hfft, np.fft.ihfft]
OF_COMPLEX = (np.fft.fft, np.fft.ifft, np.fft.irfft, np.fft.hfft)
TWO = [np.fft.fft2, np.fft.ifft2, np.fft.rfft2, np.fft.irfft2]
MANY = [np.fft.fftn, np.fft.ifftn, np.fft.rfftn, np.fft.irfftn]


def takes_complex(f: object) -> bool:
    return f not in (np.fft.rfft, np.fft.ihfft, np.fft.rfft2, np.fft.rfftn)


SAMPLES = [
    *[sample(f, V).but(complex=takes_complex(f)) for f in ONE],
    *[
        sample(f, W, n=n, norm=norm).but(single=False, order=1)
        for f in ONE
        for n, norm in ((4, "ortho"), (7, "forward"))
    ],
    *[sample(f, W, n, -1, "backward").but(single=False, strided=False, order=1) for f in ONE for n in (1, 2)],
    *[sample(f, M, axis=0).but(complex=takes_complex(f), single=False, order=1) for f in ONE],
    *[sample(f, np.zeros((0, 3))).but(order=1, strided=False) for f in ONE],
    *[sample(f, [1.5, 2.0, 0.5]) for f in ONE],
    *[sample(f, Z, 5).but(order=1, single=False) for f in OF_COMPLEX],
    sample(np.fft.fft, np.arange(4)),
    *[sample(f, T).but(complex=takes_complex(f), order=1) for f in (*TWO, *MANY)],
    *[sample(f, T, s=(4, 3), axes=(0, -2), norm="ortho").but(single=False, order=1) for f in (*TWO, *MANY)],
    *[sample(f, T, (-1, 5), (2, 1), "forward").but(single=False, strided=False, order=1) for f in MANY],
    *[sample(f, M, axes=(0, 0)).but(single=False, strided=False, order=1) for f in MANY if f is not np.fft.rfftn],
    *[sample(f, M, axes=(1,)) for f in MANY],
    *[sample(f, M.tolist()).but(order=1) for f in (*TWO, *MANY)],
    *[sample(f, V).but(complex=True) for f in (np.fft.fftshift, np.fft.ifftshift)],
    *[sample(f, T, axes).but(order=1) for f in (np.fft.fftshift, np.fft.ifftshift) for axes in (1, (0, -1))],
    *[sample_of(f, lambda d, f=f, n=n: f(n, d), 0.5) for f in (np.fft.fftfreq, np.fft.rfftfreq) for n in (4, 5)],
]
