"""Random programs that can be compiled: numbers, vectors and matrices, loops, stores (into arguments, too), views,
helpers.

`f(n0, n1, v, w, m)` takes two numbers, vectors of four and three entries, and a matrix of three rows of four; it gives
a number.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

HEAD = """import math
from typing import NamedTuple

import numpy as np

SCALE = 0.7


class Pair(NamedTuple):
    first: float
    second: float


def smooth(a, b):
    return math.sin(a) * b + 0.3 * a


def halved(a, b):
    if a > b:
        return a - 0.5 * b
    return b * a


def fill(z, x, c):
    for k in range(len(z)):
        z[k] = x[k] * c + math.cos(x[k])


def damp(z, c):
    z *= c
    z[0] += 0.25


def total(x):
    s = 0.0
    for e in x:
        s += e * e
    return s


def first_above(x, c):
    for k in range(len(x)):
        if x[k] > c:
            return x[k] * c, k
    return c, -1


def sought(x, c):
    y, k = first_above(x, c)
    for e in x:
        if e * c > y:
            return e - y
    return y + 0.1 * k


def scanned(x, c):
    p, k = (1.0, c), 0
    while k < len(x):
        p = (p[1] * 0.5, p[0] + x[k])
        k += 1
        if x[k - 1] > c:
            break
    return p[0] * p[1] + k


def by_squaring(a, n):
    if n == 0:
        return 1.0
    half = by_squaring(a, n // 2)
    return half * half * a if n % 2 else half * half


def by_halves(x, low, high, c):
    if high - low < 2:
        return x[low] * c if high > low else c
    middle = (low + high) // 2
    return by_halves(x, low, middle, c) + math.sin(by_halves(x, middle, high, x[low]))


def by_parts(x, c):
    if len(x) == 0:
        return c
    part = x[1:] * c
    return x[0] * by_parts(part, 0.5) + math.cos(c)


class Meter:
    def __init__(self, value):
        self.value = value
        self.steps = 0

    def add(self, x):
        self.value = 0.8 * self.value + x
        self.steps += 1
        return self


"""
ROWS = {"v": 4, "w": 3}


@dataclass
class Scope:
    """What can be read and what can be stored into; integers with what they stay below."""

    numbers: list[str]
    vectors: dict[str, int]
    own: dict[str, int]
    matrices: list[str]
    own_matrices: list[str]
    integers: dict[str, int] = field(default_factory=dict)
    looping: bool = False

    def inner(self, looping: bool | None = None) -> Scope:
        """That of a block: what is made in it is gone after it."""
        return Scope(
            [*self.numbers], dict(self.vectors), dict(self.own), [*self.matrices], [*self.own_matrices],
            dict(self.integers), self.looping if looping is None else looping,
        )  # fmt: skip


class Writer:
    """Writes one program, as a generator of random numbers has it."""

    def __init__(self, seed: int) -> None:
        self.r = random.Random(seed)
        self.names = 0

    def name(self, kind: str) -> str:
        self.names += 1
        return f"{kind}{self.names + 1}"

    def pick(self, *choices: str) -> str:
        return self.r.choice(choices)

    # ---- expressions

    def constant(self) -> str:
        return self.pick("0.5", "-1.2", "2.0", "0.3", "1.0", "SCALE", "-0.7")

    def index(self, s: Scope, n: int) -> str:
        """An index of an axis of this length."""
        found = [i for i, below in s.integers.items() if below <= n]
        if found and self.r.random() < 0.75:
            i = self.r.choice(found)
            return self.pick(i, i, i, f"{i} - 1", f"{n - 1} - {i}", f"({i} + 1) % {n}", f"-1 - {i}")
        return str(self.r.randrange(-n, n))

    def number(self, s: Scope, depth: int = 2) -> str:
        if depth <= 0 or self.r.random() < 0.2:
            return self.leaf(s)
        a, b = self.number(s, depth - 1), self.number(s, depth - 1)
        n = self.r.choice((3, 4))
        match self.r.randrange(16):
            case 0 | 1 | 2:
                return f"({a} {self.pick('+', '-', '*')} {b})"
            case 3:
                return f"{a} / (1.5 + {b} * {b})"
            case 4:
                return f"math.{self.pick('sin', 'cos', 'tanh', 'atan')}({a})"
            case 5:
                return f"np.{self.pick('sin', 'cos', 'tanh', 'arctan')}({a})"
            case 6:
                return f"math.exp(0.3 * math.tanh({a}))"
            case 7:
                return f"math.{self.pick('sqrt', 'log')}(1.2 + {a} * {a})"
            case 8:
                return f"{self.pick('smooth', 'halved')}({a}, {b})"
            case 9:
                return f"({a} if {self.test(s)} else {b})"
            case 10:
                return f"np.{self.pick('sum', 'mean', 'max', 'min')}({self.vector(s, n, 1)})"
            case 11:
                return f"({self.vector(s, n, 1)} @ {self.vector(s, n, 1)})"
            case 12:
                return self.called(s, n)
            case 13:
                return f"abs({a})" if self.r.random() < 0.5 else f"{self.pick('max', 'min')}({a}, {b})"
            case 14:
                return f"Pair({a}, {b}).{self.pick('first', 'second')}" if self.r.random() < 0.3 else f"-{a}"
            case _:
                return f"({a}) ** {self.pick('2', '3')}"

    def called(self, s: Scope, n: int) -> str:
        """A call of a function with loops that are left, or of one that calls itself."""
        a, x = self.number(s, 1), self.vector(s, n, 1)
        calls = [f"total({x})", f"sought({x}, {a})", f"scanned({x}, {a})", f"by_squaring({a}, {self.r.randrange(7)})"]
        return self.pick(*calls, f"by_halves({x}, 0, {n}, {a})", f"by_parts({x}, {a})")

    def leaf(self, s: Scope) -> str:
        n = self.r.choice((3, 4))
        vectors = [name for name, size in s.vectors.items() if size == n]
        choices = [self.r.choice(s.numbers), self.r.choice(s.numbers), self.constant()]
        if vectors:
            choices += [f"{self.r.choice(vectors)}[{self.index(s, n)}]"] * 3
        choices.append(f"{self.r.choice(s.matrices)}[{self.index(s, 3)}, {self.index(s, 4)}]")
        if self.r.random() < 0.15:
            choices.append(self.guarded(s))
        if s.integers:
            choices.append(f"{self.r.choice([*s.integers])} * 0.2")
        return self.r.choice(choices)

    def guarded(self, s: Scope) -> str:
        """An entry, where there is one."""
        name = self.r.choice([*s.vectors])
        i = self.r.choice([*s.integers, *map(str, range(2, 7))])
        k = self.pick(i, i, f"{i} + 2", f"{i} * 2")
        return f"({name}[{k}] if {k} < len({name}) else {self.constant()})"

    def test(self, s: Scope) -> str:
        compare = f"{self.number(s, 1)} {self.pick('>', '<')} {self.number(s, 1)}"
        if s.integers and self.r.random() < 0.4:
            compare = f"{self.r.choice([*s.integers])} {self.pick('>', '==', '<=', '!=')} {self.r.randrange(3)}"
        return f"{compare} {self.pick('and', 'or')} {self.leaf(s)} > 0.1" if self.r.random() < 0.2 else compare

    def vector(self, s: Scope, n: int, depth: int = 2) -> str:
        names = [name for name, size in s.vectors.items() if size == n]
        if depth <= 0 and names:
            return self.r.choice(names)
        a, b = (self.vector(s, n, depth - 1) if depth > 0 else f"np.ones({n})" for _ in range(2))
        match self.r.randrange(18):
            case 0 | 1 | 2:
                return f"({a} {self.pick('+', '-', '*')} {b})"
            case 3:
                return f"({self.number(s, 1)} * {a})"
            case 16:
                new = " * 1.0" if self.r.random() < 0.9 else ""  # else stores into what may be chosen are refused
                return f"({a}{new} if {self.test(s)} else {b}{new})"
            case 4:
                return f"np.{self.pick('sin', 'cos', 'tanh')}({a})"
            case 5:
                return f"np.where({a} > {self.number(s, 1)}, {a}, {b})"
            case 6:
                matrix = self.r.choice(s.matrices)
                return f"{matrix}[{self.index(s, 3)}]" if n == 4 else f"{matrix}[:, {self.index(s, 4)}]"
            case 7:
                matrix, other = self.r.choice(s.matrices), self.vector(s, 7 - n, depth - 1)
                return f"({matrix} @ {other})" if n == 3 else f"({other} @ {matrix})"
            case 8:
                return f"{a}[::-1]"
            case 9:
                return f"np.sum({self.r.choice(s.matrices)}, axis={0 if n == 4 else 1})"
            case 10:
                return f"np.{self.pick('maximum', 'minimum')}({a}, {self.number(s, 1)})"
            case 11:
                return f"np.array([{', '.join(self.number(s, 1) for _ in range(n))}])"
            case 12:
                return f"{a}[np.array([{', '.join(str(self.r.randrange(-n, n)) for _ in range(n))}])]"
            case 13:
                part = self.pick("1:", ":-1", ":3")
                return f"np.cumsum({a})" if n == 4 else f"{self.vector(s, 4, depth - 1)}[{part}]"
            case 14:
                return f"{self.vector(s, 4, 0)}[1:]" if n == 3 else f"np.concatenate([{self.vector(s, 3, 0)}, {a}[:1]])"
            case 15:
                return f"np.exp(0.2 * {a})"
            case _:
                return self.r.choice(names) if names else f"np.ones({n})"

    # ---- statements

    def block(self, s: Scope, size: int, depth: int) -> list[str]:
        lines: list[str] = []
        for _ in range(self.r.randint(1, max(1, size))):
            lines += self.statement(s, depth)
        return lines

    def statement(self, s: Scope, depth: int) -> list[str]:
        n = self.r.choice((3, 4))
        k = self.r.randrange(25 if depth else 14)
        own = [name for name, size in s.own.items() if size == n]
        if k in (0, 1):
            return self.bound(s, "a", self.number(s))
        if k == 2:
            return [f"{self.local(s)} {self.pick('+=', '-=', '*=')} {self.number(s, 1)}"]
        if k == 3:
            return [f"{self.local(s)} = {self.number(s)}"]
        if k == 4:
            return self.array(s, n, self.vector(s, n), False)
        if k == 5:
            copy, computed = f"{self.vector(s, n, 0)}.copy()", f"{self.vector(s, n)} * 1.0"
            return self.array(s, n, self.pick(f"np.zeros({n})", f"np.ones({n})", copy, computed), True)
        if k in (6, 7, 8) and own:
            target = f"{self.r.choice(own)}[{self.index(s, n)}]"
            return [f"{target} {self.pick('=', '+=', '*=', '-=')} {self.number(s, 1)}"]
        if k == 9 and own:
            target = self.r.choice(own)
            if self.r.random() < 0.3:
                return [f"{target} *= {self.number(s, 1)}"]
            part, size = self.r.choice([("1:", n - 1), (":-1", n - 1), ("::-1", n), (":", n)])
            value = self.vector(s, n, 1) + ("[1:]" if size < n else "")
            return [f"{target}[{part}] {self.pick('=', '+=')} {value}"]
        if k == 10 and own:
            target = self.r.choice(own)
            return [self.pick(f"fill({target}, {self.vector(s, n, 1)}, {self.number(s, 1)})", f"damp({target}, 0.8)")]
        if k == 11:
            return self.of_matrix(s)
        if k == 12 and own:
            view = self.name("u")
            s.vectors[view] = s.own[view] = n - 1
            if n - 1 not in (3, 4):
                del s.vectors[view], s.own[view]
            return [f"{view} = {self.r.choice(own)}[1:]"]
        if k == 13 and s.looping:
            return [f"if {self.test(s)}:", f"    {self.pick('continue', 'break')}"]
        if k in (14, 15, 16) and depth:
            return self.loop(s, n, depth)
        if k in (17, 18) and depth:
            lines = [f"if {self.test(s)}:", *indented(self.block(s.inner(), 2, depth - 1))]
            if self.r.random() < 0.6:
                lines += ["else:", *indented(self.block(s.inner(), 2, depth - 1))]
            return lines
        if k == 19 and depth:
            count = self.name("k")
            body = self.block(s.inner(False), 2, depth - 1)
            return [f"{count} = 0", f"while {count} < {self.r.randint(1, 3)}:", *indented([*body, f"{count} += 1"])]
        if k == 20 and depth:
            return self.collected(s, n)
        if k in (21, 22) and depth:
            return self.left(s, n)
        if k == 23 and depth:
            return self.metered(s, n)
        return self.bound(s, "a", self.number(s))

    def bound(self, s: Scope, kind: str, value: str) -> list[str]:
        name = self.name(kind)
        s.numbers.append(name)
        return [f"{name} = {value}"]

    def local(self, s: Scope) -> str:
        return self.r.choice([x for x in s.numbers if x not in ("n0", "n1")] or ["n0"])

    def array(self, s: Scope, n: int, value: str, own: bool) -> list[str]:
        name = self.name("x")
        s.vectors[name] = n
        if own:
            s.own[name] = n
        return [f"{name} = {value}"]

    def of_matrix(self, s: Scope) -> list[str]:
        if not s.own_matrices or self.r.random() < 0.4:
            name = self.name("m")
            value = self.pick("np.zeros((3, 4))", "m.copy()", "np.outer(w, v)", "m * n0", "np.ones((3, 4))")
            s.matrices.append(name)
            s.own_matrices.append(name)
            return [f"{name} = {value}"]
        target = self.r.choice(s.own_matrices)
        match self.r.randrange(4):
            case 0:
                return [f"{target}[{self.index(s, 3)}] = {self.vector(s, 4, 1)}"]
            case 1:
                return [f"{target}[:, {self.index(s, 4)}] {self.pick('=', '+=')} {self.vector(s, 3, 1)}"]
            case 2:
                return [f"{target} += {self.pick('m', 'np.outer(w, v)', self.number(s, 1))}"]
        return [f"{target}[{self.index(s, 3)}, {self.index(s, 4)}] {self.pick('=', '+=')} {self.number(s, 1)}"]

    def loop(self, s: Scope, n: int, depth: int) -> list[str]:
        i, inner = self.name("i"), s.inner(True)
        outer = [j for j, below in s.integers.items() if below == n]
        k = self.r.randrange(8)
        inner.integers[i] = n
        if k == 0 and outer:
            head = f"for {i} in range({self.r.choice(outer)} + 1, {n}):"
        elif k == 1 and outer:
            head = f"for {i} in range({self.r.choice(outer)}):"
        elif k == 2:
            head = f"for {i} in range({n - 1}, -1, -1):"
        elif k == 3:
            head = f"for {i} in range(1, {n}):"
        elif k == 4:
            e = self.name("e")
            inner.numbers.append(e)
            head = f"for {i}, {e} in enumerate({self.vector(s, n, 1)}):"
        elif k == 5:
            e, g = self.name("e"), self.name("g")
            inner.numbers += [e, g]
            del inner.integers[i]
            head = f"for {e}, {g} in zip({self.vector(s, n, 1)}, {self.vector(s, n, 1)}):"
        elif k == 6:
            head = f"for {i} in range(len({self.vector(s, n, 0)})):"
        else:
            head = f"for {i} in range({n}):"
        return [head, *indented(self.block(inner, 4, depth - 1))]

    def collected(self, s: Scope, n: int) -> list[str]:
        """A list that grows in a loop, or a comprehension."""
        items, e = self.name("items"), self.name("e")
        inner = s.inner()
        inner.numbers.append(e)
        a = self.name("a")
        s.numbers.append(a)
        if self.r.random() < 0.5:
            lines = [f"{items} = [{self.number(inner, 1)} for {e} in {self.vector(s, n, 1)}]"]
        else:
            body = f"    {items}.append({self.number(inner, 1)})"
            lines = [f"{items} = []", f"for {e} in {self.vector(s, n, 1)}:", body]
        return [*lines, f"{a} = {items}[{self.r.randrange(n)}] + sum({items})"]

    def left(self, s: Scope, n: int) -> list[str]:
        """A loop that is left, which carries a tuple, or binds a variable."""
        i, inner = self.name("i"), s.inner()
        inner.integers[i] = n
        test, q = self.test(inner), self.name("q")
        if self.r.random() < 0.5:
            pair = f"({q}[1] * {self.constant()}, {q}[0] + {self.number(inner, 1)})"
            body = [f"{q} = {pair}", f"if {test}:", f"    {self.pick('break', 'continue')}", f"{q} = ({q}[1], {q}[0])"]
            lines = [f"{q} = ({self.number(s, 1)}, 1.0)", f"for {i} in range({n}):", *indented(body)]
            return [*lines, *self.bound(s, "a", f"{q}[0] * 0.3 + {q}[1]")]
        found = [f"if {test}:", f"    {q} = {self.number(inner, 1)}", *(["    break"] if self.r.random() < 0.8 else [])]
        last = ["else:", f"    {q} = {self.number(s, 1)}"] if self.r.random() < 0.8 else []
        return [f"for {i} in range({n}):", *indented(found), *last, *self.bound(s, "a", f"{q} * 0.5")]

    def metered(self, s: Scope, n: int) -> list[str]:
        """An object that a loop changes."""
        meter, e = self.name("meter"), self.name("e")
        inner = s.inner()
        inner.numbers.append(e)
        change = self.pick(f"{meter}.add({self.number(inner, 1)})", f"{meter}.value += {self.number(inner, 1)}")
        body = [f"if {self.test(inner)}:", f"    {change}"] if self.r.random() < 0.5 else [change]
        lines = [f"{meter} = Meter({self.number(s, 1)})", f"for {e} in {self.vector(s, n, 1)}:", *indented(body)]
        return [*lines, *self.bound(s, "a", f"{meter}.value * 0.4 + {meter}.steps")]

    def program(self, size: int) -> str:
        scope = Scope(["n0", "n1"], {"v": 4, "w": 3}, {}, ["m"], [])
        first = ["a0 = 0.0", "x0 = np.zeros(4)", "x1 = w * n1"]
        scope.numbers.append("a0")
        scope.vectors |= {"x0": 4, "x1": 3}
        scope.own |= {"x0": 4, "x1": 3}
        if self.r.random() < 0.4:  # its arguments are stored into as well
            scope.own |= {"v": 4, "w": 3}
            scope.own_matrices.append("m")
        self.names = 2
        lines = [*first, *self.block(scope, size, 2), *self.block(scope, size, 2)]
        parts = [self.number(scope, 1), "a0", *[f"np.sum({x})" for x in [*scope.vectors][-3:]]]
        parts += [f"np.sum({x})" for x in scope.own_matrices[-1:]]
        return HEAD + "\n".join(["def f(n0, n1, v, w, m):", *indented([*lines, f"return {' + '.join(parts)}"])]) + "\n"


def indented(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def program(seed: int, size: int = 5) -> str:
    """The program of a seed."""
    return Writer(seed).program(size)
