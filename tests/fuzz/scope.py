"""What may be read at a point of a random program, and its lines so far.

Every variable has a kind, told by the first letter of its name: `n` a number, `i` an integer, `l` a list of three
numbers or more, `a` an array of four numbers, `b` one of two, `d` a dict of numbers, `o` an object, `q` a container of
the user's, `f` a function of a number, `u` an iterator, `x` an object with operators, `y` one with descriptors.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Self

from hypothesis import strategies as st

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
    around: str = ""
    """What a statement that leaves a loop would leave: "for", "while", or nothing."""

    # ---- choices

    def chance(self, percent: int) -> bool:
        return self.draw(st.integers(0, 99)) < percent

    def one_of(self, *options: Any) -> Any:
        return self.draw(st.sampled_from(options))

    def has(self, kind: str) -> bool:
        return bool(self.names.get(kind))

    def may(self, feature: str) -> bool:
        return feature in self.features

    def some(self, kind: str) -> str:
        return self.some_of(self.names[kind])

    def some_of(self, names: list[str]) -> str:
        return self.draw(st.sampled_from(names))

    def own(self, kind: str) -> list[str]:
        """The variables of a kind that this function may bind again."""
        return [name for name in self.names.get(kind, []) if name not in self.bound]

    def fresh(self, kind: str) -> str:
        """A name that is bound nowhere else."""
        self.count[0] += 1
        return f"{kind}{self.count[0] + 9}"

    def new(self, kind: str) -> str:
        """A name to bind: one of this function's, or another."""
        own = self.own(kind)
        if own and self.chance(50):
            return self.some_of(own)
        return self.fresh(kind)

    def bind(self, name: str) -> None:
        known = self.names.setdefault(name[0], [])
        if name not in known:
            known.append(name)

    # ---- lines

    def line(self, text: str) -> None:
        self.lines.append("    " * self.indent + text)

    def lines_of(self, text: str) -> None:
        for line in text.split("\n"):
            self.line(line)

    def store(self, name: str, value: str) -> None:
        self.line(f"{name} = {value}")
        self.bind(name)

    def inner(self, **changes: Any) -> Self:
        """A scope within this one: what it binds first may stay unbound outside."""
        names = {kind: list(known) for kind, known in self.names.items()}
        same = {"loops": self.loops, "nested": self.nested, "indent": self.indent + 1, "bound": self.bound}
        same |= {"around": self.around}
        return type(self)(self.draw, names, self.budget, self.count, self.features, lines=self.lines, **same | changes)

    def function_scope(self) -> Self:
        """The scope of a function within this one: it may read everything, and bind nothing that is bound here."""
        captured = frozenset(n for known in self.names.values() for n in known)
        return self.inner(nested=self.nested + 1, loops=0, bound=captured, around="")


class Drawn(Scope):
    """A scope that chooses by one random number: Hypothesis would make most programs out of others, in which little is
    new."""

    draw: Random

    def chance(self, percent: int) -> bool:
        return self.draw.randrange(100) < percent

    def some_of(self, names: Sequence[Any]) -> Any:
        return self.draw.choice(names)

    def one_of(self, *options: Any) -> Any:
        return self.draw.choice(options)
