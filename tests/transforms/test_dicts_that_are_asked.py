"""Dicts that are asked what is in them, and stored into after that: nobody keeps what was asked, so none is copied."""

from __future__ import annotations

import math
from typing import Any

import pytest
from ways import check_everywhere

from adjoint.derivatives.choice import is_structured_call
from adjoint.inspect import code_adjoint


def met(x: float) -> float:
    seen, total = {}, 0.0
    for k in range(8):
        if k % 5 not in seen:
            seen[k % 5] = x * k
        total += seen[k % 5]
    return total


def met_before(x: float) -> float:
    seen, total = {}, 0.0
    for k in range(8):
        known = k % 3 in seen
        seen[k % 3] = x**2
        total = total * 0.9 + (x if known else x * x)
    return total


def memo(x: float) -> float:
    found = {0: 1.0, 1: x}
    for n in range(2, 7):
        if n in found:
            continue
        found[n] = 2 * x * found[n - 1] - found[n - 2]
    return found[6] + math.sin(found[3])


def counted(x: float) -> float:
    d, total = {}, x
    for k in range(6):
        if len(d) > 2 and k:
            total = total * x
        d[k] = total * x
        total = total + 0.1 * d[k] * (k - 1 in d) + 0.1 * len(d)
    return total


def compared(x: float) -> float:
    d, total = {}, x
    for k in range(4):
        if d == {} or isinstance(d, dict) and k in d:
            total = total * x
        d[k] = total
    return total + d[3]


PROGRAMS = [met, met_before, memo, counted, compared]


@pytest.mark.parametrize("f", PROGRAMS)
def test_programs(f: Any) -> None:
    assert check_everywhere(f, 0.7) in ([], ["compiled"])
    assert is_structured_call(f, (0.7,))


@pytest.mark.parametrize("f", [met, met_before])
def test_no_copy_is_made(f: Any) -> None:
    assert ".copy()" not in str(code_adjoint(f, 0.7))
