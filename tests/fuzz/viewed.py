"""Random programs about views: parts of arrays under other names, stored into while the whole is read, and back."""

from __future__ import annotations

from .parts import BEGUN, Parts

STORED = "vvvvvmmmmmbbeeezzsshdo"
"""Kinds that are stored into, by how often."""
TWOS = (":2", "1:3", "::2", "2:", "2:0:-1", "::-2", "-2:")
THREES = ("1:", ":-1", ":0:-1", "2::-1")


class Stores(Parts):
    """What may be changed in one line or two."""

    def operator(self) -> str:
        return self.one_of("=", "=", "+=", "*=", "-=")

    def target(self, kind: str) -> str:
        """A view that a statement may begin with."""
        while True:
            found = self.view(kind)
            if not found.startswith(("np.ones", "np.arange", "np.eye")) and "* 1.0" not in found:
                return found

    def store_into(self) -> None:
        kinds = [kind for kind in STORED if self.has(kind)]
        self.lines_of(self.one_of(*getattr(self, f"into_{self.one_of(*kinds)}")()))

    def value(self) -> str:
        """Four numbers, or one."""
        v = self.view("v")
        return self.one_of(v, v, f"{v} * {self.item()}", f"0.5 * {v} * {self.view('v')}", self.number(), f"np.sin({v})")

    def into_v(self) -> list[str]:
        v, w, n, op = self.target("v"), self.view("v"), self.number(), self.operator()
        places = self.one_of("[0, 2]", "[3, 1]", "[-1, 0]", f"{w} > 0.4", f"np.argmax({w})")
        own = self.some("v") if self.has("v") else ""
        stores = [
            *[f"{v}[{self.index()}] {op} {n}"] * 3,
            *[f"{v}[{self.one_of(':', '...', '::-1')}] {op} {self.value()}"] * 2,
            f"{v}[{self.one_of(*TWOS)}] {op} {w}[{self.one_of(*TWOS)}]",
            f"{v}[{self.one_of(*THREES)}] {op} {self.one_of(v, w)}[{self.one_of(*THREES)}]",
            *(f"{v}[{places}] {op} {n}", f"{v}[1:][{self.one_of('0', ':2', '::2')}] {op} {n}"),
            f"np.{self.one_of('add', 'multiply', 'subtract', 'maximum')}({w}, {self.value()}, out={v})",
            f"np.{self.one_of('sin', 'tanh', 'negative', 'square')}({w}, out={v})",
            f"np.{self.one_of('add', 'multiply', 'subtract')}.at({v}, [0, 0, 2, 1], {w})",
            f"np.copyto({v}, {self.value()}, where={self.one_of(f'{w} > 0.3', '[True, False, True, True]')})",
            f"np.clip({w}, -0.8, 0.9, out={v})",
            *(f"smoothed({v}, {self.one_of(1, 2)})", f"added({v}, {w})", f"mixed_into({v}, {w}, {n})"),
            *(f"mixed_into({v}, {v}, {n})", f"added({v}[:2], {v}[2:])", f"{v}.fill({n})", f"{v}.sort()"),
            f"{v}.put([2, 0], [{n}, {self.item()}])",
        ]
        if self.has("m"):
            m = self.view("m")
            stores += [f"np.{self.one_of('sum', 'mean', 'prod', 'max')}({m}, axis=0, out={v})"]
            stores += [f"np.dot({w}[:3], {m}, out={v})"] if self.chance(30) else []
        if own:
            stores += [f"{own} {self.one_of('+=', '-=', '*=')} {self.value()}"] * 3 if own not in self.bound else []
        return stores

    def into_m(self) -> list[str]:
        m, n, op = self.target("m"), self.number(), self.operator()
        i, j, v = self.place(3), self.index(), self.view("v")
        own = self.some("m")
        stores = [
            *[f"{m}[{i}, {j}] {op} {n}", f"{m}[{i}] {op} {self.value()}", f"{m}[:, {j}] {op} {v}[:3]"] * 2,
            *(f"{m}[1:, :2] {op} {n}", f"{m}[1:] {op} {m}[:-1]", f"{m}[...] {op} {self.one_of(v, self.view('m'))}"),
            *(f"{m}.T[{j}] {op} {n}", f"{m}[[0, 2]] {op} {v}", f"{m}[{m} > 0.4] {op} {n}"),
            *(f"{m}.flat[{self.one_of('3', '1:6', '::5', '[0, 7, 11]', '-2')}] {op} {n}",),
            *(f"scaled_rows({m}, {n})", f"for t in {m}:\n    t *= {self.item()}\n    t[0] += {self.item()}"),
            f"np.{self.one_of('add', 'multiply')}({self.view('m')}, {v}, out={m})",
            f"np.fill_diagonal({m}, {n})",
            *[f"for t, u in zip({m}, {self.view('m')}):\n    t[1:] {op} 0.5 * u[:-1]"] * 2,
        ]
        if own not in self.bound:
            stores += [f"{own} {self.one_of('+=', '-=', '*=')} {self.one_of(v, self.view('m'), n)}"] * 2
        p, q, r = (self.fresh("v") for _ in range(3))
        if self.chance(10):
            for name in (p, q, r):
                self.bind(name)
            return [f"{p}, {q}, {r} = {m}"]
        return stores

    def into_e(self) -> list[str]:
        e, n, op = self.target("e"), self.number(), self.operator()
        i, j = self.place(2), self.place(2)
        return [
            *[f"{e}[{i}, {j}] {op} {n}", f"{e}[{i}] {op} {self.view('v')}[:2]", f"{e}[:, {j}] {op} {n}"] * 2,
            *(
                f"{e}.T[{i}] {op} {n}",
                f"{e}[...] {op} {self.view('e')}",
                f"np.matmul({self.view('e')} * 1.0, {e}, out={e})",
            ),
            *(f"{e}.flat[{self.one_of('1', '::2')}] {op} {n}", f"{e}[[0, 1], [1, 0]] {op} {n}"),
            *(f"np.add({self.view('e')}, {e}.T, out={e})", f"scaled_rows({e}, {n})"),
        ]

    def into_b(self) -> list[str]:
        b, n, op = self.target("b"), self.number(), self.operator()
        stores = [f"{b}[{self.one_of('2', '1:5', '::3', '-1')}] {op} {n}", f"{b}[4:8] {op} {self.value()}"]
        return [*stores, f"{b}[6:] {op} {b}[:6]", f"{b}[1:] {op} {b}[:-1]", f"smoothed({b}, 1)"]

    def into_z(self) -> list[str]:
        z, n, op = self.target("z"), self.item(), self.operator()
        v = self.view("v")
        stores = [f"{z}[{self.index()}] {op} {self.one_of(n, f'{n} * 1j')}", f"{z}[1:3] {op} {self.view('z')}[:2]"]
        stores += [f"{z}.{self.one_of('real', 'imag')}[{self.index()}] {op} {n}", f"{z}[...] {op} {v}"]
        return [*stores, f"{z}.{self.one_of('real', 'imag')} {self.one_of('=', '*=', '+=')} {v}"]

    def into_s(self) -> list[str]:
        s, n, op = self.target("s"), self.item(), self.operator()
        stores = [
            f"{s}[{self.index()}] {op} {n}",
            f"{s}[1:3] {op} {self.view('s')}[:2]",
            f"{s}[...] {op} {self.view('v')}",
        ]
        return [*stores, f"np.multiply({s}, {self.view('s')}, out={s})"]

    def into_h(self) -> list[str]:
        h, n, op = self.some("h"), self.number(), self.operator()
        stores = [f"{h}[{self.one_of(0, -1)}][{self.index()}] {op} {n}", f"{h}[0][1:] {op} {h}[-1][:-1]"]
        stores += [f"for t in {h}:\n    t *= {self.item()}", f"{h}[0] {self.one_of('+=', '*=')} {self.value()}"]
        return [*stores, f"{h}[{self.one_of(0, 1)}] = {self.view('v')}", f"added({h}[0], {h}[-1])"]

    def into_d(self) -> list[str]:
        d, key = self.some("d"), self.one_of(*"pq")
        stores = [f"{d}['{key}'][{self.index()}] {self.operator()} {self.number()}", f"{d}['{key}'] = {self.view('v')}"]
        return [
            *stores,
            f"{d}['{key}'] {self.one_of('+=', '*=')} {self.value()}",
            f"for t in {d}.values():\n    t *= 0.8",
        ]

    def into_o(self) -> list[str]:
        o, field = self.some("o"), self.one_of(*"vw")
        stores = [f"{o}.{field}[{self.index()}] {self.operator()} {self.number()}", f"{o}.{field} = {self.view('v')}"]
        return [
            *stores,
            f"{o}.scale({self.item()})",
            f"{o}.swap()",
            f"{o}.{field} {self.one_of('+=', '*=')} {self.value()}",
        ]


class Viewed(Stores):
    """Statements with blocks."""

    def block(self, most: int) -> None:
        for _ in range(self.one_of(*range(1, most + 1))):
            self.statement()

    def statement(self) -> None:
        self.budget[0] -= 1
        simple = [self.store_into] * 8 + [self.name] * 5 + [self.make] * 2 + [self.assign] * 2
        compound = [self.for_loop, self.for_loop, self.branch, self.function]
        self.one_of(*(simple if self.indent > 3 or self.budget[0] < 0 else [*simple, *compound]))()

    def name(self) -> None:
        """A view gets a name: a new one, or one that stood for another."""
        kind = self.one_of(*"vvvvmmmeebzshdoxx")
        self.store(self.new(kind) if kind not in "hdo" else self.fresh(kind), self.view(kind))

    def make(self) -> None:
        kind = self.one_of(*BEGUN)
        self.store(self.new(kind) if kind not in "hdo" else self.fresh(kind), self.made(kind))

    def assign(self) -> None:
        own = [name for name in self.own("n") if name not in ("n0", "n1")]
        value = self.total() if self.chance(60) else self.number()
        if own and self.chance(60):
            return self.line(f"{self.some_of(own)} += {value}")
        return self.store(self.fresh("n"), value)

    def leaves(self, body: Viewed) -> None:
        """Now and then what a block binds first is read after it, though the block may not have run."""
        for name in [x for kind in "nvm" for x in body.names.get(kind, [])]:
            if self.chance(10):
                self.bind(name)

    def branch(self) -> None:
        self.line(f"if {self.condition()}:")
        sides = [self.inner()]
        sides[0].block(2)
        if self.chance(50):
            self.line("else:")
            sides.append(self.inner())
            sides[1].block(2)
        for side in sides:
            self.leaves(side)

    def for_loop(self) -> None:
        body = self.inner(loops=self.loops + 1, around="for")
        i = f"i{self.loops}"
        self.line(f"for {i} in range({self.one_of(3, 2, 2, 0, '1, 3', '2, -1, -1')}):")
        body.bind(i)
        body.block(3)
        if self.chance(15):
            body.line(f"if {body.condition()}:")
            body.line(f"    {self.one_of('break', 'continue')}")
        self.leaves(body)

    def function(self) -> None:
        """A function that is given views, perhaps the same twice, which it changes; it captures what it likes."""
        if self.nested or not self.has("v"):
            return self.assign()
        name, v, w, n = self.fresh("p"), self.fresh("v"), self.fresh("v"), self.fresh("n")
        self.line(f"def {name}({v}, {w}, {n}):")
        body = self.function_scope()
        body.names = {**({**body.names, "i": []} if self.chance(50) else {"n": [*self.names["n"]]})}
        for param in (v, w, n):
            body.bind(param)
        body.block(3)
        gives = self.chance(50)
        body.line(f"return {self.one_of(v, f'{w}[::-1]', f'{v}[:]') if gives else body.number()}")
        for _ in range(self.one_of(1, 2)):
            call = f"{name}({self.view('v')}, {self.view('v')}, {self.item()})"
            self.store(self.fresh("v" if gives else "n"), call if gives else f"0.5 * {call}")
        return None

    def result(self) -> str:
        names = [name for kind in "vmebzshdox" for name in self.names.get(kind, [])[-4:]]
        return " + ".join(["0.1 * n0 * n1", self.number(), *map(self.total_of, names)])


def viewed_program(scope: Viewed, size: int) -> str:
    """The body of a function of two numbers, a list or an array of three, and an array of four or of two by two."""
    for kind in dict.fromkeys(scope.one_of(*BEGUN) for _ in range(scope.one_of(0, 1, 2, 3))):
        scope.store(scope.fresh(kind), scope.made(kind))
    for _ in range(scope.one_of(*range(2, size + 1))):
        scope.statement()
        if scope.budget[0] < 0:
            break
    scope.line(f"return float({scope.result()})")
    return "\n".join(scope.lines)
