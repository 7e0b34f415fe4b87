"""Classes derived from containers and arrays: their own methods run where Python runs them, and nowhere else."""

import io
from collections import OrderedDict, deque
from types import MappingProxyType

import numpy as np
import pytest
from recording.derivatives import check_recorded

from adjoint import gradient
from adjoint.errors import MutationError

# mypy: disable-error-code="no-untyped-def"


class Tripling(list):
    def __getitem__(self, i):
        y = super().__getitem__(i)
        return y if isinstance(i, slice) else y * 3.0

    def __len__(self):
        return super().__len__() + 1


class Iterated(list):
    def __iter__(self):
        for v in super().__iter__():
            yield v * 2.0


class Mapping(dict):
    def __getitem__(self, key):
        return super().__getitem__(key) * 3.0

    def keys(self):
        return ["a"]

    def __iter__(self):
        return iter(["a"])


class Items(dict):
    def __getitem__(self, key):
        return super().__getitem__(key) * 3.0

    def keys(self):
        return ["a"]


class Ordered(OrderedDict):
    def __getitem__(self, key):
        return super().__getitem__(key) * 3.0


class Reversed(tuple):
    def __getitem__(self, i):
        return super().__getitem__(i) * 3.0


class Queue(deque):
    def __getitem__(self, i):
        return super().__getitem__(i) * 3.0

    def __len__(self):
        return 1

    def __iter__(self):
        for v in super().__iter__():
            yield v * 2.0


class Rows(np.ndarray):
    def __getitem__(self, i):
        return super().__getitem__(i) * 2.0

    def __setitem__(self, i, v):
        super().__setitem__(i, v * 3.0)


class Named(np.ndarray):
    def __array_finalize__(self, source):
        self.tag = getattr(source, "tag", 1)

    def __getitem__(self, i):
        return np.ndarray.__getitem__(self, i)


def lists_are_read_by_c(x):
    t = Tripling([2.0 * x, x])
    t.append(1.0)
    t.sort()
    t.reverse()
    t.insert(-1, x * x)
    last = t.pop()
    u = t + [x]
    v = t * 2
    w = [x]
    w[1:] = t
    return t[0] + list(reversed(t))[0] * last + sum(u) * sum(v) + t.copy()[1] + w[2] + t[-1]


def lists_are_run_through(x):
    t = Tripling([2.0 * x, x])
    a, b = t
    out = a * b + sum(v for v in t) * max(t) + sorted(t)[0] + t.index(x)
    for i, v in enumerate(t):
        out = out + i * v
    for v, w in zip(t, reversed(t)):  # noqa: B905
        out = out * v + w
    return out + sum(t[:2]) + [*t][1] + list(t)[0] + tuple(t)[1]


def lists_are_stored_into(x):
    t = Tripling([x, x * x])
    t[-1] = x**3
    t += [x]
    t[0] *= x
    del t[-1]
    return sum(t) * (3.0 if x in t else 2.0) + t.count(1.0)


def lists_with_an_iterator(x):
    t = Iterated([x, x * x])
    m = [x]
    m.extend(t)
    m += t
    m[1:1] = t
    t[:] = t
    t.extend([x])
    return sum(m) + sum(t) * t[0] + sum(t.copy()) + t.pop() + sum(t + t)


def lists_that_extend_themselves(x):
    t, u = Iterated([x, x * x]), Tripling([x, 2.0])
    t.extend(t)
    u += u
    return list.__getitem__(t, 3) * x + sum(u) * u[2]


def dicts_by_their_methods(x):
    d = Mapping(a=x, b=2.0 * x)

    def f(**options):
        return sum(options.values())

    e = {}
    e.update(d)
    g = {"z": x, **d, "y": x}
    merged, other = d | {"c": x}, {"c": x} | d
    out = dict(d)["a"] * x + sum(g.values()) + f(**d) * f(z=x, **d) + e["a"] + sum(merged.values())
    return out + sum(d.copy().values()) * other["a"] + sum(d.values()) + sum(v for _, v in d.items())


def dicts_as_they_are(x):
    d = Items(a=x, b=2.0 * x)
    e = {**d, **MappingProxyType({"q": x * x})}
    return sum(e.values()) + sum(dict(d).values()) * OrderedDict(d)["a"] + d["b"] + sum((d | e).values())


def ordered_dicts(x):
    d = Ordered(a=x, b=2.0 * x)
    return sum({**d}.values()) + dict(d)["b"] * x + d["a"]


def tuples_backwards(x):
    t = Reversed((x, x * x))
    a, b = t
    return list(reversed(t))[0] * a + b + sum(t) + (t + (x,))[2] * t[0]


def deques(x):
    q = Queue([x, 2.0 * x, x * x])
    q.append(x)
    q.rotate(1)
    return q[1] * deque.__getitem__(q, 2) + sum(q) + list(reversed(q))[0] + q.pop()


def rows_by_their_items(x):
    a = (np.ones(3) * x).view(Rows)
    a[0] = x * x
    a[1] = 2.0
    out = a[0] * a[-1] + a.view(np.ndarray).sum()
    for v in a:
        out = out + v * x
    b, *_ = a
    return float(out + sum(list(a)) * b + list(reversed(a))[0])


def rows_called_by_name(x):
    a = (np.ones(3) * x).view(Named)
    a[1] *= x
    part = a[1:]
    part[0] += x
    a[:2] = a[1:]
    return float(a[1] * np.ndarray.__getitem__(a, 0) + part[0] * part[1] + a.tag * x)


class Text(io.StringIO):
    """Made by a `__new__` of its own, and filled by the `__init__` of its base, in C."""

    def __new__(cls, text):
        return super().__new__(cls)


def filled_in_c(x):
    return float(Text("2.5").getvalue()) * x


PROGRAMS = [
    lists_are_read_by_c, lists_are_run_through, lists_are_stored_into, lists_with_an_iterator,
    lists_that_extend_themselves, dicts_by_their_methods, dicts_as_they_are, ordered_dicts, tuples_backwards, deques,
    rows_by_their_items, rows_called_by_name, filled_in_c,
]  # fmt: skip


@pytest.mark.parametrize("f", PROGRAMS)
def test_programs(f):
    check_recorded(f)


def test_a_store_into_what_is_no_part_of_the_array():
    def program(x):
        a = (np.ones(3) * x).view(Rows)
        a[1:] = np.array([x, 2.0])
        return float(a[1])

    with pytest.raises(MutationError, match="`__getitem__` of its own"):
        gradient(program, 1.3)
