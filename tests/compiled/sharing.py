"""Programs in which more than one name leads to what is stored into: helpers that fill, views, lists, closures."""

# ruff: noqa: E741, B007, SIM
import numpy as np

V = np.array([0.7, -0.4, 1.3, 0.9])


def fill(z, x):
    for i in range(len(z)):
        z[i] = x[i] * (i + 1)


def scale(z, c):
    z *= c


def put_first(items, x):
    items[0] = x


def push(items, x):
    items.append(x)


def by_helper(x):
    z = np.ones(4)
    t = z * 2
    fill(z, x)
    return z.sum() + np.sum(t * x)


def by_helper_in_rounds(x):
    z, out = np.zeros(4), np.zeros(4)
    for r in range(3):
        fill(z, x)
        z[r] = z[r] ** 2
        scale(z, 0.5)
        for i in range(4):
            out[i] += z[i] * x[i]
    return np.sum(out * out)


def by_helper_and_view(x):
    z = np.zeros(4)
    tail = z[1:]
    fill(z, x)
    tail[0] = x[3] ** 2
    return np.sum(z * z) + tail.sum()


def by_helper_and_computed(x):
    z = x * 3
    tail = z[1:]
    scale(tail, x[0])
    return np.sum(z * z)


def by_helper_and_shape(x):
    z = np.zeros(4)
    square = z.reshape(2, 2)
    fill(z, x)
    return square[1, 0] * square[0, 1] + np.sum(square[1])


def by_helper_and_ravel(x):
    z = np.zeros((2, 2))
    fill(z.ravel(), x)
    flat = z.flatten()
    z[0, 0] = 5.0
    return np.sum(z * z) * flat[0]


def by_transpose(x):
    z = np.zeros((2, 2))
    w = z.T
    scale(z, 0.0)
    fill(z[0], x)
    w[1, 1] = x[3] * x[2]
    return z[0, 1] * z[1, 1] + np.sum(w)


def by_same_array(x):
    z = np.zeros(4)
    w = np.asarray(z)
    fill(w, x)
    return np.sum(z * z)


def by_branch(x):
    y = np.zeros(4)
    y[0], y[1] = x[0], x[1]
    t = y * 2
    if x[0] > 0:
        y[0] = 5.0
    return t.sum() + y[0]


def by_branch_in_tuple(x):
    y = np.zeros(4)
    y[0], y[1] = x[0], x[1]
    pair = (y * 2, y * 3)
    if x[1] < 0:
        y[0] = x[2]
    return pair[0].sum() * pair[1].sum() + y[0]


def by_rounds(x):
    y = x * 1.0
    t = y * 2
    e = t * 3
    for i in range(3):
        y[i] = t[i] * x[0]
        t[i] = 5.0
    return t.sum() + np.sum(y * e)


def by_while(x):
    y = x * 1.0
    t = y * 2
    k = 0
    while k < 3:
        y[k] = x[0] * k
        k += 1
    return np.sum(t * t) + y[2]


def by_store_into_computed(x):
    t = x * 2
    e = t * 3
    head = t[:2]
    t[0] = x[1]
    return np.sum(t * e) + head[0]


def by_closure(x):
    z = np.zeros(4)

    def note(i, v):
        z[i] = v * v

    t = z + x
    for i in range(4):
        note(i, x[i])
    return np.sum(z * t)


def by_item_of_list(x):
    items = [0.0, 1.0]
    put_first(items, x[0] ** 2)
    return items[0] * x[1]


def by_pushed(x):
    items = []
    push(items, x[0] * 3)
    return items[0] * x[1]


def by_two_names_of_list(x):
    items = [x[0], x[1]]
    others = items
    others[0] = x[2] ** 2
    return items[0] * others[1]


def by_slice_of_list(x):
    items = [v * v for v in x]
    part = items[1:]
    part[0] = 5.0
    return items[1] * part[1] + part[0]


def by_swapped(x):
    a, b = x * 1.0, np.zeros(4)
    for _ in range(3):
        fill(b, a)
        a, b = b, a
    return np.sum(a * a) + b[0]


def by_kept_name(x):
    y = x * 1.0
    before = y
    for i in range(3):
        before = y
        scale(y, x[i])
    y[0] = 7.0
    return np.sum(before * y)


def by_out(x):
    z = np.zeros(4)
    np.multiply(x, x, out=z)
    return np.sum(z * x)


def by_rows_in_a_list(x):
    z = np.zeros((2, 2)) + x[0]
    rows = [row for row in z]
    rows[0][1] = x[1] * 3
    return z.sum()


def by_rows_that_are_read_later(x):
    z = np.stack([x, x * 2])
    rows = [row for row in z]
    z[0, 0] = x[1] ** 2
    return rows[0].sum() * x[1]


def by_one_array_in_a_list(x):
    t = x * 2
    items = []
    for _ in range(3):
        items.append(t)
    t[0] = x[1]
    return items[1][0] * x[1] + items[0].sum()


def by_stores_in_the_next_round(x):
    t = x * 2
    items = []
    for i in range(3):
        t[i] = x[i] ** 2
        items.append(t)
    return items[0].sum() * x[1]


def by_stores_after_appending(x):
    items = []
    for i in range(3):
        t = np.zeros(2)
        t[0] = x[i]
        items.append(t)
        t[1] = x[i] ** 2
    return items[0].sum() * items[2][1]


def by_last_of_a_list(x):
    items = []
    y = x * 1.0
    for _ in range(3):
        y = y * x
        items.append(y)
    y[0] = x[1]
    return items[2].sum() * items[0][1]


def by_stores_before_appending(x):
    items = []
    for i in range(3):
        y = x * (i + 1)
        y[0] = x[2]
        items.append(y)
    return items[2].sum() * items[0][1]


def by_stores_into_items(x):
    items = [np.zeros(2) for _ in range(3)]
    for i in range(3):
        items[i][0] = x[i] * x[0]
        items[i][1] += items[i][0] ** 2
    return sum([t.sum() for t in items])


def by_integers(x):
    k = np.zeros(3, dtype=np.int64)
    k[0] = x[2] * 31
    return k[0] * x[1]


FUNCTIONS = [f for name, f in globals().items() if name.startswith("by_")]
