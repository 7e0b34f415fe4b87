"""Identifiers and literals: what a value is called in the text, and which names are free."""

from __future__ import annotations

import builtins
import keyword
import math
import re
import sys
import types
from typing import Any

# How tightly an expression binds, from loosest to tightest, as in the grammar of Python.
TUPLE, TERNARY, OR, AND, NOT, COMPARE, BITOR, BITXOR, BITAND, SHIFT, SUM, PRODUCT, UNARY, POWER, ATOM = range(15)

Text = tuple[str, int]
"""An expression and how tightly it binds."""

KEYWORDS = frozenset(keyword.kwlist) | {"__debug__"}
_MISSING = object()


def is_name(text: str) -> bool:
    """Whether `text` can stand in the text as a name.

    >>> is_name("x"), is_name("class"), is_name("<lambda>")
    (True, False, False)
    """
    return text.isidentifier() and text not in KEYWORDS


def identifier(text: str) -> str:
    """A valid identifier that resembles `text`.

    >>> identifier("<lambda>"), identifier("class"), identifier("2d")
    ('lambda_', 'class_', '_2d')
    """
    if is_name(text):
        return text
    text = re.sub(r"\W", "", text) or "value"
    if text[0].isdigit():
        text = "_" + text
    return text if is_name(text) else text + "_" if is_name(text + "_") else "value"


def literal(value: Any) -> Text | None:
    """The literal of a value, or None if it has none that is exact.

    >>> literal(1.5), literal(-1), literal((1, "a")), literal(float("inf"))
    (('1.5', 14), ('-1', 12), ("(1, 'a')", 14), None)
    """
    kind = type(value)
    if value is None or kind in (bool, str, bytes):
        return repr(value), ATOM
    if value is Ellipsis:
        return "...", ATOM
    if kind is int:
        return (repr(value), ATOM if value >= 0 else UNARY) if abs(value) < 10**40 else None
    if kind is float:
        return (repr(value), ATOM if math.copysign(1.0, value) > 0 else UNARY) if math.isfinite(value) else None
    if kind is complex:
        plain = math.isfinite(value.imag) and math.copysign(1.0, value.imag) > 0 and repr(value.real) == "0.0"
        return (repr(value), ATOM) if plain else None
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


def suffixed(base: str, free: Any) -> str:
    """The first of `base`, `base_1`, `base_2`, ... for which `free` holds.

    >>> suffixed("x", lambda name: name not in {"x", "x_1"})
    'x_2'
    """
    name, count = base, 0
    while not free(name):
        count += 1
        name = f"{base}_{count}"
    return name


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
        self._taken = taken
        self._names: dict[int, str] = {}

    def name(self, value: Any, hint: str | None = None) -> str:
        """The identifier of an object, new or known."""
        known = self._names.get(id(value))
        if known is not None:
            return known
        base = identifier(hint or _natural_name(value))
        name = suffixed(base, lambda name: name not in self._taken and name not in self.objects)
        self.objects[name] = value
        self._names[id(value)] = name
        return name

    def spelled(self, value: Any, label: str | None) -> str:
        """How a constant without a literal is written: the user's spelling where it leads to the object."""
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
