"""The caches of generated programs: how much they hold, and how to empty them."""

from __future__ import annotations

import sys
from typing import NamedTuple

from .codegen.load import forget_texts
from .derivatives.choice import forget
from .runtime import tables
from .runtime.spec import LOCK


class CacheInfo(NamedTuple):
    """Codes that have rules; rules that exist, and the lines of their source; rules generated since the start.

    Attributes
    ----------
    codes : the number of functions that have generated rules.
    rules : the number of these rules.
    lines : the lines of their source.
    generated : the number of rules generated since the start, with those that are forgotten.

    Examples
    --------
    >>> cache_clear()
    >>> cache_info()._replace(generated=0)
    CacheInfo(codes=0, rules=0, lines=0, generated=0)
    """

    codes: int
    rules: int
    lines: int
    generated: int


def cache_info() -> CacheInfo:
    """Count functions with generated rules, these rules and their lines, and all rules ever generated.

    Returns
    -------
    A `CacheInfo`, a named tuple of numbers.

    Examples
    --------
    >>> from adjoint import gradient
    >>> before = cache_info().generated
    >>> for _ in range(10): _ = gradient(lambda x: x * x, 3.0)
    >>> cache_info().generated - before
    1
    """
    with LOCK:
        entries = [e for table in tables.TABLES.values() for known in table.entries.values() for e in known]
        lines = sum(len(spec.text.splitlines()) for _, spec in entries)
        return CacheInfo(len(tables.TABLES), len(entries), lines, tables.STATISTICS["generated"])


def cache_clear() -> None:
    """Forget all generated rules, and the programs of what was recorded.

    Examples
    --------
    >>> cache_clear()
    >>> cache_info().rules
    0
    """
    with LOCK:
        tables.TABLES.clear()
        forget_texts()
    forget()
    if (recording := sys.modules.get(f"{__package__}.recording.program")) is not None:
        recording.forget()
