"""Every rule at its samples: see `rules.sampling`."""

from __future__ import annotations

import importlib
import pkgutil
from pathlib import Path

import pytest
from rules.sampling import Sample, check, variants

FAMILIES = sorted(module.name for module in pkgutil.iter_modules([str(Path(__file__).with_name("samples"))]))


def samples_of(family: str) -> list[Sample]:
    """The samples of one table; none if its library is not installed."""
    try:
        module = importlib.import_module(f"rules.samples.{family}")
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "scipy":
            return []
        raise
    return [variant for s in module.SAMPLES for variant in variants(s)]


ROWS = [pytest.param(s, id=f"{family}-{s.label}") for family in FAMILIES for s in samples_of(family)]


@pytest.mark.parametrize("s", ROWS)
def test_rule(s: Sample) -> None:
    check(s)
