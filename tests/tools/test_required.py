"""Libraries that `ADJOINT_REQUIRE` names have to be there; the environment of peers names all that its tests need."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PEERS = ("tests/interop", "tests/partitions", "tests/travelling", "tests/test_examples_of_bridges.py")


def test_a_run_without_what_is_required_fails() -> None:
    """As a whole: nothing is skipped for it."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/interop/test_private_names.py"]
    for given, absent in (("no_such_library,site", "no_such_library"), ("numpy,nor_this", "nor_this")):
        environment = os.environ | {"ADJOINT_REQUIRE": given}
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=200)
        assert done.returncode == 4, done.stdout
        assert f"ADJOINT_REQUIRE names {absent}, which" in done.stderr


def test_all_that_tests_of_peers_need_is_required_there() -> None:
    (line,) = [line for line in (ROOT / "Makefile").read_text().splitlines() if line.startswith("PEERS := ")]
    required = set(line.removeprefix("PEERS := ").split(","))
    files = [file for path in PEERS for file in ([ROOT / path] if path.endswith(".py") else (ROOT / path).glob("*.py"))]
    asked = {name for file in files for name in re.findall(r'needed\("(\w+)[\w.]*"\)', file.read_text("utf-8"))}
    of_pytensor = {"pytensor", "pymc"}  # in an environment of their own
    assert asked - of_pytensor - {"adjoint"} <= required
    assert "importorskip" not in "".join([file.read_text("utf-8") for file in files if file.name != "needed.py"])


def test_pages_install_the_versions_that_the_extras_ask_for() -> None:
    extras = (ROOT / "pyproject.toml").read_text("utf-8").partition("[project.optional-dependencies]")[2]
    asked = [
        (page.name, name)
        for page in sorted((ROOT / "docs").glob("with_*.md"))
        for line in page.read_text("utf-8").splitlines()
        if "pip install" in line
        for name in re.findall(r'"([\w\[\],-]+[<>=]=[\d.]+)"', line)
    ]
    assert len(asked) >= 4
    assert [(page, name) for page, name in asked if f'"{name}"' not in extras] == []
