"""What is stored is seen under all names that lead to it; what cannot be followed is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled import records, sharing

import adjoint
from adjoint import value_and_grad
from adjoint.compiled import entry, programs
from adjoint.errors import CompileError

REFUSED = {
    "by_item_of_list": "changes `items`, a list that others can see",
    "by_pushed": "changes `items`, a list that others can see",
    "by_two_names_of_list": "`items` is read after a store into what it is a view of",
    "by_swapped": "an array that has another name in the next round",
    **dict.fromkeys(
        ["by_rows_in_a_list", "by_rows_that_are_read_later", "by_one_array_in_a_list", "by_stores_in_the_next_round"]
        + ["by_stores_after_appending", "by_last_of_a_list"],
        "a store into an array that is in a list, too",
    ),
}


@pytest.fixture(autouse=True)
def run_by_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry, "COMPILER", [programs.as_python])


def differences(f: Callable[..., Any], x: np.ndarray, h: float = 1e-6) -> np.ndarray:
    return np.array([(f(x + h * e) - f(x - h * e)) / (2 * h) for e in np.eye(len(x))])


@pytest.mark.parametrize("f", sharing.FUNCTIONS, ids=lambda f: f.__name__)
def test_stores_are_seen_by_all(f: Callable[..., Any]) -> None:
    if (reason := REFUSED.get(f.__name__)) is not None:
        with pytest.raises(CompileError) as error:
            value_and_grad(f, compile="strict")(sharing.V)
        assert reason in str(error.value)
        return
    y, d = value_and_grad(f, compile="strict")(sharing.V)
    assert np.isclose(y, f(sharing.V), rtol=1e-12)
    assert np.allclose(d, differences(f, sharing.V), rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("f", records.FUNCTIONS, ids=lambda f: f.__name__)
def test_objects_that_are_made_on_the_way(f: Callable[..., Any]) -> None:
    y, d = value_and_grad(f, compile="strict")(records.V)
    assert np.isclose(y, f(records.V), rtol=1e-12)
    assert np.allclose(d, differences(f, records.V), rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("f", records.REFUSED, ids=lambda f: f.__name__)
def test_objects_whose_classes_do_more_are_refused(f: Callable[..., Any]) -> None:
    with pytest.raises(CompileError) as error:
        value_and_grad(f, compile="strict")(records.V)
    assert records.REFUSED[f] in str(error.value)


def test_results_may_be_objects() -> None:
    def made(x: np.ndarray) -> Any:
        return records.Pair(x[0] * x[1], x[2]), records.State(x[0])

    assert adjoint.compile(made, strict=True)(records.V) == made(records.V)
