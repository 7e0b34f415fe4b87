"""Frames of pandas as data: what is read from them is constant, and what is stored into them is refused."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from realworld.programs import refused

from adjoint import grad, gradient, hessian, hvp
from adjoint.calculus import pushforward
from adjoint.derivatives.choice import has_been_recorded
from adjoint.errors import AdjointError

# mypy: disable-error-code="no-untyped-call"

DF = pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": [4.0, 5.0, 6.0], "c": ["u", "v", "u"]})
NUMBERS = DF[["a", "b"]]
P = np.array([2.0, 3.0])


def rows(x: Any) -> Any:
    total = 0.0
    for row in DF.itertuples():
        total += row.a * x * x
    return total


def series(x: Any) -> Any:
    total = 0.0
    for _, row in DF.iterrows():
        total += row["a"] * x * x
    return total


FOLLOWED: dict[str, Callable[[Any], Any]] = {
    "times": lambda x: (DF["a"] * x * x).sum() + (x * x * DF["a"]).sum(),
    "powers": lambda x: np.multiply(DF["a"], x).sum() * x,
    "product": lambda x: (NUMBERS @ (P * x * x)).sum(),
    "made": lambda x: pd.Series([x]).sum() * x + pd.DataFrame({"a": [x]}).to_numpy().sum() * x,
}
"""Programs in which a derivative flows through a frame: there are rules for that where `adjoint.interop.pandas` is."""

CONSTANT: dict[str, Callable[[Any], Any]] = {
    "to_numpy": lambda x: (DF["a"].to_numpy() * x * x).sum(),
    "values": lambda x: (x * NUMBERS.values * x).sum(),
    "tolist": lambda x: sum(v * x * x for v in DF["a"].tolist()),
    "loc": lambda x: DF.loc[0, "a"] * x * x,
    "iloc": lambda x: DF.iloc[1].a * x * x + DF.iloc[1]["b"] * x * x,
    "at": lambda x: DF.at[1, "a"] * x * x,
    "itertuples": rows,
    "iterrows": series,
    "arithmetic": lambda x: ((DF["a"] + DF["b"] * 2.0).to_numpy() * x * x).sum(),
    "mean": lambda x: DF["a"].mean() * x * x + np.mean(DF["b"]) * x * x + np.sum(DF["a"]) * x * x,
    "groupby": lambda x: (DF.groupby("c")["a"].sum().to_numpy() @ np.ones(2)) * x * x,
    "mask": lambda x: (DF[DF["a"] > 1.5]["b"].to_numpy() * x * x).sum(),
    "masks": lambda x: (DF.loc[(DF["a"] > 1.5) & (DF["c"] == "u"), "b"].to_numpy() * x * x).sum(),
    "len": lambda x: len(DF) * x * x + DF.shape[0] * x * x,
    "in": lambda x: (2.0 if "a" in DF else 3.0) * x * x,
    "columns": lambda x: sum(DF[name].sum() * x * x for name in NUMBERS.columns),
    "items": lambda x: sum(column.sum() * x * x for _, column in NUMBERS.items()),
    "to_dict": lambda x: sum(NUMBERS.to_dict()["a"].values()) * x * x,
    "records": lambda x: sum(record["a"] * x * x for record in DF.to_dict("records")),
    "asarray": lambda x: (np.asarray(NUMBERS) * x * x).sum() + (np.array(DF["a"]) * x * x).sum(),
    "ufunc": lambda x: (np.exp(DF["a"]).to_numpy() * x * x).sum(),
    "dot": lambda x: np.dot(NUMBERS, P * x * x).sum(),
    "matmul": lambda x: (NUMBERS.values @ (P * x * x)).sum(),
    "zip": lambda x: sum(a * b * x * x for a, b in zip(DF["a"], DF["b"], strict=True)),
    "where": lambda x: np.where(DF["a"] > 1.5, x * x, 0.0).sum(),
    "index": lambda x: (x * x * np.arange(3.0))[DF["a"].to_numpy() > 1.5].sum(),
    "rolling": lambda x: DF["a"].rolling(2).mean().to_numpy()[1] * x * x,
}


def check_all_modes(f: Callable[[Any], Any]) -> None:
    """Hold derivatives at 3 of a function that is a multiple of x² to those of one, in all modes."""
    slope, bend = 2.0 * f(3.0) / 3.0, 2.0 * f(3.0) / 9.0
    assert grad(f)(3.0) == pytest.approx(slope)
    assert pushforward(f, (3.0,), (1.0,))[1] == pytest.approx(slope)
    assert hessian(f, 3.0) == pytest.approx(bend)
    assert hvp(f, (3.0,), (1.0,))[0] == pytest.approx(bend)
    assert grad(grad(f))(3.0) == pytest.approx(bend)


@pytest.mark.parametrize("name", CONSTANT)
def test_frames_are_constants_in_all_modes(name: str) -> None:
    check_all_modes(CONSTANT[name])


@pytest.mark.parametrize("name", [name for name in CONSTANT if name != "dot"])
def test_what_is_read_from_a_frame_is_no_reason_to_record(name: str) -> None:
    f = CONSTANT[name]
    for _ in range(3):
        grad(f)(3.0)
    assert not has_been_recorded(f, (3.0,))


@pytest.mark.parametrize("name", FOLLOWED)
def test_what_flows_through_a_frame_is_refused_where_its_rules_are_not_asked_for(name: str) -> None:
    refused(FOLLOWED[name], r"take the numbers out first.*; or `import adjoint.interop.pandas`, which has rules", 3.0)


PROGRAM = """
import sys
sys.path.insert(0, {tests!r})
import adjoint.interop.pandas
from realworld.test_pandas import CONSTANT, FOLLOWED, check_all_modes
for f in (*FOLLOWED.values(), *CONSTANT.values()):
    check_all_modes(f)
"""


def test_what_flows_through_a_frame_is_followed_where_its_rules_are(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(PROGRAM.format(tests=str(Path(__file__).parents[1])))
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, done.stderr[-2000:]


def test_a_frame_with_texts_has_no_cotangent_as_an_argument() -> None:
    assert gradient(lambda x, frame: (frame["a"].to_numpy() * x).sum(), 3.0, DF) == (6.0, None)


def stored_by_loc(x: Any) -> Any:
    frame = NUMBERS.copy()
    frame.loc[0, "a"] = x
    return frame["a"].sum()


def stored_by_at(x: Any) -> Any:
    frame = NUMBERS.copy()
    frame.at[0, "a"] = x
    return frame.loc[0, "a"]


def stored_as_a_column(x: Any) -> Any:
    frame = NUMBERS.copy()
    frame["z"] = x
    return frame["z"].sum()


REFUSED: dict[str, Callable[[Any], Any]] = {
    "apply": lambda x: NUMBERS.apply(lambda row: row * x).to_numpy().sum(),
    "map": lambda x: DF["a"].map(lambda v: v * x).sum(),
    "assign": lambda x: DF.assign(z=x)["z"].sum(),
    "loc": stored_by_loc,
    "at": stored_by_at,
    "column": stored_as_a_column,
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_would_flow_through_one_is_refused(name: str) -> None:
    f = REFUSED[name]
    refused(f, r"(?s)`pandas` is a library of data.*take the numbers out first, `df\[\"a\"\].to_numpy\(\)`", 3.0)
    with pytest.raises(AdjointError):
        pushforward(f, (3.0,), (1.0,))
    assert gradient(lambda x: x * 2.0 + 0.0 * (f(x) > 1e9), 3.0) == (2.0,)


def test_what_is_stored_into_an_array_of_a_frame_is_not_passed_over() -> None:
    def f(x: Any) -> Any:
        frame = NUMBERS.copy()
        values = frame["a"].to_numpy()
        if not values.flags.writeable:
            values.flags.writeable = True
        values[0] = x
        return frame["a"].sum()

    with pytest.raises(AdjointError, match="stored into an array that was read from a `pandas"):
        gradient(f, 3.0)


def test_a_copy_of_what_was_read_is_ones_own() -> None:
    def f(x: Any) -> Any:
        values = np.array(NUMBERS.to_numpy())
        values[:, 0] = x * values[:, 1]
        return (values.sum() - DF["b"].to_numpy().sum()) ** 2

    np.testing.assert_allclose(gradient(f, 3.0)[0], 2 * (15.0 * 3.0) * 15.0)
