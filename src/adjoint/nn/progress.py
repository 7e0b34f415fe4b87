"""A progress bar on standard error: redrawn in place on a terminal, ten lines in all elsewhere."""

from __future__ import annotations

import sys
import time
from types import TracebackType

WIDTH = 30
SECONDS_BETWEEN_DRAWS = 0.1


class Progress:
    """Shows how many of `steps` rounds are done, and the loss.

    >>> with Progress(2, enabled=False) as bar:
    ...     bar.advance(0.5)
    ...     bar.advance(0.25)
    >>> bar.done
    2
    """

    def __init__(self, steps: int, *, enabled: bool = True) -> None:
        self.steps = steps
        self.done = 0
        self._enabled = enabled and steps > 0 and sys.stderr is not None
        self._terminal = self._enabled and sys.stderr.isatty()
        self._start = self._drawn = time.monotonic()

    def advance(self, loss: float) -> None:
        """Count one round, which had this loss."""
        self.done += 1
        if self._enabled and self._is_due():
            self._draw(loss)

    def _is_due(self) -> bool:
        if not self._terminal:
            return self.done * 10 // self.steps > (self.done - 1) * 10 // self.steps
        now = time.monotonic()
        due = self.done == self.steps or now - self._drawn >= SECONDS_BETWEEN_DRAWS
        if due:
            self._drawn = now
        return due

    def _draw(self, loss: float) -> None:
        filled = WIDTH * self.done // self.steps
        seconds = time.monotonic() - self._start
        text = (
            f"[{'#' * filled}{'.' * (WIDTH - filled)}] {self.done:>{len(str(self.steps))}}/{self.steps}"
            f"  loss {loss:<10.4g} {seconds:.1f} s"
        )
        sys.stderr.write(f"\r{text}" if self._terminal else f"{text}\n")
        sys.stderr.flush()

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._terminal and self.done:
            sys.stderr.write("\n")
