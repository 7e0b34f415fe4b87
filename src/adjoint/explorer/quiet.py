"""Runs beside the first one, of which nobody need notice anything."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout

from ..diagnostics.state import State


@contextmanager
def unnoticed(state: State) -> Iterator[None]:
    """Put back what a run can reach, and let what it prints go nowhere."""
    with (
        open(os.devnull, "w", encoding="utf-8") as nowhere,
        redirect_stdout(nowhere),
        redirect_stderr(nowhere),
        state.kept(),
    ):
        yield
