"""Untyped IR to typed IR: the types of all variables, what every call resolves to, and which variables are active.

An abstract interpretation: each statement is read once in program order (loops until their types settle) and written
out again with typed variables. What is known of names is folded on the way: globals that are functions, classes or
modules, their attributes, methods of known classes, tuples that are taken apart again.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Set
from types import CodeType
from typing import Any

from ..ir import intrinsics
from ..ir.exceptions import Catching
from ..ir.nodes import UNDEF, Atom, Block, Call, Closure, Const, Function, If, Loop, Span, Star, Statement, Var
from ..ir.types import Known, List, Located, Tuple, Type, Unknown
from . import contents, dicts, generators, groups
from .branches import branch
from .carried import Carried
from .closures import read_closure
from .context import Context
from .facts import NO_EXAMPLE, Items, Path, Source, Structural, is_active
from .followed import begun, follow, sites_of
from .foreseeing import foreseen, foreseen_element
from .frames import Frame
from .function_uses import uses_in
from .growth import grown_after
from .heap import Heap, Memory
from .infer import type_of
from .inner_objects import check_flow
from .located_reads import walk
from .locating import noted
from .loop_tests import check_test
from .memory import widest
from .nested import written
from .objects import without_unread
from .places import Places
from .remembered import check_asked
from .resolve import Resolver
from .rounds import VIEWS
from .standing import check_unseen
from .tails import Tails, read_block
from .unrolling import unrolled
from .virtual import changing, real
from .written import Written, target_of

MAX_ROUNDS = 4


class Specialiser:
    """Rewrites one function for the types of its arguments."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.env: dict[Var, Atom] = {}
        self.facts: dict[Atom, Any] = {}
        self.statements: list[Statement] = []
        self.settled: dict[Loop, dict[Any, tuple[Type, bool]]] = {}
        self.frame = Frame(context.function, context.globals)
        later = [context.function.params[i] for i in context.growing]
        known = uses_in(context, context.function, context.globals).grown
        self.grown = grown_after(context.function, later) if later else {**known}
        self.known: set[Function] = set()  # the functions written out of which it is known what grows in them
        self.loops, self.unrolled = 0, 1  # how many there are around what is read, and how often that is written out
        self.later: frozenset[Atom] = frozenset()  # what grows after the call of the one that is being written out
        grown = [vs & {*s.sequences} for s, vs in self.grown.items() if isinstance(s, Loop)]
        self.unsteady = context.grows or context.collects or any(grown)
        self.heap = Heap(context.real)
        self.here = self.heap.top
        """Stands for the block that is being written."""
        self.narrowed: dict[Atom, Any] = {}  # classes in the side of a branch that is read: `by_class` says it
        self.round = object()
        """Stands for the round of a loop of which that is a part, or for the function."""
        self.seen: dict[tuple[Atom, str], Any] = {}  # what fields of references hold, as was seen last
        self.changes: dict[tuple[type, str], int] = {}  # how often the fields of a class have been stored into
        self.origin: dict[Atom, Var] = {}
        """What gives a list, a dict or an array in the untyped program."""
        self.empty: dict[Atom, Var] = {}  # what gives an empty list in the untyped program
        self.operands: dict[Function, Any] = {}  # what is read at once in functions: `operands` says it
        self.items: dict[Atom, tuple[Atom, ...]] = {}  # what is in a list that a loop collects
        self.ways: dict[Atom, tuple[Atom, ...]] = {}  # what it is one of, where ways have met
        self.tails = Tails()
        self.resolver = Resolver(self)
        self.written = Written(self)
        self.iterated: tuple[Atom, ...] = ()  # the lists of objects that the loops around run through
        self.pinned: set[Var] = set()  # those that are to stay as long as they are
        self.packed: Set[Var] = frozenset()  # lists in generators of which a tuple is made
        self.appended: set[Var] = set()  # those that the loop which is read appends to
        self.receive: Callable[[Atom], Atom] | None = None
        """Receiver of the values of the generator that is being written out."""
        self.catching = Catching()  # what handles what the function throws that is written out
        self.suspended: list[CodeType] = []
        """The code of generators that wait for what is done with what they gave."""
        self.attended: set[Var] = set()  # those that the profile has been asked about
        self.places = Places()
        self.kinds: dict[Any, Any] = {}  # kinds of values by which calls are split: `splitting` says it
        self.told: dict[Atom, tuple[Any, Atom]] = {}  # what they are taken for in a block that has asked
        self.open: set[Var] = set()  # those of which no more is known than of which kind they are
        self.followed: set[Var] = set()
        self.know_memory(context.function)

    # ---- the function

    def run(self, types: tuple[Type, ...], active: tuple[bool, ...], examples: tuple[Any, ...] = ()) -> Function:
        """The typed function for arguments (the function itself first) of these types."""
        old, memory = self.context.function, self.context.generation.memory
        self.types = types
        params = []
        for i, (param, t, a) in enumerate(zip(old.params, types, active, strict=True)):
            t = t if memory is None else widest(memory, t)
            new = Var(param.name, t, a and t.differentiable)
            self.env[param] = Const(t.value) if isinstance(t, Known) else new
            params.append(new)
            if i not in self.context.growing:
                self.resolver.given.add(new)
            if examples and examples[i] is not NO_EXAMPLE:
                self.facts[new] = Path(i, (), examples[i])
            elif self.context.profile is not None:
                self.open.add(new)
            self.written.enter(param, new)
        check_asked(self.resolver, old, params[1:])
        self.block(old.body)
        results = self.written.leave(tuple([real(self.resolver, self.atom(r)) for r in old.body.results]))
        check_unseen(self, results)
        check_flow(self, results)
        body = Block(tuple(params), tuple(self.statements), results)
        body = without_unread(body)
        return Function(old.name, body, old.signature, old.filename, old.firstline, old.free, old.span)

    def is_read(self, function: Function) -> bool:
        """Tell whether the statements of a function are being read: its variables stand for something."""
        return function in (self.context.function, *self.frame.functions)

    def know(self, function: Function) -> None:
        """Take up what grows, and what is stored back, in a function that is written out."""
        self.known.add(function)
        uses = self.resolver.uses_in(function)
        self.grown.update(uses.grown)
        self.resolver.stored_back.update(uses.stored_back)
        self.resolver.put_back.update(uses.put_back)
        self.know_memory(function)

    def know_memory(self, function: Function) -> None:
        """Take up what a function makes that others store into."""
        if function in self.context.handed:
            self.followed |= sites_of(function, self.context.handed[function])

    # ---- regions

    def atom(self, atom: Atom) -> Atom:
        """The new form of an atom."""
        return self.heap.now(self.env.get(atom, UNDEF)) if isinstance(atom, Var) else self.frame.constant(atom)

    def block(self, block: Block) -> None:
        read_block(self, block)

    def region(
        self, block: Block, asks: bool = False, but: Callable[[], Container[Any]] = tuple
    ) -> tuple[list[Statement], tuple[Atom, ...]]:
        """Specialise a block on the side, which `asks` if the loop goes on. Its results are made, `but` for some."""
        outer, self.statements = self.statements, []
        around, self.here = self.here, object()
        self.block(block)
        results = (
            tuple([contents.truth(self, self.atom(r), r) for r in block.results])
            if asks
            else self.results(block, but())
        )
        inner, self.statements, self.here = self.statements, outer, around
        return inner, results

    def results(self, block: Block, but: Container[Any] = ()) -> tuple[Atom, ...]:
        """Results of a block: objects that it has made are made of their fields, `but` for some."""
        pairs = [(r, self.atom(r)) for r in block.results]
        made = [self.heap.is_from(a, self.here) and r not in but for r, a in pairs]
        return tuple([real(self.resolver, a) if own else a for (_, a), own in zip(pairs, made, strict=True)])

    def statement(self, s: Statement) -> None:
        outer = self.places.enter(s)
        match s:
            case Call():
                self.call(s)
            case If():
                branch(self, s)
            case Loop():
                self.loop(s)
            case Closure():
                read_closure(self, s)
        self.places.leave(outer)

    def call(self, s: Call) -> None:
        args: list[Atom | Star] = [Star(self.atom(a.value)) if isinstance(a, Star) else self.atom(a) for a in s.args]
        if self.receive is not None and (sent := generators.sent(self, s, args)) is not None:
            self.env[s.out] = sent
            return
        kwargs = [(name, self.atom(value)) for name, value in s.kwargs]
        self.resolver.unsteady = {*map(self.atom, self.grown.get(s, ())), *self.later, *self.heap.growing}
        start, fn = len(self.statements), self.atom(s.fn)
        own = s
        if (span := self.frame.span) is not None:
            s = Call(s.outs, s.fn, s.args, s.kwargs, span, s.how)
        results = contents.call(self, s, fn, args, kwargs)
        if self.context.generation.memory is not None:
            results = [noted(self, out, value, s) for out, value in zip(s.outs, results, strict=True)]
        for i, (out, value) in enumerate(zip(s.outs, results, strict=True)):
            self.env[out] = value if self.context.profile is None else foreseen(self, (own, i), value, start)
            if out in self.followed:
                follow(self, out, self.env[out])
            self.env[out] = begun(self, out, self.env[out])

    def changed(self, s: Call, args: list[Any]) -> Memory | None:
        """The memory of a virtual object that a call changes in place."""
        self.heap.stores += bool(self.heap.managers) and target_of(s) is not None
        if not self.heap.versions and not self.context.writes:
            return None
        place = target_of(s)
        return None if place is None or place >= len(args) else changing(self.resolver, args[place])

    def span(self, s: Statement) -> Span | None:
        """The place of a statement in the file of the function."""
        return self.frame.span or s.span

    # ---- loops

    def loop(self, s: Loop) -> None:
        s = contents.of_loop(self, s)
        if unrolled(self, s):
            return
        inits = [self.atom(a) for a in s.inits]
        if generators.run_through(self, s):
            return
        source = self.facts.get(self.atom(s.sequences[0])) if len(s.sequences) == 1 else None
        equal_lengths = s.equal_lengths or isinstance(source, Source) and source.equal_lengths
        around_groups, appended, self.appended = self.iterated, self.appended, set()
        sequences, bind_elements = self.sequences(s)
        self.heap.check(sequences)
        old_facts = dict(self.facts)
        carried = Carried(self, s, inits)
        n, rounds = s.carried, 0
        outer_round, self.round = self.round, object()
        while True:  # activity and types only grow, and types not for long
            self.facts = dict(old_facts)
            params = carried.enter(s.body.params)
            cond = None
            if s.cond is not None:
                params = carried.enter(s.cond.params)
                statements, results = self.region(s.cond, asks=True)
                carried.check_unchanged(results)
                cond = Block(tuple(params), tuple(statements), results)
                params = carried.enter(s.body.params)
            outer, self.statements = self.statements, []
            around, self.here = self.here, object()
            self.loops += 1
            elements = bind_elements()
            self.block(s.body)
            self.loops -= 1
            forms, given = groups.of_rounds(self, s.body, n, s.outs, carried.kept(s.body.results[:n]))
            body, self.statements, self.here = self.statements, outer, around
            self.heap.check(given[n:])
            found = carried.leave(given[:n])
            results = (*carried.results, *given[n:])
            if not found:
                old = carried.state
                carried.widen(final=rounds >= MAX_ROUNDS - 1)
                if carried.state == old:
                    break
                rounds += 1
        self.round = outer_round
        after = self.grown.get(s, set())
        grow = any(q in after and isinstance(type_of(self.atom(q)), (List, Unknown)) for q in s.sequences)
        grow = grow or any(map(self.heap.memory, sequences))
        grow = grow or any([isinstance(type_of(a), Located) for a in sequences])
        sequences_invariant = not grow and not (isinstance(source, Source) and not source.sequences_invariant)
        outs = carried.exit(s.outs[:n])
        self.iterated, collected = around_groups, list[Var]()
        rest = iter(results[len(outs) :])
        for i, out in enumerate(s.outs[n:], n):
            names = forms[i][1] if i in forms else (out.name,)
            items = [a for _, a in zip(names, rest, strict=False)]
            lists = [Var(name, List(type_of(a)), is_active(a)) for name, a in zip(names, items, strict=True)]
            self.env[out] = groups.group(self, out, forms[i], lists) if i in forms else lists[0]
            self.items[lists[0]] = tuple(items)
            collected.append(out)
            outs += lists
        block = Block((*params, *elements), tuple(body), results)
        if cond is not None and not self.context.plain:
            check_test(self.resolver, cond)
        self.statements.append(
            Loop(
                tuple(outs),
                tuple(carried.inits),
                tuple(sequences),
                cond,
                block,
                carried.place(s.exit_flag),
                self.span(s),
                None,
                equal_lengths,
                sequences_invariant,
            )
        )
        for out in collected:
            self.resolver.made[self.env[out]] = self.statements[-1]
            self.env[out] = noted(self, out, self.env[out], s)
        dicts.check_keys(self.resolver, s, sequences)
        for own in [own for own in self.heap.groups if own in self.appended and own in self.heap.objects]:
            groups.settle(self, own)
        self.appended = appended

    def sequences(self, s: Loop) -> tuple[list[Atom], Any]:
        """The sequences that the loop runs through, `zip` and `enumerate` taken apart, and how a round binds its
        elements."""
        sequences: list[Atom] = []
        plans: list[tuple[Var, Any]] = []
        olds = s.body.params[s.carried :]
        for old, sequence in zip(olds, s.sequences, strict=True):
            given = dicts.run_through(self.resolver, s, sequence)
            plans.append((old, self.plan(s, given, sequences, alone=len(olds) == 1)))

        def bind() -> list[Var]:
            elements: list[Var] = []
            for old, plan in plans:
                self.env[old] = self.element(s, plan, elements, old.name)
            return elements

        return sequences, bind

    def plan(self, s: Loop, sequence: Atom, sequences: list[Atom], alone: bool) -> Any:
        fact = self.facts.get(sequence)
        if isinstance(fact, Source) and fact.kind == "iter":
            return self.plan(s, fact.atoms[0], sequences, alone)
        if isinstance(fact, Source) and alone and fact.kind not in ("accumulate", *VIEWS):
            f, parts = (fact.atoms[0], fact.atoms[1:]) if fact.kind == "map" else (None, fact.atoms)
            self.resolver.pending.pop(sequence, None)  # type: ignore[arg-type]
            plans = [self.plan(s, a, sequences, True) for a in parts]
            return ("tuple", plans) if f is None else ("map", plans, f)
        if (walked := walk(self, s, sequence, sequences)) is not None:
            return walked
        if sequence in self.heap.groups:
            self.iterated = (*self.iterated, sequence)
            count = self.resolver.emit_call(len, [groups.first(self.heap, sequence)], self.span(s))
            sequences.append(self.resolver.emit_call(range, [count], self.span(s)))
            return ("item", sequence, ("element", sequences[-1]))
        start = len(self.statements)
        sequence = dicts.iterable(self.resolver, written(self.resolver, sequence, s), self.span(s))
        if self.context.profile is not None:
            sequence = foreseen(self, (s, len(sequences)), sequence, start)
        sequences.append(sequence)
        return ("element", sequence)

    def element(self, s: Loop, plan: Any, elements: list[Var], name: str) -> Atom:
        if plan[0] == "element":
            t = dicts.element_type(self.resolver, plan[1])
            element = Var(name, t, is_active(plan[1]) and t.differentiable)
            self.ways[element] = (plan[1],)  # a part of it
            if self.context.profile is not None:
                element = foreseen_element(self, (s, "element", len(elements)), element, plan[1], self.span(s))
            elements.append(element)
            for known in (self.resolver.given, self.resolver.counted):
                if plan[1] in known:
                    known.add(element)
            return element
        if plan[0] == "key":
            elements.append(Var(name, plan[1], False))
            return elements[-1]
        if plan[0] == "walk":
            return plan[1](self.element(s, plan[2], elements, ""), name)  # type: ignore[no-any-return]
        if plan[0] == "item":
            return groups.at(self.heap, plan[1], self.element(s, plan[2], elements, ""), name)
        items = [self.element(s, p, elements, "") for p in plan[1]]
        if plan[0] == "map":
            return self.resolver.call(Call((Var(name),), plan[2], span=s.span), plan[2], [*items], [])[0]
        out = Var(name, Tuple(tuple(type_of(a) for a in items)), any(map(is_active, items)))
        self.facts[out] = Items(tuple(items))
        self.statements.append(
            Call((out,), Const(intrinsics.make_tuple), tuple(items), span=s.span, how=Structural("tuple"))
        )
        return out
