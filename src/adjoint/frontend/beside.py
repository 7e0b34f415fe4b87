"""Remembered results, as a function and those beside it use them together: one asks, another one stores."""

from __future__ import annotations

import ast
import types
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from types import CodeType
from typing import Any

from ..errors import AdjointError
from ..ir.nodes import FIELDS, Remembers, gives
from .paths import root_of
from .remembering import Reader
from .source import Found, find
from .walking import own_nodes

BEGINNING = frozenset(["__init__", "__new__", "__post_init__", "__setstate__"])
"""Methods whose stores say what an object is, and not what it was asked."""
EQUALITY = frozenset(["__eq__", "__ne__"])
"""Methods that compare objects, and look for none."""
_NOTHING: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Kept:
    """Places by which functions remember together what they were asked."""

    latest: frozenset[str] = _NOTHING
    """Those that are compared with a number, and bound to it."""
    found: frozenset[str] = _NOTHING
    """Those that hold numbers among which one is looked for."""
    tables: frozenset[str] = _NOTHING
    """Those in which a number is looked up, and something is stored under it."""
    asked: frozenset[str] = _NOTHING
    """Those of them that are asked whether there is something: others hold data, which are there."""
    tested: frozenset[str] = _NOTHING
    """Those that are compared with anything."""
    assigned: frozenset[str] = _NOTHING
    """Those that are bound to what a function is given."""

    def is_latest(self, key: str) -> bool:
        """Tell whether a field is compared with a number, and bound to it."""
        return key in self.latest or FIELDS in self.latest

    used: frozenset[str] = _NOTHING
    """Those that are read for more than to compare them, or to count on."""
    steady: frozenset[str] = _NOTHING
    """Fields that are bound at each call, whatever was there: by them nothing is remembered."""

    def binds(self, key: str, own: bool = False) -> bool:
        """Tell whether a field that somebody compares with a number may be bound to it, by his `own` function or by the
        class."""
        if key in self.steady or FIELDS in self.steady:
            return False
        return own or key in self.assigned or FIELDS in self.assigned or key == FIELDS and bool(self.assigned)


def kept_by(every: Iterable[Remembers]) -> Kept:
    """The places by which several functions remember together."""
    sums = [_NOTHING] * 11
    for r in every:
        own = (
            r.compared,
            r.assigned,
            r.searched,
            r.stored,
            r.looked_up,
            r.entered,
            r.asked,
            r.tested,
            r.taken,
            r.filled,
            r.used,
        )
        sums = [found.union(keys) for found, keys in zip(sums, own, strict=True)]
    compared, assigned, searched, stored, looked_up, entered, asked, tested, taken, filled, used = sums
    found = frozenset([key for key in searched & stored if gives(key, taken, filled)])
    tables = looked_up & entered
    made = Kept(_NOTHING, found, tables, tables & asked, tested, assigned, used=used)
    return replace(made, latest=frozenset(filter(made.binds, compared)))


def remembers(node: Any, scope: dict[str, Any]) -> Remembers | None:
    """The places that the text of a function shows; None if there are none."""
    if not isinstance(node, ast.FunctionDef | ast.Lambda) or not (node.args.args or node.args.vararg):
        return None
    reader = Reader(node, scope)
    own, searched, compared = set[str](), dict[str, frozenset[str]](), dict[str, frozenset[str]]()
    for q in reader.questions():
        key, direct = reader.key(q.place), reader.is_direct(q)
        if key is not None and getattr(node, "name", "") not in EQUALITY:
            of = compared if direct else searched
            of[key] = of.get(key, _NOTHING) | q.params
        found = (key is None or key[0] != ".") and not direct and reader.stores_in(q) and reader.gives(q.place)
        bound = direct and not q.is_plain and q.place in [path for path, of in reader.assigned if of]
        if found or reader.item_at(q) is not None or bound and (key is None or key[0] != "."):
            own |= q.params
    begins = getattr(node, "name", "") in BEGINNING
    assigned = _NOTHING if begins else reader.keys([path for path, params in reader.assigned if params])
    stored = _NOTHING if begins else reader.keys([path for path, params in reader.stores if params])
    entered = _NOTHING if begins else reader.keys(reader.entered)
    looked_up = {key: params for path, params in reader.looked_up.items() if (key := reader.key(path)) is not None}
    asked, tested = reader.keys(reader.asked), reader.keys(reader.tested())
    taken, filled, used = reader.keys(reader.taken), reader.keys(reader.filled), reader.keys(reader.used())
    places = assigned, stored, entered, asked, tested, taken, filled, used
    if not (own or searched or compared or looked_up or any(places)):
        return None
    return Remembers(
        frozenset(own), searched, compared, assigned, stored, looked_up, entered, asked, tested, taken, filled, used
    )


def remembered_by(code: CodeType, namespace: dict[str, Any], found: Found | None = None) -> Remembers | None:
    """The same of a function, with what those beside it store: in the function around it, or in its module."""
    found = found or find(code, namespace)
    own = remembers(found.node, namespace)
    every = () if own is None else (*own.searched, *own.compared, *own.looked_up)
    shared = [key for key in every if key[0] != "."]
    if own is None or not shared:
        return own
    beside = [*functions_beside(found, code, namespace, shared)]
    stored = _NOTHING.union(*[r.stored for r in beside])
    assigned = _NOTHING.union(*[r.assigned for r in beside]) - own.assigned
    found_in = kept_by([own, *beside]).found
    params = [of for key, of in own.searched.items() if key in stored & found_in and key[0] != "."]
    params += [of for key, of in own.compared.items() if key in assigned and key[0] != "."]
    entered = _NOTHING.union(*[r.entered for r in beside]) - own.entered
    params += [of for key, of in own.looked_up.items() if key in entered and key[0] != "."]
    return replace(own, own=own.own.union(*params))


def functions_beside(
    found: Found, code: CodeType, namespace: dict[str, Any], keys: Iterable[str]
) -> Iterator[Remembers]:
    """The same of other functions, for places that one shares with them."""
    roots = {root_of(key) for key in keys}
    for around in found.chain[:-1]:
        if isinstance(around, ast.FunctionDef):
            for node in own_nodes(around.body):
                if (
                    isinstance(node, ast.FunctionDef)
                    and node is not found.node
                    and (r := remembers(node, namespace)) is not None
                ):
                    yield r
    if not roots <= {*code.co_freevars}:
        for f in [*namespace.values()]:
            near = type(f) is types.FunctionType and f.__code__.co_filename == code.co_filename
            if near and f.__code__ is not code and not roots.isdisjoint(f.__code__.co_names):
                try:
                    r = remembers(find(f.__code__, namespace).node, namespace)
                except AdjointError:
                    continue  # it is read, and refused, where it is called
                if r is not None:
                    yield r


def kept_beside(code: CodeType, namespace: dict[str, Any]) -> Kept:
    """The places by which a function remembers together with those beside it."""
    found = find(code, namespace)
    own = remembers(found.node, namespace)
    every = (
        () if own is None else (*own.searched, *own.compared, *own.assigned, *own.stored, *own.looked_up, *own.entered)
    )
    shared = [key for key in every if key[0] != "."]
    return Kept() if own is None or not shared else kept_by([own, *functions_beside(found, code, namespace, shared)])
