"""Code that the source does not show: `eval`, `locals`, and `exec` but for what only defines functions."""

from __future__ import annotations

import dis
import types
from typing import Any

from .base import Record, Result, handles, nothing
from .native import hidden


@handles(eval, locals, globals)
def _hidden(record: Record, k: int, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Result:
    raise hidden(f)


@handles(exec)
def _exec(record: Record, k: int, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Result:
    """Decorators write their wrappers so: nothing moves when a function is defined under a name that is new."""
    if kwargs or len(args) < 2 or not _only_defines(args[0], *args[1:]):
        raise hidden(f)
    return f(*args), nothing


def _only_defines(code: Any, *namespaces: Any) -> bool:
    """Tell whether running code makes functions without defaults, and does nothing else."""
    if not isinstance(code, types.CodeType) or not all([type(names) is dict for names in namespaces]):
        return False
    steps = [*dis.get_instructions(code)]
    bound = {s.argval for s in steps if s.opname == "STORE_NAME"}
    return {s.opname for s in steps} <= _DEFINING and not any([bound & names.keys() for names in namespaces])


_DEFINING = frozenset(
    ["CACHE", "RESUME", "NOP", "LOAD_CONST", "MAKE_FUNCTION", "STORE_NAME", "RETURN_VALUE", "RETURN_CONST"]
    + ["IMPORT_NAME", "LOAD_SMALL_INT"]
)
