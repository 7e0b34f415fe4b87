"""What docstrings of this project say in their own way, for numpydoc: `name : what it is.` has no type to it, and stars
and bars are what they are."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
from docutils import nodes
from sphinx.application import Sphinx

import adjoint

MODULES = (adjoint, adjoint.calculus, adjoint.errors, adjoint.inspect, adjoint.optimize, adjoint.rules, adjoint.sparse)
PUBLIC = {name: f"{module.__name__}.{name}" for module in reversed(MODULES) for name in module.__all__}
"""Names that docstrings use without saying of which module they are."""
SECTIONS = {"Parameters", "Returns", "Attributes", "Yields"}
RULE = re.compile(r"\s*-{3,}\s*")
ENTRY = re.compile(r"(\*{0,2}\w[\w*., |()]*?) : (.+)")
NAMES = re.compile(r"\w+(, \w+)*")
EMPHASIS = re.compile(r"(?<![\w*])(\*\w[^*]*\*)(?![\w*])")


def described(lines: list[str]) -> list[str]:
    """Lines of a docstring, with what follows the colon of a parameter as its description.

    >>> described(["Parameters", "----------", "f : a function", "    of *one* argument, 2 * x or |x|."])
    ['Parameters', '----------', 'f', '    A function', '    of *one* argument, 2 \\\\* x or \\\\|x\\\\|.']
    """
    return list(_described(lines))


def _described(lines: list[str]) -> Iterator[str]:
    section, shown = "", False
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        if line.strip() and RULE.fullmatch(following):
            section = line.strip()
            yield line
            continue
        shown = line.lstrip().startswith(">>> ") or shown and bool(line.strip())
        entry = ENTRY.fullmatch(line) if section in SECTIONS else None
        if entry is not None:
            yield entry[1]
            yield f"    {escaped(entry[2][:1].upper() + entry[2][1:])}"
        elif shown or RULE.fullmatch(line) or section == "Parameters" and not line.startswith(" "):
            yield line
        elif section == "Raises" and NAMES.fullmatch(line):
            yield ", ".join(f"`{name}`" for name in line.split(", "))
        else:
            yield escaped(line)


def escaped(line: str) -> str:
    """A line in which stars and bars that stand outside of code and emphasis mean themselves."""
    parts = line.split("`")
    for i in range(0, len(parts), 2):
        around = EMPHASIS.split(parts[i])
        around[::2] = [re.sub(r"([*|])", r"\\\1", text) for text in around[::2]]
        parts[i] = "".join(around)
    return "`".join(parts)


def process(app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Before numpydoc reads the lines."""
    lines[:] = described(lines)


def is_a_default(app: Sphinx, what: str, name: str, obj: Any, skip: bool, options: Any) -> bool | None:
    """A function that is the default of a field is no method of the class."""
    stranger = isinstance(obj, np.ufunc) or inspect.isfunction(obj) and "." not in obj.__qualname__
    return True if what == "class" and stranger else None


def named_alone(app: Sphinx, env: Any, node: Any, inner: nodes.Element) -> nodes.Element | None:
    """The link of a public name that stands for itself, whatever module it is used in."""
    full = PUBLIC.get(node.get("reftarget", ""))
    if node.get("refdomain") != "py" or full is None:
        return None
    domain = env.get_domain("py")
    return domain.resolve_xref(env, node["refdoc"], app.builder, "obj", full, node, inner)


def setup(app: Sphinx) -> dict[str, Any]:
    """Listen to docstrings, before numpydoc does."""
    app.connect("autodoc-process-docstring", process, priority=100)
    app.connect("autodoc-skip-member", is_a_default)
    app.connect("missing-reference", named_alone)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
