"""Samples for `scipy.stats`: distributions of vectors, kernel estimates, statistics of samples."""

from __future__ import annotations

from typing import Any

import numpy as np
from rules.sampling import Sample, normal, sample_of, uniform
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


PREPARED: dict[str, Any] = {
    "multivariate_normal": lambda x, m, r: (x, m, positive(r)),
    "multivariate_t": lambda x, m, r, n: (x, m, positive(r), n),
    "dirichlet": lambda x, a: (last_left_out(x), a),
    "multinomial": lambda p: (COUNTS, 4, shares(p)),
    "wishart": lambda x, n, s: (positive(x), n, positive(s)),
    "invwishart": lambda x, n, s: (positive(x), n, positive(s)),
    "matrix_normal": lambda x, m, u: (x, m, positive(u)),
    "dirichlet_multinomial": lambda a: (COUNTS, a, 4),
}
"""How the point and the parameters of each family are made of arrays of any numbers."""
ARGUMENTS: dict[str, tuple[Any, ...]] = {
    "multivariate_normal": (X, M, ROOT), "multivariate_t": (X, M, ROOT, 3.5), "dirichlet": (P[0], P[1]),
    "multinomial": (P[0],), "wishart": (ROOT, 3.5, ROOT + 0.1), "invwishart": (ROOT, 3.5, ROOT + 0.1),
    "matrix_normal": (normal(2, 3), normal(2, 3, seed=1), ROOT), "dirichlet_multinomial": (P[0],),
}  # fmt: skip
MOMENTS = {"multivariate_normal": ["entropy"], "dirichlet": ["mean", "var", "entropy"]}


def at_point(name: str, method: str, *values: Any) -> Any:
    """A method at a point."""
    return getattr(getattr(stats, name), method)(*PREPARED[name](*values))


def made_at_point(name: str, method: str, *values: Any) -> Any:
    """The same of a distribution that was given its parameters."""
    x, *parameters = PREPARED[name](*values)
    return getattr(getattr(stats, name)(*parameters), method)(x)


def moment(name: str, method: str, *values: Any) -> Any:
    """A method without a point."""
    return getattr(getattr(stats, name), method)(*PREPARED[name](*values)[1:])


def made_moment(name: str, method: str, *values: Any) -> Any:
    """The same of a distribution that was given its parameters."""
    return getattr(getattr(stats, name)(*PREPARED[name](*values)[1:]), method)()


def of_family(name: str) -> list[Sample]:
    """All methods of a family, those of its frozen distributions too."""
    family, values = getattr(stats, name), ARGUMENTS[name]
    made = type(family(*PREPARED[name](*values)[1:])) if name != "matrix_normal" else type(family(X))
    densities = ["logpmf", "pmf"] if "multinomial" in name else ["logpdf", "pdf"]
    calls = [(getattr(type(family), m), at_point, m) for m in densities]
    calls += [(getattr(made, m), made_at_point, m) for m in densities]
    calls += [(getattr(type(family), m), moment, m) for m in MOMENTS.get(name, [])]
    calls += [(getattr(made, m), made_moment, m) for m in MOMENTS.get(name, [])]
    calls += [(type(family).__call__, made_at_point, densities[0])]
    options = {"lists": False, "single": False, "strided": False}
    return [sample_of(of, f, name, m, *values).but(order=1 + (m == densities[0]), **options) for of, f, m in calls]


NORMAL = type(stats.multivariate_normal).logpdf

SAMPLES = [
    *[s for name in PREPARED if hasattr(stats, name) for s in of_family(name)],
    sample_of(NORMAL, lambda x, m, r: stats.multivariate_normal.logpdf(x, m, cov=positive(r)), M, M / 2.0, ROOT).but(
        lists=False, single=False
    ),
    sample_of(NORMAL, lambda x, c: stats.multivariate_normal.logpdf(x, cov=c), X[:, 0], 1.5).but(single=False),
    sample_of(
        NORMAL, lambda x, r: stats.multivariate_normal.logpdf(x, cov=positive(r), allow_singular=True), M, ROOT
    ).but(single=False),
    sample_of(NORMAL, lambda x, c: stats.multivariate_normal.logpdf(x, np.zeros(2), c), X, np.array([0.5, 1.5])).but(
        single=False
    ),
    sample_of(NORMAL, lambda x, c: stats.multivariate_normal(np.zeros(2), c).logpdf(x), X, 1.5).but(single=False),
    sample_of(stats.gaussian_kde.evaluate, lambda x, a: stats.gaussian_kde(a).evaluate(x), M, A[0]).but(single=False),
    sample_of(stats.gaussian_kde.logpdf, lambda x, a: stats.gaussian_kde(a, 0.5).logpdf(x), X.T, A[:2]).but(
        single=False, order=1
    ),
    sample_of(stats.gaussian_kde.evaluate, lambda x, a: stats.gaussian_kde(a)(x), M, A[0]).but(single=False, order=1),
    sample_of(stats.gaussian_kde.pdf, lambda x, a: stats.gaussian_kde(a).pdf(x), M, A[0]).but(single=False, order=1),
    sample_of(stats.gaussian_kde, lambda a: stats.gaussian_kde(a).pdf([0.5]), A[0]).but(single=False, order=1),
    sample_of(stats.zscore, lambda a: stats.zscore(a), A),
    sample_of(stats.zscore, lambda a: stats.zscore(a, axis=None, ddof=1), A),
    sample_of(stats.zmap, lambda a, b: stats.zmap(a, b, axis=1), A, P),
    sample_of(stats.gzscore, lambda a: stats.gzscore(a), P),
    sample_of(stats.gmean, lambda a: stats.gmean(a), P),
    sample_of(stats.gmean, lambda a, w: stats.gmean(a, axis=-1, weights=w, keepdims=True), P, P + 1.0),
    sample_of(stats.hmean, lambda a: stats.hmean(a, axis=None), P),
    sample_of(stats.pmean, lambda a: stats.pmean(a, 3, axis=1), P),
    sample_of(stats.gstd, lambda a: stats.gstd(a), P),
    sample_of(stats.iqr, lambda a: stats.iqr(a), P),
    sample_of(stats.iqr, lambda a: stats.iqr(a, axis=0, rng=(80, 10), scale="normal", keepdims=True), P),
    sample_of(stats.iqr, lambda a: stats.iqr(a, -1, scale=2.0, interpolation="midpoint"), P),
    sample_of(stats.skew, lambda a: stats.skew(a, axis=1), A),
    sample_of(stats.skew, lambda a: stats.skew(a, bias=False, keepdims=True), A),
    sample_of(stats.kurtosis, lambda a: stats.kurtosis(a, axis=None), A),
    sample_of(stats.kurtosis, lambda a: stats.kurtosis(a, axis=1, fisher=False, bias=False), A),
    sample_of(stats.moment, lambda a: stats.moment(a, 3), A),
    sample_of(stats.moment, lambda a: stats.moment(a, order=2, center=0.5, axis=1), A),
    sample_of(stats.sem, lambda a: stats.sem(a, axis=1), A),
    sample_of(stats.variation, lambda a: stats.variation(a), P),
    sample_of(stats.tmean, lambda a: stats.tmean(a), A),
    sample_of(stats.tvar, lambda a: stats.tvar(a, axis=1), A),
    sample_of(stats.tstd, lambda a: stats.tstd(a), A),
    sample_of(stats.tsem, lambda a: stats.tsem(a, axis=None), A),
    sample_of(stats.entropy, lambda p: stats.entropy(p), P),
    sample_of(stats.entropy, lambda p, q: stats.entropy(p, q, base=2, axis=1), P, P + 1.0),
    sample_of(stats.trim_mean, lambda a: stats.trim_mean(a, 0.25, axis=1), A),
    sample_of(stats.circmean, lambda a: stats.circmean(a, axis=1), P),
    sample_of(stats.circvar, lambda a: stats.circvar(a, high=4.0), P),
    sample_of(stats.circstd, lambda a: stats.circstd(a, high=4.0), P),
    sample_of(stats.boxcox, lambda a: stats.boxcox(a, 0.5), P[0]),
    sample_of(stats.boxcox_llf, lambda power, a: stats.boxcox_llf(power, a), 0.5, P[0]).but(single=False),
]
