"""After a few calls nothing is generated any more: a guard that does not hold for what it was made from would have each
call make its program anew."""

import itertools
from typing import Any

import numpy as np
import pytest
from programs import PROGRAMS, Program

from adjoint import pullback
from adjoint.inspect import cache_clear
from adjoint.runtime import guards, tables
from adjoint.testing import check_gradient

CALLS = 12


def made_last(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> int:
    """How many programs the last of some calls makes."""
    before = 0
    for _ in range(CALLS):
        before = tables.STATISTICS["generated"]
        pullback(f, *args, **kwargs)
    return tables.STATISTICS["generated"] - before


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=str)
def test_calls_settle(program: Program) -> None:
    try:
        program.function(*program.args, **program.kwargs)
    except Exception:  # noqa: BLE001 - its own test says what it raises
        return
    assert made_last(program.function, program.args, program.kwargs) == 0


class Maker:
    scale = 2.0

    @classmethod
    def of(cls, x: float) -> float:
        return cls.scale * x


def by_class_methods(x: float) -> Any:
    return (
        sum(itertools.chain.from_iterable([[x], [Maker.of(x)]])) * float.fromhex("0x1p1") + dict.fromkeys("ab", x)["a"]
    )


def test_methods_of_classes_are_bound_anew_at_each_read() -> None:
    assert made_last(by_class_methods, (2.0,), {}) == 0


def of_any_rank(x: Any, axis: int) -> Any:
    """What is computed here has another rank where it is called with a matrix."""
    top = np.linalg.norm(x, axis=axis, keepdims=True)
    return np.log(np.linalg.norm(x - top, axis=axis))


def of_two_ranks(p: Any) -> Any:
    rows = []
    for i in range(3):
        rows.append(np.linalg.norm(np.outer(p, p) + i, axis=0))  # of which only the run shows the rank
    return of_any_rank(p, 0) + np.sum(of_any_rank(np.array(rows), 0))


def test_a_helper_that_is_called_with_two_kinds_of_arrays_has_places_for_each() -> None:
    p = np.array([0.5, 2.0, 1.2])
    check_gradient(of_two_ranks, p)
    cache_clear()
    first = before = tables.STATISTICS["generated"]
    for _ in range(5):
        before = tables.STATISTICS["generated"]
        pullback(of_two_ranks, p)
    assert tables.STATISTICS["generated"] == before
    assert before - first <= 5
    check_gradient(of_two_ranks, p)


def test_a_guard_by_identity_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    cache_clear()
    monkeypatch.setattr(guards, "_BOUND_ANEW", ())
    assert made_last(by_class_methods, (2.0,), {}) > 0
    cache_clear()
