"""The parameters that partials and products read: a pullback keeps the values of these alone."""

from __future__ import annotations

import dis
import functools
import inspect
import types
from typing import Any

_BY_NAME = frozenset(["locals", "vars", "eval", "exec", "dir"])
"""Functions that read variables that the code around their call does not name."""


@functools.lru_cache(maxsize=1000)
def parameters_read(f: Any, n: int) -> tuple[bool, ...]:
    """A flag for each of the `n` positional parameters of a function: it may be read.

    >>> parameters_read(lambda a, b, y: (1.0 / b, -y / b), 3)
    (False, True, True)
    >>> parameters_read(lambda *values: values[0], 3)
    (True, True, True)
    """
    code = f.__code__ if isinstance(f, types.FunctionType) else None
    if code is None or code.co_argcount != n or code.co_flags & inspect.CO_VARARGS or _BY_NAME & {*code.co_names}:
        return (True,) * n
    read = {*code.co_cellvars}
    for step in dis.get_instructions(code):
        if "LOAD_FAST" in step.opname:
            read.update(step.argval if isinstance(step.argval, tuple) else (step.argval,))
    return tuple([name in read for name in code.co_varnames[:n]])


def read_by_either(partials: Any, products: Any, n: int) -> tuple[bool, ...]:
    """The same of `n` operands and the result, of partials and of products by them, if there are any."""
    of_partials = parameters_read(partials, n + 1)
    if products is None:
        return of_partials
    of_products = parameters_read(products, n + 2)[1:]  # the first is ȳ
    return tuple([a or b for a, b in zip(of_partials, of_products, strict=True)])
