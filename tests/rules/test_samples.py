"""Every rule at its samples, and at what is generated from them: see `rules.sampling` and `rules.variants`."""

from __future__ import annotations

import pytest
from rules.sampling import Sample
from rules.tables import FAMILIES, samples_of
from rules.variants import check

ROWS = [pytest.param(s, id=f"{family}-{s.label}") for family in FAMILIES for s in samples_of(family)]


@pytest.mark.parametrize("s", ROWS)
def test_rule(s: Sample) -> None:
    check(s)
