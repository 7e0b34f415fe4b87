"""`and`, `or` and conditional expressions that bind a name which they read, in programs that are recorded."""

from __future__ import annotations

from typing import Any

import pytest

from .differences import check

EXPRESSIONS = [
    "v * 2.0 or v + x",
    "v - v or v * x",
    "(v * 2.0 or v) * v",
    "abs(v) and (v * 2.0 and v + x)",
    "max(v, 0.0) and not v or v * x",
    "v and x and v * x",
    "(x and v) or v",
    "(x > 0.0) and v * x",
    "0.0 < x * v < 9.0 and v * x",
    "(v := v * x) and v + x",
    "(v and v * x) if x > v - 5.0 else v",
    "[v * x, v][0] and v ** 2.0",
]


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_the_old_value_keeps_its_cotangent(expression: str, tmp_path: Any) -> None:
    source = f"""\
def f(x):
    kept = []
    v = x
    try:
        for _ in range(2):
            v = {expression}
    finally:
        kept.append(v)
    return v * x * kept[0]
"""
    file = tmp_path / "program.py"
    file.write_text(source)
    names: dict[str, Any] = {}
    exec(compile(source, str(file), "exec"), names)
    check(names["f"], 1.3, order=2)
