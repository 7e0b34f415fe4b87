"""Units of pint, and bars of tqdm."""

from __future__ import annotations

from typing import Any

import pint
import pytest
from realworld.programs import check
from tqdm import tqdm

from adjoint import grad
from adjoint.derivatives.choice import has_been_recorded

# mypy: disable-error-code="import-untyped, no-untyped-call"

UNITS: Any = pint.UnitRegistry()


def test_units() -> None:
    check(lambda p: (3.0 * UNITS.km).to("m").magnitude * p[0], 2.0)
    check(lambda p: (p[0] * UNITS.km).to("m").magnitude * p[0], 2.0)
    check(lambda p: UNITS.Quantity(p[0], "degC").to("kelvin").magnitude ** 2, 2.0)
    check(lambda p: (p[0] * UNITS.km / (p[1] * UNITS.parse_units("hour"))).to("m/s").magnitude, 2.0, 3.0)
    check(lambda p: (p[0] * UNITS.km + 3 * UNITS.m).m_as("cm") ** 2, 2.0)


def test_what_is_read_from_quantities_is_no_reason_to_record() -> None:
    for f in (
        lambda x: (3.0 * UNITS.km).to("m").magnitude * x * x,
        lambda x: UNITS.Quantity([1.0, 2.0], "km").m_as("m").sum() * x * x,
        lambda x: in_metres(3.0 * UNITS.km) * x * x,
    ):
        for _ in range(3):
            assert grad(f)(2.0) == pytest.approx(2.0 * f(2.0) / 2.0)
        assert not has_been_recorded(f, (2.0,))


def in_metres(q: Any) -> Any:
    return q.to("m").magnitude


def test_bars() -> None:
    def f(p: Any) -> Any:
        total = 0.0
        bar = tqdm(range(3), disable=True)
        for i in bar:
            total += p[0] * p[0] * i
            bar.set_postfix(total=float(total))
        return total

    check(f, 3.0)
