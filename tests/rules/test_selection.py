"""Multiple dispatch: which rule takes the arguments of a call, and when plum is asked."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any, Literal

import numpy as np
import pytest

from adjoint.rules import selection
from adjoint.rules.registry import RULES
from adjoint.rules.selection import Accepted, classes_of, narrowest


def takes(*types: Any, varargs: Any = None, required: int | None = None) -> Accepted:
    return Accepted(types, varargs, len(types) if required is None else required)


LISTS = list[float] | None
CASES = [
    ([], (float,), None),
    ([takes(float)], (float,), 0),
    ([takes(float)], (str,), None),
    ([takes(float)], (float, float), None),
    ([takes(float, float, required=1)], (float,), 0),
    ([takes(varargs=object)], (float, str), 0),
    ([takes(float, varargs=int)], (float, int, int), 0),
    ([takes(float, varargs=int)], (float, int, str), None),
    ([takes(object), takes(int | float)], (float,), 1),
    ([takes(int | float), takes(object)], (bool,), 0),
    ([takes(int | float), takes(int | float)], (int,), 1),
    ([takes(float, object), takes(object, float)], (float, float), None),
    ([takes(float, object), takes(object, float), takes(float, float)], (float, float), 2),
    ([takes(float, float), takes(varargs=float)], (float, float), 0),
    ([takes(varargs=object), takes(object, varargs=int)], (float,), 1),
    ([takes(object, varargs=int), takes(object, varargs=object)], (float,), 0),
    ([takes(object, varargs=int), takes(object, varargs=float)], (float,), None),
    ([takes(LISTS), takes(object)], (list,), 0),
    ([takes(Callable[..., Any] | None), takes(object)], (type(len),), 0),
    ([takes(np.ndarray | list, np.ndarray | list), takes(np.ndarray, np.ndarray)], (np.ndarray, np.ndarray), 1),
]


@pytest.mark.parametrize(("accepted", "types", "expected"), CASES)
def test_the_narrowest(accepted: list[Accepted], types: tuple[type, ...], expected: int | None) -> None:
    assert narrowest(accepted, types) == expected


@pytest.mark.parametrize(("accepted", "types", "expected"), CASES)
def test_classes_and_plum_agree(accepted: list[Accepted], types: tuple[type, ...], expected: int | None) -> None:
    if any(t is LISTS for a in accepted for t in a.types):
        pytest.skip("plum does not take a list for a list[float]")
    assert selection._by_plum(accepted, types) == expected


def test_our_own_rules_are_chosen_as_plum_would() -> None:
    kinds = (float, int, np.float64, np.ndarray, list, tuple, str)
    for rules in list(RULES.values())[::7]:
        if len(rules.methods) < 2 or any(not method.call.__module__.startswith("adjoint.") for method in rules.methods):
            continue
        accepted = [a() for _, a in rules._methods]
        for types in [*((a,) for a in kinds), *((a, b) for a in kinds for b in kinds[::2])]:
            assert narrowest(accepted, types) == selection._by_plum(accepted, types), (rules.name, types)


@pytest.mark.parametrize("hint", [Literal[1], "float", Literal[1] | int])
def test_what_is_not_of_classes_alone(hint: Any) -> None:
    with pytest.raises(TypeError):
        classes_of(hint)
    assert narrowest([takes(object), takes(Literal[1])], (int,)) == 0


def test_a_first_gradient_does_without_plum() -> None:
    program = """
import sys, numpy as np, adjoint
def f(x, w, n):
    h = np.tanh(x @ w) / n
    for i in range(n):
        h = h * 2 + abs(h) ** 2 - max(1.0, n / 2)
    return np.sum(np.mean(h, axis=0))
before = set(sys.modules)
adjoint.gradient(f, np.ones((2, 2)), np.ones((2, 2)), 3)
print(sorted(set(sys.modules) - before))
"""
    # from a file: a program given by -c has no source
    code = "import sys, linecache; text = sys.stdin.read(); linecache.cache['p.py'] = (len(text), None, "
    code += "text.splitlines(True), 'p.py'); exec(compile(text, 'p.py', 'exec'))"
    done = subprocess.run([sys.executable, "-c", code], input=program, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
