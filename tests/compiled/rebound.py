"""Programs whose loops bind arrays anew, while what the loops begin with is read by other names and stored into."""

# ruff: noqa: B007, SIM108
import numpy as np

V = np.array([0.3, 0.7, 0.5, 0.2])
STATE = np.ones(4)


class Holder:
    def __init__(self, v):
        self.v = v


HELD = Holder(np.ones(4))


def reset():
    STATE[:] = HELD.v[:] = 1.0


def put(v):
    v[0] = v[1] * 0.3


def grown(q):
    for i in range(2):
        q[1] = q[2] * 0.5
        q = q * 2.0
    return q.sum()


def chosen_then_stored(x):
    w = x.ravel()
    if x[0] > 0:
        x = x * 2.0
    x[1] = 5.0
    return w.sum() + x.sum()


def chosen_with_a_part(x):
    w = x[1:]
    if x[0] < 0:
        x = x * 2.0
    x[1] = 5.0 * x[0]
    return w.sum() + x.sum()


def part_before_a_while(x):
    w = x[1:]
    i = 0
    while i < 3:
        x -= 0.1 * x[0]
        x = x + 1.0
        i += 1
    return w.sum() + x.sum()


def argument_and_rounds(x):
    for i in range(3):
        x -= 0.1 * x[0]
        x = x + 1.0
    return x.sum()


def bound_anew_first(x):
    w = x[1:]
    for i in range(3):
        x = x + 1.0
        x -= 0.1 * x[0]
    return w.sum() * x.sum()


def second_name_of_argument(x):
    y = x
    for i in range(3):
        y[0] = y[1] * 0.3
        y = np.sin(y)
    return y.sum() + x.sum()


def stored_by_a_helper(x):
    y = x
    for i in range(3):
        put(y)
        y = np.sin(y)
    return y.sum() + x.sum()


def second_name_of_local(x):
    y = x * 1.0
    z = y
    for i in range(3):
        for j in range(2):
            y[j] = y[1 - j] * 0.3
        y = np.sin(y)
    return y.sum() + z.sum()


def exchanged(x):
    y = x * 1.0
    z = x * 2.0
    for i in range(3):
        y, z = z, y
        y[0] = z[1] * 0.5
    return y.sum() + 2 * z.sum()


def one_of_two_in_each_round(x):
    y = x * 1.0
    z = y
    for i in range(3):
        z = y if y[0] > 0.2 else y * 2.0
        z[0] = z[1] * 0.5
    return y.sum() + 2 * z.sum()


def kept_and_stored(x):
    y = x * 1.0
    keep = y
    for i in range(3):
        keep = y
        y = y * 1.5
        keep[0] += 1.0
    return y.sum() + 2 * keep.sum()


def part_of_itself(x):
    y = x
    for i in range(2):
        y = y[1:]
        y[0] = y[1] * 0.5
    return y.sum() + x.sum()


def item_of_a_dict(x):
    d = {"a": x}
    for i in range(2):
        d["a"] -= 0.1 * d["a"][1]
        d["a"] = d["a"] * 2.0
    return d["a"].sum() + x.sum()


def field_of_an_object(x):
    h = Holder(x)
    for i in range(2):
        h.v -= 0.1 * h.v[1]
        h.v = h.v * 2.0
    return h.v.sum() + x.sum()


def field_and_its_second_name(x):
    y = x * 1.0
    h = Holder(y)
    for i in range(2):
        h.v -= 0.1 * h.v[1]
        h.v = h.v * 2.0
    return h.v.sum() + y.sum()


def chosen_in_both(x):
    if x[0] > 0.0:
        y = x
    else:
        y = x * 2.0
    y[0] = y[1] * 0.5
    return y.sum() + x.sum()


def nobody_else_has_it(x):
    y = x * 1.0
    for i in range(3):
        y[0] = y[1] * 0.3
        y = np.sin(y)
    return y.sum()


def name_of_a_global(x):
    y = STATE
    for i in range(2):
        y[0] = x[0]
        y = y * 2.0
    return y.sum()


def field_of_a_global(x):
    y = HELD.v
    for i in range(2):
        y[0] = x[0]
        y = y * 2.0
    return y.sum()


def argument_of_an_inner_function(x):
    y = x * 1.0
    z = y[1:]

    def inner(q):
        for i in range(2):
            q[0] = q[1] * 0.5
            q = q * 2.0
        return q.sum()

    return inner(y) + z.sum()


def argument_of_a_function(x):
    y = x * 1.0
    return grown(y) + 2 * y.sum()


def item_of_a_list(x):
    rows = [x * 1.0, x * 2.0]
    y = rows[0]
    for i in range(2):
        y[1] = y[2] * 0.5
        y = y * 2.0
    return y.sum() + rows[0].sum()


def item_of_a_tuple(x):
    t = (x * 1.0, x * 2.0)
    y = t[0]
    for i in range(2):
        y[1] = y[2] * 0.5
        y = y * 2.0
    return y.sum() + t[0].sum()


def no_round_at_all(x, n=0):
    y = x * 1.0
    z = y
    for i in range(n):
        y = y * 2.0
    y[0] = 3.0
    return y.sum() + z.sum()


def row_of_a_matrix(x):
    M = np.outer(x, x)
    y = M[0]
    for i in range(2):
        y[1] = y[2] * 0.5
        y = y * 2.0
    return y.sum() + M.sum()


def borders_of_a_grid(x):
    u = np.zeros(4)
    u[1] = x[1]
    u[2] = x[2] * u[1]
    for i in range(5):
        u[0] = x[0]
        u[-1] = u[1] * 0.5
        u = u * 0.9 + 0.1 * u[::-1]
    return u.sum()


def rounds_in_rounds(x):
    u = np.zeros((4, 4))
    u[1] = x
    for i in range(5):
        u[0] = x * u[1]
        for j in range(3):
            u[j] = u[j] * 0.5
            u = u * 0.9 + 0.1 * u.T
        u[1] += 1.0
    return u.sum()


def made_in_each_round(x):
    tot = 0.0
    for k in range(3):
        y = x * (k + 1.0)
        z = y
        for i in range(2):
            y[1] = y[2] * 0.5
            y = y * 2.0
        tot += y.sum() + z.sum()
    return tot


def made_before_the_rounds(x):
    tot = 0.0
    base = x * 2.0
    for k in range(3):
        y = base
        for i in range(2):
            y[1] = y[2] * 0.5
            y = y * 2.0
        tot += y.sum()
    return tot


def item_of_a_dict_alone(x):
    d = {"a": x * 1.0}
    for i in range(3):
        d["a"][0] = d["a"][1] * 0.3
        d["a"] = np.sin(d["a"])
    return d["a"].sum()


def field_alone(x):
    h = Holder(x * 1.0)
    for i in range(3):
        h.v[0] = h.v[1] * 0.3
        h.v = np.sin(h.v)
    return h.v.sum()


def field_stored_afterwards(x):
    h = Holder(x * 1.0)
    for i in range(3):
        h.v[0] = h.v[1] * 0.3
        h.v = np.sin(h.v)
    w = h.v
    h.v[0] = 5.0
    return w.sum() + h.v.sum()


def one_for_two_names(x):
    y = x * 1.0
    z = x * 2.0
    for i in range(3):
        y[0] = y[1] * 0.3
        t = np.sin(y + z)
        y = t
        z = t
    return y.sum() + 2 * z.sum()


def one_for_two_names_stored_afterwards(x):
    y = x * 1.0
    z = x * 2.0
    for i in range(3):
        t = np.sin(y + z)
        y = t
        z = t
    y[0] = 7.0
    return y.sum() + 2 * z.sum()


def copy_of_a_part(x):
    y = x * 1.0
    z = x * 2.0
    for i in range(3):
        t = np.sin(y + z)
        y = t
        z = t[1:]
        z = np.append(z, 0.0)
        y[0] = 1.0
    return y.sum() + 2 * z.sum()


def whole_and_part_of_it(x):
    y = x * 1.0
    z = x[1:] * 2.0
    for i in range(3):
        t = np.sin(y + z[0])
        y = t
        z = t[1:]
        y[1] = 3.0
    return y.sum() + 2 * z.sum()


def whole_stored_and_part(x):
    y = x * 1.0
    z = x[1:] * 2.0
    for i in range(3):
        y[1] = 3.0
        t = np.sin(y + z[0])
        y = t
        z = t[1:]
    return y.sum() + 2 * z.sum()


def part_stored_afterwards(x):
    y = x * 1.0
    z = x[1:] * 2.0
    for i in range(3):
        t = np.sin(y + z[0])
        y = t
        z = t[1:]
    z[1] = 3.0
    return y.sum() + 2 * z.sum()


def one_for_two_fields(x):
    h = Holder(x * 1.0)
    g = Holder(x * 2.0)
    for i in range(3):
        h.v[0] = 0.3 * h.v[1]
        h.v = np.sin(h.v + g.v)
        g.v = h.v
    return h.v.sum() + 2 * g.v.sum()


def name_within_a_round(x):
    y = x * 1.0
    s = 0.0
    for i in range(3):
        z = y
        for j in range(2):
            z[j] = z[j + 1] * 0.5
        y = y * 2.0
        s += z.sum()
    return y.sum() + s


def the_round_before(x):
    y = x * 1.0
    prev = x * 0.0
    for i in range(3):
        new = y * 2.0 - prev
        prev = y
        y = new
    return y.sum() + 2 * prev.sum()


def stored_with_the_round_before(x):
    y = x * 1.0
    prev = x * 0.0
    for i in range(3):
        new = y * 2.0 - prev
        prev = y
        y = new
        y[0] = 1.0
    return y.sum() + 2 * prev.sum()


def until_it_is_large(x):
    y = x * 1.0
    while y[1] < 5.0:
        y[0] = y[1] * 0.3
        y = y * 1.7
    y[0] = y[1]
    return y.sum()


def rows_appended(x):
    y = x * 1.0
    rows = []
    for i in range(3):
        y[0] = y[1] * 0.3
        y = y * 1.7
        rows.append(y)
    return y.sum() + rows[0].sum()


COMPILED = [
    nobody_else_has_it,
    bound_anew_first,
    borders_of_a_grid,
    rounds_in_rounds,
    item_of_a_dict_alone,
    field_alone,
    field_stored_afterwards,
    name_within_a_round,
    the_round_before,
    stored_with_the_round_before,
    until_it_is_large,
    copy_of_a_part,
]
"""Programs in which nobody else has what is stored into."""
REFUSED = [
    chosen_then_stored,
    chosen_with_a_part,
    part_before_a_while,
    argument_and_rounds,
    second_name_of_argument,
    stored_by_a_helper,
    second_name_of_local,
    exchanged,
    one_of_two_in_each_round,
    kept_and_stored,
    part_of_itself,
    item_of_a_dict,
    field_of_an_object,
    field_and_its_second_name,
    chosen_in_both,
    name_of_a_global,
    field_of_a_global,
    argument_of_an_inner_function,
    argument_of_a_function,
    item_of_a_list,
    item_of_a_tuple,
    no_round_at_all,
    row_of_a_matrix,
    made_in_each_round,
    made_before_the_rounds,
    one_for_two_names,
    one_for_two_names_stored_afterwards,
    whole_and_part_of_it,
    whole_stored_and_part,
    part_stored_afterwards,
    one_for_two_fields,
    rows_appended,
]
"""Programs in which a store is seen by another name, or where that cannot be told."""
