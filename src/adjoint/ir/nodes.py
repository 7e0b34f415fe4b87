"""The intermediate representation: structured SSA in a handful of records.

    Function  ::=  name, params (the function itself first), Block with one result
    Block     ::=  params, statements, results
    Call      ::=  outs = fn(args, kwargs)          one out, or several: the result is a tuple, unpacked
    If        ::=  outs = cond ? Block : Block      blocks without params, one result per out
                |  outs = ATTEMPT ? Block : Block   the second block runs where an exception leaves the first
    Loop      ::=  outs, collected = inits; for elems in sequences | while cond: body; until stop
    Closure   ::=  out = nested generated function  its captures are the free variables of its block
    Atom      ::=  Var | Const | UNDEF

Every `Var` is assigned once. Regions (the blocks a statement owns) read outer variables freely; what varies from
round to round is a parameter of the loop's body. UNDEF is a name that is unbound on some path.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import field
from typing import Any

from ..spelling import identifier
from .atoms import ATTEMPT, UNDEF, Atom, Const, Star, Undef, Var, record
from .spans import Span


@record
class Call:
    """`outs = fn(*args, **kwargs)`; a keyword of None stands for `**mapping`.

    Attributes
    ----------
    outs : the variables that it gives: one, several for what is unpacked, none of what is called for its effect.
    fn : the function.
    args, kwargs : its arguments; a `Star` among them is an iterable of arguments.
    span : its place in the user's file.
    how : what specialisation found out about the call; None before.

    Examples
    --------
    >>> from adjoint import ir
    >>> (call,) = ir.of(lambda x: x * x, float).statements
    >>> call.callee.__name__, call.args
    ('mul', (%x, %x))
    """

    outs: tuple[Var, ...]
    fn: Atom
    args: tuple[Atom | Star, ...] = ()
    kwargs: tuple[tuple[str | None, Atom], ...] = ()
    span: Span | None = None
    how: Any = None

    def __reduce__(self) -> Any:
        return Call, (self.outs, self.fn, self.args, self.kwargs, self.span)

    @property
    def out(self) -> Var:
        return self.outs[0]

    @property
    def callee(self) -> Any:
        """The function itself, where the program knows it; None where a variable holds it."""
        return self.fn.value if isinstance(self.fn, Const) else None


@record
class If:
    """`outs = then if cond else orelse`; each block has one result per out.

    If the condition is `ATTEMPT`, the first block is run, and where an exception leaves it, the second one. As far as
    values go, that is a branch on whether the first block comes to its end. Each region still runs in order, so that
    what the first has changed by then stays changed: passes that order effects ask `is_attempt`.

    Attributes
    ----------
    outs : the variables that it gives.
    cond : the condition, a variable or a constant.
    then, orelse : the two blocks.
    span : its place in the user's file.
    primal : of the reverse of a branch, the branch.

    Examples
    --------
    >>> from adjoint import ir
    >>> branch = ir.of(lambda x: x if x > 0 else -x).statements[-1]
    >>> len(branch.then.statements), len(branch.orelse.statements)
    (0, 1)
    """

    outs: tuple[Var, ...]
    cond: Atom
    then: Block
    orelse: Block
    span: Span | None = None
    primal: Any = None

    @property
    def is_attempt(self) -> bool:
        """True if the second block runs where an exception leaves the first."""
        return self.cond is ATTEMPT


@record
class Loop:
    """A `for` over several sequences at once, or a `while`.

    `body.params` are the carried values, then one element per sequence; `body.results` the carried values of the next
    round, then one value per collected list. `outs` are the carried values after the loop, then the collected lists.
    A `while` has no sequences and a `cond` block, whose params are the carried values and whose one result is tested
    before each round.

    Attributes
    ----------
    outs : the carried values after the loop, then the collected lists.
    inits : the carried values before it.
    sequences : what a `for` runs over.
    cond : the block of the condition of a `while`; None of a `for`.
    body : the block of a round.
    exit_flag : the index of a carried flag: a round that ends with it true is the last.
    span : its place in the user's file.
    primal : of the reverse of a loop, the loop.
    equal_lengths : whether all sequences have the same length.
    sequences_invariant : whether they stay as they are until the reverse pass.

    Examples
    --------
    >>> from adjoint import ir
    >>> def power(x, n):
    ...     y = 1.0
    ...     for _ in range(n): y = y * x
    ...     return y
    >>> loop = ir.of(power).statements[-1]
    >>> loop.carried, len(loop.body.statements)
    (1, 1)
    """

    outs: tuple[Var, ...]
    inits: tuple[Atom, ...]
    sequences: tuple[Atom, ...]
    cond: Block | None
    body: Block
    exit_flag: int | None = None
    span: Span | None = None
    primal: Any = None
    equal_lengths: bool = False
    sequences_invariant: bool = True

    @property
    def carried(self) -> int:
        """Number of carried values."""
        return len(self.inits)


@record
class Closure:
    """A function made here; what it captures are the free variables of its block.

    Attributes
    ----------
    out : the variable that holds it.
    function : what it does.
    span : its place in the user's file.

    Examples
    --------
    >>> from adjoint import ir
    >>> derivative = ir.reverse_differentiate(ir.of(lambda x: x * x), float)
    >>> [s.function.body.params for s in derivative.statements if isinstance(s, ir.Closure)]
    [(%y_bar,)]
    """

    out: Var
    function: Function
    span: Span | None = None

    @property
    def outs(self) -> tuple[Var, ...]:
        return (self.out,)


Statement = Call | If | Loop | Closure


@record
class Block:
    """Statements with parameters and results: a function's body, a branch, a round of a loop.

    Attributes
    ----------
    params : the variables that it is given.
    statements : what it does, in order.
    results : what it gives.

    Examples
    --------
    >>> from adjoint import ir
    >>> body = ir.of(lambda x: x * x + x, float).function.body
    >>> len(body.params), len(body.statements), len(body.results)
    (2, 2, 1)
    """

    params: tuple[Var, ...]
    statements: tuple[Statement, ...]
    results: tuple[Atom, ...]
    free: tuple[Var, ...] | None = field(default=None, init=False, repr=False)
    """Results of `free_variables`: blocks lie in blocks, and each is looked at once."""


@record
class Signature:
    """The way in which a call's arguments meet the parameters (the function itself not counted).

    Attributes
    ----------
    names : all parameters in the order of `Function.params[1:]`: positional ones, then keyword-only ones, then the one
        that takes `*args`, then the one that takes `**kwargs`, if any.
    posonly : how many of them are given by position only.
    positional : how many are given by position.
    kwonly : how many are given by keyword only.
    varargs, varkw : whether there is one for `*args`, and one for `**kwargs`.

    Examples
    --------
    >>> from adjoint import ir
    >>> signature = ir.of(lambda x, /, y, *rest, z: x * y * z).function.signature
    >>> signature.names, signature.posonly, signature.positional, signature.kwonly, signature.varargs
    (('x', 'y', 'z', 'rest'), 1, 2, 1, True)
    """

    names: tuple[str, ...] = ()
    posonly: int = 0
    positional: int = 0
    kwonly: int = 0
    varargs: bool = False
    varkw: bool = False


def gives(place: str, taken: Set[str], filled: Set[str]) -> bool:
    """Tell whether results may come from a container, of those of which items are taken, or from one beside it."""
    return place in taken or bool((taken & filled) - {place})


FIELDS = ".*"
"""The place of fields of the first parameter that only the run knows: `getattr(self, name)`."""


@record
class Remembers:
    """The places where a function asks whether it has met its parameters before, and where it stores them. Places
    are paths: those that begin with a dot are fields of the first parameter, all others begin with a name of others."""

    own: frozenset[str]
    """Parameters that it looks for where it, or a function beside it, stores such."""
    searched: dict[str, frozenset[str]]
    """Containers in which it looks for parameters, with these."""
    compared: dict[str, frozenset[str]]
    """Places that it compares with parameters, with these."""
    assigned: frozenset[str]
    """Places that it binds to copies of parameters."""
    stored: frozenset[str]
    """Places that hold such, or into which it puts them."""
    looked_up: dict[str, frozenset[str]]
    """Tables in which it looks something up under parameters, with these."""
    entered: frozenset[str]
    """Tables in which it stores something under them."""
    asked: frozenset[str]
    """Tables of which it asks whether there is something."""
    tested: frozenset[str]
    """Places that it compares with anything."""
    taken: frozenset[str]
    """Containers of which it uses items for more than to compare them."""
    filled: frozenset[str]
    """Containers into which it puts anything."""
    used: frozenset[str]
    """Fields that it reads for more than to compare them, or to count on."""


@record
class Function:
    """A function.

    Attributes
    ----------
    name : its name.
    body : its block. The first parameter is the function object itself (a nested `Closure` has no such parameter).
    signature : how arguments meet the parameters.
    filename, firstline, span : its place.
    free : the names that it captures.
    captures : of a nested function, the values that it captures.

    Examples
    --------
    >>> from adjoint import ir
    >>> def square(x): return x * x
    >>> function = ir.of(square).function
    >>> function.name, function.signature.names, len(function.body.statements)
    ('square', ('x',), 1)
    """

    name: str
    body: Block
    signature: Signature = field(default_factory=Signature)
    filename: str = "<unknown>"
    firstline: int = 1
    free: tuple[str, ...] = ()
    span: Span | None = None
    captures: tuple[Atom, ...] | None = None
    """Of a nested function: what it captures, by the positions that its cotangents have; None stands for what it reads,
    in this order. What is made of it keeps them, whatever it still reads."""
    remembers: Remembers | None = None
    """How it remembers results between calls, if its text shows that."""

    @property
    def params(self) -> tuple[Var, ...]:
        return self.body.params

    @property
    def result(self) -> Atom:
        return self.body.results[0]


def blocks_of(statement: Statement) -> tuple[Block, ...]:
    """The regions a statement owns."""
    if isinstance(statement, Call):
        return ()
    if isinstance(statement, If):
        return statement.then, statement.orelse
    if isinstance(statement, Loop):
        return (statement.body,) if statement.cond is None else (statement.cond, statement.body)
    return (statement.function.body,)


def statements_within(block: Block) -> Iterator[Statement]:
    """The statements of a block and of the regions within, each before those of its regions."""
    for s in block.statements:
        yield s
        for inner in blocks_of(s):
            yield from statements_within(inner)


def atoms_of(statement: Statement) -> tuple[Atom, ...]:
    """The atoms a statement reads itself, without those that its regions read."""
    if isinstance(statement, Call):
        args: Any = statement.args
        if Star in map(type, args):
            args = [a.value if isinstance(a, Star) else a for a in args]
        if not statement.kwargs:
            return (statement.fn, *args)
        return (statement.fn, *args, *[value for _, value in statement.kwargs])
    if isinstance(statement, If):
        return (statement.cond,)
    return (*statement.inits, *statement.sequences) if isinstance(statement, Loop) else ()


def derived(name: str, what: str) -> str:
    """Name, in generated code, of a function that is made of another.

    >>> derived("f", "rrule"), derived("<lambda>", "pullback")
    ('f_rrule', 'lambda__pullback')
    """
    return f"{identifier(name)}_{what}"


def free_variables(block: Block) -> tuple[Var, ...]:
    """Variables that a block reads and does not define, in order of first reading."""
    if block.free is not None:
        return block.free
    defined: set[Atom] = {*block.params}
    found: dict[Atom, None] = {}
    for statement in block.statements:
        read = [*atoms_of(statement), *[v for inner in blocks_of(statement) for v in free_variables(inner)]]
        found.update(dict.fromkeys([a for a in read if a not in defined]))
        defined.update(statement.outs)
    found.update(dict.fromkeys([a for a in block.results if a not in defined]))
    free = tuple([a for a in found if isinstance(a, Var)])
    object.__setattr__(block, "free", free)
    return free


def captures_of(function: Function) -> tuple[Atom, ...]:
    """Variable that a nested function captures, by position."""
    free = free_variables(function.body)
    if function.captures is None:
        return free
    return (*function.captures, *[v for v in free if v not in function.captures])


__all__ = [
    "ATTEMPT", "UNDEF", "Atom", "Block", "Call", "Closure", "Const", "Function", "If", "Loop", "Signature", "Span",
    "Star", "Statement", "Undef", "Var", "atoms_of", "blocks_of", "captures_of", "derived", "free_variables",
    "record", "statements_within",
]  # fmt: skip
