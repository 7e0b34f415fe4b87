"""Numbers that methods store at each call, whatever was there before: `self.last = x` behind `x == self.last`.

By such a number nothing of an earlier call is found, if all results are stored along with it. A program that compares
the number of this step with that of the step before means what it says.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from types import CodeType
from typing import Any

from .beside import BEGINNING
from .lookups import is_result
from .paths import as_field, stored_field
from .remembering import Reader
from .source import find
from .walking import children, own_nodes

_SURE = (ast.For, ast.With)
"""Statements of which the body runs as a rule."""


@dataclass
class Course:
    """The fields that a method compares and stores into, and what it calls: at each call, or under a condition."""

    name: str
    compared: set[str] = field(default_factory=set)
    always: set[str] = field(default_factory=set)
    guarded: set[str] = field(default_factory=set)
    results: set[str] = field(default_factory=set)
    """Those in which it stores at each call what is no constant, and no count."""
    guarded_results: set[str] = field(default_factory=set)
    calls: set[str] = field(default_factory=set)
    guarded_calls: set[str] = field(default_factory=set)
    told: set[str] = field(default_factory=set)
    """The fields and methods that what it returns is made of."""
    tells: bool = False
    """True if it returns whether the number is the same: then others may store results by that."""


def course_by(code: CodeType, namespace: dict[str, Any]) -> Course | None:
    """The course of a method; None of one that makes an object, or of a lambda."""
    node = find(code, namespace).node
    if not isinstance(node, ast.FunctionDef) or node.name in BEGINNING:
        return None
    return course_of(node, Reader(node, namespace))


def course_of(node: ast.FunctionDef, reader: Reader) -> Course:
    """The course of a function."""
    made = Course(node.name)
    own = reader.params[0] if reader.params else None
    questions = [q for q in reader.questions() if reader.is_direct(q)]
    made.compared |= reader.keys([q.place for q in questions])
    returned = [*_behind([n.value for n in reader.own if isinstance(n, ast.Return)], reader)]
    made.tells = any([q.node is n for q in questions for n in returned])
    made.told |= {n.attr for n in returned if isinstance(n, ast.Attribute)}
    for n, is_sure in _in_turn(node.body, True):
        for place, is_of_result in _stores(n, reader):
            key = reader.key(place) or place  # one that hangs on another parameter is a place as well
            (made.always if is_sure else made.guarded).add(key)
            if is_of_result:
                (made.results if is_sure else made.guarded_results).add(key)
        if isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name) and n.value.id == own:
            (made.calls if is_sure else made.guarded_calls).add(n.attr)
    return made


def _behind(values: list[Any], reader: Reader) -> Iterator[Any]:
    """The nodes that values are made of, but for the tests by which one of two is chosen."""
    todo, seen = [v for v in values if v is not None], set[str]()
    while todo:
        n = todo.pop()
        yield n
        todo += [inner for inner in children(n) if not (isinstance(n, ast.IfExp) and inner is n.test)]
        if isinstance(n, ast.Name) and n.id not in seen:
            seen.add(n.id)
            todo += reader.bindings.values(n.id)


def _in_turn(body: list[Any], is_sure: bool) -> Iterator[tuple[Any, bool]]:
    """The nodes of a block, each with whether it surely runs when the function is called."""
    for s in body:
        if isinstance(s, _SURE):
            yield from [(n, is_sure) for n in own_nodes(_heads(s))]
            yield from _in_turn(s.body, is_sure)
        elif isinstance(s, ast.If | ast.While | ast.Try | ast.Match):
            yield from [(n, False) for n in own_nodes([s])]
        else:
            yield from _of_statement(s, is_sure)
        is_sure = is_sure and not any([isinstance(n, ast.Return | ast.Raise) for n in own_nodes([s])])


def _heads(s: Any) -> list[Any]:
    return [s.target, s.iter] if isinstance(s, ast.For) else [*s.items]


def _of_statement(node: Any, is_sure: bool) -> Iterator[tuple[Any, bool]]:
    yield node, is_sure
    unsure = isinstance(node, ast.IfExp | ast.BoolOp | ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp)
    if not isinstance(node, ast.Lambda | ast.FunctionDef | ast.ClassDef):
        for inner in children(node):
            yield from _of_statement(inner, is_sure and not unsure)


def _stores(n: Any, reader: Reader) -> Iterator[tuple[str, bool]]:
    """The places into which a node itself stores, each with whether that is a result: no constant, and no count."""
    if isinstance(n, ast.Assign | ast.AnnAssign | ast.AugAssign) and n.value is not None:
        targets = n.targets if isinstance(n, ast.Assign) else [n.target]
        for target in targets:
            for part in target.elts if isinstance(target, ast.Tuple | ast.List) else [target]:
                for place in reader.places(part):
                    yield place, is_result(n.value)
    elif (stored := stored_field(n, reader.params[0] if reader.params else "")) is not None:
        for place in reader.places(as_field(*stored[:2])):
            yield place, is_result(stored[2])
    elif isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute):
        for place in reader.places(n.func.value):
            yield place, any(map(is_result, n.args))


def stored_at_each_call(courses: Iterable[Course]) -> frozenset[str]:
    """The fields that the methods of a class compare, and store at each call along with all of their results."""
    every = [*courses]
    compared = set[str]().union(*[c.compared for c in every])
    return frozenset([key for key in compared if is_steady(key, every)])


def is_steady(key: str, every: list[Course]) -> bool:
    """Tell whether functions store at a place at each call, and with it all of their results."""
    storing = {c.name for c in every if key in c.always | c.guarded}
    asking = {c.name for c in every if key in c.compared}
    if any([key in c.guarded or not storing.isdisjoint(c.guarded_calls) for c in every]):
        return False
    each = {c.name for c in every if key in c.always or not storing.isdisjoint(c.calls)}
    asks = {c.name for c in every if c.name in asking or not asking.isdisjoint(c.calls | c.guarded_calls)}
    others = [c for c in every if c.guarded_results or c.results - {key} and c.name not in each]
    steady = [c for c in every if c.name in asks & each]
    return bool(steady) and not others and not any([c.tells or asking & c.told for c in steady])
