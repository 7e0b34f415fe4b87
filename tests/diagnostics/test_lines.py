"""An error in the reverse names the forward line that it belongs to, in both ways of reversing."""

import math
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from adjoint import grad, gradient, jacobian, pullback, rule, value_and_grad
from adjoint.errors import RuleError
from adjoint.inspect import code_adjoint

HERE = str(Path(__file__))


def fragile(x: Any) -> Any:
    return x + 0.0


@rule(fragile)
def fragile_rule(x: Any) -> Any:
    def fragile_back(y_bar: Any) -> Any:
        raise LookupError("in reverse")

    return x + 0.0, fragile_back


def straight(x: float) -> float:
    y = x * 2.0
    z = fragile(y)  # here
    return z * 3.0


def in_callee(x: float) -> float:
    return straight(x) * 2.0


def in_loop(x: float) -> float:
    y = x
    for _ in range(3):
        y = fragile(y) * x  # here
    return y


def in_branch(x: float) -> float:
    if x > 0.0:
        x = fragile(x)  # here
    return x * x


def over_lines(x: float) -> float:
    return (
        x * fragile(x)  # here
    )


def in_lambda(x: float) -> float:
    return sum(map(lambda t: fragile(t), [x]))  # here


def stored(xs: list[float]) -> float:
    xs[0] = xs[0] * 2.0
    xs.append(fragile(xs[0]))  # here
    return xs[-1]


def caught(x: float) -> float:
    try:
        y = fragile(x)  # here
    except ValueError:
        y = x
    return y * x


def yielding(x: float) -> float:
    def parts() -> Iterator[float]:
        yield fragile(x)  # here

    return sum(parts())


class Layer:
    def __init__(self, w: float) -> None:
        self.w = w

    def __call__(self, x: float) -> float:
        self.last = fragile(self.w * x)  # here
        return self.last


def of_object(x: float) -> float:
    return Layer(2.0)(x)


def line_of(f: Callable[..., Any]) -> int:
    lines = Path(HERE).read_text().splitlines()
    start = f.__code__.co_firstlineno
    return next(i for i in range(start, len(lines)) if lines[i - 1].endswith("# here"))


PROGRAMS: list[tuple[Callable[..., Any], Any, Callable[..., Any]]] = [
    (straight, 2.0, straight),
    (in_callee, 2.0, straight),
    (in_loop, 2.0, in_loop),
    (in_branch, 2.0, in_branch),
    (over_lines, 2.0, over_lines),
    (in_lambda, 2.0, in_lambda),
    (stored, [2.0], stored),
    (caught, 2.0, caught),
    (yielding, 2.0, yielding),
    (of_object, 2.0, Layer.__call__),
]
WAYS: dict[str, Callable[[Any, Any], Any]] = {
    "gradient": lambda f, x: gradient(f, x),
    "pullback": lambda f, x: pullback(f, x)[1](1.0),
    "grad": lambda f, x: grad(f)(x),
    "with_aux": lambda f, x: value_and_grad(lambda x: (f(x), None), has_aux=True)(x),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("f", "x", "culprit"), PROGRAMS, ids=[f.__name__ for f, *_ in PROGRAMS])
def test_an_error_in_reverse_names_the_forward_line(f: Any, x: Any, culprit: Any, way: str) -> None:
    with pytest.raises(LookupError) as caught:
        WAYS[way](f, x)
    line = line_of(culprit)
    text = Path(HERE).read_text().splitlines()[line - 1].strip()
    assert caught.value.__notes__ == [f"in the reverse of {HERE}:{line}: {text}"]


def test_jacobians_too() -> None:
    with pytest.raises(LookupError) as caught:
        jacobian(lambda a: fragile(a * 2.0), np.ones(2))
    assert len(caught.value.__notes__) == 1


def test_the_note_is_in_the_traceback() -> None:
    with pytest.raises(LookupError) as caught:
        gradient(straight, 2.0)
    assert f"in the reverse of {HERE}:{line_of(straight)}: z = fragile(y)  # here" in "".join(
        traceback.format_exception(caught.value)
    )


def test_an_error_in_the_forward_run_has_no_note() -> None:
    def f(x: float) -> float:
        return math.sqrt(-x) * fragile(x)

    def g(xs: list[float]) -> float:
        xs[0] = math.sqrt(-xs[0])
        return xs[0]

    for h, x in ((f, 2.0), (g, [2.0])):
        for way in ("gradient", "pullback"):
            with pytest.raises(ValueError, match="math domain error|nonnegative") as caught:
                WAYS[way](h, x)
            assert not hasattr(caught.value, "__notes__")


def test_a_rule_that_breaks_its_contract_names_both_places() -> None:
    def wrong(x: float) -> float:
        return x

    @rule(wrong)
    def wrong_rule(x: float) -> Any:
        return x, lambda y_bar: "nothing"

    def f(x: float) -> float:
        return wrong(x) * 2.0

    line = f.__code__.co_firstlineno + 1
    with pytest.raises(RuleError) as caught:
        gradient(f, 1.0)
    assert caught.value.__notes__ == [f"in the reverse of {HERE}:{line}: return wrong(x) * 2.0"]


def test_the_text_is_as_it_was() -> None:
    assert "try" not in code_adjoint(straight, 2.0)
