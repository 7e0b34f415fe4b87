"""Which captured names need a cell; how control leaves statements."""

import ast
import textwrap
from typing import Any

import pytest

from adjoint.frontend import lower
from adjoint.frontend.exits import flow_of
from adjoint.frontend.scope import scope_of


def cells_of(body: str, arguments: str = "x") -> set[str]:
    tree = ast.parse(f"def f({arguments}):\n" + textwrap.indent(textwrap.dedent(body), "    "))
    scope = scope_of(tree.body[0], {})
    return {name for name in scope.bound if scope.owns(name) and scope.is_cell(name)}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("return lambda: x", ""),
        ("x = 1\nreturn lambda: x", ""),
        ("if x is None:\n    x = 1\nreturn lambda: x", ""),
        ("if x is None:\n    k = 1\nelse:\n    k = 2\nreturn lambda: k", "k"),
        ("while x:\n    x = 1\nfor _ in y:\n    h = lambda: x", ""),
        ("for x in x:\n    pass\nreturn lambda: x", ""),
        ("for k in x:\n    pass\nreturn lambda: k", "k"),
        ("for _ in y:\n    x = 1\n    h = lambda: x", "x"),
        ("if y:\n    x = 1\n    h = lambda: x", "x"),
        ("try:\n    x = 1\nfinally:\n    h = lambda: x", "x"),
        ("h = lambda: x\nx = 1", "x"),
        ("x = lambda: x", "x"),
        ("x = 1\ndef x(): return x", "x"),
        ("k = 1\ndel k\nk = 2\nreturn lambda: k", "k"),
        ("k = 1\ntry:\n    y()\nexcept E as k:\n    pass\nreturn lambda: k", "k"),
        ("with y as k:\n    k = 1\nreturn lambda: k", ""),
        ("k = 1\nreturn lambda: k + x", ""),
        ("h = lambda: k\nk = 1\nreturn h", "k"),
        ("k = 1\nh = lambda: k\nk = 2", "k"),
        ("k = 1\nh = lambda: k\nk += 2", "k"),
        ("k = 1\nh = lambda: k\ndel k", "k"),
        ("if x:\n    k = 1\nh = lambda: k", "k"),
        ("if x:\n    k = 1\n    h = lambda: k", ""),
        ("k = 1\nif x:\n    h = lambda: k", ""),
        ("k = 1\nfor _ in x:\n    h = lambda: k", ""),
        ("for k in x:\n    h = lambda: k", "k"),
        ("while x:\n    k = 1\n    h = lambda: k", "k"),
        ("h = (lambda: k, k := 1)", "k"),
        ("k = (lambda: k)", "k"),
        ("def k(): return k", ""),
        ("@x\ndef k(): return k", "k"),
        ("def k(): return lambda: k", ""),
        ("def k(): return k\nk = 1", "k"),
        ("def a(): return b()\ndef b(): return a()", "b"),
        ("k = []\nh = lambda: k\nk.append(1)\nk[0] = 2", ""),
        ("def h():\n    nonlocal k\n    k = 2\nk = 1", "k"),
        ("k = 1\ndef h():\n    nonlocal k\n    k = 2", "k"),
        ("k = 1\ndef h():\n    def g():\n        nonlocal k\n        k = 2", "k"),
        ("k = 1\nreturn [lambda: k for _ in x]", ""),
        ("k = 1\nk = 2\nreturn [lambda: k for _ in x]", ""),
        ("return [k for k in x]", ""),
        ("return [lambda: k for k in x]", ""),
        ("class A:\n    def m(self): return x\n", ""),
        ("x = 1\nclass A:\n    def m(self): return x\n", ""),
        ("match x:\n    case [k]:\n        return lambda: k", ""),
        ("match x:\n    case [k]:\n        pass\n    case {'k': k}:\n        pass\nreturn lambda: k", "k"),
        ("global k\nk = 1\nk = 2\nreturn lambda: k", ""),
        ("import k\nreturn lambda: k", ""),
        ("k: int = 1\nreturn lambda: k", ""),
        ("k: int\nreturn lambda: k", "k"),
    ],
)
def test_cells(body: str, expected: str) -> None:
    assert cells_of(body) == set(expected.split())


@pytest.mark.parametrize(
    ("body", "falls", "exits"),
    [
        ("pass", True, ""),
        ("return 1", False, "return"),
        ("raise E", False, ""),
        ("if c: return 1", True, "return"),
        ("if c: return 1\nelse: raise E", False, "return"),
        ("if True: return 1", False, "return"),
        ("if __debug__: x = 1", True, ""),
        ("while True: pass", False, ""),
        ("while True:\n    if c: break", True, ""),
        ("while True: return 1", False, "return"),
        ("while c: return 1", True, "return"),
        ("for x in xs: return 1\nelse: return 2", False, "return"),
        ("for x in xs:\n    if x: break\nelse: return 2", True, "return"),
        ("for x in xs: continue", True, ""),
        ("match c:\n    case 1: return 1\n    case _: return 2", False, "return"),
        ("match c:\n    case 1: return 1", True, "return"),
        ("return 1\nx = 2", False, "return"),
    ],
)
def test_flow(body: str, falls: bool, exits: str) -> None:
    assert flow_of(ast.parse(body).body) == (falls, frozenset(exits.split()))


def calls_in(function: Any) -> list[str]:
    return [repr(getattr(s, "fn", None)) for s in lower(function).body.statements]


def test_inner_functions_alone_see_what_their_owner_makes() -> None:
    def owner(x):
        k = x
        once = 2
        h = lambda: k + once  # noqa: E731
        k = 3

        def again(n):
            return again(n - 1) if n else once

        return h, again

    assert calls_in(owner)[:1] == ["make_cell"]
    h, again = owner(1)
    assert calls_in(h)[:2] == ["capture_cell", "capture"]
    assert calls_in(again) == ["capture", "None"]


def test_captures_that_are_not_read_leave_no_trace() -> None:
    k = 1

    def f(x):
        if False:
            return k
        return x

    assert calls_in(f) == []
