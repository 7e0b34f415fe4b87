"""Statements that are more than an expression: stores, deletions, `raise`."""

from __future__ import annotations

import heapq
import operator

from ..ir import changes
from ..ir import intrinsics as ir
from ..ir.heaps import BY_PLACE, FUNCTIONS
from ..ir.nodes import Atom, Call, Const, Star, Var
from ..spelling import is_name
from .expressions import Printer
from .forms import INPLACE, constant, inplace_operator, is_call_of, statement
from .names import ATOM, PRODUCT, TERNARY


def _atoms(s: Call) -> list[Atom]:
    return [arg for arg in s.args if not isinstance(arg, Star)]


def _updated(p: Printer, value: Atom, reader: object, target: Atom, *keys: Atom) -> tuple[str, Atom] | None:
    """The operator and right side if `value` is `target[key] op right` or `target.key op right` for this store."""
    s = p.plan.definition.get(value) if isinstance(value, Var) and value in p.plan.inlined else None
    symbol = inplace_operator(s)
    if not symbol or not isinstance(s, Call):
        return None
    old, right = _atoms(s)
    load = p.plan.definition.get(old) if isinstance(old, Var) and old in p.plan.inlined else None
    if not (isinstance(load, Call) and is_call_of(load, reader)):
        return None
    loaded, *places = _atoms(load)
    same_key = all([_is_same(at, key) for at, key in zip(places, keys, strict=True)])
    same_target = loaded is target and not (isinstance(target, Var) and target in p.plan.inlined)
    return (symbol, right) if same_key and same_target else None


def _is_same(a: Atom, b: Atom) -> bool:
    return a is b or isinstance(a, Const) and isinstance(b, Const) and _same(a.value, b.value)


def _same(a: object, b: object) -> bool:
    return type(a) is type(b) and isinstance(a, (str, int, float, slice, tuple)) and repr(a) == repr(b)


@statement(changes.set_item, order=(2, 0, 1), same=True)
@statement(changes.set_in_row, order=(3, 0, 1, 2), same=True)
def _set_item(p: Printer, s: Call) -> str | None:
    target, *keys, value = _atoms(s)
    read = operator.getitem if len(keys) == 1 else ir.item_in_row
    update = _updated(p, value, read, target, *keys)
    symbol, right = update or ("", value)
    return f"{_place(p, target, keys)} {symbol}= {p.text(right)}"


def _place(p: Printer, target: Atom, keys: list[Atom]) -> str:
    return p.text(target, ATOM) + "".join([f"[{p.subscript(key)}]" for key in keys])


@statement(ir.expect)
def _expect(p: Printer, s: Call) -> str | None:
    """Of a number its class tells all: only what has another is looked at."""
    value, site = _atoms(s)
    return _unless(p, ir.expect, value, constant(site).exact, site)


@statement(ir.check)
def _check(p: Printer, s: Call) -> str | None:
    value, test, *_ = _atoms(s)
    if (name := getattr(constant(test), "absent", None)) is not None:
        own = f"{name!r} in {p.text(value, ATOM)}.__dict__"
        return f"if {own}: {p.links.name(ir.check)}({p.arguments((value, test))})"
    return _unless(p, ir.check, value, getattr(constant(test), "passes", None), test)


def _unless(p: Printer, function: object, value: Atom, exact: object, *rest: Atom) -> str | None:
    """A call that is made of all but the instances of one class."""
    if exact is None or not isinstance(value, Var) or value in p.plan.inlined:
        return None
    name = p.text(value)
    return f"if type({name}) is not {p.links.name(exact)}: {p.links.name(function)}({p.arguments((value, *rest))})"


@statement(changes.delete_item, same=True)
def _delete_item(p: Printer, s: Call) -> str | None:
    target, key = _atoms(s)
    return f"del {p.text(target, ATOM)}[{p.subscript(key)}]"


@statement(changes.set_attribute, changes.hold_field, order=(2, 0, 1), same=True)
def _set_attribute(p: Printer, s: Call) -> str | None:
    target, name, value = _atoms(s)
    assert isinstance(name, Const)
    if not is_name(name.value):
        return f"{p.links.name(setattr)}({p.arguments(s.args)})"
    place = f"{p.text(target, ATOM)}.{name.value}"
    update = _updated(p, value, getattr, target, name)
    return f"{place} {update[0]}= {p.text(update[1])}" if update else f"{place} = {p.text(value)}"


@statement(changes.delete_attribute, same=True)
def _delete_attribute(p: Printer, s: Call) -> str | None:
    target, name = _atoms(s)
    assert isinstance(name, Const)
    if not is_name(name.value):
        return f"{p.links.name(delattr)}({p.arguments(s.args)})"
    return f"del {p.text(target, ATOM)}.{name.value}"


@statement(changes.call_method, same=True)
def _call_method(p: Printer, s: Call) -> str | None:
    target, name, *args = s.args
    assert isinstance(name, Const) and not isinstance(target, Star)
    if name.value == "__delitem__":
        return f"del {p.text(target, ATOM)}[{p.subscript(_atoms(s)[2])}]"
    if name.value in FUNCTIONS:
        return _bound(p, s, _of_heap(p, s))
    method = f"{p.text(target, ATOM)}.{name.value}"
    if not is_name(name.value):
        method = f"{p.links.name(getattr)}({p.arguments((target, name))})"
    return _bound(p, s, f"{method}({p.arguments(args, s.kwargs)})")


def _bound(p: Printer, s: Call, text: str) -> str:
    """A call whose result is bound to a name, if that is read."""
    result = s.outs[0]
    return f"{p.names[result]} = {text}" if len(s.outs) > 1 and p.plan.used(result) else text


def _of_heap(p: Printer, s: Call) -> str:
    """A function of heaps, of a list; those of `heapq` need not be told the place."""
    target, name, *args = _atoms(s)
    own = constant(name) in BY_PLACE
    function = getattr(heapq, constant(name)) if own else FUNCTIONS[constant(name)]
    return f"{p.links.name(function)}({p.arguments((target, *(args[1:] if own else args)))})"


@statement(changes.call_with, same=True)
def _call_with(p: Printer, s: Call) -> str | None:
    target, function, *args = _atoms(s)
    return _bound(p, s, f"{p.text(function, ATOM)}({p.arguments((target, *args), s.kwargs)})")


@statement(changes.list_append, same=True)
def _list_append(p: Printer, s: Call) -> str | None:
    target, value = _atoms(s)
    return f"{p.text(target, ATOM)}.append({p.text(value)})"


@statement("adjoint.tangents.add_item", "adjoint.tangents.add_item_in_row", augmented=True)
def _add_item(p: Printer, s: Call) -> str:
    buffer, *keys, value = _atoms(s)
    return f"{_place(p, buffer, keys)} += {p.text(value)}"


@statement("adjoint.tangents.add_to_key")
def _add_to_key(p: Printer, s: Call) -> str | None:
    buffer, key, value = _atoms(s)
    if any([isinstance(a, Var) and a in p.plan.inlined for a in (buffer, key)]):
        return None
    name = p.text(buffer, ATOM)
    return f"{name}[{p.subscript(key)}] = {name}.get({p.text(key)}, 0.0) + {p.text(value, PRODUCT)}"


@statement(changes.change, order=(1, 2))
def _change(p: Printer, s: Call) -> str | None:
    operation, target, value = _atoms(s)
    text = p.text(target, ATOM)
    if text.endswith(")"):  # nobody reads what is made here: it has no name
        return f"{p.links.name(constant(operation))}({text}, {p.text(value)})"
    return f"{text} {INPLACE[constant(operation)]}= {p.text(value)}"


@statement(ir.store_cell, order=(1, 0))
def _store_cell(p: Printer, s: Call) -> str | None:
    cell, value = _atoms(s)
    return f"{p.text(cell, ATOM)}.cell_contents = {p.text(value)}"


@statement(ir.raise_)
def _raise(p: Printer, s: Call) -> str | None:
    exception, *cause = _atoms(s)
    return f"raise {p.text(exception)}" + (f" from {p.text(cause[0], TERNARY)}" if cause else "")
