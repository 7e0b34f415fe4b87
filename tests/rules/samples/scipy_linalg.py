"""Samples for `scipy.linalg`."""

import numpy as np
import scipy.linalg as sl
from rules.sampling import normal, sample, sample_of
from scipy import __version__

EYE = np.eye(3)
SQUARE = normal(3, 3) + 3 * EYE
STACK = normal(2, 3, 3) + 3 * EYE
TALL, WIDE = normal(4, 3), normal(3, 4)
HALF = normal(3, 3, seed=2)
SPREAD = np.diag([1.0, 4.0, 9.0])
WEIGHTS = np.diag([1.0, 2.0, 5.0])
BAND = np.array([[0.0, 0.3, 0.4, 0.5], [4.0, 5.0, 6.0, 7.0], [0.5, 0.2, 0.1, 0.0]])
HERMITIAN_BAND = np.array([[0.0, 0.0, 0.2, 0.1], [0.0, 0.3, 0.4, 0.5], [4.0, 5.0, 6.0, 7.0]])


def gram(x):
    return x @ x.conj().T + np.eye(len(x))


def symmetric(x):
    return x + x.conj().T + SPREAD


def of_eigh(x, **options):
    w, v = sl.eigh(symmetric(x), **options)
    return w, (v * (1.0 + np.arange(len(w)))) @ v.conj().T


def of_general_eigh(x, y, **options):
    w, v = sl.eigh(symmetric(x), gram(y), **options)
    return w, (v * (1.0 + np.arange(len(w)))) @ v.conj().T


def of_svd(x):
    u, s, vh = sl.svd(x, full_matrices=False)
    return s, u @ WEIGHTS @ vh


def of_eig(x):
    w, v = sl.eig(x)
    return w, np.abs(v) ** 2


def of_general_eig(x, y):
    w, v = sl.eig(x, gram(y))
    return w, np.abs(v) ** 2


def of_tridiagonal(d, e, **options):
    w, v = sl.eigh_tridiagonal(d, e, **options)
    return w, (v * (1.0 + np.arange(len(w)))) @ v.T


def of_eig_banded(ab, **options):
    w, v = sl.eig_banded(ab, **options)
    return w, (v * (1.0 + np.arange(len(w)))) @ v.conj().T


SYSTEMS = [
    sample(sl.solve, SQUARE, normal(3)).but(complex=True),
    sample(sl.solve, SQUARE, normal(3, 2)),
    sample(sl.solve, [[2.5, 1.0], [0.5, 1.5]], [0.5, 1.5]),
    *[
        sample(sl.solve, gram(HALF), normal(3), assume_a=kind, lower=lower).but(complex=kind != "pos")
        for kind in ("sym", "her", "pos")
        for lower in (False, True)
    ],
    sample(sl.solve, SQUARE, normal(3, 2), transposed=True),
    sample(sl.solve_triangular, SQUARE, normal(3)).but(complex=True),
    sample(sl.solve_triangular, SQUARE, normal(3, 2), trans=1, lower=True).but(complex=True),
    sample(sl.solve_triangular, SQUARE, normal(3, 2), trans="C", unit_diagonal=True).but(complex=True),
    sample(sl.solve_triangular, SQUARE, normal(3), lower=True, unit_diagonal=True),
    *[
        sample_of(sl.cho_solve, lambda x, b, lower=lower: sl.cho_solve(sl.cho_factor(gram(x), lower), b), HALF, b).but(
            complex=True
        )
        for lower, b in ((False, normal(3)), (True, normal(3, 2)))
    ],
    *[
        sample(sl.cho_solve, (gram(HALF), lower), normal(3, 2)).but(complex=True, single=False)
        for lower in (False, True)
    ],
    *[
        sample_of(sl.lu_solve, lambda a, b, trans=trans: sl.lu_solve(sl.lu_factor(a), b, trans), SQUARE, b).but(
            complex=True
        )
        for trans, b in ((0, normal(3)), (1, normal(3, 2)), (2, normal(3)))
    ],
    sample(sl.inv, SQUARE).but(complex=True),
    sample(sl.det, SQUARE).but(complex=True),
    sample(sl.det, np.array([[1.0, 2.0], [2.0, 4.0]])).but(order=1),
    sample(sl.norm, SQUARE).but(complex=True),
    sample(sl.norm, TALL, 1, axis=(0, 1)),
    sample_of(sl.norm, lambda a: sl.norm(a, np.inf, 0, True), TALL),
    sample(sl.pinv, TALL).but(complex=True),
    sample_of(sl.pinv, lambda a: sl.pinv(a, return_rank=True)[0], WIDE),
    sample(sl.pinvh, gram(HALF)).but(complex=True),
    sample(sl.pinvh, gram(HALF), lower=False),
    sample_of(sl.lstsq, lambda a, b: sl.lstsq(a, b)[0], TALL, normal(4)).but(complex=True),
    sample_of(sl.lstsq, lambda a, b: sl.lstsq(a, b)[0], WIDE, normal(3, 2)),
    sample_of(sl.lstsq, lambda a, b: (sl.lstsq(a, b)[1], sl.lstsq(a, b)[3]), TALL, normal(4, 2)),
]

FACTORS = [
    *[sample(sl.cholesky, gram(HALF), lower=lower).but(complex=True) for lower in (False, True)],
    *[
        sample_of(sl.cho_factor, lambda a, of=of, lower=lower: of(sl.cho_factor(a, lower)[0]), gram(HALF)).but(
            complex=True
        )
        for lower, of in ((False, np.triu), (True, np.tril))
    ],
    *[sample_of(sl.lu_factor, lambda a: sl.lu_factor(a)[0], a).but(complex=a is SQUARE) for a in (SQUARE, TALL, WIDE)],
    *[sample_of(sl.lu, lambda a: sl.lu(a)[1:], a).but(complex=True) for a in (SQUARE, TALL, WIDE)],
    sample(sl.lu, normal(4, 4), permute_l=True),
    sample_of(sl.lu, lambda a: sl.lu(a, p_indices=True)[1:], normal(4, 4)),
    *[sample(sl.qr, a, mode="economic").but(complex=True) for a in (SQUARE, TALL, WIDE)],
    sample(sl.qr, SQUARE),
    sample(sl.qr, WIDE, mode="r"),
    sample_of(sl.qr, lambda a: sl.qr(a)[1], TALL),
    sample_of(sl.qr, lambda a: sl.qr(a, pivoting=True, mode="economic")[:2], TALL),
    *[sample(sl.rq, a, mode="economic").but(complex=True) for a in (SQUARE, WIDE)],
    sample(sl.rq, WIDE, mode="r"),
    sample(sl.qr_multiply, TALL, normal(2, 4)),
    sample(sl.qr_multiply, TALL, normal(3, 2), mode="left"),
    sample(sl.polar, SQUARE).but(complex=True),
    sample(sl.polar, TALL),
    sample(sl.polar, WIDE, side="left"),
    sample(sl.orthogonal_procrustes, normal(4, 3, seed=1), TALL),
]

SPECTRA = [
    sample_of(sl.svd, of_svd, SQUARE).but(complex=True),
    sample_of(sl.svd, of_svd, TALL),
    sample_of(sl.svd, of_svd, WIDE),
    sample(sl.svd, TALL, compute_uv=False),
    sample(sl.svdvals, WIDE).but(complex=True),
    *[sample_of(sl.eigh, lambda x, lower=lower: of_eigh(x, lower=lower), HALF) for lower in (False, True)],
    sample_of(sl.eigh, of_eigh, HALF).but(complex=True),
    sample_of(sl.eigh, lambda x: of_eigh(x, subset_by_index=[1, 2]), HALF),
    sample_of(sl.eigh, lambda x: of_eigh(x, subset_by_value=[0.0, 7.0]), HALF),
    sample_of(sl.eigh, of_general_eigh, HALF, normal(3, 3, seed=5)).but(complex=True),
    sample_of(sl.eigh, lambda x, y: of_general_eigh(x, y, subset_by_index=[0, 1]), HALF, normal(3, 3, seed=5)),
    sample(sl.eigh, symmetric(HALF), eigvals_only=True),
    sample(sl.eigvalsh, symmetric(HALF)).but(complex=True),
    sample(sl.eigvalsh, symmetric(HALF), gram(HALF), lower=False),
    sample(sl.eigvalsh, symmetric(HALF), subset_by_index=[0, 1]),
    *[
        sample_of(sl.eig_banded, lambda x, options=options: of_eig_banded(x, **options), HERMITIAN_BAND)
        for options in ({}, {"select": "i", "select_range": (1, 2)})
    ],
    sample(sl.eig_banded, HERMITIAN_BAND[::-1].copy(), lower=True, eigvals_only=True),
    sample(sl.eigvals_banded, HERMITIAN_BAND),
    *[
        sample_of(sl.eigh_tridiagonal, lambda d, e, options=options: of_tridiagonal(d, e, **options), *of)
        for of in [(np.array([1.0, 4.0, 2.0, 7.0]), normal(3))]
        for options in ({}, {"select": "i", "select_range": (1, 2)})
    ],
    sample(sl.eigvalsh_tridiagonal, np.array([1.0, 4.0, 2.0]), normal(2)),
    sample_of(sl.eig, of_eig, SQUARE).but(complex=True),
    sample_of(sl.eig, of_general_eig, SQUARE, HALF),
    sample(sl.eigvals, SQUARE).but(complex=True),
    sample(sl.eigvals, SQUARE, gram(HALF)),
]

EQUATIONS = [
    sample(sl.solve_sylvester, SQUARE, normal(2, 2) + 3 * np.eye(2), normal(3, 2)).but(complex=True),
    sample(sl.solve_continuous_lyapunov, SQUARE, HALF).but(complex=True),
    sample(sl.solve_discrete_lyapunov, HALF / 3, normal(3, 3)).but(complex=True),
    sample(sl.solve_discrete_lyapunov, HALF / 3, normal(3, 3), method="bilinear"),
    *[
        sample_of(
            f,
            lambda a, b, q, r, f=f: f(a, b, gram(q), gram(r)),
            HALF / 2,
            normal(3, 2),
            normal(3, 3, seed=4),
            normal(2, 2, seed=4),
        ).but(single=False, complex=True)
        for f in (sl.solve_continuous_are, sl.solve_discrete_are)
    ],
    *[
        sample_of(
            f, lambda a, b, s, f=f: f(a, b, 2 * EYE, np.eye(2), s=s), HALF / 2, normal(3, 2), normal(3, 2) / 9
        ).but(single=False)
        for f in (sl.solve_continuous_are, sl.solve_discrete_are)
    ],
]

BANDED = [
    sample_of(sl.solve_banded, lambda ab, b: sl.solve_banded((1, 1), ab, b), BAND, normal(4)).but(complex=True),
    sample_of(sl.solve_banded, lambda ab, b: sl.solve_banded((0, 2), ab, b), BAND[::-1].copy() + 3, normal(4, 2)),
    sample(sl.solveh_banded, HERMITIAN_BAND, normal(4)).but(complex=True),
    sample(sl.solveh_banded, HERMITIAN_BAND[::-1].copy(), normal(4, 2), lower=True),
    sample(sl.cholesky_banded, HERMITIAN_BAND).but(complex=False),
    sample(sl.cholesky_banded, np.stack([np.roll(r, -k) for k, r in enumerate(HERMITIAN_BAND[::-1])]), lower=True),
    sample(sl.cho_solve_banded, (HERMITIAN_BAND, False), normal(4)).but(single=False, strided=False),
    sample(sl.solve_toeplitz, np.array([4.0, 1.0, 0.5]), normal(3)).but(complex=False),
    sample(sl.solve_toeplitz, (np.array([4.0, 1.0, 0.5]), np.array([9.0, 2.0, 1.0])), normal(3, 2)).but(complex=True),
    sample(sl.matmul_toeplitz, normal(3), normal(3)),
    sample(sl.matmul_toeplitz, (normal(3), normal(2)), normal(2, 2)),
    sample(sl.solve_circulant, np.array([4.0, 1.0, 0.5]), normal(3)).but(complex=True),
    sample(sl.solve_circulant, np.array([4.0, 1.0, 0.5]), normal(3, 2)),
]

CONSTRUCTIONS = [
    *([sample(vars(sl)["kron"], TALL, normal(2, 2)).but(warns=True, complex=True)] if "kron" in vars(sl) else []),
    sample(sl.block_diag, TALL, normal(2), 1.5, normal(0, 2)).but(complex=True),
    sample(sl.toeplitz, normal(3)).but(complex=True),
    sample(sl.toeplitz, normal(3), normal(2)),
    sample(sl.hankel, normal(3)).but(complex=True),
    sample(sl.hankel, normal(3), normal(4)),
    sample(sl.circulant, normal(3)).but(complex=True),
    *[sample(sl.convolution_matrix, normal(3), n, mode) for n, mode in ((4, "full"), (2, "same"), (4, "valid"))],
    sample(sl.convolution_matrix, normal(2), 5, "same"),
    sample(sl.companion, np.array([2.0, 1.0, 0.5])).but(complex=True),
    sample(sl.fiedler, normal(3)),
    sample(sl.leslie, normal(3), normal(2)),
    sample(sl.diagsvd, normal(2), 2, 3),
    sample(sl.diagsvd, normal(2), 3, 2),
    sample(sl.khatri_rao, normal(2, 3), normal(4, 3)).but(complex=True),
]

FUNCTIONS = [
    sample(sl.expm, HALF).but(complex=True, single=False),
    sample(sl.expm, HALF.astype(np.float32)).but(single=False, order=1),
    sample(sl.expm, normal(2, 2, 2)).but(single=False),
    sample(sl.expm, np.zeros((2, 2))),
    *[
        sample(f, HALF / 2).but(complex=f is sl.cosm, single=False)
        for f in (sl.cosm, sl.sinm, sl.tanm, sl.coshm, sl.sinhm, sl.tanhm)
    ],
    sample(sl.logm, gram(HALF)).but(complex=True, single=False),
    sample(sl.logm, SQUARE - 6 * EYE).but(single=False),
    sample(sl.sqrtm, gram(HALF)).but(complex=True),
    sample(sl.sqrtm, SQUARE - 6 * EYE).but(single=False),
    sample(sl.fractional_matrix_power, gram(HALF), 0.3).but(single=False, complex=True),
    sample(sl.fractional_matrix_power, gram(HALF), -1),
    sample(sl.fractional_matrix_power, gram(HALF), 2),
    sample(sl.expm_frechet, HALF, normal(3, 3)),
    sample(sl.expm_frechet, HALF, normal(3, 3), compute_expm=False),
    sample(sl.signm, SQUARE - SPREAD / 2).but(single=False, order=1),
]

SPD = np.stack([gram(x) for x in STACK])

STACKS = [
    row.but(order=1, single=False, strided=False)
    for row in (
        sample(sl.solve, STACK, normal(2, 3, 2)),
        sample(sl.solve, STACK, normal(3)),
        sample(sl.solve, SPD, normal(3, 2), assume_a="pos"),
        sample(sl.solve_triangular, STACK, normal(2, 3, 2), trans=1),
        sample_of(sl.cho_solve, lambda a, b: sl.cho_solve((sl.cholesky(a, lower=True), True), b), SPD, normal(2, 3, 1)),
        sample_of(sl.lu_solve, lambda a, b: sl.lu_solve(sl.lu_factor(a), b), STACK, normal(2, 3, 1)),
        sample_of(sl.lu, lambda a: sl.lu(a)[1:], normal(2, 3, 4)),
        sample(sl.inv, STACK),
        sample(sl.det, STACK),
        sample(sl.pinv, normal(2, 4, 3)),
        sample(sl.qr, normal(2, 4, 3), mode="economic"),
        sample_of(sl.qr, lambda a: sl.qr(a, mode="economic", pivoting=True)[:2], STACK),
        sample(sl.polar, STACK),
        sample(sl.svdvals, STACK),
        sample(sl.svd, STACK, compute_uv=False),
        sample(sl.eigvalsh, SPD),
        sample(sl.eigvals, STACK),
        sample(sl.solve_sylvester, STACK, STACK, STACK),
        sample(sl.solve_continuous_lyapunov, STACK, STACK),
        sample(sl.logm, SPD),
        sample(sl.sqrtm, SPD),
        sample(sl.expm, STACK),
        sample(sl.cosm, STACK / 3),
        sample(sl.toeplitz, normal(2, 3), normal(2, 2)).but(warns=True),
        sample(sl.companion, normal(2, 3) + 3),
        sample(sl.khatri_rao, normal(2, 2, 3), normal(4, 3)),
        sample(sl.leslie, normal(2, 3), normal(2, 2)),
        sample(sl.fiedler, normal(2, 3)),
        sample(sl.convolution_matrix, normal(2, 3), 2),
        sample(sl.block_diag, normal(2, 3, 1), normal(2, 2, 2)),
    )
]

if tuple(map(int, __version__.split(".")[:2])) < (1, 16):  # which takes stacks almost everywhere
    STACKS = [row for row in STACKS if row.of in (sl.lu, sl.det, sl.expm, sl.toeplitz)]

SAMPLES = [*SYSTEMS, *FACTORS, *SPECTRA, *EQUATIONS, *BANDED, *CONSTRUCTIONS, *FUNCTIONS, *STACKS]
