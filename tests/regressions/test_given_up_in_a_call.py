"""A function that gives a run up on the way by which it gives its result: nobody may call it plainly for what is left.

A second derivative of such a function was zero without a word, after other programs had been met.
"""

from __future__ import annotations

import warnings
from typing import Any

import pytest
from ordinary.judge import judge
from ordinary.language_contexts import manager_left_by_an_exception
from ordinary.programs import ROWS

from adjoint import grad, gradient, jvp
from adjoint.ir.types import UNKNOWN
from adjoint.runtime.tables import find_spec, table_of


def test_the_result_is_not_what_is_left() -> None:
    spec = find_spec(manager_left_by_an_exception, table_of(manager_left_by_an_exception), (0.4, 0.9))
    assert spec.result_active and spec.result_type == UNKNOWN


@pytest.mark.parametrize("times", [1, 3])
def test_calls_of_it(times: int) -> None:
    def outer(x: Any) -> Any:
        total = 0.0
        for i in range(times):
            total += manager_left_by_an_exception(x + i, 0.9) * x
        return total

    h = 1e-6
    slope = (outer(0.4 + h) - outer(0.4 - h)) / (2 * h)
    for _ in range(3):
        assert gradient(outer, 0.4)[0] == pytest.approx(slope, rel=1e-6)
    assert jvp(outer, (0.4,), (1.0,))[1] == pytest.approx(slope, rel=1e-6)
    bend = (grad(outer)(0.4 + h) - grad(outer)(0.4 - h)) / (2 * h)
    assert grad(grad(outer))(0.4) == pytest.approx(bend, rel=1e-6)


def test_after_other_programs() -> None:
    wanted = [
        "language_classes-class_that_captures",
        "language_classes-inner_classes_with_super",
        "language_classes-inner_classes_with_defaults",
        "language_combined-adaptive_integrator",
        "language_combined-shortest_path",
        "language_contexts-value_of_enter",
        "language_contexts-manager_left_by_an_exception",
    ]
    by_name = {str(row): row for row in ROWS}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in wanted:
            judge(by_name[name])
