"""Random programs: functions of two numbers, a list of three numbers and an array of four.

Every variable has a kind, told by the first letter of its name: `n` a number, `i` an integer, `l` a list of three
numbers or more, `a` an array of four numbers, `b` one of two, `d` a dict of numbers, `o` an object, `f` a function of a
number. Values stay small: products are damped, divisors are at least one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

HEAD = '''"""A random program."""

import contextlib
import itertools
import math

import numpy as np


class Pair:
    def __init__(self, v, w):
        self.v = v
        self.w = w

    def mixed(self, n):
        return self.v * n - 0.5 * self.w

    def scaled(self, n):
        return Pair(self.v * n, self.w + n)

    def __add__(self, other):
        return Pair(self.v + other.v, self.w * 0.5 * other.w)

    @property
    def norm(self):
        return math.sqrt(1.0 + self.v * self.v + self.w * self.w)


def folded(ns, start=0.0, *, rate=0.5):
    for n in ns:
        start = start * rate + n
    return start


def halved(n, depth):
    return n if depth <= 0 else math.sin(n) * 0.5 + halved(n * 0.7, depth - 1)

'''

FIRST = ("n0", "n1", "l0", "a0")
"""The parameters of every program."""


@dataclass
class Scope:
    """What may be read at a point; `loops` is how many loops stand around it."""

    draw: Callable[[Any], Any]
    names: dict[str, list[str]]
    budget: list[int]
    count: list[int]
    features: frozenset[str]
    loops: int = 0
    nested: int = 0
    lines: list[str] = field(default_factory=list)
    indent: int = 1
    bound: frozenset[str] = frozenset()
    """What an enclosing function binds, which an inner one must not."""

    # ---- choices

    def chance(self, percent: int) -> bool:
        return self.draw(st.integers(0, 99)) < percent

    def one_of(self, *options: Any) -> Any:
        return self.draw(st.sampled_from(options))

    def has(self, kind: str) -> bool:
        return bool(self.names.get(kind))

    def some(self, kind: str) -> str:
        return self.draw(st.sampled_from(self.names[kind]))

    def own(self, kind: str) -> list[str]:
        """The variables of a kind that this function may bind again."""
        return [name for name in self.names.get(kind, []) if name not in self.bound]

    def new(self, kind: str) -> str:
        """A name to bind: one of this function's, or another."""
        own = self.own(kind)
        if own and self.chance(50):
            return self.draw(st.sampled_from(own))
        self.count[0] += 1
        return f"{kind}{self.count[0] + 9}"

    def bind(self, name: str) -> None:
        known = self.names.setdefault(name[0], [])
        if name not in known:
            known.append(name)

    # ---- lines

    def line(self, text: str) -> None:
        self.lines.append("    " * self.indent + text)

    def inner(self, **changes: Any) -> Scope:
        """A scope within this one: what it binds first may stay unbound outside."""
        names = {kind: list(known) for kind, known in self.names.items()}
        same = {"loops": self.loops, "nested": self.nested, "indent": self.indent + 1, "bound": self.bound}
        return Scope(self.draw, names, self.budget, self.count, self.features, lines=self.lines, **same | changes)

    # ---- expressions

    def number(self, depth: int = 0) -> str:
        if depth > 2 or self.chance(30):
            return self.leaf()
        n = lambda: self.number(depth + 1)  # noqa: E731
        options: list[Callable[[], str]] = [
            lambda: f"({n()} + {n()})",
            lambda: f"({n()} - {n()})",
            lambda: f"0.5 * {n()} * {n()}",
            lambda: f"math.{self.one_of('sin', 'cos', 'tanh')}({n()})",
            lambda: f"({n()} / (1.0 + {self.leaf()} ** 2))",
            lambda: f"({n()} if {self.condition()} else {n()})",
            lambda: f"{self.one_of('max', 'min')}({n()}, {n()})",
            lambda: f"halved({n()}, {self.one_of(0, 2, 3)})",
            lambda: f"-abs({n()})",
        ]
        if self.has("l"):
            options += [
                lambda: f"{self.some('l')}[{self.one_of(0, 1, 2, -1)}]",
                lambda: f"0.3 * sum({self.items(depth + 1)})",
                lambda: f"folded({self.some('l')}, {n()}, rate={n()} * 0.3)",
                lambda: f"math.tanh({self.one_of('max', 'min')}({self.some('l')}))",
                lambda: f"sum(0.3 * p * q for p, q in zip({self.some('l')}, {self.items(depth + 1)}))",
            ]
        if self.has("a"):
            options += [
                lambda: f"{self.some('a')}[{self.one_of(0, 1, 2, 3, -1)}]",
                lambda: f"np.tanh({self.array(depth + 1)}).sum()",
                lambda: f"0.3 * ({self.array(depth + 1)} @ {self.array(depth + 1)})",
                lambda: f"{self.some('a')}.{self.one_of('mean', 'max', 'min')}()",
            ]
        if self.has("b"):
            options += [lambda: f"{self.some('b')}.sum()", lambda: f"{self.some('b')}[{self.one_of(0, 1)}]"]
        if self.has("d"):
            options += [
                lambda: f"{self.some('d')}['{self.one_of('p', 'q')}']",
                lambda: f"0.3 * sum({self.some('d')}.values())",
                lambda: f"{self.some('d')}.get('{self.one_of('p', 'z')}', {n()})",
            ]
        if self.has("o"):
            options += [
                lambda: f"{self.some('o')}.{self.one_of('v', 'w', 'norm')}",
                lambda: f"0.5 * {self.some('o')}.mixed({n()})",
                lambda: f"math.tanh(({self.some('o')} + {self.some('o')}).v)",
            ]
        if self.has("f"):
            options += [lambda: f"math.tanh({self.some('f')}({n()}))"]
        if self.has("i"):
            options += [lambda: f"0.3 * {self.some('i')} * {n()}"]
        return self.one_of(*options)()

    def leaf(self) -> str:
        return self.some("n") if self.chance(85) else self.one_of("0.3", "0.7", "1.1", "-0.4", "2")

    def condition(self) -> str:
        simple = f"{self.leaf()} {self.one_of('<', '>', '<=')} {self.one_of('0.2', '0.5', '1.1', '-0.3')}"
        if self.has("i") and self.chance(40):
            simple = f"{self.some('i')} {self.one_of('==', '!=', '<')} {self.one_of(0, 1, 2)}"
        if self.chance(20):
            return f"{simple} {self.one_of('and', 'or')} {self.leaf()} < 0.9"
        return f"not {simple}" if self.chance(10) else simple

    def items(self, depth: int = 0) -> str:
        """A list of three numbers or more."""
        n = lambda: self.number(depth + 1)  # noqa: E731
        options: list[Callable[[], str]] = [lambda: f"[{n()}, {n()}, {n()}]"]
        if self.has("l"):
            k = self.some("l")
            options += [
                lambda: k,
                lambda: f"[{self.over('m')} for m in {k}]",
                lambda: f"[m * {n()} for j, m in enumerate({k}) if j < 3 or m > 0.5]",
                lambda: f"({k} + [{n()}])",
                lambda: f"{k}[::-1]",
                lambda: f"sorted({k})",
                lambda: f"list(map(lambda m: {self.over('m')}, {k}))",
                lambda: f"list(itertools.accumulate({k}))",
            ]
        if self.has("a"):
            options += [lambda: f"list({self.some('a')})", lambda: f"{self.some('a')}.tolist()"]
        return self.one_of(*options)()

    def over(self, name: str) -> str:
        """An expression of one more number, which is bound by a comprehension or a lambda."""
        return self.one_of(
            f"{name} * {self.leaf()}", f"math.sin({name}) - {self.leaf()}", f"0.5 * {name} * {name} + {self.leaf()}"
        )

    def array(self, depth: int = 0) -> str:
        """An array of four numbers."""
        if depth > 2:
            return self.some("a")
        a, n = self.some("a"), lambda: self.number(depth + 1)
        options: list[Callable[[], str]] = [
            lambda: a,
            lambda: f"({a} * {n()})",
            lambda: f"({a} - 0.5 * {self.array(depth + 1)})",
            lambda: f"np.{self.one_of('sin', 'tanh', 'abs')}({self.array(depth + 1)})",
            lambda: f"{a}[::-1]",
            lambda: f"np.where({a} > {self.one_of('0.1', '0.6')}, {self.array(depth + 1)}, {n()})",
            lambda: f"{a}[[0, 2, 2, 1]]",
            lambda: f"np.array([{n()}, {n()}, {n()}, {n()}])",
            lambda: f"({a}.reshape(2, 2) @ np.ones((2, 2)) * 0.4).ravel()",
            lambda: f"np.concatenate([{a}[:2], {a}[1:3]])",
            lambda: f"{a}.copy()",
            lambda: f"np.cumsum({a}) * 0.3",
        ]
        return self.one_of(*options)()

    # ---- statements

    def block(self, most: int) -> None:
        """One statement or more."""
        for _ in range(self.draw(st.integers(1, most))):
            self.statement()

    def statement(self) -> None:
        self.budget[0] -= 1
        simple = [self.assign, self.assign, self.augment, self.swap, self.make, self.make, self.change, self.change]
        compound = [self.branch, self.for_loop, self.while_loop, self.function]
        if "exceptions" in self.features:
            compound += [self.guarded, self.in_context]
        if "generators" in self.features:
            compound += [self.generator]
        if "effects" in self.features:
            simple += [self.effect]
        deep = self.indent > 4 or self.budget[0] < 0
        self.one_of(*(simple if deep else [*simple, *compound]))()

    def store(self, name: str, value: str) -> None:
        self.line(f"{name} = {value}")
        self.bind(name)

    def assign(self) -> None:
        self.store(self.new("n"), self.number())

    def augment(self) -> None:
        own = self.own("n")
        if own:
            name = self.draw(st.sampled_from(own))
            self.line(self.one_of(f"{name} += {self.number()}", f"{name} -= {self.number()}", f"{name} *= 0.7"))

    def swap(self) -> None:
        a, b = self.new("n"), self.new("n")
        self.line(f"{a}, {b} = {self.number()}, {self.leaf()}")
        self.bind(a)
        self.bind(b)

    def make(self) -> None:
        """A container, an object or a view; or another name for one."""
        kind = self.one_of("l", "a", "a", "b", "d", "o")
        pair = f"Pair({self.leaf()}, {self.number(1)})"
        values = {
            "l": self.items,
            "a": self.array,
            "b": lambda: self.one_of(f"{self.some('a')}[1:3]", f"{self.some('a')}[::2]", f"{self.some('a')}[:2] * 0.5"),
            "d": lambda: f"{{'p': {self.number(1)}, 'q': {self.leaf()}}}",
            "o": lambda: pair if not self.has("o") else self.one_of(pair, f"{self.some('o')}.scaled(0.5)"),
        }
        value = values[kind]()
        if "aliases" in self.features and self.has(kind) and self.chance(30):
            value = self.some(kind)
        self.store(self.new(kind), value)

    def change(self) -> None:
        """Something changes in place: what was made here, or with "mutation" also what was given."""
        given = () if "mutation" in self.features else FIRST
        options = [(kind, name) for kind in "labdo" for name in self.names.get(kind, []) if name not in given]
        if "mutation" not in self.features:
            options = [(kind, name) for kind, name in options if name not in self.bound]
        if not options:
            return self.assign()
        kind, name = self.draw(st.sampled_from(options))
        n = self.number(1)
        place = self.one_of(0, 1, -1)
        self.line(
            {
                "l": lambda: self.one_of(
                    f"{name}.append({n})", f"{name}[{place}] = {n}", f"{name}[{place}] += {n}", f"{name} += [{n}]"
                ),
                "a": lambda: self.one_of(
                    *(f"{name}[{place}] = {n}", f"{name}[{place}] += {n}", f"{name}[1:3] = {n}", f"{name} *= 0.8"),
                    *(f"{name}[{name} > 0.3] = {n}", f"{name} += {self.array(2)}", f"{name}[:2] *= {n}"),
                ),
                "b": lambda: self.one_of(f"{name}[0] = {n}", f"{name} *= {n}", f"{name}[:] = {name}[::-1] + 0.1"),
                "d": lambda: self.one_of(f"{name}['p'] = {n}", f"{name}['q'] += {n}", f"{name}['r'] = {n}"),
                "o": lambda: self.one_of(f"{name}.v = {n}", f"{name}.w += {n}"),
            }[kind]()
        )
        return None

    def effect(self) -> None:
        self.line(self.one_of(f"print(f'{{{self.leaf()}:.2f}}')", f"assert abs({self.leaf()}) < 1e9"))

    def branch(self) -> None:
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
        if self.chance(30):
            self.line(f"if {self.condition()}:")
            leave = ["return " + self.leaf()] if self.nested == 0 else []
            self.line("    " + self.one_of("break", "continue", *leave))

    def for_loop(self) -> None:
        body = self.inner(loops=self.loops + 1)
        j, m = f"i{self.loops}", f"n{self.loops + 5}"
        options = [(f"for {j} in range({self.one_of(0, 2, 3)}):", (j,))]
        if self.has("l") and self.loops < 2:
            k = self.some("l")
            options += [
                (f"for {m} in {k}[:3]:", (m,)),
                (f"for {j}, {m} in enumerate({k}[:4]):", (j, m)),
                (f"for {m}, n8 in zip({self.some('l')}, {k}[:3]):", (m, "n8")),
            ]
        if self.has("a") and self.loops < 2:
            options += [(f"for {m} in {self.some('a')}:", (m,))]
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
        body = self.inner(loops=self.loops + 1)
        body.line(f"{counter} += 1")
        body.block(3)
        body.leave()

    def function(self) -> None:
        """A function of a number, which captures what it likes."""
        if self.nested > 1:
            return self.assign()
        name = self.new("f")
        if self.chance(30):
            self.line(f"{name} = lambda m, c={self.leaf()}: {self.over('m')} + c")
            return self.bind(name)
        captured = frozenset(n for known in self.names.values() for n in known)
        self.count[0] += 1
        m = f"n{self.count[0] + 9}"
        changed = self.own("n")
        self.line(f"def {name}({m}):")
        body = self.inner(nested=self.nested + 1, loops=0, bound=captured)
        if "mutation" in self.features and changed and self.chance(30):
            n = self.draw(st.sampled_from(changed))
            body.line(f"nonlocal {n}" if n not in FIRST or self.nested == 0 else "pass")
            body.bound = body.bound - {n}
        body.bind(m)
        body.block(2)
        body.line(f"return {body.number(1)}")
        return self.bind(name)

    def guarded(self) -> None:
        error = self.one_of("ValueError", "ZeroDivisionError", "(KeyError, ValueError)")
        self.line("try:")
        body = self.inner()
        body.block(2)
        body.line(f"if {body.condition()}:")
        body.line(f"    raise {self.one_of('ValueError', 'ZeroDivisionError')}({body.leaf()})")
        body.block(2)
        self.line(f"except {error} as error:")
        handler = self.inner()
        handler.block(2)
        if self.own("n"):
            handler.line(f"{self.draw(st.sampled_from(self.own('n')))} = 0.5 * error.args[0]")
        if self.chance(30):
            self.line("else:")
            self.inner().block(1)
        if self.chance(30):
            self.line("finally:")
            self.inner().block(1)

    def in_context(self) -> None:
        self.line(self.one_of("with np.errstate(all='ignore'):", "with contextlib.suppress(ValueError):"))
        body = self.inner()
        body.block(2)
        if self.chance(30):
            body.line(f"if {body.condition()}:")
            body.line(f"    raise ValueError({body.leaf()})")

    def generator(self) -> None:
        """A generator function, and what runs through it."""
        if self.nested > 1:
            return self.assign()
        self.count[0] += 1
        name = f"g{self.count[0]}"
        captured = frozenset(n for known in self.names.values() for n in known)
        self.line(f"def {name}(m):")
        body = self.inner(nested=self.nested + 1, loops=0, bound=captured)
        body.line("for j in range(3):")
        body.line(f"    yield m * {body.leaf()} + j")
        body.line("    m = m * 0.5")
        self.store(self.new("n"), f"0.3 * sum({name}({self.leaf()}))")
        return None


@st.composite
def programs(draw: Callable[[Any], Any], features: frozenset[str] = frozenset(), size: int = 12) -> str:
    """The text of a module with a function `f` of two numbers, a list and an array."""
    names = {"n": ["n0", "n1"], "l": ["l0"], "a": ["a0"]}
    scope = Scope(draw, names, [size], [0], features)
    for _ in range(draw(st.integers(1, size))):
        scope.statement()
        if scope.budget[0] < 0:
            break
    parts = [f"{scope.number()}", *(f"0.5 * {scope.number(1)}" for _ in range(draw(st.integers(0, 2))))]
    scope.line(f"return {' + '.join(parts)}")
    return HEAD + "\ndef f(n0, n1, l0, a0):\n" + "\n".join(scope.lines) + "\n"
