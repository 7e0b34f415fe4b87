"""Samples for `scipy.ndimage`."""

from typing import Any

import numpy as np
from rules.sampling import Sample, normal, sample, sample_of, uniform
from scipy import ndimage


def plain(of: Any, f: Any, *args: Any, **options: Any) -> Sample:
    return sample_of(of, f, *args).but(**{"single": False, "strided": False, "lists": False, "order": 1, **options})


MODES = ("reflect", "mirror", "nearest", "wrap", "constant", "grid-mirror", "grid-wrap", "grid-constant")
X = normal(6, 5)
CORNERS = np.array([[1, 0, 1], [0, 1, 1]])
SAMPLES: list[Sample] = []

for f in (ndimage.correlate, ndimage.convolve):
    SAMPLES += [
        *[plain(f, lambda x, w, m=m, f=f: f(x, w, mode=m, cval=0.4, origin=(1, -1)), X, normal(3, 4)) for m in MODES],
        sample_of(f, lambda x, w, f=f: f(x, w), X, normal(3, 2)).but(complex=True),
        plain(f, lambda x, c, f=f: f(x, np.ones((3, 3)), mode="constant", cval=c), X, 0.3),
    ]
for f in (ndimage.correlate1d, ndimage.convolve1d):
    SAMPLES += [
        *[plain(f, lambda x, w, m=m, f=f: f(x, w, axis=0, mode=m, origin=-1), X, normal(4)) for m in MODES[:5]],
        plain(f, lambda x, w, f=f: f(x, w, mode="mirror"), normal(2, 3), normal(7)),
        plain(f, lambda x, w, f=f: f(x, w, output=np.float32), normal(2, 1), normal(3)),
        sample(f, [1.0, 2.0, 4.0, 3.0], [1.0, 2.0]),
    ]

SAMPLES += [
    sample_of(ndimage.gaussian_filter, lambda x, s: ndimage.gaussian_filter(x, s), X, 0.7),
    plain(ndimage.gaussian_filter, lambda x, s: ndimage.gaussian_filter(x, s, mode="wrap"), X, np.array([0.7, 0.0])),
    plain(ndimage.gaussian_filter, lambda x: ndimage.gaussian_filter(x, 1.0, mode=["wrap", "nearest"]), X),
    plain(
        ndimage.gaussian_filter, lambda x: ndimage.gaussian_filter(x, [1.0, 0.5], axes=(0, 2), radius=[2, 1]),
        normal(4, 3, 5),
    ),
    *[
        plain(ndimage.gaussian_filter1d, lambda x, s, k=k: ndimage.gaussian_filter1d(x, s, 0, k, truncate=3.0), X, 0.7)
        for k in (0, 1, 2, 3)
    ],
    plain(ndimage.gaussian_laplace, lambda x, s: ndimage.gaussian_laplace(x, s), X, 0.8),
    plain(
        ndimage.gaussian_gradient_magnitude,
        lambda x, s: ndimage.gaussian_gradient_magnitude(x, s, truncate=3.0), X, 0.8, order=2,
    ),
    plain(ndimage.uniform_filter, lambda x: ndimage.uniform_filter(x, [3, 2], mode="wrap", origin=[0, -1]), X),
    sample(ndimage.uniform_filter, X),
    plain(ndimage.uniform_filter1d, lambda x: ndimage.uniform_filter1d(x, 4, mode="mirror", origin=1), X),
    sample(ndimage.sobel, X),
    plain(ndimage.sobel, lambda x: ndimage.sobel(x, mode=["wrap", "nearest"]), X),
    plain(ndimage.prewitt, lambda x: ndimage.prewitt(x, 0, mode="constant", cval=0.3), X),
    sample(ndimage.laplace, X),
    plain(ndimage.laplace, lambda x: ndimage.laplace(x, mode="nearest"), X),
]  # fmt: skip

for f in (ndimage.maximum_filter, ndimage.minimum_filter, ndimage.median_filter):
    SAMPLES += [
        sample_of(f, lambda x, f=f: f(x, 3), X),
        plain(f, lambda x, f=f: f(x, footprint=CORNERS, mode="wrap", origin=(0, 1)), X),
        plain(f, lambda x, f=f: f(x, (2, 3), mode="constant", cval=0.3), X),
    ]
SAMPLES += [
    *[
        plain(f, lambda x, f=f: f(x, 4, axis=0, mode="mirror", origin=-1), X)
        for f in (ndimage.maximum_filter1d, ndimage.minimum_filter1d)
    ],
    plain(ndimage.maximum_filter, lambda x: ndimage.maximum_filter(x, 3, mode=["wrap", "nearest"]), X),
    plain(ndimage.rank_filter, lambda x: ndimage.rank_filter(x, -2, size=3), X),
    plain(ndimage.percentile_filter, lambda x: ndimage.percentile_filter(x, 30, size=[3, 2]), X),
    plain(ndimage.percentile_filter, lambda x: ndimage.percentile_filter(x, -0.0, size=3), X),
]
for f in (
    ndimage.grey_erosion, ndimage.grey_dilation, ndimage.grey_opening, ndimage.grey_closing,
    ndimage.morphological_gradient, ndimage.morphological_laplace, ndimage.white_tophat, ndimage.black_tophat,
):  # fmt: skip
    SAMPLES += [
        plain(f, lambda x, f=f: f(x, size=(3, 2)), X),
        plain(f, lambda x, s, f=f: f(x, structure=s, mode="nearest"), X, normal(3, 3)),
    ]

INSIDE, AROUND = uniform(0.3, 3.6, 2, 5), uniform(-13.0, 13.0, 2, 9)
TURN, MOVE = np.array([[0.9, 0.2], [-0.3, 1.1]]), np.array([0.31, 0.137])

for m in MODES:
    SAMPLES += [
        *[
            plain(
                ndimage.map_coordinates,
                lambda x, at, m=m, k=k: ndimage.map_coordinates(x, at, order=k, mode=m, cval=0.3), X, AROUND,
            )
            for k in range(6)
        ],
        plain(
            ndimage.map_coordinates,
            lambda x, at, m=m: ndimage.map_coordinates(x, at, order=2, mode=m, prefilter=False), X, AROUND,
        ),
        *[plain(ndimage.spline_filter, lambda x, m=m, k=k: ndimage.spline_filter(x, k, mode=m), X) for k in (3, 5)],
    ]  # fmt: skip
SAMPLES += [
    sample_of(ndimage.map_coordinates, lambda x, at: ndimage.map_coordinates(x, at, mode="mirror"), X, INSIDE).but(
        complex=False
    ),
    plain(ndimage.map_coordinates, lambda x, at: ndimage.map_coordinates(x, at), X + 1j * X**2, INSIDE),
    plain(ndimage.map_coordinates, lambda x, c: ndimage.map_coordinates(x, AROUND, order=1, cval=c), X, 0.3),
    plain(ndimage.spline_filter1d, lambda x: ndimage.spline_filter1d(x, 3, 0, mode="reflect"), X, order=2),
    plain(ndimage.spline_filter1d, lambda x: ndimage.spline_filter1d(x, 1), X),
    *[plain(ndimage.shift, lambda x, s, m=m: ndimage.shift(x, s, mode=m), X, np.array([1.3, -0.8])) for m in MODES[:3]],
    plain(ndimage.shift, lambda x, s: ndimage.shift(x, s, order=1), X, 0.4, order=2),
    plain(ndimage.zoom, lambda x: ndimage.zoom(x, [1.6, 0.7]), X),
    plain(ndimage.zoom, lambda x: ndimage.zoom(x, 1.7, order=2, mode="nearest", grid_mode=True), X),
    plain(ndimage.zoom, lambda x: ndimage.zoom(x, 1), X),
    *[plain(ndimage.rotate, lambda x, a, r=r: ndimage.rotate(x, a, reshape=r), X, 27.3) for r in (True, False)],
    plain(ndimage.rotate, lambda x, a: ndimage.rotate(x, a, axes=(0, 2), order=1), normal(5, 2, 4), 33.0),
    plain(
        ndimage.affine_transform, lambda x, a, b: ndimage.affine_transform(x, a, b, (4, 6), mode="mirror"), X,
        TURN, MOVE,
    ),
    plain(
        ndimage.affine_transform, lambda x, a, b: ndimage.affine_transform(x, a, b, order=1), X, np.diag(TURN), 0.31,
        warns=True,
    ),
    plain(ndimage.affine_transform, lambda x, a: ndimage.affine_transform(x, a, order=2), X, np.c_[TURN, MOVE]),
]  # fmt: skip


def turned(at: Any, a: Any, b: float = 0.4) -> Any:
    return a[0] * at[0] + 0.2 * at[1], a[1] * at[1] - b * at[0]


SAMPLES += [
    plain(
        ndimage.geometric_transform,
        lambda x, a: ndimage.geometric_transform(x, turned, mode="mirror", extra_arguments=(a,)), X,
        np.array([0.9, 0.7]),
    ),
    plain(
        ndimage.geometric_transform,
        lambda x, a, b: ndimage.geometric_transform(
            x, lambda at, b: turned(at, a, b), (2, 3), order=1, cval=0.3, extra_keywords={"b": b}
        ), X, np.array([0.9, 0.7]), 0.3, order=2,
    ),
]  # fmt: skip

LABELS = np.array([[0, 1, 1, 2], [3, 1, 0, 2], [3, 3, 0, 2]])
POSITIVE = uniform(1.0, 2.0, 3, 4)
SPECTRUM = normal(4, 5, dtype=complex)

for f in (
    ndimage.sum, ndimage.sum_labels, ndimage.mean, ndimage.variance, ndimage.standard_deviation, ndimage.minimum,
    ndimage.maximum, ndimage.median, ndimage.center_of_mass,
):  # fmt: skip
    SAMPLES += [
        sample(f, POSITIVE).but(order=1),
        plain(f, lambda x, f=f: f(x, LABELS), POSITIVE),
        plain(f, lambda x, f=f: f(x, LABELS, 2), POSITIVE),
        plain(f, lambda x, f=f: f(x, LABELS, [2, 1, 3, 1]), POSITIVE, order=2 if f is ndimage.variance else 1),
    ]
SAMPLES += [
    plain(ndimage.extrema, lambda x: ndimage.extrema(x, LABELS, [1, 2])[:2], POSITIVE),
    plain(ndimage.distance_transform_edt, lambda x: x * ndimage.distance_transform_edt(x * LABELS, [2, 1]), POSITIVE),
    plain(ndimage.distance_transform_bf, lambda x: x * ndimage.distance_transform_bf(x * LABELS, "taxicab"), POSITIVE),
    *[
        s
        for f in (ndimage.fourier_gaussian, ndimage.fourier_uniform, ndimage.fourier_shift)
        for s in (
            plain(f, lambda x, s, f=f: f(x, s), SPECTRUM, np.array([0.7, 1.3])),
            plain(f, lambda x, s, f=f: f(x, s, n=6, axis=0), normal(4, 5), 0.7),
        )
    ],
]

SAMPLES += [
    plain(ndimage.fourier_ellipsoid, lambda x: ndimage.fourier_ellipsoid(x, (1.5, 2.0), 7, 1), normal(4, 5), order=2),
    plain(ndimage.fourier_ellipsoid, lambda x: ndimage.fourier_ellipsoid(x, 1.5), normal(4, 5) + 0.5j * normal(4, 5)),
]
