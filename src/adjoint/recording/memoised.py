"""Tables of earlier results: `if x not in memo: memo[x] = x * x` and `return memo[x]`.

What a table holds under a number that an earlier call was given has no derivative in this one. So each look-up in such
a table, and each store, asks `own_table` for the table that it is to be made in.
"""
# mypy: disable-error-code="arg-type, attr-defined"

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

from ..frontend.beside import Kept
from ..frontend.lookups import gives_keys, is_result, looked_up
from ..frontend.nodes import copied
from ..frontend.paths import Bindings, path_of, root_of
from ..frontend.remembering import Reader
from ..frontend.walking import all_nodes, body_of, own_nodes
from .cases import moved, placed
from .names import Names

_EVALUATED_ONCE = (ast.Call, ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)
Key = tuple[str, str]
"""The texts of a table and of a key."""


@dataclass
class Found(Bindings):
    """Tables and keys of a function: what is stored under them, and where they are looked up."""

    stored: dict[Key, list[Any]] = field(default_factory=dict)
    read: dict[Key, list[Any]] = field(default_factory=dict)
    filled: set[Key] = field(default_factory=set)
    """Where something empty is stored if there is nothing."""
    options: str = ""
    """The name of `**options`, a dict that each call has for itself."""

    @classmethod
    def of(cls, node: Any) -> Found:
        """Those of a function."""
        found = cls(options=getattr(node.args.kwarg, "arg", ""))
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
            case ast.Call(func=ast.Attribute(value=table, attr="setdefault"), args=[key, value]) if is_result(value):
                self._store(ast.Subscript(table, key), value)
        found = looked_up(node)
        under = None if found is None else _key_of(*found)
        if under is not None:
            self.read.setdefault(under, []).append(node)
        self.filled.update(filter(None, [_filled(node)]))

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
        root = root_of(key[0])
        if key[0] == self.options or root in names.bound - {*names.params} and not any(map(path_of, self.values(root))):
            return False
        found = [value for stored in self.stored[key] for value in self._computed(stored, key)]
        return not any([_is_under(n, key) for value in found for n in self.behind(value)])

    def _computed(self, value: Any, key: Key) -> list[Any]:
        """Values of which one is stored: of a name, those that are computed, and not looked up as they are."""
        if not isinstance(value, ast.Name):
            return [value]
        return [v for v in self.values(value.id) if not _is_under(v, key)]

    def sources(self, key: Any, names: Names) -> list[Any]:
        """The variables that a key is made of; a key that a loop takes from what holds it is made of nothing."""
        found, seen, todo = dict[str, Any](), set[str](), [key]
        whole = {n.id for n in (key.elts if isinstance(key, ast.Tuple) else [key]) if isinstance(n, ast.Name)}
        while todo:
            for inner in _paths_in(todo.pop()):
                text = ast.unparse(inner)
                root = root_of(text)
                if text in seen or root not in names.bound:
                    continue
                seen.add(text)
                if root in names.params and root not in names.unsure:
                    found[text] = inner
                if text == root:
                    todo += [value for value in self.bound.get(root, ()) if value is not None]
                    todo += self.taken.get(root, []) if root not in whole else []
        return [copied(inner) for inner in found.values()]


def _paths_in(node: Any) -> Iterator[Any]:
    """The longest such expressions in a node, without what is called by its name."""
    if path_of(node) is not None:
        yield node
    else:
        for name, part in ast.iter_fields(node):
            for inner in part if isinstance(part, list) else [part]:
                if isinstance(inner, ast.AST) and not (name == "func" and isinstance(inner, ast.Name)):
                    yield from _paths_in(inner.value if name == "func" and isinstance(inner, ast.Attribute) else inner)


def _is_under(node: Any, key: Key) -> bool:
    """Tell whether a node itself looks a key up, or is what is stored under it."""
    found = (node.value, node.slice) if isinstance(node, ast.Subscript) else looked_up(node)
    return found is not None and _key_of(*found) == key


def _filled(node: Any) -> Key | None:
    """The table and the key of `table.setdefault(key, [])`."""
    match node:
        case ast.Call(func=ast.Attribute(value=table, attr="setdefault"), args=[key, value]) if not is_result(value):
            return _key_of(table, key)
    return None


def _key_of(table: Any, key: Any) -> Key | None:
    part = isinstance(key, ast.Tuple) and any([isinstance(item, ast.Slice) for item in key.elts])
    text = None if part or isinstance(key, ast.Slice | ast.Constant | ast.Starred) else path_of(table)
    return None if text is None else (text, ast.unparse(key))


class Program(Protocol):
    """The part of a program that is asked here."""

    names: Names
    free: set[str]
    scope: dict[str, Any]

    @property
    def kept(self) -> Kept: ...
    def new(self, stem: str = "t") -> str: ...
    def helper(self, name: str) -> ast.Name: ...
    def cell(self, name: str) -> ast.Name: ...
    def private(self, name: str) -> str: ...
    def known(self, node: Any) -> Any: ...


class _Own(ast.NodeTransformer):
    """Has look-ups and stores made in the table that `own_table` gives."""

    def __init__(self, keys: dict[Key, list[Any]], fields: dict[Key, str | None], program: Program) -> None:
        self.keys = keys
        self.fields = fields
        self.new, self.helper = program.new, program.helper
        self.in_comprehension = False

    def _own(self, found: Any, table: Any, key: Any, stores: bool | None = False) -> tuple[Any, Any, Any]:
        """The table to look into; the key, where it is evaluated before that; and the key afterwards."""
        first, again = key, copied(key)
        if not self.in_comprehension and any([isinstance(n, _EVALUATED_ONCE) for n in all_nodes(key)]):
            name = self.new()
            first = ast.NamedExpr(ast.Name(name, ast.Store()), key)
            again = ast.Name(name, ast.Load())
        sources = [moved(copied(source), table) for source in self.keys[found]]
        if found not in self.fields:
            own = self._helped("own_table", table, first, *sources)
        else:  # a tuple is no table, and what flows to it has to go on
            at = self.fields[found]
            of = [copied(table.value) if at else ast.Constant(None), ast.Constant(at)]
            asked = self._helped("has_table", *of, copied(table), first)
            mine = self._helped("own_field", ast.Constant(stores), copied(table), copied(again), *sources)
            own = ast.IfExp(asked, mine, table)
        return placed(own, table), placed(first, table), placed(again, table)

    def _helped(self, name: str, *args: Any) -> Any:
        call: Any = ast.Call(self.helper(name), [*args], [])
        call.is_helper = True
        return call

    def visit_Compare(self, node: ast.Compare) -> Any:
        """`key in table`: the key is evaluated first."""
        found = self._found(node)
        self.generic_visit(node)
        if found is not None:
            asked = node.comparators[0]
            own, node.left, again = self._own(found, asked.func.value if gives_keys(asked) else asked, node.left)
            call: Any = own.test if isinstance(own, ast.IfExp) else own
            call.args[call.args.index(node.left)] = again
            if gives_keys(asked):
                asked.func.value = own
            else:
                node.comparators[0] = own
        return node

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        """`table[key]`, read or stored into."""
        found = self._found(node) or _key_of(node.value, node.slice)
        self.generic_visit(node)
        if found in self.keys:
            stores = isinstance(node.ctx, ast.Store)
            node.value, _, node.slice = self._own(found, node.value, node.slice, stores)
        return node

    def visit_Call(self, node: ast.Call) -> Any:
        """`table.get(key)` and the like."""
        found = self._found(node)
        self.generic_visit(node)
        if found is not None:
            node.func.value, _, node.args[0] = self._own(found, node.func.value, node.args[0])
        elif (found := _filled(node)) in self.fields:
            node.func.value, _, node.args[0] = self._own(found, node.func.value, node.args[0], None)
        return node

    def _found(self, node: Any) -> Key | None:
        asked = looked_up(node)
        key = None if asked is None else _key_of(*asked)
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


def with_own_tables(node: Any, program: Program, latest: Collection[str] = ()) -> Any:
    """A function whose tables of earlier results are those that this call makes; itself if it has none. Items that hold
    the `latest` number are no such results."""
    found, names = Found.of(node), program.names
    for key in [key for key in {**found.stored, **found.read} if f"{key[0]}[{key[1]}]" in latest]:
        found.stored.pop(key, None)
        found.read.pop(key, None)
    memoised = [key for key in found.stored if found.is_memoised(key, names)]
    fields = _places(node, found, program, memoised)
    if not (memoised or fields):
        return node
    keys = {key: found.sources(_parsed(key[1]), names) for key in (*memoised, *fields)}
    made, own = copied(node), _Own(keys, fields, program)
    if isinstance(made, ast.Lambda):
        made.body = own.visit(made.body)
    else:
        made.body = [own.visit(s) for s in made.body]
    return made


def _parsed(text: str) -> Any:
    whole: Any = ast.parse(f"_[{text}]", mode="eval").body
    return whole.slice


def _places(node: Any, found: Found, program: Program, others: list[Key]) -> dict[Key, str | None]:
    """Tables of others in which the function looks parameters up, or stores under them, with the names of those that
    are fields: what other methods do says the class. Of all others it is known what functions beside this one do; one
    that nobody asks whether there is something has None."""
    if not isinstance(node, ast.FunctionDef | ast.Lambda):
        return {}
    reader, names = Reader(node, program.scope), dict[Key, str | None]()
    for key in {**found.stored, **found.read, **dict.fromkeys(found.filled)}:
        place = reader.key(key[0]) if key not in others and reader.asks(key[0], _parsed(key[1])) else None
        if place is not None and place[:1] == "." and place[1:].isidentifier():
            names[key] = program.private(place[1:])
        elif place is not None and place[:1] != "." and place in program.kept.tables:
            names[key] = "" if place in program.kept.asked else None
    return names


__all__ = ["Found", "Program", "with_own_tables"]
