"""Samples for `scipy.stats`: every distribution of the table, by point and parameters."""

from __future__ import annotations

from typing import Any

import numpy as np
from rules.sampling import Sample, sample_of, uniform
from scipy import stats

CONTINUOUS: dict[str, tuple[float, ...]] = {
    "anglit": (), "arcsine": (), "beta": (1.7, 2.3), "betaprime": (2.5, 4.5), "bradford": (0.7,), "burr12": (1.5, 2.5),
    "cauchy": (), "chi": (2.5,), "chi2": (3.5,), "cosine": (), "expon": (), "exponnorm": (1.5,),
    "f": (3.5, 7.5), "fisk": (3.5,), "foldnorm": (1.3,), "gamma": (2.5,), "genextreme": (0.2,), "gennorm": (1.4,),
    "genpareto": (0.2,), "gibrat": (), "gompertz": (0.9,), "gumbel_l": (), "gumbel_r": (), "halfcauchy": (),
    "halflogistic": (), "halfnorm": (), "hypsecant": (), "invgamma": (4.5,), "invgauss": (0.8,), "invweibull": (3.5,),
    "johnsonsb": (0.4, 1.2), "johnsonsu": (0.4, 1.2), "laplace": (), "levy": (), "loggamma": (0.8,), "logistic": (),
    "lognorm": (0.7,), "loguniform": (0.3, 2.5), "lomax": (3.5,), "maxwell": (), "moyal": (), "nakagami": (1.5,),
    "norm": (), "pareto": (4.5,), "powerlaw": (1.7,), "rayleigh": (), "reciprocal": (0.3, 2.5), "rice": (0.8,),
    "semicircular": (), "skewnorm": (1.5,), "t": (4.5,), "triang": (0.3,), "truncexpon": (1.7,),
    "truncnorm": (-0.7, 1.4), "uniform": (), "wald": (), "weibull_max": (1.5,), "weibull_min": (1.5,),
}  # fmt: skip
DISCRETE: dict[str, tuple[float, ...]] = {
    "bernoulli": (0.3,), "binom": (5, 0.3), "dlaplace": (0.8,), "geom": (0.3,), "logser": (0.4,), "nbinom": (3.5, 0.3),
    "planck": (0.8,), "poisson": (1.7,), "skellam": (1.7, 0.8), "zipf": (2.5,), "betabinom": (5, 1.5, 2.5),
}  # fmt: skip
ONLY_DENSITY = {"dlaplace", "logser", "skellam", "zipf", "betabinom"}
WITHOUT = {
    "mean": {"cauchy", "halfcauchy", "levy", "burr12", "foldnorm", "genextreme", "gibrat", "gompertz", "johnsonsb"}
    | {"johnsonsu", "nakagami", "rice", "truncexpon", "truncnorm", "bradford"},
    "var": {"chi", "invweibull", "fisk", "lomax", "loguniform", "reciprocal"},
    "entropy": {
        "betaprime",
        "chi",
        "cosine",
        "anglit",
        "exponnorm",
        "f",
        "fisk",
        "gennorm",
        "halflogistic",
        "hypsecant",
    }
    | {"invgauss", "wald", "invweibull", "loggamma", "maxwell", "moyal", "semicircular", "skewnorm"},
}


def points(name: str, shapes: tuple[float, ...]) -> Any:
    """Points between the tails, of location 0.3 and scale 1.4."""
    return getattr(stats, name).ppf(uniform(0.2, 0.8, 3), *shapes, loc=0.3, scale=1.4)


def at_point(name: str, methods: str, x: Any, *values: Any) -> Any:
    """These methods, the quantiles at a number; location and scale by name."""
    found = []
    for method in methods.split():
        at = 0.3 if method in ("ppf", "isf") else x
        found.append(getattr(getattr(stats, name), method)(at, *values[:-2], loc=values[-2], scale=values[-1]))
    return found


def by_parameters(name: str, methods: str, *values: Any) -> Any:
    """These methods without a point."""
    return [getattr(getattr(stats, name), method)(*values) for method in methods.split()]


def at_count(name: str, methods: str, k: Any, *values: Any) -> Any:
    """These methods at whole numbers."""
    return [getattr(getattr(stats, name), method)(k, *values) for method in methods.split()]


def of_point(name: str, methods: str, order: int = 1) -> Sample:
    """Methods at points; all parameters are differentiated."""
    shapes = CONTINUOUS[name]
    options = {"order": order, "single": False, "strided": False}
    return sample_of(at_point, at_point, name, methods, points(name, shapes), *shapes, 0.3, 1.4).but(**options)


def of_count(name: str) -> Sample:
    """Methods at whole numbers, by the shapes."""
    shapes = DISCRETE[name]
    low = getattr(stats, name).support(*shapes)[0]
    k = np.array([0]) if name == "bernoulli" else np.array([1, 2, 3]) if low == 1 else np.array([0, 1, 2])
    methods = "logpmf pmf" if name in ONLY_DENSITY else "logpmf cdf sf logcdf logsf"
    return sample_of(at_count, at_count, name, methods, k, *shapes).but(order=1, single=False, strided=False)


def of_moments(name: str) -> list[Sample]:
    """Moments by all parameters."""
    methods = "mean" if name in WITHOUT["var"] else "mean var std"
    methods = "" if name in WITHOUT["mean"] else methods
    methods += "" if name in WITHOUT["entropy"] or name in WITHOUT["mean"] else " entropy"
    sampled = sample_of(by_parameters, by_parameters, name, methods.strip(), *CONTINUOUS[name], 0.3, 1.4)
    return [sampled.but(order=1)] if methods else []


X = np.array([-0.5, 0.4, 1.5])

SAMPLES = [
    *[of_point(name, "logpdf") for name in CONTINUOUS],
    *[of_point(name, "cdf sf logcdf logsf ppf") for name in CONTINUOUS],
    *[of_point(name, "pdf isf") for name in ("norm", "t", "gamma", "beta", "expon")],
    of_point("norm", "logpdf", order=2),
    of_point("gamma", "cdf", order=2),
    of_point("norm", "ppf", order=2),
    *[of_count(name) for name in DISCRETE],
    *[s for name in CONTINUOUS for s in of_moments(name)],
    sample_of(stats.norm.logpdf, lambda x, m, s: stats.norm.logpdf(x, m, s), X, X / 2.0, np.array([[1.0], [2.0]])),
    sample_of(stats.norm.logpdf, lambda x, m, s: stats.norm(loc=m, scale=s).logpdf(x), X, 0.5, 1.5),
    sample_of(stats.norm.logpdf, lambda x: stats.norm.logpdf(x, 1, 2), X),
    sample_of(stats.norm.logpdf, lambda x: stats.norm.logpdf(x), [0.5, 1.5]),
    sample_of(stats.norm.logpdf, lambda x: stats.norm.logpdf(x), 0.5),
    sample_of(stats.norm.logpdf, lambda x: stats.norm.logpdf(x), np.zeros((0, 2))).but(single=False),
    sample_of(stats.gamma.pdf, lambda x, a, s: stats.gamma(a, scale=s).pdf(x), X + 1.0, 2.5, 1.5),
    sample_of(stats.gamma.pdf, lambda a: stats.gamma.pdf(x=1.5, a=a), 2.5),
    sample_of(stats.t.cdf, lambda x, df: stats.t(df=df).cdf(x), X, 3.5),
    sample_of(stats.t.mean, lambda m, s: stats.t(4.5, m, s).mean() + stats.t(4.5, m, s).var(), 0.5, 1.5),
    sample_of(stats.norm.median, lambda m, s: stats.norm.median(m, s), 0.5, 1.5),
    sample_of(stats.norm.median, lambda a, s: stats.gamma(a, scale=s).median(), 2.5, 1.5).but(order=1),
    sample_of(stats.poisson.logpmf, lambda m: stats.poisson(m).logpmf(np.array([0, 3])), 1.5),
    sample_of(stats.poisson.mean, lambda m: stats.poisson.mean(m) * stats.binom.var(3, m / 4), 1.5),
    sample_of(stats.ncx2.logpdf, lambda x, nc: stats.ncx2.logpdf(x, 3.0, nc), X + 1.0, 0.7),
    sample_of(stats.ncx2.cdf, lambda x, nc: stats.ncx2.cdf(x, 3.0, nc), X + 1.0, 0.7).but(single=False),
    sample_of(stats.vonmises.logpdf, lambda x, k: stats.vonmises.logpdf(x, k), X, 1.7),
    sample_of(stats.vonmises.entropy, lambda k: stats.vonmises.entropy(k), 1.7),
    sample_of(stats.truncnorm.logpdf, lambda x, b: stats.truncnorm.logpdf(x, -np.inf, b), X, 1.7),
    sample_of(stats.truncnorm.logpdf, lambda x, a: stats.truncnorm.logpdf(x, a, np.inf), X + 8.0, 7.0).but(
        single=False
    ),
]
