"""Samples for covariances and histograms."""

import numpy as np
from rules.sampling import normal, sample, sample_of, uniform

M = normal(3, 5)
Y = normal(2, 5)
V = normal(5)
W = np.abs(normal(5, seed=2)) + 0.5
TIMES = np.array([1, 2, 1, 3, 1])
X = uniform(0.0, 4.0, 9)
TURNED = X[::-1].copy()
P = uniform(0.0, 4.0, 9, 2)
WEIGHTS = normal(9, seed=3) ** 2 + 0.5
EDGES = np.array([0.25, 1.0, 2.5, 3.75])


def once(*samples):
    """Samples that are checked as they are alone."""
    return [s.but(single=False, strided=False) for s in samples]


def weighted(f, at, **options):
    """A histogram of points that stay, by their weights."""

    def program(w):
        return f(*at, weights=w, **options)

    return program


SAMPLES = [
    *[
        s
        for f in (np.cov, np.corrcoef)
        for s in [
            sample(f, M).but(complex=True),
            sample(f, M, Y).but(complex=True),
            *once(
                sample(f, M.T, Y.T, False),
                sample(f, V),
                sample(f, V, V**2).but(order=1),
                sample(f, M, rowvar=False).but(order=1),
                sample(f, M, dtype=np.float64).but(order=1),
                sample(f, [[1.5, 2.0, 0.5], [0.25, 1.0, -1.0]]).but(order=1),
            ),
        ]
    ],
    *once(sample(np.cov, M, bias=True), sample(np.cov, M, ddof=0)),
    sample(np.cov, M, ddof=2, fweights=TIMES),
    sample_of(np.cov, lambda m, w: np.cov(m, aweights=w), M, W).but(complex=False),
    sample_of(np.cov, lambda m, w: np.cov(m, aweights=w, fweights=TIMES, ddof=0), M, W),
    sample_of(np.cov, lambda m, w: np.cov(m, Y, aweights=w, fweights=TIMES, bias=True), M, W),
    # by weights
    sample(np.bincount, np.array([0, 2, 2, 5]), normal(4)),
    sample(np.bincount, [0, 2, 2], [0.5, 1.5, 2.5], 6),
    sample_of(np.histogram, weighted(np.histogram, [X]), WEIGHTS),
    *once(
        sample_of(np.histogram, weighted(np.histogram, [X], bins=4, range=(0.5, 3.0)), WEIGHTS).but(complex=True),
        sample_of(np.histogram, weighted(np.histogram, [X], bins=EDGES, density=True), WEIGHTS),
        sample_of(
            np.histogram, lambda w: np.histogram(X.reshape(3, 3), bins="auto", weights=None)[0] * w.sum(), WEIGHTS
        ),
        sample_of(np.histogram2d, weighted(np.histogram2d, [X, TURNED], bins=3), WEIGHTS).but(order=1),
        sample_of(np.histogram2d, weighted(np.histogram2d, [X, TURNED], bins=(EDGES, 2), density=True), WEIGHTS),
        sample_of(np.histogram2d, weighted(np.histogram2d, [X, TURNED], bins=EDGES), WEIGHTS).but(order=1),
        sample_of(np.histogramdd, weighted(np.histogramdd, [P], bins=(2, 3)), WEIGHTS).but(order=1),
        sample_of(
            np.histogramdd, weighted(np.histogramdd, [P], bins=2, range=[(0.0, 3.0), None], density=True), WEIGHTS
        ),
        # the edges, where they are made of the entries or of bounds
        sample_of(np.histogram, lambda x: np.histogram(x, bins=4)[1], X),
        sample_of(np.histogram, lambda x: np.histogram(x, bins=4, density=True), X),
        sample_of(np.histogram, lambda low, high: np.histogram(X, bins=3, range=(low, high), density=True), 0.5, 3.5),
        sample_of(np.histogram, lambda e: np.histogram(X, bins=e, density=True), EDGES),
        sample_of(np.histogram_bin_edges, lambda x: np.histogram_bin_edges(x, 4), X),
        sample_of(np.histogram_bin_edges, lambda low: np.histogram_bin_edges(X, "sqrt", (low, 3.5)), 0.5),
        sample_of(np.histogramdd, lambda p: np.histogramdd(p, bins=2)[1], P).but(order=1),
    ),
]
