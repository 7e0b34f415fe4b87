"""The line of an error in the reverse is noted in a process that has recorded nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PROGRAM = """
from adjoint import gradient, rule
def f(x): return x * 1.0
@rule(f)
def f_rule(x):
    def back(d): raise LookupError("no")
    return x, back
def g(x):
    y = f(x)
    return y * 2.0
try:
    gradient(g, 1.0)
except LookupError as error:
    print(error.__notes__[0])
"""


def test_the_first_error_of_a_process_names_its_line(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(PROGRAM, encoding="utf-8")
    found = subprocess.run([sys.executable, path], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == f"in the reverse of {path}:9: y = f(x)"
