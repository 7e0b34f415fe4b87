"""Calls that only their run refuses are shown as they are: recorded, with the same reason everywhere."""

from __future__ import annotations

import re
from typing import Any

import pytest

import adjoint
from adjoint import explain, explore, grad
from adjoint.inspect import code_adjoint, code_primal, code_pushforward

REASON = "cannot differentiate the way on from an exception, as a run of `handler(1.5)` shows"


def refuse(value: float) -> None:
    raise ValueError(value)


REFUSING = [refuse]
"""What is called by its place is not written out: what it raises comes as from others."""


def handler(x: float) -> float:
    try:
        y = x * 2.0
        REFUSING[int(y > 100.0)](y)
    except ValueError as e:
        z = e.args[0] * x
    return float(z + y)


def by_chance(x: float) -> float:
    try:
        y = x * 2.0
        if x > 1.0:
            REFUSING[int(y > 100.0)](y)
    except ValueError as e:
        y = e.args[0] * x
    return y


def outer(x: float) -> float:
    return by_chance(x) * x


def fails(x: float, g: Any) -> Any:
    return g(x) * x


def test_all_say_of_such_a_call_that_it_is_recorded_and_why() -> None:
    h = 1e-6
    adjoint.inspect.cache_clear()
    for _ in range(3):
        for shown in (code_adjoint(handler, 1.5), code_adjoint(grad(handler), 1.5)):
            first, _, text = shown.partition("\n")
            assert first == f"# `handler` is recorded as it runs, and not reversed in its structure: {REASON}"
            assert "def handler_forward(record, /, x):" in text and "def handler_reverse(steps" in text
            assert "handler_rrule" not in text and "handler_gradient" not in text
        assert REASON in code_primal(handler, 1.5) and REASON in code_pushforward(handler, 1.5)
        assert str(explain(handler, 1.5)).startswith("`handler` is recorded\n")
        page = re.sub(r"</?code>", "`", explore(handler, 1.5, profile=False).html)
        assert REASON in page
        assert grad(handler)(1.5) == pytest.approx((handler(1.5 + h) - handler(1.5 - h)) / (2 * h))


@pytest.mark.parametrize("f", [by_chance, outer])
def test_the_call_decides(f: Any) -> None:
    assert code_adjoint(f, 0.5).startswith(f"def {f.__name__}_rrule(x):")
    assert code_adjoint(grad(f), 0.5).startswith("# The gradient, which the call runs:\n")
    assert str(explain(f, 0.5)).startswith(f"`{f.__name__}` is transformed\n")
    first, _, text = code_adjoint(f, 1.5).partition("\n")
    assert first.endswith(f"as a run of `{f.__name__}(1.5)` shows") and f"def {f.__name__}_forward(" in text
    assert code_adjoint(grad(f), 1.5).startswith(f"{first}\n")
    assert str(explain(f, 1.5)).startswith(f"`{f.__name__}` is recorded\n")


def test_the_derivative_of_a_gradient_that_is_recorded_is_said_to_be() -> None:
    assert code_adjoint(grad(handler), 1.5).endswith(
        "\n# The derivative of this gradient is recorded as it runs: "
        "cannot differentiate the way on from an exception, as a run of it shows\n"
    )
    assert grad(grad(handler))(1.5) == 4.0


@pytest.mark.parametrize("f", [handler, by_chance, outer])
def test_for_types_alone_it_is_said_that_a_run_may_be_recorded(f: Any) -> None:
    for shown in (code_adjoint(f, float), code_adjoint(grad(f), float)):
        assert shown.startswith("# A run is given up where a handler looks into an exception")
        assert "Give arguments in place of types" in shown
    assert not code_adjoint(fails, float, type(fails)).startswith("# A run is given up")


def test_arguments_are_named_without_methods_of_theirs() -> None:
    class Shy:
        def __call__(self, x: Any) -> Any:
            xs = {"a": x}
            xs.setdefault("b", 1.0)
            self.seen = x
            return x

        def __repr__(self) -> str:
            raise AssertionError("was shown")

    assert "as a run of `fails(2.0, <Shy>)` shows" in code_adjoint(fails, 2.0, Shy()).partition("\n")[0]


def test_errors_of_the_program_leave_its_text() -> None:
    def raises(x: float) -> float:
        raise RuntimeError("the program's own")

    assert code_adjoint(fails, 2.0, raises).startswith("def fails_rrule(x, g):")


def test_what_acts_is_not_run_by_what_shows_it(capsys: pytest.CaptureFixture[str]) -> None:
    def says(x: float, g: Any) -> Any:
        print("said")
        return g(x)

    code_adjoint(says, 2.0, by_chance)
    code_adjoint(grad(says), 2.0, by_chance)
    code_adjoint(fails, 2.0, lambda x: says(x, by_chance))
    assert capsys.readouterr().out == ""


class Held:
    def __init__(self) -> None:
        self.y = self.z = 0.0


def stores_an_item(xs: list[float]) -> float:
    try:
        xs[0] = xs[0] * 2.0
        REFUSING[0](xs[0])
    except ValueError as e:
        z = e.args[0] * xs[0]
    return float(z)


def stores_a_field(p: Held, x: float) -> float:
    p.y = x * x
    try:
        p.z = {0.0: x}[p.y]
    except KeyError as e:
        p.z = float(e.args[0] > 1.0) * p.y * x
    return p.z


@pytest.mark.parametrize("f, first", [(stores_an_item, [1.5]), (stores_a_field, Held())])
def test_programs_that_store_are_as_they_were_behind_their_run(f: Any, first: Any) -> None:
    args = (first,) if f is stores_an_item else (first, 1.5)
    adjoint.inspect.cache_clear()
    for _ in range(2):
        shown, _, text = code_adjoint(f, *args).partition("\n")
        assert "cannot differentiate the way on from an exception, as a run of" in shown and "_forward(" in text
        assert str(explain(f, *args)).startswith(f"`{f.__name__}` is recorded\n")
        assert first == [1.5] if f is stores_an_item else (first.y, first.z) == (0.0, 0.0)
        assert grad(f, argnums=len(args) - 1)(*args) == ([12.0] if f is stores_an_item else 6.75)
        if f is stores_an_item:
            assert first == [3.0]
            first[0] = 1.5
        else:
            assert (first.y, first.z) == (2.25, 3.375)
            first.y = first.z = 0.0
