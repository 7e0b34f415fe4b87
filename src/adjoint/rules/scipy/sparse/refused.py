"""What asks about sparse matrices, and what has no rule."""

import inspect
from typing import Any

import scipy.sparse as sp

from ...registry import find_rules, non_differentiable, not_implemented
from . import products, structure  # noqa: F401  (what has rules is declared before)
from .patterns import CLASSES, OTHERS, methods

non_differentiable(
    *methods(
        *("shape", "nnz", "size", "ndim", "dtype", "format", "row", "col", "has_canonical_format"),
        *("has_sorted_indices", "getnnz", "get_shape", "count_nonzero", "nonzero", "argmax", "argmin", "getformat"),
        *("check_format", "getmaxprint", "__repr__", "__str__", "__len__", "__bool__", "__eq__", "__ne__", "__lt__"),
        *("__gt__", "__le__", "__ge__"),
    )
)
non_differentiable(sp.issparse, sp.isspmatrix, sp.find)
for _name in (
    "isspmatrix_csr",
    "isspmatrix_csc",
    "isspmatrix_coo",
    "isspmatrix_dia",
    "isspmatrix_bsr",
    "isspmatrix_lil",
):
    if hasattr(sp, _name):
        non_differentiable(getattr(sp, _name))
for _name in (
    "eye",
    "eye_array",
    "identity",
    "random",
    "random_array",
    "rand",
    "isspmatrix_dok",
    "get_index_dtype",
    "safely_cast_index_arrays",
):
    if hasattr(sp, _name):
        non_differentiable(getattr(sp, _name))

_CHANGING = ("sum_duplicates", "eliminate_zeros", "sort_indices", "prune", "resize", "setdiag", "__setitem__")
_IN_PLACE = ("__iadd__", "__isub__", "__imul__", "__itruediv__")

not_implemented(
    *methods(*_CHANGING, *_IN_PLACE),
    why="it changes a sparse matrix that others can see",
    way_out="make a new one: `A = A + B`, `A.tocsr()`, or `csr_array((data, indices, indptr))`",
)
not_implemented(
    *methods("max", "min", "nanmax", "nanmin", "maximum", "minimum"),
    why="zeros that are not stored count too, and would have to have a derivative",
    way_out="use `A.data`, or `A.toarray()`",
)
not_implemented(
    *methods("todia", "tobsr", "tolil", "todok", "__iter__", "__rtruediv__", "__round__", "real", "imag", "getH", "H"),
    why="only COO, CSR and CSC matrices have rules, and not for this",
    way_out="use `A.data` with its places, `A.conj().T`, or `A.toarray()`",
)
not_implemented(
    *OTHERS,
    why="only COO, CSR and CSC matrices are differentiated, by their data",
    way_out="make one of these: `csr_array((data, (rows, columns)), shape)`",
)


def refuse_rest(module: Any, *more: Any) -> None:
    """Whatever else is public: named, rather than looked into."""
    functions = [f for f in (getattr(module, name) for name in module.__all__) if inspect.isfunction(f)]
    for f in (*functions, *more):
        if find_rules(f) is None:
            not_implemented(f, why="it has no rule", way_out="use `A.data` with its places, or `A.toarray()`")


refuse_rest(sp, *methods(*sorted({n for cls in CLASSES for n in dir(cls) if not n.startswith("_")})))
