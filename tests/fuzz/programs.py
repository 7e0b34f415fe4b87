"""Random programs: functions of two numbers, a list of three numbers and an array of four."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from hypothesis import strategies as st

from .compound import Programs
from .items import GIVEN
from .items import HEAD as OF_ITEMS
from .own import SHARED, Own, own_program
from .parts import OF_ARRAYS, OF_SQUARE, VIEWED
from .placed import Placed, placed_program
from .strange import STRANGE
from .viewed import Viewed, viewed_program

FEATURES = ("aliases", "mutation", "effects", "exceptions", "generators")
"""What programs may do besides calculating, branching, looping, and changing what they made."""
ITERATORS = "ITERATORS"
"""What a module calls those of its function's arguments that are iterators."""
OWN = "own"
"""Instead of one of them: programs about arrays that they made themselves."""
PLACED = "placed"
"""The same: programs about lists and dicts of anything, whose items they replace."""
VIEWS = "views"
"""The same: programs that store into views of arrays, and into arrays of which there are views."""

HEAD = '''"""A random program."""

import contextlib
import copy
import itertools
import math

import numpy as np

STATE = [0.4]


def reset():
    global STATE
    STATE = [0.4]


class Pair:
    def __init__(self, v, w):
        self.v = v
        self.w = w

    def mixed(self, n):
        return self.v * n - 0.5 * self.w

    def scaled(self, n):
        return Pair(self.v * n, self.w + n)

    def push(self, n):
        self.v, self.w = 0.5 * self.w * n, self.v

    def __add__(self, other):
        return Pair(self.v + other.v, self.w * 0.5 * other.w)

    def __iadd__(self, n):
        self.w = self.w * 0.7 + n
        return self

    @property
    def norm(self):
        return math.sqrt(1.0 + self.v * self.v + self.w * self.w)


class Box:
    def __init__(self, kept):
        self.kept = kept

    def __getitem__(self, i):
        return self.kept[i]

    def __setitem__(self, i, n):
        self.kept[i] = n * 0.9

    def __iter__(self):
        return iter(self.kept)


class Swallowing:
    def __enter__(self):
        return self

    def __exit__(self, cls, error, where):
        return cls is ValueError


@contextlib.contextmanager
def borrowed(ns):
    before = ns[0]
    ns[0] = before * 0.5
    try:
        yield ns
    finally:
        ns[0] = before + ns[1]


def folded(ns, start=0.0, *, rate=0.5):
    for n in ns:
        start = start * rate + n
    return start


def halved(n, depth):
    return n if depth <= 0 else math.sin(n) * 0.5 + halved(n * 0.7, depth - 1)


def stored(ns, i, n):
    ns[i] = n
    return ns


def shifted(ns, n):
    for i in range(len(ns)):
        ns[i] += n * ns[i - 1]


def tail(ns):
    return ns[2:]


def fails(n):
    if n > 0.3:
        raise ValueError(n)


def fails_late(ns, n):
    ns[0] = ns[1] * n
    fails(ns[0] + 0.4)
    ns[1] = n


def note(n):
    global STATE
    STATE = [*STATE, STATE[-1] * n]


def running(ns):
    total = 0.0
    for n in ns:
        total = total * 0.5 + n
        yield total


def twice(ns):
    yield from ns
    yield from (0.5 * n for n in ns)


def asked(n):
    while n < 5.0:
        sent = yield 0.5 * n
        n = n * 0.8 + (sent or 1.0)

'''

START = "\ndef f(n0, n1, l0, a0):\n"


def of_items(draw: Random, size: int) -> str:
    """The text of a module whose function replaces items: of its own, or of what it is given."""
    features = frozenset({SHARED}) if draw.randrange(3) == 0 else frozenset()
    names, start = {"l": ["l0"], "a": ["a0"]}, HEAD + OF_ITEMS + START
    if draw.randrange(4) == 0:
        names, start = {"d": ["d0"], "c": ["c0"]}, HEAD + OF_ITEMS + GIVEN + "\ndef f(n0, n1, d0, c0):\n"
    return start + placed_program(Placed(draw, {"n": ["n0", "n1"], **names}, [size], [0], features), size) + "\n"


def of_views(draw: Random, size: int) -> str:
    """The text of a module whose function stores into views, of arrays of its own and of those that it is given."""
    shape, given, names = draw.choice(
        [
            ("", "l0, v0", {"v": ["v0"]}),
            (OF_SQUARE, "l0, e0", {"e": ["e0"]}),
            (OF_ARRAYS, "x0, v0", {"v": ["v0"], "x": ["x0"]}),
        ]
    )
    scope = Viewed(draw, {"n": ["n0", "n1"], **names}, [size], [0], frozenset())
    return HEAD + VIEWED + shape + f"\ndef f(n0, n1, {given}):\n" + viewed_program(scope, size) + "\n"


@st.composite
def programs(draw: Callable[[Any], Any], features: frozenset[str] = frozenset(), size: int = 12) -> str:
    """The text of a module with a function `f` of two numbers, a list and an array."""
    head = HEAD + "".join(text for feature, text in STRANGE.items() if feature in features)
    start = head + START
    if PLACED in features:
        return of_items(Random(draw(st.binary(min_size=8, max_size=8))), size)
    if VIEWS in features:
        return of_views(Random(draw(st.binary(min_size=8, max_size=8))), size)
    if OWN in features:
        features |= {SHARED} if draw(st.integers(0, 3)) == 0 else frozenset()
        return start + own_program(Own(draw, {"n": ["n0", "n1"]}, [size], [0], features), size) + "\n"
    names = {"n": ["n0", "n1"], "l": ["l0"], "a": ["a0"]}
    if "protocols" in features and draw(st.integers(0, 3)) == 0:
        names |= {"l": [], "u": ["u0"]}
        start = head + f"{ITERATORS} = ('u0',)\n\n\ndef f(n0, n1, u0, a0):\n"
    scope = Programs(draw, names, [size], [0], features)
    for _ in range(draw(st.integers(1, size))):
        scope.statement()
        if scope.budget[0] < 0:
            break
    parts = [f"{scope.number()}", *(f"0.5 * {scope.number(1)}" for _ in range(draw(st.integers(0, 2))))]
    if "mutation" in features:  # what was changed is seen
        parts += [f"0.3 * sum({name})" for name in scope.names["l"][:2]]
        parts += [f"0.2 * ({name} * np.arange(4.0)).sum()" for name in scope.names["a"][:2]]
    scope.line(f"return {' + '.join(parts)}")
    return start + "\n".join(scope.lines) + "\n"
