"""Products, sums and functions of the entries."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import operator

import numpy as np
import scipy.sparse as sp

from ....tangents import as_array, unbroadcast
from ...knots import call_pullback
from ...numpy.lifting import refuse
from ...numpy.linear import bring_back, scatter
from ...registry import non_differentiable, rule
from .patterns import (
    data_bar_of,
    filled,
    has_data,
    in_order,
    is_by_data,
    keys,
    methods,
    of_data,
    pattern,
    picked,
    refuse_lost,
    turned,
)


def outer_at(a, left, right):
    """Σ over columns of leftᵢ rightⱼ*, at the places (i, j) of the entries of a matrix; vectors are one column."""
    diagonals = a.format == "dia"
    rows, columns, inside = places_of_diagonals(a) if diagonals else (*pattern(a), None)
    values = left[rows] * np.conj(right)[columns]
    values = values if values.ndim == rows.ndim else np.sum(values, axis=-1)
    return np.where(inside, values, 0.0) if diagonals else values


def places_of_diagonals(a):
    """The row and the column of each of the data of a matrix in the format DIA, and whether it lies in the matrix.

    >>> places_of_diagonals(sp.dia_array(([[1.0, 2.0]], [1]), shape=(2, 2)))
    (array([[0, 0]]), array([[0, 1]]), array([[False,  True]]))
    """
    columns = np.broadcast_to(np.arange(a.data.shape[1]), a.data.shape)
    rows = columns - np.asarray(a.offsets)[:, None]
    inside = (rows >= 0) & (rows < a.shape[0]) & (columns < a.shape[1])
    return np.where(inside, rows, 0), np.where(inside, columns, 0), inside


def of_outer(a, left, right):
    """The cotangent of a matrix that is Σ left rightᴴ."""
    return of_data(a, outer_at(a, left, right) if is_by_data(a) else None)


def is_scalar(x):
    """Tell whether a product with it is by a number."""
    return np.isscalar(x) or isinstance(x, np.ndarray) and x.ndim == 0


def check_product(a, b, c):
    """Refuse a product of which an entry is left out because it is zero."""
    ones = [sp.csr_array((np.ones(len(m.indices)), m.indices, m.indptr), m.shape) for m in (a.tocsr(), b.tocsr())]
    if (ones[0] @ ones[1]).nnz != c.nnz:
        refuse_lost("a product of sparse matrices")


non_differentiable(is_scalar, check_product, places_of_diagonals)


def is_beside_diagonals(a, b):
    """Tell whether one of two sparse matrices consists of diagonals, and the other one of rows, columns or places."""
    return sp.issparse(b) and "dia" in (a.format, b.format) and (has_data(a) or has_data(b))


non_differentiable(is_beside_diagonals)


def by_rows(operate, a, b):
    """An operation on such two: on the rows of the diagonals, as SciPy itself does."""
    y, back = call_pullback(on_rows, operate, a, b)
    expected = operate(a, b)
    if type(y) is not type(expected):
        what = f"what a {a.format} and a {b.format} matrix give, which is one in the format {expected.format!r},"
        refuse(what, "which diagonals it has depends on both", "convert them: `.tocsr()`")
    return y, lambda y_bar: back(y_bar)[2:]


def on_rows(operate, a, b):
    return operate(a.tocsr() if a.format == "dia" else a, b.tocsr() if b.format == "dia" else b)


def product(a, b):
    """The back of `a @ b`, of a sparse and any matrix."""
    if is_beside_diagonals(a, b):
        return by_rows(operator.matmul, a, b)
    if sp.issparse(b):
        if a.format == "dia":
            what = "a product of sparse matrices in the format 'dia'"
            refuse(what, "which diagonals its result has depends on both", "convert them: `.tocsr()`")
        c = a @ b
        check_product(a, b, c)

        def sparse_back(y_bar):
            c_bar = filled(c, data_bar_of(y_bar, c))
            left, right = c_bar @ turned(b), turned(a) @ c_bar
            return of_data(a, picked(left, a)), of_data(b, picked(right, b))

        return c, sparse_back
    x = np.asarray(b)

    def dense_back(y_bar):
        if len(a.shape) == 1:  # a row
            return of_data(a, None), bring_back(turned(a.reshape((1, -1)).tocsr()) @ as_array(y_bar)[None], b)
        return of_outer(a, as_array(y_bar), x), bring_back(turned(a) @ as_array(y_bar), b)

    return a @ b, dense_back


def product_from_left(b, a):
    """The back of `b @ a`, of a dense and a sparse matrix."""
    x = np.asarray(b)

    def dense_back(y_bar):
        if len(a.shape) == 1:  # a column
            return of_data(a, None), bring_back(as_array(y_bar)[..., None] @ turned(a.reshape((-1, 1)).tocsr()), b)
        left, right = np.conj(np.transpose(x)), np.conj(np.transpose(as_array(y_bar)))
        return of_outer(a, left, right), bring_back(as_array(y_bar) @ turned(a), b)

    return b @ a, dense_back


def scaled(a, s):
    """The back of `a * s`, by a number."""
    y = a * s
    if y.format != a.format:  # SciPy 1.13 makes CSR of COO
        return call_pullback_of_scaled(a, s, y.format)

    def scaled_back(y_bar):
        d = data_bar_of(y_bar, a)
        return of_data(a, d * np.conj(s)), unbroadcast(np.sum(d * np.conj(a.data)), s)

    return y, scaled_back


def call_pullback_of_scaled(a, s, format):
    """The back of `a * s` by way of another format."""
    converted, format_back = call_pullback(type(a).asformat, a, format)
    y, back = scaled(converted, s)

    def scaled_back(y_bar):
        converted_bar, s_bar = back(y_bar)
        return format_back(converted_bar)[1], s_bar

    return y, scaled_back


@rule(*methods("__matmul__"))
def matmul_rule(self, other):
    """C = A B, so Ā = C̄ Bᴴ at the entries of A, and B̄ = Aᴴ C̄."""
    return product(self, other)


@rule(*methods("__rmatmul__"))
def rmatmul_rule(self, other):
    """C = B A, so Ā = Bᴴ C̄ at the entries of A, and B̄ = C̄ Aᴴ."""
    return product_from_left(other, self)


@rule(*methods("dot"))
def dot_rule(self, other):
    """By a number, or as `@`."""
    return scaled(self, other) if is_scalar(other) else product(self, other)


@rule(sp.csr_array.__mul__)
def mul_rule(self, other):
    """By a number, or entry by entry: arrays."""
    return scaled(self, other) if is_scalar(other) else call_pullback_of_multiply(self, other)


@rule(sp.csr_array.__rmul__)
def rmul_rule(self, other):
    """By a number, or entry by entry: arrays."""
    return scaled(self, other) if is_scalar(other) else call_pullback_of_multiply(self, other)


@rule(sp.csr_matrix.__mul__)
def matrix_mul_rule(self, other):
    """By a number, or as `@`: matrices."""
    return scaled(self, other) if is_scalar(other) else product(self, other)


@rule(sp.csr_matrix.__rmul__)
def matrix_rmul_rule(self, other):
    """By a number, or as `@`: matrices."""
    return scaled(self, other) if is_scalar(other) else product_from_left(other, self)


def call_pullback_of_multiply(a, b):
    return multiply_rule(a, b)


@rule(*methods("multiply"))
def multiply_rule(self, other):
    """Entry by entry: Ā = C̄ conj(B) at the entries of A."""
    if is_scalar(other):
        return scaled(self, other)
    if is_beside_diagonals(self, other):
        return by_rows(multiplied, self, other)
    c = self.multiply(other)
    if not sp.issparse(c):
        why = "the result is dense here"
        refuse("`multiply` of a sparse matrix", why, "multiply `A.toarray()`, or matrices of equal shape")
    if sp.issparse(other):
        if self.shape != other.shape:
            refuse(
                "`multiply` of sparse matrices that are broadcast",
                "an entry counts many times",
                "use a dense row or column",
            )
        check_both(self, other, c)

        def sparse_back(y_bar):
            c_bar = filled(c, data_bar_of(y_bar, c))
            a_bar = picked(c_bar, self) * np.conj(picked(other, self))
            return of_data(self, a_bar), of_data(other, picked(c_bar, other) * np.conj(picked(self, other)))

        return c, sparse_back
    dense, shape = np.asarray(other), self.shape
    rows, columns = pattern(self)
    check_count(self, c)

    def dense_back(y_bar):
        d = picked(filled(c, data_bar_of(y_bar, c)), self)
        factor = np.broadcast_to(dense, shape)[rows, columns]
        b_bar = scatter(d * np.conj(self.data), (rows, columns), shape, np.result_type(dense, self.data.dtype))
        return of_data(self, d * np.conj(factor)), bring_back(b_bar, other)

    return c, dense_back


def multiplied(a, b):
    return a.multiply(b)


def check_both(a, b, c):
    """Refuse where an entry that both have is left out."""
    if len(np.intersect1d(keys(a), keys(b))) != c.nnz:
        refuse_lost("`multiply` of sparse matrices")


def check_count(a, c):
    """Refuse where an entry is left out."""
    if len(np.unique(keys(a))) != c.nnz:
        refuse_lost("`multiply` of a sparse matrix")


def check_either(a, b, c):
    """Refuse where an entry that one of them has is left out."""
    if len(np.union1d(keys(a), keys(b))) != c.nnz:
        refuse_lost("a sum of sparse matrices")


non_differentiable(check_both, check_count, check_either)


@rule(*methods("__truediv__"))
def truediv_rule(self, other):
    """By a number."""
    if not is_scalar(other):
        why = "only a quotient by a number has a rule"
        refuse("division of a sparse matrix", why, "multiply by the reciprocal: `A.multiply(1 / B)`")

    def truediv_back(y_bar):
        d = data_bar_of(y_bar, self) / np.conj(other)
        return of_data(self, d), unbroadcast(-np.sum(d * np.conj(self.data / other)), other)

    return self / other, truediv_back


@rule(*methods("__neg__"))
def neg_rule(self):
    """C = -A."""
    return -self, lambda y_bar: (of_data(self, -data_bar_of(y_bar, self)),)


def _added(a, b, y, sign_a, sign_b):
    if sp.issparse(b):
        check_either(a, b, y)

        def sparse_back(y_bar):
            c_bar = filled(y, data_bar_of(y_bar, y))
            return of_data(a, sign_a * picked(c_bar, a)), of_data(b, sign_b * picked(c_bar, b))

        return y, sparse_back

    def dense_back(y_bar):
        d = as_array(y_bar)
        a_bar = of_data(a, sign_a * np.broadcast_to(d, a.shape)[pattern(a)]) if has_data(a) else of_data(a, None)
        return a_bar, bring_back(sign_b * d, b)

    return (y, dense_back) if not is_scalar(b) else (y, lambda y_bar: (y_bar, None))


@rule(*methods("__add__"))
def add_rule(self, other):
    """C = A + B."""
    if is_beside_diagonals(self, other):
        return by_rows(operator.add, self, other)
    return _added(self, other, self + other, 1, 1)


@rule(*methods("__radd__"))
def radd_rule(self, other):
    """C = B + A."""
    return _added(self, other, other + self, 1, 1)


@rule(*methods("__sub__"))
def sub_rule(self, other):
    """C = A - B."""
    if is_beside_diagonals(self, other):
        return by_rows(operator.sub, self, other)
    return _added(self, other, self - other, 1, -1)


@rule(*methods("__rsub__"))
def rsub_rule(self, other):
    """C = B - A."""
    return _added(self, other, other - self, -1, 1)


# Functions of each entry


def check_single(a):
    """Refuse several entries at one place: a function of their sum is meant."""
    if len(np.unique(keys(a))) != a.data.size:
        what = "a function of the entries of a sparse matrix that stores several at one place"
        refuse(what, "it is a function of their sum", "call `sum_duplicates` first")


non_differentiable(check_single)


def _entrywise(name, f):
    def entrywise_rule(self):
        check_single(self)
        a, order_back = call_pullback(in_order, self)
        _, back = call_pullback(f, a.data)
        return getattr(a, name)(), lambda y_bar: order_back(of_data(a, back(data_bar_of(y_bar, a))[1]))[1:]

    entrywise_rule.__name__ = f"sparse_{name}_rule"
    entrywise_rule.__doc__ = "Entry by entry; zero stays zero."
    return entrywise_rule


for _name in ("sin", "tan", "arcsin", "arctan", "sinh", "tanh", "arcsinh", "arctanh", "expm1", "log1p", "sqrt"):
    rule(*methods(_name))(_entrywise(_name, getattr(np, _name)))
for _name in ("deg2rad", "rad2deg", "sign"):
    rule(*methods(_name))(_entrywise(_name, getattr(np, _name)))
rule(*methods("__abs__"))(_entrywise("__abs__", np.abs))
non_differentiable(*methods("rint", "floor", "ceil", "trunc"))


@rule(*methods("conjugate", "conj"))
def conjugate_rule(self, copy=True):
    """Entry by entry, in new memory: a product is so in its own reverse as well, from which tangents come."""
    return self.conj(copy), lambda y_bar: (of_data(self, 1.0 * np.conj(data_bar_of(y_bar, self))),)


@rule(*methods("power"))
def power_rule(self, n, dtype=None):
    """Entry by entry."""
    check_single(self)
    a, order_back = call_pullback(in_order, self)
    _, back = call_pullback(np.power, a.data, n)

    def power_back(y_bar):
        _, d, n_bar = back(data_bar_of(y_bar, a))
        return order_back(of_data(a, d))[1], n_bar

    return a.power(n, dtype), power_back


@rule(sp.csr_array.__pow__)
def pow_rule(self, *power):
    """Entry by entry: arrays."""
    return power_rule(self, *power)


@rule(*methods("astype"))
def astype_rule(self, dtype, casting="unsafe", copy=True):
    """In another precision."""
    if np.dtype(dtype).kind not in "fc" and self.dtype != dtype:
        refuse("`astype` of a sparse matrix to integers", "nothing flows through integers", "use floats")
    return self.astype(dtype, casting, copy), lambda y_bar: (of_data(self, data_bar_of(y_bar, self)),)
