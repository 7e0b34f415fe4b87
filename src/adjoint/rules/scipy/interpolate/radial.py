"""Radial basis functions: Σ wᵢ φ(|x - yᵢ|) and a polynomial, by the points, the values, the smoothing and ε.

The weights solve [K + λ, P; Pᵀ, 0] [w; b] = [d; 0].
"""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc, import-untyped"

import numpy as np
from scipy.interpolate import Rbf, RBFInterpolator

from ...fields import assembled, field_of, settings_of
from ...numpy.lifting import composed, refuse

FIELDS = ("y", "d", "smoothing", "epsilon")


def kernel_of(name, s):
    """φ as a function of r², so that it is smooth where r is 0, if φ is."""
    zero = s == 0
    safe = np.where(zero, 1.0, s)
    if name == "gaussian":
        return np.exp(-s)
    if name == "multiquadric":
        return -np.sqrt(s + 1.0)
    if name == "inverse_multiquadric":
        return 1.0 / np.sqrt(s + 1.0)
    if name == "inverse_quadratic":
        return 1.0 / (s + 1.0)
    if name == "thin_plate_spline":
        return np.where(zero, 0.0, 0.5 * s * np.log(safe))
    r = np.where(zero, 0.0, np.sqrt(safe))
    return {"linear": -r, "cubic": s * r, "quintic": -(s * s) * r}[name]


def between(a, b, name, epsilon):
    """φ between each of the points of a and of b."""
    gaps = (a[:, None, :] - b[None, :, :]) * epsilon
    return kernel_of(name, np.sum(gaps * gaps, axis=-1))


def monomials(x, powers):
    """The products of powers of the coordinates, one in each column."""
    return np.prod(x[:, None, :] ** powers[None], axis=-1)


@composed(RBFInterpolator)
def interpolator_of(y, d, neighbors=None, smoothing=0.0, kernel="thin_plate_spline", epsilon=None, degree=None):
    """The data as they are."""
    points, values = np.asarray(y) * 1.0, np.asarray(d) * 1.0
    if neighbors is not None or np.iscomplexobj(values):
        why = "which points are `neighbors` jumps with the points; complex values are two interpolants"
        refuse("scipy.interpolate.RBFInterpolator", why, "use all points, and real and imaginary parts apart")
    rows = np.reshape(values, (len(points), -1))
    scale = 1.0 if epsilon is None else epsilon
    return assembled(RBFInterpolator, FIELDS, points, rows, np.asarray(smoothing) + np.zeros(len(points)), scale)


@composed(RBFInterpolator.__call__)
def evaluate(self, x):
    """The value at each row of x."""
    kernel, powers, shape, neighbors = settings_of(self, "kernel", "powers", "d_shape", "neighbors")
    if neighbors is not None:
        refuse("scipy.interpolate.RBFInterpolator(neighbors=)", "which points are neighbours jumps", "use all points")
    points, values = field_of(self, "y"), field_of(self, "d")
    smoothing, epsilon = field_of(self, "smoothing"), field_of(self, "epsilon")
    where = np.asarray(x) * 1.0
    n, m = len(points), len(powers)
    polynomial = monomials(points, powers)
    upper = np.concatenate((between(points, points, kernel, epsilon) + np.diag(smoothing), polynomial), axis=1)
    lower = np.concatenate((polynomial.T, np.zeros((m, m))), axis=1)
    system = np.concatenate((upper, lower), axis=0)
    weights = np.linalg.solve(system, np.concatenate((values, np.zeros((m, values.shape[1]))), axis=0))
    result = between(where, points, kernel, epsilon) @ weights[:n] + monomials(where, powers) @ weights[n:]
    return np.reshape(result, (len(where), *shape))


# The older class


OF_RBF = ("xi", "nodes", "epsilon")
OLDER = {"inverse": "inverse_multiquadric", "thin-plate": "thin_plate"}


def older_kernel(name, s, epsilon):
    """φ as a function of r²."""
    zero = s == 0
    safe = np.where(zero, 1.0, s)
    if name == "gaussian":
        return np.exp(-s / epsilon**2)
    if name == "multiquadric":
        return np.sqrt(s / epsilon**2 + 1.0)
    if name == "inverse_multiquadric":
        return 1.0 / np.sqrt(s / epsilon**2 + 1.0)
    if name == "thin_plate":
        return np.where(zero, 0.0, 0.5 * s * np.log(safe))
    r = np.where(zero, 0.0, np.sqrt(safe))
    return {"linear": r, "cubic": s * r, "quintic": s * s * r}[name]


def older_name(function, norm):
    """The kernel of this name; refused where it is the user's own, or another distance than that of Euclid."""
    if not isinstance(function, str) or not isinstance(norm, str) or norm != "euclidean":
        why = "its own function, or another norm, is called with arrays that it keeps"
        refuse("scipy.interpolate.Rbf", why, "use a kernel by its name, or `RBFInterpolator`")
    name = OLDER.get(function.lower(), function.lower().replace(" ", "_"))
    return name


def distances(a, b):
    """r² between the columns of a and of b."""
    gaps = a[:, :, None] - b[:, None, :]
    return np.sum(gaps * gaps, axis=0)


@composed(Rbf)
def rbf(*args, **kwargs):
    """The points, and the weights that solve (φ - λ) w = d."""
    name = older_name(kwargs.get("function", "multiquadric"), kwargs.get("norm", "euclidean"))
    points = np.stack([np.ravel(np.asarray(a) * 1.0) for a in args[:-1]])
    values = np.asarray(args[-1]) * 1.0
    rows = np.ravel(values) if kwargs.get("mode", "1-D") == "1-D" else values
    epsilon = kwargs.get("epsilon")
    if epsilon is None:
        edges = np.max(points, axis=1) - np.min(points, axis=1)
        edges = edges[np.flatnonzero(edges)]
        epsilon = (np.prod(edges) / points.shape[1]) ** (1.0 / len(edges))
    system = older_kernel(name, distances(points, points), epsilon)
    nodes = np.linalg.solve(system - np.eye(points.shape[1]) * kwargs.get("smooth", 0.0), rows)
    return assembled(Rbf, OF_RBF, points, nodes, epsilon)


@composed(Rbf.__call__)
def rbf_at(self, *args):
    """Σ wᵢ φ(|x - xᵢ|)."""
    function, norm = settings_of(self, "function", "norm")
    points, nodes, epsilon = field_of(self, "xi"), field_of(self, "nodes"), field_of(self, "epsilon")
    where = np.stack([np.ravel(np.asarray(a) * 1.0) for a in args])
    values = older_kernel(older_name(function, norm), distances(where, points), epsilon) @ nodes
    return np.reshape(values, (*np.shape(args[0]), *nodes.shape[1:]))
