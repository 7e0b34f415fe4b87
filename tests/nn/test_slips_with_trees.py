"""What is handed over by mistake to what goes through models: each is refused by the family of errors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from adjoint import gradient, nn
from adjoint.errors import AdjointError, OptionError, StructureError

MODEL = {"a": [1.0, np.ones(2)], "n": 3}


@dataclass
class Part:
    w: Any


def total(p: Any, q: Any) -> Any:
    return p + q


@pytest.mark.parametrize(
    ("act", "said"),
    [
        (lambda: nn.tree_map(MODEL, total), "`f` is no function: {"),  # type: ignore[type-var]
        (lambda: nn.tree_map_with_path(None, MODEL), "`f` is no function: None"),  # type: ignore[arg-type]
        (lambda: nn.tree_map(total, MODEL, is_leaf=3), "`is_leaf` is no function: 3"),  # type: ignore[arg-type]
        (lambda: nn.tree_leaves(MODEL, is_leaf="a"), "`is_leaf` is no function: 'a'"),  # type: ignore[arg-type]
        (lambda: nn.named_leaves(MODEL, is_leaf=True), "`is_leaf` is no function: True"),  # type: ignore[arg-type]
        (lambda: nn.freeze(MODEL, ["a"]), r"a pattern is no text: \['a'\].*`freeze\(model, 'a'\)`"),  # type: ignore[arg-type]
        (lambda: nn.freeze(MODEL, "a", 3), "a pattern is no text: 3"),  # type: ignore[arg-type]
        (lambda: nn.freeze(MODEL, lambda path: True), "a pattern is no text"),  # type: ignore[arg-type]
        (lambda: nn.field(static=True, buffer=True), "a field is static and a buffer"),
    ],
)
def test_options(act: Callable[[], Any], said: str) -> None:
    with pytest.raises(OptionError, match=f"(?s){said}"):
        act()


@pytest.mark.parametrize(
    ("other", "said"),
    [
        ({"a": [{"x": 1.0}, np.ones(2)], "n": 3}, r"a dict where the model has a float at a\.0"),
        ({"a": [1.0, [1.0, 2.0]], "n": 3}, r"a list where the model has an array at a\.1"),
        ({"a": [1.0, (1.0, 2.0)], "n": Part(1.0)}, r"a tuple where .* at a\.1; a Part where the model has an int at n"),
        ({"a": [gradient(lambda m: m.w, Part(1.0))[0], None], "n": 3}, "a gradient of a Part where .* a float at"),
        (None, ""),
        (3.0, "a float where the model has a dict"),
        (np.ones(2), "an array where the model has a dict"),
        ("text", "a str where the model has a dict"),
    ],
)
def test_what_is_gone_through_besides(other: Any, said: str) -> None:
    if other is None:
        assert nn.tree_map(lambda p, q: q, MODEL, other) == {"a": [None, None], "n": None}
        return
    for act in (nn.tree_map, nn.tree_map_with_path):
        with pytest.raises(StructureError, match=said):
            act(lambda *args: args, MODEL, other)
    with pytest.raises(StructureError, match=said):
        nn.as_model(other, like=MODEL)
    with pytest.raises(StructureError, match=said):
        nn.optimizers.apply_updates(MODEL, other)
    with pytest.raises(StructureError, match=said):
        nn.ravel(MODEL)[1].vector(other)


def test_records_that_have_other_fields() -> None:
    one, two = SimpleNamespace(a=1.0, b=2.0), SimpleNamespace(a=1.0)
    with pytest.raises(StructureError, match="no field 'b', which the model has at x"):
        nn.tree_map(total, {"x": one}, {"x": two})
    with pytest.raises(StructureError, match="a field 'b', which the model has not at x"):
        nn.tree_map(total, {"x": two}, {"x": one})


def test_what_is_leaf_says_may_stand_where_a_number_is() -> None:
    found = nn.tree_map(lambda p, state: state[0] + p, {"w": 1.0}, {"w": [2.0]}, is_leaf=lambda x: isinstance(x, list))
    assert found == {"w": 3.0}


@pytest.mark.parametrize("state", [[1.0], None, 3, "text", (("a.0", 1.0),), np.ones(2)])
def test_states_are_dicts(state: Any) -> None:
    with pytest.raises(StructureError, match=r"(?s)the state is a .*, and no dict.*`nn\.state_dict\(model\)`"):
        nn.load_state_dict(MODEL, state)


@pytest.mark.parametrize(
    ("state", "said"),
    [
        ({"a.0": [1.0, [2.0]]}, r"the state has no numbers at `a\.0`, but a list"),
        ({"a.0": None}, r"the state has no numbers at `a\.0`, but a NoneType"),
        ({"a.0": {"w": 1.0}}, r"the state has no numbers at `a\.0`, but a dict"),
        ({"a.0": "text"}, r"the state has <U4 at `a\.0`, and the model float64"),
        ({"a.1": ["x", "y"]}, r"the state has <U1 at `a\.1`, and the model float64"),
        ({"a.1": 1.0}, r"the state has the shape \(\) at `a\.1`, and the model \(2,\)"),
        ({"n": 3.5}, "the state has float64 at `n`, and the model int64"),
        ({1: 3.5}, "missing `a.0`, `a.1`, `n`; unexpected `1`"),
        ({("a", 0): 3.5}, r"unexpected `\('a', 0\)`"),
    ],
)
def test_states_hold_arrays_by_paths(state: Any, said: str) -> None:
    whole = {**nn.state_dict(MODEL), **state} if all(key in nn.state_dict(MODEL) for key in state) else state
    with pytest.raises(StructureError, match=said):
        nn.load_state_dict(MODEL, whole)


@pytest.mark.parametrize("vector", ["abcd", [1.0, [2.0], 3.0], {"a": 1.0}, None, ["a", "b", "c"], [1j, 2.0, 3.0], 3.0])
def test_vectors_are_of_real_numbers(vector: Any) -> None:
    with pytest.raises(AdjointError, match=r"no array of real numbers|for a model of 3 numbers"):
        nn.ravel(MODEL)[1](vector)


@pytest.mark.parametrize("path", [3, None, ["a.npz"]])
def test_paths_of_files(path: Any, tmp_path: Path) -> None:
    for act in (nn.save, nn.load):
        with pytest.raises(OptionError, match="`path` is no path of a file"):
            act(path, MODEL)
    with pytest.raises(FileNotFoundError):
        nn.load(tmp_path / "none.npz", MODEL)
