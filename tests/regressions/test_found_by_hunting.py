"""Programs that were differentiated wrongly, or broke, when defaults, dataclasses, order and conditions were mixed."""

from __future__ import annotations

import copy
import dataclasses
from typing import Any

from .differences import check


@dataclasses.dataclass
class Point:
    a: Any
    b: Any = 2.0


def test_what_a_dataclass_writes_is_no_store_of_the_users() -> None:
    """Its `__repr__` notes what it is printing."""

    def program(x: Any, y: Any) -> Any:
        p = Point(x, y)
        q = dataclasses.replace(p, a=y * 2.0)
        return p.a * q.a + q.b

    check(program, 1.3, 0.7, order=2)


def test_defaults_that_change() -> None:
    def program(x: Any, y: Any) -> Any:
        kept = [x]

        def f(a: Any, *args: Any, k: Any = y, held: Any = kept, **named: Any) -> Any:
            held[0] *= a
            named["z"] = k
            return sum([*args, a]) * named["z"] + named.get("m", x)

        return f(x, y, x, m=2.0) + f(*[y, x], **{"k": x}) + kept[0]

    check(program, 1.3, 0.7)


def test_an_extremum_by_key_of_several_arguments() -> None:
    def program(x: Any, y: Any) -> Any:
        out = [x]
        key = {"a": lambda v: -v}["a"]
        try:
            out.append(max(x, y, x * y, key=key))
        finally:
            out.append(min(x, y, key=key))
        return out[0] * out[1] + out[2]

    check(program, 1.3, 0.7, order=2)


def test_conditions_in_the_head_of_a_comprehension() -> None:
    def program(x: Any, y: Any) -> Any:
        xs: Any = []
        try:
            found = [v * x for v in xs or [x, y]] + [v for v in ([x] if 0.0 < y < 5.0 else [y])]
        finally:
            xs.append(copy.copy(x))
        return sum(found) + sum([v for w in [xs and [y]] for v in w or ()])

    check(program, 1.3, 0.7, order=2)
