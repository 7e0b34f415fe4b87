"""Samples for the decompositions of `numpy.linalg`, pseudo-inverses and least squares."""

import numpy as np
from rules.sampling import Sample, normal, sample, sample_of

A = normal(3, 3)
STACK = normal(2, 3, 3)
TALL = normal(5, 3)
WIDE = normal(3, 5)
POSITIVE = 0.3 * A + 3 * np.eye(3)
DEFICIENT = normal(4, 2) @ normal(2, 3)
NO_MATRICES = np.zeros((0, 2, 2))
B = normal(5)


def projection(vectors):
    return vectors @ vectors.swapaxes(-1, -2).conj()


def of_completed_q(a):
    """What does not depend on how the basis is completed."""
    q, r = np.linalg.qr(a, "complete")
    return projection(q[..., 3:] * 1.0), q[..., :3], r


def of_completed_svd(a):
    u, s, vh = np.linalg.svd(a)
    return projection(u[..., 3:]), projection(vh[..., 3:, :].swapaxes(-1, -2).conj()), s, (u[..., :3] * s) @ vh[:3]


def symmetric(a):
    return a + a.swapaxes(-1, -2).conj() + np.diag([1.0, 4.0, 9.0])


CHOLESKY = [
    sample(np.linalg.cholesky, POSITIVE).but(complex=True),
    sample(np.linalg.cholesky, POSITIVE, upper=True).but(complex=True),
    sample(np.linalg.cholesky, 0.3 * STACK + 3 * np.eye(3)),
    sample(np.linalg.cholesky, [[4.0, 1.0], [1.0, 3.0]]).but(order=1),
    sample(np.linalg.cholesky, NO_MATRICES).but(order=1, strided=False),
]

QR = [
    *[sample(np.linalg.qr, x).but(complex=True) for x in (A, TALL, WIDE)],
    *[sample(np.linalg.qr, x, mode="r").but(complex=True) for x in (TALL, WIDE)],
    *[sample(np.linalg.qr, x, "complete").but(complex=True) for x in (A, WIDE)],
    sample(np.linalg.qr, normal(4, 3), "complete"),
    sample_of(np.linalg.qr, of_completed_q, TALL).but(complex=True),
    sample(np.linalg.qr, STACK).but(order=1),
    sample(np.linalg.qr, normal(2, 3, 5)).but(order=1),
    sample(np.linalg.qr, A.tolist()).but(order=1),
]

EIGENVALUES = [
    *[sample(f, A + np.diag([1.0, 5.0, 9.0])).but(complex=True) for f in (np.linalg.eigh, np.linalg.eigvalsh)],
    *[sample(f, A, "U").but(complex=True) for f in (np.linalg.eigh, np.linalg.eigvalsh)],
    *[sample(f, STACK, UPLO="u").but(order=1) for f in (np.linalg.eigh, np.linalg.eigvalsh)],
    *[sample(f, A.tolist()).but(order=1) for f in (np.linalg.eigh, np.linalg.eigvalsh)],
    *[sample(f, NO_MATRICES).but(order=1, strided=False) for f in (np.linalg.eigh, np.linalg.eigvalsh, np.linalg.eig)],
    sample_of(np.linalg.eigh, lambda a: np.linalg.eigh(symmetric(a)), A).but(complex=True, order=1),
    *[sample(f, symmetric(A)).but(order=2) for f in (np.linalg.eig, np.linalg.eigvals)],
    *[sample(f, A - 2 * np.triu(A, 1)).but(complex=True) for f in (np.linalg.eig, np.linalg.eigvals)],
    *[sample(f, STACK).but(order=1) for f in (np.linalg.eig, np.linalg.eigvals)],
    *[sample(f, A.tolist()).but(order=1) for f in (np.linalg.eig, np.linalg.eigvals)],
]

SINGULAR: list[Sample] = [
    *[sample(np.linalg.svd, x, full_matrices=False).but(complex=True) for x in (A, TALL, WIDE)],
    *[sample(np.linalg.svd, x, compute_uv=False).but(complex=True) for x in (A, TALL, WIDE)],
    sample(np.linalg.svd, A),
    *[sample(np.linalg.svd, x) for x in (normal(4, 3), normal(3, 4))],
    sample_of(np.linalg.svd, of_completed_svd, TALL).but(complex=True),
    sample(np.linalg.svd, A, hermitian=True).but(complex=True),
    sample(np.linalg.svd, A, False, False, True).but(complex=True),
    sample(np.linalg.svd, STACK).but(order=1),
    sample(np.linalg.svd, normal(2, 3, 5), False).but(order=1),
    sample(np.linalg.svd, NO_MATRICES).but(order=1, strided=False),
    sample(np.linalg.svdvals, WIDE).but(complex=True),
    sample(np.linalg.svdvals, STACK.tolist()).but(order=1),
]

INVERSES = [
    *[sample(np.linalg.pinv, x).but(complex=True) for x in (A, TALL, WIDE)],
    sample(np.linalg.pinv, normal(2, 4, 3)).but(order=1),
    sample(np.linalg.pinv, A.tolist()).but(order=1),
    sample(np.linalg.pinv, TALL, rtol=None).but(order=1),
    sample(np.linalg.pinv, TALL, 1e-5).but(order=1),
    *[sample(np.linalg.pinv, x, 0.4).but(complex=True) for x in (TALL, WIDE)],
    sample(np.linalg.pinv, A, rtol=0.5),
    sample(np.linalg.pinv, DEFICIENT, 0.1).but(order=1, single=False),
    sample(np.linalg.pinv, A, hermitian=True).but(complex=True),
    sample(np.linalg.pinv, A, 0.5, True).but(complex=True, order=1),
    sample(np.linalg.lstsq, TALL, B).but(complex=True),
    sample(np.linalg.lstsq, TALL, normal(5, 2)),
    sample(np.linalg.lstsq, WIDE, normal(3, 2)),
    sample(np.linalg.lstsq, A, normal(3)).but(order=1),
    sample(np.linalg.lstsq, TALL.tolist(), B.tolist()).but(order=1),
    sample(np.linalg.lstsq, TALL, B, rcond=0.4),
    sample(np.linalg.lstsq, TALL, B, -1).but(order=1),
]

SAMPLES = [*CHOLESKY, *QR, *EIGENVALUES, *SINGULAR, *INVERSES]
