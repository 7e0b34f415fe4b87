"""Every ordinary program has its plain values and true derivatives; and every construct has a program."""

from __future__ import annotations

import pytest

from .judge import check_plain, judge
from .programs import DEMANDED, ROWS
from .registry import Row


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_plain_program(row: Row) -> None:
    check_plain(row)


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_program(row: Row) -> None:
    judge(row)


@pytest.mark.parametrize("family", DEMANDED)
def test_every_construct_has_a_row(family: str) -> None:
    found = {row.construct for row in ROWS if row.family == family}
    assert found == set(DEMANDED[family])


def test_no_family_is_empty() -> None:
    assert DEMANDED and all(DEMANDED.values())
    assert {row.family for row in ROWS} >= set(DEMANDED)
