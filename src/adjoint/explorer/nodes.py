"""The nodes of a straight-line program: its values, with their gradients, and the operations between them."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..api import pullback
from ..diagnostics.explaining import names_of_arguments
from ..diagnostics.flowing import carries
from ..diagnostics.state import State
from ..errors import MutationError, StructureError, UnsupportedSyntaxError, calling_place
from ..hooks import gradient_hook
from ..ir.intrinsics import invoke
from ..ir.nodes import Atom, Call, Const, Statement, Undef, Var
from ..reflection.callees import READS
from ..reflection.functions import bound, function
from ..reflection.making import of
from ..reflection.passes import rewrite
from ..reflection.program import Program
from ..reflection.running import run
from ..reflection.templates import template_of
from ..runtime.argnums import name_of
from ..runtime.called import refuse_types
from ..wrappers import signature_of
from .quiet import unnoticed
from .seeds import seed_for, summed
from .shown import Shown, shown

MOST = 400
"""So many nodes are drawn."""
SIGNS = {
    "add": "+", "sub": "−", "mul": "×", "truediv": "÷", "floordiv": "//", "mod": "mod", "pow": "^", "matmul": "@",
    "neg": "−", "pos": "+",
}  # fmt: skip

COMMUTATIVE = (
    *(operator.add, operator.mul, operator.eq, operator.ne, operator.and_, operator.or_, operator.xor, math.hypot),
    *(np.add, np.multiply, np.equal, np.not_equal, np.maximum, np.minimum, np.hypot, np.logaddexp),
)
"""Operations whose operands may change places, if they are numbers."""
NUMBERS = (int, float, complex, np.number, np.bool_, np.ndarray)

Edge = tuple[int, int]
"""From an earlier node to a later one, by their numbers."""


@dataclass(eq=False)
class Node:
    """A value (with its cotangent, if it carries one) or an operation."""

    label: str
    title: str
    is_operation: bool = False
    value: Shown | None = None
    bar: Shown | None = None
    carries: bool = False


def nodes_of(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[list[Node], dict[Edge, str], str]:
    """The nodes and the edges of the graph of a call, each edge with the operands of its operation that it is, where
    their order tells; and what the cotangents are derivatives of.

    Raises
    ------
    UnsupportedSyntaxError
        If the program has control flow, or too many values.
    """
    args, kwargs = by_position(f, args, kwargs)
    program = program_of(f, args, kwargs)
    calls = [s for s in program.statements if isinstance(s, Call) and template_of(s) is None]
    if len(calls) < len(program.statements):
        raise refusal(f, "has branches, loops or functions of its own", "a graph has one node for each value")
    if 2 * len(calls) + len(args) > MOST:
        raise refusal(f, f"has more than {MOST} values and operations", "so many are not to be read in a picture")
    names, values = names_of_arguments(f, len(args), list(kwargs)), (*args, *kwargs.values())
    state = State({name_of(f): f, **dict(zip(names, values, strict=True))})
    with np.errstate(all="ignore"):
        found = _Graph(program)
        with state.kept():
            try:
                y = found.run(args, kwargs)
            except (StructureError, TypeError) as error:
                refuse_types(args, kwargs, f"the function is run, and fails with them: {error}")
                raise
        with unnoticed(state):
            found.pull(args, kwargs, y)
    return found.nodes, found.edges, summed(y)


def program_of(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Program:
    """The program of a call for the types of its arguments; where there is none, `explore` is the way out."""
    try:
        return of(f, *args, **kwargs)
    except (MutationError, UnsupportedSyntaxError) as error:
        stores = "a graph has one node for each value, and a store changes one"
        why = stores if isinstance(error, MutationError) else error.why
        raise type(error)(error.what, why, _line_by_line(f), error.place) from None


def _line_by_line(f: Any) -> str:
    return f"look into it line by line: `adjoint.explore({name_of(f)}, ...)`"


def by_position(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The same call with all that can be given by position, defaults too: what is given by name is a constant."""
    try:
        call = signature_of(f).bind(*args, **kwargs)
    except TypeError:  # the call itself says what is wrong
        return args, kwargs
    call.apply_defaults()
    return call.args, call.kwargs


def refusal(f: Any, what: str, why: str) -> UnsupportedSyntaxError:
    """An error that says why a program is not drawn, and that `explore` shows it."""
    return UnsupportedSyntaxError(
        f"`{name_of(f)}` {what}, and is not drawn as a graph",
        why,
        _line_by_line(f),
        calling_place(),
    )


class _Graph:
    """The nodes of one program, as they are found."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.nodes: list[Node] = []
        self.edges: dict[Edge, str] = {}
        self.at: dict[Atom, int] = {}
        for param in program.params[1:]:
            self._value(param, None)

    def _value(self, v: Var, maker: int | None) -> None:
        self.at[v] = len(self.nodes)
        self.nodes.append(Node(v.name, v.name or "a value without a name"))
        if maker is not None:
            self.edges[maker, self.at[v]] = ""

    def run(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Run the program, and make a node for each of its calls and results."""
        calls = iter(self.program.statements)
        given: dict[Var, Any] = {}

        def hook(fn: Any, given_args: Any, named: Any, y: Any) -> None:
            s: Any = next(calls)
            if not s.outs:  # a check, as the one of a power that it is real
                return
            self._operation(s, fn, given_args)
            given.update(zip(s.outs, [y] if len(s.outs) == 1 else y, strict=False))
            for out in s.outs:
                self._note(out, given[out])

        for param, x in zip(self.program.params[1:], bound(self.program, None, args, kwargs)[0], strict=True):
            self._note(param, x)
        y = run(self.program, *args, hook=hook, **kwargs)
        if isinstance(self.program.function.body.results[0], Const):  # no operation gives it
            seed = shown(seed_for(y)) if carries(y) else None
            self.nodes.append(Node("result", "the result, a constant", value=shown(y), bar=seed, carries=carries(y)))
        return y

    def _note(self, v: Var, x: Any) -> None:
        node = self.nodes[self.at[v]]
        node.value, node.carries = shown(x), carries(x)

    def _operation(self, s: Call, fn: Any, args: Any) -> None:
        if isinstance(s.fn, Const) and s.fn.value in READS:  # a name of the program
            self._value(s.outs[0], None)
            self.nodes[-1].label = self.nodes[-1].title = str(s.args[1].value)  # type: ignore[union-attr]
            return
        i = len(self.nodes)
        self.nodes.append(Node(_label(s, fn), _title(s, fn), is_operation=True))
        places: dict[int, list[str]] = {}
        for place, a in _operands(s):
            if a in self.at:
                places.setdefault(self.at[a], []).append(place)
        swap = any(fn is other for other in COMMUTATIVE) and all(isinstance(a, NUMBERS) for a in args)
        alone = len(places) == 1 or swap
        for k, of_one in places.items():
            self.edges[k, i] = "" if alone and len(of_one) == 1 else ", ".join(of_one)
        for out in s.outs:
            self._value(out, i)

    def pull(self, args: tuple[Any, ...], kwargs: dict[str, Any], y: Any) -> None:
        """Run it once more, with a hook at each value that carries a derivative, and back."""
        made = function(rewrite(self.program, self._hooked))
        _, back = pullback(made, *args, **kwargs)
        bars = back(seed_for(y))
        for param, bar in zip(self.program.params[1:], bars[1:], strict=False):
            self._note_bar(self.nodes[self.at[param]])(bar)

    def _hooked(self, s: Statement) -> Any:
        if not isinstance(s, Call):
            return s
        fresh = {out: Var(out.name, out.type, out.active) for out in s.outs if self.nodes[self.at[out]].carries}
        hooks = [
            Call((out,), Const(gradient_hook(self._note_bar(self.nodes[self.at[out]]))), (new,))
            for out, new in fresh.items()
        ]
        return [replace(s, outs=tuple([fresh.get(out, out) for out in s.outs])), *hooks]

    @staticmethod
    def _note_bar(node: Node) -> Callable[[Any], None]:
        def note(bar: Any) -> None:
            node.bar = None if bar is None else shown(bar)

        return note


def _operands(s: Call) -> Iterator[tuple[str, Any]]:
    """The operands of a call, each with its number or its name; of a method, the object that it is of comes first."""
    method = isinstance(s.fn, Const) and s.fn.value is invoke
    for i, a in enumerate(s.args):
        place = "object" if method and not i else f"{i - 1 if method else i + 1}"
        yield place, a.value if hasattr(a, "value") and not isinstance(a, Const) else a
    yield from [(name or "**", value) for name, value in s.kwargs]


def _name(fn: Any) -> str:
    return str(getattr(fn, "__name__", type(fn).__name__))


def _word(a: Any) -> str:
    """An operand in words: a name, a constant, or a dot for what has no name."""
    if isinstance(a, Const):
        return repr(a)
    return "undefined" if isinstance(a, Undef) else getattr(a, "name", "") or "·"


def _title(s: Call, fn: Any) -> str:
    name, args = _called(s, fn)
    return f"{name}({', '.join(map(_word, args))})"


def _called(s: Call, fn: Any) -> tuple[str, tuple[Any, ...]]:
    """The name of what is called, and its operands: of a method, with its object."""
    if isinstance(s.fn, Const) and s.fn.value is invoke:
        return f"{_word(s.args[0])}.{_name(fn)}", s.args[2:]
    return _name(fn), s.args


def _label(s: Call, fn: Any) -> str:
    """Label of an operation: its sign, with what is constant in it."""
    name, args = _called(s, fn)
    words = [*map(_word, args), *[f"{key}={_word(value)}" for key, value in s.kwargs]]
    sign = SIGNS.get(name)
    if sign is not None and len(words) <= 2 and not s.kwargs:
        return f"{sign}{words[0]}" if len(words) == 1 else f"{words[0]} {sign} {words[1]}"
    constant = any(isinstance(a, Const) for a in args) or s.kwargs
    return f"{name}({', '.join(words)})" if constant else name
