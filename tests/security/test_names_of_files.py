"""A file is itself, whatever it is called: no part of its name is run, or taken for another module."""

from __future__ import annotations

import builtins
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from security.hostile import RUN, SOME, watched

from adjoint import grad
from adjoint.cli import main
from adjoint.errors import AdjointError

SOURCE = "OWN = {name!r}\n\ndef square(x):\n    return x * x\n"
NAMES = (
    *("json", "numpy", "adjoint", "math", "os", "a.b", "x.py", ".hidden", "", "class", "__main__", "__init__"),
    *("a b", "-x", "'", '"', "{x}", "#", "a\nb", "\N{LATIN SMALL LIGATURE FI}", RUN),
)


def is_possible(name: str) -> bool:
    """Whether a file can have this name, and a command can name it."""
    return "/" not in name and "\0" not in name and ":" not in name and name.isprintable()


@pytest.fixture
def apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path])


@pytest.mark.parametrize("name", [*NAMES, *filter(is_possible, SOME)])
def test_commands(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], apart: None) -> None:
    file = tmp_path / f"{name}.py"
    file.write_text(SOURCE.format(name=name))
    before = dict(sys.modules)
    with watched():
        for command in ("show", "check", "explain"):
            assert main([command, "--", f"{file}:square", "3.0"]) == 0
        assert main(["show", "--form", "ir", "--", f"{file}:square", "3.0"]) == 0
    new = [m for n, m in sys.modules.items() if n not in before and getattr(m, "__file__", None) == str(file)]
    assert {m.OWN for m in new} == {name}
    assert all(sys.modules[n] is m for n, m in before.items())
    for n in [n for n, m in sys.modules.items() if m in new]:
        del sys.modules[n]


@pytest.mark.parametrize(
    "value", [RUN, f"[{RUN}]", f"f'{{{RUN}}}'", "{'a': " + RUN + "}", "(lambda: 1)()", "__import__"]
)
def test_values_are_literals(value: str, tmp_path: Path, apart: None, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "functions_for_values.py"
    file.write_text(SOURCE.format(name="values"))
    with watched():
        assert main(["show", f"{file}:square", value]) == 2
    assert "is not a Python literal" in capsys.readouterr().err
    sys.modules.pop("functions_for_values", None)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="of POSIX")
def test_a_pipe_is_no_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    assert main(["show", f"{tmp_path / 'pipe.py'}:square", "3.0"]) == 2
    assert "there is no file" in capsys.readouterr().err


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="of POSIX")
def test_a_pipe_has_no_source(tmp_path: Path) -> None:
    pipe = str(tmp_path / "pipe.py")
    os.mkfifo(pipe)
    space: dict[str, Any] = {}
    exec(compile("def f(x): return x * x * 0.31", pipe, "exec"), space)  # no other program is equal to it
    for ask in (lambda: grad(space["f"])(3.0), lambda: grad(space["f"], compile="strict")(3.0)):
        with pytest.raises(AdjointError, match="its source is not available"):
            ask()


def test_the_canary_is_gone() -> None:
    assert not [name for name in dir(builtins) if "canary" in name]
