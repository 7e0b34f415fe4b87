"""Frames of Polars in programs that are differentiated: constants, whose numbers are taken out."""

from __future__ import annotations

import numpy as np
import pytest
from interop.needed import needed

import adjoint
from adjoint.errors import NoRuleError, NotDifferentiableError

pl = needed("polars")
DF = pl.DataFrame({"x": [1.0, 2.0, 3.0], "y": [0.5, -1.0, 2.0]})
W = np.array([0.3, -0.2])


def loss(w: np.ndarray) -> float:
    x = DF.filter(pl.col("x") > 1.0).select("x", "y").to_numpy()
    return np.sum((x @ w - DF["y"][:2].to_numpy()) ** 2) * DF["x"].mean()


def test_frames_are_constants_in_a_loss() -> None:
    slope, v, h = adjoint.grad(loss)(W), np.array([1.0, -2.0]), 1e-6
    np.testing.assert_allclose(slope @ v, (loss(W + h * v) - loss(W - h * v)) / (2 * h), rtol=1e-6)
    np.testing.assert_allclose(adjoint.hessian(loss)(W) @ v, (adjoint.grad(loss)(W + v) - slope), rtol=1e-9)


def test_numbers_that_are_differentiated_do_not_enter_a_frame() -> None:
    for f in (
        lambda w: (DF["x"] * w).sum(),
        lambda w: pl.Series("z", [w, 2.0 * w]).sum(),
        lambda w: DF.with_columns(z=pl.lit(w))["z"].sum(),
        lambda w: DF.select(pl.col("x") * w).to_numpy().sum(),
    ):
        with pytest.raises(NoRuleError) as caught:
            adjoint.grad(f)(2.0)
        assert "to_numpy()" in caught.value.way_out


def test_a_frame_is_not_differentiated_itself() -> None:
    with pytest.raises(NotDifferentiableError):
        adjoint.grad(lambda df: df["x"].sum())(DF)
