"""Making sparse matrices, converting, indexing and joining them, and what is read from them."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import numpy as np
import scipy.sparse as sp

from ....tangents import as_array
from ....tangents.unknown import unknown
from ...knots import call_pullback
from ...numpy.lifting import refuse
from ...numpy.linear import bring_back, scatter
from ...registry import non_differentiable, rule
from .patterns import (
    CLASSES,
    check_by_data,
    check_same,
    data_bar_of,
    filled,
    has_data,
    methods,
    of_data,
    pattern,
    picked,
    places,
    refuse_lost,
    sources,
    with_numbers,
)

# Made of data


def _made(cls):
    def made_rule(arg1, shape=None, dtype=None, copy=False, **options):
        y = cls(arg1, shape, dtype, copy, **options)
        if sp.issparse(arg1):
            return y, _diagonals_back(arg1, y) if arg1.format == "dia" else _converted_back(arg1, y)
        if isinstance(arg1, tuple) and len(arg1) == 2 and not isinstance(arg1[1], tuple | list | np.ndarray):
            return y, lambda y_bar: (None,)  # a shape
        if isinstance(arg1, tuple):
            data, rest = arg1[0], arg1[1:]
            at = None if len(arg1) == 3 else places_of(arg1[1], y)

            def of_parts_back(y_bar):
                d = data_bar_of(y_bar, y)
                return ((bring_back(d if at is None else d[at], data), *[None for _ in rest]),)

            return y, of_parts_back
        rows, columns = pattern(y)
        dense = np.asarray(arg1)

        def of_dense_back(y_bar):
            if np.size(dense) != y.nnz:
                return (unknown(*OF_ZEROS),)
            return (bring_back(scatter(data_bar_of(y_bar, y), (rows, columns), dense.shape, dense.dtype), arg1),)

        return y, of_dense_back

    made_rule.__name__ = f"{cls.__name__}_rule"
    made_rule.__doc__ = "Of data at places, of a dense matrix, or of another sparse one."
    return made_rule


def places_of(ij, y):
    """The places in the data of a matrix of its entries at given rows and columns."""
    rows, columns = (np.asarray(i) for i in ij)
    return places(sp.coo_array((np.ones(len(rows)), (rows, columns)), shape=y.shape), y)


OF_ZEROS = (
    "a dense matrix with zeros, of which a sparse one is made",
    "they are not stored, so that what flows to them is lost",
    "give the data and their places, `csr_array((data, (rows, columns)), shape)`",
)
non_differentiable(places_of)

for _cls in CLASSES:
    rule(_cls)(_made(_cls))


def _converted_back(a, y):
    def converted_back(y_bar):
        return (of_data(a, picked(filled(y, data_bar_of(y_bar, y)), a)),)

    return converted_back


def _diagonals_back(a, y):
    """Of a matrix in the format DIA: its entries in another order, but for those that are 0, which are not stored."""
    numbers = type(y)(with_numbers(a))

    def diagonals_back(y_bar):
        if y.data.shape != numbers.data.shape:
            return (unknown(*OF_ZEROS),)
        return (of_data(a, scattered(data_bar_of(y_bar, y), numbers.data.astype(np.intp) - 1, a)),)

    return diagonals_back


# Conversions


def _converted(name):
    def converted_rule(self, *args, **options):
        check_by_data(self)
        y = getattr(self, name)(*args, **options)
        if self.format == y.format == "dia":
            return y, lambda y_bar: (of_data(self, data_bar_of(y_bar, y)),)
        if self.format == "dia" and has_data(y):
            return _rearranged(name)(self, *args, **options)
        if not has_data(y):
            why = "only COO, CSR and CSC matrices are differentiated, by their data"
            refuse(f"`{name}` of a sparse matrix", why, "stay with these formats")
        return y, _converted_back(self, y)

    converted_rule.__name__ = f"{name}_rule"
    converted_rule.__doc__ = "The same entries in another order; several at one place become their sum."
    return converted_rule


for _name in ("tocsr", "tocsc", "tocoo", "asformat", "copy", "sorted_indices", "asfptype"):
    if methods(_name):
        rule(*methods(_name))(_converted(_name))


@rule(*methods("toarray"))
def toarray_rule(self, order=None, out=None):
    """Yᵢⱼ is the sum of the entries at (i, j)."""
    if out is not None:
        refuse("`toarray(out=...)`", "it writes into an array that others can see", "use the result of the call")
    if self.format == "dia":
        return _rearranged("toarray")(self, order)
    return self.toarray(order), lambda y_bar: (of_data(self, y_bar[pattern(self)] if has_data(self) else None),)


@rule(*methods("todense"))
def todense_rule(self, order=None, out=None):
    """As `toarray`, of sparse arrays."""
    if isinstance(self, sp.spmatrix):  # in older SciPy it is the same function
        why = "it gives an `np.matrix`, whose operators mean something else"
        refuse("`todense` of a sparse matrix", why, "use `A.toarray()`")
    return toarray_rule(self, order, out)


# The same entries at other places


def _rearranged(name):
    def rearranged_rule(self, *args, **options):
        y = getattr(self, name)(*args, **options)
        at = sources(name, self, y, args, options)

        def rearranged_back(y_bar):
            d = data_bar_of(y_bar, y) if sp.issparse(y) else y_bar
            return (of_data(self, scattered(d, at, self)),)

        return y, rearranged_back

    rearranged_rule.__name__ = f"{name}_rule"
    rearranged_rule.__doc__ = "Each entry of the result is one of A, or none."
    return rearranged_rule


def scattered(d, at, a):
    """The cotangent of the data of which the entries at some numbers were taken; those numbered -1 are none."""
    stored = np.flatnonzero(at >= 0)
    flat = scatter(np.ravel(d)[stored], np.ravel(at)[stored], (a.data.size,), np.result_type(a.data.dtype))
    return np.reshape(flat, a.data.shape)


for _name in ("transpose", "__getitem__", "diagonal", "reshape", "getrow", "getcol"):
    if methods(_name):
        rule(*methods(_name))(_rearranged(_name))


@rule(*methods("T"))
def t_rule(self):
    """`A.T`."""
    return _rearranged("transpose")(self)


@rule(*methods("trace"))
def trace_rule(self, offset=0):
    """The sum of the diagonal."""
    rows, columns = pattern(self)
    return self.trace(offset), lambda y_bar: (of_data(self, y_bar * (columns - rows == offset)),)


# Sums


@rule(*methods("sum"))
def sum_rule(self, axis=None, dtype=None, out=None):
    """y = Σ of the entries, of rows or of columns."""
    return self.sum(axis, dtype, out), _sum_back(self, axis, 1.0)


@rule(*methods("mean"))
def mean_rule(self, axis=None, dtype=None, out=None):
    """y = Σ / n, zeros counted."""
    m, n = self.shape
    count = m * n if axis is None else m if axis in (0, -2) else n
    return self.mean(axis, dtype, out), _sum_back(self, axis, count)


def _sum_back(a, axis, count):
    if isinstance(axis, tuple):
        refuse(
            "`sum` of a sparse matrix along several axes",
            "of two axes it is the sum of all entries",
            "leave `axis` out for all of them",
        )
    rows, columns = pattern(a)

    def sum_back(y_bar):
        d = np.ravel(as_array(y_bar)) / count
        if axis is None:
            return (of_data(a, d * np.ones(a.data.shape)),)
        return (of_data(a, d[columns] if axis in (0, -2) else d[rows]),)

    return sum_back


# Joined


def _joined(f):
    def joined_rule(blocks, *args, **options):
        y = f(blocks, *args, **options)
        at, firsts = numbered_blocks(f, blocks, y, args, options)

        def joined_back(y_bar):
            whole = np.zeros(firsts[-1])
            stored = np.flatnonzero(at >= 0)
            d = scatter(data_bar_of(y_bar, y)[stored], at[stored], whole.shape, y.data.dtype)
            return (_of_blocks(d, blocks, firsts),)

        return y, joined_back

    joined_rule.__name__ = f"{f.__name__}_rule"
    joined_rule.__doc__ = "Each block has its entries."
    return joined_rule


def numbered_blocks(f, blocks, y, args, options):
    """The place of each entry of the result among those of all blocks, one after the other; and where those of a block
    begin."""
    firsts = [0]

    def numbered(block):
        if isinstance(block, list | tuple):
            return [numbered(b) for b in block]
        if not sp.issparse(block):
            return block if block is None else 0.0 * np.asarray(block)
        if block.format != "dia":
            pattern(block)
        firsts.append(firsts[-1] + block.data.size)
        return with_numbers(block, firsts[-2] + 1)

    result = f(numbered(blocks), *args, **options)
    if not has_data(y):
        pattern(y)
    if any(sp.issparse(b) for b in _flat(blocks)) and y.nnz != result.nnz:
        if all(b is None or sp.issparse(b) for b in _flat(blocks)):
            refuse_lost(f"scipy.sparse.{f.__name__}")
        what = f"scipy.sparse.{f.__name__} of sparse and dense blocks"
        refuse(what, "what flows to zeros of a dense block is lost", "make them sparse, by data and places")
    check_same(result, y, f.__name__)
    return result.data.astype(np.intp) - 1, firsts


def _flat(blocks):
    return [b for row in blocks for b in (_flat(row) if isinstance(row, list | tuple) else [row])]


def _of_blocks(d, blocks, firsts):
    counter = [0]

    def part(block):
        if isinstance(block, list | tuple):
            items = [part(b) for b in block]
            return items if isinstance(block, list) else tuple(items)
        if not sp.issparse(block):
            return None if block is None else unknown("a dense block of a sparse matrix")
        i = counter[0]
        counter[0] = i + 1
        return of_data(block, np.reshape(d[firsts[i] : firsts[i + 1]], block.data.shape))

    return part(blocks)


@rule(_of_blocks)
def of_blocks_rule(d, blocks, firsts):
    """The parts, one after the other."""

    def of_blocks_back(y_bar):
        return joined_data(y_bar, blocks, firsts), None, None

    return _of_blocks(d, blocks, firsts), of_blocks_back


def joined_data(y_bar, blocks, firsts):
    """The data of the blocks of a cotangent, one after the other."""
    parts = []
    for bar, block in zip(_flat(y_bar), _flat(blocks), strict=True):
        if sp.issparse(block):
            parts.append(np.ravel(data_bar_of(bar, block)))
    return np.concatenate(parts)


non_differentiable(numbered_blocks, _flat)

for _f in (sp.hstack, sp.vstack, sp.bmat, getattr(sp, "block_array", sp.bmat), sp.block_diag):
    rule(_f)(_joined(_f))


# Parts


def _part(f):
    def part_rule(A, k=0, format=None):  # noqa: A002, N803
        y = f(A, k, format)
        return y, lambda y_bar: (of_data(A, picked(filled(y, data_bar_of(y_bar, y)), A)),)

    part_rule.__name__ = f"{f.__name__}_rule"
    part_rule.__doc__ = "Some of the entries."
    return part_rule


for _f in (sp.tril, sp.triu):
    rule(_f)(_part(_f))


@rule(sp.kron)
def kron_rule(A, B, format=None):  # noqa: A002, N803
    """Each entry is a product of one of A and one of B."""
    y = sp.kron(A, B, format)
    if not (sp.issparse(A) and sp.issparse(B) and has_data(y)):
        why = "only sparse factors, and a result in COO, CSR or CSC, have a rule"
        refuse("scipy.sparse.kron", why, "pass format='csr', or make a constant matrix outside of the function")
    if A.format == "dia" or B.format == "dia":
        y, back = call_pullback(kron_of_rows, A, B, format)
        return y, lambda y_bar: back(y_bar)[1:3]
    for factor in (A, B):
        if not has_data(factor):
            why = "only factors in COO, CSR, CSC or DIA have a rule"
            refuse(f"scipy.sparse.kron of a matrix in the format {factor.format!r}", why, "convert it: `.tocsr()`")
    of_a, of_b = numbered_factors(A, B, y, format)

    def kron_back(y_bar):
        d = data_bar_of(y_bar, y)
        a_bar = scatter(d * np.conj(B.data)[of_b], of_a, A.data.shape, y.data.dtype)
        return of_data(A, a_bar), of_data(B, scatter(d * np.conj(A.data)[of_a], of_b, B.data.shape, y.data.dtype))

    return y, kron_back


def kron_of_rows(a, b, format):  # noqa: A002
    """The same of factors whose diagonals are written as rows."""
    return sp.kron(a.tocsr() if a.format == "dia" else a, b.tocsr() if b.format == "dia" else b, format)


def numbered_factors(a, b, y, format):  # noqa: A002
    """The entries of both factors that each entry of the product is made of."""
    products, others = sp.kron(with_numbers(a), with_ones(b), format), sp.kron(with_ones(a), with_numbers(b), format)
    check_same(products, y, "kron")
    return products.data.astype(np.intp) - 1, others.data.astype(np.intp) - 1


def with_ones(a):
    """A matrix of the same pattern with ones."""
    ones = with_numbers(a)
    ones.data[:] = 1.0
    return ones


non_differentiable(numbered_factors)
