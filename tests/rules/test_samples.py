"""Every rule at its samples, and at what is generated from them: see `rules.sampling` and `rules.variants`."""

from __future__ import annotations

import importlib
import pkgutil
from pathlib import Path

import pytest
from rules.sampling import Sample
from rules.variants import check

FAMILIES = sorted(module.name for module in pkgutil.iter_modules([str(Path(__file__).with_name("samples"))]))


def samples_of(family: str) -> list[Sample]:
    """The samples of one table; none if its library is not installed."""
    try:
        module = importlib.import_module(f"rules.samples.{family}")
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "scipy":
            return []
        raise
    return list(module.SAMPLES)


ROWS = [pytest.param(s, id=f"{family}-{s.label}") for family in FAMILIES for s in samples_of(family)]


@pytest.mark.parametrize("s", ROWS)
def test_rule(s: Sample) -> None:
    check(s)
