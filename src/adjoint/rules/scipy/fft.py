"""Rules for `scipy.fft`: every transform is linear, and its adjoint is the opposite one with its factors swapped.

The matrix F of n points is symmetric, so that Fᴴ ȳ is the inverse transform without its factor 1/n. Real transforms
keep one half of a symmetric spectrum, of which each entry but the first (and the last, for an even n) stands for two.
Of the cosine and sine transforms, types I and IV are symmetric and II and III transposes of each other, up to the
weights of their first or last terms.
"""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc, import-untyped"

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import fft

from ...tangents import unbroadcast
from ...tangents.unknown import unknown
from ..numpy.fft import ADJOINT_NORM, fitted
from ..numpy.lifting import array_rule, refuse
from ..numpy.linear import axes_of, bring_back, cast
from ..registry import Back, find_rules, non_differentiable, not_implemented, rule
from .effects import declare


def weights_along(w, axis, ndim):
    """A vector to multiply an array along an axis with."""
    return np.reshape(w, (-1, *(1,) * (ndim - 1 - axis)))


def of_pairs(n, weight, axis, d):
    """1 for each entry of half a spectrum of n points that stands for itself, the weight for each that stands for two.

    >>> of_pairs(4, 0.5, 0, np.zeros(3)), of_pairs(3, 2.0, 0, np.zeros(2))
    (array([1. , 0.5, 1. ]), array([1., 2.]))
    """
    w = np.full(n // 2 + 1, weight, d.real.dtype)
    w[0] = 1.0
    if n % 2 == 0:
        w[-1] = 1.0
    return weights_along(w, axis, d.ndim)


def steps_of(last, others, shape, s, axes):
    """The steps of a transform along each axis, in this order: `(transform, axis, entries, points)`. `last` is that of
    the last axis, which comes first if its result is half a spectrum, else at the end; `others` is that of all
    others."""
    ndim = len(shape)
    if axes is None:
        axes = range(ndim) if s is None else range(ndim - np.size(s), ndim)
    places = [axis + ndim if axis < 0 else axis for axis in np.atleast_1d(np.asarray(axes, int)).tolist()]
    points = [-1] * len(places) if s is None else [-1 if n is None else n for n in np.atleast_1d(s).tolist()]
    entries = list(shape)
    names = [*[others] * (len(places) - 1), last][: len(places)]
    order = list(zip(names, places, points, strict=True))
    steps = []
    for name, axis, n in order[::-1] if last in ("rfft", "ihfft") else order:
        m = entries[axis]
        half = name in ("irfft", "hfft")
        count = (2 * (m - 1) if half else m) if n == -1 else n
        steps.append((name, axis, m, count))
        entries[axis] = count // 2 + 1 if name in ("rfft", "ihfft") else count
    return steps


non_differentiable(weights_along, of_pairs, steps_of)


def undone(d, transform, axis, n, points, norm):
    """The adjoint of a transform along one axis that fitted its n entries to a number of points."""
    if transform == "fft":
        d = fft.ifft(d, axis=axis, norm=norm)
    elif transform == "ifft":
        d = fft.fft(d, axis=axis, norm=norm)
    elif transform == "rfft":
        d = fft.irfft(d * of_pairs(points, 0.5, axis, d), points, axis, norm)
    elif transform == "irfft":
        d = fft.rfft(d, axis=axis, norm=norm) * of_pairs(points, 2.0, axis, d)
    elif transform == "hfft":
        d = fft.ihfft(d, axis=axis, norm=norm) * of_pairs(points, 2.0, axis, d)
    else:
        d = fft.hfft(d * of_pairs(points, 0.5, axis, d), points, axis, norm)
    return fitted(d, n, axis)


def back_through(steps, x, norm):
    """The `back` of transforms along axes."""
    kind, opposite = x.dtype, ADJOINT_NORM[norm]

    def transform_back(y_bar):
        d = y_bar
        for transform, axis, n, points in steps[::-1]:
            d = undone(d, transform, axis, n, points, opposite)
        return (cast(d, kind),)

    return transform_back


ALONG_ONE = ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")
OTHERS = {"fft": "fft", "ifft": "ifft", "rfft": "fft", "irfft": "ifft", "hfft": "fft", "ihfft": "ifft"}


def _declare_along_one(name: str) -> None:
    f = getattr(fft, name)

    def transform_rule(x: np.ndarray, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, plan=None):
        """y = F x, so x̄ = Fᴴ ȳ."""
        y = f(x, n, axis, norm, False, workers, plan=plan)
        s = None if n is None else (n,)
        return y, back_through(steps_of(name, name, x.shape, s, (axis,)), x, norm)

    transform_rule.__name__ = f"{name}_rule"
    array_rule(f, linear="x")(transform_rule)


def _declare_along_all(name: str, dimensions: str, default: Any) -> None:
    f = getattr(fft, name + dimensions)

    def transform_rule(x: np.ndarray, s=None, axes=default, norm=None, overwrite_x=False, workers=None, *, plan=None):
        """y = F x along each axis, so x̄ = Fᴴ ȳ."""
        y = f(x, s, axes, norm, False, workers, plan=plan)
        return y, back_through(steps_of(name, OTHERS[name], x.shape, s, axes), x, norm)

    transform_rule.__name__ = f"{name}{dimensions}_rule"
    array_rule(f, linear="x")(transform_rule)


for _name in ALONG_ONE:
    _declare_along_one(_name)
    _declare_along_all(_name, "2", (-2, -1))
    _declare_along_all(_name, "n", None)


# Cosines and sines

TRANSPOSED = {1: 1, 2: 3, 3: 2, 4: 4}


def ends_of(transform, kind, n, d, axis):
    """The weights of a transform before and after it: its matrix is diag(after) S diag(before), and that of the
    transposed type is diag(before) Sᵀ diag(after)."""
    before, after = np.ones(n, d.real.dtype), np.ones(n, d.real.dtype)
    if kind == 1 and transform == "dct":
        before[0] = before[-1] = 0.5
    elif kind == 3:
        before[0 if transform == "dct" else -1] = 0.5
    return weights_along(before, axis, d.ndim), weights_along(after, axis, d.ndim)


def symmetric_part(d, transform, kind, axis, norm, orthogonalize):
    """The transposed matrix of a cosine or sine transform times `d`."""
    if np.iscomplexobj(d):
        parts = [symmetric_part(part, transform, kind, axis, norm, orthogonalize) for part in (np.real(d), np.imag(d))]
        return parts[0] + 1j * parts[1]
    inverse, base = transform[0] == "i", transform.lstrip("i")
    f = {"dct": fft.dct, "idct": fft.idct, "dst": fft.dst, "idst": fft.idst}[transform]
    other = TRANSPOSED[kind]
    if orthogonalize:
        return f(d, other, axis=axis, norm=norm, orthogonalize=True)
    n = d.shape[axis]
    before, _ = ends_of(base, other if inverse else kind, n, d, axis)
    first, _ = ends_of(base, kind if inverse else other, n, d, axis)
    return before * f(d / first, other, axis=axis, norm=norm, orthogonalize=False)


non_differentiable(ends_of)


def _declare_real(transform: str) -> None:
    f, over_all = getattr(fft, transform), getattr(fft, transform + "n")

    def back_of(x, kind, axes, norm, orthogonalize):
        dtype = x.dtype
        # Of complex numbers both parts are transformed, and SciPy then takes no notice of `orthogonalize`.
        ortho = norm == "ortho" if orthogonalize is None or dtype.kind == "c" else orthogonalize
        sizes = [x.shape[axis] for axis in axes]

        def real_back(y_bar):
            d = y_bar
            for axis, n in zip(axes, sizes, strict=True):
                d = fitted(symmetric_part(d, transform, kind, axis, norm, ortho), n, axis)
            return (cast(d, dtype),)

        return real_back

    def real_rule(
        x: np.ndarray, type=2, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, orthogonalize=None
    ):
        """y = M x with a real matrix, so x̄ = Mᵀ ȳ."""
        y = f(x, type, n, axis, norm, False, workers, orthogonalize)
        return y, back_of(x, type, axes_of(axis, x.ndim), norm, orthogonalize)

    def real_along_all_rule(
        x: np.ndarray, type=2, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, orthogonalize=None
    ):
        """y = M x along each axis, so x̄ = Mᵀ ȳ."""
        y = over_all(x, type, s, axes, norm, False, workers, orthogonalize=orthogonalize)
        places = [axis for _, axis, _, _ in steps_of("", "", x.shape, s, axes)]
        return y, back_of(x, type, places, norm, orthogonalize)

    real_rule.__name__, real_along_all_rule.__name__ = f"{transform}_rule", f"{transform}n_rule"
    array_rule(f, linear="x")(real_rule)
    array_rule(over_all, linear="x")(real_along_all_rule)


for _name in ("dct", "idct", "dst", "idst"):
    _declare_real(_name)


# What is not a transform


@array_rule(fft.fftshift, linear="x")
def fftshift_rule(x: np.ndarray, axes=None):
    """The halves exchanged, so that ȳ is exchanged back."""

    def fftshift_back(y_bar):
        return (fft.ifftshift(y_bar, axes),)

    return fft.fftshift(x, axes), fftshift_back


@array_rule(fft.ifftshift, linear="x")
def ifftshift_rule(x: np.ndarray, axes=None):
    """The halves exchanged, so that ȳ is exchanged back."""

    def ifftshift_back(y_bar):
        return (fft.fftshift(y_bar, axes),)

    return fft.ifftshift(x, axes), ifftshift_back


def _declare_frequencies(f: Any) -> None:
    def frequencies_rule(n, d=1.0, **options):
        """y = k / (n d), so d̄ = -⟨ȳ, y⟩ / d."""
        y = f(n, d, **options)

        def frequencies_back(y_bar):
            return None, unbroadcast(-np.sum(y_bar * y) / d, d)

        return y, frequencies_back

    frequencies_rule.__name__ = f"{f.__name__}_rule"
    rule(f)(frequencies_rule)


for _f in (fft.fftfreq, fft.rfftfreq):
    _declare_frequencies(_f)


def _declare_hankel(f: Any) -> None:
    def hankel_rule(a: Any, dln: Any, mu: Any, offset: Any = 0.0, bias: Any = 0.0) -> tuple[Any, Back]:
        """Its kernel depends on the sum of both places, so that the matrix is symmetric: ā = H ȳ."""

        def hankel_back(y_bar: Any) -> tuple[Any, ...]:
            others = [unknown(name) for name in ("dln", "mu", "offset", "bias")]
            return bring_back(f(y_bar, dln, mu, offset, bias), a), *others

        return f(a, dln, mu, offset, bias), hankel_back

    hankel_rule.__name__ = f"{f.__name__}_rule"
    rule(f, linear="a")(hankel_rule)


for _f in (fft.fht, fft.ifht):
    _declare_hankel(_f)

not_implemented(
    fft.fhtoffset,
    why="it is the nearest of many offsets, found by rounding",
    way_out="give a constant offset",
)

non_differentiable(
    *[getattr(fft, name) for name in ("next_fast_len", "prev_fast_len", "get_workers") if hasattr(fft, name)],
    fft.set_workers, fft.set_backend, fft.set_global_backend, fft.skip_backend, fft.register_backend,
)  # fmt: skip


# SciPy's transforms are objects of a class written in C; what calling one means is looked up by the object.


@rule(type(fft.fft).__call__)
def multimethod_rule(self: Any, *args: Any, **kwargs: Any) -> tuple[Any, Back]:
    """The rule of this transform."""
    call, names = rule_for(self, args, kwargs)
    given = (*names[: len(args)], *kwargs)
    values = args if args else (kwargs[names[0]],)
    y, back = call(*values, **{name: value for name, value in kwargs.items() if name != names[0]})

    def multimethod_back(y_bar: Any) -> tuple[Any, ...]:
        (x_bar,) = back(y_bar)
        return None, *[x_bar if name == names[0] else None for name in given]

    return y, multimethod_back


def rule_for(f: Any, args: Any, kwargs: Any) -> Any:
    """The rule of a transform for what it is called with, and the names of its parameters."""
    rules = find_rules(f)
    first = args[0] if args else kwargs.get("x")
    method = None if rules is None else rules.select((type(first),))
    if method is None:
        refuse(
            f"scipy.fft.{getattr(f, '__name__', f)}",
            "its arguments are of other types than its rules are for",
            "give it an array",
        )
    assert method is not None
    return method.call, method.names


non_differentiable(rule_for)

# Of no axes a transform gives its argument.
declare(
    fft,
    shows="fft2 fftn ifft2 ifftn hfft2 hfftn ihfft2 ihfftn rfft2 rfftn irfft2 irfftn dctn idctn dstn idstn",
    but="register_backend set_backend set_global_backend skip_backend set_workers",
)
