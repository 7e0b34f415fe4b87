"""Programs that are called again with data of other kinds, the same in every run."""

from __future__ import annotations

from pathlib import Path

from turns import is_thorough

from .kinds import CALLS, judge_again

PROGRAMS = 100 if is_thorough() else 25


def test_programs_called_again(tmp_path: Path) -> None:
    came = sum(judge_again(number, tmp_path) for number in range(PROGRAMS))
    assert came > PROGRAMS * CALLS // 3
