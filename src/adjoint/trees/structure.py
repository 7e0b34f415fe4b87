"""The structure of a model: its nodes, each object once, and the values at their ends in order."""

from __future__ import annotations

import copy
import difflib
import reprlib
from collections.abc import Callable, Iterator
from typing import Any

from ..errors import OptionError, StructureError, calling_place
from ..rules.registry import non_differentiable
from .nodes import (
    HOW_STATIC,
    has_identity,
    holds_unseen,
    is_number,
    is_parameter,
    marks_in,
    names_of,
    parts_of,
    unknown_lists,
)

IsLeaf = Callable[[Any], bool]


class Node:
    """The node at one place of a model, or at several: a node with parts, or an end, which has a number."""

    __slots__ = ("end", "is_shared", "keys", "model", "parts")

    def __init__(self, model: Any, keys: list[Any], parts: list[Node], end: int = -1) -> None:
        self.model, self.keys, self.parts, self.end = model, keys, parts, end
        self.is_shared = False

    def named_parts(self) -> list[tuple[str, Node]]:
        """The parts, with what they are called in a path."""
        return list(zip(names_of(self.model, self.keys), self.parts, strict=True))


class Structure:
    """The nodes of a model, and its ends: the leaves (numbers and arrays), and what is neither a leaf nor has parts.

    Buffers are leaves that nothing trains. What stands at several places as one object is one node: an end of it is
    there once.
    """

    def __init__(self, model: Any, is_leaf: IsLeaf | None) -> None:
        if is_leaf is not None:
            check_function(is_leaf, "is_leaf")
        self.is_leaf = is_leaf
        self.ends: list[Any] = []
        self.are_leaves: list[bool] = []
        self.are_buffers: list[bool] = []
        self.root = _Reader(self, is_leaf).read(model)

    def places(self) -> list[list[str]]:
        """For each end the paths of its places, the first one first.

        >>> w = [1.0]
        >>> structure_of({"a": w, "b": {"c": w}}).places()
        [['a.0', 'b.c.0']]
        """
        found: list[list[str]] = [[] for _ in self.ends]
        for path, node in walk(self.root):
            if node.end >= 0:
                found[node.end].append(".".join(path))
        return found

    def paths(self) -> list[str]:
        """For each end the path of its first place."""
        found = [""] * len(self.ends)
        _name(self.root, "", found, set())
        return found

    def apart(self) -> Structure:
        """The same in which each place is a node of its own, also where several have the very same object.

        >>> w = [1.0]
        >>> structure_of({"a": w, "b": w}).apart().paths()
        ['a.0', 'b.0']
        """
        new = copy.copy(self)
        new.ends, new.are_leaves, new.are_buffers = [], [], []
        new.root = self._apart(self.root, new)
        return new

    def _apart(self, node: Node, new: Structure) -> Node:
        if node.end < 0:
            return Node(node.model, node.keys, [self._apart(part, new) for part in node.parts])
        new.ends.append(self.ends[node.end])
        new.are_leaves.append(self.are_leaves[node.end])
        new.are_buffers.append(self.are_buffers[node.end])
        return Node(node.model, [], [], len(new.ends) - 1)


def _name(node: Node, path: str, found: list[str], met: set[int]) -> None:
    """Note the first path of each end at a node."""
    if node.is_shared:
        if id(node) in met:
            return
        met.add(id(node))
    if node.end >= 0:
        found[node.end] = path
    for name, part in node.named_parts():
        _name(part, f"{path}.{name}" if path else name, found, met)


def walk(node: Node, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Node]]:
    """All places of a model, in order."""
    yield path, node
    for name, part in node.named_parts():
        yield from walk(part, (*path, name))


def check_function(f: Any, name: str) -> None:
    """Raise `OptionError` unless an argument of this name can be called."""
    if not callable(f):
        raise OptionError(
            f"`{name}` is no function: {reprlib.repr(f)}",
            "it is called with leaves, or with parts of the model",
            "the function comes first, then the model: `tree_map(f, model)`"
            if name == "f"
            else "give one that says yes or no: `is_leaf=lambda x: isinstance(x, list)`",
            calling_place(),
        )


def structure_of(model: Any, is_leaf: IsLeaf | None = None) -> Structure:
    """The structure of a model, in which what `is_leaf` says is a leaf.

    Raises
    ------
    StructureError
        If something holds itself, or numbers are where none can be replaced: in a set, or in a read-only dict.

    >>> form = structure_of({"w": [1.0, 2.0], "name": "a"})
    >>> form.ends, form.are_leaves, form.paths()
    ([1.0, 2.0, 'a'], [True, True, False], ['w.0', 'w.1', 'name'])
    """
    return Structure(model, is_leaf)


class _Reader:
    """Reads a model into a structure: what has been met, and what the place that is read lies in."""

    def __init__(self, form: Structure, is_leaf: IsLeaf | None) -> None:
        self._form, self._is_leaf = form, is_leaf
        self._met: dict[int, Node] = {}
        self._above: dict[int, str] = {}

    def read(self, model: Any, name: str = "") -> Node:
        if not has_identity(model):
            return self._new(model)
        key = id(model)
        if key in self._above:
            raise self._circular(model, name)
        known = self._met.get(key)
        if known is not None:
            known.is_shared = True
            return known
        self._above[key] = name
        node = self._met[key] = self._new(model)
        del self._above[key]
        return node

    def _new(self, model: Any) -> Node:
        if self._is_leaf is not None and self._is_leaf(model):
            return self._end(model, True)
        parts = parts_of(model)
        if parts is None:
            if (unseen := holds_unseen(model)) is not None:
                self._check_unseen(model, unseen)
            return self._end(model, is_number(model))
        marks = marks_in(model)
        if unknown := unknown_lists(model, marks, parts):
            raise _not_there(model, parts, *unknown[0])
        static, still = marks.static, marks.buffers
        nodes = [
            self._end(part, False) if key in static else (self._buffer if key in still else self.read)(part, key)
            for key, part in parts.items()
        ]
        return Node(model, [*parts], nodes)

    def _buffer(self, model: Any, name: str) -> Node:
        """Read a part of which nothing is a parameter, but for what is one at a place before."""
        known = len(self._form.ends)
        node = self.read(model, name)
        flags = self._form.are_buffers
        flags[known:] = [True] * (len(flags) - known)
        return node

    def _check_unseen(self, model: Any, items: list[Any]) -> None:
        """Raise for a container that holds parameters which could not be replaced; integers in one are none."""
        found = Structure(None, None)
        within = _Reader(found, self._is_leaf)
        within._above = {**self._above}
        within.read(items)
        if not any([is_one and is_parameter(x) for x, is_one in zip(found.ends, found.are_leaves, strict=True)]):
            return
        path = ".".join([str(key) for key in self._above.values()][1:])
        raise StructureError(
            f"a {type(model).__name__} of the model holds parameters" + (f" at `{path}`" if path else ""),
            "what is in a set has no path, and a read-only dict shows what another one holds",
            f"use a list, a tuple or a dict; or let that be static: {HOW_STATIC}",
            calling_place(),
        )

    def _end(self, model: Any, is_leaf: bool) -> Node:
        self._form.ends.append(model)
        self._form.are_leaves.append(is_leaf)
        self._form.are_buffers.append(False)
        return Node(model, [], [], len(self._form.ends) - 1)

    def _circular(self, model: Any, name: str) -> StructureError:
        path = ".".join([str(key) for key in [*self._above.values(), name][1:]])
        return StructureError(
            f"a {type(model).__name__} of the model holds itself at `{path}`, so that it cannot be mapped over",
            "a model is a tree in which parts may be shared, and this one has no end",
            f"let that be static: {HOW_STATIC}",
            calling_place(),
        )


def _not_there(model: Any, parts: dict[Any, Any], attribute: str, name: str) -> StructureError:
    near = difflib.get_close_matches(name, [str(key) for key in parts], 1)
    return StructureError(
        f"`{attribute}` of {type(model).__name__} names `{name}`, which this {type(model).__name__} has not",
        "it lists fields of the objects" + (f"; near is `{near[0]}`" if near else ""),
        f"let `{attribute}` name fields that each object has (`None` where there is nothing)",
        calling_place(),
    )


non_differentiable(structure_of, check_function)
