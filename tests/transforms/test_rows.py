"""Rows and slices of lists: cotangents are added where they belong, in no copy of a row."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from ways import check_calls, slopes

from adjoint import grad, gradient, hessian
from adjoint.inspect import code_adjoint


def by_places(x: float, y: float) -> float:
    a = [[x, y, x * y], [y * y, 0.5, x]]
    rows = [[math.sin(v) for v in row] for row in a]
    total = 0.0
    for i in range(2):
        for j in range(3):
            total += rows[i][j] * rows[i - 1][-1 - j]
    return total


def held_row(x: float, y: float) -> float:
    rows = [[x * i, y + i] for i in range(4)]
    total = 0.0
    for i in range(3):
        row = rows[i]
        total += row[0] * row[1] + sum(row) * rows[i + 1][0] + max(row)
    return total


def row_by_itself(x: float, y: float) -> float:
    rows = [[x * i, y + i] for i in range(4)]
    picked = [rows[1], rows[1], rows[2]]
    return sum(picked[0]) * picked[1][0] + picked[2][1] * rows[1][1] + math.fsum(rows[1])


def three_levels(x: float, y: float) -> float:
    cube = [[[x * i + y * j * k for k in range(2)] for j in range(2)] for i in range(3)]
    return sum(cube[i][j][k] ** 2 * cube[0][j][1] for i in range(3) for j in range(2) for k in range(2))


def in_branches(x: float, y: float) -> float:
    rows = [[x, y], [y, x * y], [x + y, 1.5]]
    total = 0.0
    for i in range(3):
        row = rows[i] if i % 2 else rows[2 - i]
        total += row[i % 2] * (rows[i][0] if x > y else rows[i][1])
    return total


def rows_that_change_hands(x: float, y: float) -> float:
    rows = [[x, y], [y, x * y]]
    for _ in range(3):
        rows = [rows[1], [rows[0][0] * rows[1][1], rows[0][1] + x]]
    return rows[0][0] * rows[1][1] + rows[1][0]


def ragged(x: float, y: float) -> float:
    rows = [[x] * (i + 1) for i in range(3)]
    return sum(rows[i][-1] * rows[2][i] * y for i in range(3))


def hidden_markov(x: float, y: float) -> float:
    trans = [[x * (i + 1) - y * j for j in range(3)] for i in range(3)]
    alpha = [x, y, x * y]
    for _ in range(4):
        new = []
        for j in range(3):
            terms = [alpha[i] + trans[i][j] for i in range(3)]
            top = max(terms)
            new.append(top + math.log(sum(math.exp(t - top) for t in terms)))
        alpha = new
    return min(alpha) + sum(alpha)


def extremes(x: float, y: float) -> float:
    a = [x * x, y, x - y, x * x]
    total = 0.0
    for _ in range(3):
        a = [math.sin(v + 0.3 * max(a)) - min(a) for v in a]
        total += max(a) * a[1] + min([v * v for v in a])
    return total


def places_of_tuples(x: float, y: float) -> float:
    points = [(x * i, y + i, x * y) for i in range(4)]
    total = 0.0
    for i in range(4):
        for j in range(4):
            if i != j:
                total += points[i][0] * points[j][1] - points[j][-1] * points[i][2]
    return total + points[-1][0] * sum(points[0])


def bodies(x: float, y: float) -> float:
    at = [(x, y), (y, -x), (x * y, 1.0)]
    for _ in range(3):
        pulls = []
        for i in range(3):
            a = b = 0.0
            for j in range(3):
                if i != j:
                    d, e = at[j][0] - at[i][0], at[j][1] - at[i][1]
                    r = (d * d + e * e + 0.1) ** 1.5
                    a, b = a + d / r, b + e / r
            pulls.append((a, b))
        at = [(p + 0.1 * a, q + 0.1 * b) for (p, q), (a, b) in zip(at, pulls, strict=True)]
    return sum(p * q for p, q in at)


def mixed_tuples(x: float, y: float) -> float:
    rows = [(x, 2, y), (x * y, 3, x)]
    return sum(rows[i][0] * rows[i][1] * rows[1 - i][2] for i in range(2))


def slices(x: float, y: float) -> float:
    a = [x * i + y for i in range(7)]
    total = 0.0
    for i in range(1, 4):
        total += sum(a[i:]) * a[-i:][0] + max(a[::2]) * sum(a[5:1:-2]) + sum([v * w for v, w in zip(a, a[1:])])  # noqa: B905
        a = a[1:] + a[:1]
    return total + sum(a[9:]) + len(a[2:4]) * x


def slices_of_rows(x: float, y: float) -> float:
    rows = [[x, y, x * y], [y, x, 1.0], [x + y, x, y]]
    inner = [row[1:] for row in rows[:2]]
    return sum(sum(row) * rows[2][i] for i, row in enumerate(inner)) + inner[1][0] * rows[1:][1][0]


def slices_of_points(x: float, y: float) -> float:
    points = [(x * i, y * i * i) for i in range(5)]
    return sum(math.hypot(a - c, b - d) for (a, b), (c, d) in zip(points, points[1:]))  # noqa: B905


def slices_while_it_grows(x: float, y: float) -> float:
    a, total = [x, y], 0.0
    for i in range(4):
        total += sum(a[i:]) + sum(a[:-1]) * a[-1]
        a.append(x * total * 0.1)
    return total + sum(a[2:])


def another_name_grows(x: float, y: float) -> float:
    a = [x, y]
    b = a
    c = [x * y, x]
    for _ in range(3):
        b.append(a[-1] * a[0] + c[1])
        c = [v * a[-1] for v in c]
    return a[-1] * c[0] + len(a) * b[2]


def one_of_two_grows(x: float, y: float) -> float:
    a, b = [x], [y]
    for i in range(5):
        a, b = b, a
        a.append(a[-1] * x + b[0] * i)
    return sum(a) + a[-1] * b[-1]


def held_and_grows(x: float, y: float) -> float:
    at, acc = [x, y], [x]
    holder = [acc]
    for _ in range(3):
        holder[0].append(at[0] * acc[-1])
        at = [v + acc[-1] for v in at]
    return sum(at) * acc[-1]


def picked_and_grows(x: float, y: float) -> float:
    a, b = [x], [y]
    lists = [a, b]
    for i in range(4):
        a, b = b, a
        picked = lists[i // 2]
        picked.append(a[-1] * x + b[-1] * b[0])
    return a[-1] * b[-1] + sum(a)


def columns(x: float, y: float) -> float:
    rows = [[x, y, 1.0], [y * y, x, 2.0], [x * y, y, x]]
    total = 0.0
    for i, c in enumerate(zip(*rows)):  # noqa: B905
        total += sum(c) * c[i] + max(c) * c[-1]
    return total


def product(x: float, y: float) -> float:
    a, b = [[x, y], [y, x * y], [1.0, x]], [[y, 2.0, x], [x, y, x]]
    c = [[sum(p * q for p, q in zip(row, col, strict=True)) for col in zip(*b, strict=True)] for row in a]
    return sum(c[i][i] for i in range(3)) + c[0][2]


def unzipped(x: float, y: float) -> float:
    points = [(x * i, y + i) for i in range(4)]
    xs, ys = zip(*points)  # noqa: B905
    return sum(p * q for p, q in zip(xs, ys)) + xs[2] * max(ys)  # noqa: B905


def of_different_lengths(x: float, y: float) -> float:
    rows = [[x, y, x * y], [y, x]]
    return sum(c[0] * c[1] for c in zip(*rows)) + rows[0][2]  # noqa: B905


def columns_that_are_seen(x: float, y: float) -> float:
    rows = [[x, y, 1.0], [y, x, 2.0]]
    seen: dict[tuple[float, ...], float] = {}
    total = 0.0
    for c in zip(*rows):  # noqa: B905
        seen[c] = c[0]
        total += c[0] * (2.0 if isinstance(c, tuple) else 3.0) + (0.0 if c == [x, y] else c[1])
    first, *rest = zip(*rows)  # noqa: B905
    return total + len(seen) * x + (first + (y,))[2] * rest[0][1] + (1.0 if c[1:] == (2.0,) else 9.0)


def columns_by_two_loops(x: float, y: float) -> float:
    rows = [[x, y], [y * y, 2.0], [1.0, x * y]]
    z, s = zip(*rows), 0.0  # noqa: B905
    for p, _, r in z:
        s += p * r
    for p, q, _ in z:  # nothing is left
        s += 100.0 * p * q
    return s


def columns_for_the_first_row(x: float, y: float) -> float:
    rows = [[x, y], [y * y, 2.0]]
    z = zip(*rows)  # noqa: B905
    r = [[sum(a * b for a, b in zip(u, v)) for v in z] for u in rows]  # noqa: B905
    return sum(sum(q) for q in r)


def columns_before_and_after(x: float, y: float) -> float:
    z, s = zip(*[[x, y, x * y], [y, x, 2.0]]), 0.0  # noqa: B905
    for i in range(3):
        for p, q in z:
            s += p * q * (i + 1)
            break
    e = enumerate(zip(*[[x, y], [y, x]]))  # noqa: B905
    for i, (p, q) in e:
        s += i * p + q
    for i, (p, q) in e:
        s += 100.0 * i * p * q
    again = z
    return s + sum(p for p, q in again) + sum(q for p, q in z)


def columns_left_early(x: float, y: float) -> float:
    s = 0.0
    for p, q in zip(*[[x, y, 1.0], [y, x]], strict=True):
        s += p * q
        if s != 0.0:
            break
    return s


def slices_and_stores(x: float, y: float) -> float:
    a = [x, 2.0 * y, 3.0 * x, x * y]
    b = a[1:]
    a[1] = 7.0 * x * y
    total = b[0] * sum(a[:-1]) * a[-1] + sum([p * q for p, q in zip(a[:-1], a[1:])])  # noqa: B905
    for i in range(1, 3):
        a[i] = sum(a[i - 1 : i + 2]) * x
        total += sum(a[::2]) * a[i:][0]
    return total


PROGRAMS = [
    *(by_places, held_row, row_by_itself, three_levels, in_branches, rows_that_change_hands, ragged),
    *(hidden_markov, extremes, places_of_tuples, bodies, mixed_tuples, slices, slices_of_rows, slices_of_points),
    *(slices_while_it_grows, another_name_grows, one_of_two_grows, held_and_grows),
    *(picked_and_grows, columns, product, unzipped, of_different_lengths, columns_that_are_seen),
    *(columns_by_two_loops, columns_for_the_first_row, columns_before_and_after, columns_left_early),
    slices_and_stores,
]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_programs(f: Callable[[float, float], float]) -> None:
    check_calls(f, 0.7, 0.4)
    check_calls(f, -0.3, 1.1)


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_second_derivatives(f: Callable[[float, float], float]) -> None:
    def length(x: float, y: float) -> float:
        a, b = gradient(f, x, y)
        return a * a + 2 * b

    for _ in range(2):  # the second is of programs that know all types
        assert gradient(length, 0.7, 0.4) == pytest.approx(slopes(length, 0.7, 0.4), rel=1e-4, abs=1e-4)


def test_no_row_is_copied() -> None:
    def f(a: list[list[float]], n: int) -> float:
        return sum(a[i][j] * a[j][i] for i in range(n) for j in range(n))

    a = [[1.0, 2.0], [3.0, 4.0]]
    for _ in range(3):
        assert grad(f)(a, 2) == [[2.0, 6.0], [4.0, 8.0]]
    text = str(code_adjoint(f, a, 2))
    assert text.count("row_buffer(") == 1
    assert "buffer_like" not in text


def test_cotangents_share_no_row() -> None:
    def f(a: list[list[float]]) -> float:
        return a[0][0] * a[1][0] + a[0][1]

    back = gradient(f, [[2.0, 1.0], [3.0, 1.0]])[0]
    assert back == [[3.0, 1.0], [2.0, 0.0]]
    back[0][0] = 7.0
    assert gradient(f, [[2.0, 1.0], [3.0, 1.0]])[0] == [[3.0, 1.0], [2.0, 0.0]]


@pytest.mark.parametrize(
    ("items", "expected"),
    [
        ([1.0, 3.0, 3.0], [0.0, 1.0, 0.0]),
        ([-0.0, 0.0], [1.0, 0.0]),
        ([math.nan, 1.0], [1.0, 0.0]),
        ([1.0, math.nan, 2.0], [0.0, 0.0, 1.0]),
        ([-math.inf, -math.inf], [1.0, 0.0]),
    ],
)
def test_the_first_of_the_greatest(items: list[float], expected: list[float]) -> None:
    def greatest(a: list[float]) -> float:
        return max(a)

    def least(a: list[float]) -> float:
        return min([-v for v in a])

    for _ in range(3):
        assert grad(greatest)(items) == expected
        assert grad(least)(items) == [-v for v in expected]


def test_the_greatest_of_nothing() -> None:
    def f(a: list[float]) -> float:
        return max([v * v for v in a if v > 5.0])

    for _ in range(3):
        with pytest.raises(ValueError, match="empty"):
            grad(f)([1.0])
        assert grad(f)([6.0]) == [12.0]


def test_mixed_numbers() -> None:
    def f(x: float) -> float:
        a = [[x, 2], [3, x * x]]
        return sum(a[i][j] * a[j][i] for i in range(2) for j in range(2)) + max([x, 1])

    for _ in range(3):
        assert grad(f)(1.5) == pytest.approx(2 * 1.5 + 4 * 1.5**3 + 1.0)


def test_hessians_go_through_rows() -> None:
    def f(a: list[float]) -> float:
        rows = [[v, v * v] for v in a]
        return sum(rows[i][0] * rows[i - 1][1] for i in range(len(rows)))

    np.testing.assert_allclose(hessian(f, [1.0, 2.0]), [[4.0, 6.0], [6.0, 2.0]])


def test_cotangents_of_tuples_are_tuples() -> None:
    def f(points: list[tuple[float, float]], n: int) -> float:
        total = 0.0
        for i in range(n):
            total += points[i][0] * points[i - 1][1]
        return total

    for _ in range(3):
        assert grad(f)([(1.0, 2.0), (3.0, 4.0), (5.0, 6.0)], 2) == [(6.0, 3.0), (2.0, 0.0), (0.0, 1.0)]


def test_a_list_beside_one_that_grows_is_reversed_as_it_is() -> None:
    text = str(code_adjoint(bodies, 0.7, 0.4))
    assert text.count("owned_list") == 1
    assert "position" not in text


def test_slices_call_no_rule() -> None:
    assert "_back" not in str(code_adjoint(slices_of_points, 0.7, 0.4))


def test_columns_are_read_by_no_call_that_is_not_known() -> None:
    for f in (columns, product):
        assert "pullback_" not in str(code_adjoint(f, 0.7, 0.4))


def test_rows_that_do_not_fit() -> None:
    def f(a: list[list[float]]) -> float:
        return sum(sum(c) for c in zip(*a, strict=True))

    for _ in range(3):
        assert grad(f)([[1.0, 2.0], [3.0, 4.0]]) == [[1.0, 1.0], [1.0, 1.0]]
        with pytest.raises(ValueError, match="shorter"):
            grad(f)([[1.0, 2.0], [3.0]])
        assert grad(f)([]) == []


def points_by_places(ps, k):
    total = 0.0
    for i in range(len(ps)):
        (x, y), (a, b) = ps[i], ps[i - 1]
        total += x * b - y * a
    return total + ps[k][0] * ps[k + 1 :][0][1] + ps[: k + 1][-1][1]


def sorted_points(ps, k):
    q, r = sorted(ps, key=lambda p: p[1]), sorted(ps)
    return q[0][0] * r[0][1] + max(ps)[0] * ps[k][1]


def rows_by_names(ps, k):
    r, q, t = ps[k], ps[k][1:], ps[: k + 1]
    return r[0] * q[0] + t[-1][1] * t[0][0] + ps[-1][0]


class Polygon:
    def __init__(self, pts):
        self.pts = pts

    def area(self):
        return sum(self.pts[i][0] * self.pts[i - 1][1] for i in range(len(self.pts)))


def of_a_field(ps, k):
    return Polygon(ps).area() * ps[k][0]


@pytest.mark.parametrize("f", [points_by_places, sorted_points, rows_by_names, of_a_field], ids=lambda f: f.__name__)
def test_rows_of_several_kinds_keep_their_form(f) -> None:
    kinds = [
        [(0, 1.0), (2.0, 3), (1.0, 0.5)],
        [(0.5, 1.0), (2.0, 3.0), (1.0, 0.5)],
        [(0.5, np.float64(1.0)), (2.0, 3.0), (1.0, 0.5)],
        [[0.5, 1.0], (2.0, 3.0), [1, 0.5]],
        [(0.5, 1.0), (2.0, 3.0, 4.0), (1.0, 0.5, 2, 7.0)] if f is not points_by_places else [(1.0, 2.0), (0.5, 3.0)],
        [[0.5, 1.0], [2.0, 3.0], [1.0, 0.5]],
    ]
    if f is sorted_points:
        del kinds[3]
    first = [gradient(f, ps, 0)[0] for ps in kinds]
    for ps, expected in [*zip(kinds, first, strict=True)] * 3:
        slope = gradient(f, ps, 0)[0]
        assert slope == expected
        assert [type(d) for d in slope] == [type(p) for p in ps]
        for i, p in enumerate(ps):
            for j, x in enumerate(p):
                if isinstance(x, float):
                    there = [[*q] for q in ps]
                    values = []
                    for h in (1e-6, -1e-6):
                        there[i][j] = x + h
                        values.append(f([type(q)(r) for q, r in zip(ps, there, strict=True)], 0))
                    assert slope[i][j] == pytest.approx((values[0] - values[1]) / 2e-6, rel=1e-5, abs=1e-6)


def test_windows_are_linear() -> None:
    """A window adds to its own items alone: what is written down for one is as long as the window."""

    def windows(xs):
        s = 0.0
        for i in range(len(xs) - 2):
            w = xs[i : i + 3]
            s += w[0] * w[2] + sum(w)
        return s

    text = str(code_adjoint(windows, [0.5, 1.0, -2.0, 3.0]))
    assert "add_at(xs_bar, " in text and text.count("buffer_like(xs)") == 1
    xs = [0.1 * i for i in range(40)]
    for _ in range(3):
        slope = grad(windows)(xs)
    for i in (0, 1, 20, 39):
        up, down = [*xs], [*xs]
        up[i], down[i] = xs[i] + 1e-6, xs[i] - 1e-6
        assert slope[i] == pytest.approx((windows(up) - windows(down)) / 2e-6)
