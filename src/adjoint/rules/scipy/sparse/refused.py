"""Questions about sparse matrices, and refusals."""

import inspect
from typing import Any

import scipy.sparse as sp

from ...registry import find_rules, non_differentiable, not_implemented
from . import diagonals, products, structure  # noqa: F401  (what has rules is declared before)
from .patterns import CLASSES, OTHERS, methods

non_differentiable(
    *methods(
        *("shape", "nnz", "size", "ndim", "dtype", "format", "row", "col", "has_canonical_format"),
        *("has_sorted_indices", "getnnz", "get_shape", "count_nonzero", "nonzero", "argmax", "argmin", "getformat"),
        *("check_format", "getmaxprint", "__repr__", "__str__", "__len__", "__bool__", "__eq__", "__ne__", "__lt__"),
        *("__gt__", "__le__", "__ge__"),
    )
)
non_differentiable(sp.issparse, sp.isspmatrix)
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

not_implemented(
    sp.find,
    why="it leaves out what is 0, and gives no matrix",
    way_out="take `A.tocoo()`: its `row`, `col` and `data`",
)
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
    why="what it gives is no COO, CSR or CSC matrix, whose data have a cotangent",
    way_out="use `A.data` with its places, `A.conj().T`, or `A.toarray()`",
)
not_implemented(
    *OTHERS,
    why="their entries are not one array in a fixed order, as those of COO, CSR and CSC are",
    way_out="make one of these: `csr_array((data, (rows, columns)), shape)`",
)


def refuse_rest(module: Any, *more: Any) -> None:
    """Whatever else is public: named, rather than looked into."""
    functions = [f for f in (getattr(module, name) for name in module.__all__) if inspect.isfunction(f)]
    for f in (*functions, *more):
        if find_rules(f) is None:
            why = "it makes, reads or writes other forms than COO, CSR and CSC, or changes what others can see"
            not_implemented(f, why=why, way_out="use `A.data` with its places, or `A.toarray()`")


refuse_rest(sp, *methods(*sorted({n for cls in CLASSES for n in dir(cls) if not n.startswith("_")})))
