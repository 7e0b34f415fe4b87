"""Arrays, parts of them and views that are changed by augmented assignments."""

import numpy as np

from .arguments import matrix, matrix_and_vector, two_vectors, vector, vector_and_number
from .registry import demand, row

FAMILY = "arrays, by index"
demand(
    FAMILY,
    *("+=", "-=", "*=", "/=", "**=", "@=", "//=", "%=", "augmented element"),
    *("augmented slice", "augmented view", "augmented mask", "augmented integer array"),
)


@row(FAMILY, "+=", two_vectors, order=2)
def leapfrog(q, p):
    for _ in range(3):
        p += -0.1 * np.sin(q)
        q += 0.1 * p
    return float(p @ p + q @ q)


@row(FAMILY, "+=", vector_and_number)
def old_value_kept(u, x):
    before = u * u
    u += x
    return float((before * u).sum())


@row(FAMILY, "-=", vector)
def centred(u):
    u -= u.mean()
    u -= 0.5 * u[1]
    return float((u**2).sum())


@row(FAMILY, "*=", two_vectors, order=2)
def damped_rounds(u, w):
    y = 0.0
    for _ in range(3):
        u *= w
        y += float(u.sum() * u[0])
    return y


@row(FAMILY, "*=", vector)
def multiplied_by_itself(u):
    u *= u
    u *= u[0]
    return float(u.sum() ** 2)


@row(FAMILY, "/=", two_vectors)
def normalised(u, w):
    u /= np.sqrt((u**2).sum())
    w /= u
    return float((u * w).sum() + (w**2).sum())


@row(FAMILY, "**=", lambda: (np.array([0.7, 1.2, 0.5]), 1.7), order=2)
def raised(u, p):
    u **= p
    u **= 2
    return float(u.sum() * u[1])


@row(FAMILY, "@=", lambda: (*matrix(), np.array([[0.2, 1.0, 0.1], [-0.7, 0.4, 0.6], [0.9, -0.3, 0.5]])))
def matrix_power(a, b):
    a @= b
    a @= a
    return float((a * b).sum())


@row(FAMILY, "//=", two_vectors)
def whole_parts(u, w):
    fine = u.copy()
    u //= 0.55
    return float((u * fine * w).sum())


@row(FAMILY, "%=", lambda: (np.array([7.3, 2.9, -4.1]), 1.7))
def angles_folded(u, period):
    u %= period
    return float((u**2).sum())


@row(FAMILY, "augmented element", vector_and_number, order=2)
def elements_augmented(u, x):
    u[0] += x * u[1]
    u[1] *= u[0]
    u[-1] -= u[1] ** 2
    u[2] /= 1.0 + u[-1] ** 2
    return float((u**2).sum())


@row(FAMILY, "augmented element", lambda: (np.array([1.3, 0.8, 2.6]), 1.4))
def more_elements_augmented(u, x):
    u[0] **= x
    u[1] %= 0.3 * u[0]
    u[2] //= x
    return float((u**2).sum() * x)


@row(FAMILY, "augmented element", vector)
def index_runs_once(u):
    calls = []

    def place(i):
        calls.append(i)
        return i

    u[place(1)] *= u[2]
    u[place(1)] += u[1] * u[0]
    return float(u[1] ** 2) * len(calls)


@row(FAMILY, "augmented slice", two_vectors, order=2)
def slices_augmented(u, w):
    u[1:] += u[:-1] * w[0]
    u[:2] *= w[2:]
    u[::3] /= w[1]
    u[2:] -= u[:2] ** 2
    return float((u * w).sum() ** 2)


@row(FAMILY, "augmented slice", matrix_and_vector)
def elimination(a, b):
    for k in range(2):
        for i in range(k + 1, 3):
            factor = a[i, k] / a[k, k]
            a[i, k:] -= factor * a[k, k:]
            b[i] -= factor * b[k]
    return float(b[2] / a[2, 2])


@row(FAMILY, "augmented slice", lambda: (np.array([1.3, 0.8, 2.6, 1.9]), 1.4))
def slices_raised_and_folded(u, x):
    u[:2] **= x
    u[1:3] %= 0.7
    u[2:] //= 0.4
    return float((u * np.array([1.0, x, x**2, 0.5])).sum() ** 2)


@row(FAMILY, "augmented view", matrix_and_vector, order=2)
def views_augmented(a, v):
    first, column = a[0], a[:, 1]
    first += v
    column *= first
    column -= v[0]
    return float((a**2).sum())


@row(FAMILY, "augmented view", matrix_and_vector)
def block_multiplied(a, v):
    block = a[:2, 1:]
    block @= np.array([[v[0], 1.0], [0.5, v[1]]])
    block **= 2
    block /= v[2]
    return float((a * a.T).sum())


@row(FAMILY, "augmented mask", vector_and_number)
def masked_items_augmented(u, x):
    u[u > 0] *= x
    u[u < 1.0] -= u[2] ** 2
    return float((u**2).sum())


@row(FAMILY, "augmented integer array", matrix_and_vector)
def chosen_rows_augmented(a, v):
    a[[0, 2]] += v
    a[[2, 1], [0, 1]] *= a[0, :2]
    return float((a**2).sum())
