"""A function of the user's that has the name of a builtin is called, once, and differentiated."""

from typing import Any

import pytest

from adjoint import withgradient
from adjoint.calculus import pushforward

from . import shadowing

X, Y = 1.3, 0.7


@pytest.mark.parametrize("f", [*shadowing.PROGRAMS, shadowing.captured()], ids=lambda f: f.__name__)
def test_it_is_called_and_differentiated(f: Any) -> None:
    shadowing.LOG.clear()
    y, log, h = f(X, Y), [*shadowing.LOG], 1e-6
    slopes = (f(X + h, Y) - f(X - h, Y)) / (2 * h), (f(X, Y + h) - f(X, Y - h)) / (2 * h)
    for _ in range(3):
        shadowing.LOG.clear()
        value, bars = withgradient(f, X, Y)
        assert log == shadowing.LOG
        assert (value, bars) == (y, pytest.approx(slopes))
        assert pushforward(f, (X, Y), (1.0, 1.0)) == (y, pytest.approx(sum(slopes)))


def test_a_builtin_that_is_hidden_later(tmp_path: Any) -> None:
    text = "LOG = []\ndef f(x):\n    values = [x, x * x]\n    LOG.append(1)\n    return len(values) * x\n"
    file = tmp_path / "module.py"
    file.write_text(text, encoding="utf-8")
    scope: dict[str, Any] = {"__name__": "module"}
    exec(compile(text, str(file), "exec"), scope)
    for _ in range(2):
        assert withgradient(scope["f"], 3.0) == (6.0, (2.0,))
    scope["len"] = lambda values: values[1]
    for _ in range(2):
        assert withgradient(scope["f"], 3.0) == (27.0, (27.0,))
    del scope["len"]
    assert withgradient(scope["f"], 3.0) == (6.0, (2.0,))
