"""Tables of earlier results: `if x not in memo: memo[x] = x * x` and `return memo[x]`.

What a table holds under a number that an earlier call was given has no derivative in this one. So each look-up in such
a table, and each store, asks `own_table` for the table that it is to be made in.
"""
# mypy: disable-error-code="arg-type, attr-defined"

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from ..frontend.nodes import copied
from .cases import moved, placed
from .names import Names, all_nodes, body_of, own_nodes

_READING = frozenset(["get", "pop", "__contains__", "__getitem__"])
_EVALUATED_ONCE = (ast.Call, ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)
Key = tuple[str, str]
"""The texts of a table and of a key."""


@dataclass
class Found:
    """Tables and keys of a function: what is stored under them, and where they are looked up."""

    stored: dict[Key, list[Any]] = field(default_factory=dict)
    read: dict[Key, list[Any]] = field(default_factory=dict)
    bound: dict[str, list[Any]] = field(default_factory=dict)
    """The values that each local name is assigned."""
    taken: dict[str, list[Any]] = field(default_factory=dict)
    """What each is taken from by loops."""

    @classmethod
    def of(cls, node: Any) -> Found:
        """Those of a function."""
        found = cls()
        for inner in own_nodes(body_of(node)):
            found._add(inner)
        return found

    def _add(self, node: Any) -> None:
        match node:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    self._store(target, value)
            case ast.AnnAssign(target=target, value=value):
                self._store(target, value)
            case ast.NamedExpr(target=ast.Name(id=name), value=value):
                self.bound.setdefault(name, []).append(value)
            case ast.For(target=target, iter=value):
                self._store(target, value, self.taken)
            case ast.AugAssign(target=target):
                self._store(target, target)
            case ast.Call(func=ast.Attribute(value=table, attr="setdefault"), args=[key, value]) if _is_result(value):
                self._store(ast.Subscript(table, key), value)
        looked_up = _looked_up(node)
        under = None if looked_up is None else _key_of(*looked_up)
        if under is not None:
            self.read.setdefault(under, []).append(node)

    def _store(self, target: Any, value: Any, names: dict[str, list[Any]] | None = None) -> None:
        if isinstance(target, ast.Tuple | ast.List):
            for part in target.elts:
                self._store(part, value, names)
        elif isinstance(target, ast.Name):
            (self.bound if names is None else names).setdefault(target.id, []).append(value)
        elif isinstance(target, ast.Subscript) and (key := _key_of(target.value, target.slice)) is not None:
            self.stored.setdefault(key, []).append(value)

    def is_memoised(self, key: Key, names: Names) -> bool:
        """Tell whether a table has under a key what is made once, and found later: not what is made of what was there,
        and not in a table that the function makes for itself."""
        if key not in self.stored or key not in self.read:
            return False
        root = key[0].partition(".")[0].partition("[")[0]
        if root in names.bound - {*names.params} and not any(map(path_of, self._values(root))):
            return False
        found = [value for stored in self.stored[key] for value in self._computed(stored, key)]
        return not any([_is_under(n, key) for value in found for n in self.behind(value)])

    def _computed(self, value: Any, key: Key) -> list[Any]:
        """Values of which one is stored: of a name, those that are computed, and not looked up as they are."""
        if not isinstance(value, ast.Name):
            return [value]
        return [v for v in self._values(value.id) if not _is_under(v, key)]

    def _values(self, name: str) -> list[Any]:
        """What a local name is assigned, or taken from by loops."""
        return [v for v in (*self.bound.get(name, ()), *self.taken.get(name, ())) if v is not None]

    def behind(self, node: Any) -> Iterator[Any]:
        """The nodes that a value is made of, and those that the names in it were assigned."""
        seen, todo = set[str](), [node]
        while todo:
            for inner in all_nodes(todo.pop()):
                yield inner
                if isinstance(inner, ast.Name) and inner.id not in seen:
                    seen.add(inner.id)
                    todo += self._values(inner.id)

    def sources(self, key: Any, names: Names) -> list[Any]:
        """The variables that a key is made of; a key that a loop takes from what holds it is made of nothing."""
        found, seen, todo = dict[str, Any](), set[str](), [key]
        whole = {n.id for n in (key.elts if isinstance(key, ast.Tuple) else [key]) if isinstance(n, ast.Name)}
        while todo:
            for inner in _paths_in(todo.pop()):
                text = ast.unparse(inner)
                root = text.partition(".")[0].partition("[")[0]
                if text in seen or root not in names.bound:
                    continue
                seen.add(text)
                if root in names.params and root not in names.unsure:
                    found[text] = inner
                if text == root:
                    todo += [value for value in self.bound.get(root, ()) if value is not None]
                    todo += self.taken.get(root, []) if root not in whole else []
        return [copied(inner) for inner in found.values()]


def path_of(node: Any) -> str | None:
    """The text of a name, or of what is reached from one by attributes and constant items; None of anything else."""
    inner = node
    while (
        isinstance(inner, ast.Attribute) or isinstance(inner, ast.Subscript) and isinstance(inner.slice, ast.Constant)
    ):
        inner = inner.value
    return ast.unparse(node) if isinstance(inner, ast.Name) else None


def _paths_in(node: Any) -> Iterator[Any]:
    """The longest such expressions in a node, without what is called by its name."""
    if path_of(node) is not None:
        yield node
    else:
        for name, part in ast.iter_fields(node):
            for inner in part if isinstance(part, list) else [part]:
                if isinstance(inner, ast.AST) and not (name == "func" and isinstance(inner, ast.Name)):
                    yield from _paths_in(inner.value if name == "func" and isinstance(inner, ast.Attribute) else inner)


def _looked_up(node: Any) -> tuple[Any, Any] | None:
    """The table and the key that are looked up by a node itself."""
    match node:
        case ast.Compare(left=key, ops=[ast.In() | ast.NotIn()], comparators=[table]):
            return table.func.value if _gives_keys(table) else table, key
        case ast.Subscript(value=table, slice=key, ctx=ast.Load()):
            return table, key
        case ast.Call(func=ast.Attribute(value=table, attr=name), args=[key, *_]) if name in _READING:
            return table, key
        case ast.Call(func=ast.Attribute(value=table, attr="setdefault"), args=[key, value]) if _is_result(value):
            return table, key
    return None


def _gives_keys(node: Any) -> bool:
    """Tell whether a node asks a table for its keys."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "keys"


def _is_result(value: Any) -> bool:
    """Tell whether a default may be what a call has computed: a constant, or something empty to fill, is not."""
    empty = isinstance(value, ast.List | ast.Set | ast.Tuple) and not value.elts
    empty = empty or isinstance(value, ast.Dict) and not value.keys
    made = isinstance(value, ast.Call) and not value.args and not value.keywords and isinstance(value.func, ast.Name)
    return not (empty or isinstance(value, ast.Constant) or made and value.func.id in _EMPTY)


_EMPTY = frozenset(["list", "dict", "set", "deque", "float", "int"])


def _is_under(node: Any, key: Key) -> bool:
    """Tell whether a node itself looks a key up, or is what is stored under it."""
    found = (node.value, node.slice) if isinstance(node, ast.Subscript) else _looked_up(node)
    return found is not None and _key_of(*found) == key


def _key_of(table: Any, key: Any) -> Key | None:
    text = None if isinstance(key, ast.Slice | ast.Constant | ast.Starred) else path_of(table)
    return None if text is None else (text, ast.unparse(key))


class _Own(ast.NodeTransformer):
    """Has look-ups and stores made in the table that `own_table` gives."""

    def __init__(self, keys: dict[Key, list[Any]], new: Callable[[], str], helper: Callable[[str], ast.Name]) -> None:
        self.keys = keys
        self.new = new
        self.helper = helper
        self.in_comprehension = False

    def _own(self, found: Any, table: Any, key: Any) -> tuple[Any, Any, Any]:
        """The table to look into; the key, where it is evaluated before that; and the key afterwards."""
        first, again = key, copied(key)
        if not self.in_comprehension and any([isinstance(n, _EVALUATED_ONCE) for n in all_nodes(key)]):
            name = self.new()
            first = ast.NamedExpr(ast.Name(name, ast.Store()), key)
            again = ast.Name(name, ast.Load())
        sources = [moved(copied(source), table) for source in self.keys[found]]
        call: Any = ast.Call(self.helper("own_table"), [table, first, *sources], [])
        call.is_helper = True
        return placed(call, table), placed(first, table), placed(again, table)

    def visit_Compare(self, node: ast.Compare) -> Any:
        """`key in table`: the key is evaluated first."""
        found = self._found(node)
        self.generic_visit(node)
        if found is not None:
            asked = node.comparators[0]
            own, node.left, again = self._own(found, asked.func.value if _gives_keys(asked) else asked, node.left)
            own.args[1] = again
            if _gives_keys(asked):
                asked.func.value = own
            else:
                node.comparators[0] = own
        return node

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        """`table[key]`, read or stored into."""
        found = self._found(node) or _key_of(node.value, node.slice)
        self.generic_visit(node)
        if found in self.keys:
            node.value, _, node.slice = self._own(found, node.value, node.slice)
        return node

    def visit_Call(self, node: ast.Call) -> Any:
        """`table.get(key)` and the like."""
        found = self._found(node)
        self.generic_visit(node)
        if found is not None:
            node.func.value, _, node.args[0] = self._own(found, node.func.value, node.args[0])
        return node

    def _found(self, node: Any) -> Key | None:
        looked_up = _looked_up(node)
        key = None if looked_up is None else _key_of(*looked_up)
        return key if key in self.keys else None

    def _as_it_is(self, node: Any) -> Any:
        return node  # inner functions are looked at when they are called

    visit_FunctionDef = visit_AsyncFunctionDef = visit_Lambda = visit_ClassDef = visit_GeneratorExp = _as_it_is

    def _comprehension(self, node: Any) -> Any:
        """A comprehension, in which no names are bound."""
        outer, self.in_comprehension = self.in_comprehension, True
        self.generic_visit(node)
        self.in_comprehension = outer
        return node

    visit_ListComp = visit_SetComp = visit_DictComp = _comprehension


def with_own_tables(node: Any, names: Names, new: Callable[[], str], helper: Callable[[str], ast.Name]) -> Any:
    """A function whose tables of earlier results are those that this call makes; itself if it has none."""
    found = Found.of(node)
    memoised = [key for key in found.stored if found.is_memoised(key, names)]
    if not memoised:
        return node
    keys = {key: found.sources(ast.parse(key[1], mode="eval").body, names) for key in memoised}
    made, own = copied(node), _Own(keys, new, helper)
    if isinstance(made, ast.Lambda):
        made.body = own.visit(made.body)
    else:
        made.body = [own.visit(s) for s in made.body]
    return made


__all__ = ["Found", "path_of", "with_own_tables"]
