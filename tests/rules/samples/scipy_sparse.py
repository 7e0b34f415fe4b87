"""Samples for `scipy.sparse`: of the data of a matrix, its pattern being constant."""

import numpy as np
import scipy.sparse as sp
import scipy.sparse.linalg as sl
from rules.sampling import normal, sample, sample_of, uniform

ROWS = np.array([0, 0, 1, 2, 2], dtype=np.int32)  # as SuperLU has them
COLUMNS = np.array([0, 2, 1, 0, 2], dtype=np.int32)
DATA = normal(5) + 3.0
OTHER = normal(5, seed=3) + 5.0
KINDS = (sp.coo_array, sp.csr_array, sp.csc_array, sp.csr_matrix)


def csr(d):
    return sp.csr_array((d, (ROWS, COLUMNS)), shape=(3, 3))


def other(d):
    return sp.csc_array((d, (COLUMNS, ROWS)), shape=(3, 3))


def square(d):
    return sp.csc_array((d, (ROWS, COLUMNS)), shape=(3, 3)) + sp.eye_array(3, format="csc") * 9.0


def definite(d):
    a = csr(d)
    return a @ a.T + 3.0 * sp.eye_array(3, format="csr")


def made(kind):
    def program(d, x):
        a = kind((d, (ROWS, COLUMNS)), shape=(3, 4))
        return a @ x, a.toarray(), a.data

    return program


def beside_diagonals(d, e):
    """What SciPy gives for diagonals, in a format of their own, beside rows."""
    a, b = csr(d), sp.diags_array([e], offsets=[0], shape=(3, 3))
    parts = (
        a + b,
        b + a,
        a - 3.0 * b,
        a @ b,
        b @ a,
        a.multiply(b),
        sp.kron(a, b, format="csr"),
        sp.kron(b, a, format="csr"),
    )
    return [part.tocsr().toarray() for part in parts]


def twice(d):
    """Two entries at one place."""
    a = sp.coo_array((d, (np.array([0, 1, 0, 2, 1]), np.array([1, 1, 1, 0, 2]))), shape=(3, 3))
    return a.tocsr().data, a.toarray(), a.T @ np.ones(3), a.sum(axis=0)


MAKING = [
    *[sample_of(kind, made(kind), DATA, normal(4)).but(complex=True) for kind in KINDS],
    sample_of(sp.csr_array, lambda d: sp.csr_array((d, COLUMNS, np.array([0, 2, 3, 5]))).tocsc().data, DATA),
    sample_of(sp.coo_array, twice, DATA),
    sample_of(sp.dia_array.tocsr, beside_diagonals, DATA, normal(3) + 20.0).but(single=False),
    sample_of(sp.kron, lambda d: sp.kron(csr(d), sp.eye_array(2), format="csr").data, DATA),
    sample_of(sp.csr_array, lambda d: sp.csr_array(csr(d).tocoo()).T.tocoo().tocsr().data, DATA),
    sample_of(sp.csr_array, lambda a: sp.csr_array(a) @ np.ones(2), normal(3, 2)),
    sample_of(sp.csr_array.tocoo, lambda d: csr(d).tocoo().asformat("csc").copy().data, DATA),
    sample_of(sp.csr_array.astype, lambda d: csr(d).astype(np.float32).data, DATA).but(single=False, rtol=1e-2),
    sample_of(sp.hstack, lambda d, e: sp.hstack([csr(d), other(e)], format="csr") @ np.arange(6.0), DATA, OTHER),
    sample_of(sp.vstack, lambda d, e: sp.vstack([csr(d), other(e)]).tocsr().data, DATA, OTHER),
    sample_of(sp.bmat, lambda d, e: sp.bmat([[csr(d), None], [None, other(e)]], format="csc").data, DATA, OTHER),
    sample_of(sp.block_diag, lambda d, e: sp.block_diag((csr(d), other(e)), format="csr").data, DATA, OTHER),
    sample_of(
        sp.diags_array,
        lambda a, b: sp.diags_array([a, b], offsets=[0, 1], format="csr").toarray(),
        normal(3),
        normal(2),
    ),
    sample_of(sp.diags, lambda a: sp.diags(a, format="csc") @ np.arange(3.0), normal(3)),
    sample_of(sp.tril, lambda d: (sp.tril(csr(d)).toarray(), sp.triu(csr(d), 1, "csr").data), DATA),
    sample_of(sp.kron, lambda d, e: sp.kron(csr(d), other(e), "csr").data, DATA, OTHER),
]

READING = [
    sample_of(sp.csr_array.__getitem__, lambda d: (csr(d)[0, 2], csr(d)[1:].toarray(), csr(d)[[2, 0], :].data), DATA),
    sample_of(sp.csr_array.__getitem__, lambda d: csr(d)[:, 0:2].T.data * 2.0 + csr(d)[0, 1], DATA),
    sample_of(sp.csr_array.diagonal, lambda d: (csr(d).diagonal(), csr(d).diagonal(2), csr(d).trace()), DATA),
    *[
        sample_of(sp.csr_array.sum, lambda d, axis=axis: (csr(d).sum(axis=axis), csr(d).mean(axis=axis)), DATA)
        for axis in (None, 0, -1)
    ],
    sample_of(sp.csr_matrix.sum, lambda d: sp.csr_matrix((d, (ROWS, COLUMNS)), shape=(3, 3)).sum(), DATA),
]

PRODUCTS = [
    sample_of(sp.csr_array.__matmul__, lambda d, x: csr(d) @ x, DATA, normal(3)).but(complex=True),
    sample_of(sp.csr_array.__matmul__, lambda d, x: csr(d).dot(x), DATA, normal(3, 2)),
    sample_of(sp.csr_array.__rmatmul__, lambda d, x: x @ csr(d), DATA, normal(3)).but(complex=True),
    sample_of(sp.csr_array.__rmatmul__, lambda d, x: x @ csr(d), DATA, normal(2, 3)),
    sample_of(sp.csr_array.__matmul__, lambda d, e: (csr(d) @ other(e)).toarray(), DATA, OTHER).but(complex=True),
    sample_of(sp.csr_array.__add__, lambda d, e: (csr(d) + other(e) - csr(e) * 0.5).data, DATA, OTHER).but(
        complex=True
    ),
    sample_of(sp.csr_array.__add__, lambda d, x: (csr(d) + x) * (x - csr(d)), DATA, normal(3, 3)),
    sample_of(sp.csr_array.__mul__, lambda d, s: (s * csr(d) * 2.0 / s**2).data, DATA, 1.5),
    sample_of(sp.csr_array.__neg__, lambda d: (-csr(d)).power(3).data, DATA),
    sample_of(sp.csr_array.multiply, lambda d, e: csr(d).multiply(other(e)).sum(), DATA, OTHER).but(complex=True),
    sample_of(sp.csr_array.multiply, lambda d, x: csr(d).multiply(x).toarray(), DATA, normal(3)),
    sample_of(sp.csr_array.__mul__, lambda d, x: (csr(d) * x).sum(axis=1), DATA, normal(3, 1)),
    *[
        sample_of(getattr(sp.csr_array, n), lambda d, n=n: getattr(csr(d), n)().data, DATA)
        for n in ("sin", "sqrt", "log1p")
    ],
    sample_of(sp.csr_array.__abs__, lambda d: abs(csr(d)).data, DATA),
    sample_of(
        sp.csr_matrix.__mul__, lambda d, x: sp.csr_matrix((d, (ROWS, COLUMNS)), shape=(3, 3)) * x, DATA, normal(3)
    ),
]

SOLVERS = [
    sample_of(sl.spsolve, lambda d, b: sl.spsolve(square(d), b), DATA, normal(3)).but(complex=True, single=False),
    sample_of(sl.spsolve, lambda d, b: sl.spsolve(square(d).tocsr(), b), DATA, normal(3, 2)).but(single=False),
    sample_of(
        sl.spsolve_triangular,
        lambda d, b: sl.spsolve_triangular(sp.tril(square(d), format="csr"), b),
        DATA,
        normal(3),
    ).but(single=False),
    sample_of(
        sl.splu, lambda d, b: (lambda f: f.solve(b) + f.solve(b**2, "T"))(sl.splu(square(d))), DATA, normal(3)
    ).but(single=False, complex=True),
    sample_of(sl.factorized, lambda d, b: sl.factorized(square(d))(b) * 2.0, DATA, normal(3)).but(single=False),
    sample_of(sl.cg, lambda d, b: sl.cg(definite(d), b, rtol=1e-13)[0], DATA, normal(3)).but(single=False),
    sample_of(sl.minres, lambda d, b: sl.minres(definite(d), b, rtol=1e-13)[0], DATA, normal(3)).but(
        single=False, order=1
    ),
    *[
        sample_of(f, lambda d, b, f=f: f(square(d), b, rtol=1e-13, atol=0.0)[0], DATA, normal(3)).but(
            single=False, order=1
        )
        for f in (sl.gmres, sl.bicgstab, sl.bicg, sl.lgmres, sl.cgs, sl.gcrotmk, sl.qmr, sl.tfqmr)
    ],
    *[
        sample_of(sl.SuperLU.solve, lambda d, b, t=t: sl.splu(square(d)).solve(b, t), DATA, normal(3, 2)).but(
            single=False, complex=True
        )
        for t in "NTH"
    ],
    sample_of(sl.cg, lambda b: sl.cg(np.diag([4.0, 5.0, 6.0]), b, rtol=1e-13)[0], normal(3)).but(single=False),
    sample_of(sl.norm, lambda d: sl.norm(csr(d)), DATA),
    sample_of(sl.expm_multiply, lambda d, b: sl.expm_multiply(csr(d / 9), b), DATA, normal(3)).but(
        single=False, order=1
    ),
    sample_of(sl.expm_multiply, lambda a, b: sl.expm_multiply(a, b), normal(3, 3), normal(3, 2)).but(
        single=False, order=1
    ),
]

# The rules of methods by themselves: of matrices, whose cotangent is that of their data

ARRAYS = [kind((DATA, (ROWS, COLUMNS)), shape=(3, 4)) for kind in (sp.csr_array, sp.csc_array, sp.coo_array)]
WIDE, TALL, TRIPLES = ARRAYS
MATRIX = sp.csr_matrix((OTHER, (ROWS, COLUMNS)), shape=(3, 4))
SMALL = sp.csr_array((uniform(0.1, 0.9, 5), (ROWS, COLUMNS)), shape=(3, 4))
SAME = sp.csc_array((OTHER, (ROWS, COLUMNS)), shape=(3, 4))
DENSE = normal(3, 4)


def method(name, a, *args, **kwargs):
    """A call of a method of sparse matrices, or of what a property reads."""
    of = getattr(type(a), name)
    return sample(of.fget if isinstance(of, property) else of, a, *args, **kwargs)


ENTRYWISE = (
    *("sin", "tan", "arcsin", "arctan", "sinh", "tanh", "arcsinh", "arctanh", "expm1", "log1p", "sqrt", "deg2rad"),
    *("rad2deg", "rint", "sign", "floor", "ceil", "trunc", "conj", "conjugate"),
)

METHODS = [
    *[method(name, SMALL) for name in ENTRYWISE],
    method("sign", SMALL).but(complex=True),
    *[method("conj", a).but(complex=True) for a in (TRIPLES, MATRIX)],
    *[method("power", a, 3).but(complex=True) for a in (WIDE, MATRIX)],
    method("power", TALL, 1.5),
    method("__pow__", WIDE, 2),
    *[method("__sub__", a, b).but(complex=True) for a in (WIDE, TRIPLES) for b in (SAME, DENSE)],
    *[method(name, WIDE, DENSE).but(complex=True) for name in ("__radd__", "__rsub__", "__add__")],
    *[method("__rmul__", a, 1.5).but(complex=True) for a in (WIDE, MATRIX)],
    method("__rmul__", WIDE, DENSE),
    method("__rmul__", MATRIX, normal(2, 3)),
    method("__rmul__", MATRIX, normal(3)),
    *[method("__truediv__", a, 1.5).but(complex=True) for a in (WIDE, TALL, TRIPLES, MATRIX)],
    *[method("dot", a, normal(4)).but(complex=True) for a in (WIDE, TRIPLES, MATRIX)],
    method("dot", WIDE, 2.5),
    method("dot", TALL, normal(4, 2)),
    method("dot", TRIPLES, sp.csr_array(normal(4, 2))),
    *[method(name, a) for a in ARRAYS for name in ("tocsr", "tocsc", "tocoo", "copy", "toarray", "todense")],
    *[method("asformat", WIDE, name) for name in ("csr", "csc", "coo")],
    method("toarray", TRIPLES, order="F").but(complex=True),
    method("sorted_indices", WIDE),
    *[method(name, a) for a in (*ARRAYS, MATRIX) for name in ("transpose", "T")],
    method("reshape", WIDE, (2, 6)),
    method("reshape", TRIPLES, 4, 3),
    *[method(name, MATRIX, 2) for name in ("getrow", "getcol")],
    *[method("trace", a, **options).but(complex=True) for a in (WIDE, TRIPLES) for options in ({}, {"offset": 2})],
    method("diagonal", TALL, 2),
    *[method("mean", a, axis).but(complex=True) for a in (WIDE, TRIPLES) for axis in (None, 0, 1, -2)],
    method("mean", MATRIX),
    method("sum", MATRIX),
    *([method("asfptype", MATRIX)] if hasattr(MATRIX, "asfptype") else []),
    *[sample(f, WIDE, k, **options) for f in (sp.tril, sp.triu) for k, options in ((0, {}), (1, {"format": "csc"}))],
    *[sample(f, [[WIDE, None], [None, TALL]], format="csr") for f in (sp.bmat, sp.block_array)],
    *[
        sample_of(kind, lambda d, kind=kind: kind((d, (ROWS, COLUMNS)), shape=(3, 4)).data * 2.0, DATA)
        for kind in (sp.coo_matrix, sp.csc_matrix)
    ],
]

OPERATORS = [
    sl.aslinearoperator(normal(2, 3)),
    sl.aslinearoperator(sp.csr_array(normal(2, 3) + 1j * normal(2, 3, seed=1))),
]


def applied(name, k, x):
    """A product with an operator, which is a constant."""
    of = getattr(sl.LinearOperator, name)
    return sample_of(of, lambda x: getattr(OPERATORS[k], name)(x), x).but(complex=True, lists=False)


APPLYING = [
    *[applied(name, k, normal(3)) for k in (0, 1) for name in ("matvec", "dot", "__matmul__", "__mul__", "__call__")],
    *[applied(name, k, normal(3, 2)) for k in (0, 1) for name in ("matmat", "__matmul__")],
    *[applied("matvec", k, normal(3, 1)).but(warns=True) for k in (0, 1)],
    *[applied("rmatvec", k, normal(2)) for k in (0, 1)],
    *[applied("rmatmat", k, normal(2, 3)) for k in (0, 1)],
]

START = np.array([1.0, 0.5, -0.5])
EXTREMES = [
    sample_of(sl.eigsh, lambda d: sl.eigsh(definite(d), 2, v0=START)[0], DATA).but(single=False, order=1),
    sample_of(sl.eigsh, lambda d: sl.eigsh(definite(d), 1, v0=START, return_eigenvectors=False), DATA).but(
        single=False, order=1
    ),
    sample_of(sl.svds, lambda d: sl.svds(square(d), 2, v0=START)[1], DATA).but(single=False, order=1),
    sample_of(sl.svds, lambda d: sl.svds(square(d), 1, v0=START, return_singular_vectors=False), DATA).but(
        single=False, order=1
    ),
]

SAMPLES = [*EXTREMES, *MAKING, *READING, *PRODUCTS, *SOLVERS, *METHODS, *APPLYING]

DIAGONALS = (uniform(1.0, 2.0, 3), uniform(1.0, 2.0, 2))
BANDS = uniform(1.0, 2.0, 2, 3)


def bands(d, e):
    return sp.diags([d, e], offsets=[0, 1])


SAMPLES += [
    sample_of(sp.diags, lambda d, e: bands(d, e) @ np.ones(3), *DIAGONALS).but(complex=True, single=False),
    sample_of(sp.diags, lambda d, e: bands(d, e).data ** 2, *DIAGONALS).but(order=1),
    sample_of(sp.diags, lambda d, e: sl.spsolve(bands(d, e).tocsc(), np.ones(3)), *DIAGONALS).but(single=False),
    sample_of(sp.diags, lambda d, e: (bands(d, e).toarray(), bands(d, e).T @ np.ones((3, 2))), *DIAGONALS),
    sample_of(sp.diags, lambda d, e: (2.0 * bands(d, e)).dot(np.ones(3)), *DIAGONALS).but(order=1, single=False),
    sample_of(sp.spdiags, lambda d: sp.spdiags(d, [0, 1], 3, 3) @ np.ones(3), BANDS).but(single=False),
    sample_of(sp.spdiags, lambda d: sp.spdiags(d, [0, -1], 3, 3, "csr").data, BANDS),
]
