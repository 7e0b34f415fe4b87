"""Expressions: the text of a value, with parentheses only where precedence asks for them."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

from ..ir import changes
from ..ir import intrinsics as ir
from ..ir.nodes import Atom, Call, Const, If, Loop, Star, Statement, Undef, Var
from ..ir.types import UNKNOWN, Array, List, Located, Type
from ..ir.unbound import read_name
from ..spelling import is_name, keyword_argument, quoted
from .forms import FREE, READ, constant, form_of, inplace_operator, is_call_of, is_method, is_number, syntax
from .names import (
    AND,
    ATOM,
    BITOR,
    COMPARE,
    NOT,
    OR,
    POWER,
    TERNARY,
    UNARY,
    Links,
    Text,
    display,
    literal,
)
from .plan import Plan, short_circuit
from .symbols import BINARY, BINARY_LEVEL, COMPARISONS, NEGATED, PREFIX, SYMBOLS, UNARIES


class Printer:
    """Prints atoms and calls as expressions."""

    def __init__(self, plan: Plan, names: dict[Var, str], unbound: set[Var], links: Links) -> None:
        self.plan = plan
        self.names = names
        self.unbound = unbound
        self.links = links
        self.written: list[Statement] = []
        """Expressions that have become text since it was emptied last."""

    def text(self, atom: Atom, at_least: int = TERNARY) -> str:
        """The text of an atom, in parentheses if it binds looser than `at_least`."""
        text, binds = self.expression(atom)
        return text if binds >= at_least else f"({text})"

    def expression(self, atom: Atom) -> Text:
        """The text of an atom and how tightly it binds."""
        if isinstance(atom, Var):
            if atom in self.plan.inlined:
                return self.value(atom)
            if atom not in self.unbound:
                return self.names[atom], ATOM
            atom = Unbound(atom.name)
        if isinstance(atom, Undef):
            name = repr(atom.name) if isinstance(atom, Unbound) and atom.name else ""
            return f"{self.links.name(_unbound, 'unbound')}({name})", ATOM
        return self.constant(atom)

    def value(self, var: Var) -> Text:
        """The expression that defines a variable."""
        s = self.plan.definition[var]
        if isinstance(s, Call):
            return self.call(s)
        self.written.append(s)
        if isinstance(s, If):
            return self.conditional(s, s.outs.index(var))
        assert isinstance(s, Loop)
        return self.comprehension(s, s.outs.index(var))

    def constant(self, const: Const) -> Text:
        """A literal, or the name under which the object is linked."""
        text = None if const.label and "." in const.label else literal(const.value)
        if text is not None:
            return text
        if type(const.value) is slice:
            parts = (const.value.start, const.value.stop, const.value.step)
            return f"{self.links.name(slice)}({', '.join(self.text(Const(p)) for p in parts)})", ATOM
        return self.links.spelled(const.value, const.label), ATOM

    def call(self, s: Call) -> Text:
        """The expression of a call: its printed form if it has one, else `name(args)`."""
        self.written.append(s)
        form = form_of(s.fn)
        if form is not None and form.expression is not None and (not s.kwargs or is_call_of(s, ir.invoke)):
            text = form.expression(self, s)
            if text is not None:
                return text
        symbol = inplace_operator(s)
        if symbol and is_number(s.args[0]) and is_number(s.args[1]):  # type: ignore[arg-type]
            return self.infix(symbol, BINARY_LEVEL[symbol], s.args)
        if is_method(s):
            owner, *rest = s.args
            return f"{self.text(owner, ATOM)}.{s.fn.value.__name__}({self.arguments(rest, s.kwargs)})", ATOM  # type: ignore[arg-type, union-attr]
        return f"{self.text(s.fn, ATOM)}({self.arguments(s.args, s.kwargs)})", ATOM

    def arguments(self, args: Sequence[Atom | Star], kwargs: Sequence[tuple[str | None, Atom]] = ()) -> str:
        """The text between the parentheses of a call."""
        parts = [text for text in map(self.item, args) if text]
        for key, value in kwargs:
            if key is None and (display := self.display(value, ir.make_dict)) is not None and _by_name(display):
                parts += [f"{k.value}={self.item(v)}" for k, v in zip(display[::2], display[1::2], strict=True)]  # type: ignore[union-attr]
            elif key is None:
                parts.append(f"**{self.text(value, BITOR)}")
            else:
                parts.append(keyword_argument(key, self.text(value)))
        return ", ".join(parts)

    def item(self, arg: Atom | Star) -> str:
        """One argument or item of a display."""
        if isinstance(arg, Star) and (display := self.display(arg.value, ir.make_tuple)) is not None:
            return ", ".join(map(self.item, display))
        return f"*{self.text(arg.value, BITOR)}" if isinstance(arg, Star) else self.text(arg)

    def display(self, atom: Atom, maker: object) -> tuple[Atom | Star, ...] | None:
        """The items of a tuple or dict that is written out where it is used."""
        s = self.plan.definition.get(atom) if isinstance(atom, Var) and atom in self.plan.inlined else None
        return s.args if isinstance(s, Call) and is_call_of(s, maker) else None

    def infix(self, symbol: str, level: int, args: Sequence[Atom | Star]) -> Text:
        """`a symbol b`, grouping to the left (to the right for powers, not at all for comparisons)."""
        left, right = args
        assert not isinstance(left, Star) and not isinstance(right, Star)
        low = level + 1 if level in (POWER, COMPARE) else level
        high = UNARY if level == POWER else level + 1
        return f"{self.text(left, low)} {symbol} {self.text(right, high)}", level

    def bare(self, atom: Atom) -> str:
        """An expression where a tuple needs no parentheses: after `return` and in subscripts."""
        s = self.plan.definition.get(atom) if isinstance(atom, Var) and atom in self.plan.inlined else None
        if isinstance(s, Call) and is_call_of(s, ir.make_tuple) and len(s.args) > 1:
            return ", ".join(self.item(arg) for arg in s.args)
        return self.text(atom)

    def subscript(self, atom: Atom) -> str:
        """The text between the brackets of a subscript."""
        s = self.plan.definition.get(atom) if isinstance(atom, Var) and atom in self.plan.inlined else None
        if isinstance(s, Call) and is_call_of(s, ir.make_tuple) and s.args:
            items = [self.item(a) if isinstance(a, Star) else self.index(a) for a in s.args]
            return items[0] + "," if len(items) == 1 else ", ".join(items)
        if isinstance(atom, Const) and type(atom.value) is tuple and atom.value:
            items = [self.index(Const(value)) for value in atom.value]
            return items[0] + "," if len(items) == 1 else ", ".join(items)
        return self.index(atom)

    def index(self, atom: Atom) -> str:
        """One index: a slice in its own syntax, or an expression."""
        parts: list[Atom] | None = None
        if isinstance(atom, Const) and type(atom.value) is slice:
            parts = [Const(atom.value.start), Const(atom.value.stop), Const(atom.value.step)]
        s = self.plan.definition.get(atom) if isinstance(atom, Var) and atom in self.plan.inlined else None
        if isinstance(s, Call) and is_call_of(s, slice) and not s.kwargs and 1 <= len(s.args) <= 3:
            args = [arg for arg in s.args if not isinstance(arg, Star)]
            none = Const(None)
            parts = [none, args[0], none] if len(args) == 1 else [*args, none] if len(args) == 2 else args
        if parts is None:
            return self.text(atom)
        start, stop, step = ("" if isinstance(p, Const) and p.value is None else self.text(p) for p in parts)
        return f"{start}:{stop}" + (f":{step}" if step else "")

    def condition(self, atom: Atom, negate: bool = False) -> str:
        """A condition, or its negation without needless `not`."""
        if not negate:
            return self.text(atom)
        s = self.plan.definition.get(atom) if isinstance(atom, Var) and atom in self.plan.inlined else None
        if isinstance(s, Call) and isinstance(s.fn, Const) and len(s.args) == 2:
            symbol = NEGATED.get(id(s.fn.value))
            if symbol is not None and not _of_literal(self, s):
                args = s.args if symbol != "not in" else s.args[::-1]
                return self.infix(symbol, COMPARE, args)[0]
        if isinstance(s, Call) and is_call_of(s, operator.not_):
            return self.item(s.args[0])
        return f"not {self.text(atom, NOT)}"

    def conditional(self, s: If, i: int) -> Text:
        """`a if c else b`, `a or b`, `a and b`."""
        word = short_circuit(s)
        if word:
            level = OR if word == "or" else AND
            other = s.orelse.results[i] if word == "or" else s.then.results[i]
            return f"{self.text(s.cond, level)} {word} {self.text(other, level + 1)}", level
        then, orelse = s.then.results[i], s.orelse.results[i]
        return f"{self.text(then, OR)} if {self.text(s.cond, OR)} else {self.text(orelse)}", TERNARY

    def comprehension(self, s: Loop, i: int) -> Text:
        """`[expr for x in xs]`."""
        return f"[{self.text(s.body.results[i])} for {self.header(s, OR)}]", ATOM

    def header(self, s: Loop, at_least: int = TERNARY) -> str:
        """`x in xs`, `a, b in zip(xs, ys)`: the head of a `for`."""
        elements = s.body.params[s.carried :]
        if len(s.sequences) == 1:
            return f"{self.target(elements[0], False)} in {self.text(s.sequences[0], at_least)}"
        targets = ", ".join(self.target(e, True) for e in elements)
        sequences = ", ".join(map(self.text, s.sequences))
        return f"{targets} in {self.links.name(zip)}({sequences})"

    def target(self, var: Var, nested: bool) -> str:
        """The target that an element is bound to: a name, or a pattern if it is unpacked at once."""
        unpacking = self.plan.headed.get(var)
        if unpacking is None:
            return self.names[var] if self.plan.used(var) else self.plan.unread
        pattern = self.pattern(unpacking)
        return f"({pattern})" if nested else pattern

    def pattern(self, s: Call) -> str:
        """The left side of an unpacking."""
        starred = -1
        if is_call_of(s, ir.unpack) and len(s.args) == 3:
            starred = constant(s.args[1])
        parts = [("*" if i == starred else "") + self.target(out, i != starred) for i, out in enumerate(s.outs)]
        return ", ".join(parts) + ("," if len(parts) == 1 else "")


class Unbound(Undef):
    """A variable without a value, of this name, where it is read."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name


def _unbound(name: str = "") -> None:
    of = f" {name!r}" if name else ""
    raise UnboundLocalError(f"cannot access local variable{of} where it is not associated with a value")


def _plain(s: Call, count: int) -> bool:
    return len(s.args) == count and Star not in map(type, s.args)


def _of_literal(p: Printer, s: Call) -> bool:
    """Tell whether `is` has an operand that is written out, of which Python warns: it is called by its name instead."""
    return (is_call_of(s, operator.is_) or is_call_of(s, operator.is_not)) and any(
        p.display(a, ir.make_tuple) is not None  # type: ignore[arg-type]
        or isinstance(a, Const)
        and not any(a.value is x for x in (None, True, False, ...))
        and literal(a.value) is not None
        for a in s.args
    )


@syntax(*BINARY, *COMPARISONS, level=None)
def _infix(p: Printer, s: Call) -> Text | None:
    plain = _plain(s, 2) and not _of_literal(p, s)
    return p.infix(*SYMBOLS[id(s.fn.value)], s.args) if plain else None  # type: ignore[union-attr]


@syntax(changes.copied, level=READ)
def _copied(p: Printer, s: Call) -> Text | None:
    x: Any = s.args[0]
    of_lists = isinstance(x.type, List) and isinstance(x.type.item, List)  # with copies of these
    if of_lists or x.type == UNKNOWN:
        return None
    told: Any = s.args[1].value if len(s.args) > 1 else ""  # type: ignore[union-attr]
    order = order_of(x.type) if not told else "" if told == "C" else f'"{told}"'
    return f"{p.text(x, ATOM)}.copy({order})", ATOM


def order_of(t: Type) -> str:
    """The argument of `copy` with which the items of an array lie in the same order."""
    rows = isinstance(t, Array) and t.ndim != 1
    return '"K"' if rows or isinstance(t, Located) and order_of(t.of) else ""


@syntax(*UNARIES, level=None)
def _prefix(p: Printer, s: Call) -> Text | None:
    if not _plain(s, 1):
        return None
    return f"{PREFIX[id(s.fn.value)]}{p.text(s.args[0], UNARY)}", UNARY  # type: ignore[union-attr, arg-type]


@syntax(operator.not_, level=None)
def _not(p: Printer, s: Call) -> Text | None:
    return (f"not {p.text(s.args[0], NOT)}", NOT) if _plain(s, 1) else None  # type: ignore[arg-type]


@syntax(operator.contains, ir.not_contains, order=(1, 0), level=None)
def _membership(p: Printer, s: Call) -> Text | None:
    symbol = "in" if is_call_of(s, operator.contains) else "not in"
    return p.infix(symbol, COMPARE, s.args[::-1]) if _plain(s, 2) else None


@syntax(ir.item_in_row, level=READ)
@syntax(operator.getitem, level=None)
def _getitem(p: Printer, s: Call) -> Text | None:
    target, *keys = s.args
    return p.text(target, ATOM) + "".join([f"[{p.subscript(key)}]" for key in keys]), ATOM  # type: ignore[arg-type]


@syntax(getattr, level=None)
def _getattr(p: Printer, s: Call) -> Text | None:
    if not _plain(s, 2):
        return None
    target, name = s.args
    if not (isinstance(name, Const) and is_name(name.value)):
        return None
    text = p.text(target, ATOM)  # type: ignore[arg-type]
    return f"({text}).{name.value}" if text.isdigit() else f"{text}.{name.value}", ATOM


@syntax(slice, level=None)
def _slice(p: Printer, s: Call) -> Text | None:
    return None


@syntax(ir.iterate, level=FREE)
@syntax(ir.present, read_name, ir.read_from, ir.freeze, level=FREE, same=True)
def _as_it_is(p: Printer, s: Call) -> Text | None:
    return p.expression(s.args[0])  # type: ignore[arg-type]


@syntax(ir.invoke)
def _invoke(p: Printer, s: Call) -> Text | None:
    target, name, *args = s.args
    if isinstance(target, Star) or not (isinstance(name, Const) and is_name(name.value)):
        return None
    return f"{p.text(target, ATOM)}.{name.value}({p.arguments(args, s.kwargs)})", ATOM


@syntax(ir.apply)
def _apply(p: Printer, s: Call) -> Text | None:
    function, stars, keys, *values = s.args
    if not (isinstance(stars, Const) and isinstance(keys, Const)) or isinstance(function, Star):
        return None
    atoms = [value for value in values if not isinstance(value, Star)]
    args = [Star(a) if star else a for star, a in zip(stars.value, atoms, strict=False)]
    kwargs = list(zip(keys.value, atoms[len(args) :], strict=True))
    return f"{p.text(function, ATOM)}({p.arguments(args, kwargs)})", ATOM


@syntax(ir.make_tuple, level=FREE)
def _tuple(p: Printer, s: Call) -> Text | None:
    return display([p.item(arg) for arg in s.args]), ATOM


@syntax(ir.make_list, level=FREE)
def _list(p: Printer, s: Call) -> Text | None:
    return f"[{', '.join(p.item(arg) for arg in s.args)}]", ATOM


@syntax(ir.make_set)
def _set(p: Printer, s: Call) -> Text | None:
    return (f"{{{', '.join(p.item(arg) for arg in s.args)}}}" if s.args else f"{p.links.name(set)}()"), ATOM


@syntax(ir.make_dict)
def _dict(p: Printer, s: Call) -> Text | None:
    if any(isinstance(arg, Star) for arg in s.args):
        return None
    texts = [p.item(arg) for arg in s.args]
    return f"{{{', '.join(f'{k}: {v}' for k, v in zip(texts[::2], texts[1::2], strict=True))}}}", ATOM


@syntax(ir.merge_dicts)
def _merge(p: Printer, s: Call) -> Text | None:
    parts = []
    for arg in s.args:
        if isinstance(arg, Star):
            return None
        inner = p.plan.definition.get(arg) if isinstance(arg, Var) and arg in p.plan.inlined else None
        text = p.text(arg, BITOR)
        parts.append(text[1:-1] if is_call_of(inner, ir.make_dict) and text != "{}" else f"**{text}")
    return f"{{{', '.join(parts)}}}", ATOM


@syntax(ir.load_global, level=READ)
def _load_global(p: Printer, s: Call) -> Text | None:
    return (constant(s.args[1]), ATOM) if p.plan.is_local_read(s) else None


@syntax(ir.capture, level=READ)
def _capture(p: Printer, s: Call) -> Text | None:
    return f"{p.text(s.args[0], ATOM)}.__closure__[{p.item(s.args[2])}].cell_contents", ATOM  # type: ignore[arg-type]


@syntax(ir.capture_cell, level=FREE)
def _capture_cell(p: Printer, s: Call) -> Text | None:
    return f"{p.text(s.args[0], ATOM)}.__closure__[{p.item(s.args[2])}]", ATOM  # type: ignore[arg-type]


@syntax(ir.default, level=READ)
def _default(p: Printer, s: Call) -> Text | None:
    function, name, index = s.args
    assert isinstance(name, Const) and isinstance(index, Const)
    place = f"__kwdefaults__[{quoted(name.value)}]" if index.value < 0 else f"__defaults__[{index.value}]"
    return f"{p.text(function, ATOM)}.{place}", ATOM  # type: ignore[arg-type]


def _by_name(display: tuple[Atom | Star, ...]) -> bool:
    """Tell whether the keys of a dict display can stand as keywords."""
    return all(isinstance(key, Const) and is_name(key.value) for key in display[::2])
