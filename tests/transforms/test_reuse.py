"""Stores that are done in place: the same derivatives as with copies, and no copy where none is needed."""

import linecache
import math
import re
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from regressions import differences

import adjoint
from adjoint import gradient, pullback
from adjoint.derivatives.choice import is_to_be_recorded
from adjoint.transforms import reuse


def recurrence(x: Any) -> Any:
    out = np.zeros(len(x))
    out[0] = x[0]
    for i in range(1, len(x)):
        out[i] = x[i] * out[i - 1] + math.sin(x[i])
    return out


def overwritten_after_it_was_read(x: Any) -> Any:
    a = x.copy()
    total = 0.0
    for i in range(1, len(x)):
        total = total + a[i] * a[i - 1]
        a[i - 1] = a[i] * 2.0
        a[i] = total
    return total + a[0] * a[1]


def read_whole_in_each_round(x: Any) -> Any:
    a = np.zeros(len(x))
    total = 0.0
    for i in range(len(x)):
        a[i] = x[i] * x[0]
        total = total + np.sum(a * a * x)
    return total


def held_in_each_round(x: Any) -> Any:
    a = np.ones(len(x))
    seen = []
    for i in range(len(x)):
        a = a * 1.0
        a[i] = x[i] ** 2
        seen.append(a)
    return (seen[0] * seen[1] * seen[-1] * x).sum()


def rows(x: Any) -> Any:
    states = np.zeros((4, len(x)))
    states[0] = x
    for t in range(3):
        states[t + 1] = np.sin(states[t]) * x + states[t].sum()
    return states[3] * states[1]


def rows_by_a_matrix(x: Any) -> Any:
    alphas = np.zeros((4, len(x)))
    step = np.outer(x, x) + np.eye(len(x))
    alphas[0] = x
    for t in range(3):
        alphas[t + 1] = alphas[t] @ step
        alphas[t + 1] /= alphas[t + 1].sum()
    return np.log(alphas[3] ** 2).sum() + alphas[1, 0]


def a_new_row_in_each_round(x: Any) -> Any:
    total = 0.0
    for i in range(3):
        row = np.zeros(len(x))
        for j in range(len(x)):
            row[j] = x[j] * x[i]
            row[j] = row[j] * row[0]
        total = total + row.sum() * row[1]
    return total


def in_branches(x: Any) -> Any:
    a = x.copy()
    for i in range(len(x)):
        if a[i] > 0.5:
            a[i] = a[i] ** 2
        elif i == 1:
            a[0] = a[i] * a[0]
            a[i] = a[0] + x[2]
        else:
            a[i] += a[0]
    return a * x


def until_it_is_found(x: Any) -> Any:
    a = x.copy()
    i = 0
    while i < 10:
        a[i % len(x)] = a[i % len(x)] * 1.5 + a[0]
        if a[0] > 4.0:
            break
        i = i + 1
    return a.sum() * a[1]


def slices_and_masks(x: Any) -> Any:
    a = x * 1.0
    for i in range(3):
        a[1:] = a[:-1] * x[1:]
        a[a > 0.4] *= 0.5
        a[[0, 2]] = a[[2, 0]] * x[i]
    return a


def by_whole_arrays(pos: Any, vel: Any) -> Any:
    pos, vel = pos.copy(), vel.copy()
    for _ in range(5):
        vel -= 0.1 * np.sin(pos)
        pos += 0.1 * vel
        pos *= 0.9
    return pos * vel


def broadcast_in_place(x: Any) -> Any:
    a = np.zeros((3, len(x)))
    for i in range(3):
        a += x
        a *= x[i]
        a[i] -= x * x
    return a.sum(axis=0)


def two_that_swap(x: Any) -> Any:
    old, new = x.copy(), np.zeros(len(x))
    for _ in range(4):
        for j in range(len(x)):
            new[j] = old[j] * x[j] + old[j - 1]
        old, new = new, old
    return old * new


def used_before_and_after(x: Any) -> Any:
    a = x.copy()
    first = a * a
    for i in range(len(x)):
        a[i] = a[i] * 3.0
    return first * a + x


def a_second_loop_that_reads(x: Any) -> Any:
    a = np.empty(len(x))
    for i in range(len(x)):
        a[i] = x[i] ** 2
    total = 0.0
    for i in range(len(x)):
        for j in range(i):
            total = total + a[i] * a[j]
    return total + a[0]


def never_read_again(x: Any) -> Any:
    a = x.copy()
    total = (a * a).sum()
    for i in range(len(x)):
        a[i] = 7.0 * x[i]
    return total


def single_precision(x: Any) -> Any:
    a = np.zeros(len(x), dtype=np.float32)
    for i in range(len(x)):
        a[i] = x[i] * 2.0
    return a.astype(float) * x


def complex_numbers(x: Any) -> Any:
    a = np.zeros(len(x), dtype=complex)
    for i in range(len(x)):
        a[i] = x[i] * (1.0 + 2.0j)
        a[i] = a[i] * a[i - 1] + x[i]
    return np.abs(a.sum())


def bubbles(x: Any) -> Any:
    a = x.copy()
    n = len(a)
    for i in range(n):
        for j in range(n - 1 - i):
            if a[j] > a[j + 1]:
                a[j], a[j + 1] = a[j + 1], a[j]
    return a * np.arange(1.0, n + 1)


def next_from_now(x: Any) -> Any:
    u = x.copy()
    for _ in range(3):
        new = u.copy()
        for i in range(1, len(u) - 1):
            new[i] = u[i] + x[0] * (u[i - 1] - 2 * u[i] * u[i + 1])
        u = new
    u[0] = u[1] * u[0]
    return u


def stencil(x: Any) -> Any:
    u = x.copy()
    for _ in range(3):
        new = u.copy()
        for i in range(1, len(u) - 1):
            new[i] = u[i] + x[0] * (u[i - 1] - 2 * u[i] * u[i + 1])
        u = new
    return u


def next_that_is_kept(x: Any) -> Any:
    u, seen = x * 1.0, []
    for k in range(3):
        new = np.zeros(len(u))
        for i in range(len(u)):
            new[i] = u[i] * x[k] + u[i - 1]
        seen.append(new)
        u = new
    u[0] = 2.0 * x[1]
    return (seen[0] * seen[1] * x).sum() * u[0] + u[1]


def next_after_no_round(x: Any) -> Any:
    u = x * x
    before = u
    n = int(x[0])
    for _ in range(n):
        u = u * 2.0
        u[0] = x[1]
    u = u * 1.0
    u[1] = 3.0 * x[2]
    return before * u


def row_after_row(x: Any) -> Any:
    row = [0.0] * 4
    for k in range(3):
        after = [1.0] * 4
        for i in range(1, 4):
            after[i] = after[i - 1] * x[k] + row[i] * row[i - 1] + x[i]
        row = after
    return row[3] * row[1]


def in_a_list(x: Any) -> Any:
    out = [0.0] * len(x)
    out[0] = x[0]
    for i in range(1, len(x)):
        out[i] = x[i] * out[i - 1] + math.sin(x[i])
    return out[-1] * out[1]


def table_of_paths(x: Any) -> Any:
    dp = [0.5 for _ in range(5)]
    for j in range(4):
        last = 0.0
        for i in range(1, 5):
            t = dp[i]
            dp[i] = last + x[i - 1] * dp[i - 1] if x[j] > 0.5 else dp[i] * x[j] + dp[i - 1]
            last = t
    return sum(dp) * dp[2]


def list_that_is_kept(x: Any) -> Any:
    now = [v * 1.0 for v in x]
    total = 0.0
    for i in range(3):
        total = total + sum(now) * max(now)
        now[i] = now[i + 1] * x[i]
    return total + sum(now)


def list_that_grows(x: Any) -> Any:
    out = [x[0]]
    for i in range(1, len(x)):
        out.append(x[i] * x[0])
        out[0] = out[0] * x[i]
    return out[0] * out[-1]


def product_of(a: Any, b: Any, scale: Any = 1.0, power: Any = 2.0) -> Any:
    return a * b * np.sum(scale * power)


def given_by_star_and_name(x: Any) -> Any:
    a = x[:2].copy()
    total = 0.0
    for i in range(2):
        total = total + product_of(*a) * x[3] + product_of(1.0, x[0], power=a)
        a[i] = a[i] * a[1 - i] * x[2]
    return total


def filled(x: Any, scale: Any) -> Any:
    out = np.zeros(len(x))
    for i in range(len(x)):
        out[i] = x[i] * scale
    return out


def by_a_function(x: Any) -> Any:
    a = filled(x, x[0])
    for i in range(2):
        a[i] = a[i + 1] * a[i]
        a = filled(a, 2.0) + a
    return a


POINT = np.array([0.3, 0.7, -0.2, 0.9])
IN_PLACE: list[Callable[..., Any]] = [
    read_whole_in_each_round,
    held_in_each_round,
    recurrence,
    overwritten_after_it_was_read,
    rows,
    rows_by_a_matrix,
    a_new_row_in_each_round,
    in_branches,
    until_it_is_found,
    slices_and_masks,
    by_whole_arrays,
    broadcast_in_place,
    used_before_and_after,
    a_second_loop_that_reads,
    never_read_again,
    single_precision,
    complex_numbers,
    bubbles,
    by_a_function,
    in_a_list,
    stencil,
    next_after_no_round,
    row_after_row,
    table_of_paths,
    list_that_is_kept,
]
OTHERS = [two_that_swap, next_from_now, next_that_is_kept, list_that_grows, given_by_star_and_name]


def arguments(f: Callable[..., Any]) -> tuple[Any, ...]:
    return (POINT.copy(), POINT[::-1].copy()) if f is by_whole_arrays else (POINT.copy(),)


@pytest.mark.parametrize("f", [*IN_PLACE, *OTHERS], ids=lambda f: f.__name__)
def test_derivatives(f: Callable[..., Any]) -> None:
    """Twice, but where a step of a difference is lost in float32."""
    if f is single_precision:
        np.testing.assert_allclose(gradient(lambda x: f(x).sum(), POINT)[0], 4 * POINT, rtol=1e-6)
    else:
        differences.check(f, *arguments(f), order=2)


@pytest.mark.parametrize("f", [*IN_PLACE, *OTHERS], ids=lambda f: f.__name__)
def test_back_can_be_called_again(f: Callable[..., Any]) -> None:
    """Also after that of another call in between; and nothing that was given is changed."""
    args = arguments(f)
    y, back = pullback(f, *args)
    _, other = pullback(f, *(2.0 * a for a in args))
    y_bar = np.ones_like(y) if isinstance(y, np.ndarray) else 1.0
    kept = np.copy(y_bar)
    first = back(y_bar)
    other(y_bar)
    for a, b in zip(first[1:], back(y_bar)[1:], strict=True):
        np.testing.assert_array_equal(a, b)
    np.testing.assert_array_equal(y_bar, kept)
    for a, b in zip(args, arguments(f), strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("f", [*IN_PLACE, *OTHERS], ids=lambda f: f.__name__)
def test_as_with_copies(f: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """What the program gives that copies at every store, reversed in its structure all the same."""
    args = arguments(f)
    total = lambda *xs: np.sum(f(*xs)).real  # noqa: E731
    values = f(*args), *gradient(total, *args)
    monkeypatch.setattr(reuse, "MAX_ATTEMPTS", 0)
    monkeypatch.setattr("adjoint.runtime.spec.copies_in_loop", lambda block: False)
    adjoint.inspect.cache_clear()
    try:
        for a, b in zip(values, (f(*args), *gradient(total, *args)), strict=True):
            np.testing.assert_allclose(a, b, 1e-13)
    finally:
        monkeypatch.undo()
        adjoint.inspect.cache_clear()


@pytest.mark.parametrize("f", IN_PLACE, ids=lambda f: f.__name__)
def test_stores_in_loops_do_not_copy(f: Callable[..., Any]) -> None:
    text = adjoint.inspect.code_adjoint(f, *arguments(f))
    forward, pullback = text.split("_pullback(", 1)
    copies = r"^ {%d,}.*\b(stored|added|set_item_back)\("
    assert not re.search(copies % 8, forward, re.M) and not re.search(copies % 12, pullback, re.M), text


def test_a_copy_is_made_outside_of_the_loop() -> None:
    """What is read after the loop stays what it was: one copy, not one in each round."""

    def f(x: Any) -> Any:
        a = x * x
        b = a
        a = a * 1.0
        for i in range(3):
            a[i] = x[i]
        return a * b

    differences.check(f, POINT, order=2)
    assert "stored(" not in adjoint.inspect.code_adjoint(f, POINT)


def test_what_is_read_again_is_copied_at_the_first_store_after_it() -> None:
    """The stores that follow work on the copy."""

    def f(x: Any) -> Any:
        a = x * 1.0
        total = np.sin(a).sum()
        a[0] = x[1] * 2.0
        a[1] = x[2] * 3.0
        a[2] = x[0] * a[1]
        return total * a.sum()

    differences.check(f, POINT, order=2)
    assert adjoint.inspect.code_adjoint(f, POINT).count("stored(") == 1


@pytest.mark.parametrize(
    "round", ["a[{0}] = x * {1}.0", "for k in range(3):\n        a[k] = a[{0}] * x + {1}.0"], ids=["stores", "loops"]
)
def test_where_much_has_to_copy_is_found_in_few_walks(round: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not in one walk through the program for each place."""
    n, walks = 120, 0
    lines = [f"    s = s * 0.5 + np.sin(a).sum()\n    {round.format(i % 3, i % 7)}\n" for i in range(n)]
    text = f"def f(x):\n    a, s = np.zeros(3), 0.0\n{''.join(lines)}    return s + a.sum()\n"
    filename = f"<many {len(text)}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    namespace: dict[str, Any] = {"np": np}
    exec(compile(text, filename, "exec"), namespace)

    class Counted(reuse.Escape):
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            nonlocal walks
            walks += 1
            super().__init__(*args, **kwargs)

    monkeypatch.setattr(reuse, "Escape", Counted)
    f = namespace["f"]
    step = 1e-6
    np.testing.assert_allclose(gradient(f, 0.3)[0], (f(0.3 + step) - f(0.3 - step)) / (2 * step), 1e-6)
    assert walks < 40


def test_an_error_in_between_leaves_nothing_behind() -> None:
    def f(x: Any, n: Any) -> Any:
        a = x.copy()
        for i in range(n):
            a[i] = a[i] * 2.0
        return a.sum()

    x = POINT.copy()
    with pytest.raises(IndexError):
        gradient(f, x, 9)
    np.testing.assert_array_equal(x, POINT)
    np.testing.assert_array_equal(gradient(f, x, 2)[0], [2.0, 2.0, 1.0, 1.0])


def test_a_hundred_thousand_stores_into_a_million_items() -> None:
    """Each is as much work as the plain store: nothing is copied, forward or back."""

    def f(x: Any) -> Any:
        a = np.zeros(1_000_000)
        for i in range(100_000):
            a[10 * i] = x[i % 4] * 2.0
        return a.sum()

    np.testing.assert_allclose(gradient(f, POINT)[0], [50_000.0] * 4)
    assert "stored(" not in adjoint.inspect.code_adjoint(f, POINT)


def spread_over_itself(x: Any) -> Any:
    b = x * 1.0
    for k in range(4):
        b[k:] = b[k]
    return b * x


def ghost_cells(x: Any) -> Any:
    u = np.outer(x, x)
    for _ in range(2):
        u[1:-1] = 0.5 * u[1:-1] + 0.25 * (u[2:] + u[:-2])
        u[0] = u[0, 1]
        u[-1] = -u[-1, -2]
    return u.sum(axis=0)


def items_spread(x: Any) -> Any:
    b = x * 1.0
    b[::-2] = b[3]
    b[1:] = -b[2]
    b[[0, 1]] = b[0]
    b[b > 0.25] = 2.0 * b[1]
    for k in range(2):
        b[k : k + 2] = math.sin(b[k + 1])
        b[np.array([k, 0])] = b[k]
    return b * x


def complex_spread(x: Any) -> Any:
    z = np.zeros(4, dtype=complex)
    z[:] = x * (1.0 + 0.5j)
    for k in range(3):
        z[k:] = z[k] * z[3]
    return np.abs(z)


@pytest.mark.parametrize("f", [spread_over_itself, ghost_cells, items_spread, complex_spread])
def test_a_store_over_the_item_that_is_stored(f: Callable[..., Any]) -> None:
    """`b_bar[k] += take_item(b_bar, ...)` reads `b_bar[k]` before the right side takes it out."""
    differences.check(f, POINT, order=2)


def first_bound_in_the_loop(x: Any) -> Any:
    for i in range(3):
        b = np.zeros(4)
        b[i] = x[i] ** 2
        b[i + 1] = b[i] * x[0]
    return b


def stored_into_after_the_loop(x: Any) -> Any:
    for i in range(2):
        c = x * x[i]
    c[0] = x[1]
    return c


def row_first_bound_in_the_loop(x: Any) -> Any:
    for i in range(3):
        row = [0.0] * 4
        for j in range(1, 4):
            row[j] = x[i] * row[j - 1] + x[j]
    return row[3] * row[2]


def bound_by_the_round_before(x: Any) -> Any:
    a = x * 1.0
    for i in range(3):
        b = a
        a = np.zeros(4)
        a[i] = b[i] * x[0] + x[i + 1]
    return a * b


def bound_in_the_first_round(x: Any) -> Any:
    for i in range(3):
        if i == 0:
            a = x * 1.0
        a[i] = a[i] * a[i + 1]
    return a


def bound_in_two_loops(x: Any) -> Any:
    for i in range(2):
        for j in range(3):
            c = x * x[j]
            c[i] = c[j] * x[i]
    c[3] = 2.0 * x[0]
    return c


def in_one_arm(x: Any) -> Any:
    a = x * 1.0
    a[0] = 2.0
    if x[3] > 0.3:  # noqa: SIM102
        if x[2] < 0.3:
            a += x
    a[0] *= x[1]
    return a * x


def slices_of_lists(x: Any) -> Any:
    a = [v * 1.0 for v in x]
    a[2], a[2] = 0.5, (sum(a) + a[2])
    a[1:3] = [-1.5, x[3]]
    return a[0] * a[1] * a[2]


@pytest.mark.parametrize(
    "f",
    [first_bound_in_the_loop, stored_into_after_the_loop, row_first_bound_in_the_loop, bound_by_the_round_before]
    + [bound_in_the_first_round, bound_in_two_loops, in_one_arm, slices_of_lists],
)  # fmt: skip
def test_what_may_be_unbound_or_have_no_cotangent(f: Callable[..., Any]) -> None:
    differences.check(f, POINT, order=2)


def test_arrays_without_axes_stay_arrays() -> None:
    def f(t: Any) -> Any:
        a = np.array(0.5)
        a += t
        a[...] = a * t
        for _ in range(2):
            a *= t
            a[()] = a + 1
        return a[()]

    differences.check(f, 0.7, order=2)


def test_the_smallest_of_three_has_second_derivatives() -> None:
    """Nothing flows to those that are larger: there is nothing to add."""

    def f(x: Any) -> Any:
        d = np.zeros(3)
        for j in range(1, 3):
            d[j] = x * x * j + min(d[j - 1], d[j] + x, 3.0)
        return d[-1]

    differences.check(f, 0.5, order=2)


def in_a_branch_that_is_rarely_taken(x: Any) -> Any:
    a = np.zeros(len(x))
    total = 0.0
    for i in range(len(x)):
        a[i] = x[i] * 2.0
        if i % 1000 == 3:
            total = total + (a * a).sum() * a[0]
        a[0] = a[i] + x[0]
    return total


def test_what_a_branch_needs_is_copied_where_it_is_taken() -> None:
    """Not in each round: for n rounds that would be n copies."""
    differences.check(in_a_branch_that_is_rarely_taken, POINT, order=2)
    x = np.linspace(0.1, 0.9, 4000)
    gradient(in_a_branch_that_is_rarely_taken, x)
    tracemalloc.start()
    gradient(in_a_branch_that_is_rarely_taken, x)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 100 * x.nbytes


def whole_in_one_round(x: Any) -> Any:
    a = x * 1.0
    total = 0.0
    for i in range(3):
        a[i] = a[i + 1] * 0.5
        total = total + a[i] ** 2
        if i == 1:
            total = total + (a * a).sum()
        elif i == 2:
            total = total * a.max()
    return total


def whole_and_on(x: Any) -> Any:
    a = x * 1.0
    total = 0.0
    for i in range(3):
        if i == 1:
            total = total + a @ a
            continue
        a[i] = a[i + 1] * x[0]
        total = total + a[i]
    return total


def whole_and_out(x: Any) -> Any:
    a = x * 1.0
    total = 0.0
    i = 0
    while i < 5:
        a[i] = a[i + 1] * x[0]
        total = total + a[i]
        if i == 2:
            total = total + np.sin(a).sum() * a[1]
            break
        i = i + 1
    return total


def scaled_in_one_round(x: Any) -> Any:
    a = x * 1.0
    total = 0.0
    for i in range(3):
        a[i] = a[i + 1] * 0.5
        total = total + a[i]
        if i == 1:
            a /= a.sum()
        if i == 2:
            a *= x[1]
    return total + a[3]


def replaced_in_one_round(x: Any) -> Any:
    a = x * 1.0
    total = 0.0
    for i in range(3):
        a[i] = a[i + 1] * 0.5
        total = total + a[i]
        if i == 0:
            a = a * 2.0
        if i == 1:
            a = np.zeros(len(x))
            a[0] = total
    return total * total + a[0] * a[2]


@pytest.mark.parametrize(
    "f",
    [whole_in_one_round, whole_and_on, whole_and_out, scaled_in_one_round, replaced_in_one_round],
    ids=lambda f: f.__name__,
)
def test_the_cotangent_of_an_array_is_made_whole_where_something_comes_to_all_of_it(f: Callable[..., Any]) -> None:
    """In the other rounds it is whole already, and not copied."""
    differences.check(f, POINT, order=2)
    pullback = adjoint.inspect.code_adjoint(f, POINT).split("_pullback(", 1)[1]
    assert not re.search(r"^ {12}\w+ = .*\b(as_dense|accumulate)\(", pullback, re.M), pullback
    assert not re.search(r"^ {8,12}\w+ = .*\.copy\(\)", pullback, re.M), pullback


def test_a_list_that_grew_is_stored_into_in_linear_time() -> None:
    def f(x: Any) -> Any:
        items = []
        for v in x:
            items.append(v * 0.5)
        for i in range(1, len(x)):
            items[i] = items[i] * items[i - 1] + x[i]
        return items[-1] * items[1]

    differences.check(f, POINT, order=2)
    assert not is_to_be_recorded(f, (POINT,))  # it is memory: no round copies the list


def joined_to_a_list(x: Any) -> Any:
    items = [x[0]]
    for i in range(1, len(x)):
        items += [x[i] * x[i - 1]]
    return items[-1] * items[1]


def a_list_extended(x: Any) -> Any:
    items = [x[0]]
    for i in range(1, len(x)):
        items.extend((x[i] * 2.0, x[i] * x[i - 1]))
    return items[-1] * items[1] * items[2]


def read_while_it_is_extended(x: Any) -> Any:
    items = [x[0]]
    total = 0.0
    for i in range(1, len(x)):
        items += [x[i] * total]
        total = total + items[i] * items[i - 1] + x[i]
    return total


def items_deleted(x: Any) -> Any:
    items = [v * 2.0 for v in x]
    total = 0.0
    while len(items) > 1:
        total = total + items[-1] * items[0]
        del items[-1]
    return total * items[0]


def keys_deleted(x: Any) -> Any:
    table = {i: v * 2.0 for i, v in enumerate(x)}
    total = 0.0
    for i in range(len(x)):
        total = total + table[i] ** 2
        del table[i]
    return total


def slices_replaced(x: Any) -> Any:
    items = [v * 2.0 for v in x]
    for i in range(len(x) - 1):
        items[i : i + 2] = [items[i] * x[i], items[i + 1] * 2.0]
    return items[-1] * items[1]


@pytest.mark.parametrize(
    "f",
    [joined_to_a_list, a_list_extended, read_while_it_is_extended, items_deleted, keys_deleted, slices_replaced],
    ids=lambda f: f.__name__,
)
def test_lists_and_dicts_are_changed_in_place_in_loops(f: Callable[..., Any]) -> None:
    differences.check(f, POINT, order=2)
    assert not is_to_be_recorded(f, (POINT,))


def test_an_array_stored_into_itself_under_another_stride_is_refused() -> None:
    """NumPy reads there what it has just stored: the value is not that of a copy."""

    def row_from_column(x: Any) -> Any:
        a = np.outer(x, x)
        a[1] = a[:, -1]
        return a.sum()

    def every_other(x: Any) -> Any:
        a = x * 1.0
        a[::2] = a[:2]
        return a * x

    with pytest.raises(adjoint.errors.MutationError, match="crosses"):
        gradient(row_from_column, POINT)
    differences.right_or_refused(every_other, POINT)


def test_the_same_stride_is_no_matter() -> None:
    def f(x: Any) -> Any:
        a = np.outer(x, x)
        for i in range(3):
            a[i] = a[i + 1]
            a[1:3, i] = a[0:2, i]
        b = x * 1.0
        b[1:] = b[:-1]
        return a.sum(axis=0) * b

    differences.check(f, POINT, order=2)
    assert not is_to_be_recorded(f, (POINT,))


def test_what_may_have_no_value_in_a_round() -> None:
    def f(x: Any) -> Any:
        a = x * 1.0
        for i in range(2):
            if a[1] > 0.3:
                c = a + a
            else:
                a[i] = c[i]
            a[1] = 0.1 * a[0]
        return c * a

    differences.check(f, POINT, order=2)
