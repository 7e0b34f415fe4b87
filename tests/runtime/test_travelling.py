"""Which texts go with a function to another process."""

from __future__ import annotations

import linecache
from typing import Any

import pytest

from adjoint import grad
from adjoint.frontend.texts import Piece, keep
from adjoint.runtime.travelling import texts_of


def cell(name: str, text: str, namespace: dict[str, Any]) -> None:
    """Run a text as a cell of a notebook."""
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    exec(compile(text, name, "exec"), namespace)


@pytest.mark.parametrize("part", ["property({})", "property(None, {})", "staticmethod({})", "{}"])
def test_texts_of_all_properties_of_a_class_and_its_bases(part: str) -> None:
    cells: dict[str, Any] = {"__name__": "__main__"}
    namespaces = [cells] + [{"__name__": "__main__"} for _ in range(20)]
    for i in range(1, 21):
        made = part.format("lambda *given: 2.0")
        cell(f"<cell {i}>", f"class Part{i}:\n    value = {made}\n", namespaces[i])
    bases = [namespaces[i][f"Part{i}"] for i in range(1, 21)]
    w = type("W", tuple(bases), {"__module__": "__main__"})
    cell("<cell 0>", "def f(x, w=None): return w.value * x\n", cells)
    cells["f"].__defaults__ = (w,)
    assert {piece.filename for piece, _ in texts_of([cells["f"]])} == {f"<cell {i}>" for i in range(21)}


@pytest.mark.parametrize("between", ["\x0c", "\x1c", "\u2028", "\x85"])
def test_lines_are_counted_as_python_does(between: str) -> None:
    text = f"# a{between}comment\ndef far(x):\n    return 3 * x\n"
    name = f"<sent {ord(between)}>"
    keep([Piece(name, 1, text)])
    namespace: dict[str, Any] = {}
    exec(compile(text, name, "exec"), namespace)
    assert linecache.getline(name, 3) == "    return 3 * x\n" and grad(namespace["far"])(1.0) == 3.0
