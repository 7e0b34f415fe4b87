"""Units of pint, and bars of tqdm."""

from __future__ import annotations

from typing import Any

import pint
from realworld.programs import check
from tqdm import tqdm

# mypy: disable-error-code="import-untyped, no-untyped-call"

UNITS: Any = pint.UnitRegistry()


def test_units() -> None:
    check(lambda p: (3.0 * UNITS.km).to("m").magnitude * p[0], 2.0)
    check(lambda p: (p[0] * UNITS.km).to("m").magnitude * p[0], 2.0)


def test_bars() -> None:
    def f(p: Any) -> Any:
        total = 0.0
        bar = tqdm(range(3), disable=True)
        for i in bar:
            total += p[0] * p[0] * i
            bar.set_postfix(total=float(total))
        return total

    check(f, 3.0)
