"""Forms for lanes are taken: what raises in them would be called lane by lane, and nothing else would show it."""

from __future__ import annotations

import contextlib
import importlib
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from batching.lanes_of_samples import FACTORS, calls, runs
from rules.sampling import Sample, sample
from rules.tables import FAMILIES, samples_of

from adjoint.batching import derivatives
from adjoint.batching.calls import _OF_ARRAYS, _STORING, rule_takes_lanes
from adjoint.batching.mapped import Mapped
from adjoint.batching.within import MappedBars
from adjoint.ops import OPS, Op
from adjoint.tangents.lanes import NoLanes

A = np.arange(1.0, 7.0).reshape(2, 3)
ASKED = [
    sample(f, A)
    for f in (
        np.shape, np.ndim, np.size, np.result_type, np.iscomplexobj, np.isrealobj, np.zeros_like, np.ones_like,
        np.empty_like, np.asanyarray,
    )
]  # fmt: skip
"""Ordinary calls of functions that no rule has samples of."""
SAMPLES = [*ASKED, *[s for family in FAMILIES for s in samples_of(family) if s.f is s.of]]
ROWS = {id(row.functions): row for row in OPS.values() if row.lanes is not None}
ELSEWHERE = {
    "dot": "of lists", "tensordot": "two mapped operands", "triu": "an array of one axis",
    "tril": "an array of one axis", "solve": "a matrix for each lane", "array": "a list of numbers",
    "asarray": "a list of numbers", "asanyarray": "a list of numbers", "einsum": "no arrow, or axes by number",
    "transpose": "the method",
    "max": "an iterable, or a key", "min": "an iterable, or a key", "matmul": "a number type is asked for",
    "sum": "`where`", "mean": "`where`", "take": "`mode`", "reshape": "the order of memory",
    "ravel": "the order of memory",
}  # fmt: skip
"""What has a form for lanes that leaves some of its samples to single lanes, and which."""
RULES_ALONE = frozenset([
    "dot", "einsum", "tensordot", "vecdot", "matvec", "vecmat", "psi", "gammaincc", "gammaincinv", "gammainccinv",
    "betainc", "betaincc", "betaincinv", "betainccinv", "btdtria", "btdtrib", "gdtr", "gdtrc", "gdtrix", "gdtria",
    "gdtrib", "chdtr", "chdtrc", "chdtri", "chdtriv", "pdtr", "pdtrc", "pdtri", "pdtrik", "bdtr", "bdtrc", "bdtri",
    "bdtrik", "bdtrin", "nbdtr", "nbdtrc", "nbdtri", "nbdtrik", "nbdtrin", "fdtr", "fdtrc", "fdtri", "fdtridfd",
    "stdtr", "stdtrit", "stdtridf", "agm", "elliprd", "elliprj", "elliprc", "zetac",
])  # fmt: skip
"""Functions whose rules are called lane by lane: products of several arrays, whose rules ask for shapes, and functions
whose derivatives are sums that are followed until they stand still."""


def samples_of_row(row: Op) -> list[Sample]:
    return [s for s in SAMPLES if any([s.of is f for f in row.functions])]


def used(row: Op, monkeypatch: pytest.MonkeyPatch) -> tuple[int, list[str]]:
    """How often the form of a row was taken for its samples, and what it raised."""
    count, raised = 0, []
    form: Any = row.lanes

    def counted(*args: Any, **kwargs: Any) -> Any:
        nonlocal count
        try:
            found = form(*args, **kwargs)
        except BaseException as error:
            raised.append(repr(error))
            raise
        count += 1
        return found

    with monkeypatch.context() as patched:
        for f in row.functions:
            patched.setitem(OPS, id(f), row._replace(lanes=counted))
        for s in samples_of_row(row):
            for f, args, axes in calls(s):
                with contextlib.suppress(NoLanes):
                    Mapped(f, tuple(axes), 0, None, False).together(args, {}, axes, len(FACTORS))
    return count, raised


def check_used(row: Op, monkeypatch: pytest.MonkeyPatch) -> None:
    count, raised = used(row, monkeypatch)
    name = row.functions[0].__name__
    assert count, f"{name} is never run together: {raised[:3]}"
    assert not raised or name in ELSEWHERE, f"{name} leaves calls to single lanes: {raised[:3]}"


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("row", ROWS.values(), ids=lambda row: row.functions[0].__name__)
def test_a_form_for_lanes_is_taken(row: Op, monkeypatch: pytest.MonkeyPatch) -> None:
    with np.errstate(all="ignore"):
        check_used(row, monkeypatch)


def test_a_form_that_raises_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def raises(*args: Any, **kwargs: Any) -> Any:
        raise ValueError("a fault")

    row = OPS[id(np.cumsum)]._replace(lanes=raises)
    with pytest.raises(AssertionError, match="cumsum is never run together"):
        check_used(row, monkeypatch)


@contextlib.contextmanager
def counting(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Any]]:
    """The functions whose rules are called lane by lane."""
    seen: list[Any] = []
    each_lane = derivatives._each_lane

    def counted(f: Any, args: Any, kwargs: Any) -> Any:
        seen.append(f)
        return each_lane(f, args, kwargs)

    with monkeypatch.context() as patched:
        patched.setattr(derivatives, "_each_lane", counted)
        yield seen


def rules_alone(samples: list[Sample], monkeypatch: pytest.MonkeyPatch) -> frozenset[str]:
    """The names of functions whose rules no sample runs together."""
    tried, together = set(), set()
    for s in samples:
        if s.kwargs or not rule_takes_lanes(s.of):
            continue
        for mapped, args, axes in runs(s):
            if type(mapped) is not MappedBars or s.of.__name__ in together:
                continue
            tried.add(s.of.__name__)
            with counting(monkeypatch) as seen, contextlib.suppress(NoLanes):
                mapped.together(args, {}, axes, len(FACTORS))
                if not seen:
                    together.add(s.of.__name__)
    return frozenset(tried - together)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("family", FAMILIES)
def test_rules_take_lanes(family: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with np.errstate(all="ignore"):
        found = rules_alone([s for s in samples_of(family) if s.f is s.of], monkeypatch)
    assert found <= RULES_ALONE


def test_a_rule_that_raises_in_lanes_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def raises(f: Any, rules: Any, args: Any, kwargs: Any, needs: Any) -> Any:
        return derivatives._each_lane(f, args, kwargs)

    assert not rules_alone([sample(np.multiply, A, A)], monkeypatch)
    monkeypatch.setattr(derivatives, "_by_rule", raises)
    assert rules_alone([sample(np.multiply, A, A)], monkeypatch) == {"multiply"}


def test_modules_whose_functions_take_lanes_are_there() -> None:
    for name in (*_OF_ARRAYS, *_STORING):
        assert importlib.import_module(name.rstrip(".")).__name__ == name.rstrip(".")
