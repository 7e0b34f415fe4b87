"""Samples for running sums and products, differences, and the calculus of sampled functions."""

import numpy as np
from rules.sampling import normal, sample, sample_of

A = normal(3, 4)
V = normal(5)
T = normal(2, 4, 3)
HOLES = np.array([[1.5, 0.0, 2.0, -1.0], [0.0, 0.0, -1.0, 0.5], [0.5, 3.0, 1.0, 0.0]])
LONE = np.array([[1.5, 0.0, 2.0, -1.0], [0.0, 1.5, -1.0, 0.5], [0.5, 3.0, 1.0, 0.25]])
MASK = np.array([[True, False, True, True], [False, False, True, True], [True, True, True, False]])
GRID = np.array([0.5, 1.0, 3.0, 3.5, 4.25])
EVEN = np.array([0.5, 1.0, 1.5, 2.0, 2.5])
BOXES = np.array([0.25, 0.75, 2.0, 4.0, 5.5])

SUMS = [np.cumsum, np.cumprod, np.nancumsum, np.nancumprod]


def of_numbers(f, **options):
    """A function of what is left of an array with holes."""

    def program(a):
        return f(np.where(MASK, a, np.nan), **options)

    return program


SAMPLES = [
    *[sample(f, A, axis=axis).but(complex=True) for f in SUMS for axis in (None, 0, -1)],
    *[sample(f, HOLES, axis) for f in SUMS for axis in (None, 1)],
    *[sample(np.cumprod, LONE, axis).but(complex=True) for axis in (0, 1)],
    *[sample(f, [1.5, 2.5]) for f in SUMS],
    *[sample(f, x).but(single=False, strided=False) for f in SUMS for x in (np.zeros(0), normal(1), 1.5)],
    *[sample(f, np.zeros((0, 2)), axis=0).but(single=False) for f in SUMS],
    *[sample_of(f, of_numbers(f, axis=axis), A).but(complex=True) for f in SUMS[2:] for axis in (None, 1)],
    *[sample(f, A, axis=0, dtype=np.float64) for f in SUMS],
    *[sample(f, A, axis=1, dtype=np.complex128).but(order=1) for f in SUMS[:2]],
    *[
        sample(f, x, axis=axis, include_initial=initial).but(complex=not initial)
        for f in (getattr(np, name) for name in ("cumulative_sum", "cumulative_prod") if hasattr(np, name))
        for x, axis in ((A, 0), (T, -2), (V, None))
        for initial in (False, True)
    ],
    sample_of(np.ndarray.cumsum, lambda a: a.cumsum(axis=1) * a.cumprod(axis=0), A),
    sample_of(np.generic.cumsum, lambda a: a[0].cumsum() * a[1].cumprod(), V),
    *[sample_of(f, lambda a, f=f: f(a, axis=0, out=np.zeros((3, 4))) ** 2, A).but(single=False) for f in SUMS],
    # differences
    sample(np.diff, A).but(complex=True),
    sample(np.diff, T, 2, 1),
    sample(np.diff, V, 0),
    sample(np.diff, V, 6).but(order=1),
    sample(np.diff, normal(1)).but(order=1),
    sample(np.diff, [1.5, 2.5, 4.5], n=2),
    sample(np.diff, A, 1, -1, 0.5),
    sample(np.diff, A, 2, 0, normal(2, 4), normal(1, 4)).but(complex=True),
    sample(np.diff, A, 5, 0, normal(1, 4), 0.75),
    sample_of(np.diff, lambda a, b: np.diff(a, append=b), [1.5, 2.5], 0.5),
    sample(np.ediff1d, A).but(complex=True),
    sample(np.ediff1d, A, 0.5, [1.5, 2.5]),
    sample_of(np.ediff1d, lambda a, b: np.ediff1d(a, to_begin=b), V, A),
    *[sample(np.ediff1d, x, 0.5).but(order=1, single=False) for x in (np.zeros(0), normal(1))],
    # slopes
    sample(np.gradient, V).but(complex=True),
    sample(np.gradient, V, 0.5, edge_order=2),
    sample(np.gradient, V, GRID).but(complex=False),
    sample(np.gradient, V, EVEN, edge_order=2),
    sample(np.gradient, V, [0.5, 1.0, 3.0, 3.5, 4.25], edge_order=2),
    sample(np.gradient, A),
    sample(np.gradient, A, 0.5),
    sample(np.gradient, A, 0.5, GRID[:4]),
    sample(np.gradient, A, axis=-1),
    sample(np.gradient, T, 0.5, 0.25, axis=(2, 0)).but(order=1),
    sample(np.gradient, T, GRID[:4], axis=1, edge_order=2),
    sample(np.gradient, [1.5, 2.5, 4.5]),
    # integrals
    sample(np.trapezoid, V).but(complex=True),
    *([sample(vars(np)["trapz"], T, GRID[:4], 1.0, 1).but(warns=True)] if "trapz" in vars(np) else []),
    sample(np.trapezoid, A, axis=0),
    sample(np.trapezoid, V, GRID).but(complex=True),
    sample(np.trapezoid, T, GRID[:4], 1.0, 1),
    sample(np.trapezoid, A, normal(3, 4, seed=1)),
    sample(np.trapezoid, A, normal(1, 4, seed=1)),
    sample(np.trapezoid, V, [0.5, 1.0, 3.0, 3.5, 4.0]),
    sample(np.trapezoid, [0.5, 1.0, 3.0]),
    sample(np.trapezoid, normal(1)).but(order=1),
    sample_of(np.trapezoid, lambda y, h: np.trapezoid(y, dx=h), A, 0.5),
    # interpolation
    sample(np.interp, 1.25, GRID, V),
    sample(np.interp, np.float64(1.25), GRID, V),
    sample(np.interp, BOXES, GRID, V),
    sample(np.interp, BOXES.reshape(1, 5), GRID, V + 1j * GRID),
    sample(np.interp, [0.75, 2.0], [0.5, 1.0, 3.0], [1.5, 2.5, 0.5]),
    sample(np.interp, BOXES, GRID, V, 0.5, -0.25),
    sample_of(np.interp, lambda x, v, r: np.interp(x, GRID, v, right=r), BOXES, V, 0.5),
    sample_of(np.interp, lambda x, xp, fp, p: np.interp(x, xp, fp, period=p), 2.9 * BOXES, GRID[::-1], V, 4.5),
    sample_of(np.interp, lambda x, xp, fp: np.interp(x, xp, fp, period=-2.0), BOXES, [0.3, 0.9, 2.5], [1.5, 2.5, 0.5]),
    sample(np.interp, BOXES, np.array([1.5]), np.array([0.5])).but(order=1),
    sample(np.interp, np.zeros(0), GRID, V).but(order=1),
]
