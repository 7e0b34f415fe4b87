"""Models in which one object stands at several places: two layers that are one, an array that two layers have.

Such an object is one parameter: what its places get adds up, and it is mapped once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from adjoint import Tangent, non_differentiable

Parts = Callable[[Any], dict[Any, Any] | None]


def is_shared(model: Any, parts_of: Parts) -> bool:
    """Whether an array, a list, a dict or a record stands at several places of a model.

    Raises
    ------
    ValueError
        If something holds itself.
    """
    seen: set[int] = set()
    above: set[int] = set()

    def visit(node: Any) -> bool:
        parts = parts_of(node)
        if parts is None and not isinstance(node, np.ndarray):
            return False
        if not _has_identity(node):
            return any([visit(part) for part in (parts or {}).values()])
        if id(node) in above:
            raise ValueError(f"a {type(node).__name__} of the model holds itself, so that it cannot be mapped over")
        if id(node) in seen:
            return True
        seen.add(id(node))
        above.add(id(node))
        found = [visit(part) for part in (parts or {}).values()]
        above.discard(id(node))
        return any(found)

    return visit(model)


def _has_identity(x: Any) -> bool:
    """Whether it matters that two places have the very same: not of numbers, strings and tuples."""
    return not isinstance(x, (tuple, int, float, complex, str, bytes, np.generic, type(None)))


class Totals:
    """What the places of each part of a model hold in other models, or in gradients: of gradients the sum."""

    def __init__(self, parts_of: Parts, part_of: Callable[[Any, Any, Any], Any], n: int) -> None:
        self._parts_of, self._part_of, self._n = parts_of, part_of, n
        self._seen: dict[int, list[list[Any]]] = {}
        self._totals: dict[Any, list[Any]] = {}

    def add(self, node: Any, others: list[Any], key: Any = ()) -> None:
        """Add what a place of a part has in the others."""
        if _has_identity(node):
            key = id(node)
            before = self._seen.setdefault(key, [[] for _ in range(self._n)])
            others = [self._fresh(node, o, known) for o, known in zip(others, before, strict=True)]
        parts = self._parts_of(node)
        if parts is None:
            known = self._totals.setdefault(key, [None] * self._n)
            self._totals[key] = [_sum(a, b) for a, b in zip(known, others, strict=True)]
        for name, part in (parts or {}).items():
            self.add(part, [self._part_of(node, o, name) for o in others], (key, name))

    def at(self, leaf: Any, key: Any) -> list[Any]:
        """What was added for a leaf."""
        return self._totals[id(leaf) if _has_identity(leaf) else key]

    def _fresh(self, node: Any, other: Any, known: list[Any]) -> Any:
        """What another place adds: nothing where it has the very same."""
        if any(other is x for x in known):
            return None
        if known and type(other) is type(node) and not isinstance(node, (np.ndarray, list, dict, Tangent)):
            raise ValueError(f"a {type(node).__name__} is one object in the model, and several in the other")
        known.append(other)
        return other


def _sum(a: Any, b: Any) -> Any:
    return b if a is None else a if b is None else a + b


non_differentiable(is_shared)
