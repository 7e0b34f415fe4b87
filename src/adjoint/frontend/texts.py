"""Texts of functions that were pickled by value.

Such a pickle drops the text, and cloudpickle, by which joblib, Dask and Ray send functions of `__main__`, notebooks,
lambdas and closures, drops the name of the file as well. Where a text may be: in the file of the namespace that the
function sees, or among those that came along with it. That it is the function's is known by comparing its code.
"""

from __future__ import annotations

import ast
import io
import linecache
import sys
import textwrap
import threading
import zlib
from collections.abc import Iterator
from types import CodeType
from typing import Any

_CARRIED: dict[str, list[str]] = {}
"""Lines by the name under which `linecache` has them here, the last that came at the end."""

_LOCK = threading.Lock()
_LIMIT = 1024


def lines_of(text: str) -> list[str]:
    """The lines of a text as Python counts them, to which form feeds and separators of Unicode are characters.

    >>> lines_of("a = 1\\n\\x0cb = '\\u2028'\\n")
    ['a = 1\\n', "\\x0cb = '\\u2028'\\n"]
    """
    return io.StringIO(text).readlines()


def keep(texts: dict[str, str]) -> None:
    """Remember texts, by the names of their files where they come from; here such a file may be another one.

    >>> keep({"<cell of another process>": "def from_elsewhere(x):\\n    return 2 * x\\n"})
    >>> linecache.getline("<cell of another process>", 2)
    '    return 2 * x\\n'
    """
    for filename, text in texts.items():
        if filename in _CARRIED and "".join(_CARRIED[filename]) == text:
            continue
        lines = lines_of(text)
        if linecache.getlines(filename) not in ([], lines):
            filename = f"{filename} as of {zlib.crc32(text.encode()):08x}"
        with _LOCK:
            _CARRIED.pop(filename, None)
            _CARRIED[filename] = lines
            if len(_CARRIED) > _LIMIT:
                del _CARRIED[next(iter(_CARRIED))]
        _show(filename, lines)


def carried() -> dict[str, str]:
    """All texts that came from elsewhere, as `keep` takes them."""
    with _LOCK:
        return {filename: "".join(lines) for filename, lines in _CARRIED.items()}


def names_elsewhere(code: CodeType, namespace: dict[str, Any]) -> Iterator[str]:
    """Names of texts, other than that of its own file, in which the text of a code object may stand."""
    yield from _reloaded(code, namespace)
    module = sys.modules.get(namespace.get("__name__") or "")
    for file in dict.fromkeys((namespace.get("__file__"), getattr(module, "__file__", None))):
        if isinstance(file, str) and file != code.co_filename:
            yield file
    name = code.co_name.strip("<>")
    with _LOCK:
        known = list(reversed(_CARRIED.items()))
    for filename, lines in known:
        if len(lines) >= code.co_firstlineno and any(name in line for line in lines[code.co_firstlineno - 1 :]):
            _show(filename, lines)
            yield filename


_RELOADED = "__autoreload_class__"
"""What IPython calls the class around a method that it reloads."""


def _reloaded(code: CodeType, namespace: dict[str, Any]) -> Iterator[str]:
    """Texts as IPython's `%autoreload` compiles them: a changed function, printed from its tree."""
    if "IPython.extensions.autoreload" not in sys.modules:
        return
    path = [name for name in code.co_qualname.split(".") if name != _RELOADED]
    try:
        tree = ast.parse("".join(linecache.getlines(code.co_filename, namespace)))
    except (SyntaxError, ValueError):
        return
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == path[0]:
            text = ast.unparse(node) + "\n"
            if _RELOADED in code.co_qualname:
                text = f"class {_RELOADED}:\n" + textwrap.indent(text, "    ")
            filename = f"{code.co_filename}, {node.name} of line {node.lineno} as reloaded"
            linecache.cache[filename] = (len(text), None, lines_of(text), filename)
            yield filename


def _show(filename: str, lines: list[str]) -> None:
    """Have tracebacks show the text."""
    if not linecache.getlines(filename):
        linecache.cache[filename] = (sum(map(len, lines)), None, lines, filename)
