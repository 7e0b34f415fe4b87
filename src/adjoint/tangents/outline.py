"""The outline of a cotangent: where it has something, and what of another one lies there.

To None nothing may flow: a recorded program writes nothing down where it assigns None, so that a cotangent of it would
wait in the variable for what that stood for before.
"""

from __future__ import annotations

from typing import Any

from .structural import Tangent, class_of, fields_of
from .tuples import tuple_like


def outline(d: Any) -> Any:
    """The outline of a cotangent: None for None, True for a number or an array, containers of these.

    >>> outline((2.0, None))
    (True, None)
    """
    if d is None:
        return None
    if isinstance(d, list):
        return [outline(item) for item in d]
    if isinstance(d, tuple):
        return tuple([outline(item) for item in d])
    if isinstance(d, dict):
        return {key: outline(item) for key, item in d.items()}
    if isinstance(d, Tangent):
        return Tangent(class_of(d), {name: outline(item) for name, item in fields_of(d).items()})
    return True


def within(d: Any, of: Any) -> Any:
    """The part of `d` that lies within an outline: nothing flows to what was None, nor to a list from items that came
    later.

    >>> within((3.0, 4.0), (True, None))
    (3.0, None)
    """
    if d is None or of is None:
        return None
    if isinstance(d, list) and isinstance(of, list):
        return [within(x, y) for x, y in zip(d, of, strict=False)]
    if isinstance(d, tuple) and isinstance(of, tuple):
        items = [within(x, y) for x, y in zip(d, of, strict=False)]
        return tuple_like(type(d), items)
    if isinstance(d, dict) and isinstance(of, dict):
        return {key: within(item, of.get(key)) for key, item in d.items()}
    if isinstance(d, Tangent) and isinstance(of, Tangent):
        known = fields_of(of)
        return Tangent(class_of(d), {name: within(item, known.get(name)) for name, item in fields_of(d).items()})
    return d
