"""Series and frames of pandas in programs that are differentiated: with data, by numbers, and by themselves."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from interop.needed import needed
from numpy.testing import assert_allclose, assert_array_equal

import adjoint
from adjoint import grad, gradient, hvp, pullback, value_and_grad
from adjoint.calculus import pushforward
from adjoint.errors import AdjointError, CotangentError, NotDifferentiableError

pd = needed("pandas")
needed("adjoint.interop.pandas")
RNG = np.random.default_rng(0)
INDEX = ["k", "l", "m", "n", "o"]
DF = pd.DataFrame(RNG.uniform(0.5, 2.0, (5, 3)), INDEX, ["a", "b", "x"])
WHOLE = pd.DataFrame({"a": [1.0, 2.0, 3.0], "n": [1, 2, 3], "t": ["u", "v", "u"]})
OTHER = DF[::-1]
W = 0.7

# By a number, with data beside it.
DATA: dict[str, Callable[[Any], Any]] = {
    "to_numpy": lambda w: np.sum(np.exp(DF["x"].to_numpy() * w)),
    "values": lambda w: np.sum((DF[["a", "b"]].values @ np.array([w, w * w])) ** 2),
    "ufunc": lambda w: np.exp(DF["x"] * w).mean(),
    "left": lambda w: (w - DF["x"] / (1.0 + w)).sum(),
    "power": lambda w: ((DF["a"] ** w) * (w ** DF["b"])).sum(),
    "frame": lambda w: (DF * w - DF**2).sum().sum(),
    "rows": lambda w: ((DF * w).mul(DF["x"], axis=0) ** 2).mean(axis=1).sum(),
    "columns": lambda w: ((DF * w) * pd.Series([1.0, 2.0, 3.0], ["a", "b", "x"])).sum().sum(),
    "product": lambda w: ((DF @ (np.array([w, 1.0, w]))) ** 2).sum(),
    "reflected product": lambda w: ((np.ones(3) * w) @ (DF.T * w)).sum(),
    "series product": lambda w: (DF["a"] * w) @ DF["b"] + (DF["a"] * w).dot(DF["b"] * w),
    "frames product": lambda w: ((DF * w) @ DF.T).sum().sum(),
    "np.sum": lambda w: np.sum(DF["x"] * w) + np.sum(np.log(DF * w), axis=0).max(),
    "np.mean": lambda w: np.mean(DF["x"] * w * w) + np.std(DF["x"] * w) + np.max(DF["x"] * w),
    "spread": lambda w: (DF["x"] * w).std() + (DF * w).var().sum() + (DF["x"] * w).std(ddof=0),
    "extremes": lambda w: (DF["x"] * w).max() - (DF * w).min().sum() + (DF["x"] * w).median(),
    "standardized": lambda w: (((DF - DF.mean()) / DF.std() * w) ** 2).sum().sum(),
    "scaled": lambda w: (((DF * w - (DF * w * w).mean()) / (DF * w + 1.0).std()) ** 2 * DF).sum().sum(),
    "loc": lambda w: (
        (DF * w).loc["l", "x"] ** 2 + (DF * w).loc["k":"m", "a"].sum() + (DF.loc[INDEX[:2]] * w).sum().sum()
    ),
    "iloc": lambda w: (DF * w).iloc[1, 2] ** 2 + (DF * w).iloc[1:3].sum().sum() + (DF["x"] * w).iloc[-1],
    "at": lambda w: (DF * w).at["l", "x"] ** 2 + (DF * w).iat[0, 1],
    "item": lambda w: (DF["x"] * w)["m"] ** 2 + (DF * w)["a"].sum() + (DF * w).b.sum(),
    "mask": lambda w: (DF["x"] * w)[DF["a"] > 1.0].sum() + (DF * w)[DF["b"] > 1.0]["x"].sum(),
    "head": lambda w: (DF * w).head(2).sum().sum() + (DF["x"] * w).tail(1).sum(),
    "transposed": lambda w: ((DF * w).T.loc["a"] ** 2).sum(),
    "where": lambda w: (DF["x"] * w).where(DF["a"] > 1.0, w).sum() + (DF["x"] * w).mask(DF["a"] > 1.0, 0.0).sum(),
    "clip": lambda w: (DF["x"] * w).clip(0.5, 1.0).sum() + (DF * w).clip(upper=0.9).sum().sum(),
    "abs": lambda w: (-(DF["x"] * w)).abs().sum() + abs(DF["x"] * w).sum() + np.abs(DF["x"] * w).sum(),
    "shift": lambda w: ((DF["x"] * w) - (DF["x"] * w).shift(1)).iloc[1:].sum() + ((DF["x"] * w).diff() ** 2).sum(),
    "gaps": lambda w: (DF["x"] * w).where(DF["a"] > 1.0).mean() + (DF["x"] * w).where(DF["a"] > 1.0).fillna(w).sum(),
    "cumsum": lambda w: ((DF["x"] * w).cumsum() ** 2).sum() + (DF * w).cumprod().iloc[-1].sum(),
    "where of numpy": lambda w: np.where(DF["a"] > 1.0, DF["x"] * w, 0.0).sum(),
    "made of an array": lambda w: (pd.Series(DF["x"].to_numpy() * w, INDEX) * DF["a"]).sum(),
    "made of columns": lambda w: (pd.DataFrame({"p": DF["a"] * w, "q": DF["b"]}) @ np.array([1.0, w])).sum(),
    "asarray": lambda w: np.sum(np.asarray(DF["x"] * w) ** 2) + np.array(DF * w).sum(),
    "concatenated": lambda w: np.concatenate([(DF["x"] * w).to_numpy(), (DF["a"] * w * w).values]).sum(),
    "mixed": lambda w: (WHOLE["a"] * w).sum() + (WHOLE["n"] * w * w).sum() + (WHOLE[["a", "n"]] * w).sum().sum(),
    "mixed rows": lambda w: (WHOLE[WHOLE["t"] == "u"]["a"] * w).sum() + (WHOLE.loc[WHOLE["n"] > 1, "a"] * w).sum(),
    "grouped data": lambda w: (WHOLE.groupby("t")["a"].mean() * w * w).sum(),
    "integers": lambda w: (WHOLE["n"] * w).sum() * len(WHOLE) + WHOLE.shape[0] * w + (2 ** WHOLE["n"] * w).sum(),
    "iterated": lambda w: sum(row.x * w for row in DF.itertuples()) + sum(v * w * w for v in DF["a"]),
    "astype": lambda w: (
        (WHOLE["n"].astype(float) * w).astype("float64").sum() + (WHOLE["n"] * w).astype(np.float64).sum()
    ),
    "methods": lambda w: DF["x"].mul(w).add(DF["a"]).sub(1.0).div(2.0).pow(2).sum(),
    "polars-like": lambda w: DF["x"].mean() * w + (DF["x"].to_numpy() * w).sum(),
}


def stored(w: Any) -> Any:
    """Data are worked on in place, before and after something is computed with them."""
    d = DF.copy()
    d["y"] = np.log(d["x"])
    y = (d["y"] * w).sum() + (d["x"] * w * w).sum()
    d.loc["k", "x"] = 100.0
    d["a"] += 1.0
    return y + (d["a"] * w).sum()


SECOND = [*DATA] if os.environ.get("ADJOINT_THOROUGH") else ("ufunc", "rows", "loc", "where of numpy")


def differences(f: Callable[[Any], Any], x: float) -> float:
    h = 1e-6
    return float((f(x + h) - f(x - h)) / (2 * h))


@pytest.mark.parametrize("name", DATA)
def test_with_data_in_all_modes(name: str) -> None:
    f = DATA[name]
    value, slope = value_and_grad(f)(W)
    assert value == f(W)
    assert_allclose(slope, differences(f, W), rtol=1e-6)
    y, back = pullback(f, W)
    assert back(1.0)[1] == back(1.0)[1] == pytest.approx(slope, rel=1e-12)
    assert_allclose(pushforward(f, (W,), (1.0,))[1], slope, rtol=1e-9)


@pytest.mark.parametrize("name", SECOND)
def test_second_derivatives(name: str) -> None:
    f = DATA[name]
    bend = differences(lambda w: grad(f)(w), W)
    assert_allclose(grad(grad(f))(W), bend, rtol=1e-5, atol=1e-7)
    assert_allclose(hvp(f, (W,), (1.0,))[0], bend, rtol=1e-5, atol=1e-7)


def test_with_data_that_are_worked_on_in_place() -> None:
    value, slope = value_and_grad(stored)(W)
    assert value == stored(W)
    assert_allclose(slope, differences(stored, W), rtol=1e-6)
    assert_allclose(pushforward(stored, (W,), (1.0,))[1], slope, rtol=1e-9)


# By Series and frames.
TABLES: dict[str, Callable[[Any], Any]] = {
    "squares": lambda d: (d**2).sum().sum(),
    "columns": lambda d: ((d["a"] - d["x"]) ** 2 * d.b).sum(),
    "numpy": lambda d: np.sum(d[["a", "b"]].to_numpy() @ np.array([1.0, 2.0])) + np.sum(d["x"].values ** 3),
    "exp": lambda d: np.exp(d * 0.5).mean().sum(),
    "rows": lambda d: (d.loc["k"] * d.iloc[2]).sum() + d.loc["m", "a"] ** 2,
    "standardized": lambda d: (((d - d.mean()) / d.std()) ** 3).sum().sum(),
    "product": lambda d: ((d @ d.T) ** 2).sum().sum(),
    "some": lambda d: d["a"].sum() * 2.0,
    "none": lambda d: 1.0,
    "masked": lambda d: (d[d["a"] > 1.0]["b"] ** 2).sum(),
    "extreme": lambda d: d.max().sum() + d["x"].min() ** 2,
    "loop": lambda d: sum((d[name] ** 2).sum() * (i + 1) for i, name in enumerate(d.columns)),
}


def by_differences(f: Callable[[Any], Any], d: Any) -> Any:
    found = np.zeros(d.shape)
    for i in np.ndindex(d.shape):
        step = np.zeros(d.shape)
        step[i] = 1e-6
        found[i] = (f(d + step) - f(d - step)) / 2e-6
    return found


@pytest.mark.parametrize("name", TABLES)
def test_by_a_frame(name: str) -> None:
    f = TABLES[name]
    before = DF.copy()
    g = grad(f)(DF)
    assert type(g) is pd.DataFrame and g.index.equals(DF.index) and g.columns.equals(DF.columns)
    assert_allclose(g.to_numpy(), by_differences(f, DF), rtol=1e-5, atol=1e-8)
    dot = pd.DataFrame(RNG.normal(size=DF.shape), DF.index, DF.columns)
    along = pushforward(f, (DF,), (dot,))[1]
    assert_allclose(along, (g * dot).sum().sum(), rtol=1e-9, atol=1e-12)
    assert DF.equals(before)


def test_by_a_frame_twice() -> None:
    v = pd.DataFrame(RNG.normal(size=DF.shape), DF.index, DF.columns)
    f = TABLES["product"]
    found = hvp(f, (DF,), (v,))[0]
    h = 1e-6
    expected = (grad(f)(DF + h * v) - grad(f)(DF - h * v)) / (2 * h)
    assert_allclose(found.to_numpy(), expected.to_numpy(), rtol=1e-5)
    total = grad(lambda d: (grad(f)(d) ** 2).sum().sum())(DF)
    assert type(total) is pd.DataFrame
    assert_allclose(total.to_numpy(), (2 * hvp(f, (DF,), (grad(f)(DF),))[0]).to_numpy(), rtol=1e-9)


def test_by_a_series_which_is_stepped_along() -> None:
    s = pd.Series([3.0, -1.0, 2.0], ["u", "v", "w"], name="s")
    target = pd.Series([1.0, 2.0, 3.0], ["u", "v", "w"])
    for _ in range(50):
        g = grad(lambda s: ((s - target) ** 2).sum())(s)
        assert type(g) is pd.Series and g.index.equals(s.index)
        s = s - 0.2 * g
    assert_allclose(s, target, atol=1e-6)


def test_results_keep_their_type_and_have_cotangents_of_it() -> None:
    y, back = pullback(lambda w, d: np.exp(d["x"] * w), W, DF)
    assert type(y) is pd.Series and y.name == "x" and y.index.equals(DF.index)
    seed = pd.Series(np.arange(5.0), INDEX)
    _, w_bar, d_bar = back(seed)
    assert_allclose(w_bar, (seed * DF["x"] * y).sum())
    assert_allclose(d_bar["x"], seed * W * y)
    assert_array_equal(d_bar[["a", "b"]], 0.0)
    assert back(np.arange(5.0))[1] == w_bar
    for wrong in (pd.Series(np.ones(5), INDEX[::-1]), np.ones(4), 1.0):
        with pytest.raises(CotangentError, match="a Series of other labels"):
            back(wrong)


def test_precision_and_integers() -> None:
    s = pd.Series(np.ones(3, np.float32))
    assert grad(lambda s: (s * 2.0).sum())(s).dtype == np.float32
    assert grad(lambda s: (s * s).sum())(pd.Series([1, 2])).tolist() == [2.0, 4.0]
    assert grad(lambda d: (d * d).sum().sum())(WHOLE[["a", "n"]])["n"].tolist() == [2.0, 4.0, 6.0]


def test_nothing_and_one() -> None:
    empty = pd.Series([], dtype=float)
    assert len(grad(lambda s: (s * 2.0).sum())(empty)) == 0
    assert grad(lambda w: (empty * w).sum())(2.0) == 0.0
    assert grad(lambda s: (s * s).iloc[0])(pd.Series([3.0])).tolist() == [6.0]


def test_an_argument_that_is_changed_is_not_passed_over() -> None:
    def added(d: Any) -> Any:
        y = (d["x"] ** 2).sum()
        d["y"] = 1.0
        return y + (d["x"] * 3.0).sum() + (d["y"] * d["x"]).sum()

    def overwritten(d: Any) -> Any:
        y = (d["x"] ** 2).sum()
        d.loc["k", "x"] = 0.0
        return y + (d["x"] * 3.0).sum()

    for f in (added, overwritten):
        with pytest.raises(AdjointError):
            grad(f)(DF.copy())


def test_what_a_rule_keeps_is_what_was_there() -> None:
    def f(w: Any) -> Any:
        s = DF["x"].copy()
        y = (s * w * w).sum()
        s.iloc[0] = 100.0
        return y

    assert_allclose(grad(f)(W), 2 * W * DF["x"].sum())


def test_functions_of_numpy_in_lists_and_choices() -> None:
    s = DF["x"]
    assert_allclose(grad(lambda s: np.where(DF["a"] > 1.0, s * s, 0.0).sum())(s), 2 * s * (DF["a"] > 1.0))
    for f in (lambda s: np.hypot(s, s.to_numpy()).sum(), lambda s: np.sort(s)[0]):
        assert_allclose(grad(f)(s), by_differences(f, s), rtol=1e-5)
    with pytest.raises(AdjointError):
        grad(lambda s: np.stack([s, s * s]).sum())(s)


def test_labels_are_constants_and_those_of_others_are_refused() -> None:
    s = pd.Series([1.0, 2.0], [3.0, 4.0])
    assert_allclose(grad(lambda w: (s * w).reset_index()[0].sum() + (s.index.to_numpy() * w).sum())(W), 10.0)

    def labelled(w: Any) -> Any:
        d = pd.Series([1.0, 2.0])
        d.index = np.array([3.0, 4.0]) * w
        return d.reset_index()["index"].sum()

    with pytest.raises(AdjointError):
        grad(labelled)(W)
    with pytest.raises(AdjointError, match="numbers among the labels"):
        grad(lambda s: s.get("z", 5.0) * s.get("k"))(pd.Series([2.0], ["k"]))


class Derived(pd.DataFrame):  # type: ignore[misc, name-defined]
    @property
    def _constructor(self) -> Any:
        return Derived


def test_classes_that_are_derived_are_data() -> None:
    derived = Derived(DF)
    assert_allclose(grad(lambda w: (derived["x"].to_numpy() * w).sum())(W), DF["x"].sum())
    for f in (lambda w: (derived * w).sum().sum(), lambda w: derived.mul(w).loc["k", "a"]):
        with pytest.raises(AdjointError, match="to_numpy"):
            grad(f)(W)
    assert gradient(lambda w, d: d["x"].to_numpy().sum() * w, W, derived)[1] is None


def test_ties_share_as_those_of_arrays_do() -> None:
    assert grad(lambda s: s.max())(pd.Series([1.0, 3.0, 3.0])).tolist() == [0.0, 0.5, 0.5]


GAPS = pd.Series([1.0, np.nan, 3.0, 4.0], list("uvwx"))
SKIPPING: dict[str, tuple[Callable[[Any], Any], list[float]]] = {
    "sum": (lambda s: s.sum(), [1.0, 0.0, 1.0, 1.0]),
    "mean": (lambda s: s.mean(), [1 / 3, 0.0, 1 / 3, 1 / 3]),
    "var": (lambda s: s.var(), [-5 / 3, 0.0, 1 / 3, 4 / 3]),
    "var of all": (lambda s: s.var(ddof=0), [-10 / 9, 0.0, 2 / 9, 8 / 9]),
    "max": (lambda s: s.max(), [0.0, 0.0, 0.0, 1.0]),
    "median": (lambda s: s.median(), [0.0, 0.0, 1.0, 0.0]),
    "prod": (lambda s: s.prod(), [12.0, 0.0, 4.0, 3.0]),
    "squares": (lambda s: (s * s).sum(), [2.0, 0.0, 6.0, 8.0]),
    "log": (lambda s: np.log(s).sum(), [1.0, 0.0, 1 / 3, 1 / 4]),
    "abs": (lambda s: (-s).abs().mean(), [1 / 3, 0.0, 1 / 3, 1 / 3]),
    "of numpy": (lambda s: np.mean(s) * 3.0, [1.0, 0.0, 1.0, 1.0]),
    "rows": (lambda s: pd.DataFrame({"a": s, "b": s * 2.0}).mean(axis=1).sum(), [1.5, 0.0, 1.5, 1.5]),
    "running": (lambda s: s.cumsum().sum(), [3.0, 0.0, 2.0, 1.0]),
    "standardized": (lambda s: (((s - s.mean()) / s.std()) ** 2).sum(), [0.0, 0.0, 0.0, 0.0]),
}


@pytest.mark.parametrize("name", SKIPPING)
def test_nothing_flows_to_numbers_that_are_missing(name: str) -> None:
    f, expected = SKIPPING[name]
    assert_allclose(grad(f)(GAPS), expected, rtol=1e-12, atol=1e-12)
    assert_allclose(grad(lambda w: f(GAPS * w))(1.0), np.dot(expected, GAPS.fillna(0.0)), atol=1e-12)
    dot = pd.Series([0.3, 0.0, -0.2, 0.5], GAPS.index)
    assert_allclose(pushforward(f, (GAPS,), (dot,))[1], np.dot(expected, dot), atol=1e-12)
    bend = differences(lambda w: grad(lambda w: f(GAPS * w))(w), 1.0)
    assert_allclose(grad(grad(lambda w: f(GAPS * w)))(1.0), bend, rtol=1e-5, atol=1e-7)


def test_where_all_are_missing_nothing_flows_and_what_is_asked_of_them_is_nan() -> None:
    d = pd.DataFrame({"a": [1.0, 2.0], "b": [np.nan, np.nan]})
    assert grad(lambda d: d.mean().sum())(d).to_numpy().tolist() == [[0.5, 0.0]] * 2
    assert np.isnan(grad(lambda s: (s * s).to_numpy().sum())(GAPS)["v"])
    assert np.isnan(grad(lambda s: s.mean(skipna=False))(GAPS)).all()


MIXED = pd.DataFrame(
    {
        "x": [1.0, 2.0, 3.0],
        "flag": [True, False, True],
        "own": pd.array([1.0, None, 3.0], "Float64"),
        "whole": pd.array([1, 2, None], "Int64"),
        "object": np.array([1.0, 2.0, 3.0], object),
    }
)
CONSTANTS: dict[str, Callable[[Any, Any], Any]] = {
    "times a number": lambda w, c: (c * w).sum(),
    "times a Series": lambda w, c: ((MIXED["x"] * w) * c).sum() + (c * (MIXED["x"] * w)).sum(),
    "power": lambda w, c: ((MIXED["x"] * w) ** c).sum(),
    "mean": lambda w, c: c.mean() * w,
    "of numpy": lambda w, c: np.sum(c * w) + np.sum(np.exp(w * c)),
    "array": lambda w, c: (np.array([w, 1.0, w * w]) * c).sum(),
    "frame": lambda w, c: (pd.DataFrame({"x": MIXED["x"], "c": c}) * w).sum().sum(),
}


@pytest.mark.parametrize("column", ["flag", "own", "whole", "object"])
@pytest.mark.parametrize("name", CONSTANTS)
def test_columns_of_other_than_floats_are_constants_or_refused(name: str, column: str) -> None:
    def f(w: Any) -> Any:
        return CONSTANTS[name](w, MIXED[column])

    if column == "object" and name not in ("mean", "of numpy"):  # of which pandas makes none itself
        with pytest.raises(AdjointError, match="to_numpy"):
            grad(f)(W)
    elif column != "object":
        assert_allclose(grad(f)(W), differences(f, W), rtol=1e-6)
        assert_allclose(pushforward(f, (W,), (1.0,))[1], grad(f)(W), rtol=1e-9)


def test_own_dtypes_are_differentiated_and_flags_are_not() -> None:
    assert grad(lambda s: (s * s).sum())(MIXED["own"]).tolist() == [2.0, 0.0, 6.0]
    assert grad(lambda d: (d * d).sum().sum())(MIXED[["x", "own"]])["own"].tolist() == [2.0, 0.0, 6.0]
    assert_allclose(grad(lambda w: (MIXED["x"] * w).astype("Float64").sum())(W), 6.0)
    for _ in range(3):
        assert gradient(lambda w, s: (MIXED["x"] * s * w).sum(), W, MIXED["flag"]) == (4.0, None)
    with pytest.raises(AdjointError, match="carries no derivative"):
        grad(lambda s: (s * 1.0).sum())(MIXED["flag"])


def test_numbers_that_went_into_a_frame_beside_flags_are_not_lost() -> None:
    for f in (
        lambda w: (pd.DataFrame({"x": MIXED["x"] * w, "b": MIXED["flag"]}) * 2.0).sum().sum(),
        lambda w: (pd.concat([MIXED["x"] * w, MIXED["flag"]], axis=1) * 2.0).sum().sum(),
    ):
        with pytest.raises(AdjointError, match="to_numpy"):
            grad(f)(W)


def test_labels_that_stand_twice() -> None:
    s = pd.Series([1.0, 2.0, 3.0], ["k", "k", "l"])
    assert grad(lambda s: (s * s).loc["k"].sum())(s).tolist() == [2.0, 4.0, 0.0]
    d = pd.DataFrame(np.ones((2, 2)), columns=["a", "a"])
    assert grad(lambda d: (d["a"] * d["a"]).sum().sum())(d).to_numpy().tolist() == [[2.0, 2.0]] * 2


def test_frames_beside_others_and_in_records() -> None:
    g = gradient(lambda w, d, whole: (d["x"] * w).sum() + (whole["a"] * w).sum(), W, DF, WHOLE)
    assert g[2] is None
    assert_allclose(g[1]["x"], W)
    by_w, of = gradient(lambda p: (p["d"]["x"] * p["w"]).sum(), {"w": W, "d": DF})[0].values()
    assert_allclose(by_w, DF["x"].sum())
    assert_allclose(of["x"], W)


def aligned_rows(w: Any) -> Any:
    return (DF["x"] * w + OTHER["a"]).sum()


def put_in(w: Any) -> Any:
    d = DF.copy()
    d["y"] = d["x"] * w
    return d["y"].sum()


def put_in_a_cell(w: Any) -> Any:
    d = DF.copy()
    d.loc["k", "a"] = w
    return d["a"].sum()


def put_in_a_row(w: Any) -> Any:
    s = DF["x"].copy()
    s.iloc[0] = w
    return (s * 2.0).sum()


def added_in_place(w: Any) -> Any:
    s = DF["x"].copy()
    s += w
    return (s * 2.0).sum()


def through_a_view(w: Any) -> Any:
    d = DF.copy()
    s = d["a"]
    s.iloc[0] = w
    return d["a"].sum() + s.sum()


REFUSED: dict[str, Callable[[Any], Any]] = {
    "alignment": aligned_rows,
    "alignment of frames": lambda w: (DF * w + OTHER).sum().sum(),
    "alignment of columns": lambda w: (DF * w + DF[["x", "a", "b"]]).sum().sum(),
    "a Series by its rows": lambda w: (DF * w * pd.Series([1.0, 2.0], ["a", "z"])).sum().sum(),
    "groupby": lambda w: (DF * w).groupby([0, 0, 1, 1, 1]).sum().sum().sum(),
    "merge": lambda w: (
        (DF * w).merge(DF, on="x").sum().sum() + (DF * w).merge(DF, left_index=True, right_index=True).sum().sum()
    ),
    "concat": lambda w: pd.concat([DF * w, DF]).sum().sum(),
    "rolling": lambda w: (DF["x"] * w).rolling(2).mean().sum(),
    "apply": lambda w: DF.apply(lambda row: row * w).sum().sum(),
    "map": lambda w: DF["a"].map(lambda v: v * w).sum(),
    "assign": lambda w: DF.assign(z=DF["x"] * w)["z"].sum(),
    "sorted": lambda w: (DF["x"] * w).sort_values().iloc[:2].sum(),
    "column": put_in,
    "cell": put_in_a_cell,
    "row": put_in_a_row,
    "in place": added_in_place,
    "view": through_a_view,
    "texts": lambda w: pd.DataFrame({"t": ["u"], "a": [w]})["a"].sum() * w,
    "iterated": lambda w: sum(v for v in DF["x"] * w),
    "tolist": lambda w: sum((DF["x"] * w).tolist()),
    "where of others": lambda w: (DF["x"] * w).where(OTHER["a"] > 1.0, 0.0).sum(),
    "callable": lambda w: (DF["x"] * w).loc[lambda s: s > 1.0].sum(),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_followed_is_refused_and_says_how(name: str) -> None:
    f = REFUSED[name]
    f(W)
    with pytest.raises(AdjointError, match="to_numpy"):
        grad(f)(W)
    with pytest.raises(AdjointError):
        pushforward(f, (W,), (1.0,))
    assert gradient(lambda x: x * 2.0 + 0.0 * (f(x) > 1e9), W) == (2.0,)


def test_where_nothing_flows_frames_may_do_anything() -> None:
    def f(w: Any, d: Any) -> Any:
        means = d.groupby([0, 0, 1, 1, 1]).mean()
        return (means["a"].to_numpy() * w).sum()

    assert_allclose(grad(f)(W, DF), f(1.0, DF))
    with pytest.raises(AdjointError, match="to_numpy"):
        gradient(f, W, DF)


def test_refused_as_an_argument_with_texts() -> None:
    with pytest.raises(AdjointError, match="is a DataFrame, which carries no derivative"):
        grad(lambda d: d["a"].sum())(WHOLE)


def test_a_check_by_differences() -> None:
    assert adjoint.gradient(lambda w: np.exp(DF["x"] * w).sum(), W, check=True)[0] > 0
    assert adjoint.gradient(lambda d: (d["x"] ** 2 * d["a"]).sum(), DF, check=True)[0].shape == DF.shape


def test_what_reaches_a_frame_is_explained() -> None:
    assert "the derivative reaches `d`" in str(adjoint.explain(lambda d: (d["x"].to_numpy() ** 2).sum(), DF))
    found = str(adjoint.explain(lambda w: (DF["x"] * w).groupby(list("uuvvv")).sum().sum() + (DF["x"] * w).sum(), W))
    assert "Series.groupby" in found


@pytest.mark.parametrize(
    "f",
    [
        lambda w: pd.Series([1.0, 2.0]).get("zz", w) * 2.0,
        lambda w: pd.Series([1.0, 2.0]).shift(1, None, 0, w).sum(),
        lambda w: ((pd.Series([1.0, 2.0]) * w).to_numpy(dtype=int) * 2.0).sum(),
    ],
)
def test_what_is_given_to_pick_or_to_fill_by_is_not_lost(f: Any) -> None:
    with pytest.raises(AdjointError):
        adjoint.grad(f)(0.7)
    with pytest.raises(AdjointError):
        adjoint.jvp(f, (0.7,), (1.0,))


def stores_at(key: Any, indexer: str = "loc") -> Callable[[Any], Any]:
    def f(w: Any) -> Any:
        d = DF.copy()
        getattr(d, indexer)[key] = 3.0
        return (d["x"] * w).sum()

    return f


def new_column(w: Any) -> Any:
    d = DF.copy()
    d["z"] = 1.0
    return (d["z"] * w + d["x"]).sum()


def used_before(w: Any) -> Any:
    d = DF * w
    y = (d["x"] ** 2).sum()
    d["z"] = 0.0
    d["x"] = 0.0
    return y


def series_used_before(w: Any) -> Any:
    s = DF["x"] * w
    y = s.sum()
    s.iloc[0] = 7.0
    return y


@pytest.mark.parametrize(
    "f",
    [
        stores_at((slice(None), "x")),
        stores_at((DF["x"] > 1.0, "x")),
        stores_at((0, 0), "iloc"),
        stores_at((0, 0), "iat"),
        new_column,
        used_before,
        series_used_before,
    ],
)
def test_constants_are_stored_where_nothing_flows(f: Any) -> None:
    """Into frames of constants, and into others once they have been used."""
    w, h = 1.5, 1e-6
    expected = (f(w + h) - f(w - h)) / (2 * h)
    assert_allclose(grad(f)(w), expected, rtol=1e-6)
    assert_allclose(adjoint.jvp(f, (w,), (1.0,))[1], expected, rtol=1e-6)


def used_after(w: Any) -> Any:
    d = DF * w
    d.loc[:, "x"] = 3.0
    return d.sum().sum()


def store_of_what_moves(w: Any) -> Any:
    d = DF.copy()
    d.iloc[0, 0] = w
    return d["x"].sum()


@pytest.mark.parametrize("f", [used_after, store_of_what_moves])
def test_stores_through_which_something_flows_are_refused(f: Any) -> None:
    with pytest.raises(AdjointError):
        grad(f)(1.5)
    with pytest.raises(AdjointError):
        adjoint.jvp(f, (1.5,), (1.0,))


def test_the_column_without_numbers_is_named() -> None:
    with pytest.raises(NotDifferentiableError) as caught:
        grad(lambda d: d["x"].sum())(pd.DataFrame({"x": [1.0, 2.0], "n": ["a", "b"]}))
    assert "column 'n'" in caught.value.way_out
