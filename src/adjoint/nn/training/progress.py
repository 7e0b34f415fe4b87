"""The progress of a training, on standard error: by tqdm where it is installed and can be drawn, else ten lines in
all."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Any

WIDTH = 30
SECONDS_BETWEEN_DRAWS = 0.1


class Progress:
    """Shows how many of `steps` rounds are done, and the loss.

    A terminal has a bar: tqdm's where that is installed, as notebooks have it, else our own. Elsewhere there is a line
    for each tenth.

    >>> with Progress(2, enabled=False) as bar:
    ...     bar.advance(0.5)
    ...     bar.advance(0.25)
    >>> bar.done
    2
    """

    def __init__(self, steps: int, *, enabled: bool = True, unit: str = "step") -> None:
        self.steps = steps
        self.done = 0
        self._enabled = enabled and steps > 0 and sys.stderr is not None
        self._terminal = self._enabled and sys.stderr.isatty()
        self._start = self._drawn = time.monotonic()
        self._bar = _tqdm(steps, unit) if self._terminal or self._enabled and _is_notebook() else None

    def advance(self, loss: float) -> None:
        """Count one round, which had this loss."""
        self.done += 1
        if self._enabled and self._is_due():
            self._draw(loss)

    def _is_due(self) -> bool:
        if not self._terminal and self._bar is None:
            return self.done * 10 // self.steps > (self.done - 1) * 10 // self.steps
        now = time.monotonic()
        due = self.done == self.steps or now - self._drawn >= SECONDS_BETWEEN_DRAWS
        if due:
            self._drawn = now
        return due

    def _draw(self, loss: float) -> None:
        if self._bar is not None:
            self._bar.set_postfix_str(f"loss {loss:.4g}", refresh=False)
            self._bar.update(self.done - self._bar.n)
            return
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
        if self._bar is not None:
            self._bar.close()
        elif self._terminal and self.done:
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
