"""Arrays that functions and methods store into."""

import numpy as np

from .arguments import matrix, matrix_and_vector, two_vectors, vector, vector_and_number
from .registry import demand, row

FAMILY = "arrays, by function"
demand(
    FAMILY,
    *("out= of a ufunc", "where= of a ufunc", "out= of a reduction", "where= of a reduction", "out= of a function"),
    *("np.add.at", "np.subtract.at", "np.multiply.at", "np.maximum.at", "np.minimum.at", "np.divide.at"),
    *("copyto", "np.put", "put_along_axis", "fill_diagonal", "place", "putmask"),
    *("fill", "sort", "put", "partition", "flat"),
)


@row(FAMILY, "out= of a ufunc", two_vectors, order=2)
def multiplied_into(u, w):
    np.multiply(u, w, out=u)
    np.sin(u, out=w)
    return float((u * w).sum() + (w**2).sum())


@row(FAMILY, "out= of a ufunc", two_vectors)
def buffer_of_the_function(u, w):
    buffer = np.empty_like(u)
    total = 0.0
    for _ in range(2):
        np.exp(u * w, out=buffer)
        total += buffer.sum() * u[0]
        np.add(buffer, u, buffer)
        total += (buffer**2).sum()
    return float(total)


@row(FAMILY, "out= of a ufunc", matrix_and_vector)
def out_is_a_view(a, v):
    result = np.multiply(a[0], v, out=a[1])
    np.subtract(a[:, 0], v, out=(a[:, 2],))
    result *= 2.0
    return float((a**2).sum())


@row(FAMILY, "out= of a ufunc", vector_and_number, single=True)
def out_in_single_precision(u, x):
    out = np.zeros(4, np.float32)
    np.multiply(u, x, out=out, casting="same_kind")
    return float((out * u).sum())


@row(FAMILY, "out= of a ufunc", lambda: (np.array([1.4, -2.6, 0.8]), 1.3))
def out_for_two_results(u, x):
    fraction, whole = np.zeros(3), np.zeros(3)
    np.modf(u * x, out=(fraction, whole))
    return float((fraction**2 * whole).sum() + fraction[0])


@row(FAMILY, "where= of a ufunc", two_vectors, order=2)
def logarithm_where_positive(u, w):
    out = u * w
    np.log(u, out=out, where=u > 0)
    return float((out**2).sum())


@row(FAMILY, "where= of a ufunc", two_vectors)
def divided_where_safe(u, w):
    np.divide(u, w, out=u, where=np.abs(w) > 0.7)
    np.multiply(u, u[0], out=u, where=[True, False, True, True])
    return float((u**2).sum())


@row(FAMILY, "out= of a reduction", matrix_and_vector, order=2)
def sums_into(a, v):
    np.sum(a**2, axis=0, out=v)
    a.mean(axis=1, out=a[:, 0])
    return float((a * v).sum())


@row(FAMILY, "out= of a reduction", matrix_and_vector)
def reductions_into(a, v):
    np.max(a, axis=1, out=v)
    v *= a[0]
    np.add.reduce(a, axis=0, out=a[2])
    np.prod(a[:, 1:], axis=1, out=v[:])
    return float((a @ v).sum() + (v**2).sum())


@row(FAMILY, "where= of a reduction", matrix_and_vector)
def sum_of_chosen(a, v):
    positive = a > 0
    total = np.sum(a * v, where=positive) + a.mean(axis=0, where=positive) @ v
    return float(total**2 + np.max(a, where=a < 1.0, initial=-5.0))


@row(FAMILY, "where= of a reduction", matrix_and_vector)
def sum_of_chosen_into(a, v):
    np.sum(a, axis=1, where=np.array([True, False, True]), out=v)
    np.prod(a, axis=0, where=a > 0, initial=2.0, out=a[1])
    return float((a * v).sum() ** 2)


@row(FAMILY, "out= of a function", matrix_and_vector, order=2)
def products_into(a, v):
    np.dot(a, v, out=a[0])
    np.matmul(a, a[0], out=v)
    return float((a**2).sum() + (v**2).sum())


@row(FAMILY, "out= of a function", two_vectors)
def running_sum_into(u, w):
    np.cumsum(u * w, out=u)
    np.clip(u, -1.0, 0.9, out=w)
    w.cumprod(out=u[:])
    return float((u * w).sum() + u[1])


@row(FAMILY, "out= of a function", two_vectors)
def assembled_into(u, w):
    out = np.empty(8)
    np.concatenate([u, w * w], out=out)
    np.take(out, [7, 0, 4, 4], out=u)
    u.clip(0.1, 1.5, out=w)
    return float((out**2).sum() * u[0] + (u * w).sum())


@row(FAMILY, "np.add.at", lambda: (np.array([0.7, -1.2, 1.5]), np.array([0.4, 0.9, -0.6, 1.1])), order=2)
def histogram(bins, weights):
    np.add.at(bins, [0, 2, 0, 1], weights**2)
    np.add.at(bins, 1, bins[0])
    return float((bins**2).sum())


@row(FAMILY, "np.add.at", matrix_and_vector)
def assembled_stiffness(a, v):
    for k in range(2):
        nodes = np.array([k, k + 1])
        np.add.at(a, (nodes[:, None], nodes), v[k] * np.array([[1.0, -1.0], [-1.0, v[2]]]))
    return float((a @ a).sum())


@row(FAMILY, "np.subtract.at", two_vectors)
def drained(u, w):
    np.subtract.at(u, [1, 1, 3], w[:3] * u[0])
    return float((u**3).sum())


@row(FAMILY, "np.multiply.at", two_vectors)
def multiplied_repeatedly(u, w):
    np.multiply.at(u, [2, 0, 2, 2], w)
    return float((u**2).sum() * u[2])


@row(FAMILY, "np.maximum.at", two_vectors)
def running_maxima(u, w):
    np.maximum.at(u, [0, 1, 0, 3], w)
    return float((u**2).sum() + (u * w).sum())


@row(FAMILY, "np.minimum.at", two_vectors)
def running_minima(u, w):
    np.minimum.at(u, np.array([0, 1, 0, 2]), w * w)
    return float((u**3).sum())


@row(FAMILY, "np.divide.at", two_vectors)
def divided_repeatedly(u, w):
    np.divide.at(u, [2, 0, 2], w[:3])
    np.negative.at(u, [0, 0, 1])
    return float((u**2).sum() + u[1] * w[0])


@row(FAMILY, "copyto", two_vectors, order=2)
def copied_over(u, w):
    old = u * w
    np.copyto(u, w)
    np.copyto(w[:2], old[2:])
    return float((u**2 * w).sum())


@row(FAMILY, "copyto", matrix_and_vector)
def copied_where(a, v):
    np.copyto(a, v, where=a > 0.4)
    np.copyto(a[0], 2.0, where=np.array([False, True, False]))
    return float((a**2).sum() + (v**3).sum())


@row(FAMILY, "np.put", matrix_and_vector)
def put_by_flat_index(a, v):
    np.put(a, [0, 4, -1, 0], v)
    return float((a**2).sum() * a[0, 0])


@row(FAMILY, "put_along_axis", matrix_and_vector)
def largest_replaced(a, v):
    best = np.argmax(a, axis=1)[:, None]
    np.put_along_axis(a, best, v[:, None] ** 2, axis=1)
    return float((a**2).sum())


@row(FAMILY, "fill_diagonal", matrix_and_vector)
def diagonals_filled(a, v):
    np.fill_diagonal(a, v * a[0])
    np.fill_diagonal(a[:, 1:], v[0] ** 2)
    return float((a @ a).sum())


@row(FAMILY, "place", two_vectors)
def placed_in_turn(u, w):
    np.place(u, u > 0, w[1:3] ** 2)
    return float((u**2).sum() * u[2])


@row(FAMILY, "putmask", two_vectors)
def put_by_mask(u, w):
    np.putmask(u, u > 0, w * u[0])
    np.putmask(w, w < 0.7, u[:2])
    return float((u**2).sum() + (w**3).sum())


@row(FAMILY, "fill", vector_and_number, order=2)
def filled_in_rounds(u, x):
    total = 0.0
    for k in range(2):
        total += float(u @ u)
        u[k:].fill(x * total)
    return total * float(u.sum())


@row(FAMILY, "sort", vector_and_number, order=2)
def sorted_in_place(u, x):
    u *= x
    u.sort()
    return float((u**2 * np.arange(1.0, 5.0)).sum())


@row(FAMILY, "sort", matrix)
def sorted_along_an_axis(a):
    a.sort(axis=0)
    a[1].sort()
    return float((a * np.arange(1.0, 10.0).reshape(3, 3)).sum() ** 2)


@row(FAMILY, "put", vector_and_number)
def put_by_method(u, x):
    u.put([2, 0, 2], [x, x * u[1], x**2])
    return float((u**2).sum())


@row(FAMILY, "partition", lambda: (np.array([0.7, -1.2, 1.5, 0.4, 0.9]), 0.8))
def two_smallest(u, x):
    u *= x
    u.partition(1)
    return float(u[:2].sum() ** 2 * u[1])


@row(FAMILY, "flat", matrix_and_vector, order=2)
def stored_by_flat_index(a, v):
    a.flat[4] = v[0] * a[0, 0]
    a.flat[5:8] = v**2
    a.flat[[0, 2]] *= v[1]
    return float((a**2).sum())


@row(FAMILY, "flat", lambda: (*matrix(), 0.8))
def flat_of_a_view(a, x):
    a[:, 1:].flat = [x, 2.0 * x, 3.0]
    a.T.flat[1] += a[0, 0] ** 2
    return float((a**2).sum())


class Workspace:
    def __init__(self, n):
        self.buffer = np.zeros(n)

    def smooth(self, u, out):
        np.add(u[:-1], u[1:], out=self.buffer[1:])
        np.multiply(self.buffer, 0.5, out=out)
        return out


@row(FAMILY, "out= of a ufunc", vector)
def workspace_of_an_object(u):
    space = Workspace(4)
    for _ in range(2):
        space.smooth(u**2, out=u)
        u += 1.0
    return float((u**2).sum() + space.buffer[1])
