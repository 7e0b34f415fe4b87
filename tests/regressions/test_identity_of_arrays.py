"""Programs that store into an array argument and ask which array it is: by `is`, `id`, `in`, `base` and `flags`."""

from __future__ import annotations

import linecache
import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adjoint import jvp, withgradient

G = np.array([1.0, 2.0, 3.0])
BASE = np.arange(6.0)
HELD = {"w": G}
OTHERS = [G, np.zeros(3)]
NAMES: dict[str, Any] = {"np": np, "operator": operator, "G": G, "HELD": HELD, "OTHERS": OTHERS, "KEY": id(G)}

QUESTIONS = """
    a is G | a is not G | HELD['w'] is a | id(a) == KEY | {KEY: 1}.get(id(a)) | id(a) in {KEY} | a is b | b is not a
    any(w is a for w in OTHERS) | id(a) == id(b) | a in (a, 1) | a is None | [a][0] is a | a.base is b.base
    len({id(v) for v in (a, b)}) == 1 | a.flags.owndata | a.base is None | a.base is a | a.T.base is a | a[1:].base is a
    operator.is_(a, b) | operator.is_not(a, b) | (lambda v: v is a)(b) | np.shares_memory(a, b) | a.strides == b.strides
    np.may_share_memory(a, b)
    a.ctypes.data == b.ctypes.data | a.__array_interface__["data"] == b.__array_interface__["data"]
"""


def given() -> dict[str, Callable[[], tuple[Any, Any]]]:
    """What the two arguments are."""
    return {
        "global": lambda: (G, np.ones(3)),
        "one": lambda: (G, G),
        "views": lambda: (BASE[:3], BASE[3:]),
        "apart": lambda: (np.array([1.0, 2.0, 3.0]), np.ones(3)),
    }


@pytest.mark.parametrize("arguments", given())
@pytest.mark.parametrize("question", [q.strip() for q in QUESTIONS.replace("\n", "|").split("|") if q.strip()])
def test_the_array_is_the_one_that_was_given(question: str, arguments: str) -> None:
    text = (
        f"def f(x, a, b):\n    k = 10.0 if {question} else 1.0\n    a[0] = x * 2.0\n    b[1] = b[1] * x\n"
        f"    k = k * (3.0 if {question} else 1.0)\n    return (a * b).sum() * k * x\n"
    )
    name = f"<identity {question}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    scope = dict(NAMES)
    exec(compile(text, name, "exec"), scope)
    f, make = scope["f"], given()[arguments]

    def at(x: float, run: Callable[..., Any]) -> tuple[Any, list[Any]]:
        G[:], BASE[:] = [1.0, 2.0, 3.0], np.arange(6.0)
        args = make()
        return run(x, *args), [v.tolist() for v in args]

    value, state = at(0.7, f)
    slope = (at(0.7 + 1e-6, f)[0] - at(0.7 - 1e-6, f)[0]) / 2e-6
    for _ in range(3):
        (y, bars), after = at(0.7, lambda *args: withgradient(f, *args))
        assert y == value and after == state
        assert bars[0] == pytest.approx(slope, rel=1e-6)
    (y, dot), after = at(0.7, lambda *args: jvp(f, args, (1.0, None, None)))
    assert y == value and after == state
    assert dot == pytest.approx(slope, rel=1e-6)


def test_weights_that_are_tied_count_once() -> None:
    def total(*arrays: Any) -> Any:
        arrays[0][0] = 2.0
        return sum(v.sum() for v in {id(v): v for v in arrays}.values())

    def make() -> tuple[Any, ...]:
        v = np.array([1.0, 2.0, 3.0])
        return v, v, np.array([1.0, 1.0])

    value = total(*make())
    y, bars = withgradient(total, *make())
    assert y == value
    assert (bars[0] + bars[1]).tolist() == [0.0, 1.0, 1.0]


def test_a_loop_over_arrays_that_passes_over_one_of_them() -> None:
    def decayed(params: Any, best: Any) -> Any:
        for w in params.values():
            if w is not best:
                w *= 0.5
        best += 1.0
        return sum((w * w).sum() for w in params.values())

    def make() -> tuple[Any, Any]:
        x = np.array([1.0, 2.0])
        return {"x": x, "y": np.array([3.0, 4.0])}, x

    plain, args = make(), make()
    value = decayed(*plain)
    y, bars = withgradient(decayed, *args)
    assert y == value and args[1].tolist() == plain[1].tolist()
    assert (bars[0]["x"] + bars[1]).tolist() == [4.0, 6.0] and bars[0]["y"].tolist() == [1.5, 2.0]
