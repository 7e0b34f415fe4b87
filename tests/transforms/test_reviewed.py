"""Programs whose derivative was once wrong in silence."""

import functools
import gc
import math
import weakref
from collections import OrderedDict, defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from adjoint import grad, gradient, withgradient
from adjoint.transforms.outs import place_of_out


def sum_of_a_display(y: float) -> float:
    y = sum([y * y for _ in range(2)])
    return max(y, 0.0)


def product_of_a_display(y: float) -> float:
    y = math.prod([y * y for _ in range(2)])
    if y > 0.0:
        y = 2.0 * y
    return y


def delayed(x: float) -> float:
    a = b = c = d = e = f = 0.0
    for _ in range(10):
        a, b, c, d, e, f = x, a, b, c, d, e
    return f


def delayed_in_while(x: float) -> float:
    a = b = c = d = e = f = g = h = 0.0
    n = 0
    while n < 12:
        a, b, c, d, e, f, g, h = x, a * x, b, c, d, e, f, g
        n += 1
    return h


def delayed_array(x: float) -> float:
    a = b = c = d = e = np.zeros(2)
    f: Any = 0
    for _ in range(10):
        a, b, c, d, e, f = x * np.ones(2), a, b, c, d, e
    return f[0]


def appended(x: float) -> float:
    xs = [x, x * x]
    xs.append(xs[1] * x)
    return xs[2] * xs[1]


def aliased_list(x: float) -> float:
    xs = [x]
    ys = xs
    ys += [x * x]
    return sum(xs)


def view_then_store(x: float) -> float:
    out = np.zeros(3)
    v = out[:2]
    out[0] = x
    return v.sum() * x


def rows_of(x: float) -> float:
    out = np.zeros((2, 2))
    rows = [row for row in out]
    out[0] = x
    return rows[0].sum() * x


def transposed(x: float) -> float:
    out = np.zeros((2, 2))
    v = out.T
    out[0, 1] = x
    return v[1, 0] * x


def unpacked(x: float) -> float:
    out = np.zeros((2, 2))
    a, b = out
    out[0, 1] = x
    return a[1] * x + b[0]


def shaped(x: float) -> float:
    out = np.zeros((3, 1))
    b = out.reshape(3)
    out[0] = x
    return b[0] * x


@functools.lru_cache
def square(x: float) -> float:
    return x * x


class Holder:
    def __init__(self, v: float) -> None:
        self.v = v

    def squared(self) -> float:
        return square(self.v)


def cached_in_a_method(x: float) -> float:
    Holder(x).squared()
    return square(x)


def cached_recursion(x: float) -> float:
    @functools.lru_cache
    def power(n: int) -> float:
        return 1.0 if n == 0 else x * power(n - 1) + (power(n - 2) if n > 1 else 0.0)

    return power(12)


class Total:
    total = 0.0


def class_attribute(x: float) -> float:
    Total.total = x * x
    return Total.total * x


def last_of_two(x: float) -> float:
    a = np.zeros(2)
    a[[0, 0]] = np.array([x, 2 * x])
    return a[0] * a[0]


def last_of_three(x: float) -> float:
    a = np.zeros((2, 2))
    a[np.array([0, 0, 1]), 1] = np.array([x, 2 * x, 3 * x])
    return (a * a).sum()


PROGRAMS = [
    *(sum_of_a_display, product_of_a_display, delayed, delayed_in_while, delayed_array, appended, aliased_list),
    *(view_then_store, rows_of, transposed, unpacked, shaped, cached_in_a_method, cached_recursion, class_attribute),
    *(last_of_two, last_of_three),
]


def slope(f: Any, x: float, h: float = 1e-5) -> float:
    return float((f(x + h) - f(x - h)) / (2 * h))


@pytest.mark.parametrize("f", PROGRAMS)
def test_first_derivatives(f: Any) -> None:
    y, (d,) = withgradient(f, 1.3)
    assert y == f(1.3)
    assert math.isclose(d, slope(f, 1.3), rel_tol=1e-7)


@pytest.mark.parametrize("f", PROGRAMS)
def test_second_derivatives(f: Any) -> None:
    assert math.isclose(grad(grad(f))(1.3), slope(grad(f), 1.3), rel_tol=1e-7)


def test_equal_numbers_are_different_variables() -> None:
    assert gradient(lambda x, y: square(x) + 3 * square(y), 2.0, 2.0) == (4.0, 12.0)


def double_in_place(a: Any) -> None:
    a *= 2


def store_in_place(a: Any) -> None:
    a[0] = 7.0


def through(a: Any) -> None:
    double_in_place(a)


def call_bump(change: Any) -> Any:
    def f(x: Any) -> Any:
        a = np.array([3.0, 1.0, 2.0])
        y = (x * a).sum()
        change(a)
        return y

    return f


@pytest.mark.parametrize(
    "change",
    [
        *(double_in_place, store_in_place, through),
        *(lambda a: list(map(double_in_place, [a])), lambda a: sorted([a], key=lambda b: store_in_place(b) or 1)),
        *(lambda a: a.sort(), lambda a: a.partition(1), lambda a: np.random.default_rng(1).shuffle(a)),
        *(lambda a: a.fill(3.0), lambda a: np.exp(a, a), lambda a: a.__setitem__(0, 2.0)),
        lambda a: np.copyto(a, 2.0),
    ],
)
def test_what_was_read_is_changed_by_a_call(change: Any) -> None:
    f = call_bump(change)
    x = np.array([1.0, 2.0, 3.0])
    np.testing.assert_allclose(gradient(f, x)[0], [3.0, 1.0, 2.0])


def sorts(x: Any) -> Any:
    a = np.array([3.0, 1.0, 2.0])
    y = (x * a).sum()
    a.sort()
    return y


def shuffles(x: Any) -> Any:
    a = np.array([3.0, 1.0, 2.0])
    y = (x * a).sum()
    np.random.shuffle(a)
    return y


def generator_shuffles(x: Any) -> Any:
    a = np.array([3.0, 1.0, 2.0])
    y = (x * a).sum()
    np.random.default_rng(1).shuffle(a)
    return y


@pytest.mark.parametrize("f", [sorts, shuffles, generator_shuffles])
def test_what_was_read_is_changed(f: Any) -> None:
    y, (d,) = withgradient(f, np.array([1.0, 2.0, 3.0]))
    assert y == 11.0
    assert d.tolist() == [3.0, 1.0, 2.0]


def later(x: Any, y: Any) -> Any:
    return abs(x) * y


def test_a_builtin_is_hidden_later(monkeypatch: pytest.MonkeyPatch) -> None:
    assert gradient(later, 3.0, 2.0)[0] == 2.0
    monkeypatch.setitem(globals(), "abs", lambda x: x * x)
    assert gradient(later, 3.0, 2.0)[0] == 12.0


def helper(x: float, k: float = 2.0) -> float:
    return k * x * x


def test_the_code_of_a_callee_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    f = lambda x: helper(x)  # noqa: E731
    assert gradient(f, 3.0) == (12.0,)
    monkeypatch.setattr(helper, "__defaults__", (5.0,))
    assert gradient(f, 3.0) == (30.0,)
    monkeypatch.setattr(helper, "__code__", (lambda x, k: k * x * x * x).__code__)
    assert gradient(f, 3.0) == (135.0,)


def weighted(x: float, y: float) -> float:
    return x * y + 0.5 * x


def loop_that_is_not_entered(a: float, b: float) -> float:
    c = 0.3
    for _ in range(1):
        c = math.tanh(weighted(math.tanh(a), (1.3 / (1.5 + c * c))))
    for _ in range(3):
        for _ in range(2):
            c = (a + 0.7) / (1.5 + math.prod([1.3 for _ in range(2)]) * math.prod([1.3 for _ in range(2)]))
            for _ in range(0):
                c = (b - (0.7 + b)) + math.sin(weighted(c, 1.3))
                a = a
                c += c
                if c > 0.9:
                    break
        if max(math.cos(b if a > 0.2 else a), (a - sum([v * 1.3 for v in (1.3, 1.3)]))) > 0.9:
            break
    a = math.prod([(c - 1.3) for _ in range(2)]) - max((0.7 / (1.5 + b * b)), weighted(a, c))
    return ((math.tanh(a) * math.prod([c for _ in range(2)])) * a) + c * a - b


def test_a_loop_that_is_not_entered() -> None:
    assert math.isfinite(gradient(loop_that_is_not_entered, 0.37, 0.81)[0])


def test_a_plain_function_is_not_kept() -> None:
    def plain(a: Any) -> float:
        return 1.0

    ref = weakref.ref(plain)
    assert place_of_out(plain) is None
    del plain
    gc.collect()
    assert ref() is None


def deleted_after(x: Any) -> Any:
    inner = lambda: x  # noqa: E731, F821
    y = inner() * x
    del x
    return y * y


def deleted_in_a_loop(x: Any) -> Any:
    y = 0.0
    for k in range(3):
        v = x * k
        inner = lambda: v  # noqa: B023, E731, F821
        y += inner() * x
        del v
    return y


@pytest.mark.parametrize("f", [deleted_after, deleted_in_a_loop])
def test_a_captured_variable_is_deleted(f: Any) -> None:
    h = 1e-6
    assert grad(f)(1.5) == pytest.approx((f(1.5 + h) - f(1.5 - h)) / (2 * h), rel=1e-6)


def test_a_captured_variable_without_value() -> None:
    def f(x: Any) -> Any:
        if x > 5:
            s = x
        inner = lambda: s  # noqa: E731
        return s * x + inner()

    with pytest.raises(UnboundLocalError) as plain:
        f(1.0)
    with pytest.raises(UnboundLocalError) as found:
        gradient(f, 1.0)
    assert str(found.value) == str(plain.value)


def test_the_generic_rule_refuses_no_more_than_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    body = "def g{i}(x, xs):\n    l = xs[:]\n    l.append(x * {i}.0)\n    return sum([v * v for v in l])\n"
    (tmp_path / "manyfunctions.py").write_text("".join(body.format(i=i) for i in range(20)))
    monkeypatch.syspath_prepend(tmp_path)
    import manyfunctions  # type: ignore[import-not-found]

    def second(f: Any, x: Any, xs: Any) -> Any:
        return gradient(lambda u: gradient(f, u, xs)[0], x)[0]

    found = [second(getattr(manyfunctions, f"g{i}"), 2.0, [3.0, 4.0]) for i in range(20)]
    assert found == [2.0 * i * i for i in range(20)]


def test_the_nuclear_norm_of_a_matrix_without_full_rank() -> None:
    norm = lambda t: np.linalg.norm(np.outer(np.array([1.0, 2.0]), np.array([t, 1.0])), "nuc")  # noqa: E731
    first, h = grad(norm), 1e-5
    assert first(0.7) == pytest.approx(0.7 * math.sqrt(5 / 1.49))
    assert grad(first)(0.7) == pytest.approx((first(0.7 + h) - first(0.7 - h)) / (2 * h), rel=1e-6)


def test_a_store_into_integers_passes_nothing_on() -> None:
    def f(a: Any, x: Any) -> Any:
        h = a.copy()
        h[0] = x * 2.7
        return (h * 1.5 * a).sum()

    a_bar, x_bar = gradient(f, np.array([1, 2]), 2.0)
    assert a_bar.tolist() == [7.5, 6.0] and x_bar == 0.0


def test_defaults_of_dicts_and_ordered_ones() -> None:
    def f(x: Any) -> Any:
        table: Any = defaultdict(float)
        for i in range(4):
            table[i % 2] += x * i
        ordered: Any = OrderedDict()
        ordered["a"] = table[0]
        ordered["b"] = x * x
        return table[1] * ordered["a"] * ordered["b"]

    x, h = 1.5, 1e-6
    assert gradient(f, x)[0] == pytest.approx((f(x + h) - f(x - h)) / (2 * h), rel=1e-6)
