"""One thing under several names: what is stored under one is seen under all."""

import numpy as np

from .arguments import matrix_and_vector, two_vectors, vector, vector_and_number
from .registry import demand, row

FAMILY = "aliases"
demand(
    FAMILY,
    *("b = a", "one list twice in another", "array and view", "buffer of many rounds"),
    *("returned argument", "returned view", "closure and caller", "array in a list"),
    *("rebound name", "alias in one branch", "aliases that change places", "default row of a matrix"),
    *("passed twice to a function", "list in two objects", "loop variable"),
)


def squares(xs):
    return sum([(k + 1) * x * x for k, x in enumerate(xs)])


@row(FAMILY, "b = a", vector_and_number, order=2)
def second_name_of_an_array(u, x):
    w = u
    w[0] = x * u[1]
    u *= x
    return float((w**2).sum() + u[0] * w[2])


@row(FAMILY, "b = a", lambda: ([0.7, -1.2, 1.5], 0.8), order=2)
def second_name_of_a_list(xs, x):
    ys = zs = xs
    ys.append(x * zs[0])
    zs[0] = ys[-1] ** 2
    return squares(xs) * zs[0]


@row(FAMILY, "b = a", lambda: (0.8, 1.3))
def names_in_a_tuple(x, y):
    a, d = [x, y], {"k": x}
    pair = (a, d)
    pair[0][1] *= d["k"]
    pair[1]["k"] = a[1] ** 2
    b, e = pair
    b += [e["k"]]
    return squares(a) * d["k"]


@row(FAMILY, "one list twice in another", lambda: (0.8, 1.3), order=2)
def row_twice(x, y):
    line = [x, y]
    rows = [line, [y, x], line]
    rows[0][0] *= y
    rows[2][1] += rows[0][0] ** 2
    line.append(x)
    return sum([squares(r) for r in rows])


@row(FAMILY, "one list twice in another", lambda: (0.8, 1.3))
def multiplied_list_of_lists(x, y):
    rows = [[x, y]] * 3
    rows[1][0] = y**2
    rows[2][1] *= rows[0][0]
    return sum([squares(r) for r in rows])


@row(FAMILY, "array and view", vector_and_number, order=2)
def both_are_stored_into(u, x):
    tail = u[1:]
    u[1] = x**2
    tail[1] = u[0] * tail[0]
    u += tail[0]
    tail *= x
    return float((u**2).sum() * tail[2])


@row(FAMILY, "array and view", matrix_and_vector)
def views_returned_together(a, v):
    parts = {"all": a, "top": a[:2], "left": a[:, 0]}
    parts["top"] *= v
    parts["left"] += parts["top"][0, 1]
    parts["all"][0] = parts["left"] ** 2
    return float(sum([(p**2).sum() for p in parts.values()]))


@row(FAMILY, "buffer of many rounds", vector_and_number, order=2)
def buffer_reused(u, x):
    buffer = np.zeros(4)
    total = 0.0
    for k in range(3):
        buffer[:] = u * x**k
        buffer[k] += total
        total += (buffer**2).sum()
    return float(total)


@row(FAMILY, "buffer of many rounds", two_vectors)
def two_buffers_in_turn(u, w):
    old, new = u, w
    for _ in range(3):
        new[1:-1] = 0.5 * (old[2:] ** 2 + old[:-2])
        new[0], new[-1] = old[-1], old[0]
        old, new = new, old
    return float((u * w).sum() + (old**2).sum())


@row(FAMILY, "buffer of many rounds", lambda: (0.8, 1.3))
def history_of_one_list(x, y):
    state, history = [x, y], []
    for _ in range(3):
        history.append(state)
        state[0], state[1] = state[1] * x, state[0] + y
    return sum([squares(s) for s in history])


def scaled_in_place(u, s):
    u *= s
    return u


@row(FAMILY, "returned argument", vector_and_number, order=2)
def result_is_the_argument(u, x):
    w = scaled_in_place(u, x)
    w[0] = u[1] ** 2
    v = scaled_in_place(w, u[0])
    return float((u * v).sum() + v[1])


def largest(xs, ys):
    return xs if sum(xs) > sum(ys) else ys


@row(FAMILY, "returned argument", lambda: ([0.7, -1.2], [1.5, 0.4], 0.8))
def chosen_list_changed(xs, ys, x):
    largest(xs, ys)[0] *= x
    best = largest(xs, ys)
    best.append(ys[0] ** 2)
    return squares(xs) * squares(ys)


def interior(u):
    return u[1:-1]


class Field:
    def __init__(self, values):
        self.values = values

    @property
    def edge(self):
        return self.values[0]

    def column(self, k):
        return self.values[:, k]


@row(FAMILY, "returned view", vector_and_number, order=2)
def function_gives_a_view(u, x):
    inner = interior(u)
    inner *= x
    interior(u)[0] += u[0] ** 2
    return float((u**2).sum() * inner[1])


@row(FAMILY, "returned view", matrix_and_vector)
def methods_give_views(a, v):
    f = Field(a)
    edge = f.edge
    edge += v
    f.column(1)[1:] *= v[:2]
    f.edge[0] = f.column(2) @ v
    return float((a**2).sum() + edge[0])


@row(FAMILY, "closure and caller", lambda: (0.8, 1.3), order=2)
def shared_list(x, y):
    xs = [x]

    def push(v):
        xs.append(v * xs[0])
        return xs[-1]

    push(y)
    xs[0] = xs[1] ** 2
    push(x)
    return squares(xs)


@row(FAMILY, "closure and caller", vector_and_number)
def shared_array(u, x):
    def read():
        return float(u[0] * u[1])

    first = read()
    u[0] = x * first
    second = read()
    u *= second
    return read() * first + second


@row(FAMILY, "closure and caller", lambda: (0.8, 1.3))
def shared_by_two_closures(x, y):
    state = {"v": x, "log": []}

    def store(v):
        state["log"].append(state["v"])
        state["v"] = v * y

    def read():
        return state["v"] * sum(state["log"])

    store(x**2)
    first = read()
    store(first)
    state["log"][0] *= 2.0
    return first + read()


@row(FAMILY, "array in a list", vector_and_number, order=2)
def listed_array_changed(u, x):
    arrays = [u, u * x]
    u[0] = x**2
    arrays[0] *= arrays[1]
    arrays[1][:] = u[::-1]
    for a in arrays:
        a += u[1]
    return float((u**2).sum() + (arrays[1] * u).sum())


@row(FAMILY, "rebound name", vector_and_number)
def new_value_and_old_one(u, x):
    w = u
    u = u * x
    u[0] = w[1] ** 2
    w += u
    u += 1.0
    return float((u * w).sum())


@row(FAMILY, "rebound name", lambda: ([0.7, -1.2], (0.4, 0.9), 0.8))
def added_to_a_list_and_to_a_tuple(xs, t, x):
    ys, s = xs, t
    xs += [x]
    t += (x,)
    ys[0] *= t[0]
    xs = xs + [ys[0] ** 2]
    ys[1] = 2.0 * x
    return squares(xs) * squares(ys) + squares(t) * sum(s)


@row(FAMILY, "alias in one branch", lambda: (np.array([0.7, -1.2]), np.array([1.5, 0.4]), 0.8))
def maybe_the_same(u, w, x):
    total = 0.0
    for k in range(3):
        target = u if k % 2 else w
        target *= x + u[0]
        copied = target if k == 1 else target.copy()
        copied[0] += w[1] ** 2
        total += (u * w).sum()
    return float(total)


@row(FAMILY, "aliases that change places", lambda: ([0.7, -1.2], [1.5, 0.4], 0.8))
def lists_exchanged(xs, ys, x):
    a, b = xs, ys
    for _ in range(3):
        a[0] = x * b[1]
        b[1] += a[0] ** 2
        a, b = b, a
    return squares(xs) + squares(a) * ys[0]


@row(FAMILY, "default row of a matrix", lambda: (0.8, 1.3))
def rows_by_fromkeys(x, y):
    rows = dict.fromkeys("ab", [x])
    rows["a"].append(y)
    rows["b"][0] *= rows["a"][1]
    rows["a"] = [x * y, y]
    rows["a"][0] += rows["b"][0]
    return squares(rows["a"]) * squares(rows["b"])


class Particle:
    def __init__(self, x, v):
        self.x = x
        self.v = v


def exchange(u, w, s):
    u[0] += s * w[1]
    w[1] = u[0] ** 2
    u *= s
    return float(w[0] * u[1])


@row(FAMILY, "passed twice to a function", vector_and_number, order=2)
def helper_with_one_array_twice(u, x):
    first = exchange(u, u, x)
    second = exchange(u[:2], u[1:3], first)
    return first * second + float((u**2).sum())


@row(FAMILY, "list in two objects", lambda: (0.8, 1.3))
def shared_by_two_objects(x, y):
    shared = [x, y]
    a, b = Particle(shared, x), Particle(shared, y)
    a.x[0] *= b.v
    b.x.append(a.x[0] ** 2)
    a.v = b.x[-1]
    shared[1] += a.v
    return squares(a.x) * b.x[1] * a.v


@row(FAMILY, "loop variable", vector)
def item_of_a_list_of_views(u):
    parts = [u[:2], u[1:3], u[2:]]
    for k, part in enumerate(parts):
        part *= 1.0 + 0.5 * k
        part[0] += u[-1] ** 2
    last = part
    last[1] = parts[0][0]
    return float((u**2).sum())
