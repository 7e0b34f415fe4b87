"""Notebooks that a real kernel runs."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from interop.needed import needed


def executed(sources: Iterable[str], folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The output of each cell of a notebook that is run in a folder."""
    cells = map(needed("nbformat").v4.new_code_cell, sources)
    notebook = needed("nbformat").v4.new_notebook(cells=list(cells))
    run_all(notebook, folder, monkeypatch, allow_errors=True)
    return list(map(printed, notebook.cells))


def run_all(notebook: Any, folder: Path, monkeypatch: pytest.MonkeyPatch, *, allow_errors: bool = False) -> None:
    """Run the cells of a notebook in a folder, up to the first that raises and does not say that it is to."""
    nbclient = needed("nbclient")
    needed("ipykernel")
    monkeypatch.setenv("IPYTHONDIR", str(folder / "ipython"))
    monkeypatch.setenv("JUPYTER_PATH", str(Path(sys.prefix) / "share" / "jupyter"))
    client = nbclient.NotebookClient(
        notebook,
        allow_errors=allow_errors,
        timeout=60,
        kernel_name="python3",
        resources={"metadata": {"path": str(folder)}},
    )
    client.execute()


def printed(cell: Any) -> str:
    """What a cell shows: what it prints, or the last line of its traceback."""
    outputs = [o.get("text") or "\n".join(o.get("traceback", [])[-1:]) for o in cell.outputs]
    return re.sub(r"\x1b\[[0-9;]*m", "", "".join(outputs)).strip()
