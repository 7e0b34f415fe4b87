"""Texts that say almost the same; how a text is run by tools; and what is found when the other stands in its place."""

import ast
import linecache
import sys
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import CodeType
from typing import Any

from adjoint.errors import SourceChangedError
from adjoint.frontend import find

BEFORE = """
import math
import os.path
import numpy as np
from operator import add


def f(x, y, *rest, k=1, **more):
    assert x is not None, "there"
    assert add(x, 2) > 1 and y == y
    total: float = np.sum(x) - math.sin(y) * 2
    if x < y and k in (1, 2):
        total = total + np.linalg.norm([x, y], ord=2).real
    while total > 1e6 and x is not y:
        total = -total / 0.5
    for i in range(3):
        near: float = x * y
        try:
            total += add(x, y)
        except ValueError:
            total -= 0.0

    def inner(z: float, w=3):
        assert z != w
        return np.cos(z) - w

    return [inner(v) for v in rest if not v], total, (lambda q: q - k)(x), f"{x:.2f}", f.left
"""

CHANGES = [
    ("np.sum(x) -", "np.sum(x) +"),
    ("x < y", "x <= y"),
    ("x < y", "y < x"),
    ("x < y and k in (1, 2)", "x < y or k in (1, 2)"),
    ("* 2\n", "* 2.0\n"),
    ("* 2\n", "* True\n"),
    ("-= 0.0", "-= -0.0"),
    ("-= 0.0", "-= 0"),
    ("/ 0.5", "// 0.5"),
    ("-total", "+total"),
    ("-total", "~total"),
    ("add(x, y)", "add(y, x)"),
    ("add(x, y)", "add(x, *y)"),
    ("np.sum(x)", "np.max(x)"),
    ("math.sin(y)", "np.sin(y)"),
    ("np.sum(x)", "np.sum.x"),
    ("np.sum(x)", "np.sum()(x)"),
    ("np.sum(x)", "x(np.sum)"),
    ("np.sum(x) - math.sin(y) * 2", "(np.sum(x) - math.sin(y)) * 2"),
    ("x is not y", "x is y"),
    ("near: float = x * y", "pass"),
    ("x * y\n", "x + y\n"),
    ("near", "far"),
    ("    while total > 1e6", "    total = -total\n    while total > 1e6"),
    ("            total += add(x, y)\n", "            pass\n"),
    ("k in (1, 2)", "k not in (1, 2)"),
    ("k in (1, 2)", "k in (2, 1)"),
    ("k in (1, 2)", "k in (1, 2.0)"),
    ("ord=2", "axis=2"),
    ("ord=2", "ord=True"),
    (").real", ").imag"),
    ("range(3)", "range(4)"),
    ("except ValueError", "except TypeError"),
    ("        try:\n            total += add(x, y)\n", "        total += add(x, y)\n        try:\n            pass\n"),
    ("while", "if"),
    ("if not v", "if v"),
    ("w=3", "w=4"),
    ("np.cos(z) - w", "np.cos(w) - z"),
    ("np.cos(z) - w", "np.cos(z) + w"),
    ("(lambda q: q - k)", "(lambda q: k - q)"),
    (":.2f", ":.3f"),
    ("{x:.2f}", "{x!r:.2f}"),
    ("f.left", "f.right"),
    ("*rest, k=1", "rest, *, k=1"),
    ("def f(x, y,", "def f(y, x,"),
]
ASSERTS = [
    ("assert add(x, 2) > 1", "assert add(x, 2) >= 1"),
    ("assert add(x, 2)", "assert add(2, x)"),
    ("add(x, 2) > 1 and", "add(x, 2) > 1 or"),
    ("is not None", "is None"),
    ("    assert z != w\n", ""),
]
"""What is only noticed where asserts run."""

Run = Callable[[ast.Module, str], dict[str, Any]]


def whole(tree: ast.Module, filename: str, **given: Any) -> dict[str, Any]:
    """As a module is run."""
    namespace: dict[str, Any] = {"__name__": "planted", **given}
    exec(compile(tree, filename, "exec", dont_inherit=True), namespace)
    return namespace


def by_statements(tree: ast.Module, filename: str) -> dict[str, Any]:
    """As IPython runs a cell."""
    namespace: dict[str, Any] = {"__name__": "planted"}
    for node in tree.body:
        exec(compile(ast.Module([node], []), filename, "exec", dont_inherit=True), namespace)
    return namespace


def with_asserts_rewritten(tree: ast.Module, filename: str) -> dict[str, Any]:
    """As pytest runs a file of tests."""
    from _pytest.assertion.rewrite import rewrite_asserts

    rewrite_asserts(tree, BEFORE.encode(), filename)
    return whole(tree, filename)


class _Checking(ast.NodeTransformer):
    """What beartype adds, as it does."""

    conf = "__claw_state_beartype__.module_name_to_beartype_conf['planted']"

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        self.generic_visit(node)
        if any(a.annotation for a in node.args.args):
            node.decorator_list.append(self.expression(f"__beartype__(conf={self.conf})", node))
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> Any:
        for method in node.body:
            if isinstance(method, ast.FunctionDef):
                self.generic_visit(method)
        node.decorator_list.append(self.expression("__beartype__", node))
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        if node.value is None:
            return node
        target, hint = ast.unparse(node.target), ast.unparse(node.annotation)
        text = f"__die_if_unbearable_beartype__({target}, {hint}, conf={self.conf}, exception_prefix='local variable')"
        return [node, ast.copy_location(ast.Expr(self.expression(text, node)), node)]

    @staticmethod
    def expression(text: str, at: Any) -> Any:
        made = ast.parse(text, mode="eval").body
        for node in ast.walk(made):
            ast.copy_location(node, at)
        return made


class _Configured:
    module_name_to_beartype_conf = {"planted": None}


def with_checks(tree: ast.Module, filename: str) -> dict[str, Any]:
    """As a module is imported under `beartype.claw`."""
    names = {"__beartype__": lambda conf: lambda f: f, "__claw_state_beartype__": _Configured}
    return whole(_Checking().visit(tree), filename, **names)


def traced(tree: ast.Module, filename: str) -> dict[str, Any]:
    """As coverage and debuggers watch a file: with a tracer, and where there are, events of each instruction."""
    namespace = whole(tree, filename)
    watch(namespace["f"].__code__)
    with tracing(), suppress(AttributeError, TypeError):
        namespace["f"](0.5, 2.0, 0.0, 3)
    return namespace


def watch(code: CodeType) -> None:
    """Have the interpreter write its events into a code object, from Python 3.12 on."""
    monitoring: Any = getattr(sys, "monitoring", None)
    if monitoring is not None:
        events = monitoring.events
        if monitoring.get_tool(4) is None:
            monitoring.use_tool_id(4, "planted")
            for event in (events.LINE, events.INSTRUCTION, events.BRANCH):
                monitoring.register_callback(4, event, lambda *_: None)
        monitoring.set_local_events(4, code, events.LINE | events.INSTRUCTION | events.BRANCH)


@contextmanager
def tracing() -> Iterator[None]:
    def trace(frame: Any, event: str, argument: Any) -> Any:
        frame.f_trace_opcodes = True
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        yield
    finally:
        sys.settrace(before)


def put(filename: str, text: str) -> None:
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)


def unnoticed(run: Run, changes: list[tuple[str, str]], before: str = BEFORE) -> list[tuple[str, str]]:
    """Which changes of a text, made after it was run, are not refused; the text itself is read."""
    filename, missed = f"<planted {run.__name__}>", []
    put(filename, before)
    f = run(ast.parse(before), filename)["f"]
    find(f.__code__)
    for old, new in changes:
        if old not in before:
            raise ValueError(old)
        put(filename, before.replace(old, new, 1))
        try:
            find(f.__code__)
        except SourceChangedError:
            continue
        missed.append((old, new))
    put(filename, before)
    find(f.__code__)
    return missed


WAYS: list[Run] = [whole, by_statements, with_asserts_rewritten, with_checks, traced]

if __name__ == "__main__":
    BEFORE = textwrap.dedent(BEFORE)
    for way in (whole, by_statements, with_checks, traced):
        if missed := unnoticed(way, CHANGES):
            sys.exit(f"{way.__name__}: {missed}")
