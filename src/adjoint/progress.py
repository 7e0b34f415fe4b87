"""The progress of what lasts, on standard error: by tqdm where it is installed and can be drawn."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Any

WIDTH = 30
SECONDS_BETWEEN_DRAWS = 0.1


class Progress:
    """Shows how many of `steps` rounds are done, with a note on the last one, such as its loss.

    A terminal has a bar: tqdm's where that is installed, as notebooks have it, else our own. Elsewhere there is a line
    for each tenth, if `lines`. Nothing is shown before so many seconds have passed as `after` says.

    >>> with Progress(2, enabled=False) as bar:
    ...     bar.advance("loss 0.5")
    ...     bar.advance("loss 0.25")
    >>> bar.done
    2
    """

    def __init__(
        self, steps: int, *, enabled: bool = True, unit: str = "step", lines: bool = True, after: float = 0.0
    ) -> None:
        self.steps = steps
        self.done = 0
        self._enabled = enabled and steps > 0 and sys.stderr is not None
        self._terminal = self._enabled and sys.stderr.isatty()
        self._unit, self._lines, self._after = unit, lines, after
        self._drawable = self._terminal or self._enabled and _is_notebook()
        self._start = self._drawn = time.monotonic()
        self._bar: Any = None
        self._begun = False

    def advance(self, note: str = "") -> None:
        """Count one round, with a note on it."""
        self.done += 1
        if self._enabled and self._is_due():
            self._begin()
            self._draw(note)

    def _begin(self) -> None:
        if not self._begun:
            self._begun = True
            self._bar = _tqdm(self.steps, self._unit) if self._drawable else None

    def _is_due(self) -> bool:
        if not self._drawable:
            return self._lines and self.done * 10 // self.steps > (self.done - 1) * 10 // self.steps
        now = time.monotonic()
        if now - self._start < self._after:
            return False
        due = self.done == self.steps or now - self._drawn >= SECONDS_BETWEEN_DRAWS
        if due:
            self._drawn = now
        return due

    def _draw(self, note: str) -> None:
        if self._bar is not None:
            self._bar.set_postfix_str(note, refresh=False)
            self._bar.update(self.done - self._bar.n)
            return
        filled = WIDTH * self.done // self.steps
        seconds = time.monotonic() - self._start
        text = (
            f"[{'#' * filled}{'.' * (WIDTH - filled)}] {self.done:>{len(str(self.steps))}}/{self.steps}"
            f"  {note:<15} {seconds:.1f} s"
        )
        sys.stderr.write(f"\r{text}" if self._terminal else f"{text}\n")
        sys.stderr.flush()

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.close()
        elif self._terminal and self._begun:
            sys.stderr.write("\n")


def _is_notebook() -> bool:
    """Tell whether standard error is that of a notebook, which draws bars as it draws pictures."""
    return type(sys.stderr).__module__.partition(".")[0] == "ipykernel"


def _tqdm(steps: int, unit: str) -> Any:
    """A bar of tqdm; `None` if it is not installed."""
    try:
        from tqdm.auto import tqdm  # type: ignore[import-untyped, import-not-found, unused-ignore]
    except ImportError:
        return None
    return tqdm(total=steps, unit=unit)
