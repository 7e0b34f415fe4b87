"""What is said where a table meets a derivative, and nobody has asked for the rules of its library."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from interop.needed import needed

PROGRAM = """
import numpy as np, {library} as library
import adjoint
x = library.{maker}(np.arange(3.0))
try:
    adjoint.grad(lambda w: float((x * w).sum()))(2.0)
except adjoint.errors.NoRuleError as error:
    assert "`import adjoint.interop.{library}`" in error.way_out, error
else:
    raise SystemExit("not refused")
"""


@pytest.mark.parametrize(("library", "maker"), [("pandas", "Series"), ("xarray", "DataArray")])
def test_the_module_with_rules_is_named(library: str, maker: str, tmp_path: Path) -> None:
    needed(library)
    script = tmp_path / "script.py"
    script.write_text(PROGRAM.format(library=library, maker=maker))
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, done.stderr[-2000:]
