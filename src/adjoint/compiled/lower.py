"""From the typed IR of a program to loops over scalars: statements and calls; what functions mean is in `meanings`."""

from __future__ import annotations

import inspect
import types
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from ..ir import changes
from ..ir.intrinsics import check
from ..ir.nodes import Block, Call, Closure, Const, Function, If, Loop, Star, Statement, Var
from ..ir.nodes import free_variables as free_of
from ..origin import is_ours
from ..transforms.facts import Callee
from ..transforms.uses import in_order
from . import arrays, indexing, lists
from .binding import bound, is_empty
from .branches import branch, raises
from .delayed import Delayed
from .elementary import NOT
from .growable import DiffersError, Filling, most_appended
from .kernel import Lit
from .lists import Grows
from .liveness import Ahead
from .loops import Bound, Carried, Rewritten
from .objects import Assigned, Field, Heap, assign, holds_objects
from .recursion import Recursion
from .ruled import by_rule
from .sharing import is_shared
from .values import (
    Arr,
    CannotCompile,
    Items,
    Known,
    Maybe,
    Once,
    Record,
    Unset,
    Value,
    constant,
    describe,
    is_number,
    keys_of,
)
from .writer import Writer

MAX_DEPTH = 25
MAX_UNROLLED = 64
MAX_ROUNDS = 6


class Lower:
    """Lowers statements into a writer; `env` holds the values of variables."""

    def __init__(
        self,
        writer: Writer,
        lowered: Any,
        given: Sequence[Any] = (),
        in_memory: bool = False,
        recursive: Collection[Function] = (),
    ) -> None:
        self.w = writer
        self.in_memory = in_memory
        self.lowered = lowered
        self.given = given
        self.copies: Mapping[Any, Any] = {}  # those of arguments and globals that the program stores into
        self.depth = 0
        self.ahead = Ahead((), Const(None))
        self.env: dict[Var, Any] = {}
        self.file = ""
        self.span: Any = None
        self.namespace: dict[str, Any] = {}
        self.globals: Any = None  # `(namespace, name)` gives what a global name of the user's stands for
        self.method_of: Any = lambda cls, name: inspect.getattr_static(cls, name, None)
        self.attribute_of: Any = None  # `(class, name)` gives what a class has
        self.record_of: Any = None  # `(function)` gives it by what it holds, which is read at each call of the program
        self.delayed = Delayed(writer, given)
        self.heap = Heap()
        self.recursion = Recursion(recursive)
        self.round: object = None
        """The round that is being lowered."""

    # ---- functions

    def function(self, ir: Function, args: Sequence[Value], namespace: dict[str, Any]) -> Value:
        """The result of a function, whose first argument is the function itself."""
        if ir in self.recursion.known:
            return self.recursion.call(self, ir, args, namespace)
        with self.recursion.opened(ir, args):
            return self.inlined(ir, args, namespace)

    def inlined(self, ir: Function, args: Sequence[Value], namespace: dict[str, Any]) -> Value:
        """The same, with the statements of the function where it is called."""
        if self.depth >= MAX_DEPTH:
            raise CannotCompile(
                "functions that call themselves with containers of other lengths, or with objects, each time"
            )
        saved = self.env, self.namespace, self.file, self.span, self.ahead
        self.depth += 1
        self.ahead = Ahead(args, ir.result)
        self.env = dict(zip(ir.params, args, strict=True))
        self.namespace, self.file = namespace, ir.filename
        try:
            with self.delayed.apart():
                self.block(ir.body)
            result = self.value(ir.result)
        finally:
            self.env, self.namespace, self.file, self.span, self.ahead = saved
            self.depth -= 1
        self.delayed.note(result)
        return result

    def call_function(
        self, f: types.FunctionType, args: Sequence[Value], kwargs: dict[str, Value] | None = None
    ) -> Value:
        """A call of a function of Python, by its source."""
        if isinstance(held := self.with_what_it_holds(Known(f)), Record):
            return self.call_record(held, args, kwargs or {})
        if f.__closure__ and not is_ours(f.__code__.co_filename):
            raise CannotCompile(f"`{f.__name__}`, which holds values of its own, where nothing moves")

        def default(name: str, held: Any) -> Value:
            if not is_ours(f.__code__.co_filename):
                raise CannotCompile(f"the default of `{name}`, where nothing moves")
            return constant(held)

        ir = self.lowered(f)
        flat = bound(f, ir, args, kwargs or {}, default)
        return by_rule(self, f, flat, lambda: self._called(f, ir, (Known(f), *flat), holds_objects(flat)))

    def with_what_it_holds(self, fn: Value) -> Value:
        """A function of the user's that the program names as a constant, by what it holds, which may change."""
        f = fn.value if isinstance(fn, Known) else None
        if type(f) is not types.FunctionType or self.record_of is None or is_ours(f.__code__.co_filename):
            return fn
        return self.record_of(f) if f.__closure__ or f.__defaults__ else fn

    def _called(self, f: types.FunctionType, ir: Function, call: tuple[Value, ...], by_reference: bool) -> Value:
        """A call of a function of Python: `call` is itself, and its arguments."""
        if by_reference:
            return self.by_reference(ir, call, f.__globals__)
        self.in_memory |= is_shared(f, ir, call[1:])
        return self.function(ir, call, f.__globals__)

    def call_record(self, fn: Record, args: Sequence[Value], kwargs: dict[str, Value]) -> Value:
        """A call of a function that holds values of its own, which are read at each call of the program."""
        f = fn.value
        ir = self.lowered(f)
        flat = bound(f, ir, args, kwargs, lambda name, held: fn.get(name))
        others = bool(fn.fields.keys() & set(f.__code__.co_freevars)) and is_empty(f)
        return by_rule(self, f, flat, lambda: self._called(f, ir, (fn, *flat), others or holds_objects(flat)))

    referring = 0

    def by_reference(self, ir: Function, args: Sequence[Value], namespace: dict[str, Any]) -> Value:
        """A function that may assign attributes of objects, and store into arrays that others see; into no lists."""
        self.in_memory = True
        self.referring += 1
        try:
            return self.function(ir, args, namespace)
        finally:
            self.referring -= 1

    # ---- values

    def value(self, atom: Any) -> Value:
        if isinstance(atom, Var):
            found = self.held(atom)
            if isinstance(found, Unset):
                raise CannotCompile(f"a variable that may be unbound{f' (`{atom.name}`)' if atom.name else ''}")
            if isinstance(found, Maybe):
                self.w.check(self.w.op(NOT, found.bound))
                found = self.env[atom] = found.value
            return found
        if isinstance(atom, Const):
            return constant(atom.value)
        return Unset()

    def held(self, atom: Any) -> Value:
        """The same where what is not bound yet is let pass."""
        return self.env.get(atom, Unset()) if isinstance(atom, Var) else self.value(atom)

    def run_through(self, x: Value) -> Value:
        """The items of an iterator, which then has nothing more; anything else as it is."""
        if not isinstance(x, Once):
            return x
        if x.used or x.where is not self.round:
            raise CannotCompile("an iterator that may be run through twice")
        x.used = True
        return x.of

    @contextmanager
    def in_round(self) -> Iterator[None]:
        """Lower, meanwhile, as a round of a loop."""
        outer, self.round = self.round, object()
        try:
            yield
        finally:
            self.round = outer

    def in_list(self, item: Value, items: Arr) -> None:
        """A list that a loop makes gets a copy of an array, which others may see."""
        if self.in_memory and items.buf is not None:
            self.delayed.links.link(item, items.buf)

    # ---- statements

    def block(self, block: Block, again: bool = False) -> None:
        """The statements of a block, which may be run `again`."""
        if raises(block.statements):
            self.w.check(Lit(True))
            return
        with self.ahead.within(block, again):
            for i, s in enumerate(block.statements):
                self.ahead.at(i)
                self.span = getattr(s, "span", None) or self.span
                if not is_ours(self.file):
                    self.w.site = self.file, self.span
                try:
                    self.statement(s)
                except CannotCompile as reason:
                    if reason.where is None and not is_ours(self.file):
                        reason.where = self.file, self.span
                    raise

    def statement(self, s: Statement) -> None:
        self.w.read()
        match s:
            case Call():
                self.call(s)
            case If():
                if s.is_attempt:
                    raise CannotCompile("`try`")
                self.settle(s)
                branch(self, s)
            case Loop():
                self.settle(s)
                self.loop(s)
            case Closure():
                raise CannotCompile("functions that are made within")

    def settle(self, s: Statement) -> None:
        """Compute what has been put off, where that cannot wait until after a region."""
        block = as_block(s)
        self.delayed.before_region(block, [self.env[v] for v in free_of(block) if v in self.env])

    def call(self, s: Call) -> None:
        fn = self.value(s.fn)
        if isinstance(fn, Known) and fn.value in (changes.stored, changes.set_item, changes.stored_unseen):
            self.store(s)
            return
        if isinstance(fn, Known) and fn.value in (changes.set_attribute, changes.hold_field):
            target, name, value = [self.value(a) for a in s.args]
            assign(self, target, name.value, value)
            self.env[s.out] = target
            return
        if isinstance(fn, Known) and fn.value is check:
            self.ask(s)
            return
        if isinstance(s.how, Callee) and s.how.handle.primal is not None:
            fn, spec = self.with_what_it_holds(fn), s.how.handle
            args = [self.value(a) for a in in_order(s)]
            result = self.function(spec.primal, (fn, *args), spec.globals)
        else:
            args = [item for a in s.args for item in self.spliced(a)]
            if any(name is None for name, _ in s.kwargs):
                raise CannotCompile("`**` in a call")
            result = self.apply(fn, args, {str(name): self.value(v) for name, v in s.kwargs})
        self.bind(s.outs, result)

    def ask(self, s: Call) -> None:
        """A question about a value is answered by its type, or not at all."""
        x, holds_of = s.args[0], getattr(getattr(self.value(s.args[1]), "value", None), "holds_of", None)
        if holds_of is None or not isinstance(x, Var) or not holds_of(x.type):
            raise CannotCompile("a value that is asked what it is")

    def spliced(self, a: Any) -> list[Value]:
        if not isinstance(a, Star):
            return [self.value(a)]
        value = self.run_through(self.value(a.value))
        if not isinstance(value, tuple | Items):
            raise CannotCompile(f"`*` of {describe(value)}")
        return arrays.items_of(self.w, value)

    def bind(self, outs: Sequence[Var], result: Value) -> None:
        items = [result] if len(outs) == 1 else arrays.items_of(self.w, result, len(outs)) if outs else []
        for out, item in zip(outs, items, strict=True):
            self.env[out] = item
            self.delayed.note(item)

    def store(self, s: Call) -> None:
        target, key, value = [self.value(a) for a in s.args[:3]]
        if isinstance(target, Items) and not target.named and isinstance(key, Lit | Known) and not self.referring:
            items = [*target.items]
            if target.cls is dict and key.value not in target.keys:
                self.env[s.out] = Items([*items, value], dict, (*target.keys, key.value))
                return
            items[target.place_of(key.value)] = value
            self.env[s.out] = Items(items, target.cls, target.keys)
            return
        if isinstance(target, Items) and target.cls is list and is_number(key) and not self.referring:
            target = lists.of_numbers(self.w, target.items) or target
        if not isinstance(target, Arr):
            raise CannotCompile(f"a store into {describe(target)}")
        buf = self.delayed.before_store(target)
        if target.listed:
            lists.store(self.w, target, key, value)
        else:
            indexing.store(self.w, target, key, arrays.safe(self.w, value, buf))
        self.env[s.out] = target

    branchless = False
    first_order = ""
    """What of the program has first derivatives only."""

    # ---- calls

    def apply(self, fn: Value, args: list[Value], kwargs: dict[str, Value]) -> Value:
        from .meanings import meaning_of

        return meaning_of(self, fn, args, kwargs)

    # ---- loops

    def loop(self, s: Loop) -> None:
        sequences = [keys_of(x) for x in (self.run_through(self.value(x)) for x in s.sequences)]
        if any(isinstance(x, tuple | Items) for x in sequences) and s.exit_flag is None:
            self.unrolled(s, sequences)
            return
        inits = [self.held(x) for x in s.inits]
        kinds: dict[int, str] = {}
        rebound: set[int] = set()
        fields: list[Field] = []
        state = self.heap.state()
        for _ in range(MAX_ROUNDS):
            saved, kept, mark = dict(self.env), len(self.w.statements), self.delayed.links.mark()
            plan, found = Carried(self, s, inits, kinds, rebound, fields), None
            try:
                with self.delayed.apart():
                    written = plan.written(sequences)
                if written:
                    self.env.update({v: x.at_end(self) for v in s.outs if isinstance(x := self.env.get(v), Filling)})
                    return
            except (Grows, Rewritten, Assigned, Bound, DiffersError) as more:
                found = more
            self.env, self.w.statements[kept:] = saved, []
            self.delayed.links.reset(mark)
            self.heap.restore(state)
            inits = [*inits]
            match found:
                case Grows():
                    before = inits[found.place]
                    inits[found.place] = found.room(self.w, before, plan.length(sequences))
                    for item in before.items:
                        self.in_list(item, inits[found.place])
                case Rewritten():
                    inits[found.place] = found.write()
                case Assigned():
                    fields += found.fields
                case DiffersError():
                    inits, state = self.filling(s, inits, plan.length(sequences), found), self.heap.state()
                case Bound():
                    inits = [found.found.get(k, x) for k, x in enumerate(inits)]
                    kinds.clear()
                    rebound.clear()
        raise CannotCompile("a loop whose variables change their type from round to round")

    def filling(self, s: Loop, inits: list[Value], rounds: Any, reason: DiffersError) -> list[Value]:
        """The initial values of a loop, some of whose rounds append to lists."""
        each = {k: most_appended(s, k) for k, x in enumerate(inits) if isinstance(x, Items) and x.cls is list}
        if rounds is None or not any(each.values()):
            raise reason
        return [Filling.of(self, x, rounds, each[k]) if each.get(k) else x for k, x in enumerate(inits)]

    def unrolled(self, s: Loop, sequences: list[Value]) -> None:
        """Round by round, where the items are written down."""
        rows = [arrays.items_of(self.w, x) if isinstance(x, tuple | Items) else x for x in sequences]
        n = min(len(x) for x in rows if isinstance(x, list))
        if n > MAX_UNROLLED:
            raise CannotCompile("a loop over a long tuple")
        carried = [self.held(x) for x in s.inits]
        collected: list[list[Value]] = [[] for _ in s.outs[s.carried :]]
        for i in range(n):
            items = [x[i] if isinstance(x, list) else arrays.element(self.w, x, Lit(i)) for x in rows]
            self.env.update(zip(s.body.params, [*carried, *items], strict=True))
            with self.in_round():
                self.block(s.body, again=True)
            results = [self.held(r) for r in s.body.results]
            carried = results[: s.carried]
            for one, r in zip(collected, results[s.carried :], strict=True):
                one.append(r)
        self.env.update(zip(s.outs, [*carried, *[Items(one) for one in collected]], strict=True))


def as_block(s: Any) -> Block:
    """A statement with regions, as a block: what it reads is what is free there."""
    return Block((), (s,), ())
