"""Sparse matrices as data at places: COO, CSR and CSC, arrays and matrices.

The cotangent of a sparse matrix is that of its data, at the places where it stores entries: a `Tangent` of its class
with the field `data`, in the order in which the matrix has them. Places where nothing is stored are constant zeros.
"""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

from typing import Any

import numpy as np
import scipy.sparse as sp

from ....tangents import field_bar, tangent
from ....tangents.fields import carry
from ....tangents.unknown import Unknown, unknown
from ...knots import call_pullback
from ...numpy.lifting import refuse
from ...numpy.linear import cast, scatter
from ...registry import non_differentiable, rule
from ...signatures import methods_of

FORMATS = ("coo", "csr", "csc")
CLASSES = tuple([getattr(sp, f"{name}_{kind}") for name in FORMATS for kind in ("array", "matrix")])
OTHERS = tuple([getattr(sp, f"{name}_{kind}") for name in ("dia", "bsr", "lil", "dok") for kind in ("array", "matrix")])


def contents(a):
    """The arrays that tell whether a matrix was changed: its entries and where they are."""
    a = a.tocoo() if a.format in ("lil", "dok") else a
    named = [getattr(a, name, None) for name in ("data", "indices", "indptr", "row", "col", "coords", "offsets")]
    return [np.array(a.shape), *[part for part in named if part is not None]]


for _cls in (*CLASSES, *OTHERS):
    carry(_cls, () if _cls.__name__[:3] in ("bsr", "lil", "dok") else ("data",), contents)


OF_OTHERS = (
    "its entries are not one array in a fixed order, as those of matrices in COO, CSR, CSC and DIA are",
    "make one of these: `csr_array((data, (rows, columns)), shape)`",
)


def methods(*names: str, classes: Any = (*CLASSES, *OTHERS)) -> tuple[Any, ...]:
    """The functions behind methods and properties of these names."""
    return methods_of(classes, *names)


def has_data(a):
    """Tell whether a sparse matrix is of a format whose data are differentiated."""
    return a.format in FORMATS and len(a.shape) == 2


def is_by_data(a):
    """Tell whether the cotangent of a sparse matrix is that of its data: also of one in the format DIA."""
    return has_data(a) or a.format == "dia"


def check_by_data(a):
    """Refuse any other sparse matrix."""
    if not is_by_data(a):
        refuse(_kind_of(a), *OF_OTHERS)


def _kind_of(a):
    if len(a.shape) != 2:
        return "a sparse array of other than 2 axes"
    return f"a sparse matrix in the format {a.format!r}"


def pattern(a):
    """The rows and columns of the entries, in the order of the data.

    >>> pattern(sp.csr_array([[0.0, 2.0], [3.0, 4.0]]))
    (array([0, 1, 1], dtype=int32), array([1, 0, 1], dtype=int32))
    """
    if not has_data(a):
        why = "only COO, CSR and CSC matrices are differentiated, by their data"
        refuse(_kind_of(a), why, "convert it: `.tocsr()`")
    if a.format == "coo":
        return a.coords if hasattr(a, "coords") else (a.row, a.col)
    major = np.repeat(np.arange(len(a.indptr) - 1, dtype=a.indices.dtype), np.diff(a.indptr))
    return (major, a.indices) if a.format == "csr" else (a.indices, major)


def keys(a):
    """One number for the place of each entry."""
    rows, columns = pattern(a)
    return rows.astype(np.int64) * a.shape[1] + columns


def places(of, within):
    """The places of one matrix's entries in the data of another, -1 if they are not stored.

    >>> places(sp.csr_array([[1.0, 2.0]]), sp.csr_array([[0.0, 5.0]]))
    array([-1,  0])
    """
    wanted, known = keys(of), keys(within)
    order = np.argsort(known, kind="stable")
    known = known[order]
    if np.any(known[1:] == known[:-1]):
        if len(wanted) == len(known) and np.array_equal(np.sort(wanted), known):
            at = np.empty(len(wanted), dtype=np.intp)
            at[np.argsort(wanted, kind="stable")] = order
            return at
        what = "a sparse matrix that stores several entries at one place"
        refuse(what, "where the parts of their sum are is not known", "call `sum_duplicates` on it first")
    if not len(known):
        return np.full(len(wanted), -1)
    at = np.minimum(np.searchsorted(known, wanted), len(known) - 1)
    return np.where(known[at] == wanted, order[at], -1)


def with_numbers(a, first=1):
    """A matrix of the same pattern whose data are their numbers."""
    check_by_data(a)
    return with_data(a, np.reshape(np.arange(first, first + a.data.size, dtype=np.float64), a.data.shape))


def with_data(a, data):
    """A matrix of the same class and pattern."""
    check_by_data(a)
    if a.format == "coo":
        return type(a)((data, pattern(a)), shape=a.shape)
    if a.format == "dia":
        return type(a)((data, a.offsets), shape=a.shape)
    return type(a)((data, a.indices, a.indptr), shape=a.shape)


def sources(name, a, y, args, options):
    """The place in `a` of each entry of `y = a.name(...)`, -1 for none."""
    numbered = getattr(with_numbers(a), name)(*args, **options)
    if not sp.issparse(numbered):
        return np.asarray(numbered).astype(np.intp) - 1
    check_same(numbered, y, name)
    return numbered.data.astype(np.intp) - 1


def check_same(numbered, y, name):
    """Refuse results that leave out entries because of their values."""
    if y.format == "dia":
        return
    if numbered.data.shape != y.data.shape or not np.array_equal(keys(numbered), keys(y)):
        refuse_lost(f"`{name}` of a sparse matrix")


def refuse_lost(what):
    """Refuse what depends on entries that are zero."""
    why = "an entry that is zero is not stored in the result, so that what flows to it is lost"
    refuse(what, why, "call `eliminate_zeros` first, or compute with a dense matrix")


non_differentiable(contents, check_by_data)
non_differentiable(has_data, is_by_data, pattern, keys, places, with_numbers, sources, check_same)


def of_data(a, data_bar):
    """The cotangent of a matrix, from that of its data; None where nothing flows."""
    if not is_by_data(a):
        return unknown(f"a sparse matrix in the format {a.format!r}")
    if data_bar is None or isinstance(data_bar, Unknown):
        return data_bar
    return tangent(a, ("data",), cast(data_bar, a.data.dtype))


def data_bar_of(y_bar, y):
    """The cotangent of the data of a result."""
    if isinstance(y_bar, Unknown):
        return y_bar
    d = field_bar(y_bar, "data")
    return np.zeros(y.data.shape) if d is None else d


# Functions of data and patterns that the rules are made of


def filled(like, data):
    """A matrix of the pattern of another."""
    return with_data(like, data)


@rule(filled, linear="data")
def filled_rule(like, data):
    """The data are those."""
    return filled(like, data), lambda y_bar: (None, data_bar_of(y_bar, like))


def picked(s, like):
    """The entries of one matrix at the places of those of another, zeros where none is stored."""
    at = places(like, s)
    values = s.data[at] if s.data.size else np.zeros(len(at), s.data.dtype)
    return np.where(at < 0, 0, values)


@rule(picked)
def picked_rule(s, like):
    """Each is that at its place."""
    at = places(like, s)

    def picked_back(d):
        stored = np.flatnonzero(at >= 0)
        return of_data(s, scatter(d[stored], at[stored], s.data.shape, s.data.dtype)), None

    return picked(s, like), picked_back


def turned(a):
    """Aᴴ."""
    return by_methods(a)


def by_methods(a):
    """Aᴴ as its class makes it: diagonals move their data."""
    return a.conjugate().transpose() if a.dtype.kind == "c" else a.transpose()


@rule(turned)
def turned_rule(a):
    """The data stay in order, but for those of diagonals."""
    if a.format == "dia":
        y, back = call_pullback(by_methods, a)
        return y, lambda y_bar: back(y_bar)[1:]

    def turned_back(y_bar):
        return (of_data(a, np.conj(data_bar_of(y_bar, a))),)

    return turned(a), turned_back


def in_order(a):
    """A matrix with its entries in order, each place once. Solvers and functions of the entries bring what they are
    given into that form where it lies, and with it the data that others have, in whose order cotangents are: they get
    a copy."""
    if a.format not in FORMATS or a.has_canonical_format:
        return a
    y = a.copy()
    y.sum_duplicates()
    return y


@rule(in_order)
def in_order_rule(a):
    """The same entries in another order; several at one place become their sum."""
    y = in_order(a)
    if y is a:
        return y, lambda y_bar: (y_bar,)
    return y, lambda y_bar: (of_data(a, picked(filled(y, data_bar_of(y_bar, y)), a)),)
