"""Uses of the variables of a region, on which the resolution of calls relies."""

from __future__ import annotations

import builtins
import operator
from collections.abc import Callable, Container, Iterator, Sequence
from typing import Any

from ..ir import changes, exceptions, intrinsics
from ..ir.nodes import Atom, Block, Call, Const, Function, If, Loop, Star, Statement, Var, atoms_of, blocks_of

STORING = (
    *(changes.set_attribute, changes.hold_field, changes.delete_attribute, changes.initialise, changes.call_method),
    *(setattr, delattr, changes.call_with),
)
"""Functions that may store into a field."""
CHANGING = (
    changes.set_item,
    changes.delete_item,
    changes.list_append,
    changes.call_method,
    changes.call_with,
    changes.changed,
)
"""Functions that change the items of a list."""
CHANGING_LENGTH = (changes.call_method, changes.call_with, changes.changed)
GROWING = (changes.list_append, *CHANGING_LENGTH)
"""Functions that may let a list grow; the first is called of one that nobody else has, by a comprehension."""


def stored_back(body: Sequence[Statement]) -> dict[Var, Atom]:
    """The results of `x[i] op v` in `x[i] op= v`, which are stored where the operand came from, each with that `x`."""
    made: dict[Any, Call] = {}
    found: dict[Var, Atom] = {}

    def walk(statements: Sequence[Statement]) -> None:
        for s in statements:
            if isinstance(s, Call) and isinstance(s.fn, Const):
                made.update(dict.fromkeys(s.outs, s))
                if s.fn.value is changes.set_item:
                    container, index, value = s.args
                    operation = made.get(value)
                    read = made.get(operation.args[0]) if operation is not None and operation.args else None
                    part = read is not None and read.fn.value is operator.getitem  # type: ignore[union-attr]
                    if part and read.args[0] is container and read.args[1] is index:  # type: ignore[union-attr]
                        found.update(dict.fromkeys(operation.outs, container))  # type: ignore[union-attr,arg-type]
            for block in blocks_of(s):
                walk(block.statements)

    walk(body)
    return found


def put_back(body: Sequence[Statement]) -> set[Var]:
    """The results of the stores that put `x[i]` back into `x` after a store into it: Python does none of these."""
    made: dict[Any, Call] = {}
    found: set[Var] = set()
    for s in calls_of(body):
        made.update(dict.fromkeys(s.outs, s))
        store = made.get(s.args[-1]) if is_call_of(s, (changes.set_item,)) else None
        read = made.get(store.args[0]) if store is not None and store.args else None
        by_item = read is not None and is_call_of(read, (operator.getitem,)) and read.args[1] is s.args[1]
        if by_item and is_call_of(store, CHANGING) and read.span == s.span:  # type: ignore[union-attr]
            found.update(s.outs)
    return found


def calls_of(statements: Sequence[Statement]) -> Iterator[Call]:
    """All calls in a region and those within, in order."""
    waiting = [iter(statements)]  # not a generator for each region: in the innermost, each call would go through all
    while waiting:
        for s in waiting[-1]:
            if isinstance(s, Call):
                yield s
            elif blocks := blocks_of(s):
                waiting += [iter(block.statements) for block in reversed(blocks)]
                break
        else:
            waiting.pop()


def calls_any(statements: Sequence[Statement], functions: tuple[Any, ...]) -> bool:
    """Tell whether one of these functions is called in a region."""
    todo = [statements]
    while todo:
        for s in todo.pop():
            if isinstance(s, Call):
                if is_call_of(s, functions):
                    return True
            else:
                todo += [block.statements for block in blocks_of(s)]
    return False


def has_attempts(block: Block) -> bool:
    """Tell whether there are attempts in a block or those within."""
    return any(isinstance(s, If) and s.is_attempt or any(map(has_attempts, blocks_of(s))) for s in block.statements)


def is_call_of(s: Any, functions: tuple[Any, ...]) -> bool:
    """Tell whether a statement is a call of one of these functions."""
    if isinstance(s, Call) and isinstance(s.fn, Const):
        fn = s.fn.value
        for f in functions:
            if fn is f:
                return True
    return False


class Definitions:
    """The statements of a block that define variables: each block is gone through once, when it is first asked for."""

    def __init__(self) -> None:
        self.known: dict[Block, dict[Atom, Statement]] = {}

    def find(self, v: Atom, block: Block) -> Statement | None:
        """The statement of a block that defines a variable; None if it is none of the block's own."""
        found = self.known.get(block)
        if found is None:
            found = self.known[block] = {out: s for s in block.statements for out in s.outs}
        return found.get(v)


def outs_of(block: Block) -> set[Var]:
    """The variables that the statements of a region define, those within its regions left out."""
    return {out for s in block.statements for out in s.outs}


def first_arguments(statements: Sequence[Statement], function: Any) -> set[Atom]:
    """The first arguments with which a function is called, in a region and those within."""
    calls = [s for s in calls_of(statements) if isinstance(s.fn, Const) and s.fn.value is function]
    return {a for s in calls for a in s.args[:1] if not isinstance(a, Star)}


def places_of(block: Block) -> dict[Atom, list[tuple[Any, int | None]]]:
    """The places where each atom is read: the statement; of results of blocks the statement that owns the block, and
    which."""
    places: dict[Atom, list[tuple[Any, int | None]]] = {}

    def walk(block: Block, owner: Statement | None) -> None:
        for s in block.statements:
            for a in atoms_of(s):
                places.setdefault(a, []).append((s, None))
            for inner in blocks_of(s):
                walk(inner, s)
        for i, r in enumerate(block.results):
            places.setdefault(r, []).append((owner, i))

    walk(block, None)
    return places


def uses_of(block: Block) -> dict[Atom, list[Statement | None]]:
    """The statements where each atom is read; None where it is the result of a block."""
    return {a: [s if i is None else None for s, i in places] for a, places in places_of(block).items()}


def only_tested(function: Function) -> set[Var]:
    """Variables that decide which way a program goes, and nothing else."""
    return _only(
        function,
        lambda s, atom: isinstance(s, If) and atom is s.cond,
        lambda s, inner: isinstance(s, Loop) and inner is s.cond,
    )


def conditions(function: Function) -> set[Var]:
    """The same, with what `and` and `or` give such: of these it is only asked whether they are true."""
    found: set[Var] = set()

    def given(s: Statement, inner: Block) -> bool:
        return isinstance(s, Loop) and inner is s.cond or len(s.outs) == 1 and s.outs[0] in found

    while (more := _only(function, lambda s, atom: isinstance(s, If) and atom is s.cond, given)) != found:
        found = more
    return found


def asked_at_once(body: Block) -> set[Var]:
    """Variables that a branch gives, and of which the next thing is a test that asks for their truth: `a and b`."""
    uses, found = uses_of(body), set[Var]()

    def visit(block: Block, last: Atom | None) -> None:
        for s, after in zip(block.statements, (*block.statements[1:], None), strict=False):
            asked = last if after is None else after.cond if isinstance(after, If) else None
            here = isinstance(s, If) and asked in s.outs and len(uses[asked]) == 1
            if here:
                found.add(asked)  # type: ignore[arg-type]
            for inner in blocks_of(s):
                of_test = isinstance(s, Loop) and inner is s.cond
                given = inner.results[0 if of_test else s.outs.index(asked)] if of_test or here else None
                visit(inner, given)

    visit(body, None)
    return found


def only_raised(function: Function, *by: Any) -> set[Var]:
    """Variables that are raised, and nothing else; or handed to others `by` which that is done."""
    return _only(
        function, lambda s, atom: is_call_of(s, (intrinsics.raise_, *by)) and atom is s.args[0], lambda s, inner: False
    )


def _only(function: Function, read: Callable[[Any, Atom], bool], given: Callable[[Statement, Block], bool]) -> set[Var]:
    """Variables that are read by statements so, or given by blocks within these so, and never otherwise."""
    found: dict[Var, bool] = {}

    def use(atom: Atom, so: bool) -> None:
        if isinstance(atom, Var):
            found[atom] = found.get(atom, True) and so

    def visit(block: Block) -> None:
        for s in block.statements:
            for atom in atoms_of(s):
                use(atom, read(s, atom))
            for inner in blocks_of(s):
                visit(inner)
                for r in inner.results:
                    use(r, given(s, inner))

    visit(function.body)
    for r in function.body.results:
        use(r, False)
    return {v for v, yes in found.items() if yes}


_NAMES = (intrinsics.load_global, intrinsics.capture, intrinsics.make_function, builtins.getattr)


def _names(s: Statement) -> bool:
    """Tell whether a statement only reads a name, or makes a function."""
    return isinstance(s, Call) and isinstance(s.fn, Const) and any(s.fn.value is f for f in _NAMES)


def single_purpose(function: Function, lazy: Container[Atom] = ()) -> tuple[set[Var], set[Var], set[Var], set[Var]]:
    """Variables that are only ever called (`m` in `m = x.sum; m(axis=0)`), those that are called or are the first
    argument of calls (`grad(f)` in `grad(grad(f))`), those that one loop runs through, once for each time that they
    are made, and those that one loop runs through so, or one call is given by position or with a star, before anything
    else runs: what is `lazy` runs nothing when it is called."""
    read, not_called, not_first, not_iterated, not_consumed = ({*function.body.results} for _ in range(5))
    iterated: dict[Atom, int] = {}
    consumed: dict[Atom, int] = {}
    around: dict[Atom, Loop | None] = {}

    def visit(statements: Sequence[Statement], loop: Loop | None) -> None:
        fresh: set[Any] = set()  # what has just been made
        for s in statements:
            atoms = atoms_of(s)
            read.update(atoms)
            handed: set[Atom] = set()
            if isinstance(s, Call):
                place = 2 * is_call_of(s, (exceptions.throwing,))
                not_called.update(atoms[:place], atoms[place + 1 :])
                not_first.update(atoms[:place], atoms[place + 2 :])
                not_iterated.update(atoms)
                if fresh and not fresh.isdisjoint(atoms):
                    values = [a.value if isinstance(a, Star) else a for a in s.args]
                    handed = fresh & {a for a in values if around.get(a, s) is loop}
            else:
                not_called.update(atoms)
                not_first.update(atoms)
                sequences = {a for a in s.sequences if around.get(a) is loop} if isinstance(s, Loop) else set()
                for atom in atoms:
                    if atom in sequences:
                        iterated[atom] = iterated.get(atom, 0) + 1
                    else:
                        not_iterated.add(atom)
                handed = fresh & sequences
            for atom in handed:
                consumed[atom] = consumed.get(atom, 0) + atoms.count(atom)
            not_consumed.update(handed.symmetric_difference(atoms) if handed else atoms)
            fresh = {*s.outs, *fresh} if _names(s) or getattr(s, "fn", None) in lazy else {*s.outs}
            around.update(dict.fromkeys(s.outs, loop))
            for block in blocks_of(s):
                visit(block.statements, s if isinstance(s, Loop) else loop)
                for given in (read, not_called, not_first, not_iterated, not_consumed):
                    given.update(block.results)

    visit(function.body.statements, None)
    variables = {a for a in read if isinstance(a, Var)}
    return (
        variables - not_called,
        variables - not_first,
        {a for a, n in iterated.items() if n == 1 and isinstance(a, Var)} - not_iterated,
        {a for a, n in consumed.items() if n == 1 and isinstance(a, Var)} - not_consumed,
    )


def in_order(s: Call) -> tuple[Atom, ...]:
    """The arguments of a call of a known function, in the order of its parameters."""
    plain = [a for a in s.args if not isinstance(a, Star)]
    named = [v for name, v in s.kwargs if name is not None]
    stars = [a.value for a in s.args if isinstance(a, Star)]
    return (*plain, *named, *stars, *(v for name, v in s.kwargs if name is None))
