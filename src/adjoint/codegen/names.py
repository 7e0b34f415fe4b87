"""Identifiers and literals: what a value is called in the text, and which names are free."""

from __future__ import annotations

import builtins
import math
import sys
import types
from typing import Any

from ..spelling import Pool, is_name, plain

# How tightly an expression binds, from loosest to tightest, as in the grammar of Python.
TUPLE, TERNARY, OR, AND, NOT, COMPARE, BITOR, BITXOR, BITAND, SHIFT, SUM, PRODUCT, UNARY, POWER, ATOM = range(15)

Text = tuple[str, int]
"""An expression and how tightly it binds."""

_MISSING = object()


def literal(value: Any) -> Text | None:
    """The literal of a value, or None if it has none that is exact.

    >>> literal(1.5), literal(-1), literal((1, "a")), literal(float("inf")), literal(-2j)
    (('1.5', 14), ('-1', 12), ("(1, 'a')", 14), None, ('-2j', 12))
    """
    kind, text = type(value), plain(value)
    if text is not None:
        return text, UNARY if text[0] == "-" else ATOM
    if kind is complex and math.copysign(1.0, value.imag) < 0:
        positive = literal(-value)
        return (f"-{positive[0]}", UNARY) if positive is not None else None
    if kind is complex:
        imaginary = math.isfinite(value.imag) and repr(value.real) == "0.0"
        return (repr(value), ATOM) if imaginary else None
    if kind is tuple and len(value) <= 16:
        items = [literal(item) for item in value]
        texts = [item[0] for item in items if item is not None]
        return (display(texts), ATOM) if len(texts) == len(items) else None
    return None


def display(items: list[str]) -> str:
    """A tuple display.

    >>> display([]), display(["a"]), display(["a", "b"])
    ('()', '(a,)', '(a, b)')
    """
    return f"({items[0]},)" if len(items) == 1 else f"({', '.join(items)})"


def path_root(label: str, value: Any) -> Any:
    """The module from which the dotted `label` leads to `value`, or None.

    >>> path_root("m.sin", math.sin) is math
    True
    >>> path_root("m.sin", math.cos) is None
    True
    """
    root, *rest = label.split(".")
    module = getattr(value, "__module__", None)
    owner = sys.modules.get(module) if isinstance(module, str) else None
    for candidate in (sys.modules.get(root), owner, sys.modules.get("numpy")):
        found: Any = candidate
        for part in rest:
            found = found.__dict__.get(part, _MISSING) if isinstance(found, types.ModuleType) else _MISSING
        if found is value and candidate is not None:
            return candidate
    return None


class Links:
    """The objects that the text refers to by name, each under one identifier that no variable bears.

    >>> links = Links({"sum"})
    >>> links.name(sum), links.name(len), links.name(len)
    ('sum_1', 'len', 'len')
    """

    def __init__(self, taken: set[str]) -> None:
        self.objects: dict[str, Any] = {}
        self._pool = Pool(taken)
        self._names: dict[int, str] = {}

    def name(self, value: Any, hint: str | None = None) -> str:
        """The identifier of an object, new or known."""
        known = self._names.get(id(value))
        if known is not None:
            return known
        name = self._pool.new(hint or _natural_name(value))
        self.objects[name] = value
        self._names[id(value)] = name
        return name

    def spelled(self, value: Any, label: str | None) -> str:
        """The spelling of a constant without a literal: the user's spelling where it leads to the object."""
        if label is None:
            return self.name(value)
        if "." not in label:
            return self.name(value, label)
        parts = label.split(".")
        root = path_root(label, value) if all(map(is_name, parts)) else None
        if root is None:
            return self.name(value, parts[-1])
        return ".".join([self.name(root, parts[0]), *parts[1:]])


def _natural_name(value: Any) -> str:
    """A name for an object without a label."""
    if isinstance(value, float):
        return "nan" if math.isnan(value) else "inf" if math.isinf(value) else "constant"
    name = getattr(value, "__name__", None)
    if isinstance(name, str):
        return name.rpartition(".")[2]
    kind = type(value)
    return "constant" if kind.__module__ == builtins.__name__ else kind.__name__.lower()
