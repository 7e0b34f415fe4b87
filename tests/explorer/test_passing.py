"""Lines that compute nothing, and the lines that they belong with."""

import ast
from typing import Any

import pytest

from adjoint.explorer.passing import Flow


def flow_of(text: str) -> Flow:
    return Flow(ast.parse(text).body[0])


def test_the_nearest_maker_before_a_line_or_else_its_readers() -> None:
    flow = flow_of("def f(x):\n    y = x\n    while y:\n        z = y\n        y = z\n    k = 2.0\n    return k * y\n")
    assert [sorted(flow.passed(line, {1, 7})) for line in range(2, 7)] == [[1], [1], [1], [1], [7]]
    assert flow.passed(6, {2}) == set() and flow.passed(5, {4}) == {4}


def test_names_of_functions_within_one() -> None:
    flow = flow_of("def f(x):\n    a = 2.0\n    def g(u):\n        b = a\n        return b * u\n    return g(x)\n")
    assert flow.passed(2, {5}) == {5} and flow.inner[0].passed(4, {2}) == {2}


def test_a_branch_has_nothing_of_another_one() -> None:
    flow = flow_of(
        "def f(x):\n    s = x\n    if x > 1:\n        s = s * x\n    elif x > 0:\n        s = s + 1\n"
        "    else:\n        t = s\n    return s\n"
    )
    assert [sorted(flow.passed(line, {1, 4, 9})) for line in (2, 6, 8)] == [[1], [1], [1]]
    assert flow.passed(6, {4, 9}) == {9} and flow.passed(2, {8, 9}) == {8, 9}
    caught = flow_of("def f(x):\n    try:\n        y = x\n    except ValueError:\n        y = 2\n    return y\n")
    assert flow.passed(3, {1, 4, 9}) == {1} and caught.passed(5, {3, 6}) == {6}


def test_what_hands_nothing_on_is_silent() -> None:
    flow = flow_of("def f(x):\n    if x:\n        pass\n    while (y := x):\n        break\n    assert y\n")
    assert [step.line for step in flow.steps if not step.silent] == [4]


@pytest.mark.parametrize("first", ["x", "2.0"])
def test_each_statement_is_looked_at_once(first: str, monkeypatch: pytest.MonkeyPatch) -> None:
    n, looked = 500, 0
    flow = flow_of(f"def f(x):\n    y = {first}\n" + "    y = y\n" * n + "    return 1.0\n")
    flow.steps = []  # they are found by name and by line

    def counted(method: Any) -> Any:
        def count(*args: Any) -> Any:
            nonlocal looked
            for found in method(*args):
                looked += 1
                yield found

        return count

    monkeypatch.setattr(Flow, "_makers", counted(Flow._makers))
    monkeypatch.setattr(Flow, "_readers", counted(Flow._readers))
    assert flow.passed(n, set()) == set()
    assert n - 5 < looked < n + 5
