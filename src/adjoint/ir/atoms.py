"""Atoms of the representation: variables and constants."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeVar, dataclass_transform

from ..errors import OptionError, calling_place
from ..spelling import plain, said, without_addresses
from .exceptions import completes
from .spans import Span
from .types import UNKNOWN, Type

T = TypeVar("T")


@dataclass_transform(frozen_default=True, eq_default=False, field_specifiers=(field,))
def record(cls: type[T]) -> type[T]:
    """A class whose objects nothing changes, and that are equal only to themselves. The type checker holds all code to
    it; objects that see to it themselves take six times as long to make, which was a tenth of all generation."""
    return dataclass(eq=False, slots=True)(cls)


@record
class Var:
    """A variable, assigned once; equal only to itself.

    Attributes
    ----------
    name : the user's name, or "" for a temporary.
    type : what is known of its values.
    active : whether it depends on what is differentiated.

    Examples
    --------
    >>> from adjoint import ir
    >>> program = ir.of(lambda x: x * x, float)
    >>> x = program.params[1]
    >>> x.name, program.statements[0].args[0] is x
    ('x', True)
    """

    name: str = ""
    type: Type = UNKNOWN
    active: bool = False

    def __repr__(self) -> str:
        return f"%{self.name or 't'}"

    def __reduce__(self) -> Any:  # types and activity are found again
        return Var, (self.name,)

    def _no_operator(self, *_: Any) -> Any:
        raise OptionError(
            "a variable of a program is used as a number",
            "it stands for a value that there is when the program runs",
            "add a call that gives the result: `y = b.call(operator.mul, x, 2)` for `x * 2`",
            calling_place(),
        )

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _no_operator
    __pow__ = __rpow__ = __matmul__ = __rmatmul__ = __mod__ = __rmod__ = __floordiv__ = __rfloordiv__ = _no_operator
    __lt__ = __le__ = __gt__ = __ge__ = __neg__ = __pos__ = __abs__ = __float__ = __getitem__ = __array_ufunc__ = (
        _no_operator
    )


@record
class Const:
    """A constant: a literal, or a function, class or module that is known.

    Attributes
    ----------
    value : what it is.
    label : how the user spelled it, as in `np.sin`; None of what has no such name.
    span : of a literal, its place in the user's file.

    Examples
    --------
    >>> import math
    >>> from adjoint import ir
    >>> ir.of(lambda x: math.sin(x), float).statements[0].fn
    math.sin
    """

    value: Any
    label: str | None = None
    span: Span | None = None

    def __repr__(self) -> str:
        name = getattr(self.value, "__name__", None)
        known = self.label or (said(name) if isinstance(name, str) else "") or plain(self.value)
        return known or said(without_addresses(repr(self.value)))

    def __reduce__(self) -> Any:
        return "ATTEMPT" if self is ATTEMPT else (Const, (self.value, self.label))


class Undef:
    """The value of a name that is not bound on this path: the bottom of the lattice."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "UNDEF"

    def __reduce__(self) -> str:
        return "UNDEF"


UNDEF = Undef()

Atom = Var | Const | Undef


class _Completion(Const):
    """The constant that is one object in all programs: nobody changes it, as others may in a program of their own."""

    __slots__ = ()

    def __init__(self) -> None:
        for name, value in (("value", completes), ("label", None), ("span", None)):
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"the condition of attempts is one object in all programs: its {name} stays")


ATTEMPT = _Completion()
"""The condition of a branch on whether its first block comes to its end."""


@record
class Star:
    """An iterable spliced into positional arguments: `f(*xs)`.

    Attributes
    ----------
    value : the iterable.

    Examples
    --------
    >>> from adjoint import ir
    >>> program = ir.of(lambda xs: max(*xs))
    >>> type(program.statements[-1].args[0]).__name__
    'Star'
    """

    value: Atom
