"""Printed forms of particular functions: text, order of evaluation, and what they may be moved past.

New printed forms are given in one place with `syntax` (an expression) and `statement` (a store or a jump).
"""

from __future__ import annotations

import collections
import operator
import types
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..ir.nodes import Atom, Call, Const, Star, Undef, Var
from ..ir.types import Array, Default, Dict, Inert, Known, List, Scalar, Tuple
from ..origin import module_of

if TYPE_CHECKING:
    from .expressions import Printer
    from .names import Text

FREE, READ, EFFECT = range(3)
"""The levels of what a computation may be moved past: anything; anything but an effect; only what is free."""


@dataclass(frozen=True, slots=True)
class Form:
    """The knowledge of one function: `expression` and `statement` print a call of it (None from them: as a plain call),
    `order` is the order in which the text reads the arguments, `level` what a call may be moved past (None: by types),
    `same` says that the last out is the first argument itself, `augmented` that the text reads a part of the first
    argument before it evaluates the last: what that does must be done before."""

    expression: Callable[[Printer, Call], Text | None] | None = None
    statement: Callable[[Printer, Call], str | None] | None = None
    order: tuple[int, ...] | None = None
    level: int | None = EFFECT
    same: bool = False
    augmented: bool = False


_FORMS: dict[int, Form] = {}
_NAMED: dict[str, dict[str, Form]] = {}
"""By the name of the function, then by that of its package."""
_FOUND: dict[Any, Form] = {}
"""Those of functions that have been met."""


def _register(function: Any, form: Form) -> None:
    if isinstance(function, str):
        package, _, name = function.rpartition(".")
        _NAMED.setdefault(name, {})[package] = form
    else:
        _FORMS[id(function)] = form


def syntax(
    *functions: Any, order: tuple[int, ...] | None = None, level: int | None = EFFECT, same: bool = False
) -> Callable[[Callable[[Printer, Call], Text | None]], Callable[[Printer, Call], Text | None]]:
    """Register how calls of `functions` are printed as an expression.

    Functions of other packages of `adjoint` are named by a string, "adjoint.tangents.accumulate": the package's first
    two parts and the function's name. The printer gets the `Printer` and the `Call`; None from it means a plain call.
    """

    def register(printer: Callable[[Printer, Call], Text | None]) -> Callable[[Printer, Call], Text | None]:
        for function in functions:
            _register(function, Form(expression=printer, order=order, level=level, same=same))
        return printer

    return register


def statement(
    *functions: Any, order: tuple[int, ...] | None = None, same: bool = False, augmented: bool = False
) -> Callable[[Callable[[Printer, Call], str | None]], Callable[[Printer, Call], str | None]]:
    """Register how calls of `functions` are printed as a statement.

    `same`: the last out is the first argument itself. None from the printer means a plain call.
    """

    def register(printer: Callable[[Printer, Call], str | None]) -> Callable[[Printer, Call], str | None]:
        for function in functions:
            _register(function, Form(statement=printer, order=order, same=same, augmented=augmented))
        return printer

    return register


def form_of(fn: Atom) -> Form | None:
    """The form of the function that is called."""
    if not isinstance(fn, Const):
        return None
    value = fn.value
    form = _FORMS.get(id(value))
    if form is None and type(value) is types.FunctionType and value.__name__ in _NAMED:
        form = _FOUND.get(value)
        if form is None:
            packages = str(value.__module__).split(".")[:2]
            form = _NAMED[value.__name__].get(".".join(packages))
            if form is not None:
                _FOUND[value] = form
    return form


def is_call_of(call: Any, function: Any) -> bool:
    """Tell whether a statement is a call of this function."""
    return isinstance(call, Call) and isinstance(call.fn, Const) and call.fn.value is function


def operands(call: Call) -> list[Atom]:
    """The atoms of a call in the order in which its text reads them."""
    form = form_of(call.fn)
    if form is not None and form.order is not None and not call.kwargs and len(form.order) == len(call.args):
        args = [call.args[i] for i in form.order]
    else:
        args = list(call.args)
    atoms: list[Atom] = [] if isinstance(call.fn, Const) else [call.fn]
    atoms += [arg.value if isinstance(arg, Star) else arg for arg in args]
    atoms += [value for _, value in call.kwargs]
    return atoms


INPLACE = {
    operator.iadd: "+",
    operator.isub: "-",
    operator.imul: "*",
    operator.itruediv: "/",
    operator.ifloordiv: "//",
    operator.imod: "%",
    operator.imatmul: "@",
    operator.ipow: "**",
    operator.iand: "&",
    operator.ior: "|",
    operator.ixor: "^",
    operator.ilshift: "<<",
    operator.irshift: ">>",
}

_INPLACE_BY_ID = {id(function): symbol for function, symbol in INPLACE.items()}


def constant(atom: Any) -> Any:
    """The value of an atom that must be a constant."""
    assert isinstance(atom, Const)
    return atom.value


def inplace_operator(call: Any) -> str:
    """The operator of `x op= y`, or "" for any other statement."""
    return _INPLACE_BY_ID.get(id(call.fn.value), "") if isinstance(call, Call) and isinstance(call.fn, Const) else ""


_TYPED_BUILTINS = frozenset(
    id(function)
    for function in (len, range, reversed, enumerate, zip, abs, min, max, sum, float, int, bool, complex, round, divmod)
)


_TANGENTS = {
    *("accumulate", "apply_partial", "densify", "field_bar", "item_bar"),
    *("one_like", "instantiate_zeros", "project", "unbroadcast", "zeros_like"),
}
"""Functions on cotangents that only read them."""


def _is_inert(atom: Atom) -> bool:
    if isinstance(atom, Undef):
        return False
    if isinstance(atom, Var):
        return isinstance(atom.type, (Scalar, Inert))
    return atom.value is None or isinstance(atom.value, (int, float, complex, str, slice, tuple))


def is_method(s: Call) -> bool:
    """Tell whether a call is that of a method of a list, a dict or an array, or of what may be an item of an array."""
    fn = s.fn.value if isinstance(s.fn, Const) else None
    if not isinstance(fn, types.MethodDescriptorType) or fn.__name__.startswith("_"):
        return False
    t = s.args[0].type if s.args and isinstance(s.args[0], Var) else None
    if fn.__objclass__ is np.ndarray:
        return isinstance(t, Array) and t.scalar is not True
    return isinstance(t, (List, Dict)) and any([fn.__objclass__ is cls for cls in (list, dict, collections.deque)])


def is_number(atom: Atom) -> bool:
    """Tell whether an atom is an exact Python number."""
    if isinstance(atom, Var):
        return isinstance(atom.type, Scalar)
    return isinstance(atom, Const) and type(atom.value) in (bool, int, float, complex)


def level_of(call: Call, atoms: Sequence[Atom] | None = None) -> int:
    """The level of what a call may be moved past; `atoms` are its operands.

    >>> x = Var("x", Scalar("float"))
    >>> level_of(Call((Var(),), Const(operator.mul), (x, x))), level_of(Call((Var(),), Const(print), (x,)))
    (0, 2)
    """
    form = form_of(call.fn)
    if form is not None and form.level == EFFECT:
        return EFFECT
    if not isinstance(call.fn, Const) or Star in map(type, call.args):
        return EFFECT
    if form is not None and form.level is not None:
        return form.level
    atoms = operands(call) if atoms is None else atoms
    if form is None:
        value = call.fn.value
        module = module_of(value)
        if module.startswith("adjoint.tangents"):
            return READ if value.__name__ in _TANGENTS else EFFECT
        if not (module == "math" or (isinstance(value, np.ufunc) and not call.kwargs) or id(value) in _TYPED_BUILTINS):
            return EFFECT
    if all([_is_inert(atom) for atom in atoms]):
        return FREE
    known = all(
        [
            isinstance(a.type, _PLAIN) and not isinstance(a.type, Default)
            if isinstance(a, Var)
            else isinstance(a, Const)
            for a in atoms
        ]
    )
    return READ if known else EFFECT


_PLAIN = (Scalar, Inert, Array, List, Tuple, Dict, Known)
_RUN_THROUGH = (List, Tuple, Array, Inert)


def iteration_level(sequence: Atom) -> int:
    """The level of what running through a sequence may be moved past."""
    return READ if isinstance(sequence, Var) and isinstance(sequence.type, _RUN_THROUGH) else EFFECT


for _function in INPLACE:
    _register(_function, Form(level=None))
