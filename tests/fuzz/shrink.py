"""Making a program small: statement by statement, as long as what is wrong with it stays wrong."""

from __future__ import annotations

import ast
import time
from collections.abc import Callable, Iterator
from typing import Any


def shrunk(source: str, fails: Callable[[str], bool], seconds: float = 60.0) -> str:
    """The smallest program found that still fails, of one that does.

    Statements are left out, blocks take the place of what they are in, and expressions become one of their parts or a
    number: one such step at a time, the largest first, until none is left with which the program fails.
    """
    end = time.monotonic() + seconds
    tree = ast.parse(source)
    if fails(text := ast.unparse(used(tree))):
        tree = ast.parse(text)
    going = True
    while going and time.monotonic() < end:
        going = False
        for smaller in _smaller(tree):
            if time.monotonic() > end:
                break
            text = ast.unparse(smaller)
            if fails(text):
                tree, going = ast.parse(text), True
                break
    return ast.unparse(tree) + "\n"


def used(tree: ast.Module) -> ast.Module:
    """What the last function of a module has need of."""
    named = {name: node for node in tree.body for name in _defined(node)}
    todo, kept = [tree.body[-1]], {id(tree.body[-1])}
    while todo:
        for node in ast.walk(todo.pop()):
            found = named.get(node.id) if isinstance(node, ast.Name) else None
            if found is not None and id(found) not in kept:
                kept.add(id(found))
                todo.append(found)
    return ast.Module([node for node in tree.body if id(node) in kept], [])


def _defined(node: ast.stmt) -> list[str]:
    match node:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            return [name, *(["STATE"] if name == "reset" else [])]
        case ast.Import():
            return [a.asname or a.name for a in node.names]
    return [n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]


def _smaller(tree: ast.Module) -> Iterator[ast.Module]:
    """Programs that are smaller by one step; what the module begins with goes last."""
    blocks = [(node, name) for node in ast.walk(tree) for name in ("body", "orelse", "finalbody", "handlers")]
    blocks = [(node, name) for node, name in blocks if isinstance(getattr(node, name, None), list)]
    f = tree.body[-1]
    within = {id(node) for node in ast.walk(f)}
    for node, name in sorted(blocks, key=lambda block: id(block[0]) not in within):
        block = getattr(node, name)
        for size in (8, 4, 2, 1):
            for i in range(0, len(block) - size + 1):
                if not (node is tree and i + size == len(block)):
                    yield from _with(tree, node, name, [*block[:i], *block[i + size :]])
        for i, inner in enumerate(block):
            for part in ("body", "orelse", "finalbody"):
                lines = getattr(inner, part, None)
                if inner is not f and isinstance(lines, list) and lines and isinstance(inner, ast.stmt):
                    yield from _with(tree, node, name, [*block[:i], *lines, *block[i + 1 :]])
    for node in ast.walk(f):
        for name, value in ast.iter_fields(node):
            for i, inner in enumerate(value if isinstance(value, list) else [value]):
                if not isinstance(inner, ast.expr) or isinstance(getattr(inner, "ctx", None), ast.Store | ast.Del):
                    continue
                parts = [c for c in ast.iter_child_nodes(inner) if isinstance(c, ast.expr)]
                for part in [*parts, *([] if isinstance(inner, ast.Constant | ast.Name) else [ast.Constant(0.5)])]:
                    new = [*value[:i], part, *value[i + 1 :]] if isinstance(value, list) else part
                    yield from _with(tree, node, name, new)


def _with(tree: ast.Module, node: Any, name: str, value: Any) -> Iterator[ast.Module]:
    """The program with another field of a node, if it is one."""
    old = getattr(node, name)
    if value == [] and name == "body" and not isinstance(node, ast.Module):
        value = [ast.Pass()]
        if len(old) == 1 and isinstance(old[0], ast.Pass):
            return
    setattr(node, name, value)
    try:
        compile(text := ast.unparse(tree), "<smaller>", "exec")
    except (SyntaxError, ValueError, AttributeError, IndexError):
        return
    finally:
        setattr(node, name, old)
    yield ast.parse(text)
