"""Objects that a typed program reads besides its arguments, and may find changed."""

from __future__ import annotations

import types
from typing import Any

import numpy as np

from ..ir.intrinsics import capture, capture_cell, captured, default, import_from, load_cell, load_global
from ..ir.nodes import Block, Call, Const, blocks_of
from ..origin import is_ours
from ..rules.registry import find_rules
from ..transforms.infer import is_immutable
from ..transforms.uses import calls_any

_AROUND = (load_global, capture, captured, capture_cell, load_cell, default, import_from)


def looks_around(block: Block, numbers: bool = False, own: Any = None) -> bool:
    """Tell whether a program reads what may change, of globals, modules, captures and defaults, or runs plainly what
    may; with `numbers`, also what names alone can be bound to anew, but for captures of the function `own`."""
    for s in block.statements:
        if any([looks_around(b, numbers, own) for b in blocks_of(s)]):
            return True
        if isinstance(s, Call) and isinstance(s.fn, Const):
            if s.fn.value is capture and s.args[0] is own:
                continue
            f, kept = s.fn.value, not numbers and all([is_immutable(out.type) for out in s.outs])
            of_module = f is getattr and isinstance(s.args[0], Const)
            users = isinstance(f, types.FunctionType) and not is_ours(f.__code__.co_filename) and find_rules(f) is None
            if (of_module or calls_any((s,), _AROUND)) and not kept or users and s.how is None:
                return True
            if any([isinstance(a, Const) and type(a.value) in (memoryview, np.flatiter) for a in s.args]):
                return True
    return False
