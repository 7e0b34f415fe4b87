"""Dicts of lists, and dicts that are asked for what they may not have, as memory: groups, neighbours, counts."""

from collections import defaultdict
from typing import Any

import pytest
from regressions import differences

from adjoint import gradient, pullback
from adjoint.derivatives.choice import is_to_be_recorded

XS = [0.3, 1.2, 0.7, 2.1, 1.9, 0.1, 2.6]


def groups(xs: Any) -> Any:
    h: dict[int, list[float]] = {}
    for x in xs:
        k = int(x)
        if k not in h:
            h[k] = []
        h[k].append(x * x)
    s = 0.0
    for v in h.values():
        s += sum(v) / len(v)
    return s


def groups_by_sum(xs: Any) -> Any:
    h: dict[int, list[float]] = {}
    for x in xs:
        h.setdefault(int(x), []).append(x * x)
    return sum(sum(v) ** 2 for v in h.values())


def groups_of_texts(xs: Any) -> Any:
    h: dict[str, list[float]] = {}
    for i, x in enumerate(xs):
        h.setdefault("ab"[i % 2], []).append(x)
    s = 0.0
    for k, v in h.items():
        s += len(k) * sum(v) * v[0]
    return s


def numbered_groups(xs: Any) -> Any:
    h: dict[int, list[float]] = {}
    for x in xs:
        h.setdefault(int(x), []).append(x)
    s = 0.0
    for k in h:
        s += (k + 1) * sum(h[k]) ** 2
    return s


def missing_lists(xs: Any) -> Any:
    h = defaultdict(list)
    for x in xs:
        h[int(x)].append(x * x)
    s = 0.0
    for k in h:
        s += sum(h[k]) / len(h[k])
    return s


def missing_numbers(xs: Any) -> Any:
    rows = [defaultdict(float), defaultdict(float)]
    for i, x in enumerate(xs):
        rows[i % 2][int(x)] += x * x
    return sum(rows[0].values()) * rows[1][1] + rows[1][77]


def asked(xs: Any) -> Any:
    tables = [{}, {}]
    for i, x in enumerate(xs):
        t = tables[i % 2]
        t[int(x)] = t.get(int(x), 1.0) * x
    return tables[0].get(0, 5.0) * tables[1].get(1, 3.0) + tables[0].get(9, 2.0) * sum(xs)


def an_alias(xs: Any) -> Any:
    h: dict[int, list[float]] = {}
    for x in xs:
        row = h.setdefault(int(x), [])
        row.append(x)
        row[0] = row[0] * x
        h[int(x)][-1] += 1.0
    return sum(row[0] * row[-1] for row in h.values())


def neighbours(xs: Any) -> Any:
    edges = [(0, 1), (1, 2), (0, 2), (2, 3)]
    near: dict[int, list[int]] = {}
    for a, b in edges:
        near.setdefault(a, []).append(b)
        near.setdefault(b, []).append(a)
    s = 0.0
    for a in near:
        for b in near[a]:
            s += xs[a] * xs[b]
    return s * sum(xs)


def stored_anew(xs: Any) -> Any:
    h: dict[int, list[float]] = {}
    for x in xs:
        h.setdefault(int(x), []).append(x)
        if len(h[int(x)]) == 2:
            h[int(x)] = [sum(h[int(x)])]
    return sum(v[0] ** 2 for v in h.values())


def setdefault_of_numbers(xs: Any) -> Any:
    tables = [{}, {}]
    s = 0.0
    for i, x in enumerate(xs):
        s += tables[i % 2].setdefault(int(x), x * x) * x
    return s + sum(tables[0].values())


PROGRAMS = [
    groups, groups_by_sum, groups_of_texts, numbered_groups, missing_lists, missing_numbers, asked, an_alias,
    neighbours, stored_anew, setdefault_of_numbers,
]  # fmt: skip


@pytest.mark.parametrize("f", PROGRAMS)
def test_programs(f: Any) -> None:
    differences.check(f, XS, order=2)
    y, back = pullback(f, XS)
    assert y == f(XS)
    assert back(1.0) == back(1.0)
    assert back(1.0)[1] == gradient(f, XS)[0]
    assert not is_to_be_recorded(f, (XS,))


def removed(xs: Any) -> Any:
    """What is made anew under a key has no part in what was there."""
    h = defaultdict(float)
    holders = [h]
    for x in xs:
        holders[0][int(x)] += x
    s = holders[0][1] ** 2
    del holders[0][1]
    return s + holders[0][1] * 7.0 + holders[0][0]


def mixed_keys(xs: Any) -> Any:
    h: dict[Any, list[float]] = {}
    for i, x in enumerate(xs):
        h.setdefault(i if i % 2 else str(i), []).append(x)
    s = 0.0
    for k in h:
        s += h[k][0] * (2.0 if isinstance(k, str) else 1.0)
    return s


def within_itself(xs: Any) -> Any:
    rows: list[Any] = []
    for x in xs:
        rows.append([])
        rows[-1].append(x * x)
    return sum(row[0] for row in rows)


def emptied(xs: Any) -> Any:
    h = defaultdict(list)
    for x in xs:
        h[int(x)].append(x)
        if x > 2.0:
            h.clear()
    return sum(sum(v) ** 2 for v in h.values()) + len(h[5])


def popped(xs: Any) -> Any:
    h = [defaultdict(float)]
    for x in xs:
        h[0][int(x)] += x
    return h[0].pop(1) ** 2 + h[0][1] * 3.0 + h[0][0]


@pytest.mark.parametrize("f", [removed, mixed_keys, within_itself, emptied, popped])
def test_what_may_be_recorded(f: Any) -> None:
    differences.check(f, XS, order=2)
    assert pullback(f, XS)[0] == f(XS)


def test_keys_that_are_missing() -> None:
    def f(xs: Any) -> Any:
        h: dict[int, list[float]] = {}
        for x in xs:
            h.setdefault(int(x), []).append(x)
        return h[9][0]

    for _ in range(3):
        with pytest.raises(KeyError, match="9"):
            gradient(f, XS)


def test_a_dict_that_is_given_is_changed_once() -> None:
    def f(x: float, h: dict[str, list[float]]) -> Any:
        h.setdefault("a", []).append(x * x)
        h.setdefault("b", []).append(3.0 * x)
        return sum(h["a"]) * h["b"][0]

    for _ in range(3):
        h = {"a": [1.0]}
        y, back = pullback(f, 2.0, h)
        assert y == 30.0
        assert h == {"a": [1.0, 4.0], "b": [6.0]}
        assert back(1.0)[1] == 4.0 * 6.0 + 5.0 * 3.0
        assert back(1.0)[1] == 39.0
