"""Random programs that run through mixed data, and are called again with data of other kinds.

What the first calls show of fields, items and results is taken for granted by later ones, or splits their calls. So
each program is called many times; its module changes in between, and each call is compared with the plain program.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from adjoint import gradient, pullback

from .judge import _close, _same, _slopes, loaded

CALLS = 6
WHOLE = 4
"""One call in so many is differentiated by all numbers, with the data made of them in it."""
HEAD = '''"""A random program, called again."""

import collections
import dataclasses
import math

OPS = {"a": math.sin, "ab": lambda z: z * 0.7}
Pair = collections.namedtuple("Pair", "a b")


def added(out, item):
    try:
        return out + item
    except TypeError:
        return out * 0.9


@dataclasses.dataclass
class Plain:
    k: float
    child: object = None
    many: tuple = ()
    name: str = ""
    scale = 1.5

    def of(self, x):
        return math.sin(self.k * x) * self.scale + len(self.name)

    def total(self, x):
        t = self.k * x
        if self.child is not None and hasattr(self.child, "total"):
            t += self.child.total(x * 0.5)
        return t + sum(z.total(x) if isinstance(z, Plain) else 0.1 for z in self.many)


class First:
    """It has no method of its own."""


class Other(First, Plain):
    def of(self, x):
        return super().of(x) + self.k


class Slotted:
    __slots__ = ("child", "k", "many")
    scale = 0.4

    def __init__(self, k, child=None, many=()):
        self.k, self.child, self.many = k, child, many

    of = lambda self, x: x * self.k * self.scale
    total = lambda self, x: x - self.k


def change_scale():
    Plain.scale = 1.5 if Plain.scale == 2 else 2


def change_table():
    OPS["a"] = math.cos if OPS["a"] is math.sin else math.sin


def change_method():
    Slotted.of = lambda self, x: x + self.k
'''


class Walks:
    """Functions that call each other, for items of all kinds."""

    def __init__(self, number: int) -> None:
        self.draw = Random(number)
        self.functions = self.draw.randint(1, 2)
        self.numbers = 0

    def one_of(self, *options: Any) -> Any:
        return self.draw.choice(options)

    def walked(self, items: str) -> str:
        return f"walk{self.draw.randrange(self.functions)}({items}, {self.one_of('x', 'out', 'x * 0.5')})"

    def nested(self, item: str) -> str:
        return self.walked(self.one_of(f"[{item}]", f"({item},)"))

    def of_object(self) -> str:
        return self.one_of(
            *(
                "out = item.of(out)",
                "out = out * item.k",
                "out = item.of(x) + out * 0.3",
                "out = out * 0.5 + item.total(x)",
            ),
            f"out = out + (0.0 if item.child is None else {self.nested('item.child')}) * item.k",
            f"child = item.child\n            out = out * item.k + ({self.nested('child')} if child else 1)",
            f"for z in item.many:\n                out = out * 0.8 + {self.nested('z')}",
        )  # type: ignore[no-any-return]

    def sides(self) -> list[tuple[str, str]]:
        return [
            (
                "isinstance(item, Pair)",
                self.one_of("out = out + item.a * item.b", "a, b = item\n            out += a - b * x"),
            ),
            *[(question, self.of_object()) for question in ("isinstance(item, Plain)", "type(item) is Other")],
            *[(question, self.of_object()) for question in ("isinstance(item, Slotted)", "hasattr(item, 'k')")],
            ("isinstance(item, (list, tuple))", f"out = out * 0.7 + {self.walked('item')}"),
            ("isinstance(item, list)", f"for z in item:\n                out = out + {self.nested('z')} * 0.5"),
            ("isinstance(item, tuple)", "out = out * len(item)"),
            (
                "isinstance(item, dict)",
                f"for key, z in item.items():\n                out = out * len(key) + {self.nested('z')}",
            ),
            ("isinstance(item, bool)", "out = out if item else x"),
            ("isinstance(item, int)", "out = out + item * x"),
            ("callable(item)", "out = item(out)"),
        ]

    def function(self, number: int) -> str:
        """The text of one of the functions."""
        sides = self.draw.sample(self.sides(), self.draw.randint(2, 5))
        sides.append(("item is None", self.one_of("continue", "out = out * 0.5", "break")))
        sides.append(("isinstance(item, str)", self.one_of("out = out * len(item)", "out = OPS.get(item, abs)(out)")))
        self.draw.shuffle(sides)
        tests = [f"        {'elif' if i else 'if'} {test}:\n            {does}" for i, (test, does) in enumerate(sides)]
        start = f"def walk{number}(items, x):\n    out = {self.one_of('x', '0.0', 'x * 0.5')}\n    for item in items:\n"
        other = self.one_of(
            "out = out + item", "out = out + (item if type(item) is float else x)", "out = added(out, item)"
        )
        return start + "\n".join(tests) + f"\n        else:\n            {other}\n    return out\n"

    def number(self) -> str:
        self.numbers += 1
        return f"v[{self.numbers % 6}]"

    def data(self, depth: int) -> str:
        """The text of data: a number, an object, or a container of such."""
        flat: list[Callable[[], str]] = [
            self.number,
            self.number,
            lambda: self.one_of("'a'", "'xyz'", "None", "1", "True"),
        ]
        flat.append(
            lambda: self.one_of("math.sin", f"Pair({self.number()}, 2)", f"Pair({self.number()}, {self.number()})")
        )
        if depth <= 0:
            return self.draw.choice(flat)()
        some = [self.data(depth - 1) for _ in range(self.draw.randint(0, 3))]
        keys = self.draw.sample(["a", "ab", "c"], min(len(some), 3))
        cls, child = self.one_of("Plain", "Other", "Slotted"), self.one_of("None", self.data(depth - 1))
        item = f"{cls}({self.number()}, {child}, ({''.join(f'{x}, ' for x in some)}))"
        by_key = ", ".join(f"{key!r}: {x}" for key, x in zip(keys, some, strict=False))
        whole = (f"[{', '.join(some)}]", f"({''.join(f'{x}, ' for x in some)})", f"{{{by_key}}}")
        return self.one_of(item, item, *whole, self.draw.choice(flat)())  # type: ignore[no-any-return]


def program(number: int) -> str:
    """The text of a module: functions that walk, data of several kinds made of numbers, and what may change."""
    walks = Walks(number)
    functions = "\n\n".join(walks.function(i) for i in range(walks.functions))
    kinds = [
        f"[{', '.join(walks.data(walks.draw.randint(0, 2)) for _ in range(walks.draw.randint(1, 4)))}]"
        for _ in range(3)
    ]
    made = f"def data(kind, v):\n    return [lambda: {', lambda: '.join(kinds)}][kind]()\n"
    asked = (
        "def f(x, items):\n    return walk0(items, x) * x\n\n\ndef whole(v, kind):\n    return f(v[0], data(kind, v))\n"
    )
    return f"{HEAD}\n\n{functions}\n\n{made}\n\n{asked}"


def judge_again(number: int, folder: Path) -> int:
    """Call a program again and again; gives how many of the calls did not raise.

    Raises
    ------
    Wrong
        If a value or a gradient is not that of the plain program, or another error is raised.
    """
    source, draw, came = program(number), Random(number), 0
    module, plain = loaded(source, folder), loaded(source, folder)
    changes = [name for name in vars(module) if name.startswith("change_")]
    for _ in range(CALLS):
        if draw.random() < 0.25:
            name = draw.choice(changes)
            for each in module, plain:
                getattr(each, name)()
        kind, v = draw.randrange(3), [draw.uniform(-1.2, 1.2) for _ in range(6)]
        expected = result_of(lambda kind=kind, v=v: plain.whole(v, kind))
        back: Any = None

        def run(kind: int = kind, v: list[float] = v) -> Any:
            nonlocal back
            y, back = pullback(module.f, v[0], module.data(kind, v))
            return y

        _same("the value", result_of(run), expected)
        if not isinstance(expected, float) or not math.isfinite(expected):
            continue
        came += 1
        if draw.randrange(WHOLE) == 0:
            slopes, settled = _slopes(lambda t, kind=kind: plain.whole(t.tolist(), kind), np.array(v))
            if settled:
                _close("the gradient", _numbers(gradient(module.whole, v, kind)[0]), slopes)
        along, settled = _slopes(lambda t, kind=kind, v=v: plain.f(float(t[0]), plain.data(kind, v)), np.array(v[:1]))
        if settled:
            _close("the cotangent of the first argument", _numbers(back(1.0)[1:2]), along)
    return came


def result_of(run: Callable[[], Any]) -> Any:
    """What a call gives: a number, or the class of the error that it raises."""
    try:
        return float(run())
    except (TypeError, ValueError, ArithmeticError, LookupError, AttributeError) as error:
        return type(error).__name__


def _numbers(bars: Any) -> Any:
    return np.array([0.0 if d is None else float(d) for d in bars])
