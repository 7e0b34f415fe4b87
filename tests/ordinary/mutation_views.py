"""Views: what is stored through one is seen through all others, and copies see nothing."""

import numpy as np

from .arguments import matrix_and_vector, two_vectors, vector, vector_and_number
from .registry import demand, row

FAMILY = "views"
demand(
    FAMILY,
    *("slice", "reshape", "ravel", "T", "transpose", "swapaxes", "diagonal", "squeeze", "real", "imag", "view"),
    *("broadcast_to", "view of a view", "overlapping views", "view kept while the owner is written"),
    *("owner kept while the view is written", "rows of a loop", "unpacked rows", "split", "expand_dims", "asarray"),
    *("copies are no views", "window", "base", "base that is written", "part of flat"),
)


@row(FAMILY, "slice", vector_and_number, order=2)
def interior_of_a_grid(u, x):
    inner = u[1:-1]
    inner *= x
    inner[0] += u[0] * inner[1]
    return float((u**2).sum() * inner.sum())


@row(FAMILY, "slice", matrix_and_vector)
def row_and_column(a, v):
    first, last = a[0], a[:, -1]
    first[:] = v * last
    last -= first[0] ** 2
    return float((a**2).sum() + first @ last)


@row(FAMILY, "reshape", lambda: (np.array([0.7, -1.2, 1.5, 0.4, 0.9, -0.3]), 0.8), order=2)
def reshaped_in_place(u, x):
    m = u.reshape(2, 3)
    m[0] *= x
    m[:, 1] = m[:, 0] * m[:, 2]
    return float((u**3).sum())


@row(FAMILY, "reshape", matrix_and_vector)
def reshape_that_copies(a, v):
    flat = a.T.reshape(-1)
    flat[:3] = v
    a *= flat[1]
    return float((flat * flat).sum() + (a**2).sum())


@row(FAMILY, "ravel", matrix_and_vector, order=2)
def ravelled(a, v):
    flat = a.ravel()
    flat[::4] = v
    flat += a[0, 1] ** 2
    return float((a * a.T).sum())


@row(FAMILY, "ravel", matrix_and_vector)
def ravel_that_copies(a, v):
    flat = np.ravel(a[:, :2])
    flat *= v[0]
    a[0] = v
    return float((flat**2).sum() * (a**2).sum())


@row(FAMILY, "T", matrix_and_vector, order=2)
def stored_through_transpose(a, v):
    t = a.T
    t[0] = v * a[0]
    t += a[1, 1]
    return float((a**2 * np.arange(1.0, 4.0)).sum())


@row(FAMILY, "transpose", lambda: (np.arange(1.0, 9.0).reshape(2, 2, 2) / 4.0, 0.7))
def axes_exchanged(c, x):
    t = c.transpose(2, 0, 1)
    t[1, 0] *= x
    np.transpose(c)[0, 1] += t[0, 0] ** 2
    return float((c**2 * np.arange(8.0).reshape(2, 2, 2)).sum())


@row(FAMILY, "swapaxes", lambda: (np.arange(1.0, 9.0).reshape(2, 2, 2) / 4.0, 0.7))
def axes_swapped(c, x):
    s = c.swapaxes(0, 2)
    s[0, :, 1] = x * c[1, 1]
    np.moveaxis(c, 0, 1)[1] *= s[0, 0]
    return float((c**3).sum())


@row(FAMILY, "diagonal", matrix_and_vector)
def diagonal_read_afterwards(a, v):
    d = a.diagonal()
    before = d.sum()
    a[1] = v * before
    a[0, 0] *= d[1]
    return float((d**2).sum() * before)


@row(FAMILY, "diagonal", matrix_and_vector)
def diagonal_written(a, v):
    np.einsum("ii->i", a)[:] += v**2
    a.ravel()[:: len(a) + 1] *= a[0, 1]
    return float((a**2).sum())


@row(FAMILY, "squeeze", lambda: (np.array([[[0.7], [-1.2], [1.5]]]), 0.8))
def squeezed(c, x):
    line = c.squeeze()
    line[1:] = x * line[0] ** 2
    return float((c**2).sum() * np.squeeze(c, axis=0)[1, 0])


@row(FAMILY, "real", lambda: (np.array([1.0 + 0.5j, -0.3 + 1.2j]), 0.6))
def real_part_stored(z, x):
    re = z.real
    re *= x
    z *= z
    re[0] = x**2
    return float((abs(z) ** 2).sum() + re[1])


@row(FAMILY, "imag", lambda: (np.array([1.0 + 0.5j, -0.3 + 1.2j]), np.array([0.6, -0.8])))
def imaginary_part_stored(z, v):
    im = z.imag
    im[:] = v * z.real
    z[0] = z[1] * 1j
    return float((im**2).sum() + (z**2).real.sum())


@row(FAMILY, "real", vector_and_number)
def real_part_of_real(u, x):
    u.real[1:] *= x
    same = np.real(u)
    same[0] = u[2] ** 2
    return float((u**2).sum())


@row(FAMILY, "view", vector_and_number, order=2)
def view_of_the_whole(u, x):
    v = u.view()
    v += x
    w = u[1:].view(np.float64)
    w *= v[0]
    return float((u**2).sum())


@row(FAMILY, "broadcast_to", vector_and_number)
def broadcast_sees_stores(u, x):
    rows = np.broadcast_to(u, (3, 4))
    before = float(rows[1] @ rows[2])
    u[1:] *= x
    u[0] = rows[2, 3] ** 2
    return float((rows**2).sum()) + before


@row(FAMILY, "view of a view", matrix_and_vector, order=2)
def blocks_of_blocks(a, v):
    block = a[1:]
    corner = block[:, ::2]
    corner.T[0] *= v[:2]
    block[0] += v
    return float((a**2).sum() + corner.sum() ** 2)


@row(FAMILY, "view of a view", vector_and_number)
def turned_twice(u, x):
    back = u[::-1]
    middle = back[1:3]
    middle[0] = x * u[0]
    back[::2] += middle**2
    return float((u**2 * np.arange(1.0, 5.0)).sum())


@row(FAMILY, "overlapping views", vector_and_number, order=2)
def neighbours(u, x):
    left, right = u[:-1], u[1:]
    left += x * right
    right *= left
    left[1] = right[2] ** 2
    return float((u**2).sum())


@row(FAMILY, "overlapping views", vector)
def overlap_in_one_store(u):
    u[1:] = u[:-1] * u[1:]
    np.add(u[:-1], u[1:], out=u[1:])
    u[:3] -= u[1:]
    return float((u**2).sum())


@row(FAMILY, "overlapping views", lambda: (np.array([[0.7, -1.2], [1.1, 0.3]]), 0.8))
def rows_swapped_without_a_copy(a, x):
    a[0], a[1] = a[1], a[0]
    a[0] *= x
    return float((a**2).sum() + a[0] @ a[1])


@row(FAMILY, "overlapping views", lambda: (np.array([[0.7, -1.2], [1.1, 0.3]]), 0.8))
def symmetrised(a, x):
    a += a.T
    a *= x
    return float((a**2).sum() * a[0, 1])


@row(FAMILY, "view kept while the owner is written", vector_and_number, order=2)
def view_before_store(u, x):
    tail = u[2:]
    before = tail * 1.0
    u *= x
    u[3] = u[0] ** 2
    return float((tail**2).sum() + before @ tail)


@row(FAMILY, "view kept while the owner is written", lambda: (0.8, 1.3))
def views_in_a_list(x, y):
    out = np.zeros((3, 2))
    rows = []
    for k in range(3):
        rows.append(out[k])
        out[k] = [x**k, y * k]
    out *= out[1, 1]
    return float(sum([r[0] * r[1] for r in rows]) + rows[2].sum() ** 2)


class Network:
    def __init__(self, parameters):
        self.parameters = parameters
        self.w = parameters[:4].reshape(2, 2)
        self.b = parameters[4:]

    def __call__(self, x):
        return np.tanh(self.w @ x + self.b)


@row(FAMILY, "view kept while the owner is written", lambda: (np.array([0.7, -1.2, 1.5, 0.4, 0.9, -0.3]), 0.8))
def layers_share_a_vector(p, x):
    net = Network(p)
    y = net(np.array([x, 1.0]))
    p *= 0.5
    net.b += y
    y = net(y)
    return float(y @ y + (p**2).sum())


@row(FAMILY, "owner kept while the view is written", vector_and_number)
def view_stored_in_a_function(u, x):
    def double(part):
        part *= 2.0 * x
        part[0] = part[-1] ** 2

    double(u[:2])
    double(u[1:])
    return float((u**2).sum())


@row(FAMILY, "owner kept while the view is written", matrix_and_vector)
def owner_in_a_field(a, v):
    net = {"all": a, "row": a[1]}
    net["row"][:] = v**2
    net["all"] *= net["row"][0]
    return float((a**2).sum() + net["row"].sum())


@row(FAMILY, "rows of a loop", matrix_and_vector, order=2)
def rows_changed_in_a_loop(a, v):
    for i, line in enumerate(a):
        line *= v[i]
        line[0] += a[0, 1] ** 2
    return float((a**2).sum())


@row(FAMILY, "rows of a loop", matrix_and_vector)
def columns_changed_in_a_loop(a, v):
    for column, s in zip(a.T, v, strict=True):
        column /= np.sqrt(column @ column)
        column -= s * a[:, 0]
    return float((a**2 * v).sum())


@row(FAMILY, "unpacked rows", matrix_and_vector)
def unpacked_matrix(a, v):
    p, q, r = a
    p += v
    q *= p
    r[1:] = q[:2] ** 2
    return float((a * a[::-1]).sum())


@row(FAMILY, "split", two_vectors)
def halves(u, w):
    left, right = np.split(u, 2)
    left *= right
    right[:] = w[:2] * left
    return float((u**2).sum())


@row(FAMILY, "expand_dims", vector_and_number)
def as_column(u, x):
    column = u[:, None]
    column *= x
    np.expand_dims(u, 0)[0, 1:] += column[0]
    np.atleast_2d(u)[0, 0] = column[3, 0] ** 2
    return float((u**2).sum())


@row(FAMILY, "asarray", vector_and_number)
def asarray_is_no_copy(u, x):
    v = np.asarray(u)
    v *= x
    w = np.asanyarray(u[1:], dtype=float)
    w[0] = v[0] ** 2
    return float((u**2).sum())


@row(FAMILY, "copies are no views", matrix_and_vector)
def copies_apart(a, v):
    flat, rows, again, other = a.flatten(), a[[0, 1]], a.copy(), np.array(a)
    flat[0] = v[0]
    rows *= v
    a *= 2.0
    again -= a[0]
    other[a > 0] = v[1] ** 2
    return float((flat**2).sum() + (rows**2).sum() + (again * other).sum() + a[0, 0])


@row(FAMILY, "window", vector_and_number)
def windows_see_stores(u, x):
    windows = np.lib.stride_tricks.sliding_window_view(u, 2)
    before = windows.sum()
    u[1] = x * u[0]
    u[2:] **= 2
    return float((windows[:, 0] * windows[:, 1]).sum() * before)


@row(FAMILY, "base", lambda: (np.array([0.5, 1.5, 2.5]),), order=2)
def base_of_a_view(x):
    y = x * 2.0
    v = y[1:]
    return (v.base * y * v.base).sum() * v[0] * y.__array_interface__["shape"][0]


@row(FAMILY, "base that is written", lambda: (np.array([0.5, 1.5, 2.5]),), order=2)
def base_that_is_written(x):
    kept = []
    y = x * 2.0
    v = y[1:]
    kept.append(v)
    y[0] = y[1] * x[2]
    kept[0].base[2] *= x[0]
    return (v.base * y).sum() + v[1]


@row(FAMILY, "part of flat", vector, order=2)
def part_of_flat(u):
    b = u * 1.0
    g, h = b.flat[::2], b.reshape(-1).flat[[0, 1]]
    b[0] = 9 * u[1]
    g[1] *= h[0]
    b.flat[1:] = g[0]
    return float((g**2).sum() + b.flat[0] * h.sum() + (b**2).sum())
