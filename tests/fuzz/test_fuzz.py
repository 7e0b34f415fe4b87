"""A few hundred random programs, the same in every run; and that planted errors are found."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from turns import is_thorough

from .__main__ import summary
from .again import Siblings
from .judge import Program, Wrong, judge, judged, mixed
from .programs import FEATURES, OWN, VIEWS, programs
from .shrink import shrunk
from .strange import STRANGE

SETTINGS: Any = {
    "derandomize": True,
    "database": None,
    "deadline": None,
    "suppress_health_check": list(HealthCheck),
}
KINDS = {
    "pure": (frozenset(), 60),
    "effects": (frozenset({"effects", "aliases"}), 30),
    "mutation": (frozenset({"mutation", "aliases"}), 60),
    "exceptions": (frozenset({"exceptions", "generators"}), 40),
    "all": (frozenset(FEATURES), 60),
    "own": (frozenset({OWN}), 60),
    "views": (frozenset({VIEWS}), 60),
    "strange": (frozenset(STRANGE), 40),
    **{feature: (frozenset({feature}), 25) for feature in STRANGE},
}
SECOND = 12
"""One in so many has its second derivative."""


@pytest.mark.parametrize("kind", KINDS)
def test_random_programs(kind: str, tmp_path: Path) -> None:
    features, count = KINDS[kind]
    if count > 50 and not is_thorough():
        count //= 2
    verdicts: Counter[str] = Counter()
    siblings = Siblings()

    @settings(max_examples=count, **SETTINGS)
    @given(programs(features, 8))
    def run(source: str) -> None:
        second = sum(verdicts.values()) % SECOND == 0
        program = Program(source, tmp_path)
        verdicts[judged(program, 2 if second else 1).partition(":")[0]] += 1
        siblings.add(program, thorough=second)

    run()
    total = sum(verdicts.values())
    assert total >= count // 2
    # Which programs these are depends on the modules that were imported before: Hypothesis draws constants from them.
    assert verdicts["structured"] + verdicts["recorded"] > 0.5 * total
    assert verdicts["refused"] < 0.1 * total
    assert verdicts["ill conditioned"] < 0.2 * total
    if kind in ("pure", "own"):  # of others either is as likely
        assert verdicts["structured"] > 0.3 * total


PLANTED = {
    "a derivative": "return n0 * stop_gradient(n0) + a0.sum()",
    "a derivative by an item": "return n0 * sum(l0[1:]) + stop_gradient(l0[0]) ** 2",
    "a second derivative": "return gradient(lambda n: n * n * stop_gradient(n), n0)[0] * n1",
    "the value": "SEEN.append(1); return n0 + len(SEEN) * n1",
    "the arguments": "SEEN.append(1); l0[:] = l0 if len(SEEN) < 2 else [0.0] * 3; return n0",
}


@pytest.mark.parametrize("body", PLANTED.values(), ids=PLANTED)
def test_what_is_wrong_is_found(body: str, tmp_path: Path) -> None:
    head = "from adjoint import gradient, stop_gradient\nfrom adjoint.rules import non_differentiable\n\nSEEN = []\n\n"
    lines = body.split("; ")
    source = head + "def f(n0, n1, l0, a0):\n" + "".join(f"    {line}\n" for line in lines)
    if "SEEN" in body:
        source += "\n\nnon_differentiable(f)\n"
    with pytest.raises(Wrong):
        judge(source, tmp_path)


def test_mixed_second_derivatives_are_looked_at(tmp_path: Path) -> None:
    """A rule that is right but for how the gradient by one argument moves with the other."""
    source = """
from adjoint import rule, stop_gradient

def product(n, m):
    return n * m

@rule(product)
def product_rule(n, m):
    return n * m, lambda d: (d * stop_gradient(m), d * n)

def f(n0, n1, l0, a0):
    return product(n0, n1)
"""
    program = Program(source, tmp_path)
    with pytest.raises(Wrong, match="mixed"):
        mixed(program, 1.0, 0)
    mixed(program, 1.0, 1)


def test_what_fails_is_made_small() -> None:
    source = """
import math

def unused(n):
    return n

def needed(n):
    return math.sin(n)

def f(n0, n1, l0, a0):
    for m in l0:
        if m > 0.3:
            n1 = n1 + needed(n0) * m
        else:
            n1 = 0.5
    return n1 * n0
"""

    def fails(text: str) -> bool:
        return "needed(n0)" in text and "return" in text

    small = shrunk(source, fails)
    assert fails(small)
    assert "unused" not in small and "for" not in small and "if" not in small
    assert len(small.splitlines()) <= 8


def test_the_summary_says_what_became_of_them() -> None:
    verdicts = Counter({"structured": 6, "recorded": 2, "raises": 1, "refused: `eval`": 1})
    text = summary(verdicts, 5.0, "seeds 0 to 1")
    assert "10 programs in 5 s, seeds 0 to 1: 0 failed" in text
    assert "60.0 %  reversed in their structure" in text and "refused: `eval`" in text
