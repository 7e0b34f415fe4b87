"""What calls give back, keep and change: differentiated rightly to second order, or refused; never wrong in silence."""

# ruff: noqa: E701, E702, E731
from __future__ import annotations

import functools
import heapq
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy import copyto as assign
from regressions.differences import check

from adjoint import grad, gradient, withgradient
from adjoint.errors import AdjointError

A = np.array([0.5, 1.5, -2.0])
M = np.array([[0.5, 1.5], [2.0, -1.0]])
PROGRAMS: dict[str, tuple[Callable[[Any], Any], Any]] = {}


def about(x: Any) -> Callable[[Any], Any]:
    """A program, and the point where it is differentiated."""

    def note(f: Any) -> Any:
        PROGRAMS[f.__name__] = (f, x)
        return f

    return note


@about(A)
def b1(a):
    m = np.array([1.0, 2.0, 3.0])
    y = m * a
    m.view()[0] = 9.0
    return (y * y).sum()


@about(A)
def b2(a):
    m = np.array([1.0, 2.0, 3.0])
    y = m * a
    m.real[0] = 9.0
    return (y * y).sum()


@about(A)
def b3(a):
    m = np.array([1.0, 2.0, 3.0])
    y = m * a
    m.flat[0] = 9.0
    return (y * y).sum()


@about(A)
def b4(a):
    m = np.array([1.0, 2.0, 3.0])
    y = m * a
    m.data[0] = 9.0
    return (y * y).sum()


@about(A)
def b5(a):
    m = np.array([1.0, 2.0, 3.0])
    y = m * a
    m.astype(float, copy=False)[0] = 9.0
    return (y * y).sum()


@about(A)
def b6(a):
    m = np.array([1.0, 2.0, 3.0])
    y = m * a
    np.split(m, 3)[0][0] = 9.0
    return (y * y).sum()


@about(A)
def b7(a):
    m = np.array([1.0, 2.0, 3.0])
    y = m * a
    np.require(m)[0] = 9.0
    return (y * y).sum()


@about(A)
def b8(a):
    m = np.array([1.0, 2.0, 3.0])
    y = m * a
    np.ma.asarray(m)[0] = 9.0
    return (y * y).sum()


@about(A)
def b9(a):
    m = np.array([1.0, 2.0, 3.0])
    y = m * a
    m.__array__()[0] = 9.0
    return (y * y).sum()


@about(A)
def b10(a):
    idx = np.array([0, 1])
    lo, hi = np.split(idx, [1])
    y = a[idx]
    lo[0] = 2
    return (y * y).sum()


@about(A)
def b11(a):
    order = np.array([0, 1])
    y = a[order]
    order.real[0] = 2
    return (y * y).sum()


@about(A)
def b12(a):
    m = np.array([1.0, 2.0, 3.0])
    y = m * a
    np.broadcast_arrays(m, m)[0][0] = 9.0
    return (y * y).sum()


@about(A)
def b13(a):
    m = np.array([1.0, 2.0, 3.0])
    y = m * a
    np.lib.stride_tricks.as_strided(m)[0] = 9.0
    return (y * y).sum()


@about(A)
def b14(a):
    m = np.array([1.0, 2.0, 3.0])
    y = m * a
    np.frombuffer(m)[0] = 9.0
    return (y * y).sum()


@about(A)
def b15(a):
    m = np.array([1.0, 2.0, 3.0])
    y = m * a
    view = np.from_dlpack(m)
    if view.flags.writeable:  # since NumPy 2.3
        view[0] = 9.0
    return (y * y).sum()


@about(A)
def b16(a):
    m = np.array([1.0, 2.0, 3.0])
    y = m * a
    m.getfield(float)[0] = 9.0
    return (y * y).sum()


@about(M)
def c1(a):
    b = a * 2
    v = np.linalg.matrix_power(b, 1)
    b[0, 1] = a[1, 1] ** 2
    return (v * a).sum()


@about(M)
def c2(a):
    b = a * 2
    v = b.__getitem__(slice(0, 2))
    b[0, 1] = a[1, 1] ** 2
    return (v * a).sum()


@about(M)
def c3(a):
    b = a * 2
    v = np.ndarray.__getitem__(b, slice(0, 2))
    b[0, 1] = a[1, 1] ** 2
    return (v * a).sum()


@about(M)
def c4(a):
    b = a * 2
    v = b.__array__()
    b[0, 1] = a[1, 1] ** 2
    return (v * a).sum()


@about(M)
def c5(a):
    b = a * 2
    v = np.polyder(b, 0)
    b[0, 1] = a[1, 1] ** 2
    return (v * a).sum()


@about(M)
def c6(a):
    b = a * 2
    v = np.einsum(b, [0, 1], [1, 0])
    b[0, 1] = a[1, 1] ** 2
    return (v * a).sum()


@about(M)
def c7(a):
    b = a * 2
    v = b.astype(float, "K", "unsafe", True, False)
    b[0, 1] = a[1, 1] ** 2
    return (v * a).sum()


@about(M)
def c8(a):
    b = a * 2
    v = np.einsum("ij->ji", b)
    b[0, 1] = a[1, 1] ** 2
    return (v * a).sum()


@about(2.0)
def d1(x):
    cur = [x, 1.0]
    b = max(cur, [0.5, 0.5])
    cur[0] = x * x
    return b[0]


@about(2.0)
def d2(x):
    b = [x, 1.0]
    c = sum([], b)
    b[0] = x * x
    return c[0]


@about(2.0)
def d3(x):
    b = [x, 1.0]
    c = {}.get("k", b)
    b[0] = x * x
    return c[0]


@about(2.0)
def d4(x):
    b = [x, 1.0]
    c = getattr(math, "zzz", b)
    b[0] = x * x
    return c[0]


def minv(b):
    return min(b, b, key=len)


@about(2.0)
def d5(x):
    b = [x, 1.0]
    c = minv(b)
    b[0] = x * x
    return c[0]


@about(2.0)
def d6(x):
    b = [x, 1.0]
    c = next(iter([]), b)
    b[0] = x * x
    return c[0]


def first(r):
    return r[0]


@about(2.0)
def e1(x):
    r = [[x] * 2 for _ in range(3)]
    q = first(r)
    r[0][1] = x * x
    return q[1]


def e2f(r):
    return [r[0]]


@about(2.0)
def e2(x):
    r = [[x] * 2 for _ in range(3)]
    q = e2f(r)[0]
    r[0][1] = x * x
    return q[1]


def e3f(r):
    return [v for v in r]


@about(2.0)
def e3(x):
    r = [[x] * 2 for _ in range(3)]
    q = e3f(r)[0]
    r[0][1] = x * x
    return q[1]


def e4f(r):
    return r[0], r[1]


@about(2.0)
def e4(x):
    r = [[x] * 2 for _ in range(3)]
    q, _ = e4f(r)
    r[0][1] = x * x
    return q[1]


@about(2.0)
def e5(x):
    g = lambda r: r[0]
    r = [[x] * 2 for _ in range(3)]
    q = g(r)
    r[0][1] = x * x
    return q[1]


@about(2.0)
def e6(x):
    r = [np.ones(2) * x for _ in range(3)]
    q = first(r)
    r[0][1] = x * x
    return q[1]


@about(2.0)
def f1(x):
    z = [x, x]
    r = [z for _ in range(3)]
    r[0][0] = x * x
    return r[1][0]


@about(2.0)
def f2(x):
    z = [x, x]
    r = []
    for _i in range(3):
        r.append(z)
    r[0][0] = x * x
    return r[1][0]


@about(2.0)
def f3(x):
    z = [x, x]
    r = [[0.0], [0.0], [0.0]]
    for i in range(3):
        r[i] = z
    r[0][0] = x * x
    return r[1][0]


@about(2.0)
def f4(x):
    z = [x, x]
    for _i in range(3):
        r = [z]
        r[0][0] *= x
    return z[0]


@about(2.0)
def g1(x):
    d = {"a": x}
    d["self"] = d
    d["a"] = x * x
    return d["self"]["a"]


@about(2.0)
def g2(x):
    b = [x]
    b.append(b)
    b[0] = x * x
    return b[1][0]


class S:
    def __init__(self, x):
        self.d = {"a": x}
        self.d["b"] = self.d
        self.d["a"] = x * x


@about(2.0)
def g3(x):
    return S(x).d["b"]["a"]


@about(A)
def h1(a):
    order = [2, 0, 1]
    y = 0.0
    for k in order:
        y = y + a[k] ** 3 * (1 + y)
    order.__setitem__(0, 1)
    return y


@about(A)
def h2(a):
    order = [2, 0, 1]
    y = 0.0
    for k in order:
        y = y + a[k] ** 3 * (1 + y)
    order.__delitem__(0)
    return y


@about(A)
def h3(a):
    order = [2, 0, 1]
    y = 0.0
    for k in order:
        y = y + a[k] ** 3 * (1 + y)
    order.__iadd__([0])
    return y


@about(A)
def h4(a):
    order = [2, 0, 1]
    y = 0.0
    for k in order:
        y = y + a[k] ** 3 * (1 + y)
    list.sort(order)
    return y


@about(A)
def h5(a):
    order = [2, 0, 1]
    y = 0.0
    for k in order:
        y = y + a[k] ** 3 * (1 + y)
    list.pop(order)
    return y


@about(A)
def h6(a):
    order = [2, 0, 1]
    y = 0.0
    for k in order:
        y = y + a[k] ** 3 * (1 + y)
    list.reverse(order)
    list.clear(order)
    return y


@about(2.0)
def i1(x):
    rng = np.random.default_rng(0)
    b = np.ones(3) * 2
    y = (b * x).sum()
    rng.random(out=b)
    return y


@about(2.0)
def i2(x):
    rng = np.random.default_rng(0)
    b = np.ones(3) * 2
    y = (b * x).sum()
    rng.standard_normal(3, float, b)
    return y


@about(2.0)
def i3(x):
    rng = np.random.default_rng(0)
    b = np.ones(3) * 2
    y = (b * x).sum()
    rng.permuted(b, out=b)
    b[0] = 3.0
    rng.shuffle(b)
    return y


@about(2.0)
def i4(x):
    b = [3, 2, 1]
    y = sum(v * x for v in b)

    heapq.heapify(b)
    return y


# should work
@about(A)
def w1(a):
    m = a[:, None] @ a[None, :]
    s = m[0, 0]
    s -= a[0]
    return s * m[0, 1]


@about(A)
def w2(a):
    n = 3
    m = np.outer(a, a) + 3 * np.eye(3)
    L = np.zeros((3, 3))
    for i in range(n):
        for j in range(i + 1):
            s = m[i, j]
            for k in range(j):
                s -= L[i, k] * L[j, k]
            if i == j:
                L[i, j] = np.sqrt(s)
            else:
                L[i, j] = s / L[j, j]
    return np.log(L[0, 0] * L[1, 1] * L[2, 2])


@about(A)
def w3(a):
    m = np.cumsum(a)
    s = m[0]
    s -= a[1]
    t = np.where(a > 0, a, 0.0)[1]
    t += s
    return t * m[2]


RIGHT = ("w1", "w2", "w3")
"""Those that are surely followed."""


def slopes(f: Callable[[Any], Any], x: Any, h: float = 1e-6) -> Any:
    if not isinstance(x, np.ndarray):
        return (f(x + h) - f(x - h)) / (2 * h)
    steps = h * np.eye(x.size).reshape(x.size, *x.shape)
    return np.array([(f(x + e) - f(x - e)) / (2 * h) for e in steps]).reshape(x.shape)


@pytest.mark.parametrize("name", PROGRAMS)
def test_right_or_refused(name: str) -> None:
    f, x = PROGRAMS[name]
    try:
        y, (d,) = withgradient(f, x)
        np.testing.assert_allclose(y, f(x), rtol=1e-14)
        np.testing.assert_allclose(d, slopes(f, x), rtol=1e-5, atol=1e-5)
        along = f if not isinstance(x, np.ndarray) else lambda t: f(x + t * np.cos(np.arange(x.size)).reshape(x.shape))
        at = 0.0 if isinstance(x, np.ndarray) else x
        np.testing.assert_allclose(grad(grad(along))(at), slopes(grad(along), at), rtol=1e-4, atol=1e-4)
    except AdjointError as error:
        assert name not in RIGHT
        assert error.why and error.way_out and error.place is not None


# Plain calls: functions that are not differentiated, and what they store into.


def by_try(m: Any) -> None:
    try:
        m[:] = 0.0
    finally:
        pass


def by_with(m: Any) -> None:
    with np.errstate(all="ignore"):
        m[0] = 9.0


def by_exec(m: Any) -> None:
    exec("m[0] = 9.0")


def by_generator(m: Any) -> None:
    def stored() -> Any:
        m[0] = 9.0
        yield 1

    list(stored())


class Box:
    def __init__(self, m: Any) -> None:
        self.m = m
        self.n = 0

    def bump(self, k: float) -> None:
        try:
            self.m[0] = k
        finally:
            pass

    def counted(self) -> float:
        self.n += 1
        return float(self.m[0])


def same(m: Any) -> Any:
    return m


def view(m: Any) -> Any:
    return m[:]


def in_display(m: Any) -> None:
    [m][0][0] = 9.0


def in_dict(m: Any) -> None:
    {"a": m}["a"][0] = 9.0


def in_object(m: Any) -> None:
    Box(m).m[0] = 9.0


def in_loop(m: Any) -> None:
    for q in [m]:
        q[0] = 9.0


def in_loop_of_views(m: Any) -> None:
    for row in np.atleast_2d(m):
        row[0] = 9.0


def through_function(m: Any) -> None:
    same(m)[0] = 9.0


def through_view(m: Any) -> None:
    view(m)[0] = 9.0


def through_split(m: Any) -> None:
    p, _ = np.split(m, [1])
    p[0] = 9.0


def through_star(m: Any) -> None:
    _, *b = m, m
    b[0][0] = 9.0


def through_method(m: Any) -> None:
    m.view()[0] = 9.0


def through_max(m: Any) -> None:
    max([m], key=len)[0] = 9.0


def through_iterator(m: Any) -> None:
    next(iter([m]))[0] = 9.0


def through_operator(m: Any) -> None:
    import operator

    operator.setitem(m, 0, 9.0)


def in_comprehension(m: Any) -> None:
    [q.fill(9.0) for q in [m]]


def by_nditer(m: Any) -> None:
    for z in np.nditer(m, op_flags=["readwrite"]):  # type: ignore[call-overload]
        z[...] = 9.0


def by_flat(m: Any) -> None:
    m.flat[0] = 9.0


def by_random(m: Any) -> None:
    np.random.default_rng(0).random(out=m)


STORING = [
    *(by_try, by_with, by_generator, in_display, in_dict, in_object, in_loop, in_loop_of_views),
    *(through_function, through_view, through_split, through_star, through_method, through_max, through_iterator),
    *(through_operator, in_comprehension, by_flat, by_random, lambda m: Box(m).bump(5.0)),
]
REFUSED = [by_exec, by_nditer]
TABLE = {f.__name__: f for f in (*STORING, *REFUSED)}


def around(change: Any, found: bool) -> Callable[[Any, Any], Any]:
    """A function that reads `m` before it is changed."""

    def f(a: Any, m: Any) -> Any:
        y = (m * a).sum()
        (TABLE[change.__name__] if found else change)(m)
        return y

    return f


@pytest.mark.parametrize("change", STORING)
@pytest.mark.parametrize("found", [False, True])
def test_plain_functions_that_store(change: Any, found: bool) -> None:
    f = around(change, found)
    check(f, A, np.ones(3))
    check(lambda a, m: f(a, m) * (m * m * a).sum(), A, np.ones(3))
    m, plain = np.ones(3), np.ones(3)
    assert withgradient(lambda a: f(a, m), A) == (f(A, plain), (pytest.approx(np.ones(3)),))
    assert m.tolist() == plain.tolist() != [1.0, 1.0, 1.0]


@pytest.mark.parametrize("change", REFUSED)
@pytest.mark.parametrize("found", [False, True])
def test_plain_functions_that_store_where_nobody_sees_it_are_refused(change: Any, found: bool) -> None:
    f, m = around(change, found), np.ones(3)
    with pytest.raises(AdjointError) as e:
        gradient(lambda a: f(a, m), A)
    assert e.value.why and e.value.way_out and e.value.place is not None
    assert m.tolist() == [1.0, 1.0, 1.0]


def counted(m: Any) -> float:
    COUNTS[len(COUNTS)] = 1
    return float(m.mean())


COUNTS: dict[int, int] = {}


def with_lists_of_its_own(m: Any) -> float:
    out, seen = [], {}
    for v in m:
        out.append(v * 2.0)
        seen[v] = seen.get(v, 0) + 1
    out[0] = 1.0
    return float(sum(out)) * len(seen)


def with_a_slice_of_a_constant(m: Any) -> float:
    return float(len("abcdef"[1:3]) + m[0])


def tried(m: Any) -> float:
    try:
        return float(m.max())
    except ValueError:
        return 0.0


def sorted_in_place(m: Any) -> float:
    try:
        copied = m.copy()
        copied.sort()
        return float(copied[0])
    finally:
        pass


@pytest.mark.parametrize(
    "plain",
    [counted, with_a_slice_of_a_constant, with_lists_of_its_own, tried, sorted_in_place, lambda m: Box(m).counted()],
)
def test_plain_functions_that_store_into_their_own(plain: Any) -> None:
    def f(a: Any, m: Any) -> Any:
        return (m * a).sum() * plain(m)

    m = np.array([1.0, 2.0, 3.0])
    assert gradient(lambda a: f(a, m), A)[0].tolist() == (m * plain(m)).tolist()


# What a plain function reaches by names, and what is found only when it runs.

C = np.array([1.0, 2.0, 3.0])


def fill(a: Any) -> float:
    a[0] = 5.0
    return 1.0


def fill_with(v: float, a: Any) -> float:
    a[0] = v
    return 1.0


class Resets:
    def __init__(self, a: Any) -> None:
        a[0] = 5.0


class Operators:
    def __add__(self, a: Any) -> float:
        return fill(a)

    def __call__(self, a: Any) -> float:
        return fill(a)

    def sum(self, a: Any) -> float:
        return fill(a)

    @property
    def next(self) -> float:
        return fill(C)


HOOKS = [fill]
ITEM = Operators()
reset = functools.partial(fill_with, 5.0)


def by_hook(a: Any) -> float:
    return HOOKS[0](a)


def by_keyword_default(a: Any, *, hook: Any = fill) -> float:
    return float(hook(a))


def by_partial(a: Any) -> float:
    return reset(a)


def by_positional_out(a: Any) -> float:
    np.multiply(a, 2.0, a)
    return 1.0


def by_second_out(a: Any) -> float:
    np.ones((1, 3)).max(0, a)
    return 1.0


def by_new_name(a: Any) -> float:
    assign(a, 2.0)
    return 1.0


def by_attribute(a: Any) -> float:
    a.flat = 2.0
    return 1.0


def by_real(a: Any) -> float:
    a.real = 2.0
    return 1.0


def by_operator(a: Any) -> float:
    return ITEM + a


def by_call(a: Any) -> float:
    return ITEM(a)


def by_method(a: Any) -> float:
    return ITEM.sum(a)


def by_property(a: Any) -> float:
    return ITEM.next


REACHING: list[Any] = [
    *(fill, by_hook, by_keyword_default, by_partial, by_positional_out, by_second_out, by_new_name, by_attribute),
    *(by_real, by_operator, by_call, by_method, by_property, reset, ITEM, lambda a: by_hook(a)),
]


@pytest.mark.parametrize("change", REACHING)
@pytest.mark.parametrize("found", [False, True])
def test_what_a_plain_function_reaches(change: Any, found: bool) -> None:
    table = {"f": change, "n": 1.0}

    def f(x: Any) -> Any:
        y = x * C
        z = (y * y).sum()
        return z * (table["f"] if found else change)(C)  # type: ignore[operator]

    check_with_constants(f)
    check_with_constants(lambda x: f(x) + (x * C).sum())


def check_with_constants(f: Callable[[float], Any]) -> None:
    """Value, derivatives and what becomes of `C`, which every run begins with as it was made."""

    def anew(x: Any) -> Any:
        C[:] = [1.0, 2.0, 3.0]
        return f(x)

    try:
        y, plain = anew(0.5), C.tolist()
        C[:] = [1.0, 2.0, 3.0]
        assert withgradient(f, 0.5) == (y, (pytest.approx(slopes(anew, 0.5), rel=1e-8),))
        assert C.tolist() == plain != [1.0, 2.0, 3.0]
        assert grad(grad(anew))(0.5) == pytest.approx(slopes(grad(anew), 0.5), rel=1e-8)
    finally:
        C[:] = [1.0, 2.0, 3.0]


def test_making_an_object_that_stores() -> None:
    def f(x: Any) -> Any:
        y = x * C
        z = (y * y).sum()
        Resets(C)
        return z + (x * C).sum()

    check_with_constants(f)


WALKED = [1.0, 2.0, 3.0]


def test_a_list_that_was_walked_grows() -> None:
    def grow() -> float:
        WALKED.append(9.0)
        return 1.0

    def f(x: Any) -> Any:
        y = 1.0
        for v in WALKED:
            y = y * x * v + x
        grow()
        return y

    try:
        assert withgradient(f, 0.5) == (2.75, (13.0,))
        assert WALKED == [1.0, 2.0, 3.0, 9.0]
    finally:
        WALKED[:] = [1.0, 2.0, 3.0]


def test_a_table_of_results_may_grow() -> None:
    def f(x: Any) -> Any:
        memo: dict[int, int] = {}

        def fib(n: int) -> int:
            if n not in memo:
                memo[n] = n if n < 2 else fib(n - 1) + fib(n - 2)
            return memo[n]

        return x ** fib(4)

    assert gradient(f, 1.3)[0] == pytest.approx(3 * 1.3**2)
    assert grad(grad(f))(1.3) == pytest.approx(6 * 1.3)


def test_an_array_without_axes_that_is_filled() -> None:
    def f(x: Any) -> Any:
        z = np.zeros(())
        z[()] = x * x
        return z * x

    assert grad(grad(f))(1.3) == pytest.approx(7.8)
