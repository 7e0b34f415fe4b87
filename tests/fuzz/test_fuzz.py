"""A few hundred random programs, the same in every run; and that planted errors are found."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from .judge import Wrong, judge
from .programs import programs

SETTINGS: Any = {
    "derandomize": True,
    "database": None,
    "deadline": None,
    "suppress_health_check": list(HealthCheck),
}
KINDS = {
    "pure": (frozenset(), 80),
    "effects": (frozenset({"effects", "aliases"}), 40),
    "mutation": (frozenset({"mutation", "aliases"}), 60),
    "exceptions": (frozenset({"exceptions", "generators"}), 30),
}


@pytest.mark.parametrize("kind", KINDS)
def test_random_programs(kind: str, tmp_path: Path) -> None:
    features, count = KINDS[kind]
    verdicts: dict[str, int] = {}

    @settings(max_examples=count, **SETTINGS)
    @given(programs(features))
    def run(source: str) -> None:
        verdict = judge(source, tmp_path)
        verdicts[verdict.partition(":")[0]] = verdicts.get(verdict.partition(":")[0], 0) + 1

    run()
    assert sum(verdicts.values()) >= count // 2
    if kind == "pure":
        assert verdicts["right"] > 0.6 * sum(verdicts.values())


PLANTED = {
    "a derivative": "return n0 * stop_gradient(n0) + a0.sum()",
    "a derivative by an item": "return n0 * sum(l0[1:]) + stop_gradient(l0[0]) ** 2",
    "a second derivative": "return gradient(lambda n: n * n * stop_gradient(n), n0)[0] * n1",
    "the value": "SEEN.append(1); return n0 + len(SEEN) * n1",
    "the arguments": "SEEN.append(1); l0[:] = l0 if len(SEEN) < 2 else [0.0] * 3; return n0",
}


@pytest.mark.parametrize("body", PLANTED.values(), ids=PLANTED)
def test_what_is_wrong_is_found(body: str, tmp_path: Path) -> None:
    head = "from adjoint import gradient, non_differentiable, stop_gradient\n\nSEEN = []\n\n"
    lines = body.split("; ")
    source = head + "def f(n0, n1, l0, a0):\n" + "".join(f"    {line}\n" for line in lines)
    if "SEEN" in body:
        source += "\n\nnon_differentiable(f)\n"
    with pytest.raises(Wrong):
        judge(source, tmp_path)
