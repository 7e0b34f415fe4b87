"""Random programs about arrays that they made themselves, into which they store.

Arguments that a program stores into are recorded; what it made itself can be reversed in its structure, with stores in
place. So everything here begins with a new array or list. Kinds besides `n` and `i`: `v` a vector of four numbers, `m`
a matrix of four by four, `t` a list of four, `z` a vector of complex numbers, `s` one of float32, `r` a list of
vectors, `p` a function of a vector.
"""

from __future__ import annotations

from hypothesis import strategies as st

from .items import SHARED
from .scope import Scope

SLICES = (":2", "1:3", "::2", "2:", "2:0:-1", "::-2", "-2:")
"""All take two of four items."""
THREES = ("1:", ":-1", ":0:-1", "2::-1")
"""All take three of them."""
PLACES = ("[0, 2]", "[3, 1]", "[-1, 0]", "[1, 1]")


class Values(Scope):
    """What may be calculated of arrays; products are damped."""

    def index(self) -> str:
        loop = [self.some("i")] * 3 if self.has("i") else []
        more = [f"{self.some('i')} - 1", f"3 - {self.some('i')}"] if self.has("i") else []
        return self.one_of("0", "1", "2", "3", "-1", "-2", *loop, *more)

    def number(self, depth: int = 0) -> str:
        if depth > 1 or self.chance(50):
            return self.item()
        n = lambda: self.number(depth + 1)  # noqa: E731
        options = [
            lambda: f"({n()} + {n()})",
            lambda: f"({n()} - {n()})",
            lambda: f"0.5 * {n()} * {n()}",
            lambda: f"math.{self.one_of('sin', 'cos', 'tanh')}({n()})",
            lambda: self.total(),
        ]
        return self.one_of(*options)()

    def item(self) -> str:
        """One number: a variable, a constant, or more often an item."""
        options = ["n0", "n1", self.one_of("0.5", "-1.5", "0.0", "2.0"), f"a0[{self.index()}]"]
        options += [self.some("n")] * 2
        options += [f"{self.some(kind)}[{self.index()}]" for kind in "vvvttt" if self.has(kind)]
        if self.has("m"):
            options += [f"{self.some('m')}[{self.index()}, {self.index()}]"] * 4
        if self.has("z"):
            options += [f"{self.some('z')}[{self.index()}].{self.one_of('real', 'imag')}"] * 3
        if self.has("s"):
            options += [f"float({self.some('s')}[{self.index()}])"] * 3
        if self.has("r"):
            options += [f"{self.some('r')}[{self.one_of(0, -1)}][{self.index()}]"]
        return self.one_of(*options)

    def total(self) -> str:
        """A number of a whole array."""
        options = [f"a0[{self.index()}]"]
        if self.has("v"):
            v, w = self.some("v"), self.some("v")
            options += [
                f"0.3 * {v}.sum()",
                f"0.3 * ({v} @ {w})",
                f"0.3 * (np.cos({v}) * {v}).sum()",
                f"np.sin({v}).sum()",
            ]
            options += [f"{v}[{self.one_of(*SLICES)}].mean()", f"0.5 * max({v})", f"0.3 * np.dot({w}, {v})"]
        if self.has("t"):
            t = self.some("t")
            options += [f"0.3 * sum({t})", f"0.3 * sum(m * q for m, q in zip({t}, {self.some('t')}))", f"max({t})"]
        if self.has("m"):
            m = self.some("m")
            options += [f"0.2 * {m}.sum()", f"0.3 * np.trace({m})", f"0.2 * np.tanh({m}[{self.one_of(*SLICES)}]).sum()"]
        if self.has("z"):
            z = self.some("z")
            options += [f"0.3 * ({z} * {z}.conj()).real.sum()", f"{z}.sum().imag"]
        if self.has("s"):
            options += [f"float({self.some('s')}.sum())"]
        if self.has("p") and self.has("v"):
            options += [f"math.tanh({self.some('p')}({self.some('v')}))"]
        return self.one_of(*options)

    def condition(self) -> str:
        n = self.item() if self.chance(70) else self.number(1)
        simple = f"{n} {self.one_of('<', '>')} {self.one_of('0.2', '0.6', '-0.3', '1.7')}"
        if self.has("i") and self.chance(40):
            return f"{self.some('i')} {self.one_of('==', '!=', '<')} {self.one_of(0, 1, 2)}"
        return simple

    def vector(self, depth: int = 0) -> str:
        """Four numbers, which may be an array that is there already or part of one."""
        if not self.has("v"):
            return "a0"
        if depth > 1 or self.chance(35):
            return self.some("v")
        v = lambda: self.vector(depth + 1)  # noqa: E731
        options = [
            *(lambda: f"({v()} + {v()})", lambda: f"({v()} - {v()})", lambda: f"({v()} * {self.number(1)})"),
            *(lambda: f"0.5 * {v()} * {v()}", lambda: f"np.{self.one_of('sin', 'tanh')}({v()})", lambda: "a0"),
            *(lambda: f"{self.some('v')}[::-1]", lambda: f"np.cumsum({v()}) * 0.4", lambda: self.new_vector()),
            lambda: f"np.where({self.some('v')} > {self.one_of('0.1', '0.6')}, {v()}, {self.some('v')})",
            lambda: f"np.maximum({v()}, 0.1)",
        ]
        if self.has("m"):
            m = self.some("m")
            options += [
                *(lambda: f"{m}[{self.index()}]", lambda: f"{m}[:, {self.index()}]", lambda: f"{m}.sum(0) * 0.3"),
                *(lambda: f"({m} @ {v()}) * 0.3", lambda: f"{m}.diagonal()"),
            ]
        if self.has("t"):
            options += [lambda: f"np.array({self.some('t')})"]
        if self.has("r"):
            options += [lambda: f"{self.some('r')}[{self.one_of(0, -1)}]"]
        return self.one_of(*options)()

    def new_vector(self) -> str:
        """An array that nobody has."""
        options = ["np.zeros(4)", "a0.copy()", "a0 * 1.0", f"a0 * {self.item()}", f"np.full(4, {self.item()})"]
        options += ["np.zeros_like(a0)", f"np.array([{self.item()}, n0, {self.item()}, n1])", "np.ones(4)"]
        if self.has("v"):
            options += [
                f"{self.some('v')}.copy()",
                f"np.sin({self.some('v')})",
                f"{self.some('v')} * {self.item()}",
            ] * 2
        return self.one_of(*options)

    def matrix(self) -> str:
        options = ["np.zeros((4, 4))", f"np.outer({self.vector(2)}, {self.vector(2)})", f"np.eye(4) * {self.item()}"]
        if self.has("m"):
            m = self.some("m")
            options += [f"{m}.copy()", f"np.sin({m})", f"{m} * {self.vector(1)}", f"{m}.T + 0.1", f"0.3 * {m} @ {m}"]
        return self.one_of(*options)

    def numbers(self) -> str:
        """A list of four numbers."""
        n = self.item
        options = ["[0.0] * 4", f"[{n()}, {n()}, {n()}, {n()}]", f"[m * {n()} for m in a0]"]
        options += [f"[{n()} for _ in range(4)]"]
        if self.may(SHARED):
            options += ["a0.tolist()", f"[*l0, {n()}]"]
        if self.has("t"):
            t = self.some("t")
            options += [f"{t}.copy()", f"{t}[:]", f"[0.5 * m + {n()} for m in {t}]"]
            options += [f"list({t})", f"{t}[::-1]"] if self.may(SHARED) else []
            options += [f"[0.5 * m * q for m, q in zip({t}, {self.some('t')})]"]
        return self.one_of(*options)


class Stores(Values):
    """What may be changed in one line or two."""

    def operator(self) -> str:
        return self.one_of("=", "=", "+=", "*=", "-=")

    def store_into(self) -> None:
        """A store into something of one's own."""
        stores = {"v": self.into_vector, "m": self.into_matrix, "t": self.into_list, "z": self.into_complex}
        stores |= {"s": self.into_float32}
        kinds = [kind for kind in "vvvmmttzs" if self.has(kind)]
        self.line(self.one_of(*stores[self.one_of(*kinds)]()))

    def into_vector(self) -> list[str]:
        v, w, n, op = self.some("v"), self.some("v"), self.number(), self.operator()
        i, mask = self.index(), f"{self.some('v')} > {self.one_of('0.3', '0.0')}"
        return [
            *[f"{v}[{i}] {op} {n}"] * 6,
            *[f"{v}[{i}] {op} {v}[{self.index()}]"] * 2,
            f"{v}[{self.one_of(*SLICES, *THREES, ':', '::-1', '...')}] {op} {n}",
            f"{v}[{self.one_of(*SLICES)}] {op} {w}[{self.one_of(*SLICES)}]",
            f"{v}[{self.one_of(*THREES)}] {op} {self.one_of(v, w)}[{self.one_of(*THREES)}]",
            f"{v}[{self.one_of(':', '::-1', '...')}] {op} {self.vector()}",
            *(f"{v}[{mask}] {op} {n}", f"{v}[{mask}] {op} {w}[{mask}]"),
            f"{v}[{self.one_of(*PLACES)}] {op} {self.one_of(n, w + '[' + self.one_of(*SLICES, *PLACES) + ']')}",
            *(f"{v} += {self.vector()}", f"{v} -= 0.5 * {self.vector()}", f"{v} *= {self.number(1)}"),
            *(f"{v} *= {v}[{i}]", f"{v} += {v}[{i}]", f"{v} *= np.cos({self.vector()})"),
            f"{v}[{i}], {w}[{self.index()}] = {self.item()}, {self.item()}",
            *([f"stored({v}, {i}, {n})"] if self.may(SHARED) else []),
        ]

    def into_matrix(self) -> list[str]:
        m, n, op = self.some("m"), self.number(), self.operator()
        i, j, vector = self.index(), self.index(), self.vector(1)
        return [
            *[f"{m}[{i}, {j}] {op} {n}"] * 4,
            *[f"{m}[{i}] {op} {self.one_of(n, vector)}", f"{m}[:, {j}] {op} {self.one_of(n, vector)}"] * 2,
            *(f"{m}[{i}][{j}] {op} {n}", f"{m}[1:, :2] {op} {n}", f"{m}[{i}, 1:] {op} {m}[:-1, {j}]"),
            *(f"{m}[::-1] {op} {vector}", f"{m}[[0, 2]] {op} {vector}", f"{m}[[0, 2], {j}] {op} {n}"),
            *(f"{m}[{m} > 0.4] {op} {n}", f"{m} += {vector}", f"{m} *= {m}[{i}, {j}]", f"{m} *= {self.item()}"),
            f"{m}[1:] {op} {m}[{self.one_of(*THREES)}]",
        ]

    def into_list(self) -> list[str]:
        t, n, op = self.some("t"), self.number(), self.operator()
        i, j = self.index(), self.index()
        simple = [*[f"{t}[{i}] {op} {n}"] * 5, f"{t}[{i}] {op} {t}[{j}]"]
        if not self.may(SHARED):
            return simple
        return [
            *(*simple, f"{t}[{i}], {t}[{j}] = {t}[{j}], {t}[{i}]"),
            *(f"{t}[{i}], {t}[{j}] = {n}, {self.item()}", f"{t}[1:3] = [{n}, {self.item()}]", f"stored({t}, {i}, {n})"),
            f"{t}[{self.one_of(*SLICES)}] = {self.some('t')}[:2]",
        ]

    def into_complex(self) -> list[str]:
        z, w, n, op = self.some("z"), self.some("z"), self.item(), self.operator()
        i, j = self.index(), self.index()
        return [
            *(f"{z}[{i}] {op} {n}", f"{z}[{i}] {op} {w}[{j}]", f"{z}[{i}] {op} 0.5j * {w}[{j}] * {z}[{i}]"),
            *(f"{z}[1:3] {op} {w}[:2]", f"{z} *= {n}", f"{z} += 0.5j * {self.vector(1)}", f"{z}[::-1] = {w} * 1j"),
        ]

    def into_float32(self) -> list[str]:
        s, n, op = self.some("s"), self.item(), self.operator()
        i, j = self.index(), self.index()
        return [
            *(
                f"{s}[{i}] {op} {n}",
                f"{s}[{i}] {op} {s}[{j}]",
                f"{s}[1:3] {op} {self.some('s')}[:2]",
                f"{s} *= {s}[{i}]",
            ),
            *(f"{s} += {s} * 0.5", f"{s}[::-1] {op} {s}"),
        ]

    # ---- names

    def make(self) -> None:
        """Something new, by a new name or an old one."""
        kind = self.one_of(*"vvvvvmmmttttzs")
        values = {"v": self.new_vector, "m": self.matrix, "t": self.numbers, "z": self.of_complex, "s": self.of_float32}
        value = self.vector() if kind == "v" and self.chance(25) else values[kind]()
        self.store(self.new(kind), value)

    def of_complex(self) -> str:
        options = ["a0 * (1.0 + 0.5j)", "np.zeros(4, complex)", "a0 + 0.0j"]
        return self.one_of(*options, *([f"{self.some('z')}.copy()"] if self.has("z") else []))

    def of_float32(self) -> str:
        options = ["a0.astype(np.float32)", "np.zeros(4, np.float32)"]
        return self.one_of(*options, *([f"{self.some('s')}.copy()"] if self.has("s") else []))

    def alias(self) -> None:
        """Another name, two names that change places, a row, a list of arrays."""
        kind = self.one_of(*(k for k in "vmt" if self.has(k)))
        if not self.may(SHARED) and self.chance(60):
            return self.store(self.new(kind), {"v": self.new_vector, "m": self.matrix, "t": self.numbers}[kind]())
        x, y = self.some(kind), self.some(kind)
        own = [name for name in (x, y) if name not in self.bound]
        if self.chance(40) and len(own) == 2:
            return self.line(f"{x}, {y} = {y}, {x}")
        if self.has("m") and self.chance(20):
            return self.store(self.fresh("v"), f"{self.some('m')}[{self.index()}]")
        if self.has("v") and self.chance(30):
            if self.has("r") and self.may(SHARED) and self.chance(60):
                v = self.some("v")
                return self.line(f"{self.some('r')}.append({self.one_of(v, f'{v}.copy()')})")
            return self.store(self.fresh("r"), f"[{self.some('v')}, {self.vector(1)}]")
        return self.store(self.new(kind), x)

    def assign(self) -> None:
        """A number, often one that needs a whole array as it is now for its derivative."""
        own = [name for name in self.own("n") if name not in ("n0", "n1")]
        value = self.total() if self.chance(60) else self.number()
        if own and self.chance(60):
            return self.line(f"{self.draw(st.sampled_from(own))} += {value}")
        return self.store(self.fresh("n"), value)


class Own(Stores):
    """Statements with blocks."""

    def block(self, most: int) -> None:
        for _ in range(self.draw(st.integers(1, most))):
            self.statement()

    def statement(self) -> None:
        self.budget[0] -= 1
        simple = [self.store_into] * 7 + [self.make] * 2 + [self.assign] * 4 + [self.alias]
        compound = [self.for_loop, self.for_loop, self.while_loop, self.branch, self.branch, self.buffers]
        compound += [self.function] if self.may(SHARED) or self.chance(30) else []
        self.one_of(*(simple if self.indent > 3 or self.budget[0] < 0 else [*simple, *compound]))()

    def leaves(self, body: Own) -> None:
        """Now and then what a block binds first is read after it, though the block may not have run."""
        for kind in "nvmt":
            for name in body.names.get(kind, []):
                if self.chance(25):
                    self.bind(name)

    def branch(self) -> None:
        self.line(f"if {self.condition()}:")
        sides = [self.inner()]
        sides[0].block(3)
        if self.chance(25):  # a whole array is read, or changed, where the program seldom comes
            sides[0].line(f"{sides[0].fresh('n')} = {sides[0].total()}")
        if self.chance(50):
            self.line("else:")
            sides.append(self.inner())
            sides[1].block(2)
            self.leaves(sides[1])
        self.leaves(sides[0])

    def for_loop(self) -> None:
        body = self.inner(loops=self.loops + 1, around="for")
        i, n = f"i{self.loops}", f"n{self.loops + 5}"
        heads = [(f"for {i} in range({self.one_of(3, 4, 2, 1, 0, '1, 4', '3, -1, -1')}):", (i,))] * 4
        if self.has("t") and self.loops < 2:
            heads += [
                (f"for {n} in {self.some('t')}:", (n,)),
                (f"for {i}, {n} in enumerate({self.some('t')}):", (i, n)),
            ]
        if self.has("v") and self.loops < 2:
            heads += [(f"for {n} in {self.some('v')}:", (n,)), (f"for {i}, {n} in enumerate(l0):", (i, n))]
        head, names = self.one_of(*heads)
        self.line(head)
        for name in names:
            body.bind(name)
        body.block(4)
        body.leave()
        self.leaves(body)

    def while_loop(self) -> None:
        k = self.fresh("k")
        self.line(f"{k} = 0")
        self.line(f"while {k} < {self.one_of(2, 3, 0)}{self.one_of('', f' and {self.item()} < 2.5')}:")
        body = self.inner(loops=self.loops + 1, around="while")
        body.line(f"{k} += 1")
        body.block(3)
        body.leave()
        self.leaves(body)

    def leave(self) -> None:
        if self.chance(30):
            self.line(f"if {self.condition()}:")
            if self.nested == 0 and self.chance(25 if self.may(SHARED) else 10):
                self.line(f"    return {self.result()}")
            else:
                self.line(f"    {self.one_of('break', 'continue')}")

    def buffers(self) -> None:
        """An array that each round writes anew from the one before."""
        kind = self.one_of(*(k for k in "vt" if self.has(k)))
        own = [name for name in self.own(kind)]
        if not own:
            return self.make()
        old, new, i = self.draw(st.sampled_from(own)), self.fresh(kind), f"i{self.loops}"
        self.line(f"for {i} in range({self.one_of(2, 3, 1)}):")
        body = self.inner(loops=self.loops + 1, around="for")
        body.bind(i)
        copies = {
            "v": [f"{old}.copy()", f"{old} * 0.5", "np.zeros(4)"],
            "t": [f"{old}[:]", f"{old}.copy()", "[0.0] * 4"],
        }
        body.store(new, self.one_of(*copies[kind]))
        body.line(f"{new}[{body.index()}] {body.operator()} {body.one_of(old, new)}[{body.index()}] * {body.item()}")
        if self.chance(60):
            body.block(2)
        body.line(self.one_of(f"{old} = {new}", f"{old}, {new} = {new}, {old}"))
        return self.leaves(body)

    def function(self) -> None:
        """A function that is given an array, which it may change; it captures what it likes. If nothing is shared it
        changes a copy."""
        if self.nested:
            return self.assign()
        name, v = self.fresh("p"), self.fresh("v")
        self.line(f"def {name}({v}):")
        body = self.function_scope()
        body.names["i"] = []
        if not self.may(SHARED):
            body.names = {"n": [*self.names["n"]]}
            body.line(f"{v} = {v} * {body.item()}")
        body.bind(v)
        body.block(3)
        body.line(f"return {body.number()}")
        self.bind(name)
        if self.has("v"):
            self.store(self.fresh("n"), f"0.5 * {name}({self.vector(1)})")
        return None

    def result(self) -> str:
        """What a program gives: an array, a list, an item, a number of whole arrays."""
        whole = [self.some(kind) for kind in "vt" if self.has(kind)]
        if self.chance(30):
            return self.one_of(*whole)
        if self.chance(20):
            return f"{self.one_of(*whole)}[{self.one_of(0, 1, -1)}]"
        parts = [self.number(), self.total(), *(f"0.7 * {n}" for n in self.names["n"][2:][-4:])]
        weights = "np.arange(1.0, 5.0)"
        parts += [f"0.3 * ({v} * {weights}).sum()" for v in self.names.get("v", [])[-3:]]
        parts += [f"0.2 * ({m} @ {weights} * {weights}).sum()" for m in self.names.get("m", [])[-2:]]
        parts += [f"0.4 * sum(j * m for j, m in enumerate({t}))" for t in self.names.get("t", [])[-2:]]
        return " + ".join(parts)


def own_program(scope: Own, size: int) -> str:
    """The body of a function of two numbers, a list of three and an array of four."""
    first = scope.one_of("v", "v", "t", "m")
    values = {"v": scope.one_of("a0 * 1.0", "a0.copy()", "np.sin(a0)", "np.zeros(4)", "a0 * n0")}
    values |= {
        "t": scope.one_of("[m * n0 for m in a0]", "[0.0] * 4", "[n0, n1, 0.5, n0]"),
        "m": "np.outer(a0, a0 + n0)",
    }
    for kind in dict.fromkeys((first, "v")):
        scope.store(scope.fresh(kind), values[kind])
    if scope.chance(70):  # what was there before the first store is needed in the end
        scope.store(scope.fresh("n"), scope.one_of(*(f"({v} * {v} * n1).sum()" for v in scope.names["v"])))
        scope.store_into()
    for _ in range(scope.draw(st.integers(1, size))):
        scope.statement()
        if scope.budget[0] < 0:
            break
    scope.line(f"return {scope.result()}")
    return "\n".join(scope.lines)
