"""Samples for sums, means, products, deviations and extrema, with and without what is nan."""

import numpy as np
from rules.sampling import normal, sample, sample_of

A = normal(2, 3, 4)
M = normal(3, 4)
W = np.abs(normal(3, 4, seed=2)) + 0.5
Z = normal(3, 4, dtype=np.complex128)
HOLES = np.array([[1.5, 0.0, 2.0], [0.0, 0.0, -1.0], [0.5, 3.0, 1.0]])
MASK = np.array([[True, False, True, True], [False, False, True, True], [True, True, True, False]])
EMPTY = np.zeros((0, 3))

SUMS = [np.sum, np.mean, np.prod]
DEVIATIONS = [np.var, np.std]
EXTREMA = [np.max, np.min, np.ptp]
NAN = [np.nansum, np.nanmean, np.nanprod, np.nanvar, np.nanstd, np.nanmax, np.nanmin]
MASKED = [np.sum, np.mean, np.prod, np.var, np.std, *NAN[:5]]


def of_numbers(f, **options):
    """A function of what is left of an array with holes."""

    def program(a):
        return f(np.where(MASK, a, np.nan), **options)

    return program


def mean_given(f, **options):
    """A deviation from a mean that is given."""

    def program(a, m):
        return f(a, axis=1, mean=m, keepdims=True, **options)

    return program


def starting(f, **options):
    """A reduction that starts with a number."""

    def program(a, x):
        return f(a, initial=x, **options)

    return program


def method(name, **options):
    """A method of arrays and of their items."""

    def program(a):
        return getattr(a, name)(**options)

    return program


SAMPLES = [
    *[
        s
        for f in [*SUMS, *DEVIATIONS, *EXTREMA]
        for s in [
            sample(f, A).but(order=1),
            sample(f, M, -1).but(complex=f is not np.ptp),
            sample(f, A, axis=(0, -1)),
            sample(f, A, axis=(2, 0), keepdims=True),
            sample(f, M, keepdims=True).but(order=1),
            sample(f, [(1.5, 2.0), (np.float64(0.5), -0.5)], axis=0),
        ]
    ],
    *[
        sample(f, x).but(single=False, strided=False)
        for f in [*SUMS, *DEVIATIONS[:1], *EXTREMA]
        for x in (1.5, np.float64(1.5), normal(), normal(1))
    ],
    *[sample(f, EMPTY, axis=axis).but(single=False) for f in (np.sum, np.prod) for axis in (None, 0, 1)],
    *[sample(f, np.zeros((2, 0, 3)), axis=2).but(single=False) for f in (np.max, np.mean, np.var, np.std)],
    *[sample(f, M, axis=()) for f in (np.sum, np.prod, np.mean, np.max)],
    *[sample(f, HOLES, axis=axis) for f in (np.prod, np.nanprod) for axis in (None, 0, -1)],
    *[sample(f, M[:, :3], axis=-1, dtype=np.float64) for f in (np.sum, np.mean, np.prod, np.var, np.nansum, np.nanstd)],
    *[sample(f, M[:, :3], axis=0, dtype=np.complex128) for f in (np.sum, np.mean, np.prod)],
    # masks and starts
    *[sample(f, M, where=MASK).but(complex=True) for f in MASKED],
    *[sample(f, M, axis=0, where=MASK, keepdims=True) for f in MASKED],
    *[sample(f, M, axis=1, where=MASK[:, :1] | True) for f in (np.sum, np.mean, np.nanvar)],
    *[sample_of(f, starting(f), M, 2.5).but(complex=True) for f in (np.sum, np.prod, np.nansum, np.nanprod)],
    *[sample_of(f, starting(f, axis=0, where=MASK), M, 2.5) for f in (np.sum, np.prod, np.nansum, np.nanprod)],
    *[sample_of(f, starting(f, axis=0), M, 0.1) for f in (np.max, np.min, np.nanmax, np.nanmin)],
    *[sample_of(f, starting(f, axis=1, where=MASK), M, 0.1) for f in (np.max, np.min, np.nanmax, np.nanmin)],
    # deviations
    *[sample(f, M, axis=1, ddof=1).but(complex=True) for f in (np.var, np.std, np.nanvar, np.nanstd)],
    *[sample(f, M, axis=0, correction=1) for f in (np.var, np.std, np.nanvar, np.nanstd)],
    *[sample(f, M, axis=0, where=MASK, ddof=0.5) for f in (np.var, np.nanstd)],
    *[sample_of(f, lambda a, d, f=f: f(a, ddof=d), M, 0.5) for f in (np.var, np.std)],
    *[sample_of(f, mean_given(f), M, normal(3, 1)).but(complex=True) for f in (np.var, np.std, np.nanvar, np.nanstd)],
    sample_of(np.var, mean_given(np.var, where=MASK, ddof=1), M, normal(3, 1)),
    # what is nan
    *[sample_of(f, of_numbers(f), M).but(order=2, complex=f not in NAN[-2:]) for f in NAN],
    *[sample_of(f, of_numbers(f, axis=0), M).but(order=1) for f in NAN],
    *[sample_of(f, of_numbers(f, axis=(0, 1), keepdims=True), M).but(order=1) for f in NAN],
    *[sample(f, [1.5, -0.5, 2.0]) for f in NAN],
    *[sample(f, 1.5) for f in NAN if f is not np.nanstd],
    # averages
    sample(np.average, M).but(complex=True),
    sample(np.average, A, axis=(0, 2), keepdims=True),
    sample(np.average, M, 1, None, True),
    sample(np.average, M, None, W).but(complex=True),
    sample(np.average, M, 0, W, True),
    sample(np.average, A, 1, np.array([1.0, 0.5, 2.0])),
    sample(np.average, A, 1, [1.0, 0.5, 2.0], True),
    sample_of(np.average, lambda a, w: np.average(a, axis=(2, 0), weights=w), A, np.abs(normal(4, 2)) + 0.5),
    sample_of(np.average, lambda a, w: np.average(a, weights=w, axis=-1, keepdims=True), M, W),
    sample(np.average, [1.5, 2.5], None, [0.5, 2.0]),
    # methods
    *[
        sample_of(getattr(np.ndarray, n), method(n, axis=1), M)
        for n in ("sum", "mean", "prod", "var", "std", "max", "min")
    ],
    *[
        sample_of(getattr(np.ndarray, n), method(n, axis=0, keepdims=True, where=MASK), M)
        for n in ("sum", "mean", "std")
    ],
    sample_of(np.generic.sum, lambda a: a[0].sum() * a[1].max() + a[0].mean() + a[1].prod(), normal(2)),
    # results that are written into arrays
    *[
        sample_of(f, lambda a, f=f: f(a, axis=0, out=np.zeros(4)) ** 2, M).but(single=False)
        for f in (np.sum, np.mean, np.prod, np.max, np.std, np.ptp, np.nansum, np.nanmean, np.nanmax)
    ],
]
