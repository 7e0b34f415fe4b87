"""The types of results: of calls of known functions, from the types of their arguments."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from ..ir.exceptions import give_up
from ..ir.nodes import Atom, Const, Function, Var
from ..ir.operations import zeros_of
from ..ir.types import BOTTOM, UNKNOWN, Bottom, Known, Tuple, Type
from ..ops import UNSEEN, Given, Parameters, find_op, parameters_of, type_given
from ..ops.arithmetic import is_number
from ..ops.words import WORDS
from .facts import is_active
from .infer import representative, type_of
from .uses import calls_any


def given_by(function: Function, needs: Sequence[bool]) -> tuple[Type, bool]:
    """The type of what a typed function gives, and whether a derivative flows to it. Where it gives a run up, nobody
    knows: a plain call that gives nothing else would lose what is computed there."""
    t, active = type_of(function.result), is_active(function.result)
    chosen = not active and any(needs) and isinstance(function.result, Var)  # a constant is given in any case
    unknown = chosen and calls_any(function.body.statements, (give_up,))
    return (UNKNOWN, True) if unknown else (t, active)


def result_type(
    fn: Any, args: Sequence[Atom], kwargs: Sequence[tuple[str | None, Atom]] = (), rules: Any = None
) -> Type:
    """The type of `fn(*args, **kwargs)` for a known function, as its operation says; or else its `rules`.

    >>> import numpy as np
    >>> result_type(np.zeros, [Const(3)], [("dtype", Const(np.float32))])
    Array(kind='f', dtype='float32', ndim=1, scalar=False)
    """
    atoms = [*args, *(v for _, v in kwargs)]
    types = tuple([type_of(a) for a in atoms])
    if any([isinstance(t, Bottom) for t in types]):
        return BOTTOM
    names = tuple([name for name, _ in kwargs])
    if None in names:
        return UNKNOWN
    row = find_op(fn)
    if row is not None and isinstance(row.result, Type):
        return row.result
    values = tuple(map(value_of, atoms, types))
    if row is not None and row.result is not None:
        parameters = functools.partial(parameters_of, fn, row)
        return type_given(row.result, Given(types, values, names, fn, parameters))  # type: ignore[arg-type]
    return UNKNOWN if rules is None else _by_rules(rules, Given(types, values, names))  # type: ignore[arg-type]


def value_of(atom: Atom, t: Type) -> Any:
    """The value of an atom, if that is known."""
    return atom.value if isinstance(atom, Const) else t.value if isinstance(t, Known) else UNSEEN


def _by_rules(rules: Any, given: Given) -> Type:
    """The type of what the rules of a function say in words."""
    if not rules.differentiable:
        return type_given(WORDS.get(rules.returns), given)
    classes = tuple([representative(t) for t in given.by_place])
    method = rules.select(classes) if None not in classes else None
    if method is None:
        return UNKNOWN
    return type_given(WORDS.get(method.returns), given._replace(parameters=lambda: Parameters(method.names)))


def pushed_type(args: Sequence[Atom]) -> Type:
    """The type of `pushforward(f, args, dots)`, of a known function that gives a number or an array."""
    f, given = args[0], type_of(args[1])
    if len(args) != 3 or not isinstance(f, Const) or not isinstance(given, Tuple):
        return UNKNOWN
    t = result_type(f.value, [Var("", item) for item in given.items])
    return Tuple((t, zeros_of(t))) if is_number(t) and t.differentiable else UNKNOWN
