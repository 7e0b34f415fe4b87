"""Pages of the explorer that the site has: those of the functions in `look_inside.md`, made as the site is built."""

from __future__ import annotations

import linecache
import re
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from sphinx.application import Sphinx

import adjoint

PAGE = "look_inside.md"
TITLED = re.compile(r'^```python title="(\w+)\.py"\n(.*?)^```$', re.M | re.S)


def _network() -> tuple[Any, ...]:
    rng = np.random.default_rng(0)
    first, second = rng.normal(size=(20, 64)) / 5, rng.normal(size=(64, 10)) / 8
    return first, second, rng.normal(size=(4000, 20)), rng.integers(10, size=4000)


CALLS: dict[str, tuple[str, Callable[[], tuple[Any, ...]]]] = {
    "pendulum": ("swing", lambda: (0.6, 1.0, 0.3)),
    "ledger": ("settle", lambda: (deque([10.0, 2.0, 3.0]), 0.1)),
    "network": ("loss", _network),
}
"""By the name of the file: the function that is explored, and its arguments."""


def files(page: Path) -> dict[str, str]:
    """The texts of the files on a page, by their names without `.py`."""
    return {name: text for name, text in TITLED.findall(page.read_text(encoding="utf-8"))}


def explored(name: str, text: str) -> str:
    """The page of the function in a file."""
    filename = f"{name}.py"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    scope: dict[str, Any] = {"__name__": name}
    exec(compile(text, filename, "exec"), scope)
    function, arguments = CALLS[name]
    return adjoint.explore(scope[function], *arguments()).html


def write(app: Sphinx, error: Exception | None) -> None:
    """Write the pages beside the others."""
    if error is not None or app.builder.format != "html":
        return
    folder = Path(app.outdir) / "explored"
    folder.mkdir(exist_ok=True)
    found = files(Path(app.srcdir) / PAGE)
    for name in CALLS:
        (folder / f"{name}.html").write_text(explored(name, found[name]), encoding="utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    """Write the pages when the others are there."""
    app.connect("build-finished", write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
