"""Imports in a function: of modules that have been loaded, under guards."""

from __future__ import annotations

import importlib.util
import sys
import types
from typing import TYPE_CHECKING

from ..ir.nodes import Atom, Call, Const
from .attributes import Folded, constant_attribute

if TYPE_CHECKING:
    from .resolve import Kwargs, Resolver


def fold_import(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """`import name`: the module, where it has been loaded; it is so under a guard."""
    name, *package = args
    assert isinstance(name, Const)
    full = name.value
    if package:
        known = r.sp.frame.scope.get("__package__")
        if not isinstance(known, str):
            return None
        full = importlib.util.resolve_name(full, known)
    module = sys.modules.get(full)
    if not isinstance(module, types.ModuleType):
        return None
    r.guard(sys.modules, full, module)
    return [Const(module, s.out.name or None)]


def fold_import_from(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """`from module import name`."""
    module, name = args
    assert isinstance(name, Const)
    return constant_attribute(r, s, module, name.value) if isinstance(module, Const) else None
