"""Answer GradBench's requests, one JSON object a line, until the input ends."""

from __future__ import annotations

import contextlib
import os
import sys

from .protocol import serve


def main() -> None:
    """Serve standard input; what an evaluation prints goes to standard error, for it is no answer."""
    sys.stdin.reconfigure(encoding="utf-8", errors="replace")  # type: ignore[union-attr]
    with contextlib.suppress(BrokenPipeError), os.fdopen(os.dup(1), "w", encoding="utf-8") as answers:
        os.dup2(2, 1)
        serve(sys.stdin, answers)


if __name__ == "__main__":
    main()
