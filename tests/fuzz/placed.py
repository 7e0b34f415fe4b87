"""Random programs about lists and dicts of anything, whose items they replace one by one in loops.

Most make what they store into themselves: such stores can be done in place, and reversed so. Some are given a dict and
a list of lists, and some (`SHARED`) let more than one name hold what is changed.
"""

from __future__ import annotations

from collections.abc import Callable

from .items import SHARED
from .replaced import Replaced

BEGUN = "cccwwhgeodkmjyzt"
"""Kinds of which a program has one in the beginning, by how often."""


class Placed(Replaced):
    """Statements with blocks."""

    def block(self, most: int) -> None:
        for _ in range(self.one_of(*range(1, most + 1))):
            self.statement()

    def statement(self) -> None:
        self.budget[0] -= 1
        simple = [self.replace] * 8 + [self.make] * 2 + [self.assign] * 3 + [self.alias]
        compound = [self.for_loop] * (8 if self.indent == 1 else 3) + [
            self.while_loop,
            self.branch,
            self.branch,
            self.renewed,
            self.filled,
        ]
        compound += [self.function] if self.chance(50) else []
        compound += [self.guarded] * 2 if self.may(SHARED) else []
        self.one_of(*(simple if self.indent > 3 or self.budget[0] < 0 else [*simple, *compound]))()

    def leaves(self, body: Placed) -> None:
        """Now and then what a block binds first is read after it, though the block may not have run."""
        for kind in "ncwhd":
            for name in body.names.get(kind, []):
                if self.chance(10):
                    self.bind(name)

    def branch(self) -> None:
        self.line(f"if {self.condition()}:")
        sides = [self.inner()]
        sides[0].block(3)
        if self.chance(50):
            self.line("else:")
            sides.append(self.inner())
            sides[1].block(2)
        for side in sides:
            self.leaves(side)

    def for_loop(self) -> None:
        body = self.inner(loops=self.loops + 1, around="for")
        i, n, w = f"i{self.loops}", f"n{self.loops + 5}", f"w{self.loops + 5}"
        ranges = ["4", "4", "3", "2", "0", "1, 4", "3, -1, -1"]
        heads = [(f"for {i} in range({self.one_of(*ranges)}):", (i,))] * 4
        heads += [(f"for {i} in reversed(range({self.one_of(2, 4)})):", (i,))]
        if self.has("w") and self.loops < 2:
            heads += [
                (f"for {i}, {n} in enumerate({self.some('w')}[:4]):", (i, n)),
                (f"for {n} in {self.some('w')}[:3]:", (n,)),
            ]
        if any(c != "c0" for c in self.names.get("c", [])) and self.loops < 2:
            heads += [
                (f"for {w} in {self.table()}:", (w,)),
                (f"for {i}, {w} in enumerate({self.table()}[:4]):", (i, w)),
            ]
        if self.has("d") and self.loops < 2:
            heads += [(f"for {n} in [*{self.some('d')}.values()]:", (n,))]
        if self.has("e") and self.loops < 2:
            heads += [(f"for {n}, n9 in {self.some('e')}:", (n, "n9"))]
        head, names = self.one_of(*heads)
        self.line(head)
        for name in names:
            body.bind(name)
        body.replace()
        body.block(3)
        body.leave()
        self.leaves(body)

    def while_loop(self) -> None:
        count = f"i{self.loops + 4}"
        self.line(f"{count} = 0")
        self.line(f"while {count} < {self.one_of(1, 3)} and {self.condition()}:")
        body = self.inner(loops=self.loops + 1, around="while")
        body.bind(count)
        first = self.chance(60)
        if first:
            body.line(f"{count} += 1")
        body.block(3)
        if first:
            body.leave()
        else:
            body.line(f"{count} += 1")
        self.leaves(body)

    def leave(self) -> None:
        if self.chance(30):
            self.line(f"if {self.condition()}:")
            if self.chance(50):
                inner = self.inner()
                inner.replace()
            leave = (
                f"return {self.result()}" if self.nested == 0 and self.chance(15) else self.one_of("break", "continue")
            )
            self.line(f"    {leave}")

    def renewed(self) -> None:
        """A container that each round makes anew of the one before."""
        kind = self.one_of(*(kind for kind in "ccwhgedkmyztn" if kind == "n" or self.own(kind)))
        old = self.some_of(self.own(kind)) if kind != "n" else ""
        if not old or old.endswith("0"):
            return self.replace()
        new, i = self.fresh(kind), f"i{self.loops}"
        self.line(f"for {i} in range({self.one_of(2, 3, 1)}):")
        body = self.inner(loops=self.loops + 1, around="for")
        body.bind(i)
        body.store(new, self.one_of(*self.copies(old), self.made(kind)))
        body.lines_of(body.one_of(*getattr(body, f"into_{kind}")(new)))
        if self.chance(60):
            body.block(2)
        body.line(self.one_of(f"{old} = {new}", f"{old} = {new}", f"{old}, {new} = {new}, {old}"))
        return self.leaves(body)

    def filled(self) -> None:
        """A list of nothing, which a loop fills, each item of the one before."""
        kind, i = self.one_of(*"hhewco"), f"i{self.loops}"
        name = self.fresh(kind)
        self.line(f"{name} = {self.one_of('[None] * 4', '[None for _ in range(4)]')}")
        self.line(f"for {i} in range(4):")
        body = self.inner(loops=self.loops + 1, around="for")
        body.bind(i)
        if self.chance(50):
            body.block(2)
        values: dict[str, Callable[[], str]] = {"h": body.vector, "w": body.number, "c": body.row}
        values |= {"e": lambda: f"({body.item()}, {body.item()})", "o": lambda: f"Two({body.item()}, {body.item()})"}
        body.line(f"{name}[{i}] = {values[kind]()}")
        self.bind(name)

    def function(self) -> None:
        """A function that is given containers, which it changes, or copies of them if nothing is shared; it captures
        what it likes, and gives a number, or a container."""
        own = {kind: [x for x in self.names.get(kind, []) if x[1:] != "0"] for kind in "cwhdgemyz"}
        kinds = [kind for kind in own if own[kind]]
        if self.nested or not kinds:
            return self.assign()
        name, m, given = self.fresh("p"), self.fresh("n"), [self.some_of(own[kind]) for kind in kinds[:2]]
        params = [self.fresh(x[0]) for x in given]
        self.line(f"def {name}({', '.join([*params, m])}):")
        body = self.function_scope()
        body.names = {**self.names, "i": []} if self.may(SHARED) else {"n": self.names["n"]}
        body.names = {kind: [*known] for kind, known in body.names.items()}
        for param in (*params, m):
            body.bind(param)
        if not self.may(SHARED):
            for param in params:
                body.line(f"{param} = {self.one_of(*self.copies(param))}")
        body.block(3)
        gives = self.one_of(params[0], "")
        body.line(f"return {gives or body.number()}")
        for _ in range(self.one_of(1, 2)):
            call = f"{name}({', '.join([*given, self.item()])})"
            self.store(self.fresh(gives[:1] or "n"), call if gives else f"0.5 * {call}")
        return None

    def copies(self, x: str) -> list[str]:
        """Copies of a container that share nothing that is stored into."""
        ways = dict.fromkeys(
            "cyzt", [f"[list(r) for r in {x}]", f"[r[:] for r in {x}]", f"[[u for u in r] for r in {x}]"]
        )
        ways |= dict.fromkeys("dkm", [f"dict({x})", f"{x}.copy()", f"{{t: u for t, u in {x}.items()}}"])
        return ways.get(x[0], [f"{x}[:]", f"list({x})", f"{x}.copy()"])

    def guarded(self) -> None:
        """What raises, perhaps after it has stored."""
        self.line("try:")
        body = self.inner()
        body.replace()
        n, raising = self.leaf(), []
        raising += (
            [f"put_late({self.table()}, {self.index()}, 0, {n})"]
            if any(c != "c0" for c in self.names.get("c", []))
            else []
        )
        raising += [f"{self.some('w')}[{self.one_of('9', '-9')}] = {n}"] if self.has("w") else []
        raising += [f"{self.some('d')}['z'] += {n}"] if self.has("d") else []
        body.lines_of(self.one_of(*raising, f"if {self.condition()}:\n    raise ValueError({n})"))
        body.replace()
        self.line("except (ValueError, LookupError):")
        self.inner().block(2)

    def result(self) -> str:
        """A number of all containers."""
        names = [name for kind in "cwhvgeodkmjbxyzt" for name in self.names.get(kind, [])[-3:]]
        parts = [self.total_of(name) for name in names if name[1:] != "0" or self.chance(70)]
        parts += [f"0.7 * {n}" for n in self.names["n"][2:][-3:]]
        return " + ".join(["0.1 * n0 * n1", self.number(), *parts])


def placed_program(scope: Placed, size: int) -> str:
    """The body of a function of two numbers, and a list and an array or a dict and a list of lists."""
    for kind in dict.fromkeys(scope.one_of(*BEGUN) for _ in range(scope.one_of(1, 2, 3))):
        scope.store(scope.fresh(kind), scope.made(kind))
    for _ in range(scope.one_of(*range(2, size + 1))):
        scope.statement()
        if scope.budget[0] < 0:
            break
    scope.line(f"return {scope.result()}")
    return "\n".join(scope.lines)
