"""A program as data: its IR, the function it is of, and the types that it is for."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from ..codegen import emit
from ..codegen.text import Code
from ..depth import with_room
from ..ir.nodes import Atom, Function, Statement, Var
from ..ir.printer import format_function
from ..ir.types import Type
from ..markup import code
from ..runtime.spec import reads_self
from .copying import copied
from .naming import explained
from .templates import inner_of, statements_in, verify_all


@dataclass(frozen=True, eq=False, repr=False)
class Program:
    """The IR of a function, which prints as text. No pass changes it: each gives another one.

    Its nodes are its own. What is assigned to one of them by hand counts for what is made of the program afterwards,
    and for no other.

    Attributes
    ----------
    function : its nodes; the first parameter stands for the function object, from which globals and captured variables
        are read.
    own : that function object; None of what was built by hand.
    types : the types of the parameters that it is for (without the function object); None if it is for any.

    Examples
    --------
    >>> from adjoint import ir
    >>> program = ir.of(lambda x: x * x)
    >>> program.params[1:], len(program.statements)
    ((%x,), 1)
    """

    _static_ = ("function", "types")  # numbers are in what a closure captures, and nodes hold each other

    function: Function
    own: Any = None
    types: tuple[Type, ...] | None = None

    @with_room
    def __str__(self) -> str:
        return format_function(self.function)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return code(str(self))

    @property
    def name(self) -> str:
        """The name of the function."""
        return self.function.name

    @property
    def for_any(self) -> str:
        """The program for any types, in words."""
        return "the one that was built" if self.own is None else f"`adjoint.ir.of({self.own.__name__})`"

    @property
    def _uncalled_(self) -> tuple[str, str]:
        """The program in words where a function is needed, and the way to one."""
        return f"the program of `{self.name}`", "make it a function: `adjoint.ir.function(program)`"

    @property
    def params(self) -> tuple[Var, ...]:
        """The parameters, the function object first."""
        return self.function.params

    @property
    def statements(self) -> tuple[Statement, ...]:
        """The statements of the body; those of branches and loops are in their blocks."""
        return self.function.body.statements

    @property
    def result(self) -> Atom:
        """The value that it returns; several are one tuple."""
        return self.function.result

    @property
    @with_room
    def python(self) -> str:
        """The program as Python, as `adjoint.ir.function` runs it, and what names mean that the user's file does not
        have."""
        verify_all(self.function)
        function = copied(self.function)
        first = emit(function, drop_self=not reads_self(function))
        texts, links = [first.text], {**first.links}
        for s in statements_in(function.body):
            if (inner := inner_of(s)) is not None:
                made = emit(inner, drop_self=not reads_self(inner))
                texts.append(f"\n# The function `{inner.name}`, as it is made from its template:\n{made.text}")
                links |= made.links
        text = "\n".join(texts)
        return Code(text + explained(text, links, getattr(self.own, "__globals__", {})))

    @property
    def copy(self) -> Program:
        """The same program, with nodes of its own."""
        return replace(self, function=copied(self.function))
