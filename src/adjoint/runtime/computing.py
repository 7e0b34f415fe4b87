"""Functions that are called plainly and only compute: it is known what they give, and they may be called twice."""

from __future__ import annotations

import inspect
from collections.abc import Container

from ..ir.nodes import Block, Call, Const, If, Star, Statement
from ..ir.types import Record
from ..origin import is_users_class
from ..rules.registry import find_rules
from ..transforms.effects import is_data
from ..transforms.facts import Callee, Dynamic
from ..transforms.infer import type_of
from .acting import Reading, effects_of, is_plain_data, is_read, statements_of
from .implicit_calls import acts_in_making

STARS = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS
"""Flags of code whose arguments are put into a tuple or a dict: `h(a, b)` is read as `h((a, b))` is."""


def only_computes(block: Block, computing: Container[Reading] = ()) -> bool:
    """Tell whether a function that is called plainly surely does nothing else: it applies rules to numbers, arrays and
    texts, makes objects and reads their fields, calls what is `computing` itself, and runs no code that only its
    arguments know.

    >>> from adjoint.frontend import lower_code
    >>> only_computes(lower_code((lambda n: 0.0).__code__, {}).body)
    True
    """
    return all([_computes(s, computing) for s in statements_of(block)])


def _computes(s: Statement, computing: Container[Reading]) -> bool:
    if isinstance(s, If):
        return is_plain_data(type_of(s.cond))
    if not isinstance(s, Call) or not isinstance(s.fn, Const) or isinstance(s.how, (Dynamic, Callee)):
        return False
    f, given = s.fn.value, (*s.args, *(v for _, v in s.kwargs))
    if any([isinstance(a, Star) for a in given]):
        return False
    if f is getattr and isinstance(t := type_of(given[0]), Record):  # type: ignore[arg-type]
        return isinstance(s.args[1], Const) and is_data(t.cls, s.args[1].value)
    rules = find_rules(f)
    if isinstance(f, type) and rules is None:
        return is_users_class(f) and not acts_in_making(f)
    if is_read(s, f, computing):
        return True
    data = all([is_plain_data(type_of(a)) for a in given])  # type: ignore[arg-type]
    return data and rules is not None and not rules.is_users and not effects_of(f)[0]
