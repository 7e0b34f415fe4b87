"""Objects of classes of dict and list, which a program makes for itself: what they hold is a field of theirs."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from regressions.differences import check
from transforms.held_to_python import hold, hold_errors
from ways import check_everywhere

from adjoint import grad, gradient, pullback


class Parameter:
    def __init__(self, name, value, vary=True):
        self.name, self.vary, self._value = name, vary, value

    @property
    def value(self):
        return max(self._value, -5.0)

    @value.setter
    def value(self, v):
        self._value = v


class Parameters(dict):
    def add(self, name, value=0.0, vary=True):
        self[name] = Parameter(name, value, vary)

    def values_by_name(self):
        return {p.name: p.value for p in self.values()}

    def take(self, vector):
        i = 0
        for p in self.values():
            if p.vary:
                p.value = vector[i]
                i += 1


class Config(dict):
    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __setattr__(self, name, value):
        self[name] = value


class Stack(list):
    def push(self, v):
        self.append(v)

    def top(self):
        return self[-1]


class Vector(list):
    def __add__(self, other):
        return Vector(a + b for a, b in zip(self, other, strict=True))

    def __mul__(self, k):
        return Vector([a * k for a in self])

    __rmul__ = __mul__

    def dot(self, other):
        return sum(a * b for a, b in zip(self, other, strict=True))


class Grid(dict):
    def __missing__(self, key):
        return 0.0

    def bump(self, i, j, v):
        self[i, j] = self[i, j] + v


class Filling(dict):
    def __missing__(self, key):
        self[key] = value = len(self) * 0.5
        return value


class Log(list):
    """Says itself what some methods do, and asks the list for the rest."""

    def __init__(self, *items, scale=1.0):
        self.scale = scale
        self.count = 0
        super().__init__(items)

    def append(self, v):
        self.count += 1
        super().append(v * self.scale)

    def __getitem__(self, i):
        return super().__getitem__(i) * 2.0

    def __setitem__(self, i, v):
        list.__setitem__(self, i, v + 1.0)


class Upper(dict):
    def __setitem__(self, key, v):
        super().__setitem__(key.upper(), v)

    def __getitem__(self, key):
        return super().__getitem__(key.upper())

    def __contains__(self, key):
        return super().__contains__(key.upper())


class Odd(list):
    def __iter__(self):
        for i in range(0, len(self), 2):
            yield self[i]

    def __len__(self):
        return super().__len__() * 1

    def __bool__(self):
        return self[0] > 1.0


class Net(list):
    def forward(self, h):
        for layer in self:
            h = layer(h)
        return h


class Named(dict):
    scale = 3.0

    def __init__(self, owner, **fields):
        super().__init__(fields)
        self.owner = owner
        self.update(extra=owner * 2.0)

    def total(self):
        return sum(self.values()) * self.scale + self.owner


class Linear:
    def __init__(self, w, b):
        self.w, self.b = w, b

    def __call__(self, h):
        return self.w * h + self.b


def fit(x):
    params = Parameters()
    params.add("amp", value=2.0 * x)
    params.add("decay", value=0.3)
    params.add("offset", value=x * 0.1, vary=False)
    total = 0.0
    for _ in range(3):
        v = params.values_by_name()
        for i in range(6):
            r = v["amp"] * math.exp(-v["decay"] * i * 0.1) + v["offset"] - 1.0 / (1.0 + i)
            total += r * r
        params.take([params["amp"].value * 0.9, params["decay"].value + 0.01 * x])
    return total


def settings(x):
    c = Config(rate=x, steps=5, decay=0.95)
    c.momentum = 0.5 * x
    w, v = 1.0, 0.0
    for _ in range(c.steps):
        v = c.momentum * v - c.rate * 0.1 * (2.0 * w - x)
        w += v
        c.rate = c.rate * c.decay
    return w * c["rate"] + len(c)


def stack_machine(x):
    st = Stack()
    for token in ["x", "2", "*", "x", "+", "x", "3", "*", "-"] * 2:
        if token == "x":
            st.push(x)
        elif token in "+-*":
            b, a = st.pop(), st.pop()
            st.push(a + b if token == "+" else a - b if token == "-" else a * b)
        else:
            st.push(float(token))
    return sum(st) + st.top() * len(st)


def vectors(x):
    v, w = Vector([x, 1.0, 0.5 * x]), Vector([2.0, x, x])
    u = v + 0.5 * w
    v[0] = u.dot(w)
    v[1] += x
    return (u + v * 2.0).dot(v) + sum(u[1:]) + v[-1]


def plain_operators(x):
    v, w = Stack([x, 2.0]), Stack([3.0 * x])
    both, twice = v + w, v * 2
    v += [x * x]
    more = [1.0, *v]
    a, *rest = v
    first, second = w + [x]
    return sum(both) * len(twice) + more[1] * a + sum(rest) + first * second + max(v) + sorted(w)[0] + v.index(2.0)


def grid(x):
    g = Grid()
    for k in range(8):
        g.bump(k % 3, k % 2, x * k)
        g.bump(k % 2, 1, math.sin(x + k))
    return sum(v * v for v in g.values()) + g[9, 9] + len(g)


def named_grid(x):
    g = Grid(a=x)
    g["b"] += x * x
    g["a"] *= 2.0
    return g["a"] * g["b"] + g["c"] + len(g)


def filling(x):
    d = Filling()
    total = 0.0
    for k in "abac":
        total += d[k] * x
        d[k] += x
    return total + sum(d.values()) * len(d)


def own_methods(x):
    log = Log(x, scale=3.0)
    for i in range(3):
        log.append(x * i)
    log[0] = x * x
    log[-1] += x
    return sum(log) + log[0] * log.count + log.scale


def upper(x):
    d = Upper()
    for i in range(4):
        d["ab"[i % 2]] = x * i
        if "A" in d and "c" not in d:
            d["b"] = d["a"] + x
    return d["a"] * d["B"] + len(d) + sum(d[k] for k in d)


def by_update(x):
    d = Upper(a=x)
    d.update(b=2.0 * x)
    d.setdefault("c", x * x)
    return sum(d.values()) * len(d) + d.pop("a", 1.0) + d.get("zz", 5.0) * x


def own_iterator(x):
    v = Odd([x, 2.0, x * x, 3.0, 1.0])
    total = sum(v) + sum(a * b for a, b in zip(v, v, strict=True))
    for a in v:
        total += a * len(v)
    return total * x if v else total


def layers(x):
    net = Net([Linear(x, 0.1), Linear(0.5, x)])
    net.append(Linear(2.0, x))
    total = 0.0
    for i in range(3):
        total += net.forward(0.3 * i)
    return total


def with_fields(x):
    d = Named(x, a=x * x, b=1.0)
    d["a"] += d.owner
    d.owner = d["extra"] * d.total()
    del d["b"]
    for key, v in d.items():
        d.owner += v * len(key)
    return d.total()


def handed_on(x):
    st = Stack()

    def visit(tree, put):
        v, children = tree
        put(v)
        for c in children:
            visit(c, put)

    visit((x, [(2.0 * x, []), (x * x, [(1.0, [])])]), st.append)
    keep = st.push
    keep(x)
    return sum(v * i for i, v in enumerate(st))


def until_empty(x):
    st, total = Stack([x, 2.0 * x, 0.5]), 0.0
    while st:
        v = st.pop()
        total = total * 1.1 + v
        if v > 1.0:
            st.push(v * 0.4)
    return total + (0.0 if st else x) + (x if not st else 0.0)


def in_branches(x):
    st = Stack([x])
    d = Grid()
    if x > 0.2:
        st.push(2.0 * x)
        d["a"] = x
    else:
        st.append(1.0)
        d["a"] = 2.0
    for i in range(3):
        if i % 2:
            st[0] = st[0] + d["a"]
        else:
            d["a"] = d["a"] * st[-1]
    return sum(st) + d["a"]


def grows_while_run_through(x):
    st = Stack([x, 0.3])
    for v in st:
        if len(st) < 6:
            st.push(v * 2.0 + x)
    return sum(v * i for i, v in enumerate(st))


def two_names(x):
    a = Stack([x])
    b = a
    b.push(2.0 * x)
    c = Stack(a)
    c[0] = 5.0
    return sum(a) * len(b) + sum(c) + (x if a is b else 0.0) + (x if a is c else 0.0)


def compared(x):
    a, b = Stack([x, 1.0]), Stack([x, 2.0])
    found = [a == b, a != b, a < b, a == [x, 1.0], x in a, 7.0 not in b, isinstance(a, list), not a]
    return sum(v * k for k, v in enumerate(found)) * x


def as_array(x):
    v = Vector([x, 2.0, x * x])
    return float(np.array(v) @ np.arange(3.0)) + float(np.asarray(v).sum())


def shadowed(x):
    st = Stack([x])
    st.append = lambda v: st.extend([v, v])
    st.append(2.0 * x)
    return sum(st) * len(st)


def passed_by_star(x):
    def f(a, b=2.0, **rest):
        return a * b + sum(rest.values())

    return f(*Stack([x, 3.0])) + f(**Grid(a=x, c=x * x)) + max(*Stack([x, 0.1]))


STRUCTURED = [
    *(fit, settings, stack_machine, vectors, plain_operators, grid, named_grid, filling, own_methods, upper, by_update),
    *(layers, with_fields, until_empty, two_names, as_array, passed_by_star),
]
OTHERS = [own_iterator, in_branches, grows_while_run_through, handed_on, compared, shadowed]


@pytest.mark.parametrize("f", STRUCTURED, ids=lambda f: f.__name__)
def test_classes_of_dict_and_list(f: Any) -> None:
    hold(f, lambda: (0.73,))


@pytest.mark.parametrize("f", [*STRUCTURED, *OTHERS], ids=lambda f: f.__name__)
def test_all_ways(f: Any) -> None:
    check_everywhere(f, 0.73)
    _, back = pullback(f, 0.73)
    assert back(1.0) == back(1.0)
    assert back(2.0)[1] == pytest.approx(2.0 * back(1.0)[1])


def returned(x):
    st = Stack([x, 2.0])
    st.push(x * x)
    return st


def test_one_that_is_given_is_of_its_class() -> None:
    for _ in range(3):
        y, back = pullback(returned, 0.7)
        assert type(y) is Stack
        assert y == [0.7, 2.0, 0.7 * 0.7]
        assert back([1.0, 5.0, 10.0])[1] == pytest.approx(1.0 + 14.0)


def of_an_argument(d, x):
    d["a"] = d["a"] * x
    return d["a"] + d.top() if isinstance(d, Stack) else d["a"] * x


def test_those_in_arguments_are_changed() -> None:
    for _ in range(3):
        d = Grid(a=2.0)
        _, back = pullback(of_an_argument, d, 3.0)
        assert dict(d) == {"a": 6.0}
        assert back(1.0)[2] == pytest.approx(12.0)


def no_key(x):
    d = Config(a=x)
    return d.b * x


def no_item(x):
    st = Stack([x])
    st.pop()
    return st.pop() * x


@pytest.mark.parametrize(("f", "error"), [(no_key, AttributeError), (no_item, IndexError)])
def test_errors_are_those_of_python(f: Any, error: type[Exception]) -> None:
    hold_errors(f, lambda: (0.73,), error)


def test_a_method_that_comes_later_counts() -> None:
    class Late(list):
        pass

    def program(x):
        late = Late([x, 2.0 * x])
        late[0] = x * x
        return late[0] + sum(late) + len(late)

    for _ in range(3):
        assert grad(program)(0.7) == pytest.approx(2 * 1.4 + 2.0)
    Late.__getitem__ = lambda self, i: 10.0 * list.__getitem__(self, i)  # type: ignore[method-assign, assignment]
    assert grad(program)(0.7) == pytest.approx(11 * 1.4 + 2.0)
    Late.__len__ = lambda self: 7  # type: ignore[method-assign]
    check(program, 0.7)


def generators_over_lists(x):
    xs, ys = [x, 2.0 * x], [x * x, 1.0]
    v = Vector(a * b for a, b in zip(xs, ys, strict=True))
    w = Vector(i * a for i, a in enumerate(ys) if i > 0)
    return sum(v) * w[0] + sum(Vector(a for a in xs))


class Late:
    """Runs through what it is given when it is asked."""

    def __init__(self, items):
        self.items = items

    def total(self):
        return sum(self.items)


def grown_before_it_is_run_through(x):
    xs = [x, 2.0 * x]
    late = Late(a * a for a in xs)
    xs.append(5.0 * x)
    return late.total()


def stored_before_it_is_run_through(x):
    xs, ys = [x, 2.0 * x], [x, 3.0]
    late = Late(a * b for a, b in zip(xs, ys))  # noqa: B905
    xs[0] = 7.0 * x
    ys.append(1.0)
    return late.total() + sum(xs)


def grown_while_it_is_run_through(x):
    xs = [x, 2.0 * x]
    for a in Stack(b * x for b in xs):
        xs.append(a)
    for i, a in (pair for pair in enumerate(xs)):
        if len(xs) < 7:
            xs.append(a * i)
    return sum(xs)


class Eating:
    def __init__(self, items, xs):
        self.total = 0.0
        for v in items:
            self.total += v
            if len(xs) < 5:
                xs.append(v)


def eaten(x):
    xs = [x, 2.0 * x]
    ys = [1.0, x, x]
    a = Eating((v * x for v in xs), xs)
    b = Eating((v * w for v, w in zip(xs, ys)), ys)  # noqa: B905
    c = Eating((i * w for i, w in enumerate(ys)), [])
    return a.total + b.total * c.total + sum(xs) + sum(ys)


def array_before_it_is_run_through(x):
    a = np.array([x, 2.0 * x])
    late = Late(v * v for v in a)
    a[0] = 3.0
    return late.total() + a[0]


def test_generators_over_lists_are_loops() -> None:
    hold(generators_over_lists, lambda: (0.73,))


@pytest.mark.parametrize(
    "f",
    [
        *(grown_before_it_is_run_through, stored_before_it_is_run_through, grown_while_it_is_run_through),
        *(array_before_it_is_run_through, eaten),
    ],
    ids=lambda f: f.__name__,
)
def test_lists_that_change_before_a_generator_is_asked(f: Any) -> None:
    for _ in range(3):
        check_everywhere(f, 0.73)


# ---- objects as arguments that nobody asks for their items


class Tripled(dict):  # type: ignore[type-arg]
    def __getitem__(self, key: Any) -> Any:
        return 3.0 * dict.__getitem__(self, key)


class Firsts(list):  # type: ignore[type-arg]
    def first(self) -> Any:
        return self[0]


class Doubles(list):  # type: ignore[type-arg]
    def __iter__(self) -> Any:
        return iter([2.0 * list.__getitem__(self, i) for i in range(list.__len__(self))])


def stored_under_a_key(x: Any) -> Any:
    d: dict[str, Any] = {"k": Tripled(a=x)}
    d["j"] = Tripled(a=x * x)
    return d["k"]["a"] * x + d["j"]["a"]


def the_larger(x: Any) -> Any:
    return max(Firsts([x]), Firsts([x * x])).first() * x


def added_in_place(x: Any) -> Any:
    b = [1.0]
    b += Doubles([x])
    return sum(b) * x


def in_place_of_a_slice(x: Any) -> Any:
    b = [1.0, 2.0]
    b[0:1] = Doubles([x, x])
    return sum(b) * x


@pytest.mark.parametrize("f", [stored_under_a_key, the_larger, added_in_place, in_place_of_a_slice])
def test_an_argument_that_is_not_asked_for_its_items(f: Any) -> None:
    h = 1e-6
    slope = (f(1.5 + h) - f(1.5 - h)) / (2 * h)
    for _ in range(3):
        assert gradient(f, 1.5)[0] == pytest.approx(slope, rel=1e-6)
