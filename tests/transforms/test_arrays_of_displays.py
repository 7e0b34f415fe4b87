"""Arrays that are made of displays: what is read of one at a known place has its cotangent at the item."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from ways import check_calls, slopes

from adjoint import grad, gradient, jacobian, pullback
from adjoint.inspect import code_adjoint
from adjoint.tangents import listed, sorted_beside, unsorted
from adjoint.testing import check_gradient
from adjoint.transforms import rows

PROGRAMS: list[Callable[[float, float], Any]] = []


def program(f: Callable[[float, float], Any]) -> Callable[[float, float], Any]:
    PROGRAMS.append(f)
    return f


@program
def items(x, y):
    v, m = np.array([x, y, 2.0]), np.asarray([[x, y], [x * y, 1], [True, 2 * x]])
    return v[0] * v[-1] + v[1] * m[0, 1] + m[1][0] * m[2, -1] + m[1, 1] * m[2][0] * x


@program
def parts(x, y):
    m = np.array([[x, y, 1.0], [y, x * y, x]])
    row, column, several = m[1], m[:, 1], m[0, 1:]
    return row[0] * column[1] + several[0] * row[1:][1] + m[1:][0, 2] + m[::-1][0, 1]


@program
def numbers_of_python(x, y):
    v = np.array([x, y])
    return v.tolist()[0] * v[1:].item() + np.array([[x * y]]).item() + v.item(1) + sum(v.tolist())


@program
def all_of_it(x, y):
    v, m = np.array([x, y]), np.array([[x, y], [y, 2 * x]])
    return v @ v + v[0] * np.sum(m) + m[0, 1] * np.trace(m) + np.linalg.det(m) + (m @ v)[0] + v.max()


@program
def stored_into(x, y):
    v = np.array([x, y])
    before = v[0] * v[1]
    v[0] = x * y
    v[1:] += x
    return before + v[0] * v[1] * 2.0


@program
def made_of_a_list_that_changes(x, y):
    xs = [x, y]
    v = np.array(xs)
    xs[0] = y * y
    xs.append(x)
    w = np.array(xs)
    v *= 2.0
    return v[0] * 3.0 + w[0] * w[2] + np.array(xs)[1]


@program
def in_loops(x, y):
    s, v = x, np.array([x, y])
    for k in range(6):
        w = np.array([s, y * k])
        s = 0.5 * s + 0.1 * w[0] * w[1] * v[1] + w[k % 2] * 0.1
        if k > 2:
            v = np.array([s, x])
    return s + v[0]


@program
def at_places_that_are_not_known(x, y):
    v, total = np.array([x, y, x * y]), 0.0
    for k in range(3):
        total = total + v[k] * v[-k] + v[np.array([k, 0])].sum() + v[None, k][0]
    return total + v[v > 0.5].sum() + v[...][1] + v[[0, 1]][1]


@program
def handed_on(x, y):
    def norm(v):
        return np.sqrt(v[0] ** 2 + v[1] ** 2)

    v = np.array([x, y])
    return norm(v) * norm(np.array([v[1], x])) + norm(v / 2)


@program
def sorted_lists(x, y):
    total = 0.0
    for k in range(3):
        first, *_, last = sorted([x * k, y, x, y, 0.2])
        total = total + first * 2.0 + last * sorted([total, x])[0] + sorted(xi * y for xi in [x, y])[1]
    return total + sum(sorted([x, 1, y])) + sorted([x])[-1] + sum(sorted([v for v in [x] if v > 9.0]))


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_programs(f: Any) -> None:
    check_calls(f, 0.6, 0.7, near=1e-9)
    check_gradient(f, 0.6, 0.7)
    for i in (0, 1):
        second = grad(grad(f, i), (0, 1))(0.6, 0.7)
        assert second == pytest.approx(slopes(grad(f, i), 0.6, 0.7), rel=1e-4, abs=1e-6)


def through_a_view(x, y):
    m, v = np.array([[x, y], [y, x]]), np.array([x, y])
    row, first, same = m[1], v[:1], v
    m[1, 0] = x * x
    same[0] = x * x * y
    return row[0] * y + first.item() * v[0] + v.tolist()[0]


def by_functions(x, y):
    v = np.array([x, y])
    np.multiply(v, 2.0, out=v)
    v.sort()
    np.put(v, 0, y)
    return v[0] * v[1]


def by_another_name(x, y):
    v = np.array([x, y])
    held, numbers = [v, v], v.tolist()

    def store():
        v[1] = y * y

    before = v[1]
    store()
    held[0][0] = y
    numbers[0] = x * y
    return v[0] * x + v[1] * before + numbers[0] * numbers[1]


def of_lists_that_others_hold(x, y):
    xs = [x, y]
    ys, rows_of = xs, [xs, xs]
    ys[0] = y * y
    v = np.array(rows_of)
    s = sorted(xs)
    xs[1] = 9.0
    return v[0, 0] * x + s[0] * s[1] + np.array(rows_of)[1, 1]


def of_lists_that_grow(x, y):
    xs, total = [x, y], 0.0
    for _ in range(3):
        v, w = np.array(xs), np.array([xs, xs])
        total += v[0] * v[-1] + w[0, 1] * w[1, -1] + sorted(xs)[-1]
        xs.append(total * y)
    return total + sum(xs, x)


STORING = [through_a_view, by_functions, by_another_name, of_lists_that_others_hold, of_lists_that_grow]


@pytest.mark.parametrize("f", STORING, ids=lambda f: f.__name__)
def test_what_changes_in_between(f: Any) -> None:
    assert gradient(f, 0.6, 0.7) == pytest.approx(slopes(f, 0.6, 0.7), rel=1e-5)
    value, back = pullback(f, 0.6, 0.7)
    assert value == f(0.6, 0.7)
    assert back(1.0) == back(1.0)


@pytest.mark.parametrize("f", [items, all_of_it, sorted_lists], ids=lambda f: f.__name__)
def test_several_seeds_at_once(f: Any) -> None:
    def two(v):
        return np.array([f(v[0], v[1]), v[0]]) * v[1]

    v, h = np.array([0.6, 0.7]), 1e-6
    columns = [(two(v + h * d) - two(v - h * d)) / (2 * h) for d in np.eye(2)]
    assert jacobian(two, v)[0] == pytest.approx(np.stack(columns, axis=1), rel=1e-6)


def test_nothing_is_made_for_an_item() -> None:
    text = str(code_adjoint(items, 0.6, 0.7))
    assert "_rule(" not in text
    assert "buffer_like" not in text
    assert "listed" not in text


def test_values_are_those_of_numpy() -> None:
    value, _ = pullback(lambda x: np.array([x, 1])[0], 2.0)
    assert type(value) is np.float64
    assert type(pullback(lambda x: np.array([x, 1]).tolist()[1], 2.0)[0]) is float
    with pytest.raises(IndexError):
        gradient(lambda x: np.array([x, 1.0])[2], 2.0)
    with pytest.raises(ValueError, match="array of size 1"):
        gradient(lambda x: np.array([x, 1.0]).item(), 2.0)
    assert gradient(lambda x: np.sum(np.array([x, 1], np.float32)), 2.0) == (1.0,)
    assert gradient(lambda n: np.array([n, 2])[0] * 2.5, 3) == (2.5,)
    assert gradient(lambda n: np.array([n, 2.5])[0] * 2.5, 2**60) == (2.5,)
    assert gradient(lambda x: np.array([x, 1.0j])[0].real, 3.0) == (1.0,)
    assert gradient(lambda x: np.array([np.float32(1.0), x])[0] * 0.0, 3.0) == (0.0,)


def test_what_is_nan_or_infinite() -> None:
    assert gradient(lambda x: np.array([x, np.inf])[0] * 2.0, np.nan) == (2.0,)
    assert gradient(lambda x: np.trace(np.array([[x, np.nan], [np.inf, 1.0]])), 1.0) == (1.0,)
    y, back = pullback(lambda x: np.trace(np.array([[x, x], [x, x]])), 1.0)
    assert back(np.inf)[1] == np.inf
    assert gradient(lambda x, y: sorted([x, np.nan, y])[2], 2.0, 1.0) == gradient(
        lambda x, y: [x, np.nan, y][2], 2.0, 1.0
    )


def test_equal_items_stay_in_their_order() -> None:
    def f(x, y):
        return sorted([x, y])[0] + 3.0 * sorted([y, x])[1]

    assert gradient(f, 1.0, 1.0) == (4.0, 0.0)
    assert gradient(f, -0.0, 0.0) == (4.0, 0.0)
    d, xs = [1.0, None, 3.0, 4.0], [2.0, 1.0, 2.0, 0.0]
    assert unsorted(d, xs) == [3.0, None, 4.0, 1.0]
    assert sorted_beside(unsorted(d, xs), xs) == d


def test_items_of_the_cotangent_of_an_array() -> None:
    assert listed(2.0, (2, 1)) == [[2.0], [2.0]]
    assert listed(None, ()) == 0.0


def test_an_item_that_is_taken_for_another_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    right = rows.part_of

    def wrong(r, known, index):
        part = right(r, known, index)
        return known.atoms[-1] if part is known.atoms[0] else part

    monkeypatch.setattr("adjoint.transforms.folds.part_of", wrong)
    with pytest.raises(AssertionError):
        check_calls(lambda x, y: np.array([x * y, x])[0] * 1.5, 0.6, 0.7)
