"""A call as a program of its own, `f(a, b, key=k)`: what it means is then resolved from its types, as in any program.

So are gradients of gradients made, and the derivatives of calls that were met at run time.
"""

from __future__ import annotations

import functools
import itertools
import linecache
import types
from typing import Any

from ..cells import captured_by
from ..ir.types import Known, Type
from ..rules.found_by import is_by_identity
from ..spelling import keyword_argument
from .spec import SPECIAL, Spec, waits
from .tables import WHOLE, Needs, Values, generate, table_of
from .typeof import MAX_TUPLE, is_nested, typeof

_numbers = itertools.count(1)


def make_program_of_call(n: int, keywords: tuple[str, ...]) -> types.FunctionType:
    """The program `f(*args, **kwargs)`, with so many arguments by position and these by name; `f` is the first one."""
    names = [*(f"a{i}" for i in range(n)), *(f"k{i}" for i in range(len(keywords)))]
    given = [*names[:n], *map(keyword_argument, keywords, names[n:])]
    text = f"def call({', '.join(['f', *names])}):\n    return f({', '.join(given)})\n"
    filename = f"<adjoint program of a call {next(_numbers)}>"  # no name of generated code
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    scope: dict[str, Any] = {"__name__": __name__}
    exec(compile(text, filename, "exec", dont_inherit=True), scope)
    call: types.FunctionType = scope["call"]
    return call


program_of_call = functools.lru_cache(maxsize=256)(make_program_of_call)
"""The same, made once for all functions."""


def spec_of_call(
    f: Any, args: Values, kwargs: dict[str, Any], needs: Needs = None, whole: bool = False
) -> tuple[Spec, Values]:
    """The rule of the program `f(*args, **kwargs)`, and what it is called with; `needs` has one flag for `f` first."""
    values = (f, *args, *kwargs.values())
    program = program_of_call(len(args), tuple(kwargs))
    table = table_of(program)
    own = None if needs is None else (False, *needs)
    key = (WHOLE if whole else "call", own, *map(_kind, values))
    for guard, spec in table.entries.get(key, ()):
        if guard(program, *values):
            return spec, values
    return generate(program, table, values, own, key, tuple(map(_type, values))), values


def is_resolved(spec: Spec) -> bool:
    """Tell whether nothing in the program is left to be found when it runs."""
    return spec.primal is not None and not waits(spec.primal.body)


def _kind(value: Any, depth: int = 3) -> Any:
    """Keys by which programs are kept: functions by their code, tuples by what they hold, and what stands for
    itself."""
    if _is_name(value):
        return value
    if type(value) is types.FunctionType:
        held = captured_by(value).values() if depth else ()
        return value.__code__, *[_kind(v, depth - 1) for v in held if isinstance(v, (types.FunctionType, tuple))]
    if isinstance(value, tuple) and depth and len(value) <= MAX_TUPLE:
        return type(value), *[_kind(v, depth - 1) for v in value]
    if is_nested(value):  # the program of one that is no more than an object calls any
        return type(value), _kind(value._f, depth)
    return type(value)


def _type(value: Any) -> Type:
    return Known(value) if _is_name(value) else typeof(value)


def _is_name(value: Any) -> bool:
    """Names, and what a name usually stands for, are constants of their program."""
    if type(value) is types.FunctionType:
        return value in SPECIAL
    if isinstance(value, str):
        return True
    owner = None if isinstance(value, type) else getattr(value, "__self__", None)
    return is_by_identity(value) and isinstance(owner, types.ModuleType | type | None)
