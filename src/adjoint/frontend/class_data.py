"""Dataclasses made inside a function: their fields, and the methods that Python writes for these."""

from __future__ import annotations

import ast
import dataclasses
import itertools
import linecache
import sys
from collections.abc import Sequence
from types import CodeType
from typing import Any

from ..identity import IdentityMap
from ..ir.made_classes import MADE_BY, hidden
from .acting import resolve
from .builder import Builder

POST_INIT = "__post_init__"
_OTHERS = ("ClassVar", "InitVar", "KW_ONLY")
_CODES: IdentityMap[dict[str, CodeType]] = IdentityMap()
"""The code of the methods, by that of the statement."""
_numbers = itertools.count(1)


def is_dataclass(b: Builder, decorators: Sequence[ast.expr]) -> bool:
    """Tell whether a class has the decorator `dataclass`, without options, and no other."""
    match decorators:
        case [ast.Call(func=decorator, args=[], keywords=[]) | decorator]:
            return resolve(b, decorator) is dataclasses.dataclass
    return False


def is_field(s: ast.AnnAssign) -> bool:
    """Tell whether an annotated name is a field of which the default, if any, is a constant."""
    named = {getattr(n, "id", getattr(n, "attr", None)) for n in ast.walk(s.annotation)}
    written = any([isinstance(n, ast.Constant) and isinstance(n.value, str) for n in ast.walk(s.annotation)])
    constant = s.value is None or isinstance(s.value, ast.Constant) and not isinstance(s.value.value, str | bytes)
    return constant and not written and named.isdisjoint(_OTHERS)


def methods(code: CodeType, fields: dict[str, ast.expr | None], post_init: bool) -> dict[str, CodeType]:
    """The code of `__init__` and `__eq__` of a class of these fields, with their defaults."""
    found = _CODES.get(code)
    if found is None:
        found = _CODES[code] = _written(code, fields, post_init)
    return found


def _written(code: CodeType, fields: dict[str, ast.expr | None], post_init: bool) -> dict[str, CodeType]:
    parameters = "".join([f", {name}{'' if value is None else '=None'}" for name, value in fields.items()])
    stores = [f"    self.{name} = {name}" for name in fields]
    stores += [f"    self.{MADE_BY}.{hidden(POST_INIT)}(self)"] if post_init else []
    if sys.version_info >= (3, 13):
        equal = " and ".join([f"self.{name} == other.{name}" for name in fields]) or "True"
    else:
        equal = " == ".join(["(" + "".join([f"{x}.{name}, " for name in fields]) + ")" for x in ("self", "other")])
    text = [f"def __init__(self{parameters}):", *(stores or ["    pass"]), "def __eq__(self, other):"]
    text += ["    if other.__class__ is self.__class__:", f"        return {equal}", "    return NotImplemented"]
    filename = f"<dataclass {code.co_qualname} {next(_numbers)}>"
    whole = "\n".join(text) + "\n"
    linecache.cache[filename] = (len(whole), None, whole.splitlines(True), filename)
    made: dict[str, Any] = {}
    exec(compile(whole, filename, "exec", dont_inherit=True), made)
    return {
        name: made[name].__code__.replace(co_qualname=f"{code.co_qualname}.{name}") for name in ("__init__", "__eq__")
    }
