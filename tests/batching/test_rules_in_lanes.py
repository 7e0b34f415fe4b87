"""Every rule in lanes is the loop: all arguments mapped, each beside unmapped ones, and along another axis."""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy as np
import pytest
from batching.lanes_of_samples import check
from rules.sampling import Sample, sample
from rules.tables import FAMILIES, samples_of

import adjoint
from adjoint.batching import functions
from adjoint.ops import OPS, batches
from adjoint.tangents import lane_functions
from adjoint.tangents.lanes import Lanes

SAMPLES = [pytest.param(s, id=f"{family}-{s.label}") for family in FAMILIES for s in samples_of(family)]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("s", SAMPLES)
def test_a_rule_in_lanes(s: Sample) -> None:
    with np.errstate(all="ignore"):
        check(s)


TOGETHER = [
    sample(np.sin, np.ones((2, 3))),
    sample(np.matmul, np.ones((2, 3)), np.ones((3, 2))),
    sample(np.sum, np.ones((2, 3)), axis=0),
    sample(np.einsum, "ij,jk->ik", np.ones((2, 3)), np.ones((3, 2))),
    sample(np.linalg.solve, np.eye(2) + 0.1, np.ones(2)),
    sample(np.sort, np.arange(3.0)),
    sample(np.quantile, np.arange(4.0), 0.3),
    sample(np.concatenate, [np.ones(2), np.ones(2)]),
    sample(np.where, np.array([True, False]), np.ones(2), np.zeros(2)),
    sample(np.linalg.cholesky, np.eye(3) + 0.1),
]


@pytest.mark.parametrize("s", TOGETHER, ids=lambda s: s.label)
def test_what_runs_together(s: Sample) -> None:
    _, alone = check(s)
    assert not alone


def test_a_wrong_form_for_lanes_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(a: Any, axis: Any = None, **options: Any) -> Lanes:
        return Lanes(np.cumsum(a.data, axis=0))  # along the lanes

    row = OPS[id(np.cumsum)]
    monkeypatch.setitem(OPS, id(np.cumsum), row._replace(lanes=wrong))
    with pytest.raises(AssertionError, match="as a loop"):
        check(sample(np.cumsum, np.arange(1.0, 4.0)))


def test_a_wrong_cotangent_in_lanes_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["adjoint.tangents.project"], "_as_lanes", lambda d, like: d)
    with pytest.raises(AssertionError, match="as a loop"):
        check(sample(np.multiply, np.ones((2, 3)), np.ones(3)))


def test_an_operand_that_is_written_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def writes(*args: Any) -> Lanes:
        return Lanes(np.hypot(*[x.data for x in args]))  # the third is an array to write into

    row = OPS[id(math.hypot)]
    monkeypatch.setitem(OPS, id(math.hypot), row._replace(lanes=writes))
    with pytest.raises(AssertionError, match="as a loop"):
        check(sample(lambda x, y, z: math.hypot(x, y, z), 2.0, 3.0, 4.0))  # a new function, of which nothing is kept


MATHS = {
    "log to a base": (lambda x, b: math.log(x * 2, b * 1.0) * b, True),
    "log to base 10": (lambda x, b: math.log(x * 2, 10) * b, True),
    "log": (lambda x, b: math.log(x * 2) * b, True),
    "log to base 1": (lambda x, b: math.log(x, b - b + 1.0), False),
    "hypot of none": (lambda x, b: math.hypot() * b, True),
    "hypot of one": (lambda x, b: math.hypot(-x) * b, True),
    "hypot of three": (lambda x, b: math.hypot(x * 2, b * 3, x * b) * b, True),
    "hypot of several": (lambda x, b: math.hypot(*[x * 2, b * 3, x * b, 2.0]) * b, True),
    "too many": (lambda x, b: math.atan2(x * 1.0, b * 1.0, x * b), False),
    "too few": (lambda x, b: math.pow(x * 1.0), False),
}


@pytest.mark.parametrize("name", MATHS)
def test_mathematics_of_numbers_with_other_numbers_of_arguments(name: str) -> None:
    f, fits = MATHS[name]
    xs, bs = np.array([2.0, 3.0, 2.5]), np.array([4.0, 9.0, 3.0])

    def by_loop(xs: Any, bs: Any) -> Any:
        return np.stack([f(x, b) for x, b in zip(xs, bs, strict=True)])

    if not fits:
        with pytest.raises(Exception) as caught:  # noqa: PT011 - that of the loop, whatever it is
            by_loop(xs, bs)
        with pytest.raises(caught.type):
            adjoint.vmap(f)(xs, bs)
        return
    np.testing.assert_allclose(adjoint.vmap(f, strict=True)(xs, bs), by_loop(xs, bs), rtol=1e-14)
    ours = adjoint.grad(lambda x, b: np.sum(adjoint.vmap(f)(x, b) ** 2), (0, 1))(xs, bs)
    np.testing.assert_allclose(ours, adjoint.grad(lambda x, b: np.sum(by_loop(x, b) ** 2), (0, 1))(xs, bs))
    each = [adjoint.grad(f, (0, 1))(x, b) for x, b in zip(xs, bs, strict=True)]
    np.testing.assert_allclose(adjoint.vmap(adjoint.grad(f, (0, 1)))(xs, bs), np.transpose(each))


def test_forms_for_lanes_stand_in_the_records() -> None:
    assert OPS[id(np.cumsum)].lanes.__module__ == lane_functions.__name__
    assert OPS[id(max)].lanes.__module__ == functions.__name__
    assert OPS[id(np.sort)].lanes is None
    assert callable(batches)
    assert adjoint.vmap(np.cumsum)(np.ones((2, 3))).tolist() == [[1.0, 2.0, 3.0]] * 2
