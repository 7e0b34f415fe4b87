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
    nbclient, nbformat = needed("nbclient"), needed("nbformat")
    needed("ipykernel")
    monkeypatch.setenv("IPYTHONDIR", str(folder / "ipython"))
    monkeypatch.setenv("JUPYTER_PATH", str(Path(sys.prefix) / "share" / "jupyter"))
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in sources])
    client = nbclient.NotebookClient(
        notebook, allow_errors=True, timeout=60, kernel_name="python3", resources={"metadata": {"path": str(folder)}}
    )
    client.execute()
    return list(map(printed, notebook.cells))


def printed(cell: Any) -> str:
    """What a cell shows: what it prints, or the last line of its traceback."""
    outputs = [o.get("text") or "\n".join(o.get("traceback", [])[-1:]) for o in cell.outputs]
    return re.sub(r"\x1b\[[0-9;]*m", "", "".join(outputs)).strip()
