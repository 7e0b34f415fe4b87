"""What docstrings of this project say in their own way, for numpydoc: `name : what it is.` has no type to it, and stars
and bars are what they are."""

from __future__ import annotations

import ast
import builtins
import inspect
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
from docutils import nodes
from sphinx.application import Sphinx

import adjoint
from adjoint.options import Default

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
            yield f"    {escaped(capital(entry[2]))}"
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


def capital(text: str) -> str:
    """A sentence with a capital, if it begins with a word: symbols stay as they are.

    >>> capital("the step"), capital("a step"), capital("f(x)"), capital("h, a step")
    ('The step', 'A step', 'f(x)', 'h, a step')
    """
    return text[:1].upper() + text[1:] if re.match(r"(a|[a-z]{2,})\b(?![(.\w])", text) else text


def with_imports(lines: list[str], module: str, name: str) -> list[str]:
    """Lines whose first example begins with the imports that it takes for granted: a reader copies it as it is.

    >>> with_imports(["Examples", "--------", ">>> jacobian(np.cumsum)(np.ones(2))"], "adjoint", "jacobian")[2:4]
    ['>>> import numpy as np', '>>> from adjoint import jacobian']
    """
    first = next((i for i, line in enumerate(lines) if line.startswith(">>> ")), None)
    if first is None:
        return lines
    code = "\n".join([line[4:] for line in lines if line.startswith((">>> ", "... ")) or line == "..."])
    try:
        missing = unbound(ast.parse(code))
    except SyntaxError:
        return lines
    homes = {**{known: home.rpartition(".")[0] for known, home in PUBLIC.items()}, name: module}
    wanted = [f">>> {IMPORTS[known]}" for known in IMPORTS if known in missing]
    for home in sorted({homes[known] for known in missing & homes.keys()}):
        names = sorted([known for known in missing & homes.keys() if homes[known] == home], key=str.lower)
        wanted.append(f">>> from {home} import {', '.join(names)}")
    return [*lines[:first], *wanted, *lines[first:]]


IMPORTS = {"adjoint": "import adjoint", "math": "import math", "np": "import numpy as np"}


def unbound(tree: ast.Module) -> set[str]:
    """The names that a piece of code reads and never binds."""
    read: set[str] = set()
    bound: set[str] = set(dir(builtins))
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            (read if isinstance(node.ctx, ast.Load) else bound).add(node.id)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            bound.add(node.name)
        elif isinstance(node, ast.arg):
            bound.add(node.arg)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            bound |= {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
    return read - bound


def process(app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Before numpydoc reads the lines."""
    owner = name.rpartition(".")[0] if what in ("method", "property", "attribute") else name
    module, _, own = owner.rpartition(".")
    lines[:] = with_imports(described(lines), module, own)


def in_words(app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Let the search know a name as a reader types it: `stop gradient` finds `stop_gradient`, and `hessian` itself."""
    own = name.rpartition(".")[2]
    known = "_" in own.strip("_") or own in adjoint.__all__
    if what in ("function", "class") and known and not name.startswith("adjoint.compat."):
        end = end_of_summary(lines)
        lines[end:end] = ["", f".. index:: ! single: {own.replace('_', ' ')}"]


def end_of_summary(lines: list[str]) -> int:
    """Where the first paragraph ends, which tables of names show: nothing else may stand in front of it.

    >>> end_of_summary(["", "The sum.", "Of all.", "", "More."])
    3
    """
    begin = next((i for i, line in enumerate(lines) if line.strip()), 0)
    return next((i for i in range(begin, len(lines)) if not lines[i].strip()), len(lines))


def without_refused(
    app: Sphinx, what: str, name: str, obj: Any, options: Any, signature: str | None, returns: str | None
) -> tuple[str | None, str | None]:
    """A signature without `**unknown`, which refuses options with a hint, and with the values of defaults."""
    made = obj.__init__ if isinstance(obj, type) else obj
    known = getattr(inspect.unwrap(made), "__globals__", {})
    return with_values(re.sub(r", \*\*unknown(: Any)?", "", signature or ""), known) or signature, returns


VALUES = (Default, int, float, str, type(None))
"""The kinds of defaults that a reader understands as they are shown."""


def with_values(signature: str, known: dict[str, Any]) -> str:
    """A signature whose defaults are values, where they are constants of its module.

    >>> with_values("(f, argnums=NONE, max_bytes=MOST, of=np)", {"NONE": None, "MOST": 2**31, "np": np})
    '(f, argnums=None, max_bytes=2147483648, of=np)'
    """
    constants = {name: value for name, value in known.items() if name.isupper() and isinstance(value, VALUES)}
    return re.sub(r"=(\w+)", lambda m: f"={constants[m[1]]!r}" if m[1] in constants else m[0], signature)


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
    app.connect("autodoc-process-docstring", in_words, priority=900)  # after numpydoc, which has sections alone
    app.connect("autodoc-process-signature", without_refused)
    app.connect("autodoc-skip-member", is_a_default)
    app.connect("missing-reference", named_alone)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
