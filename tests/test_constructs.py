"""The table of constructs is covered by the corpus, and the corpus by the table."""

import inspect
import math
from collections import Counter

import pytest
from constructs import CONSTRUCTS, Construct
from programs import FAMILIES, PROGRAMS, elementary


@pytest.mark.parametrize("row", CONSTRUCTS, ids=lambda row: f"{row.family}: {row.construct}")
def test_each_construct_is_exercised_by_programs_of_its_family(row: Construct) -> None:
    names = row.programs.split()
    assert names
    assert [name for name in names if name not in PROGRAMS] == []
    assert any(row.family in PROGRAMS[name].families for name in names)


def test_the_table_knows_every_family() -> None:
    assert {row.family for row in CONSTRUCTS} == set(FAMILIES)


def test_each_family_has_at_least_five_programs() -> None:
    count = Counter(family for program in PROGRAMS.values() for family in program.families)
    assert {family: n for family, n in count.items() if n < 5} == {}


def test_the_corpus_is_large_and_mixed() -> None:
    assert len(PROGRAMS) >= 170
    assert sum(len(program.families) >= 3 for program in PROGRAMS.values()) >= 30


def test_the_whole_math_module_occurs() -> None:
    source = inspect.getsource(elementary)
    assert [name for name in dir(math) if name[0] != "_" and f"math.{name}" not in source] == []


@pytest.mark.parametrize("family", [family for family in FAMILIES if family != "higher"])
def test_ordinary_programs_do_not_know_of_adjoint(family: str) -> None:
    for program in PROGRAMS.values():
        module = inspect.getmodule(program.function)
        if family in program.families and "higher" not in program.families and module is not None:
            assert not hasattr(module, "adjoint") and not hasattr(module, "gradient")
