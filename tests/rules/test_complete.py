"""Every function that has a rule is checked at samples, or it is said here why it is not."""

from __future__ import annotations

from rules.supported import family_of
from rules.tables import checked

from adjoint.rules.listing import import_libraries, listed

ELSEWHERE = {
    "functools.update_wrapper": "it gives a function; tests/rules/python/test_functional.py",
    "numpy.row_stack": "deprecated: it is `numpy.vstack`",
    **dict.fromkeys(
        [f"operator.{name}" for name in ("and_", "xor", "iand", "ior", "ixor")],
        "bits have no derivative, and sets have no rule; tests/rules/python/test_scalars.py",
    ),
}
"""Functions that no sample is of, and why."""

MISSING_UNTIL: set[str] = {"decompositions", "linalg", "products"}
"""Families whose tables are still to come."""


def test_every_rule_has_a_sample() -> None:
    import_libraries()
    entries = [entry for entry in listed() if entry.is_known and entry.how not in ("constant", "refused")]
    missing = [e for e in entries if checked(e.key) is None and e.name not in ELSEWHERE]
    assert [f"{family_of(e)}: {e.name}" for e in missing if family_of(e) not in MISSING_UNTIL] == []


def test_what_is_said_to_have_no_sample_has_none() -> None:
    known = {entry.name: entry for entry in listed()}
    assert [name for name in ELSEWHERE if name in known and checked(known[name].key)] == []
