"""The IR as text: numbered variables, one statement a line, regions indented."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import NamedTuple

from ..spelling import keyword_argument
from .intrinsics import Template
from .nodes import Atom, Block, Call, Closure, Const, Function, If, Loop, Span, Star, Statement, Undef, Var

INDENT = "  "


class Row(NamedTuple):
    """A line of the text, and where the statement stands that it is of."""

    text: str
    span: Span | None = None


def format_function(function: Function, names: bool = False) -> str:
    """The text of a function.

    `yield` is what a branch gives to the outs of its `if`, or a round to the next one, and `collect` what a round gives
    to the lists that come after the carried values. `with` names what is carried, `until` the flag that ends the loop.

    Parameters
    ----------
    names
        Whether to add the user's names, as in `%4:y`.

    >>> import operator
    >>> from adjoint.ir.nodes import Const
    >>> f, x, y = Var("f"), Var("x"), Var("y")
    >>> call = Call((y,), Const(operator.mul), (x, x))
    >>> print(format_function(Function("f", Block((f, x), (call,), (y,)))))
    1: (%1, %2)
      %3 = mul(%2, %2)
      return %3
    """
    return "\n".join([row.text for row in rows_of(function, names)])


def rows_of(function: Function, names: bool = False) -> list[Row]:
    """The lines of that text, each with its place in the user's file."""
    printer = _Printer(names)
    header = f"1: ({printer.atoms(function.params, define=True)})"
    return [Row(header), *printer.block(function.body, 1, "return")]


def printed_name(function: Function, var: Var) -> str:
    """The name of a variable as the text of a function has it, with the user's name: `%4:y`."""
    printer = _Printer(True)
    with suppress(ValueError, AttributeError, TypeError):  # what is not well formed prints as far as it goes
        printer.atoms(function.params)
        printer.block(function.body, 1, "return")
    return printer.atom(var, define=True)


def printed_statement(function: Function, statement: Statement) -> str:
    """The first line of a statement, as the text of a function has it."""
    printer = _Printer(False)
    with suppress(ValueError, AttributeError, TypeError):
        printer.atoms(function.params)
        printer.block(function.body, 1, "return")
        return printer.block(Block((), (statement,), ()), 0, "return")[0].text
    return ""


class _Printer:
    def __init__(self, names: bool) -> None:
        self.names = names
        self.numbers: dict[Var, int] = {}

    def atom(self, atom: Atom | Star, define: bool = False) -> str:
        if isinstance(atom, Star):
            return f"*{self.atom(atom.value)}"
        if isinstance(atom, Var):
            number = self.numbers.setdefault(atom, len(self.numbers) + 1)
            return f"%{number}:{atom.name}" if define and self.names and atom.name else f"%{number}"
        return "UNDEF" if isinstance(atom, Undef) else repr(atom)

    def atoms(self, atoms: Iterable[Atom | Star], define: bool = False) -> str:
        return ", ".join(self.atom(atom, define) for atom in atoms)

    def block(self, block: Block, level: int, end: str) -> list[Row]:
        lines: list[Row] = []
        pad = INDENT * level
        for statement in block.statements:
            match statement:
                case Call():
                    lines += [Row(pad + self.call(statement), statement.span), *self.made(statement, level + 1)]
                case If():
                    lines += self.branch(statement, level)
                case Loop():
                    lines += self.loop(statement, level)
                case Closure(out, function):
                    head = f"({self.atoms(function.params, define=True)})"
                    body = self.block(function.body, level + 1, "return")
                    row = Row(f"{pad}{self.atom(out, define=True)} = function {head}:", statement.span)
                    lines += [row, *body]
        if block.results:
            lines.append(Row(f"{pad}{end} {self.atoms(block.results)}"))
        return lines

    def call(self, call: Call) -> str:
        args = [self.atom(arg) for arg in call.args]
        args += [f"**{self.atom(v)}" if k is None else keyword_argument(k, self.atom(v)) for k, v in call.kwargs]
        text = f"{self.atom(call.fn)}({', '.join(args)})"
        return f"{self.atoms(call.outs, define=True)} = {text}" if call.outs else text

    def made(self, call: Call, level: int) -> list[Row]:
        """The program of the function that a call makes, where it stands in it."""
        template = call.args[0].value if call.args and isinstance(call.args[0], Const) else None
        inner = template.program if isinstance(template, Template) else None
        if inner is None:
            return []
        head = f"{INDENT * level}{inner.name}: ({self.atoms(inner.params, define=True)})"
        return [Row(head, call.span), *self.block(inner.body, level + 1, "return")]

    def branch(self, statement: If, level: int) -> list[Row]:
        pad, span = INDENT * level, statement.span
        cond = self.atom(statement.cond)
        then = self.block(statement.then, level + 1, "yield")
        orelse = self.block(statement.orelse, level + 1, "yield")
        outs = self.atoms(statement.outs, define=True)
        head, other = ("try", "except") if statement.is_attempt else (f"if {cond}", "else")
        first = f"{pad}{outs} = {head}:" if outs else f"{pad}{head}:"
        rows = [Row(first, span), *(then or [Row(f"{pad}{INDENT}pass", span)])]
        return rows + ([Row(f"{pad}{other}:", span), *orelse] if orelse else [])

    def loop(self, loop: Loop, level: int) -> list[Row]:
        pad, n = INDENT * level, loop.carried
        sources = self.atoms(loop.sequences)
        inits = [self.atom(init) for init in loop.inits]
        lines: list[Row] = []
        if loop.cond is not None:
            test = self.block(loop.cond, level + 1, "test")
            lines += [Row(f"while{self.pairs(loop.cond.params, inits)}:", loop.span), *test]
            head = f"{pad}do{self.pairs(loop.body.params[:n], inits)}"
        else:
            elements = self.atoms(loop.body.params[n:], define=True)
            head = f"for {elements} in {sources}{self.pairs(loop.body.params[:n], inits)}"
        until = "" if loop.exit_flag is None else f" until {loop.exit_flag + 1}"
        lines.append(Row(f"{head}{until}:", loop.span))
        body = self.block(Block((), loop.body.statements, ()), level + 1, "")
        for word, values in (("yield", loop.body.results[:n]), ("collect", loop.body.results[n:])):
            body += [Row(f"{pad}{INDENT}{word} {self.atoms(values)}", loop.span)] if values else []
        outs = self.atoms(loop.outs, define=True)
        lines[0] = Row(f"{pad}{outs} = {lines[0].text}" if outs else pad + lines[0].text, loop.span)
        return lines + (body or [Row(f"{pad}{INDENT}pass", loop.span)])

    def pairs(self, params: Sequence[Var], inits: Sequence[str]) -> str:
        if not params:
            return ""
        return " with " + ", ".join(f"{self.atom(p, define=True)} = {i}" for p, i in zip(params, inits, strict=True))
