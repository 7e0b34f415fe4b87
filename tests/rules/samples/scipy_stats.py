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
    "alpha": (1.3,), "argus": (1.5,), "burr": (3.5, 1.5), "dgamma": (1.7,), "dweibull": (1.7,), "exponpow": (1.4,),
    "exponweib": (1.7, 1.3), "fatiguelife": (0.8,), "foldcauchy": (1.3,), "genexpon": (0.7, 1.3, 0.8),
    "gengamma": (1.7, 1.3), "genhalflogistic": (0.4,), "genlogistic": (1.7,), "halfgennorm": (1.4,), "kappa3": (1.7,),
    "laplace_asymmetric": (1.4,), "levy_l": (), "loglaplace": (2.5,), "mielke": (2.5, 3.5), "pearson3": (0.7,),
    "powerlognorm": (1.7, 0.8), "powernorm": (1.7,), "rdist": (3.5,), "recipinvgauss": (0.8,), "skewcauchy": (0.3,),
    "trapezoid": (0.3, 0.7), "truncpareto": (1.7, 3.5), "truncweibull_min": (1.7, 0.4, 2.5), "wrapcauchy": (0.4,),
}  # fmt: skip
DISCRETE: dict[str, tuple[float, ...]] = {
    "bernoulli": (0.3,), "binom": (5, 0.3), "dlaplace": (0.8,), "geom": (0.3,), "logser": (0.4,), "nbinom": (3.5, 0.3),
    "planck": (0.8,), "poisson": (1.7,), "skellam": (1.7, 0.8), "zipf": (2.5,), "betabinom": (5, 1.5, 2.5),
    "betanbinom": (5, 1.5, 2.5), "boltzmann": (0.8, 7), "yulesimon": (1.7,),
}  # fmt: skip
ONLY_DENSITY = {"dlaplace", "logser", "skellam", "zipf", "betabinom", "betanbinom"}
WITHOUT = {
    "mean": {"cauchy", "halfcauchy", "levy", "burr12", "foldnorm", "genextreme", "gibrat", "gompertz", "johnsonsb"}
    | {"johnsonsu", "nakagami", "rice", "truncexpon", "truncnorm", "bradford", "alpha", "argus", "exponpow"}
    | {"exponweib", "foldcauchy", "genexpon", "genhalflogistic", "halfgennorm", "kappa3", "levy_l", "loglaplace"}
    | {"mielke", "powerlognorm", "powernorm", "recipinvgauss", "skewcauchy", "trapezoid", "truncpareto"}
    | {"truncweibull_min", "wrapcauchy"},
    "var": {"chi", "invweibull", "fisk", "lomax", "loguniform", "reciprocal", "burr", "rdist"},
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
    | {"invgauss", "wald", "invweibull", "loggamma", "maxwell", "moyal", "semicircular", "skewnorm"}
    | {"burr", "dgamma", "fatiguelife", "gengamma", "genlogistic", "pearson3", "rdist"},
}


def points(name: str, shapes: tuple[float, ...]) -> Any:
    """Points between the tails, of location 0.3 and scale 1.4."""
    return getattr(stats, name).ppf(uniform(0.2, 0.8, 3), *shapes, loc=0.3, scale=1.4)


GENERIC: Any = stats.rv_continuous.__mro__[1]
FROZEN: Any = type(stats.norm())


def function_of(owner: Any, methods: str) -> Any:
    """The function behind the first of these methods."""
    return getattr(owner, methods.split()[0])


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
    return sample_of(
        function_of(stats.rv_continuous, methods), at_point, name, methods, points(name, shapes), *shapes, 0.3, 1.4
    ).but(**options)


def of_count(name: str, methods: str = "") -> Sample:
    """Methods at whole numbers, by the shapes."""
    shapes = DISCRETE[name]
    low = getattr(stats, name).support(*shapes)[0]
    k = np.array([0]) if name == "bernoulli" else np.array([1, 2, 3]) if low == 1 else np.array([0, 1, 2])
    methods = methods or ("logpmf pmf" if name in ONLY_DENSITY else "logpmf cdf sf logcdf logsf")
    f, options = function_of(stats.rv_discrete, methods), {"order": 1, "single": False, "strided": False}
    return sample_of(f, at_count, name, methods, k, *shapes).but(**options)


def of_moments(name: str) -> list[Sample]:
    """Moments by all parameters."""
    methods = "mean" if name in WITHOUT["var"] else "mean var std"
    methods = "" if name in WITHOUT["mean"] else methods
    methods += "" if name in WITHOUT["entropy"] or name in WITHOUT["mean"] else " entropy"
    if not methods:
        return []
    f = function_of(GENERIC, methods)
    return [sample_of(f, by_parameters, name, methods.strip(), *CONTINUOUS[name], 0.3, 1.4).but(order=1)]


def of_moments_alone(method: str) -> Sample:
    """One moment of a normal distribution."""
    return sample_of(getattr(GENERIC, method), by_parameters, "norm", method, 0.3, 1.4).but(order=1)


def frozen(method: str, x: Any, *values: Any) -> Any:
    """A method of a distribution that was given its parameters."""
    bound = getattr(stats.gamma(values[0], values[1], scale=values[2]), method)
    return bound() if x is None else bound(x)


def frozen_counts(method: str, mu: float) -> Any:
    """The same of a discrete one."""
    return getattr(stats.poisson(mu), method)(np.array([0, 3]))


def of_frozen(method: str) -> Sample:
    """By the parameters, and the point if there is one."""
    moment = method in ("mean", "var", "std", "median", "entropy")
    x = None if moment else np.array([0.4, 0.7]) if method in ("ppf", "isf") else np.array([1.5, 2.5])
    options = {"order": 1, "single": False, "strided": False, "lists": False}
    return sample_of(getattr(FROZEN, method), frozen, method, x, 2.5, 0.3, 1.4).but(**options)


def of_frozen_counts(method: str) -> Sample:
    """By the parameter."""
    return sample_of(getattr(type(stats.poisson(1.0)), method), frozen_counts, method, 1.7).but(order=1)


X = np.array([-0.5, 0.4, 1.5])
SCALES = np.array([[1.0], [2.0]])

SAMPLES = [
    *[of_point(name, "logpdf") for name in CONTINUOUS],
    *[of_point(name, "cdf sf logcdf logsf ppf") for name in CONTINUOUS],
    *[of_point(name, "pdf isf") for name in ("norm", "t", "gamma", "beta", "expon")],
    of_point("norm", "logpdf", order=2),
    of_point("gamma", "cdf", order=2),
    of_point("norm", "ppf", order=2),
    of_point("skewnorm", "logsf", order=2),
    of_point("gumbel_r", "sf logcdf logsf", order=2),
    *[of_count(name) for name in DISCRETE],
    *[of_moments_alone(method) for method in ("var", "std", "entropy")],
    *[of_point("norm", f"{method} logpdf") for method in ("sf", "logcdf", "logsf", "pdf", "ppf", "isf")],
    *[of_count("poisson", method) for method in ("pmf", "cdf", "sf", "logcdf", "logsf")],
    *[of_frozen(method) for method in ("pdf", "logpdf", "cdf", "sf", "logcdf", "logsf", "ppf", "isf")],
    *[of_frozen(method) for method in ("mean", "var", "std", "median", "entropy")],
    *[of_frozen_counts(method) for method in ("pmf", "logpmf")],
    sample_of(GENERIC.__call__, lambda m: stats.norm(m).logpdf(0.5), 0.3),
    sample_of(GENERIC.freeze, lambda m: stats.norm.freeze(m, scale=m * m).logpdf(0.5), 0.7),
    *[s for name in CONTINUOUS for s in of_moments(name)],
    sample_of(
        stats.rv_continuous.logpdf, lambda x, m, s: stats.norm.logpdf(x, m, s), X, X / 2.0, np.array([[1.0], [2.0]])
    ),
    sample_of(stats.rv_continuous.logpdf, lambda x, m, s: stats.norm(loc=m, scale=s).logpdf(x), X, 0.5, 1.5),
    sample_of(stats.rv_continuous.logpdf, lambda x: stats.norm.logpdf(x, 1, 2), X),
    sample_of(stats.rv_continuous.logpdf, lambda x: stats.norm.logpdf(x), [0.5, 1.5]),
    sample_of(stats.rv_continuous.logpdf, lambda x: stats.norm.logpdf(x), 0.5),
    sample_of(stats.rv_continuous.logpdf, lambda x: stats.norm.logpdf(x), np.zeros((0, 2))).but(single=False),
    sample_of(stats.rv_continuous.pdf, lambda x, a, s: stats.gamma(a, scale=s).pdf(x), X + 1.0, 2.5, 1.5),
    sample_of(stats.rv_continuous.pdf, lambda a: stats.gamma.pdf(x=1.5, a=a), 2.5),
    sample_of(stats.rv_continuous.cdf, lambda x, df: stats.t(df=df).cdf(x), X, 3.5),
    sample_of(FROZEN.mean, lambda m, s: stats.t(4.5, m, s).mean() + stats.t(4.5, m, s).var(), 0.5, 1.5),
    sample_of(GENERIC.median, lambda m, s: stats.norm.median(m, s), 0.5, 1.5),
    sample_of(GENERIC.median, lambda a, s: stats.gamma(a, scale=s).median(), 2.5, 1.5).but(order=1),
    sample_of(GENERIC.interval, lambda c, m, s: stats.norm.interval(c, m, scale=s), 0.9, 0.5, 1.5),
    sample_of(FROZEN.interval, lambda c, a, s: stats.gamma(a, scale=s).interval(c), 0.9, 2.5, 1.5).but(order=1),
    sample_of(stats.rv_discrete.logpmf, lambda m: stats.poisson(m).logpmf(np.array([0, 3])), 1.5),
    sample_of(GENERIC.mean, lambda m: stats.poisson.mean(m) * stats.binom.var(3, m / 4), 1.5),
    sample_of(stats.rv_continuous.logpdf, lambda x, nc: stats.ncx2.logpdf(x, 3.0, nc), X + 1.0, 0.7),
    sample_of(stats.rv_continuous.cdf, lambda x, nc: stats.ncx2.cdf(x, 3.0, nc), X + 1.0, 0.7).but(single=False),
    sample_of(stats.rv_continuous.logpdf, lambda x, k: stats.vonmises.logpdf(x, k), X, 1.7),
    sample_of(stats.rv_continuous.cdf, lambda x, m, s: stats.vonmises.cdf(x, 1.7, m, s), X, 0.3, 1.4).but(single=False),
    sample_of(stats.rv_continuous.logsf, lambda x, m, s: stats.vonmises.logsf(x, 1.7, m, s), X, 0.3, 1.4).but(
        single=False
    ),
    sample_of(stats.rv_continuous.ppf, lambda q, m, s: stats.vonmises.ppf(q, 1.7, m, s), 0.6, 0.3, 1.4).but(
        single=False, order=1, rtol=1e-3
    ),
    sample_of(stats.rv_continuous.logpdf, lambda x, c: stats.nct.logpdf(x, 4.5, c, 0.3, 1.4), X, 0.7).but(single=False),
    sample_of(stats.rv_continuous.cdf, lambda x, c: stats.nct.cdf(x, 4.5, c, 0.3, 1.4), X, 0.7).but(single=False),
    sample_of(stats.rv_continuous.sf, lambda x, c: stats.nct.logsf(x, 4.5, c, 0.3, 1.4), X, 0.7).but(single=False),
    sample_of(stats.rv_continuous.logpdf, lambda x, a, b: stats.norminvgauss.logpdf(x, a, b, 0.3, 1.4), X, 1.7, 0.4),
    sample_of(stats.rv_continuous.logpdf, lambda x, b: stats.geninvgauss.logpdf(x + 1, 1.3, b), X, 1.7).but(
        order=1, single=False
    ),
    sample_of(stats.rv_continuous.logpdf, lambda x: stats.tukeylambda.logpdf(x, 0.4, 0.3, 1.4), X),
    sample_of(stats.rv_continuous.cdf, lambda x: stats.tukeylambda.cdf(x, 0.4, 0.3, 1.4), X),
    sample_of(stats.rv_continuous.logpdf, lambda x: stats.pearson3.logpdf(x, 0.0), X).but(single=False),
    sample_of(stats.rv_continuous.logpdf, lambda x, s: stats.pearson3.logpdf(x, s), X, -0.05).but(single=False),
    sample_of(stats.rv_continuous.cdf, lambda x, s: stats.pearson3.cdf(x, s), X, -0.7).but(order=1),
    sample_of(stats.rv_continuous.cdf, lambda x, a: stats.gengamma.cdf(x + 1, a, -1.3), X, 1.7).but(order=1),
    sample_of(GENERIC.entropy, lambda k: stats.vonmises.entropy(k), 1.7),
    sample_of(stats.rv_continuous.logpdf, lambda x, b: stats.truncnorm.logpdf(x, -np.inf, b), X, 1.7),
    sample_of(stats.rv_continuous.logpdf, lambda x, a: stats.truncnorm.logpdf(x, a, np.inf), X + 8.0, 7.0).but(
        single=False
    ),
]

_X, _Y = uniform(0.5, 2.5, 6, seed=3), uniform(0.5, 2.5, 6, seed=4)
SAMPLES += [
    sample_of(stats.pearsonr, lambda x, y: tuple(stats.pearsonr(x, y)), _X, _Y).but(single=False),
    sample_of(stats.linregress, lambda x, y: tuple(stats.linregress(x, y)), _X, _Y).but(single=False),
]
