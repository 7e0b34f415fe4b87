"""Statistics of samples: moments, means, scores, entropy, circular statistics."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import math

import numpy as np
import scipy.special as special
import scipy.stats as stats

from ...numpy.lifting import composed, refuse
from ...registry import non_differentiable, not_implemented


def plain(name, nan_policy="propagate", **unusual):
    """Raise for what these formulas do not say."""
    if nan_policy != "propagate":
        refuse(name, f"`nan_policy={nan_policy!r}` leaves values out", "leave them out before: `a[~np.isnan(a)]`")
    for key, value in unusual.items():
        if value is not None:
            refuse(name, f"`{key}` is not followed", "select or scale the values before")


def count(a, axis):
    """The number of values along an axis."""
    return np.size(a) if axis is None else math.prod(np.shape(a)[i] for i in np.atleast_1d(axis))


non_differentiable(plain, count)


def average(a, weights, axis, keepdims):
    """The mean with weights, or without."""
    if weights is None:
        return np.mean(a, axis=axis, keepdims=keepdims)
    total = np.sum(a * weights, axis=axis, keepdims=keepdims)
    return total / np.sum(np.asarray(weights) * np.ones(np.shape(a)), axis=axis, keepdims=keepdims)


@composed(stats.gmean)
def gmean(a, axis=0, dtype=None, weights=None, *, nan_policy="propagate", keepdims=False):
    """exp of the mean of logarithms."""
    plain("gmean", nan_policy, dtype=dtype)
    return np.exp(average(np.log(np.asarray(a)), weights, axis, keepdims))


@composed(stats.hmean)
def hmean(a, axis=0, dtype=None, *, weights=None, nan_policy="propagate", keepdims=False):
    """1 / the mean of 1 / a."""
    plain("hmean", nan_policy, dtype=dtype)
    return 1 / average(1 / np.asarray(a), weights, axis, keepdims)


@composed(stats.pmean)
def pmean(a, p, *, axis=0, dtype=None, weights=None, nan_policy="propagate", keepdims=False):
    """The p-th root of the mean of a to the p."""
    plain("pmean", nan_policy, dtype=dtype)
    if p == 0:
        return np.exp(average(np.log(np.asarray(a)), weights, axis, keepdims))
    return average(np.asarray(a) ** p, weights, axis, keepdims) ** (1 / p)


@composed(stats.gstd)
def gstd(a, axis=0, ddof=1, *, keepdims=False, nan_policy="propagate"):
    """exp of the standard deviation of logarithms."""
    plain("gstd", nan_policy)
    return np.exp(np.std(np.log(np.asarray(a)), axis=axis, ddof=ddof, keepdims=keepdims))


@composed(stats.iqr)
def iqr(x, axis=None, rng=(25, 75), scale=1.0, nan_policy="propagate", interpolation="linear", keepdims=False):
    """The difference of two percentiles."""
    plain("iqr", nan_policy)
    if isinstance(scale, str):
        scale = NORMAL if scale.lower() == "normal" else 1.0
    ends = np.percentile(np.asarray(x), [min(rng), max(rng)], axis=axis, method=interpolation, keepdims=keepdims)
    return (ends[1] - ends[0]) / scale


NORMAL = 2 * math.sqrt(2) * special.erfinv(0.5)
"""How many deviations of a normal distribution are between its quartiles."""


@composed(stats.zscore)
def zscore(a, axis=0, ddof=0, nan_policy="propagate"):
    """(a - mean) / deviation."""
    plain("zscore", nan_policy)
    a = np.asarray(a)
    return (a - np.mean(a, axis=axis, keepdims=True)) / np.std(a, axis=axis, ddof=ddof, keepdims=True)


@composed(stats.zmap)
def zmap(scores, compare, axis=0, ddof=0, nan_policy="propagate"):
    """Scores relative to another sample."""
    plain("zmap", nan_policy)
    compare = np.asarray(compare)
    deviation = np.std(compare, axis=axis, ddof=ddof, keepdims=True)
    return (np.asarray(scores) - np.mean(compare, axis=axis, keepdims=True)) / deviation


@composed(stats.gzscore)
def gzscore(a, *, axis=0, ddof=0, nan_policy="propagate"):
    """The scores of logarithms."""
    plain("gzscore", nan_policy)
    logs = np.log(np.asarray(a))
    return (logs - np.mean(logs, axis=axis, keepdims=True)) / np.std(logs, axis=axis, ddof=ddof, keepdims=True)


def central(a, order, axis, keepdims):
    """The mean of (a - mean) to this power."""
    d = a - np.mean(a, axis=axis, keepdims=True)
    return np.mean(d**order, axis=axis, keepdims=keepdims)


@composed(stats.moment)
def moment(a, order=1, axis=0, nan_policy="propagate", *, center=None, keepdims=False):
    """The mean of (a - center) to this power."""
    plain("moment", nan_policy)
    a = np.asarray(a)
    if center is None:
        return central(a, order, axis, keepdims)
    return np.mean((a - center) ** order, axis=axis, keepdims=keepdims)


@composed(stats.skew)
def skew(a, axis=0, bias=True, nan_policy="propagate", *, keepdims=False):
    """m₃ / m₂^1.5."""
    plain("skew", nan_policy)
    a, n = np.asarray(a), count(a, axis)
    ratio = central(a, 3, axis, keepdims) / central(a, 2, axis, keepdims) ** 1.5
    return ratio if bias else ratio * math.sqrt(n * (n - 1)) / (n - 2)


@composed(stats.kurtosis)
def kurtosis(a, axis=0, fisher=True, bias=True, nan_policy="propagate", *, keepdims=False):
    """m₄ / m₂², less 3 in Fisher's definition."""
    plain("kurtosis", nan_policy)
    a, n = np.asarray(a), count(a, axis)
    ratio = central(a, 4, axis, keepdims) / central(a, 2, axis, keepdims) ** 2
    if not bias:
        ratio = ((n * n - 1) * ratio - 3 * (n - 1) ** 2) / ((n - 2) * (n - 3)) + 3
    return ratio - 3 if fisher else ratio


@composed(stats.sem)
def sem(a, axis=0, ddof=1, nan_policy="propagate", *, keepdims=False):
    """The deviation / √n."""
    plain("sem", nan_policy)
    a = np.asarray(a)
    return np.std(a, axis=axis, ddof=ddof, keepdims=keepdims) / math.sqrt(count(a, axis))


@composed(stats.variation)
def variation(a, axis=0, nan_policy="propagate", ddof=0, *, keepdims=False):
    """The deviation / the mean."""
    plain("variation", nan_policy)
    a = np.asarray(a)
    return np.std(a, axis=axis, ddof=ddof, keepdims=keepdims) / np.mean(a, axis=axis, keepdims=keepdims)


@composed(stats.tmean)
def tmean(a, limits=None, inclusive=(True, True), axis=None, *, nan_policy="propagate", keepdims=False):
    """The mean, without limits."""
    plain("tmean", nan_policy, limits=limits)
    return np.mean(np.asarray(a), axis=axis, keepdims=keepdims)


@composed(stats.tvar)
def tvar(a, limits=None, inclusive=(True, True), axis=0, ddof=1, *, nan_policy="propagate", keepdims=False):
    """The variance, without limits."""
    plain("tvar", nan_policy, limits=limits)
    return np.var(np.asarray(a), axis=axis, ddof=ddof, keepdims=keepdims)


@composed(stats.tstd)
def tstd(a, limits=None, inclusive=(True, True), axis=0, ddof=1, *, nan_policy="propagate", keepdims=False):
    """The deviation, without limits."""
    plain("tstd", nan_policy, limits=limits)
    return np.std(np.asarray(a), axis=axis, ddof=ddof, keepdims=keepdims)


@composed(stats.tsem)
def tsem(a, limits=None, inclusive=(True, True), axis=0, ddof=1, *, nan_policy="propagate", keepdims=False):
    """The deviation / √n, without limits."""
    plain("tsem", nan_policy, limits=limits)
    a = np.asarray(a)
    return np.std(a, axis=axis, ddof=ddof, keepdims=keepdims) / math.sqrt(count(a, axis))


@composed(stats.entropy)
def entropy(pk, qk=None, base=None, axis=0, *, nan_policy="propagate", keepdims=False):
    """-Σ p log p, or Σ p log(p / q), of shares that are made to sum to 1."""
    plain("entropy", nan_policy)
    pk = np.asarray(pk)
    p = pk / np.sum(pk, axis=axis, keepdims=True)
    if qk is None:
        terms = special.entr(p)
    else:
        qk = np.asarray(qk)
        terms = special.rel_entr(p, qk / np.sum(qk, axis=axis, keepdims=True))
    total = np.sum(terms, axis=axis, keepdims=keepdims)
    return total if base is None else total / np.log(base)


@composed(stats.trim_mean)
def trim_mean(a, proportiontocut, axis=0, *, nan_policy="propagate", keepdims=False):
    """The mean of what lies between the extremes."""
    plain("trim_mean", nan_policy)
    a = np.ravel(np.asarray(a)) if axis is None else np.asarray(a)
    along = 0 if axis is None else axis
    ordered = np.moveaxis(np.sort(a, axis=along), along, 0)
    cut = int(proportiontocut * a.shape[along])
    result = np.mean(ordered[cut : a.shape[along] - cut], axis=0)
    return result if not keepdims else np.expand_dims(result, along)


# On the circle


@composed(stats.circmean)
def circmean(samples, high=2 * math.pi, low=0, axis=None, nan_policy="propagate", *, keepdims=False):
    """The angle of Σ exp(iφ)."""
    plain("circmean", nan_policy)
    angles = (np.asarray(samples) - low) * (2 * math.pi / (high - low))
    sines = np.sum(np.sin(angles), axis=axis, keepdims=keepdims)
    return np.arctan2(sines, np.sum(np.cos(angles), axis=axis, keepdims=keepdims)) * (high - low) / (2 * math.pi) + low


def resultant(samples, high, low, axis, keepdims):
    """|Σ exp(iφ)| / n."""
    angles = (np.asarray(samples) - low) * (2 * math.pi / (high - low))
    sines = np.mean(np.sin(angles), axis=axis, keepdims=keepdims)
    return np.hypot(sines, np.mean(np.cos(angles), axis=axis, keepdims=keepdims))


@composed(stats.circvar)
def circvar(samples, high=2 * math.pi, low=0, axis=None, nan_policy="propagate", *, keepdims=False):
    """1 - |Σ exp(iφ)| / n."""
    plain("circvar", nan_policy)
    return 1 - resultant(samples, high, low, axis, keepdims)


@composed(stats.circstd)
def circstd(samples, high=2 * math.pi, low=0, axis=None, nan_policy="propagate", *, normalize=False, keepdims=False):
    """√(-2 log |Σ exp(iφ)| / n)."""
    plain("circstd", nan_policy)
    spread = np.sqrt(-2 * np.log(resultant(samples, high, low, axis, keepdims)))
    return spread if normalize else spread * ((high - low) / (2 * math.pi))


# Transformations


@composed(stats.boxcox)
def boxcox(x, lmbda=None, alpha=None, optimizer=None):
    """(xˡ - 1) / λ of a given λ."""
    if lmbda is None:
        refuse("boxcox", "without `lmbda` it is fitted", "pass `lmbda`, and differentiate `boxcox_llf` to fit it")
    return special.boxcox(np.asarray(x), lmbda)


@composed(stats.boxcox_llf)
def boxcox_llf(lmb, data, *, axis=0, keepdims=False, nan_policy="propagate"):
    """(λ - 1) Σ log x - n/2 log var."""
    plain("boxcox_llf", nan_policy)
    data = np.asarray(data)
    logs = np.sum(np.log(data), axis=axis, keepdims=keepdims)
    variance = np.var(special.boxcox(data, lmb), axis=axis, keepdims=keepdims)
    return (lmb - 1) * logs - count(data, axis) / 2 * np.log(variance)


non_differentiable(stats.rankdata, stats.tiecorrect)
if hasattr(stats, "find_repeats"):  # until SciPy 1.16
    non_differentiable(stats.find_repeats)


def _refuse(names: str, why: str, way_out: str) -> None:
    found = [getattr(stats, name) for name in names.split() if hasattr(stats, name)]
    not_implemented(*found, why=why, way_out=way_out)


_refuse(
    "alexandergovern anderson binomtest cramervonmises dunnett epps_singleton_2samp false_discovery_control "
    "goodness_of_fit ks_1samp kstest monte_carlo_test multiscale_graphcorr permutation_test poisson_means_test power "
    "shapiro tukey_hsd siegelslopes theilslopes mode bartlett_test ppcc_max ppcc_plot probplot sobol_indices",
    "the probability that it gives with the statistic has no formula here, or is drawn",
    "write the statistic out with functions of NumPy; `pearsonr`, `linregress`, the t-tests, `levene`, `normaltest` "
    "and `chisquare` have rules",
)
_refuse(
    "boxcox_normmax boxcox_normplot yeojohnson_normmax yeojohnson_normplot fit bootstrap "
    "ecdf bayes_mvs mvsdist make_distribution Mixture Normal Uniform Logistic Binomial abs exp log truncate "
    "order_statistic rv_continuous rv_discrete rv_histogram CensoredData Covariance BootstrapMethod MonteCarloMethod "
    "PermutationMethod",
    "it makes an object of SciPy's, or fits one",
    "use the densities of `scipy.stats.norm` and relatives, and `scipy.optimize`",
)
_refuse(
    "binned_statistic binned_statistic_2d binned_statistic_dd cumfreq relfreq differential_entropy "
    "estimated_cdf directional_stats expectile gstat lmoment obrientransform quantile "
    "wasserstein_distance_nd",
    "it sorts into bins, ranks or cuts, and is made by SciPy of steps that are not followed",
    "write it with functions of NumPy: `np.quantile`, `np.sort`, `np.max`",
)
_refuse(
    "matrix_t normal_inverse_gamma vonmises_fisher multivariate_hypergeom ortho_group random_correlation random_table "
    "special_ortho_group uniform_direction unitary_group nchypergeom_fisher nchypergeom_wallenius rvs_ratio_uniforms",
    "this distribution is not in the table",
    "write the density out with functions of `scipy.special` and `numpy.linalg`",
)
not_implemented(
    *[
        type(getattr(stats, name)).__call__
        for name in ("levy_stable", "poisson_binom", "trapz")
        if hasattr(stats, name) and "__call__" in vars(type(getattr(stats, name)))
    ],
    why="this distribution is not in the table",
    way_out="write the density out with functions of `scipy.special`",
)
non_differentiable(stats.test)
