"""Random statements with blocks: branches, loops, functions, exceptions, contexts, generators, `match`."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st

from .scope import FIRST
from .strange import Strange


class Programs(Strange):
    """All that a scope may do."""

    def block(self, most: int) -> None:
        """One statement or more."""
        for _ in range(self.draw(st.integers(1, most))):
            self.statement()

    def statement(self) -> None:
        self.budget[0] -= 1
        simple: list[Callable[[], None]] = [self.assign, self.augment, self.unpack, self.make, self.make]
        simple += [self.change] * (4 if self.may("mutation") else 2)
        compound: list[Callable[[], None]] = [self.branch, self.for_loop, self.while_loop, self.function]
        if self.may("mutation"):
            compound += [self.matched]
        if self.may("exceptions"):
            compound += [self.guarded, self.guarded, self.cleaned, self.in_context]
        if self.may("generators"):
            compound += [self.generator, self.interleaved, self.returning]
        if self.may("effects"):
            simple += [self.effect]
        if strange := self.strange():
            simple += [strange] * 8
        deep = self.indent > 4 or self.budget[0] < 0
        self.one_of(*(simple if deep else [*simple, *compound]))()

    def branch(self) -> None:
        walrus = self.fresh("n") if self.chance(15) else ""
        if walrus:
            self.line(f"if ({walrus} := {self.number(1)}) < {self.one_of('0.2', '0.9')}:")
            self.bind(walrus)
        else:
            self.line(f"if {self.condition()}:")
        self.inner().block(3)
        if self.chance(20):
            self.line(f"elif {self.condition()}:")
            self.inner().block(2)
        if self.chance(50):
            self.line("else:")
            self.inner().block(3)

    def leave(self) -> None:
        """Perhaps leave a loop, or the function."""
        if self.chance(35):
            self.line(f"if {self.condition()}:")
            leave = ["return " + self.leaf()] if self.nested == 0 else []
            self.line("    " + self.one_of("break", "continue", *leave))

    def away(self, percent: int) -> None:
        """Perhaps leave whatever there is to be left, from where it stands."""
        if not self.chance(percent):
            return
        leave = ["return " + self.leaf()] * 2 if self.nested == 0 else []
        leave += ["break", "continue"] if self.around else []
        if leave and self.chance(80):
            self.line(f"if {self.condition()}:")
            self.line("    " + self.one_of(*leave))
        elif leave:
            self.line(self.one_of(*leave))

    def for_loop(self) -> None:
        body = self.inner(loops=self.loops + 1, around="for")
        j, m = f"i{self.loops}", f"n{self.loops + 5}"
        options = [(f"for {j} in range({self.one_of(0, 2, 3)}):", (j,))]
        if self.has("l") and self.loops < 2:
            k = self.some("l")
            options += [
                (f"for {m} in {k}[:3]:", (m,)),
                (f"for {j}, {m} in enumerate({k}[:4]):", (j, m)),
                (f"for {m}, n8 in zip({self.some('l')}, {k}[:3]):", (m, "n8")),
            ]
            if self.may("generators"):
                options += [(f"for {m} in running({k}[:4]):", (m,)), (f"for {m} in twice({k}[:3]):", (m,))]
        if self.has("a") and self.loops < 2:
            options += [(f"for {m} in {self.some('a')}:", (m,))]
            if self.may("mutation"):
                options += [("for b9 in {}.reshape(2, 2):".format(self.some("a")), ("b9",))]
        head, names = self.one_of(*options)
        self.line(head)
        for name in names:
            body.bind(name)
        body.block(3)
        body.leave()
        if self.chance(15):
            self.line("else:")
            self.inner().block(2)

    def while_loop(self) -> None:
        self.count[0] += 1
        counter = f"k{self.count[0]}"
        self.line(f"{counter} = 0")
        self.line(f"while {counter} < {self.one_of(1, 3)} and {self.leaf()} < 3.0:")
        body = self.inner(loops=self.loops + 1, around="while")
        body.line(f"{counter} += 1")
        body.block(3)
        body.leave()

    def function(self) -> None:
        """A function of a number, which captures what it likes."""
        if self.nested > 1:
            return self.assign()
        name = self.fresh("f")
        if self.chance(30):
            self.line(f"{name} = lambda m, c={self.leaf()}: {self.over('m')} + c")
            return self.bind(name)
        changed = self.own("n")
        m = self.fresh("n")
        default = f", c={self.leaf()}" if self.chance(20) else ""
        self.line(f"def {name}({m}{default}):")
        body = self.function_scope()
        if self.may("mutation") and changed and self.chance(40):
            n = self.draw(st.sampled_from(changed))
            body.line(f"nonlocal {n}" if n not in FIRST or self.nested == 0 else "pass")
            body.bound = body.bound - {n}
        body.bind(m)
        body.block(2)
        if self.may("exceptions") and self.chance(8):
            body.line(f"if {body.condition()}:")
            body.line(f"    raise ValueError({body.leaf()})")
        body.line(f"return {body.number(1)}{' + c' if default else ''}")
        if self.may("mutation") and self.chance(50):
            self.store(self.new("n"), f"0.5 * {name}({self.leaf()})")
        return self.bind(name)

    # ---- exceptions and contexts

    def raising(self, error: str = "ValueError") -> None:
        """Something that may raise: by hand, in a callee that has written, by an index or a key."""
        n = self.leaf()
        options = [f"if {self.condition()}:\n    raise {error}({n})"]
        if error == "ValueError":
            options += [f"fails({n})", f"math.sqrt({n})"]
            if self.may("mutation") and self.has("l"):
                options += [f"fails_late({self.some('l')}, {n})"] * 2
        for line in self.one_of(*options).split("\n"):
            self.line(line)

    def guarded(self) -> None:
        error = self.one_of("ValueError", "ZeroDivisionError", "KeyError")
        caught = self.one_of(error, error, f"(OverflowError, {error})", "Exception", "ArithmeticError")
        self.line("try:")
        body = self.inner()
        body.block(2)
        self.one_of(body.raising, body.raising, body.cleaned)(error)
        if self.chance(50):
            body.block(2)
        body.away(20)
        self.line(f"except {caught} as error:")
        handler = self.inner()
        handler.block(2)
        if self.own("n") and self.chance(60):
            n = self.draw(st.sampled_from(self.own("n")))
            first = self.one_of("error.args[0]", "error.args[-1]", "[*error.args, 1.0][0]")
            handler.line(f"{n} = 0.5 * {first} if isinstance({first}, float) else {handler.leaf()}")
        if self.chance(5):
            handler.line(self.one_of("raise", f"raise KeyError({handler.leaf()}) from error"))
        handler.away(10)
        if self.chance(30):
            self.line("else:")
            self.inner().block(1)
        if self.chance(30):
            self.at_last()

    def cleaned(self, error: str = "ValueError") -> None:
        """`try` with `finally` alone: what it raises is caught by what is around, if anything."""
        self.line("try:")
        body = self.inner()
        body.block(2)
        body.away(30)
        body.raising(error)
        self.at_last()

    def at_last(self) -> None:
        self.line("finally:")
        last = self.inner()
        last.block(2)
        last.away(15)

    def in_context(self) -> None:
        options = ["np.errstate(all='ignore')", "contextlib.suppress(ValueError)", "Swallowing()"]
        if self.may("mutation") and self.has("l"):
            options += [f"borrowed({self.some('l')}) as l9"]
        manager = self.one_of(*options)
        body = self.inner()
        others = [f"contextlib.nullcontext({self.leaf()}) as n5", "Swallowing()"]
        others += [f"contextlib.nullcontext(({self.leaf()}, {self.leaf()})) as (n6, n7)", "np.errstate(all='ignore')"]
        managers = [manager, *([self.one_of(*others)] if self.chance(40) else [])]
        if self.chance(30):
            managers.reverse()
        self.line(f"with {', '.join(managers)}:")
        for name in ("l9", "n5", "n6", "n7"):
            if any(name in m.partition(" as ")[2] for m in managers):
                body.bind(name)
        body.block(2)
        if {*managers} & {*options[1:3]}:
            self.one_of(body.raising, body.raising, body.cleaned)()
        body.away(10)

    # ---- generators

    def generator(self) -> None:
        """A generator function, and what runs through it."""
        if self.nested > 1:
            return self.assign()
        self.count[0] += 1
        name = f"g{self.count[0]}"
        self.line(f"def {name}(m):")
        body = self.function_scope()
        body.line("for j in range(3):")
        inner = body.inner()
        if self.may("mutation") and self.chance(60):
            inner.change()
        inner.line(f"{self.one_of('', 'sent = ')}yield m * {inner.leaf()} + j")
        inner.line("m = m * 0.5")
        if self.chance(30):
            body.line(f"yield from {body.items(2)}")
        call = f"{name}({self.leaf()})"
        uses = [f"0.3 * sum({call})", f"0.3 * sum(itertools.islice({call}, 2))", f"math.tanh(next({call}))"]
        uses += [f"0.3 * sum([p * q for p, q in zip({call}, {call})])", f"max({call})", f"0.2 * sum(twice({call}))"]
        self.store(self.new("n"), self.one_of(*uses))
        return None

    def interleaved(self) -> None:
        """A generator that is run by hand, in between other things."""
        self.count[0] += 1
        g = f"g{self.count[0]}"
        self.line(f"{g} = asked({self.leaf()})")
        self.store(self.new("n"), f"next({g})")
        self.inner(indent=self.indent).block(2)
        self.store(self.new("n"), f"0.5 * {g}.send({self.number(1)})")
        if self.chance(40):
            self.line(self.one_of(f"{g}.close()", f"{self.new('n')} = next({g}, 0.3)"))

    def returning(self) -> None:
        """A generator that returns something, of which one takes item after item: `StopIteration` has it, once."""
        if self.nested > 1:
            return self.assign()
        self.count[0] += 1
        g, j = f"g{self.count[0]}", f"i{self.loops}"
        self.line(f"def {g}(m):")
        body = self.function_scope()
        body.line("for j in range(2):")
        body.line(f"    {self.one_of('', 'sent = ')}yield m * {body.leaf()} + j")
        body.line(f"    {self.one_of('m = m * 0.5', 'pass')}")
        body.line(f"return {self.one_of('m', 'j', 'None', body.leaf(), body.number(1))}")
        self.line(f"u{g} = {g}({self.leaf()})")
        n = self.some_of(self.own("n")) if self.own("n") else self.fresh("n")
        self.store(n, self.leaf())
        self.line(f"for {j} in range({self.one_of(2, 3, 4)}):")
        around = self.inner(loops=self.loops + 1, around="for")
        around.line("try:")
        around.line(f"    {n} += {self.one_of(f'next(u{g})', f'u{g}.send(None)')}")
        around.line("except StopIteration as stop:")
        results = ["0.3 if stop.value is None else 0.4 * stop.value", "0.5 * sum(stop.args)", "len(stop.args)"]
        around.line(f"    {n} = {n} * 0.7 + ({self.one_of(*results)})")
        around.away(20)
        return None

    # ---- match

    def matched(self) -> None:
        subject = self.one_of(*(self.some(kind) for kind in "ldo" if self.has(kind)), f"({self.leaf()}, {self.leaf()})")
        self.line(f"match {subject}:")
        cases = ["[n6, n7]", "[n6, *_]", "{'p': n6}", "Pair(v=n6)", "Pair(v=n6, w=n7) if n7 > 0.0", "_"]
        for case in dict.fromkeys([self.one_of(*cases) for _ in range(2)]):
            self.line(f"    case {case}:")
            body = self.inner(indent=self.indent + 2)
            for name in ("n6", "n7"):
                if name in case:
                    body.bind(name)
            body.block(2)
            if case == "_":
                break
