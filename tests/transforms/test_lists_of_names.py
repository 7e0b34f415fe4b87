"""Rows of data that hold lists of names, as reactions do: their types are known, and asked for before each run."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
from regressions.differences import check

from adjoint import grad, pullback
from adjoint.inspect import code_adjoint

from .held_to_python import hold

Rows = list[tuple[float, list[str], list[str]]]


def given() -> tuple[Any, ...]:
    rows: Rows = [(0.5, ["A", "B"], ["C"]), (0.2, ["C"], ["A", "B"]), (0.1, ["C", "C"], ["D"])]
    return rows, {"A": 1.0, "B": 2.0, "C": 0.5, "D": 0.1}


def kinetics(rows, amounts):
    c = dict(amounts)
    for _ in range(3):
        rates = []
        for k, reactants, _ in rows:
            v = k
            for name in reactants:
                v *= c[name]
            rates.append(v)
        for (_, reactants, products), v in zip(rows, rates, strict=True):
            for name in reactants:
                c[name] -= 0.1 * v
            for name in products:
                c[name] += 0.1 * v
    return c["D"] + c["C"] * c["A"]


def of_dicts(rows, amounts):
    c = dict(amounts)
    for row in [{"k": k, "in": a, "out": b} for k, a, b in rows]:
        v = row["k"] * math.prod(c[name] for name in row["in"])
        for name in row["out"]:
            c[name] += v
    return sum(c.values())


def of_names(names, amounts):
    return sum([amounts[a] * amounts[b] ** 2 for a, b in names])


@pytest.mark.parametrize("f", [kinetics, of_dicts])
def test_programs(f: Callable[..., Any]) -> None:
    hold(f, given, second=False)


def test_lists_of_lists_of_names() -> None:
    names = [["A", "B"], ["B", "D"], ["A", "A"]]
    check(of_names, names, given()[1])
    assert "pullback_wrt" not in str(code_adjoint(of_names, names, given()[1]))


def test_rows_that_hold_something_else_are_seen() -> None:
    rows, amounts = given()
    first = grad(kinetics, argnums=1)(rows, amounts)["A"]
    others: list[Any] = [
        [*rows, (0.3, [], ["A"])],
        [*rows, (0.3, ("A",), ["B"])],
        [(2, ["A"], ["B"])],
        [(0.5, ["A", "B"], ["C"])],
    ]
    for other in others:
        check(kinetics, other, amounts)
    assert grad(kinetics, argnums=1)(rows, amounts)["A"] == first
    rows[0][1].append("missing")
    with pytest.raises(KeyError, match="missing"):
        pullback(kinetics, rows, amounts)
