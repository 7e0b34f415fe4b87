"""Texts and flags at a call are known in what is called: branches on them are not read where they are not taken."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from adjoint import grad, jvp
from adjoint.derivatives.choice import has_been_recorded
from adjoint.inspect import code_adjoint
from tests.regressions import labels as m

PROGRAMS = {
    "by default": lambda x: m.power(x) * m.power(x, "cube"),
    "by name": lambda x: m.power(x, method="cube", verbose=True) * m.power(x, scale=2.0),
    "equal texts": lambda x: m.power(x, "".join(["sq", "uare"])) * m.power(x, "square"),
    "recursion": lambda x: m.alternating(x, 4) * m.alternating(x, 5, False),
    "bound anew": lambda x: m.rebinding(x) + m.rebinding(x, False) * m.swapping(x) * m.swapping(x, False, True),
    "keys": lambda x: m.named(x) + m.named(x, "c", other="a", on=False) * m.named(x, "b"),
    "captured": lambda x: m.captured(x, True) * m.captured(x, False),
    "numbers": lambda x: m.counting(x) * m.counting(x, "ba", False),
    "handed on": lambda x: m.handing_on(x, method="cube") * m.handing_on(x),
    "not taken": lambda x: m.unsettled(x),
}


def seen() -> list[Any]:
    found = list(m.SEEN)
    m.SEEN.clear()
    return found


@pytest.mark.parametrize("f", PROGRAMS.values(), ids=PROGRAMS)
def test_derivatives(f: Any) -> None:
    x, h = 1.3, 1e-4
    seen()
    f(x)
    once = seen()
    slope, second = (f(x + 1e-6) - f(x - 1e-6)) / 2e-6, (f(x + h) - 2 * f(x) + f(x - h)) / h**2
    for _ in range(2):
        seen()
        assert grad(f)(x) == pytest.approx(slope, rel=1e-6)
        assert seen() == once
    assert jvp(f, (x,), (1.0,))[1] == pytest.approx(slope, rel=1e-6)
    assert grad(grad(f))(x) == pytest.approx(second, rel=1e-4)


def test_what_is_not_taken_is_not_read() -> None:
    for f in (PROGRAMS["by default"], PROGRAMS["not taken"]):
        grad(f)(1.3)
        assert not has_been_recorded(f, (1.3,))
    with pytest.raises(AttributeError):
        grad(lambda x: m.unsettled(x, strict=True))(1.3)
    m.SEEN.clear()


def test_other_defaults_later(monkeypatch: pytest.MonkeyPatch) -> None:
    f = lambda x: m.power(x) * m.named(x)  # noqa: E731
    assert grad(f)(1.0) == pytest.approx(2.0 * 2.0 + 4.0)
    monkeypatch.setattr(m.power, "__defaults__", ("cube", False, None))
    monkeypatch.setattr(m.named, "__kwdefaults__", {"other": "c", "on": False})
    assert grad(f)(1.0) == pytest.approx(7.0)  # x³ (x x³)


def options_got(x: Any, **k: Any) -> Any:
    return x * k.get("a", 2.0) * (1.0 if k.get("b") is None else k.get("b"))


def options_popped(x: Any, **k: Any) -> Any:
    return x * k.pop("a", x) * (len(k) + 1)


def options_set(x: Any, **k: Any) -> Any:
    v, w = k.setdefault("a", x * x), k.setdefault("b", x)
    return v * w * k["a"] + len(k)


def options_asked(x: Any, **k: Any) -> Any:
    if "a" not in k:
        k["a"] = x * x
    if "b" in k:
        x = x * k["b"]
    return k["a"] * x


def stored_besides(x: Any, **k: Any) -> Any:
    d = dict(k)
    d["z"] = x * x
    if x > 0:
        d["y"] = x
    return d.get("y", 1.0) * d.get("z", 1.0) * d.get("a", x) * (2.0 if "y" in d else 3.0)


def in_a_loop(x: Any, **k: Any) -> Any:
    for n in ("a", "b", "q"):
        if n in k and n == "a":
            x = x * k[n]
        elif n == "q":
            k = {**k, n: x}
    return x * k.get("q", 5.0) * (1.0 if "q" in k else 0.0)


def taken_out(x: Any, **k: Any) -> Any:
    if "a" in k:
        del k["a"]
    k.update(b=x)
    return x * k.get("a", x) * k.get("b", 3.0) + (x if "a" in k else 0.0)


OPTIONS = [{}, {"a": 3.0}, {"b": 2.0}, {"a": 2.0, "b": 4.0}, {"a": np.float64(3.0), "b": np.array(2.0)}]
ASKING = [options_got, options_popped, options_set, options_asked, stored_besides, in_a_loop, taken_out]


@pytest.mark.parametrize("f", ASKING, ids=lambda f: f.__name__)
@pytest.mark.parametrize("x", [1.3, -0.7])
def test_keys_that_are_known(f: Any, x: float) -> None:
    """`get`, `pop`, `setdefault` and `in` of a dict whose keys are known; others come after, and before again."""
    for options in (*OPTIONS, *OPTIONS):
        slope = (f(x + 1e-6, **options) - f(x - 1e-6, **options)) / 2e-6
        second = (f(x + 1e-4, **options) - 2 * f(x, **options) + f(x - 1e-4, **options)) / 1e-8
        assert grad(f)(x, **options) == pytest.approx(slope, rel=1e-6, abs=1e-8)
        assert grad(grad(f))(x, **options) == pytest.approx(second, rel=1e-4, abs=1e-5)
        assert jvp(lambda x: f(x, **options), (x,), (1.0,))[1] == pytest.approx(slope, rel=1e-6, abs=1e-8)  # noqa: B023


def test_what_is_not_among_them_is_what_stands_beside_it() -> None:
    assert "return x * 2.0 * 1.0, " in code_adjoint(options_got, 1.0)
