"""Arrays that are stored into by index."""

import numpy as np

from .arguments import matrix, matrix_and_vector, two_vectors, vector, vector_and_number
from .registry import demand, row

FAMILY = "arrays, by index"
demand(
    FAMILY,
    *("integer", "negative integer", "slice", "step", "mask", "integer array", "integer array with repeats"),
    *("ellipsis", "newaxis", "tuple of indices", "rows swapped", "cast to integers", "cast to single precision"),
    *("broadcasting store", "store of a list", "0-d array", "complex array", "in a called function", "in a method"),
    *("through a closure", "through a field", "through a container"),
)


@row(FAMILY, "integer", vector_and_number, order=2)
def boundary_value(u, x):
    u[0] = x * x
    return float((u**3).sum()) * u[1]


@row(FAMILY, "integer", two_vectors, order=2)
def gauss_seidel(u, b):
    for _ in range(2):
        for i in range(1, len(u) - 1):
            u[i] = 0.5 * (u[i - 1] + np.sin(u[i + 1]) + b[i])
    return float((u**2).sum())


@row(FAMILY, "integer", lambda: (0.8,), order=2)
def recurrence(x):
    out = np.zeros(5)
    out[0] = x
    for i in range(1, 5):
        out[i] = np.sin(out[i - 1]) + x * out[i - 1] ** 2
        if i == 3:
            out[0] = out[3] * x
    return float((out * out).sum())


@row(FAMILY, "integer", matrix_and_vector)
def forward_substitution(a, b):
    for i in range(3):
        for j in range(i):
            b[i] = b[i] - a[i, j] * b[j]
        b[i] = b[i] / (2.0 + a[i, i])
    return float(b @ b)


@row(FAMILY, "negative integer", vector_and_number)
def last_items(u, x):
    u[-1] = u[0] * u[-2]
    u[-2] = x + u[-1] ** 2
    return float(np.sin(u).sum())


@row(FAMILY, "slice", vector_and_number, order=2)
def middle_replaced(u, x):
    u[1:3] = u[2:] * u[0] * x
    return float((u**2).sum())


@row(FAMILY, "slice", vector_and_number)
def delay_line(u, x):
    total = 0.0
    for _ in range(3):
        u[1:] = u[:-1]
        u[0] = np.tanh(x * u[-1])
        total += u[2] * u[1]
    return float(total)


@row(FAMILY, "step", vector)
def every_other(u):
    u[::2] = np.sin(u[1::2]) * u[::2]
    u[1::2] = u[::2] ** 2
    return float(u @ u)


@row(FAMILY, "step", two_vectors)
def turned_round(u, w):
    u[:] = u[::-1]
    u[::-2] = u[::2] * w[:2]
    return float((u * w).sum() ** 2)


@row(FAMILY, "mask", vector_and_number)
def leaky(u, x):
    u[u < 0] = x * u[u < 0]
    return float((u**3).sum())


@row(FAMILY, "mask", vector_and_number)
def capped(u, x):
    big = u > 0.6
    u[big] = x
    return float((u**2).sum() + np.exp(u)[big].sum())


@row(FAMILY, "mask", matrix_and_vector)
def rows_by_mask(a, v):
    a[v > 0] = v * a[1]
    a[v < 0, 1:] = a[0, :2] ** 2
    return float((a * a).sum())


@row(FAMILY, "integer array", vector_and_number, order=2)
def chosen_items(u, x):
    u[[0, 2]] = x * u[[3, 1]] ** 2
    return float(np.cos(u).sum())


@row(FAMILY, "integer array", matrix_and_vector)
def chosen_places(a, v):
    places = np.array([0, 2, 1])
    a[places, np.arange(3)] = v**2
    a[places] = a * v[:, None]
    return float((a**2).sum())


@row(FAMILY, "integer array with repeats", two_vectors)
def last_one_stays(u, w):
    u[[1, 1, 2, 1]] = w**2
    return float((u * np.arange(1.0, 5.0)).sum() ** 2)


@row(FAMILY, "integer array with repeats", two_vectors)
def added_once(u, w):
    u[[1, 1, 2, 1]] += w * u[0]
    return float((u**2).sum())


@row(FAMILY, "ellipsis", matrix_and_vector)
def last_column(a, v):
    a[..., -1] = v * a[..., 0]
    a[...] = a * a[0]
    return float((a**2).sum())


@row(FAMILY, "newaxis", matrix_and_vector)
def store_with_new_axis(a, v):
    a[np.newaxis, :, 1] = v[np.newaxis] ** 2
    a[:, None, 0] = v[:, None] * a[:, 1:2]
    return float((a**2).sum())


@row(FAMILY, "tuple of indices", matrix_and_vector, order=2)
def parts_of_matrix(a, v):
    a[1, ::2] = v[:2] * a[0, 1]
    a[0:2, [0, 2]] = a[1:, [1, 0]] ** 2
    where = (slice(None), -1)
    a[where] = v
    return float((a**3).sum())


@row(FAMILY, "tuple of indices", lambda: (np.arange(1.0, 9.0).reshape(2, 2, 2) / 5.0, 0.7))
def parts_of_cube(c, x):
    c[0, ..., 1] = x * c[1, 0]
    c[1, c[0, 0] > 0.3] = np.sin(c[0, 1])
    return float((c**2).sum())


@row(FAMILY, "rows swapped", matrix_and_vector, order=2)
def pivoted(a, v):
    a[[0, 1]] = a[[1, 0]]
    v[[0, 1]] = v[[1, 0]]
    a[:, [0, 2]] = a[:, [2, 0]]
    return float(a[0] @ v * a[1, 2] + v[0] ** 2)


@row(FAMILY, "rows swapped", matrix)
def sorted_rows(a):
    a[:] = a[np.argsort(a[:, 0])]
    return float((a * np.array([[1.0], [2.0], [3.0]])).sum() + a[0, 1] * a[2, 2])


@row(FAMILY, "cast to integers", vector_and_number)
def counts_of_measurements(u, x):
    counts = np.zeros(4, dtype=int)
    counts[:3] = u[:3] * 3.0
    counts[3] = 9.0 * x
    return float((counts * u).sum() * x)


@row(FAMILY, "cast to integers", lambda: (np.array([3, 5, 7]), 2.4))
def integer_argument(n, x):
    n[1] = x
    n[2] += 1
    return float((n * x**2).sum())


@row(FAMILY, "cast to single precision", vector_and_number, single=True)
def stored_in_single(u, x):
    out = np.zeros(5, dtype=np.float32)
    out[:4] = u**2
    out[4] = x * u[0]
    out *= x
    return float((out * out).sum())


@row(FAMILY, "cast to single precision", lambda: (np.array([0.7, 1.2, 0.5], np.float32), 0.8), single=True)
def single_argument(s, x):
    s[1] = x * x
    s += np.array([x, 2.0, 3.0])
    return float((s**2).sum())


@row(FAMILY, "broadcasting store", matrix_and_vector, order=2)
def broadcast_rows(a, v):
    a[1:] = v
    a[:, :2] *= v[:2]
    a[0] = v[1] ** 2
    return float((a**2).sum())


@row(FAMILY, "broadcasting store", matrix_and_vector)
def broadcast_columns(a, v):
    a[:, 1:] = v[:, None]
    a += v[None, :] * a[0, 0]
    return float((a**2).sum())


@row(FAMILY, "store of a list", lambda: (np.array([0.7, -1.2, 1.5]), 0.8, [0.3, 1.7]))
def lists_stored(u, x, items):
    u[:2] = [x, x * u[2]]
    u[1:] += items
    return float((u**3).sum())


@row(FAMILY, "store of a list", lambda: (0.8, 1.3))
def rotation(x, y):
    a = np.zeros((2, 2))
    a[0] = [np.cos(x), -np.sin(x)]
    a[1] = (y * a[0, 1], a[0, 0])
    a[:] = [[a[1, 0], y], [x, a[0, 0]]]
    return float((a @ a).sum())


@row(FAMILY, "0-d array", lambda: (np.array(0.8), 1.3))
def zero_dimensional(s, x):
    s[()] = s * x
    s += s * s
    s[...] = np.sin(s)
    return float(s * x)


@row(FAMILY, "0-d array", lambda: (0.8, 1.3))
def accumulator(x, y):
    total = np.zeros(())
    for k in range(3):
        total += x * y**k
        total *= x
    return float(total**2)


@row(FAMILY, "complex array", lambda: (np.array([1.0 + 0.5j, -0.3 + 1.2j, 0.8 - 0.7j]), 0.6), order=2)
def rotating(z, x):
    z[0] = z[1] * 1j * x
    z[1:] *= z[0]
    z[2] = x
    return float((abs(z) ** 2).sum() + z[1].real * z[0].imag)


@row(FAMILY, "complex array", lambda: (np.array([1.0 + 0.5j, -0.3 + 1.2j]), np.array([0.4, 1.1])))
def parts_stored(z, w):
    z += w
    z.real[0] = w[1] ** 2
    z.imag *= w
    return float((z * z).real.sum() * z[0].imag)


def scaled_in_place(u, x):
    u[1:] *= x
    u[0] = u[1] ** 2


@row(FAMILY, "in a called function", vector_and_number, order=2)
def helper_stores(u, x):
    before = float(u[0])
    scaled_in_place(u, x)
    scaled_in_place(u[1:], before)
    return float((u**2).sum())


class Grid:
    def __init__(self, values):
        self.values = values

    def relax(self, rate):
        self.values[1:-1] += rate * (self.values[2:] - 2.0 * self.values[1:-1] + self.values[:-2])


@row(FAMILY, "in a method", vector_and_number)
def heat_steps(u, rate):
    grid = Grid(u)
    for _ in range(3):
        grid.relax(rate)
    return float((grid.values * u).sum())


@row(FAMILY, "through a field", lambda: (Grid(np.array([0.7, -1.2, 1.5])), 0.8))
def field_stored_into(grid, x):
    grid.values[0] = x * grid.values[2]
    grid.values *= x
    return float((grid.values**2).sum())


@row(FAMILY, "through a closure", vector_and_number)
def closure_stores(u, x):
    def step(k):
        u[k] = u[k - 1] * x + u[k] ** 2

    for k in (1, 2, 1):
        step(k)
    return float((u**2).sum())


@row(FAMILY, "through a container", lambda: ({"w": np.array([0.7, -1.2]), "b": [np.array([0.5])]}, 0.8))
def parameters_updated(p, x):
    for _ in range(2):
        p["w"] -= 0.1 * x * p["w"] ** 2
        p["b"][0][0] = p["b"][0][0] * x + p["w"].sum()
    return float((p["w"] * p["b"][0]).sum())
