"""Samples for `scipy.stats`: distributions of vectors, kernel estimates, statistics of samples."""

from __future__ import annotations

from typing import Any

import numpy as np
from rules.sampling import normal, sample_of, uniform
from scipy import stats

A = normal(3, 4)
P = uniform(0.5, 2.0, 3, 4)
ROOT = np.eye(2) + 0.3 * normal(2, 2)
X = normal(4, 2, seed=1)
M = normal(2, seed=2)
COUNTS = [1, 2, 0, 1]


def positive(root: Any) -> Any:
    """A covariance."""
    return root @ root.T + np.eye(2)


def last_left_out(x: Any) -> Any:
    """The first shares."""
    return x[:-1] / np.sum(x)


def shares(p: Any) -> Any:
    """Numbers that sum to 1, to the last bit that SciPy looks at."""
    p = p[:3] / 8.0
    return np.concatenate([p, 1 - np.sum(p, keepdims=True)])


mvn, mvt = stats.multivariate_normal, stats.multivariate_t

SAMPLES = [
    sample_of(mvn.logpdf, lambda x, m, r: stats.multivariate_normal.logpdf(x, m, positive(r)), X, M, ROOT),
    sample_of(mvn.logpdf, lambda x, m, r: stats.multivariate_normal.logpdf(x, m, cov=positive(r)), M, M / 2.0, ROOT),
    sample_of(mvn.logpdf, lambda x, m, r: stats.multivariate_normal(m, positive(r)).logpdf(x), X, M, ROOT),
    sample_of(mvn.logpdf, lambda x, c: stats.multivariate_normal.logpdf(x, cov=c), X[:, 0], 1.5),
    sample_of(mvn.logpdf, lambda x, c: stats.multivariate_normal.logpdf(x, np.zeros(2), c), X, np.array([0.5, 1.5])),
    sample_of(mvn.logpdf, lambda x, c: stats.multivariate_normal(np.zeros(2), c).logpdf(x), X, 1.5),
    sample_of(mvn.pdf, lambda x, r: stats.multivariate_normal.pdf(x, None, positive(r)), X, ROOT),
    sample_of(mvn.entropy, lambda r: stats.multivariate_normal.entropy(M, positive(r)), ROOT),
    sample_of(mvn.entropy, lambda r: stats.multivariate_normal(M, positive(r)).entropy(), ROOT),
    sample_of(mvt.logpdf, lambda x, m, r, n: stats.multivariate_t.logpdf(x, m, positive(r), n), X, M, ROOT, 3.5),
    sample_of(mvt.pdf, lambda x, m, r, n: stats.multivariate_t(m, positive(r), df=n).pdf(x), X, M, ROOT, 3.5),
    sample_of(stats.dirichlet.logpdf, lambda x, a: stats.dirichlet.logpdf(last_left_out(x), a), P[0], P[1]),
    sample_of(stats.dirichlet.pdf, lambda x, a: stats.dirichlet(a).pdf(last_left_out(x)), P[0], P[1]),
    sample_of(stats.dirichlet.mean, lambda a: stats.dirichlet.mean(a) * stats.dirichlet.var(a), P[0]),
    sample_of(stats.dirichlet.entropy, lambda a: stats.dirichlet.entropy(a), P[0]),
    sample_of(stats.multinomial.logpmf, lambda p: stats.multinomial.logpmf([1, 2, 0, 1], 4, shares(p)), P[0]).but(
        single=False
    ),
    sample_of(stats.multinomial.pmf, lambda p: stats.multinomial(4, shares(p)).pmf([1, 2, 0, 1]), P[0]).but(
        single=False
    ),
    sample_of(
        stats.wishart.logpdf, lambda x, n, s: stats.wishart.logpdf(positive(x), n, positive(s)), ROOT, 3.5, ROOT + 0.1
    ),
    sample_of(stats.wishart.pdf, lambda x, n, s: stats.wishart(n, positive(s)).pdf(positive(x)), ROOT, 3.5, ROOT + 0.1),
    sample_of(
        stats.invwishart.logpdf,
        lambda x, n, s: stats.invwishart.logpdf(positive(x), n, positive(s)),
        ROOT,
        3.5,
        ROOT + 0.1,
    ),
    sample_of(
        stats.matrix_normal.logpdf,
        lambda x, m, u: stats.matrix_normal.logpdf(x, m, positive(u)),
        normal(2, 3),
        normal(2, 3, seed=1),
        ROOT,
    ),
    sample_of(stats.gaussian_kde.evaluate, lambda x, a: stats.gaussian_kde(a).evaluate(x), M, A[0]).but(single=False),
    sample_of(stats.gaussian_kde.logpdf, lambda x, a: stats.gaussian_kde(a, 0.5).logpdf(x), X.T, A[:2]).but(
        single=False, order=1
    ),
    sample_of(stats.gaussian_kde.evaluate, lambda x, a: stats.gaussian_kde(a)(x), M, A[0]).but(single=False, order=1),
    sample_of(stats.zscore, lambda a: stats.zscore(a), A),
    sample_of(stats.zscore, lambda a: stats.zscore(a, axis=None, ddof=1), A),
    sample_of(stats.zmap, lambda a, b: stats.zmap(a, b, axis=1), A, P),
    sample_of(stats.gzscore, lambda a: stats.gzscore(a), P),
    sample_of(stats.gmean, lambda a: stats.gmean(a), P),
    sample_of(stats.gmean, lambda a, w: stats.gmean(a, axis=-1, weights=w, keepdims=True), P, P + 1.0),
    sample_of(stats.hmean, lambda a: stats.hmean(a, axis=None), P),
    sample_of(stats.pmean, lambda a: stats.pmean(a, 3, axis=1), P),
    sample_of(stats.gstd, lambda a: stats.gstd(a), P),
    sample_of(stats.skew, lambda a: stats.skew(a, axis=1), A),
    sample_of(stats.skew, lambda a: stats.skew(a, bias=False, keepdims=True), A),
    sample_of(stats.kurtosis, lambda a: stats.kurtosis(a, axis=None), A),
    sample_of(stats.kurtosis, lambda a: stats.kurtosis(a, axis=1, fisher=False, bias=False), A),
    sample_of(stats.moment, lambda a: stats.moment(a, 3), A),
    sample_of(stats.moment, lambda a: stats.moment(a, order=2, center=0.5, axis=1), A),
    sample_of(stats.sem, lambda a: stats.sem(a, axis=1), A),
    sample_of(stats.variation, lambda a: stats.variation(a), P),
    sample_of(stats.tmean, lambda a: stats.tmean(a) * stats.tvar(a) * stats.tstd(a) * stats.tsem(a), A),
    sample_of(stats.entropy, lambda p: stats.entropy(p), P),
    sample_of(stats.entropy, lambda p, q: stats.entropy(p, q, base=2, axis=1), P, P + 1.0),
    sample_of(stats.trim_mean, lambda a: stats.trim_mean(a, 0.25, axis=1), A),
    sample_of(stats.circmean, lambda a: stats.circmean(a, axis=1), P),
    sample_of(stats.circvar, lambda a: stats.circvar(a, high=4.0), P),
    sample_of(stats.circstd, lambda a: stats.circstd(a, high=4.0), P),
    sample_of(stats.boxcox, lambda a: stats.boxcox(a, 0.5), P[0]),
    sample_of(stats.boxcox_llf, lambda power, a: stats.boxcox_llf(power, a), 0.5, P[0]).but(single=False),
]
if hasattr(stats, "dirichlet_multinomial"):
    SAMPLES += [
        sample_of(
            stats.dirichlet_multinomial.logpmf,
            lambda a: stats.dirichlet_multinomial.logpmf(np.array([1, 2, 0, 1]), a, 4),
            P[0],
        )
    ]
