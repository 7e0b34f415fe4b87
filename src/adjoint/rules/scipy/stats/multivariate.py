"""Distributions of vectors and matrices: densities and moments by points and parameters."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import math
from typing import Any

import numpy as np
import scipy.special as special
import scipy.stats as stats

from ....tangents import Unknown, field_bar, tangent, unknown
from ...knots import call_pullback
from ...numpy.lifting import composed, refuse
from ...numpy.linear import bring_back
from ...registry import non_differentiable, not_implemented, rule

NORMAL, STUDENT = type(stats.multivariate_normal), type(stats.multivariate_t)
DIRICHLET, MULTINOMIAL = type(stats.dirichlet), type(stats.multinomial)
WISHART, INVERSE_WISHART = type(stats.wishart), type(stats.invwishart)
MATRIX_NORMAL = type(stats.matrix_normal)

# Normal and Student: x is one point or many, a covariance is a number, a diagonal or a matrix


def dimension(loc, cov):
    """The number of coordinates of a point."""
    if isinstance(cov, stats.Covariance):
        refuse("multivariate_normal", "a `Covariance` object hides its matrix", "pass the matrix")
    if loc is not None:
        return np.size(loc)
    return 1 if np.ndim(cov) == 0 else np.shape(cov)[0]


def shapes_of(x, dim):
    """The shape of the points as rows, and the shape of their densities."""
    shape = np.shape(x)
    if len(shape) < 2:
        return (-1, dim), shape if dim == 1 and shape not in ((), (1,)) else ()
    return (-1, dim), tuple([n for n in shape[:-1] if n != 1])


def check_regular(loc, cov, allow_singular):
    """Raise where a covariance that may be singular is, by SciPy's own measure."""
    sizes = np.abs(np.linalg.eigvalsh(matrix(cov, dimension(loc, cov)))) if allow_singular else np.ones(1)
    if sizes.min() <= 1e6 * np.finfo(float).eps * sizes.max():
        why = "the covariance is singular, and has another rank as soon as it moves"
        refuse("multivariate_normal", why, "take the density on the space that the covariance spans")


non_differentiable(dimension, shapes_of, check_regular)


def matrix(cov, dim):
    """A covariance as a matrix."""
    cov = np.asarray(cov)
    if cov.ndim == 2:
        return cov
    return cov * np.eye(dim) if cov.ndim == 0 or dim == 1 else np.diag(cov)


def distances(x, loc, cov):
    """(x - μ)ᵀ Σ⁻¹ (x - μ) of each point, log det Σ, and the dimension."""
    dim = dimension(loc, cov)
    rows, shape = shapes_of(x, dim)
    points = np.reshape(np.asarray(x), rows) - (0.0 if loc is None else np.reshape(np.asarray(loc), (dim,)))
    root = np.linalg.cholesky(matrix(cov, dim))
    white = np.linalg.solve(root, np.transpose(points))
    return np.reshape(np.sum(white * white, axis=0), shape), 2 * np.sum(np.log(np.diagonal(root))), dim


@composed(NORMAL.logpdf)
def normal_logpdf(self, x, mean=None, cov=1, allow_singular=False):
    """-(log det 2πΣ + (x - μ)ᵀ Σ⁻¹ (x - μ)) / 2."""
    check_regular(mean, cov, allow_singular)
    square, log_det, dim = distances(x, mean, cov)
    return -(square + log_det + dim * math.log(2 * math.pi)) / 2


@composed(NORMAL.pdf)
def normal_pdf(self, x, mean=None, cov=1, allow_singular=False):
    """exp of the log density."""
    return np.exp(normal_logpdf(self, x, mean, cov, allow_singular))


@composed(NORMAL.entropy)
def normal_entropy(self, mean=None, cov=1):
    """log det(2πe Σ) / 2."""
    dim = dimension(mean, cov)
    root = np.linalg.cholesky(matrix(cov, dim))
    return np.sum(np.log(np.diagonal(root))) + dim * (math.log(2 * math.pi) + 1) / 2


@composed(STUDENT.logpdf)
def student_logpdf(self, x, loc=None, shape=1, df=1):
    """log Γ((n + d)/2) / Γ(n/2) - (log det(nπ Σ) + (n + d) log(1 + r²/n)) / 2."""
    square, log_det, dim = distances(x, loc, shape)
    scale = special.gammaln((df + dim) / 2) - special.gammaln(df / 2) - dim / 2 * np.log(math.pi * df)
    return scale - log_det / 2 - (df + dim) / 2 * np.log1p(square / df)


@composed(STUDENT.pdf)
def student_pdf(self, x, loc=None, shape=1, df=1, allow_singular=False):
    """exp of the log density."""
    check_regular(loc, shape, allow_singular)
    return np.exp(student_logpdf(self, x, loc, shape, df))


# Dirichlet and multinomial


@composed(DIRICHLET.logpdf)
def dirichlet_logpdf(self, x, alpha):
    """log Γ(Σ α) - Σ log Γ(α) + Σ (α - 1) log x; the last share may be left out."""
    x, alpha = np.asarray(x), np.asarray(alpha)
    if x.shape[0] + 1 == alpha.shape[0]:
        x = np.concatenate([x, 1 - np.sum(x, axis=0, keepdims=True)])
    constant = special.gammaln(np.sum(alpha)) - np.sum(special.gammaln(alpha))
    return constant + np.sum(special.xlogy(alpha - 1, np.transpose(x)), axis=-1)


@composed(DIRICHLET.pdf)
def dirichlet_pdf(self, x, alpha):
    """exp of the log density."""
    return np.exp(dirichlet_logpdf(self, x, alpha))


@composed(DIRICHLET.mean)
def dirichlet_mean(self, alpha):
    """α / Σ α."""
    alpha = np.asarray(alpha)
    return alpha / np.sum(alpha)


@composed(DIRICHLET.var)
def dirichlet_var(self, alpha):
    """m (1 - m) / (Σ α + 1)."""
    alpha = np.asarray(alpha)
    mean = alpha / np.sum(alpha)
    return mean * (1 - mean) / (np.sum(alpha) + 1)


@composed(DIRICHLET.entropy)
def dirichlet_entropy(self, alpha):
    """log B(α) + (Σ α - K) ψ(Σ α) - Σ (α - 1) ψ(α)."""
    alpha = np.asarray(alpha)
    total = np.sum(alpha)
    log_beta = np.sum(special.gammaln(alpha)) - special.gammaln(total)
    return log_beta + (total - alpha.shape[0]) * special.psi(total) - np.sum((alpha - 1) * special.psi(alpha))


@composed(MULTINOMIAL.logpmf)
def multinomial_logpmf(self, x, n, p):
    """log n! / Π x! + Σ x log p; the last probability is what the others leave."""
    x, p = np.asarray(x), np.asarray(p)
    p = np.concatenate([p[..., :-1], 1 - np.sum(p[..., :-1], axis=-1, keepdims=True)], axis=-1)
    return special.gammaln(np.asarray(n) + 1.0) + np.sum(special.xlogy(x, p) - special.gammaln(x + 1.0), axis=-1)


@composed(MULTINOMIAL.pmf)
def multinomial_pmf(self, x, n, p):
    """exp of the logarithm."""
    return np.exp(multinomial_logpmf(self, x, n, p))


# Matrices


def check_matrix(x, scale):
    """Raise where there is more than one matrix, or none."""
    if np.ndim(x) != 2 or np.ndim(scale) != 2:
        refuse(
            "a distribution of matrices", "its rule is for one matrix and a matrix of scales", "take them one by one"
        )
    return np.shape(scale)[0]


non_differentiable(check_matrix)


@composed(WISHART.logpdf)
def wishart_logpdf(self, x, df, scale):
    """((n - p - 1) log det X - tr(Σ⁻¹ X) - n p log 2 - n log det Σ) / 2 - log Γₚ(n/2)."""
    p = check_matrix(x, scale)
    x, scale = np.asarray(x), np.asarray(scale)
    log_x, log_scale = np.linalg.slogdet(x)[1], np.linalg.slogdet(scale)[1]
    terms = (df - p - 1) * log_x - np.trace(np.linalg.solve(scale, x)) - df * p * math.log(2) - df * log_scale
    return terms / 2 - special.multigammaln(df / 2, p)


@composed(WISHART.pdf)
def wishart_pdf(self, x, df, scale):
    """exp of the log density."""
    return np.exp(wishart_logpdf(self, x, df, scale))


@composed(INVERSE_WISHART.logpdf)
def inverse_wishart_logpdf(self, x, df, scale):
    """(n log det Σ - (n + p + 1) log det X - tr(Σ X⁻¹) - n p log 2) / 2 - log Γₚ(n/2)."""
    p = check_matrix(x, scale)
    x, scale = np.asarray(x), np.asarray(scale)
    log_x, log_scale = np.linalg.slogdet(x)[1], np.linalg.slogdet(scale)[1]
    terms = df * log_scale - (df + p + 1) * log_x - np.trace(np.linalg.solve(x, scale)) - df * p * math.log(2)
    return terms / 2 - special.multigammaln(df / 2, p)


@composed(INVERSE_WISHART.pdf)
def inverse_wishart_pdf(self, x, df, scale):
    """exp of the log density."""
    return np.exp(inverse_wishart_logpdf(self, x, df, scale))


@composed(MATRIX_NORMAL.logpdf)
def matrix_normal_logpdf(self, X, mean=None, rowcov=1, colcov=1):
    """Of n × m numbers: -(n m log 2π + m log det U + n log det V + tr(V⁻¹ Dᵀ U⁻¹ D)) / 2."""
    check_matrix(X, X)
    d = np.asarray(X) - (0.0 if mean is None else np.asarray(mean))
    n, m = d.shape
    u, v = matrix(rowcov, n), matrix(colcov, m)
    square = np.sum(np.linalg.solve(u, d) * np.transpose(np.linalg.solve(v, np.transpose(d))))
    log_det = m * np.linalg.slogdet(u)[1] + n * np.linalg.slogdet(v)[1]
    return -(n * m * math.log(2 * math.pi) + log_det + square) / 2


@composed(MATRIX_NORMAL.pdf)
def matrix_normal_pdf(self, X, mean=None, rowcov=1, colcov=1):
    """exp of the log density."""
    return np.exp(matrix_normal_logpdf(self, X, mean, rowcov, colcov))


if hasattr(stats, "dirichlet_multinomial"):
    COMPOUND = type(stats.dirichlet_multinomial)

    @composed(COMPOUND.logpmf)
    def compound_logpmf(self, x, alpha, n):
        """log Γ(A) n! / Γ(n + A) + Σ log Γ(x + α) / (Γ(α) x!), A = Σ α."""
        x, alpha, n = np.asarray(x), np.asarray(alpha), np.asarray(n)
        total = np.sum(alpha, axis=-1)
        each = special.gammaln(x + alpha) - special.gammaln(alpha) - special.gammaln(x + 1.0)
        constant = special.gammaln(total) + special.gammaln(n + 1.0) - special.gammaln(n + total)
        return constant + np.sum(each, axis=-1)

    @composed(COMPOUND.pmf)
    def compound_pmf(self, x, alpha, n):
        """exp of the logarithm."""
        return np.exp(compound_logpmf(self, x, alpha, n))


# Distributions with parameters


def _frozen(family: Any, names: tuple[str, ...], methods: tuple[str, ...], made: Any) -> None:
    kind, free = type(family), type(made)

    @rule(kind.__call__)
    def frozen_rule(self: Any, *args: Any, **kwds: Any) -> Any:
        """The cotangent of the distribution has a field for each parameter."""
        y = kind.__call__(self, *args, **kwds)
        given = (*names[: len(args)], *[None] * (len(args) - len(names)), *kwds)
        values = (*args, *kwds.values())

        def frozen_back(y_bar: Any) -> Any:
            fields = [field_bar(y_bar, name) if name in names else None for name in given]
            return (None, *[parameter_bar(d, x) for d, x in zip(fields, values, strict=True)])

        return y, frozen_back

    for method in methods:
        _of_frozen(free, method, getattr(kind, method), family, names, "pdf" in method or "pmf" in method)


def _of_frozen(free: Any, method: str, f: Any, family: Any, names: tuple[str, ...], takes_point: bool) -> None:
    n = 1 if takes_point else 0

    @rule(getattr(free, method))
    def frozen_method_rule(self: Any, *point: Any, **named: Any) -> Any:
        given = (*point, *named.values())
        values = [parameter_of(self, name) for name in names]
        y, back = call_pullback(f, family, *given, **dict(zip(names, values, strict=True)))

        def frozen_method_back(y_bar: Any) -> Any:
            bars = back(y_bar)[2:]
            return (tangent(self, names, *bars[n:]), *bars[:n])

        return y, frozen_method_back


def parameter_of(self: Any, name: str) -> Any:
    """A parameter that a distribution was made with."""
    return getattr(self, name)


@rule(parameter_of)
def parameter_of_rule(self: Any, name: str) -> Any:
    """Its cotangent is a field of that of the distribution, whatever SciPy keeps it in."""

    def parameter_of_back(y_bar: Any) -> Any:
        return tangent(self, (name,), y_bar), None

    return parameter_of(self, name), parameter_of_back


def parameter_bar(d: Any, x: Any) -> Any:
    """The cotangent of a parameter: of a covariance that was a number or a diagonal, from that of the matrix."""
    if d is None or x is None or isinstance(d, Unknown):
        return d if x is not None else None
    if np.ndim(d) == 2 and np.ndim(x) < 2:
        return bring_back(np.trace(d) if np.ndim(x) == 0 else np.diagonal(d) * 1.0, x)
    return bring_back(np.reshape(d, np.shape(x)), x)


_frozen(stats.multivariate_normal, ("mean", "cov"), ("pdf", "logpdf", "entropy"), stats.multivariate_normal())
_frozen(stats.multivariate_t, ("loc", "shape", "df"), ("pdf", "logpdf"), stats.multivariate_t())
_frozen(stats.dirichlet, ("alpha",), ("pdf", "logpdf", "mean", "var", "entropy"), stats.dirichlet([1.0, 1.0]))
_frozen(stats.multinomial, ("n", "p"), ("pmf", "logpmf"), stats.multinomial(1, [0.5, 0.5]))
_frozen(stats.wishart, ("df", "scale"), ("pdf", "logpdf"), stats.wishart(1, 1))
_frozen(stats.invwishart, ("df", "scale"), ("pdf", "logpdf"), stats.invwishart(1, 1))
_frozen(stats.matrix_normal, ("mean", "rowcov", "colcov"), ("pdf", "logpdf"), stats.matrix_normal(np.zeros((1, 1))))
if hasattr(stats, "dirichlet_multinomial"):
    _frozen(
        stats.dirichlet_multinomial,
        ("alpha", "n"),
        ("pmf", "logpmf"),
        stats.dirichlet_multinomial([1.0, 1.0], 1),
    )

# Kernel density estimates


@rule(stats.gaussian_kde)
def gaussian_kde_rule(dataset: Any, bw_method: Any = None, weights: Any = None) -> Any:
    """The cotangent of the estimate has the field `dataset`."""
    y = stats.gaussian_kde(dataset, bw_method, weights)

    def gaussian_kde_back(y_bar: Any) -> Any:
        d = field_bar(y_bar, "dataset")
        weights_bar = None if weights is None or d is None else unknown("the `weights` of `gaussian_kde`")
        return None if d is None else bring_back(np.reshape(d, np.shape(dataset)), dataset), None, weights_bar

    return y, gaussian_kde_back


def kernel_logpdf(points, dataset, weights, factor):
    """log Σ wᵢ N(x; xᵢ, h² Σ), where Σ is the covariance of the data."""
    points = np.asarray(points)
    dim = dataset.shape[0]
    points = np.reshape(points, (dim, -1)) if dim == 1 or points.ndim < 2 else points
    centred = dataset - np.sum(weights * dataset, axis=1, keepdims=True)
    cov = (weights * centred) @ np.transpose(centred) / (1 - np.sum(weights * weights)) * (factor * factor)
    root = np.linalg.cholesky(cov)
    white, kernels = np.linalg.solve(root, points), np.linalg.solve(root, dataset)
    differences = white[:, :, None] - kernels[:, None, :]
    log_norm = dim * math.log(2 * math.pi) / 2 + np.sum(np.log(np.diagonal(root)))
    return special.logsumexp(-np.sum(differences * differences, axis=0) / 2, axis=1, b=weights) - log_norm


def kernel_pdf(points, dataset, weights, factor):
    """exp of the log density."""
    return np.exp(kernel_logpdf(points, dataset, weights, factor))


def _kernel(method: str, program: Any) -> None:
    f = getattr(stats.gaussian_kde, method)

    @rule(f)
    def kernel_rule(self: Any, points: Any) -> Any:
        y = f(self, points)

        def kernel_back(y_bar: Any) -> Any:
            _, back = call_pullback(program, points, parameter_of(self, "dataset"), *widths_of(self))
            _, points_bar, dataset_bar, _, _ = back(y_bar)
            return tangent(self, ("dataset",), dataset_bar), points_bar

        return y, kernel_back


def widths_of(self: Any) -> Any:
    """The weights of the kernels, and how wide they are."""
    return self.weights, self.factor


non_differentiable(widths_of)

_kernel("evaluate", kernel_pdf)
_kernel("logpdf", kernel_logpdf)
_kernel("pdf", kernel_pdf)
if stats.gaussian_kde.__call__ is not stats.gaussian_kde.evaluate:
    _kernel("__call__", kernel_pdf)

not_implemented(
    NORMAL.cdf, NORMAL.logcdf, STUDENT.cdf,
    why="SciPy integrates numerically, by random points",
    way_out="in one dimension use `norm.cdf`; else write a rule for a function of yours that calls it",
)  # fmt: skip
not_implemented(
    stats.gaussian_kde.integrate_box, stats.gaussian_kde.integrate_box_1d, stats.gaussian_kde.integrate_gaussian,
    stats.gaussian_kde.integrate_kde, stats.gaussian_kde.resample, stats.gaussian_kde.marginal,
    why="it is an integral of the density, or a draw",
    way_out="integrate `kde.evaluate`",
)  # fmt: skip
