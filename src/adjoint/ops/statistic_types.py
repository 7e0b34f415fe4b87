"""Result types of averages, quantiles, covariances, integrals, windows and polynomials of NumPy's."""

from __future__ import annotations

import numpy as np

from ..ir.types import FLOAT, INT, NONE, UNKNOWN, Array, List, Scalar, Tuple, Type
from .arithmetic import elementwise, is_number, is_real
from .effects import UNSEEN
from .given import Given
from .numpy_types import family, items_of, solved
from .registry import gives
from .ufunc_types import declare, keeping
from .words import array_of, kind_of, nested_rank, of_rank, of_usual, rank_left, rank_of, reduction, with_axes

DOUBLE = ("float64", "complex128", "int64")


def floats_of(*types: Type) -> Type:
    """Floats, or complex numbers, of all these."""
    return solved(len(types), lambda ranks: None)(Given(types, (UNSEEN,) * len(types)))


def given_to(given: Given, name: str) -> Type | None:
    """The type of what a parameter is given; None if that is None, or nothing."""
    t = given.type(name)
    return None if t == NONE else t


# ---- averages and quantiles


def averaged(given: Given) -> Type:
    """`np.average(a, axis, weights)`."""
    a, weights = given.type("a"), given_to(given, "weights")
    if not given.only("a", "axis", "weights", "keepdims") or not isinstance(a, Array):
        return UNKNOWN
    if weights is not None and a.kind == "b":
        return UNKNOWN
    ndim = None if a.ndim is None else rank_left(a.ndim, given)
    t = floats_of(a) if weights is None else floats_of(a, weights)
    return of_rank(t, ndim, number=True if given.value("keepdims", False) is False else None)


def quantile(given: Given) -> Type:
    """`np.quantile(a, q, axis)` of real numbers: the axes of `q` come first."""
    a, q = given.type("a"), given.type("q") or UNKNOWN
    if given.says("out", "interpolation") or given.value("method", "linear") != "linear":
        return UNKNOWN
    if not isinstance(a, Array) or a.kind not in "iuf" or kind_of(q) not in "if":
        return UNKNOWN
    if a.kind != "f" and kind_of(q) != "f" and given.function not in _OF_HUNDRED:
        return UNKNOWN
    of_double = isinstance(q, Array) and q.dtype in DOUBLE or is_real(q) or isinstance(q, List)
    double = a.dtype in DOUBLE and of_double and not given.says("weights")
    left, more = None if a.ndim is None else rank_left(a.ndim, given), nested_rank(q)
    ndim = None if left is None or more is None else left + more
    return of_rank(Array("f", "float64" if double else ""), ndim, number=True if isinstance(q, Scalar) else None)


_OF_HUNDRED = (np.percentile, np.nanpercentile)

gives(averaged, np.average)
family(quantile, "percentile quantile nanpercentile nanquantile")
family(with_axes(reduction), "ptp")
declare(lambda types: keeping(types[:1]), "around round")

# ---- covariances, and what is found from items in a row


def covariance(given: Given) -> Type:
    """`np.cov(m, y)`: an array, of which axes with one item are left out; of one row it has none."""
    t, both = _of_rows(given)
    return (
        of_rank(t, both, number=False)
        if both is not None
        else Array("f", "float64", None, False)
        if t != UNKNOWN
        else t
    )


def correlation(given: Given) -> Type:
    """`np.corrcoef(x, y)`: of one row a number."""
    t, both = _of_rows(given)
    return of_rank(t, both) if isinstance(t, Array) else t


def _of_rows(given: Given) -> tuple[Type, int | None]:
    """The items of a covariance in double precision, and its rank."""
    types = [t for name in ("m", "x", "y") if (t := given_to(given, name)) is not None]
    if given.says("dtype") or not all([isinstance(t, Array) and t.kind in "iuf" for t in types]):
        return UNKNOWN, None
    rows = all([rank_of(t) == 1 for t in types])
    return Array("f", "float64"), {1: 0, 2: 2}.get(len(types)) if rows else None


def integral(given: Given) -> Type:
    """`np.trapezoid(y, x, dx, axis)`."""
    y, x, dx = array_of(given.type("y") or UNKNOWN), given_to(given, "x"), given.type("dx") or FLOAT
    if y is None or y.kind == "b" or not is_number(dx):
        return UNKNOWN
    t = floats_of(*[t for t in (y, x, dx) if t is not None and not isinstance(t, Scalar)])
    along = x is None or nested_rank(x) in (1, y.ndim)
    ndim = y.ndim - 1 if y.ndim and along and rank_of(dx) == 0 else None
    return of_rank(t, ndim)


def unwrapped(given: Given) -> Type:
    """`np.unwrap(p, discont, axis)`."""
    p = given.type("p")
    if not given.only("p", "discont", "axis") or not isinstance(p, Array) or not p.ndim or p.kind not in "iuf":
        return UNKNOWN
    return Array("f", "float64" if p.dtype in DOUBLE else "", p.ndim, False)


def differences(given: Given) -> Type:
    """`np.ediff1d(a)`: of the items in a row."""
    t = items_of(given.types[:1])
    return of_rank(t, 1) if isinstance(t, Array) and t.kind in "ifc" else UNKNOWN


def window(given: Given) -> Type:
    """`np.hanning(n)`, `np.kaiser(n, beta)`."""
    known = all([is_number(t) and kind_of(t) in "if" and rank_of(t) == 0 for t in given.types])
    return Array("f", "float64", 1, False) if known else UNKNOWN


gives(covariance, np.cov)
gives(correlation, np.corrcoef)
family(integral, "trapezoid")
family(unwrapped, "unwrap")
family(differences, "ediff1d")
family(window, "bartlett blackman hamming hanning kaiser")

# ---- polynomials: arrays, or lists of numbers, with the coefficients


def value_at(given: Given) -> Type:
    """`np.polyval(p, x)`: zero if there are no coefficients, of the kind of `x`."""
    p, x = _coefficients(given.type("p")), given.type("x")
    at = Array("f", "float64", 0) if x == FLOAT else Array("i", "", 0) if x == INT else x
    if p is None or not isinstance(at, Array):
        return UNKNOWN
    t = elementwise((p, at))
    if not isinstance(t, Array) or t.kind != at.kind:
        return UNKNOWN
    return of_rank(Array(t.kind, t.dtype if t.dtype == at.dtype else ""), at.ndim, number=None)


def _coefficients(t: Type | None) -> Array | None:
    found = array_of(t) if t is not None else None
    return found if found is not None and found.ndim == 1 and found.kind in "ifc" else None


def derived(given: Given) -> Type:
    """`np.polyder(p, m)`."""
    p = _coefficients(given.types[0])
    return UNKNOWN if p is None else Array(p.kind, p.dtype if p.dtype in DOUBLE else "", 1, False)


def integrated(given: Given) -> Type:
    """`np.polyint(p)`, once."""
    p = _coefficients(given.types[0])
    if p is None or len(given.types) != 1:
        return UNKNOWN
    t = floats_of(p)
    return Array(t.kind, t.dtype if t.dtype in DOUBLE else "", 1, False) if isinstance(t, Array) else t


def combined(given: Given) -> Type:
    """`np.polyadd(a, b)` and `np.polymul(a, b)`."""
    found = [_coefficients(t) for t in given.by_place]
    return of_rank(items_of(found), 1) if len(found) == 2 and None not in found else UNKNOWN  # type: ignore[arg-type]


def divided(given: Given) -> Type:
    """`np.polydiv(u, v)`: a quotient and a remainder."""
    found = [_coefficients(t) for t in given.by_place]
    t = floats_of(*found) if len(found) == 2 and None not in found else UNKNOWN  # type: ignore[arg-type]
    t = of_rank(t, 1)
    return Tuple((t, t)) if isinstance(t, Array) else UNKNOWN


@of_usual
def fitted(given: Given) -> Type:
    """`np.polyfit(x, y, deg)`, in double precision."""
    types = [array_of(t) for t in given.by_place[:2]]
    plain = given.only("x", "y", "deg", "rcond", "w") and not given.says("full", "cov")
    known = plain and len(types) == 2 and all([t is not None and t.kind in "if" for t in types])
    ndim = types[1].ndim if known and types[1] is not None else None
    return Array("f", "float64", ndim, False) if ndim else UNKNOWN


gives(value_at, np.polyval)
gives(derived, np.polyder)
gives(integrated, np.polyint)
family(combined, "polyadd polysub polymul")
family(divided, "polydiv")
gives(fitted, np.polyfit)
