"""Programs of functions, of types, and built by hand."""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Any

from ..classify import kind_of
from ..depth import with_room
from ..errors import (
    MutationError,
    SourceUnavailableError,
    StructureError,
    UnsupportedSyntaxError,
    calling_place,
    check_callable,
)
from ..ir.intrinsics import load_global, make_dict, make_list, make_tuple, observe
from ..ir.nodes import Atom, Block, Call, Const, Function, If, Loop, Signature, Star, Statement, Undef, Var
from ..ir.types import UNKNOWN, Type
from ..ir.verification import verify
from ..rules.registry import not_implemented
from ..runtime.argnums import name_of
from ..runtime.called import function_of_call
from ..runtime.generation import Generation
from ..runtime.spec import Spec, lowered, reads_self
from ..runtime.typeof import typeof
from .checking import check_called, check_count, check_given, check_names, check_part, check_program
from .constants import constant
from .copying import are_alike, copied
from .functions import ProgramFunction, bound
from .functions import function as function_of
from .kinds import lies_within, refuse_texts, type_of_argument, words_of
from .loading import loaded, settled
from .passes import instrument, replace_calls, rewrite
from .program import Program
from .resolving import handed


@with_room
def of(f: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Program:
    """The program of a function.

    Without arguments it is the program as it was read: names are looked up as it runs, and it is for arguments of any
    types. With arguments it is that for their types: what is called is known, and stands in the program. The page "The
    printed form of programs" tells how to read it.

    Parameters
    ----------
    f : a function written in Python, or one that `function` made. Of a method, and of an object that is called, it is
        the program of its function, of which the object is the first argument.
    args, kwargs : arguments, of which only the types count; or types alone: `float`, `np.ndarray`, `list[float]`,
        `tuple[float, int]`, `dict[str, float]`, a class of your own. `f` is not run.

    Raises
    ------
    SourceUnavailableError
        If it is not written in Python, or its text is not there.
    UnsupportedSyntaxError
        If it has statements that the IR has no form of.

    Examples
    --------
    >>> from adjoint import ir
    >>> def f(x): return x * x + 1
    >>> ir.of(f)
    1: (%1, %2)
      %3 = mul(%2, %2)
      %4 = add(%3, 1)
      return %4
    """
    check_callable(f)
    if isinstance(f, ProgramFunction):
        return primal(f.program, *args, **kwargs) if args or kwargs else handed(f.program)
    if kind_of(f) == "gradient":
        raise SourceUnavailableError(
            f"there is no program of the gradient of `{name_of(f)}` itself",
            "it is made when it is called",
            f"take `adjoint.ir.reverse_differentiate(adjoint.ir.of({name_of(f)}))`, or the program of a function that "
            "calls the gradient",
            calling_place(),
        )
    function, given, named = function_of_call(f, args, kwargs)
    own = len(given) - len(args)
    if named.keys() != kwargs.keys() or own and not (own == 1 and kind_of(f) in ("bound", "object")):
        raise SourceUnavailableError(
            f"there is no program of `{name_of(f)}` itself",
            f"it calls `{function.__name__}` with arguments of its own",
            f"take that of `{function.__name__}`, or of a function that calls it",
            calling_place(),
        )
    _check_no_generator(function)
    program = Program(lowered(function), function)
    return primal(program, *given, **kwargs) if args or kwargs else handed(program)


def _check_no_generator(function: types.FunctionType) -> None:
    """Raise `UnsupportedSyntaxError` for a generator function."""
    if function.__code__.co_flags & inspect.CO_GENERATOR:
        name = function.__name__
        raise UnsupportedSyntaxError(
            f"there is no program of the generator function `{name}` itself",
            "a program runs from its beginning to its end, and a generator in pieces, between which its caller runs",
            f"take that of a function which runs through it, for types; `adjoint.inspect.code_ir({name})` prints what "
            "was read",
            calling_place(),
        )


@with_room
def primal(program: Program, /, *args: Any, **kwargs: Any) -> Program:
    """The program for the types of these arguments, from which derivatives are made: calls are resolved, and what is
    small is written out where it is called.

    Parameters
    ----------
    program : a program.
    args, kwargs : arguments of these types, or types alone, as in `of`.

    Raises
    ------
    AdjointError
        Where something cannot be differentiated in its structure; it says where and what to do.

    Examples
    --------
    >>> import math
    >>> from adjoint import ir
    >>> def f(x): return math.sin(x)
    >>> ir.primal(ir.of(f), float)
    1: (%1, %2)
      %3 = math.sin(%2)
      return %3
    """
    check_program("primal", program)
    if program.types is not None and not (args or kwargs):
        return program
    made, flat = typed_for(program, args, kwargs)
    ir = primal_for(made, flat)
    extra = len(ir.params) - len(program.params)
    return handed(as_data(Program(_as_original(ir, program) if extra else ir, program.own, flat[extra:])))


@with_room
def spec_for(
    function: types.FunctionType, arg_types: tuple[Type, ...], own: bool = True, places: Collection[int] | None = None
) -> Spec:
    """The program that is made of a function for these types; `own` asks for the derivative by the function object,
    `places` for those by some of the arguments alone."""
    needs = (own, *(places is None or i in places for i in range(len(arg_types))))
    name = function.__name__
    try:
        return Generation().spec(function, (typeof(function), *arg_types), needs)
    except MutationError as error:
        raise MutationError(
            error.what,
            "a program for certain types has a new value for each store, and here others see the old one",
            f"`adjoint.ir.of({name})` is its program for any types; `adjoint.inspect.code_primal({name}, ...)` and "
            f"`code_adjoint({name}, ...)`, with arguments, show what is differentiated and the derivative that runs",
            error.place,
        ) from None


def spec_of_types(
    function: types.FunctionType,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    own: bool = True,
    places: Collection[int] | None = None,
) -> Spec:
    """The same for a call with types in place of arguments."""
    return spec_for(function, typed_for(Program(lowered(function), function), args, kwargs)[1], own, places)


def primal_for(function: types.FunctionType, arg_types: tuple[Type, ...]) -> Function:
    """The typed program from which the derivative is made."""
    spec = spec_for(function, arg_types)
    assert spec.primal is not None
    return spec.primal


@with_room
def typed_for(
    program: Program, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[types.FunctionType, tuple[Type, ...]]:
    """The function of a program, and the types of its parameters for these arguments."""
    as_read = program.own is not None and are_alike(lowered(program.own), settled(program))
    made = program.own if as_read else loaded(replace(program, types=None))
    n = len(program.params) - 1
    refuse_texts((*args, *kwargs.values()))
    if args or kwargs:
        found = tuple(map(type_of_argument, bound(program, made, args, kwargs)[0]))
        _check_types(program, found)
    else:
        found = program.types or (UNKNOWN,) * n
    return made, (typeof(program.own), *found) if not as_read and reads_self(program.function) else found


def _check_types(program: Program, found: tuple[Type, ...]) -> None:
    """Raise `StructureError` where a program that is for certain types is asked for others."""
    for param, t, declared in zip(program.params[1:], found, program.types or (), strict=False):
        if not lies_within(t, declared):
            raise StructureError(
                f"the program of `{program.name}` is not for `{param.name}` as {words_of(t)}",
                f"it was made for {words_of(declared)}, and what it calls was chosen for that",
                f"begin with the program for any types: {program.for_any}",
                calling_place(),
            )


def _as_original(ir: Function, program: Program) -> Function:
    """A typed program with the parameters of the one that it was made of."""
    body = Block(ir.params[1:], ir.body.statements, ir.body.results)
    return with_signature_of(replace(ir, name=program.function.name, body=body), program)


def with_signature_of(ir: Function, program: Program) -> Function:
    """A program that was made of another one, with its signature and place."""
    like = program.function
    return Function(ir.name, ir.body, like.signature, like.filename, like.firstline, like.free, like.span)


def as_data(program: Program) -> Program:
    """A program whose globals are read from its function object (what was inlined reads them from none), whose calls
    say nothing of the rules that were made for them, and that notes nothing for profiles."""
    own = program.params[0]

    def change(s: Statement) -> Statement | None:
        if not isinstance(s, Call):
            return s
        if isinstance(s.fn, Const) and s.fn.value is observe:
            return None
        of_none = isinstance(s.fn, Const) and s.fn.value is load_global and isinstance(s.args[0], Const)
        return Call(s.outs, s.fn, (own, *s.args[1:]) if of_none else s.args, s.kwargs, s.span)

    return rewrite(program, change)


not_implemented(
    *(of, primal, function_of, rewrite, replace_calls, instrument),
    why="a program is made of the text of a function, through which no derivative flows",
    way_out="make the program outside of what is differentiated",
)


_ROUNDS = {
    "body": "each round gives what the next one carries on",
    "condition": "it is asked before each round whether there is one",
}


class Builder:
    """Builds a program by hand, statement by statement.

    Parameters
    ----------
    name : what the function is called.
    params : the names of its parameters.

    Examples
    --------
    >>> import operator
    >>> from adjoint import grad, ir
    >>> b = ir.Builder("cube", "x")
    >>> x, = b.params
    >>> square = b.call(operator.mul, x, x)
    >>> program = b.build(b.call(operator.mul, square, x))
    >>> program
    1: (%1, %2)
      %3 = mul(%2, %2)
      %4 = mul(%3, %2)
      return %4
    >>> cube = ir.function(program)
    >>> cube(2.0), grad(cube)(2.0)
    (8.0, 12.0)
    """

    def __init__(self, name: str, *params: str) -> None:
        check_names((name, *params))
        self.name = name
        self.own = Var(name)
        self.params = tuple(map(Var, params))
        self.statements: list[Statement] = []

    def call(self, fn: Any, /, *args: Any, **kwargs: Any) -> Var:
        """Add `out = fn(*args, **kwargs)`, and give `out`; what is no atom is a constant."""
        check_called("Builder.call", fn)
        out = Var()
        named = tuple([(key, self._atom(value)) for key, value in kwargs.items()])
        given = tuple([a if isinstance(a, Star) else self._atom(a) for a in args])
        self.statements.append(Call((out,), self._atom(fn), given, named))
        return out

    def named(self, name: str, variable: Var) -> Var:
        """Give a variable the name that it has in Python, and give it: `y = b.named("y", b.call(math.sin, x))`."""
        check_names((name,))
        object.__setattr__(variable, "name", name)
        return variable

    def _atom(self, x: Any) -> Atom:
        """An atom: of a tuple, list or dict with variables in it, what a call makes of them."""
        if isinstance(x, (Var, Const, Undef)):
            return x
        if isinstance(x, (tuple, list, dict)) and _has_variables(x):
            items = [part for item in x.items() for part in item] if isinstance(x, dict) else x
            makes = make_dict if isinstance(x, dict) else make_list if isinstance(x, list) else make_tuple
            return self.call(makes, *items)
        return constant(x)

    def branch(self, cond: Any, then: Callable[[], Any], orelse: Callable[[], Any]) -> Any:
        """Add `outs = then() if cond else orelse()`, both of which add statements of their own: a variable for what
        they give, or a tuple of as many as they give."""
        check_part("first branch", then, 0)
        check_part("other branch", orelse, 0)
        blocks = self._block(then), self._block(orelse)
        n = len(blocks[0].results)
        check_count("other branch", len(blocks[1].results), n, "both give the values that the branch has")
        outs = tuple([Var() for _ in blocks[0].results])
        self.statements.append(If(outs, self._atom(cond), *blocks))
        return outs[0] if len(outs) == 1 else outs

    def loop(self, items: Any, init: Any, body: Callable[..., Any]) -> Any:
        """Add a loop over `items`, in which ``body(carried, item)`` gives what is carried to the next round: the last
        of these. `init` is the first, or a tuple of several: then ``body(*carried, item)`` gives as many."""
        inits = tuple(map(self._atom, init if isinstance(init, tuple) else (init,)))
        params = *[Var(getattr(a, "name", "")) for a in inits], Var()
        outs = tuple([Var(v.name) for v in params[:-1]])
        self.statements.append(
            Loop(outs, inits, (self._atom(items),), None, self._round("body", body, len(inits), *params))
        )
        return outs[0] if len(outs) == 1 else outs

    def loop_while(self, cond: Callable[..., Any], init: Any, body: Callable[..., Any]) -> Any:
        """Add a loop that goes on while ``cond(*carried)`` holds; ``body(*carried)`` gives what is carried on."""
        inits = tuple(map(self._atom, init if isinstance(init, tuple) else (init,)))
        params, asked = ([Var(getattr(a, "name", "")) for a in inits] for _ in range(2))
        outs = tuple([Var(v.name) for v in params])
        test = self._round("condition", cond, 1, *asked)
        self.statements.append(Loop(outs, inits, (), test, self._round("body", body, len(inits), *params)))
        return outs[0] if len(outs) == 1 else outs

    def _round(self, what: str, make: Callable[..., Any], gives: int, *params: Var) -> Block:
        """The block of a loop, which gives so many values."""

        def given(*carried: Var) -> Any:
            found = make(*carried)
            check_given(what, found)
            return found

        check_part(f"{what} of a loop", make, len(params))
        block = self._block(given, *params)
        check_count(f"{what} of a loop", len(block.results), gives, _ROUNDS[what])
        return block

    def _block(self, make: Callable[..., Any], *params: Var) -> Block:
        """A block of the statements that `make` adds."""
        outside, self.statements = self.statements, []
        try:
            found = make(*params)
            results = tuple(map(self._atom, found if isinstance(found, tuple) else (found,)))
            return Block(params, tuple(self.statements), results)
        finally:
            self.statements = outside

    def build(self, result: Any) -> Program:
        """The program that returns `result`, with nodes of its own: what is done with the builder later does not change
        it.

        Raises
        ------
        VerificationError
            If it is not well formed.
        """
        last = self._atom(result)
        body = Block((self.own, *self.params), tuple(self.statements), (last,))
        names = tuple([param.name for param in self.params])
        made = Function(self.name, body, Signature(names, 0, len(names)))
        verify(made)
        return Program(copied(made))


def _has_variables(x: Any) -> bool:
    """True if there are variables in nested containers."""
    if isinstance(x, (tuple, list, dict)):
        return any(map(_has_variables, x.values() if isinstance(x, dict) else x))
    return isinstance(x, Var)
