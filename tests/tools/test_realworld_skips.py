"""Tests of programs of other libraries are skipped where one is missing, and the report says which."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_a_missing_library_is_said(tmp_path: Path) -> None:
    for name in ("tqdm", "pint"):
        (tmp_path / f"{name}.py").write_text("raise ModuleNotFoundError('planted')\n")
    run = f"import sys, pytest; sys.path.insert(0, {str(tmp_path)!r}); sys.exit(pytest.main(sys.argv[1:]))"
    options = ["-rs", "-p", "no:cacheprovider", "-p", "no:xdist", "tests/realworld/test_units.py"]
    done = subprocess.run(
        [sys.executable, "-c", run, *options], capture_output=True, text=True, timeout=120, cwd=ROOT, check=False
    )
    assert "1 skipped" in done.stdout and "could not import 'pint'" in done.stdout, done.stdout + done.stderr
