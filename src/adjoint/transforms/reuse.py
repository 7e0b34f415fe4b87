"""Stores in place, where the array before the store is of no use to anybody.

In the IR a store gives a new array and leaves the old one as it was; printed so, each would copy. This pass goes
through the program that is printed and finds the stores whose old array is new here, held by nobody else and never read
again: those change it. Where something stands in the way a copy is made as far outside of loops as can be. Derivatives
of derivatives start from the program before this pass.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ..ir import changes
from ..ir.nodes import (
    Atom,
    Block,
    Call,
    Closure,
    Const,
    Function,
    If,
    Loop,
    Star,
    Statement,
    Var,
    atoms_of,
    blocks_of,
    free_variables,
)
from ..ir.types import Array, Scalar
from ..tangents import add_at, add_item, added, buffer_like, set_item_back, started, take_item, unbroadcast
from .bars import names_once
from .effects import is_new, of_numpy
from .infer import is_immutable, type_of
from .simplify import substitute
from .uses import calls_of, uses_of
from .versions import TARGETS, Versions, is_array, updated

MAX_ATTEMPTS = 100


def in_place(function: Function) -> tuple[Function, dict[Var, Atom]]:
    """The function with its stores into arrays in place wherever nobody can tell; and for the versions that are no
    variables of their own any more, the variable that each of them is."""
    if not any(updated(s) is not None for s in calls_of(function.body.statements)):
        return function, {}
    apart: set[Any] = set()
    for _ in range(MAX_ATTEMPTS):
        walk = _Walk(function, apart)
        try:
            walk.block(function.body)
            break
        except _Found as found:
            apart.add(found.site)
    else:
        return function, {}
    rewriter = _Rewriter(apart | walk.foreign)
    return replace(function, body=rewriter.block(function.body, {})), rewriter.same


STORES = (changes.stored, changes.stored_unseen, changes.deleted, added)


def copies_in_loop(block: Block, inside: bool = False) -> bool:
    """Whether a loop copies a container in each round, to store an item."""
    for s in block.statements:
        if inside and isinstance(s, Call) and isinstance(s.fn, Const) and any(s.fn.value is f for f in STORES):
            return True
        if any(copies_in_loop(b, inside or isinstance(s, Loop)) for b in blocks_of(s)):
            return True
    return False


class _Found(Exception):
    """What has to copy: a store, what a loop starts with or collects `(loop, i)`, or has collected when it changes
    `(loop, i, array)`, a call that is given an array or gives a view of it `(call, array)`."""

    def __init__(self, site: Any) -> None:
        self.site = site


class _Walk:
    """The program in its order: which arrays are new here, who else holds them, which are overwritten."""

    def __init__(self, function: Function, apart: set[Any]) -> None:
        self.apart = apart
        self.versions = Versions(function.body, apart)
        self.find = self.versions.find
        self.owned: set[Var] = set()
        self.defined: dict[Var, dict[Var, None]] = {}
        self.stale: dict[Var, Call] = {}
        self.held: dict[Var, Any] = {}
        self.loops: list[tuple[Loop, set[Var], set[Var]]] = []
        self.around: dict[Call, list[tuple[Loop, set[Var], set[Var]]]] = {}
        self.foreign: set[Any] = set()
        self.uses = _uses(function.body)

    # ---- statements

    def block(self, block: Block) -> None:
        for s in block.statements:
            match s:
                case Call():
                    self.call(s)
                case If():
                    self.branches(s)
                case Loop():
                    self.loop(s)
                case Closure():
                    self.closure(s)

    def call(self, s: Call) -> None:
        target = updated(s)
        for atom in (*s.args, *(v for _, v in s.kwargs), s.fn):
            atom = atom.value if isinstance(atom, Star) else atom
            if isinstance(atom, Var) and atom is not target:
                self.use(s, atom)
        if target is not None:
            self.update(s, target)
        elif _is_maker(s) or _is_view(s) and (s, s.args[0]) in self.apart:
            self.owned.update(s.outs)
        for out in s.outs:
            self.define(out)

    def update(self, s: Call, target: Var) -> None:
        self.read(target)
        self.owned.add(s.outs[0])
        if s in self.apart:
            return
        root = self.find(target)
        if target not in self.owned or s in self.foreign:
            self.foreign.add(s)
            return
        self.around[s] = [*self.loops]
        if root in self.held:
            raise _Found(self.held[root] or self.outermost(root, s))
        self.stale.update(dict.fromkeys(self.defined.get(root, ()), s))

    def branches(self, s: If) -> None:
        stale, held = dict(self.stale), dict(self.held)
        self.block(s.then)
        self.results(s.then.results)
        after = self.stale, self.held
        self.stale, self.held = stale, held
        self.block(s.orelse)
        self.results(s.orelse.results)
        self.stale = {**self.stale, **after[0]}
        self.held = {**self.held, **after[1]}
        for out, a, b in zip(s.outs, s.then.results, s.orelse.results, strict=True):
            if a in self.owned and b in self.owned:
                self.owned.add(out)
            self.define(out)

    def loop(self, s: Loop) -> None:
        for q in s.sequences:
            if isinstance(q, Var):
                self.use(s, q)
        carried = list(zip(s.body.params, s.inits, strict=False))
        for i, (param, init) in enumerate(carried):
            if not is_array(param) or not isinstance(init, Var):
                continue
            self.read(init)
            if init in self.owned or (s, i) in self.apart:
                self.owned.add(param)
            elif self.is_changed(s, param):
                raise _Found((s, i))
        outside, held = set(self.defined), set(self.held)
        for _ in range(2):
            self.loops.append((s, {v for vs in self.defined.values() for v in vs}, held))
            for param in s.body.params:
                self.define(param)
                self.stale.pop(param, None)
            if s.cond is not None:
                self.owned.update(q for q, p in zip(s.cond.params, s.body.params, strict=False) if p in self.owned)
                for param in s.cond.params:
                    self.define(param)
                self.block(s.cond)
            self.block(s.body)
            self.results(s.body.results[: s.carried])
            for i, r in enumerate(s.body.results):
                if i >= s.carried and isinstance(r, Var) and r in self.versions.parent and not self.shape_only(s, i):
                    if r in self.stale and (s, i, r) not in self.apart:
                        raise _Found((s, i, r))
                    if (s, i, r) not in self.apart:
                        self.hold(r, (s, i))
            self.loops.pop()
            for root in self.defined.keys() - outside:  # another object in each round
                del self.defined[root]
                self.held.pop(root, None)
        for i, (param, _) in enumerate(carried):
            if param in self.owned and s.body.results[i] not in self.owned:
                self.owned.discard(param)
                if self.is_changed(s, param):
                    raise _Found(self.first_update(s, param))
            if param in self.owned:
                self.owned.add(s.outs[i])
        for out in s.outs:
            self.define(out)

    def closure(self, s: Closure) -> None:
        reads = uses_of(s.function.body)
        for v in free_variables(s.function.body):
            if not all(r is not None and _reads_shape(r, v) for r in reads[v]):
                self.hold(v, None)
        owned, self.owned = self.owned, set()
        loops, self.loops = self.loops, []
        self.block(s.function.body)
        self.owned, self.loops = owned, loops

    def results(self, results: Sequence[Atom]) -> None:
        for r in results:
            if isinstance(r, Var):
                self.read(r)

    # ---- variables

    def define(self, v: Var) -> None:
        if v in self.versions.parent:
            self.defined.setdefault(self.find(v), {})[v] = None
            self.stale.pop(v, None)

    def read(self, v: Var) -> None:
        """An old version is read: whoever has overwritten it must not."""
        update = self.stale.get(v)
        if update is not None:
            raise _Found(self.outermost(self.find(v), update, outside=v))

    def use(self, s: Statement, v: Var) -> None:
        if v in self.versions.parent and _reads_shape(s, v):
            return  # all versions have it
        if _looks(s, v):
            self.read(v)
        else:
            self.hold(v, (s, v) if isinstance(s, Call) else None)

    def hold(self, v: Var, site: Any) -> None:
        """Somebody has the array from here on, unless it is given a copy."""
        self.read(v)
        if v in self.versions.parent and site not in self.apart:
            self.held[self.find(v)] = site

    def shape_only(self, s: Loop, i: int) -> bool:
        """Whether of the arrays that a loop collects nothing is asked but their shapes."""
        return self.asks_shape(s.outs[i])

    def asks_shape(self, v: Var) -> bool:
        return all(map(self.is_shape_use, self.uses.get(v, ()), [v] * len(self.uses.get(v, ()))))

    def is_shape_use(self, use: Any, v: Var) -> bool:
        s, i = use
        if isinstance(s, Call):
            turned = isinstance(s.fn, Const) and s.fn.value is reversed
            return self.asks_shape(s.out) if turned else _reads_shape(s, v)
        if isinstance(s, Loop) and i is None:
            return all(
                self.asks_shape(e) for e, q in zip(s.body.params[s.carried :], s.sequences, strict=False) if q is v
            )
        return isinstance(s, Loop) and i >= s.carried and self.asks_shape(s.outs[i])

    # ---- what stands in the way

    def outermost(self, root: Var, s: Call, outside: Var | None = None) -> Any:
        """Where to copy instead of at a store: at the start of the outermost loop around it before which the array was
        held, or which the variable that is read stands outside of."""
        for loop, before, held in self.around[s]:
            there = root in held if outside is None else outside in before
            i = next((i for i, p in enumerate(loop.body.params[: loop.carried]) if self.find(p) is root), None)
            if there and i is not None and (loop, i) not in self.apart:
                return loop, i
        return s

    def is_changed(self, s: Loop, param: Var) -> bool:
        return self.first_update(s, param) is not None

    def first_update(self, s: Loop, param: Var) -> Call | None:
        root = self.find(param)
        return next(
            (c for c in calls_of(s.body.statements) if c not in self.apart and self.of(c) is root and root is not None),
            None,
        )

    def of(self, s: Call) -> Var | None:
        target = updated(s)
        return None if target is None else self.find(target)


def _uses(body: Block) -> dict[Atom, list[tuple[Any, int | None]]]:
    """Where each variable is read: the statement, and which result of its blocks it is, if it is one."""
    uses: dict[Atom, list[tuple[Any, int | None]]] = {}

    def walk(block: Block, owner: Any) -> None:
        for s in block.statements:
            for a in atoms_of(s):
                uses.setdefault(a, []).append((s, None))
            for inner in blocks_of(s):
                walk(inner, s)
        for i, r in enumerate(block.results):
            uses.setdefault(r, []).append((owner, i))

    walk(body, None)
    return uses


def _reads_shape(s: Statement, v: Var) -> bool:
    """Whether a statement asks an array for its shape and dtype, for nothing else."""
    if not isinstance(s, Call) or not isinstance(s.fn, Const):
        return False
    fn = s.fn.value
    if fn is unbroadcast or fn is started:
        return v is not s.args[0]
    if fn is getattr:
        name: Any = s.args[1]
        return name.value in ("shape", "ndim", "size", "dtype")
    return fn is len or fn is buffer_like


def _looks(s: Statement, v: Var) -> bool:
    """Whether a statement leaves nobody who holds one of its operands."""
    if not isinstance(s, Call) or not isinstance(s.fn, Const):
        return False
    fn = s.fn.value
    if fn is operator.getitem:
        return is_immutable(s.outs[0].type) or s.args[0] is not v
    if updated(s) is not None:
        return v is not updated(s)
    if fn in (add_item, add_at):
        return v is not s.args[0]
    return fn is started or fn is changes.copied or _is_new(s, fn)


def _is_new(s: Call, fn: Any) -> bool:
    return is_new(s, fn) and (of_numpy(fn) or getattr(fn, "__module__", "") == "_operator")


def _is_maker(s: Call) -> bool:
    """Whether what a call gives is a new array, which nobody else holds."""
    if not isinstance(s.fn, Const) or len(s.outs) != 1:
        return False
    return any(s.fn.value is made for made in (buffer_like, started, changes.copied)) or _is_new(s, s.fn.value)


def _is_view(s: Any) -> bool:
    """Whether a call reads a part of an array: it may as well be a copy."""
    return isinstance(s, Call) and isinstance(s.fn, Const) and s.fn.value is operator.getitem and is_array(s.outs[0])


class _Rewriter:
    """Writes the program again: what changes in place keeps its variable, also through loops and branches."""

    def __init__(self, apart: set[Any]) -> None:
        self.apart = apart
        self.same: dict[Var, Atom] = {}
        self.early = {site[2] for site in apart if isinstance(site, tuple) and len(site) == 3}
        self.copies: dict[Var, Var] = {}

    def block(self, block: Block, env: dict[Var, Atom]) -> Block:
        statements: list[Statement] = []
        self.keep(block.params, env, None, statements)
        for s in block.statements:
            match s:
                case Call():
                    self.call(s, env, statements)
                case If():
                    self.branches(s, env, statements)
                case Loop():
                    self.loop(s, env, statements)
                case Closure():
                    body = self.block(s.function.body, dict(env))
                    statements.append(replace(s, function=replace(s.function, body=body)))
            self.keep(s.outs, env, s, statements)
        self.same.update(env)
        return Block(block.params, tuple(statements), tuple(_of(r, env) for r in block.results))

    def call(self, s: Call, env: dict[Var, Atom], into: list[Statement]) -> None:
        new: Any = substitute(Block((), (s,), ()), env).statements[0]
        target = updated(s)
        for v in s.args:
            if isinstance(v, Var) and (s, v) in self.apart:
                new = self.apart_from(new, _of(v, env), into)
        if target is None or s in self.apart:
            into.append(new)
            return
        fn = new.fn.value
        env[s.outs[0]] = new.args[TARGETS[fn]]
        if fn is set_item_back:
            into.append(replace(new, outs=s.outs[1:], fn=Const(take_item)))
        elif fn is added:
            simple = names_once(type_of(new.args[1])) and isinstance(type_of(new.args[2]), Array | Scalar)
            into.append(replace(new, outs=(), fn=Const(add_item if simple else add_at)))
        elif fn is changes.in_place:
            into.append(replace(new, outs=(), fn=Const(changes.change)))
        else:
            into.append(replace(new, outs=(), fn=Const(changes.set_item)))

    def apart_from(self, s: Call, v: Atom, into: list[Statement]) -> Call:
        """A call that is given a copy of an array; of a part of it, what the call gives is copied."""
        if _is_view(s):
            part = Var("", s.out.type, s.out.active)
            into.append(replace(s, outs=(part,)))
            return Call(s.outs, Const(changes.copied), (part,), (), s.span)
        copy = self.copy(changes.copied, v, s, into)
        return replace(s, args=tuple(copy if a is v else a for a in s.args))

    def keep(self, defined: Sequence[Var], env: dict[Var, Atom], s: Any, into: list[Statement]) -> None:
        """Copy what is collected as it is now and changed before that."""
        for v in self.early.intersection(defined):
            self.copies[v] = self.copy(changes.kept, env.get(v, v), s, into)

    def copy(self, how: Any, x: Any, s: Statement | None, into: list[Statement]) -> Var:
        out = Var(x.name, x.type, x.active)
        into.append(Call((out,), Const(how), (x,), (), None if s is None else s.span))
        return out

    def branches(self, s: If, env: dict[Var, Atom], into: list[Statement]) -> None:
        then, orelse = self.block(s.then, dict(env)), self.block(s.orelse, dict(env))
        left = []
        for i, (out, a, b) in enumerate(zip(s.outs, then.results, orelse.results, strict=True)):
            if a is b and is_array(out):
                env[out] = a
            else:
                left.append(i)
        then, orelse = (replace(b, results=tuple(b.results[i] for i in left)) for b in (then, orelse))
        into.append(replace(s, outs=tuple(s.outs[i] for i in left), cond=_of(s.cond, env), then=then, orelse=orelse))

    def loop(self, s: Loop, env: dict[Var, Atom], into: list[Statement]) -> None:
        n = s.carried
        inits = [_of(init, env) for init in s.inits]
        for i, init in enumerate(inits):
            if (s, i) in self.apart:
                inits[i] = self.copy(changes.copied, init, s, into)
        same = [i for i in range(n) if is_array(s.body.params[i]) and isinstance(inits[i], Var)]
        while True:
            inner = {**env, **{s.body.params[i]: inits[i] for i in same}}
            body = self.block(s.body, inner)
            stay = [i for i in same if body.results[i] is inits[i]]
            if stay == same:
                break
            same = stay
        left = [i for i in range(n) if i not in same]
        cond = s.cond
        if cond is not None:
            cond = self.block(cond, {**env, **{cond.params[i]: inits[i] for i in same}})
            cond = replace(cond, params=tuple(cond.params[i] for i in left))
        env.update({s.outs[i]: inits[i] for i in same})
        params = (*(body.params[i] for i in left), *body.params[n:])
        more: list[Statement] = []
        kept: list[Atom] = [*body.results]
        for i in range(n, len(kept)):
            if (s, i) in self.apart:
                kept[i] = self.copy(changes.kept, kept[i], s, more)
            elif (s, i, s.body.results[i]) in self.apart:
                kept[i] = self.copies[s.body.results[i]]  # type: ignore[index]
        results = (*(body.results[i] for i in left), *kept[n:])
        outs = (*(s.outs[i] for i in left), *s.outs[n:])
        stop = None if s.stop is None else left.index(s.stop)
        sequences = tuple(_of(q, env) for q in s.sequences)
        body = Block(params, (*body.statements, *more), results)
        carried = tuple(inits[i] for i in left)
        into.append(replace(s, outs=outs, inits=carried, sequences=sequences, cond=cond, body=body, stop=stop))


def _of(atom: Atom, env: dict[Var, Atom]) -> Atom:
    return env.get(atom, atom) if isinstance(atom, Var) else atom
