"""Answer GradBench's requests, one JSON object a line, until the input ends."""

from __future__ import annotations

import sys

from .protocol import serve

if __name__ == "__main__":
    serve(sys.stdin, sys.stdout)
