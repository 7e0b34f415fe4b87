"""What NumPy gives for lists and numbers, or why it refuses them, in every mode."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adjoint import gradient, jvp, pullback

# mypy: disable-error-code="call-overload, arg-type, operator"


def number(x: Any) -> Any:
    return np.float64(1.0) * x


PROGRAMS: dict[str, Callable[[Any], Any]] = {
    "split of a list": lambda x: np.split([x, x * x], 2),
    "split of a list, uneven": lambda x: np.split([x, x * x, 2.0], 2),
    "split of a list at places": lambda x: np.split([x, x * x], [1]),
    "split of a tuple at places": lambda x: np.split((x, x * x), [1]),
    "split of a list by a float": lambda x: np.split([x, 2.0], 0.0),
    "split of an array by a float": lambda x: np.split(np.array([x, 2.0]), 0.0),
    "split of a number": lambda x: np.split(x, 1),
    "split of a number at places": lambda x: np.split(x, [1]),
    "split of a NumPy number": lambda x: np.split(number(x), 1),
    "array_split of a list": lambda x: np.array_split([x, x * x, 2.0], 2),
    "array_split of a number": lambda x: np.array_split(x, 1),
    "hsplit of a list": lambda x: np.hsplit([x, x], 2),
    "vsplit of a list": lambda x: np.vsplit([[x], [x]], 2),
    "dsplit of a list": lambda x: np.dsplit([[[x, x]]], 2),
    "rollaxis of a list": lambda x: np.rollaxis([[x]], 0),
    "no difference of a list": lambda x: np.diff([x, x * x], n=0),
    "no difference of a tuple": lambda x: np.diff((x, x * x), n=0),
    "no difference of a list, and more": lambda x: np.diff([x, x * x], n=0, prepend=x),
    "no difference of a number": lambda x: np.diff(x, n=0),
    "no difference of a NumPy number": lambda x: np.diff(number(x), n=0),
    "no difference of an array": lambda x: np.diff(np.array([x, x * x]), n=0),
    "differences of a NumPy number": lambda x: np.diff(number(x), n=1),
    "a negative difference": lambda x: np.diff(number(x), n=-1),
    "differences of a list": lambda x: np.diff([x, x * x, 2.0], 2),
    "reshape of a NumPy number": lambda x: np.reshape(number(x), []),
    "reshape of a NumPy number to a row": lambda x: np.reshape(number(x), (1,)),
    "reshape of a NumPy number by its method": lambda x: number(x).reshape(()),
    "reshape of a NumPy number by its method to a row": lambda x: number(x).reshape(1, 1),
    "reshape of a number": lambda x: np.reshape(x, ()),
    "reshape of an array without axes": lambda x: np.array(x).reshape(()),
    "sort along an axis that is a flag": lambda x: np.sort(np.array([[x * x, x], [x, 2.0]]), axis=True),
    "sort along an axis that is not there": lambda x: np.sort(np.array([x, 2.0]), axis=True),
}
if hasattr(np, "unstack"):
    PROGRAMS["unstack of a list"] = lambda x: np.unstack([x, x])


def recorded(f: Callable[[float], Any]) -> Callable[[float], Any]:
    def run(x: float) -> Any:
        try:
            x = x * 1.0
        finally:
            y = f(x)
        return y

    return run


def described(y: Any) -> Any:
    """A result with its classes, dtypes and shapes."""
    if isinstance(y, list | tuple):
        return type(y).__name__, [described(v) for v in y]
    return type(y).__name__, np.asarray(y).dtype, np.shape(y), np.asarray(y).tolist()


def asked(run: Callable[[Any], Any], x: Any) -> Any:
    """What a run gives: its result, or the class and the words of its error."""
    try:
        return described(run(x))
    except Exception as error:
        return type(error).__name__, str(error).partition("\n")[0]


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_result_is_that_of_numpy(name: str) -> None:
    f = PROGRAMS[name]
    plain = asked(f, 1.5)
    for program in (f, recorded(f)):
        assert asked(lambda g: pullback(g, 1.5)[0], program) == plain
        assert asked(lambda g: jvp(g, (1.5,), (1.0,))[0], program) == plain


def weighted(y: Any) -> Any:
    """A number of all that is in a result, each time with another factor."""
    parts = y if isinstance(y, list | tuple) else [y]
    return sum(np.sum(part) * (i + 1.0) for i, part in enumerate(parts))


def gives_something(f: Callable[[Any], Any]) -> bool:
    return isinstance(asked(f, 1.5)[1], np.dtype | list)


@pytest.mark.parametrize("name", [name for name, f in PROGRAMS.items() if gives_something(f)])
def test_its_derivative(name: str) -> None:
    f = PROGRAMS[name]
    h = 1e-6
    slope = (weighted(f(1.25 + h)) - weighted(f(1.25 - h))) / (2 * h)
    for program in (f, recorded(f)):
        assert gradient(lambda x: weighted(program(x)), 1.25) == (pytest.approx(slope),)  # noqa: B023
        assert jvp(lambda x: weighted(program(x)), (1.25,), (2.0,))[1] == pytest.approx(2.0 * slope)  # noqa: B023
