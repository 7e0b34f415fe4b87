"""Dicts and lists of dicts whose keys are told as the program runs: transitions, graphs with weights, settings."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from adjoint import gradient
from adjoint.derivatives.choice import is_structured_call
from adjoint.inspect import code_adjoint

NAMES = ["A", "B", "A", "B", "B"]


def transitions(p: Any, names: Any) -> Any:
    table = {"A": {"A": p, "B": 1 - p}, "B": {"B": 0.5 * p, "C": 0.5}}
    total = 0.0
    for s in names:
        for q in table[s].values():
            total += q * q
    return total


def by_items(p: Any, names: Any) -> Any:
    table = {"A": {"A": p, "B": 1 - p}, "B": {"A": 0.5 * p, "B": 0.5}}
    total = 1.0
    for s in names:
        for t, q in table[s].items():
            total = total * q + table[t]["A"]
    return total


def rows(p: Any, names: Any) -> Any:
    settings = [{"w": p, "b": 0.1}, {"w": p * p, "b": p}]
    total = 1.0
    for s in names:
        row = settings[0 if s == "A" else 1]
        total = total * row["w"] + row["b"]
    return total


@pytest.mark.parametrize("f", [transitions, by_items, rows])
def test_programs(f: Any) -> None:
    want = (f(0.6 + 1e-6, NAMES) - f(0.6 - 1e-6, NAMES)) / 2e-6
    for _ in range(3):
        assert gradient(f, 0.6, NAMES)[0] == pytest.approx(want, rel=1e-7)
    assert is_structured_call(f, (0.6, NAMES))
    second = (gradient(f, 0.6 + 1e-5, NAMES)[0] - gradient(f, 0.6 - 1e-5, NAMES)[0]) / 2e-5
    found = gradient(lambda p: gradient(f, p, NAMES)[0], 0.6)[0]
    assert found == pytest.approx(second, rel=1e-6)


@pytest.mark.parametrize("f", [transitions, by_items])
def test_what_is_in_them_is_known_before_they_run(f: Any) -> None:
    assert "observe" not in str(code_adjoint(f, 0.6, NAMES))


def test_of_arrays() -> None:
    def f(w: Any, names: Any) -> Any:
        layers = {"A": {"w": w, "b": w[0]}, "B": {"w": 2 * w, "b": w[1]}}
        x = np.ones(2)
        for s in names:
            x = np.tanh(layers[s]["w"] @ x + layers[s]["b"])
        return x.sum()

    w = np.array([[0.3, -0.2], [0.5, 0.1]])
    d = np.array([[1.0, 2.0], [-1.0, 0.5]])
    want = (f(w + 1e-6 * d, NAMES) - f(w - 1e-6 * d, NAMES)) / 2e-6
    assert np.sum(gradient(f, w, NAMES)[0] * d) == pytest.approx(want, rel=1e-6)
