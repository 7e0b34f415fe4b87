"""Handing cotangents to the user along the types of the values: `release`, printed for values of which all is known."""

from __future__ import annotations

import functools
from collections.abc import Callable
from itertools import chain
from typing import Any

import numpy as np

from ..ir.types import FLOAT, NONE, Array, Dict, Inert, Keyed, List, Located, Scalar, Tuple, Type
from ..runtime.conditions import Guard
from ..spelling import quoted
from ..tangents import release
from ..tangents.floats import is_of_floats


def is_closed(t: Type) -> bool:
    """Tell whether a type tells of all that a value holds that it is a number, an array, a text or None."""
    if isinstance(t, Tuple):
        return all(map(is_closed, t.items))
    if isinstance(t, Keyed):
        return all([is_closed(u) for _, u in t.entries])
    if isinstance(t, (List, Located)):
        return is_closed(t.item if isinstance(t, List) else t.of)
    if isinstance(t, Array):
        return t.kind in "biufc"
    return isinstance(t, Scalar) or t == NONE or isinstance(t, Inert) and t.cls in (str, bytes, range)


def is_walked(t: Type) -> bool:
    """Tell whether a type tells the same but for the keys of a dict."""
    return is_closed(t) or type(t) is Dict and is_closed(t.item)


def fitting(name: Callable[[Any], str], d: str, x: str, t: Type) -> str | None:
    """The expression for whether `d` is a tangent of the value `x` of a type, in the same precision; None where it is
    not made of floats, of arrays of floats and of containers of these."""
    if isinstance(t, Scalar):
        return f"type({d}) is float" if t.kind == "float" else None
    if isinstance(t, Array) and t.kind == "f":
        return f"(type({d}) is {name(np.ndarray)} and {d}.dtype is {x}.dtype and {d}.shape == {x}.shape)"
    if isinstance(t, Tuple):
        same = f"type({d}) is {name(t.cls)} and len({d}) == {len(t.items)}"
        parts = [fitting(name, f"{d}[{i}]", f"{x}[{i}]", u) for i, u in enumerate(t.items)]
    elif isinstance(t, Keyed):
        same = f"type({d}) is dict and [*{d}] == [*{x}]"
        parts = [fitting(name, f"{d}[{quoted(key)}]", f"{x}[{quoted(key)}]", u) for key, u in t.entries]
    elif isinstance(t, List):
        same = f"type({d}) is list and len({d}) == len({x})"
        item = fitting(name, "d", "x", t.item)
        parts = [item and f"all([{item} for d, x in zip({d}, {x})])"]
    else:
        return None
    return None if None in parts else f"({' and '.join([same, *map(str, parts)])})"


def handed(name: Callable[[Any], str], d: str, x: str, t: Type, zeros: bool = True) -> str:
    """The expression for what `release` gives for the cotangent `d` of the value `x` of a type. Objects go by the name
    that `name` gives them; the arrays that have been handed over are in `taken`."""
    rest = "taken" if zeros else "taken, False"
    if isinstance(t, Scalar) and t.kind != "complex":
        same = f"v if type(v := {d}) is float" + ("" if zeros else " or v is None")
        ours = f"float(v) if type(v) is {name(np.float64)} else " if t.kind in ("float", "int") else ""
        return f"({same} else {ours}{name(release)}(v, {x}, {rest}))"
    if isinstance(t, Keyed | List) or isinstance(t, Tuple) and t.cls is tuple or isinstance(t, Dict) and is_walked(t):
        return f"{name(_walk_of(t, zeros))}({d}, {x}, taken)"
    return f"{name(release)}({d}, {x}, {rest})"


@functools.lru_cache(maxsize=512)
def hand_of(types: tuple[Type, ...]) -> Any:
    """The function that hands over the cotangents of a function and of arguments of these types, of which nothing is
    made where nothing has come; None where a pullback sees to that as quickly."""
    if not all(map(is_walked, types)) or len(types) < _FEW and all([isinstance(t, Scalar) for t in types]):
        return None
    made = Guard()
    name = made.name
    given = [f"None if d[0] is None else {name(release)}(d[0], x[0], taken, False)"]
    given += [handed(name, f"d[{i}]", f"x[{i}]", t, False) for i, t in enumerate(types, 1)]
    lines = ["def hand(d, x, y_bar):", f"    taken = {name(arrays_of)}(y_bar)", f"    return ({', '.join(given)})"]
    return made.define("hand", lines)


_FEW = 3
"""The number of arguments from which on it does."""


def arrays_of(d: Any) -> dict[int, Any]:
    """The arrays in a cotangent, or in a value, which may hold itself, by id."""
    if type(d) is float or type(d) is np.float64 or d is None:
        return {}
    if isinstance(d, np.ndarray):
        return {id(d): d}
    found, todo, seen = dict[int, Any](), [d], set[int]()
    while todo:
        item = todo.pop()
        if isinstance(item, np.ndarray):
            found[id(item)] = item
        elif isinstance(item, (tuple, list, dict)) and id(item) not in seen and not is_of_floats(item):
            seen.add(id(item))
            todo += item.values() if isinstance(item, dict) else item
    return found


def _are_rows(d: Any, x: Any) -> bool:
    """Tell whether something is a list of lists of floats, in the form of another one."""
    if type(d) is not list or set(map(type, d)) != {list} or [*map(len, d)] != [*map(len, x)]:
        return False
    return set(map(type, chain.from_iterable(d))) == {float}


_FLOAT_OR_NONE = frozenset([float, type(None)])


@functools.lru_cache(maxsize=512)
def _walk_of(t: Tuple | List | Dict, zeros: bool) -> Any:
    """`release` for containers of one type; what has another form goes the general way."""
    made = Guard()
    name = made.name
    quick: list[str] = []
    if t == List(FLOAT):
        floats = "{*map(type, d)} == {float}" if zeros else f"{name(_FLOAT_OR_NONE)}.issuperset(map(type, d))"
        quick = [f"    if type(d) is list and len(d) == len(x) and {floats}:", "        return d[:]"]
    elif t == List(List(FLOAT)):
        quick = [f"    if {name(_are_rows)}(d, x):", "        return [row[:] for row in d]"]
    elif t == Dict(FLOAT):
        classes = name(frozenset([float]) if zeros else _FLOAT_OR_NONE)
        quick = [f"    if type(d) is dict and {classes}.issuperset(map(type, v := [*map(d.get, x)])):"]
        quick += ["        return dict(zip(x, v))"]
    if isinstance(t, List):
        form = "type(d) is list and len(d) == len(x)"
        result = f"[{handed(name, 'a', 'b', t.item, zeros)} for a, b in zip(d, x)]"
    elif isinstance(t, Keyed):
        keys = [quoted(key) for key, _ in t.entries]
        form = f"type(d) is dict and [*x] == [{', '.join(keys)}]"
        items = [
            f"{key}: {handed(name, f'd.get({key})', f'x[{key}]', u, zeros)}"
            for key, (_, u) in zip(keys, t.entries, strict=True)
        ]
        result = f"{{{', '.join(items)}}}"
    elif isinstance(t, Dict):
        form = "type(d) is dict"
        result = f"{{k: {handed(name, 'd.get(k)', 'b', t.item, zeros)} for k, b in x.items()}}"
    else:
        form = f"type(d) is tuple and len(d) == {len(t.items)}"
        parts = [handed(name, f"d[{i}]", f"x[{i}]", u, zeros) for i, u in enumerate(t.items)]
        result = "(" + "".join([f"{part}, " for part in parts]) + ")"
    lines = [
        "def walk(d, x, taken):",
        *quick,
        f"    if {form}:",
        f"        return {result}",
        f"    return {name(release)}(d, x, taken, {zeros})",
    ]
    return made.define("walk", lines)
