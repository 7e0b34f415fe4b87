"""What programs about views have at hand: arrays, parts of arrays under other names, and functions that take them.

The arrays are the caller's, or made by the program. Kinds besides `n` and `i`: `v` four numbers, `m` a matrix of three
by four, `e` one of two by two, `b` a matrix's twelve numbers, `z` four complex numbers, `s` four of float32, `h` a list
of vectors, `d` a dict of two, `o` an object of two, `x` views that are only read (diagonals, windows).
"""

from __future__ import annotations

from .scope import Drawn

VIEWED = """

class Held:
    def __init__(self, v, w):
        self.v = v
        self.w = w

    def scale(self, n):
        self.v *= n
        self.w[1] = self.v[0] * n

    def swap(self):
        self.v, self.w = self.w, self.v


def part(v):
    return v[1:3]


def turned(v):
    return v[::-1]


def row_of(m, i):
    return m[i]


def added(v, w):
    v += w
    return v


def mixed_into(v, w, n):
    v[1:] *= n
    w[0] = v[2] - w[1]
    v[0] += w[3]


def smoothed(v, rounds):
    for _ in range(rounds):
        v[1:-1] = 0.4 * v[1:-1] + 0.3 * (v[:-2] + v[2:])


def scaled_rows(m, n):
    for row in m:
        row *= n
        row[0] += 0.2 * row[-1]


def kept_until(v, n):
    for i in range(4):
        if v[i] > n:
            return v[i:]
        v[i] *= 0.5
    return v

"""
OF_SQUARE = """
def arguments_of(n, m, items, a):
    return n, m, items, a.reshape(2, 2)

"""
OF_ARRAYS = """
def arguments_of(n, m, items, a):
    return n, m, np.array(items), a

"""
BEGUN = "vvvmmmbzsehdo"
"""Kinds that are made, by how often."""


class Parts(Drawn):
    """What may be calculated, and the views there are; products are damped."""

    def index(self) -> str:
        options = ["0", "1", "2", "3", "-1", "-2"]
        if self.has("i"):
            i = self.some("i")
            options += [i, i, i, f"{i} - 1", f"-{i}", f"(2 * {i}) % 4"]
        if self.chance(15):
            options += [f"int({self.leaf()} > 0.3)", f"{self.some('v')}.argmax()"] if self.has("v") else []
        return self.one_of(*options)

    def place(self, size: int) -> str:
        """A place in fewer than four."""
        return str(self.one_of(*range(-size, size))) if not self.has("i") else f"{self.some('i')} % {size}"

    def leaf(self) -> str:
        return self.one_of(self.some("n"), self.some("n"), "0.5", "-1.5", "0.3")

    def item(self) -> str:
        """One number, mostly of an array."""
        ways = {
            "v": lambda v: f"{v}[{self.index()}]",
            "m": lambda m: self.one_of(*[f"{m}[{self.place(3)}, {self.index()}]"] * 3, f"{m}.T[{self.index()}][1]"),
            "e": lambda e: f"{e}[{self.place(2)}, {self.place(2)}]",
            "b": lambda b: f"{b}[{self.one_of(0, 5, -1, 7)}]",
            "z": lambda z: f"{z}[{self.index()}].{self.one_of('real', 'imag')}",
            "s": lambda s: f"float({s}[{self.index()}])",
            "h": lambda h: f"{h}[{self.one_of(0, -1)}][{self.index()}]",
            "d": lambda d: f"{d}['{self.one_of(*'pq')}'][{self.index()}]",
            "o": lambda o: f"{o}.{self.one_of(*'vw')}[{self.index()}]",
        }
        kinds = [kind for kind in "vvvmmmeebzshdo" if self.has(kind)]
        if not kinds or self.chance(35):
            return self.leaf()
        kind = self.one_of(*kinds)
        return ways[kind](self.some(kind))

    def number(self, depth: int = 0) -> str:
        if depth > 1 or self.chance(50):
            return self.item()
        n, m = self.number(depth + 1), self.number(depth + 1)
        return self.one_of(
            *(f"({n} + {m})", f"({n} - {m})", f"0.5 * {n} * {m}", f"math.{self.one_of('sin', 'cos', 'tanh')}({n})"),
            *(self.total(), f"({n} if {self.condition()} else {m})"),
        )

    def total_of(self, x: str) -> str:
        """A number of all of an array."""
        weights = "np.arange(1.0, 5.0)"
        ways = {
            "v": [f"0.3 * ({x} * {weights}).sum()", f"0.3 * {x} @ {x}", f"0.2 * np.sin({x}).sum()", f"{x}.max()"],
            "m": [f"0.2 * ({x} * {weights}).sum()", f"0.2 * ({x} ** 2).sum()", f"0.1 * ({x} @ {x}.T).trace()"],
            "e": [f"0.3 * ({x} * [[1.0, 2.0], [3.0, -1.0]]).sum()", f"0.3 * ({x} @ {x}).sum()"],
            "b": [f"0.1 * ({x} * np.arange(12.0)).sum()", f"0.2 * ({x} ** 2).sum()"],
            "z": [f"0.3 * ({x} * {x}.conj()).real.sum()", f"0.2 * ({x} * {weights}).sum().imag"],
            "s": [f"0.3 * float(({x} * np.float32(0.5)).sum())"],
            "h": [f"0.2 * sum(u * t for t, u in enumerate({x}, 1)).sum()", f"0.2 * sum((u * u).sum() for u in {x})"],
            "d": [f"0.3 * (({x}['p'] - {x}['q']) * {weights}).sum()"],
            "o": [f"0.3 * (({x}.v - {x}.w) * {weights}).sum()"],
            "x": [f"0.2 * ({x} * {x}).sum()"],
        }
        return self.one_of(*ways[x[0]])

    def total(self) -> str:
        kinds = [kind for kind in "vvmmebzshdox" if self.has(kind)]
        return self.total_of(self.some(self.one_of(*kinds))) if kinds else self.leaf()

    def condition(self) -> str:
        if self.has("i") and self.chance(40):
            return f"{self.some('i')} {self.one_of('==', '!=', '<')} {self.one_of(0, 1, 2)}"
        return f"{self.item()} {self.one_of('<', '>')} {self.one_of('0.2', '0.6', '-0.3', '1.7')}"

    def view(self, kind: str) -> str:
        """An array of a kind that is there, or part of one."""
        return self.one_of(*getattr(self, f"view_{kind}")())

    def view_v(self) -> list[str]:
        v = [*self.names.get("v", [])] * 2
        v += [f"{x}{self.one_of('[::-1]', '[:]', '[...]', '.view()', '.reshape(4)')}" for x in self.names.get("v", [])]
        for m in self.names.get("m", []):
            v += [f"{m}[{self.place(3)}]", f"{m}.T[:, {self.place(3)}]", f"{m}[::-1][{self.place(3)}]"]
            v += [f"{m}[:, ::-1][{self.place(3)}]", f"{m}.reshape(2, 6)[1, 1:5]", f"row_of({m}, {self.place(3)})"]
        for e in self.names.get("e", []):
            v += [f"{e}.reshape(4)", f"{e}.ravel()", f"{e}.reshape(-1)", f"np.ravel({e})"]
        v += [f"{b}[{self.one_of('4:8', '::3', '8:', '-1:-5:-1')}]" for b in self.names.get("b", [])]
        v += [f"{z}.{self.one_of('real', 'imag')}" for z in self.names.get("z", [])]
        v += [f"{h}[{self.one_of(0, -1)}]" for h in self.names.get("h", [])]
        v += [f"{d}['{self.one_of(*'pq')}']" for d in self.names.get("d", [])]
        v += [f"{o}.{self.one_of(*'vw')}" for o in self.names.get("o", [])]
        if v and self.chance(10):
            x = self.one_of(*v)
            v += [f"np.asarray({x})", f"np.atleast_2d({x})[0]", f"{x}[np.newaxis, :][0]", f"turned({x})"] * 3
            v += [f"np.squeeze({x}[:, None])", f"np.expand_dims({x}, 0)[0]", f"np.broadcast_to({x}, (2, 4))[1] * 1.0"]
        return v or ["np.ones(4)"]

    def view_m(self) -> list[str]:
        m = [*self.names.get("m", [])] * 2
        for x in self.names.get("m", []):
            m += [f"{x}[::-1]", f"{x}.T.T", f"{x}[:, ::-1]", f"np.flip({x})", f"{x}[:]", f"{x}.reshape(3, 4)"]
            m += [f"np.moveaxis({x}.T, 0, 1)", f"{x}.transpose(0, 1)", f"{x}.swapaxes(0, 1).T", f"{x}[[0, 2, 1]]"]
        m += [f"{b}.reshape(3, 4)" for b in self.names.get("b", [])]
        return m or ["np.ones((3, 4))"]

    def view_e(self) -> list[str]:
        e = [*self.names.get("e", [])] * 2
        e += [f"{x}{self.one_of('.T', '[::-1]', '[:, ::-1]', '.transpose()')}" for x in self.names.get("e", [])]
        e += [f"{m}[{self.one_of('1:, :2', '::2, 1:3', ':2, ::2')}]" for m in self.names.get("m", [])]
        e += [f"{v}.reshape(2, 2){self.one_of('', '.T')}" for v in self.names.get("v", [])]
        return e or ["np.eye(2)"]

    def view_b(self) -> list[str]:
        b = [*self.names.get("b", [])]
        for m in self.names.get("m", []):
            b += [f"{m}.ravel()", f"{m}.T.reshape(-1)", f"{m}[:, ::-1].ravel()", f"np.ravel({m})", f"{m}.flatten()"]
            b += [f"{m}.reshape(-1)", f"{m}.reshape(12)"]
        return b or ["np.arange(12.0) * 0.1"]

    def view_z(self) -> list[str]:
        z = [f"{x}{self.one_of('', '[::-1]', '[:]', '.reshape(4)')}" for x in self.names.get("z", [])]
        return z or ["np.ones(4, complex)"]

    def view_s(self) -> list[str]:
        s = [f"{x}{self.one_of('', '[::-1]', '[:]', '.reshape(4)')}" for x in self.names.get("s", [])]
        return s or ["np.ones(4, np.float32)"]

    def view_h(self) -> list[str]:
        h = [f"[{self.view('v')}, {self.view('v')}]"]
        h += [f"list({m})" for m in self.names.get("m", [])] + [f"[{m}[1], {m}[0]]" for m in self.names.get("m", [])]
        return [*h, *self.names.get("h", [])]

    def view_d(self) -> list[str]:
        return [f"{{'p': {self.view('v')}, 'q': {self.view('v')}}}"]

    def view_o(self) -> list[str]:
        return [f"Held({self.view('v')}, {self.view('v')})"]

    def view_x(self) -> list[str]:
        x = [f"{v}{self.one_of('[1:]', '[::2]', '[None]', '[-2:]')}" for v in self.names.get("v", [])]
        x += [f"part({v})" for v in self.names.get("v", [])]
        x += [f"np.lib.stride_tricks.sliding_window_view({v}, 2)" for v in self.names.get("v", [])]
        for m in self.names.get("m", []):
            x += [f"{m}.diagonal()", f"np.diagonal({m}, 1)", f"{m}.T", f"np.diag({m}[:, :3])", f"{m}[1:, ::2]"]
        x += [f"{e}.diagonal()" for e in self.names.get("e", [])]
        x += [f"np.broadcast_to({v}, (3, 4))" for v in self.names.get("v", [])]
        return x or ["np.ones(3)"]

    def made(self, kind: str) -> str:
        """A new array of a kind, which nobody has."""
        n = self.item()
        new = {
            "v": ["np.zeros(4)", f"np.full(4, {n})", f"np.array([{n}, n0, 0.7, n1])", f"{self.view('v')} * {n}"],
            "m": [f"np.outer([{n}, 0.4, n1], {self.view('v')})", "np.zeros((3, 4))", f"{self.view('m')} * {n}"],
            "e": [f"np.array([[n0, {n}], [n1, 0.4]])", f"{self.view('e')} + {n}", f"{self.view('e')}.copy()"],
            "b": [f"np.arange(12.0) * {n}", f"{self.view('b')} * 0.5"],
            "z": [f"{self.view('v')} * (1.0 + 0.5j)", f"np.full(4, 0.3j) * {n}", f"{self.view('z')} * 1j"],
            "s": ["np.array([0.4, 0.9, 1.2, 0.3], np.float32)", f"{self.view('v')}.astype(np.float32)"],
            "h": [f"[{self.view('v')} * 1.0, {self.view('v')}]"],
            "d": [f"{{'p': {self.view('v')} + 0.1, 'q': {self.view('v')}}}"],
            "o": [f"Held({self.view('v')} * 0.9, {self.view('v')})"],
        }
        return self.one_of(*new[kind])
