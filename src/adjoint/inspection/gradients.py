"""The programs of a gradient as text: what its call runs, and the derivative of that."""

from __future__ import annotations

from typing import Any

from ..classify import kind_of
from ..runtime import tables
from ..runtime.argnums import place_of
from ..runtime.called import are_types, function_of_call
from ..runtime.spec import Spec
from ..shown import names_explained, text_of, text_of_gradient, texts_called
from ..spelling import said
from .recorded import text_recorded
from .specs import shown_spec, spec_or_reason


def text_of_gradient_call(g: Any, spec: Spec | str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    """The text of the program that a gradient runs, and of its derivative, or why that is recorded."""
    if isinstance(spec, str):
        recorded = said(f"The derivative of this gradient is recorded as it runs: {spec}")
        return f"{_what_runs(g, args, kwargs)}\n\n# {recorded}\n"
    text = text_of(spec)
    called = texts_called(spec, text, "\n\n# The derivative of `{}`, which it calls:\n")
    whole = f"{_what_runs(g, args, kwargs)}\n\n# The derivative of this gradient:\n{text}{called}"
    return whole + names_explained(whole)


def _what_runs(g: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    """The program that a gradient runs: one that gives it at once, or the rule of the function, called with 1."""
    f, wanted, _, _ = type(g).__adjoint_gradient__(g)
    function, spec = shown_spec(f, args, kwargs)
    if isinstance(spec, str):
        return text_recorded(function, spec)
    of_gradient = kind_of(f) == "gradient"
    table = tables.table_of(function)
    plain = of_gradient or function is f and table.simple and len(args) == table.n
    if not plain or kwargs or not wanted or spec.writes or table.shares is not None:
        return f"# The derivative of `{function.__name__}`, whose `back` the gradient calls with 1:\n{text_of(spec)}"
    numbers = (0.0,) * len(args)  # types may stand for arguments
    places = [place_of(f, which, numbers, {}) + of_gradient for which in wanted]
    _, flat, _ = function_of_call(f, args, kwargs)
    if are_types(args, kwargs):
        found = spec_or_reason(function, flat, {}, False, places)
        assert isinstance(found, Spec)  # with fewer cotangents, as with all
    else:
        needs = (False, *(i in places for i in range(len(flat))))
        found = tables.find_spec(function, table, flat, needs)
    text = text_of_gradient(found)
    called = texts_called(found, text, "\n\n# The derivative of `{}`, which it calls:\n") if of_gradient else ""
    return f"# The gradient, which the call runs:\n{text}{called}"
