"""`d[k] = d.get(k, 0.0) + w`: programs that count in a dict which they make, by keys that only the run knows."""

from __future__ import annotations

import enum
from collections import Counter, defaultdict
from typing import Any

import pytest

from adjoint.derivatives import choice
from adjoint.inspect import code_adjoint
from adjoint.testing import check_gradient

from .differences import check

WORDS = ["a", "b", "c", "a", "b", "a"]


class Suit(enum.Enum):
    SPADES = 1
    HEARTS = 2


class Key:
    """Equal to any other whose parity is the same."""

    def __init__(self, n: int) -> None:
        self.n = n

    def __hash__(self) -> int:
        return self.n % 2

    def __eq__(self, other: Any) -> bool:
        return bool(self.n % 2 == other.n % 2)


def words(w: Any, x: Any) -> Any:
    d: dict[str, Any] = {}
    for k in WORDS:
        d[k] = d.get(k, 0.0) + w * x
    return d["a"] * d["b"] + d["c"] * x


def letters(w: Any, x: Any) -> Any:
    d: dict[str, Any] = {}
    for k in "the quick brown fox jumps over":
        d[k] = d.get(k, 0) + w
    return d["t"] * d["u"] + d["e"] * x


def remainders(w: Any, x: Any) -> Any:
    d: dict[int, Any] = {}
    for k in range(12):
        d[k % 5] = d.get(k % 5, 0.0) + w * k
    return d[0] * d[1] + d[2] * x


def from_what_moves(w: Any, x: Any) -> Any:
    d: dict[str, Any] = {}
    for k in WORDS:
        d[k] = d.get(k, x) * w
    return d["a"] * d["b"] + d["c"]


def preset(w: Any, x: Any) -> Any:
    d = {"a": x, "b": w}
    for k in WORDS:
        d[k] = d.get(k, 0.0) * x + w
    return d["a"] * d["b"] + d["c"]


def deleted(w: Any, x: Any) -> Any:
    d: dict[Any, Any] = {}
    for k in WORDS:
        d[k] = d.get(k, w) * x
        if k == "b":
            del d["b"]
    return d["a"] + d.get("b", w * w) + d.get("c", w)


def kept(w: Any, x: Any) -> Any:
    d: dict[str, Any] = {}
    seen = []
    for k in WORDS:
        before = d.get(k, 1.0)
        seen.append(before * before)
        d[k] = before * w + x
    return sum(seen) + d["a"]


def others(w: Any, x: Any) -> Any:
    d: dict[Any, Any] = {}
    for k in (Suit.SPADES, Suit.HEARTS, Suit.SPADES):
        d[k] = d.get(k, 0.0) + w * x
    return d[Suit.SPADES] * d[Suit.HEARTS]


def alike(w: Any, x: Any) -> Any:
    d: dict[Any, Any] = {}
    for k in (Key(1), Key(2), Key(3)):
        d[k] = d.get(k, x) * w
    return d[Key(5)] * d[Key(4)]


def with_defaults(w: Any, x: Any) -> Any:
    d: Any = defaultdict(float)
    for k in WORDS:
        d[k] = d.get(k, x) + w * d["z"] + w * w
    return d["a"] * d["c"]


def none_at_first(w: Any, x: Any) -> Any:
    d: dict[str, Any] = {}
    for k in WORDS:
        before = d.get(k)
        d[k] = w if before is None else before * x
    return d["a"] * d["b"]


def lists(w: Any, x: Any) -> Any:
    d: dict[str, Any] = {}
    for k in WORDS:
        d[k] = [*d.get(k, []), w * x]
    return d["a"][2] * d["b"][0]


@pytest.mark.parametrize(
    "f",
    [words, letters, remainders, from_what_moves, preset, deleted, kept, others, alike, with_defaults]
    + [none_at_first, lists],
)
def test_counts(f: Any) -> None:
    check(f, 1.3, 0.7, order=2 if f in (words, deleted, from_what_moves) else 1)


@pytest.mark.parametrize("f", [words, letters, remainders, from_what_moves, kept])
def test_no_rule_and_no_copy(f: Any) -> None:
    code = code_adjoint(f, 1.3, 0.7)
    assert "recorded" not in code
    assert "copy()" not in code
    assert "get_back" not in code


def test_dicts_that_are_given() -> None:
    def program(d: Any, w: Any) -> Any:
        total: dict[str, Any] = {}
        for k in WORDS:
            total[k] = total.get(k, 0.0) + d.get(k, w) * w
        return total["a"] * total["c"]

    check(program, {"a": 1.5, "b": 0.5}, 0.7, order=2)
    check(program, {"a": 1.5, "z": 2}, 0.7)
    check(program, {}, 0.7)


def test_errors_are_pythons() -> None:
    def program(w: Any) -> Any:
        d: dict[Any, Any] = {}
        for k in ([1],):
            d["a"] = d.get(k, 0.0) + w  # type: ignore[call-overload]
        return d["a"]

    with pytest.raises(TypeError, match="unhashable type: 'list'"):
        check(program, 1.0)


def grouped(pairs, s):
    """Items by their keys, in lists."""
    d = defaultdict(list)
    for k, v in pairs:
        d[k].append(v * s)
    return sum([sum(v) ** 2 for v in d.values()])


def grouped_by_setdefault(pairs, s):
    d = {}
    for k, v in pairs:
        d.setdefault(k, []).append(v * s)
    return sum([sum(v) ** 2 for v in d.values()])


def summed(pairs, s):
    d = defaultdict(float)
    for k, v in pairs:
        d[k] += v * s
    return sum([v**2 for v in d.values()])


def counted(words, weights):
    c = Counter(words)
    return sum([weights[k] ** 2 * n for k, n in c.items()])


def counted_letters(text, weights):
    return sum([weights[k] * n**2 for k, n in Counter(text).items()])


PAIRS = [("a", 1.0), ("b", 2.0), ("a", 3.0)]
LABELLED = [
    *((f, (PAIRS, 0.5)) for f in (grouped, grouped_by_setdefault, summed)),
    (counted, (["a", "b", "a"], {"a": 1.5, "b": 2.0})),
    (counted_letters, ("abba c", {"a": 1.5, "b": 2.0, "c": 0.5, " ": 1.0})),
]


@pytest.mark.parametrize(("f", "args"), LABELLED)
def test_labelled_items_are_grouped_and_counted(f: Any, args: Any) -> None:
    for _ in range(3):
        check(f, *args)
    assert not choice.is_to_be_recorded(f, args)
    check_gradient(f, *args, order=2)
