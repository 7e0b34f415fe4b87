"""NumPy: products, `einsum` and linear algebra."""

import numpy as np

from .registry import program

_rng = np.random.default_rng(11)
A = _rng.normal(size=(3, 3)) + 3.0 * np.eye(3)
B = _rng.normal(size=(3, 2))
M = _rng.normal(size=(3, 4))
V = np.array([0.7, -1.2, 2.5])
W = np.array([1.1, 0.4, -0.6])
BATCH = _rng.normal(size=(2, 3, 4))


@program(V, W, rows="numpy", order=2)
def products_of_vectors(v, w):
    return np.dot(v, w) * (v @ w) + np.inner(v, w) + np.outer(v, w).sum() * np.vdot(w, v)


@program(A, B, V, rows="numpy", order=2)
def products_of_matrices(a, b, v):
    return a @ b, np.matmul(a, v) + v @ a, np.dot(a, b) * 2.0, np.dot(a, v), np.dot(2.0, v)


@program(BATCH, B, A, V, rows="numpy")
def batched_products(x, b, a, v):
    return b.T @ x, x.swapaxes(1, 2) @ b, np.matmul(a, x), v @ x, x.transpose(0, 2, 1) @ v


@program(V, M, rows="numpy")
def outer_products(v, m):
    return np.outer(v, m[0]) * m, np.outer(m[:2], v), np.kron(v, np.ones(2)) * 2.0, np.tensordot(m, m, axes=(0, 0))


@program(A, M, V, rows="numpy", order=2)
def einsum_products(a, m, v):
    product = np.einsum("ij,jk->ik", a, m)
    form = np.einsum("i,ij,j", v, a, v)
    return product, form, np.einsum("ij->j", m), np.einsum("ii->i", a), np.einsum("ij,ij->i", m, m)


@program(BATCH, A, rows="numpy")
def einsum_batches(x, a):
    return np.einsum("bij,ik->bkj", x, a), np.einsum("...j,...j->...", x, x), np.einsum("bij->jb", x)


@program(A, V, B, rows="numpy", order=2)
def linear_solve(a, v, b):
    return np.linalg.solve(a, v), np.linalg.solve(a.T, b)


@program(A, rows="numpy", order=2)
def inverse_and_determinant(a):
    return np.linalg.inv(a) * np.linalg.det(a)


@program(A, V, M, rows="numpy", order=2)
def norms(a, v, m):
    return np.linalg.norm(v) * np.linalg.norm(a), np.linalg.norm(m, axis=0), np.linalg.norm(m, axis=1, keepdims=True)


@program(V, M, rows="numpy")
def norms_of_other_orders(v, m):
    return np.linalg.norm(v, 1) + np.linalg.norm(v, ord=np.inf), np.linalg.norm(m, ord=1, axis=1), np.linalg.norm(v, 3)


@program(A, rows="numpy")
def traces_and_diagonals(a):
    return np.trace(a) * np.diag(a), np.diag(a[0]) @ a, np.triu(a) + np.tril(a, -1) ** 2


@program([A, B, B.T, A], rows=("numpy", "functions"))
def matrix_chain(matrices):
    product = matrices[0]
    for matrix in matrices[1:]:
        product = product @ matrix
    return np.sum(product**2)


@program(A @ A.T, V, rows=("numpy", "control flow"))
def conjugate_gradient(a, b):
    x = np.zeros(3)
    residual = b - a @ x
    direction = residual
    for _ in range(2):
        step = (residual @ residual) / (direction @ a @ direction)
        x = x + step * direction
        smaller = residual - step * (a @ direction)
        direction = smaller + (smaller @ smaller) / (residual @ residual) * direction
        residual = smaller
    return x


@program(A @ A.T, V, rows=("numpy", "control flow"), order=2)
def power_iteration(a, v):
    for _ in range(4):
        v = a @ v
        v = v / np.sqrt(np.sum(v * v))
    return v @ a @ v


@program(V, A @ A.T, rows="numpy")
def gaussian_log_density(x, covariance):
    mahalanobis = x @ np.linalg.solve(covariance, x)
    return -0.5 * (mahalanobis + np.log(np.linalg.det(covariance)) + len(x) * np.log(2.0 * np.pi))


@program(M, np.array([1.0, 2.0, -1.0]), 0.1, rows="numpy")
def ridge_regression(x, y, penalty):
    gram = x.T @ x + penalty * np.eye(x.shape[1])
    weights = np.linalg.solve(gram, x.T @ y)
    error = x @ weights - y
    return error @ error + penalty * np.linalg.norm(weights) ** 2
