"""`np.random`: draws by their parameters, while the bits that the generator gives stay.

A draw that is a smooth function of a parameter then has its derivative. One that is made by rejection, or of several
parts, jumps as the parameter moves: the derivative of what is drawn says nothing of how the distribution moves, and is
refused. Integers are piecewise constant. Functions that put entries of their argument in another order have no rule:
they are recorded.
"""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import copy
import inspect
from types import MethodType
from typing import Any

import numpy as np
import numpy.random as random

from ...tangents import unknown
from ..knots import call_pullback
from ..registry import Back, non_differentiable, rule
from .lifting import refuse_out
from .linear import bring_back

TAKES_ENTRIES = ("permutation", "permuted", "shuffle")

JUMPS = "it is drawn by rejection, or as one of several: with the same random bits it jumps as the parameter moves"


# Location and scale


def twin_of(self: Any, loc: Any, scale: Any) -> Any:
    """Another generator in the same state, where draws do not tell what was scaled."""
    return None if tells(loc, scale) else copy.deepcopy(self)


def tells(loc: Any, scale: Any) -> bool:
    """Tell whether no scale is 0, or so small that what was scaled is lost in y = loc + scale z."""
    return bool(np.all(np.abs(scale) > 1e-4 * np.abs(loc)))


def standardized(draw: Any, twin: Any, y: Any, loc: Any, scale: Any, *standard: float) -> Any:
    """z of y = loc + scale z, in the shape of y; drawn again with `standard` parameters where there is a twin."""
    if twin is not None:
        return draw(twin, *standard, np.shape(y) or None)
    return (y - np.asarray(loc)) / np.asarray(scale)


def over(y_bar: Any, y: Any) -> Any:
    """A cotangent in the shape of y."""
    return y_bar * np.ones(np.shape(y))


non_differentiable(twin_of, tells, standardized)


def _location_and_scale_rule(draw: Any) -> Any:
    """y = μ + z σ."""

    def draw_rule(self: Any, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> tuple[Any, Back]:
        twin = twin_of(self, loc, scale)
        y = draw(self, loc, scale, size)
        z = standardized(draw, twin, y, loc, scale, 0.0, 1.0)

        def draw_back(y_bar: Any) -> tuple[Any, ...]:
            return None, bring_back(over(y_bar, y), loc), bring_back(y_bar * z, scale)

        return y, draw_back

    return draw_rule


def _uniform_rule(draw: Any) -> Any:
    """y = a + (b - a) u."""

    def uniform_rule(self: Any, low: Any = 0.0, high: Any = 1.0, size: Any = None) -> tuple[Any, Back]:
        width = np.subtract(high, low)
        twin = twin_of(self, low, width)
        y = draw(self, low, high, size)
        u = standardized(draw, twin, y, low, width, 0.0, 1.0)

        def uniform_back(y_bar: Any) -> tuple[Any, ...]:
            return None, bring_back(y_bar * (1 - u), low), bring_back(y_bar * u, high)

        return y, uniform_back

    return uniform_rule


def _scale_rule(draw: Any) -> Any:
    """y = β z."""

    def draw_rule(self: Any, scale: Any = 1.0, size: Any = None) -> tuple[Any, Back]:
        twin = twin_of(self, 0.0, scale)
        y = draw(self, scale, size)
        z = standardized(draw, twin, y, 0.0, scale, 1.0)

        def draw_back(y_bar: Any) -> tuple[Any, ...]:
            return None, bring_back(y_bar * z, scale)

        return y, draw_back

    return draw_rule


def _lognormal_rule(draw: Any) -> Any:
    """y = exp(μ + σ z), so ∂μ = y, ∂σ = y z."""

    def lognormal_rule(self: Any, mean: Any = 0.0, sigma: Any = 1.0, size: Any = None) -> tuple[Any, Back]:
        twin = twin_of(self, mean, sigma)
        y = draw(self, mean, sigma, size)
        if twin is None:
            z = standardized(draw, None, logarithm(y), mean, sigma)
        else:
            z = logarithm(draw(twin, 0.0, 1.0, np.shape(y) or None))

        def lognormal_back(y_bar: Any) -> tuple[Any, ...]:
            return None, bring_back(y_bar * y, mean), bring_back(y_bar * y * z, sigma)

        return y, lognormal_back

    return lognormal_rule


def logarithm(y: Any) -> Any:
    """log y, 0 at 0."""
    return np.log(np.where(y > 0, y, 1.0))


non_differentiable(logarithm)


# Powers


def self_logarithm(y: Any) -> Any:
    """y log y, 0 at 0."""
    return y * np.log(np.where(y > 0, y, 1.0))


def pareto_slope(y: Any) -> Any:
    """(1 + y) log(1 + y)."""
    return (1 + y) * np.log1p(y)


def _power_rule(draw: Any, slope: Any) -> Any:
    """log y = E / a, or its like, so ∂a = -slope(y) / a."""

    def draw_rule(self: Any, a: Any, size: Any = None) -> tuple[Any, Back]:
        y = draw(self, a, size)

        def draw_back(y_bar: Any) -> tuple[Any, ...]:
            return None, bring_back(-y_bar * slope(y) / np.asarray(a), a)

        return y, draw_back

    return draw_rule


# Triangles


def _triangular_rule(draw: Any) -> Any:
    """y = l + √(u (m - l) (r - l)) where y < m, else r - √((1 - u) (r - m) (r - l))."""

    def triangular_rule(self: Any, left: Any, mode: Any, right: Any, size: Any = None) -> tuple[Any, Back]:
        y = draw(self, left, mode, right, size)
        lower = on_the_left(y, left, mode, right)

        def triangular_back(y_bar: Any) -> tuple[Any, ...]:
            a, m, b = np.asarray(left), np.asarray(mode), np.asarray(right)
            from_end = np.where(lower, y - a, b - y)
            by_mode = from_end / (2 * np.where(lower, m - a, b - m))
            by_width = from_end / (2 * (b - a))
            by_left = np.where(lower, 1 - by_mode - by_width, by_width)
            by_right = np.where(lower, by_width, 1 - by_mode - by_width)
            bars = bring_back(y_bar * by_left, left), bring_back(y_bar * by_mode, mode)
            return None, *bars, bring_back(y_bar * by_right, right)

        return y, triangular_back

    return triangular_rule


def on_the_left(y: Any, left: Any, mode: Any, right: Any) -> Any:
    """A mask of the draws below the mode, if there is room."""
    return ((y < np.asarray(mode)) | np.equal(mode, right)) & np.less(left, mode)


non_differentiable(on_the_left)


# Many variables


def _multivariate_normal_rule(draw: Any) -> Any:
    """y = μ + L z with cov = L Lᵀ, so L̄ = ȳ zᵀ."""

    def multivariate_normal_rule(
        self: Any,
        mean: Any,
        cov: Any,
        size: Any = None,
        check_valid: Any = "warn",
        tol: Any = 1e-8,
        **factorization: Any,
    ) -> tuple[Any, Back]:
        y = draw(self, mean, cov, size, check_valid, tol, **factorization)
        covariance, n = np.asarray(cov).astype(float), np.shape(y)[-1]
        triangular = factorization.get("method") == "cholesky"
        factor, factor_back = call_pullback(np.linalg.cholesky, covariance) if triangular else (None, None)

        def multivariate_normal_back(y_bar: Any) -> tuple[Any, ...]:
            bars = np.reshape(over(y_bar, y), (-1, n))
            if factor_back is None:
                cov_bar: Any = unknown("`cov` of `multivariate_normal`", TAKEN_APART, BY_CHOLESKY, True)
            else:
                z = np.linalg.solve(factor, np.reshape(y - np.asarray(mean), (-1, n)).T.astype(float))
                cov_bar = bring_back(factor_back(np.tril(bars.T.astype(float) @ z.T))[1], cov)
            return None, bring_back(bars.sum(axis=0), mean), cov_bar

        return y, multivariate_normal_back

    return multivariate_normal_rule


TAKEN_APART = "it is taken apart into singular values or eigenvectors, whose signs and order are not told"
BY_CHOLESKY = (
    'say `method="cholesky"` to a `Generator`, or draw '
    "`mean + np.linalg.cholesky(cov) @ rng.standard_normal(len(mean))`"
)


# By rejection


def _vonmises_rule(draw: Any) -> Any:
    """y = μ + z(κ), wrapped; a κ that is nearly 0 counts as 0, and then y is uniform, whatever μ."""

    def vonmises_rule(self: Any, mu: Any, kappa: Any, size: Any = None) -> tuple[Any, Back]:
        y = draw(self, mu, kappa, size)

        def vonmises_back(y_bar: Any) -> tuple[Any, ...]:
            kappa_bar = unknown(
                "`kappa` of `vonmises`", JUMPS, "make it a constant: `adjoint.stop_gradient(kappa)`", True
            )
            return None, bring_back(over(y_bar, y) * (np.asarray(kappa) >= 1e-8), mu), kappa_bar

        return y, vonmises_back

    return vonmises_rule


def _gamma_rule(draw: Any) -> Any:
    """y = θ z(k)."""

    def gamma_rule(self: Any, shape: Any, scale: Any = 1.0, size: Any = None) -> tuple[Any, Back]:
        twin = twin_of(self, 0.0, scale)
        y = draw(self, shape, scale, size)
        # It moves with the shape: a second derivative is refused as the first is.
        z = y / np.asarray(scale) if twin is None else draw(twin, shape, 1.0, size)

        def gamma_back(y_bar: Any) -> tuple[Any, ...]:
            shape_bar = unknown(
                "`shape` of `gamma`",
                JUMPS,
                "draw by quantiles: `scale * scipy.stats.gamma.ppf(rng.uniform(), shape)`",
                True,
            )
            return None, shape_bar, bring_back(y_bar * z, scale)

        return y, gamma_back

    return gamma_rule


NONCENTRAL = "scipy.stats.chi2.ppf(rng.uniform(), {} - 1) + (rng.standard_normal() + np.sqrt(nonc)) ** 2"

BY_QUANTILES = {
    "standard_gamma": ("shape", "`scipy.stats.gamma.ppf(rng.uniform(), shape)`"),
    "beta": ("a b", "`scipy.stats.beta.ppf(rng.uniform(), a, b)`"),
    "chisquare": ("df", "`scipy.stats.chi2.ppf(rng.uniform(), df)`"),
    "standard_t": ("df", "`scipy.stats.t.ppf(rng.uniform(), df)`"),
    "f": ("dfnum dfden", "`scipy.stats.f.ppf(rng.uniform(), dfnum, dfden)`"),
    "wald": ("mean scale", "`scale * scipy.stats.invgauss.ppf(rng.uniform(), mean / scale)`"),
    "dirichlet": ("alpha", "`g = scipy.stats.gamma.ppf(rng.uniform(size=len(alpha)), alpha)`, then `g / g.sum()`"),
    "noncentral_chisquare": ("df nonc", f"for `df > 1` `{NONCENTRAL.format('df')}`"),
    "noncentral_f": (
        "dfnum dfden nonc",
        f"for `dfnum > 1` divide `({NONCENTRAL.format('dfnum')}) / dfnum` by "
        "`scipy.stats.chi2.ppf(rng.uniform(), dfden) / dfden`",
    ),
}
"""What is refused by all of its parameters, and how it is drawn from uniform numbers instead."""


def _jumping_rule(draw: Any, name: str) -> Any:
    """No derivative by any parameter."""
    parameters, formula = BY_QUANTILES[name]
    names, way_out = parameters.split(), f"draw by quantiles: {formula}"

    def draw_rule(self: Any, *args: Any, **kwargs: Any) -> tuple[Any, Back]:
        refuse_out(kwargs.get("out"))
        y = draw(self, *args, **kwargs)
        return y, lambda y_bar: (None, *[unknown(f"`{each}` of `{name}`", JUMPS, way_out, True) for each in names])

    options = ("size", "dtype", "out") if name == "standard_gamma" and "out" in (draw.__doc__ or "") else ("size",)
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    draw_rule.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [
            *[inspect.Parameter(each, kind) for each in ("self", *names)],
            *[inspect.Parameter(each, kind, default=None) for each in options],
        ]
    )
    draw_rule.unknown_by = tuple(names)  # type: ignore[attr-defined]
    return draw_rule


def rule_of(name: str, draw: Any) -> Any:
    """The rule of a method of generators; None if what it draws is a constant."""
    if name in BY_QUANTILES:
        return _jumping_rule(draw, name)
    slope = {"weibull": self_logarithm, "power": self_logarithm, "pareto": pareto_slope}.get(name)
    return _power_rule(draw, slope) if slope else RULES_OF[name](draw) if name in RULES_OF else None


RULES_OF = {
    **dict.fromkeys(("normal", "laplace", "logistic", "gumbel"), _location_and_scale_rule),
    **dict.fromkeys(("exponential", "rayleigh"), _scale_rule),
    "lognormal": _lognormal_rule,
    "uniform": _uniform_rule,
    "triangular": _triangular_rule,
    "multivariate_normal": _multivariate_normal_rule,
    "vonmises": _vonmises_rule,
    "gamma": _gamma_rule,
}

_RULED = set()
for _owner in (random.Generator, random.RandomState):
    for _name, _draw in vars(_owner).items():
        if _name.startswith("_") or _name in (*TAKES_ENTRIES, "choice") or not callable(_draw):
            continue
        if (_rule := rule_of(_name, _draw)) is None:
            non_differentiable(_draw)
        else:
            rule(_draw)(_rule)
            _RULED.add(_name)


@rule(random.Generator.choice)
def choice_rule(self, a, size=None, replace=True, p=None, axis=0, shuffle=True):
    """y = aᵢ, for places i that are drawn; nothing flows through their probabilities."""

    def draw(a):
        return random.Generator.choice(self, a, size, replace, p, axis if np.ndim(a) else 0, shuffle)

    return _chosen(draw, a, axis)


@rule(random.RandomState.choice)
def choice_of_state_rule(self, a, size=None, replace=True, p=None):
    """The same of the older generators."""
    return _chosen(lambda a: random.RandomState.choice(self, a, size, replace, p), a, 0)


def _chosen(draw: Any, a: Any, axis: int) -> tuple[Any, Back]:
    if np.ndim(a) == 0 or np.asarray(a).dtype.kind not in "fc":
        return draw(a), lambda y_bar: (None, None)
    places = draw(np.shape(a)[axis])
    y, back = call_pullback(np.take, a, places, axis)
    y = np.array(y) if isinstance(places, np.ndarray) and places.ndim == 0 else y
    return y, lambda y_bar: (None, back(y_bar)[1])


# The functions of the module are methods of one hidden generator.
for _name in random.__all__:
    _draw = getattr(random, _name)
    if isinstance(_draw, MethodType) and _name not in (*TAKES_ENTRIES, "choice", *_RULED):
        non_differentiable(_draw)

non_differentiable(random.default_rng, random.seed, random.Generator, random.RandomState, random.SeedSequence)
non_differentiable(
    random.BitGenerator, random.MT19937, random.PCG64, random.PCG64DXSM, random.Philox, random.SFC64, random.ranf,
    random.sample, *[getattr(random, _name) for _name in ("get_bit_generator", "set_bit_generator")],
)  # fmt: skip
