"""Every rule at its samples, and at what is generated from them: see `rules.sampling` and `rules.variants`.

A run of the whole suite has some of them, others on the next day: see `turns`. Second derivatives are those of one call
of a function with the same keywords. With `ADJOINT_THOROUGH=1` all samples are checked, second derivatives included.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from rules.sampling import Sample
from rules.tables import FAMILIES, samples_of
from rules.variants import check
from turns import is_thorough


def samples() -> Iterator[tuple[str, Sample]]:
    """All samples, and how each is called."""
    seen = set()
    for family in FAMILIES:
        for s in samples_of(family):
            form = s.of, tuple(sorted(s.kwargs))
            yield f"{family}-{s.label}", s.but(order=1) if form in seen and not is_thorough() else s
            seen.add(form if s.order > 1 else None)


@pytest.mark.parametrize("s", [pytest.param(s, id=label) for label, s in samples()])
def test_rule(s: Sample) -> None:
    check(s)
