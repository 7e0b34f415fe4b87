"""Prints, logs, warnings and counters in the program: they happen once, and leave the derivative alone."""

import logging
import math
import warnings
from typing import Any

import numpy as np
import pytest

from adjoint import gradient

LOG = logging.getLogger(__name__)


def test_zygote_560_text_with_values_in_it(capsys: pytest.CaptureFixture[str]) -> None:
    """Interpolation of a value into a string could not be differentiated."""

    def f(x: float) -> float:
        loss = 2 * x
        print(f"loss: {loss:.2f} at {x!r}")
        return loss

    assert gradient(f, 1.5) == (2.0,)
    assert capsys.readouterr().out == "loss: 3.00 at 1.5\n"


def test_zygote_386_a_log(caplog: pytest.LogCaptureFixture) -> None:
    """A line of a log in the function was an error."""

    def f(x: float) -> float:
        LOG.warning("x is %s", x)
        return 2 * x

    assert gradient(f, 1.5) == (2.0,)
    assert [r.message for r in caplog.records if r.name == LOG.name] == ["x is 1.5"]


def test_bijectors_73_debugging_output_of_arrays(capsys: pytest.CaptureFixture[str]) -> None:
    """Debugging output had to be wrapped in functions that are said to have no derivative."""

    def f(x: Any) -> Any:
        for i in range(2):
            print(i, x.shape, "max {:.1f}".format(np.max(x)), "%g" % x[0])  # noqa: UP031, UP032
        return (x * x).sum()

    assert gradient(f, np.array([1.0, 2.0]))[0].tolist() == [2.0, 4.0]
    assert capsys.readouterr().out == "0 (2,) max 2.0 1\n1 (2,) max 2.0 1\n"


def test_zygote_1662_a_warning_in_the_branch_not_taken() -> None:
    """A warning in a branch crashed the compiler, though the branch was not taken."""

    def f(x: float) -> float:
        if x > 0:
            return x * 2
        warnings.warn("negative", stacklevel=1)
        return x

    assert gradient(f, 1.0) == (2.0,)
    with pytest.warns(UserWarning, match="negative"):
        assert gradient(f, -1.0) == (1.0,)


class Counter:
    def __init__(self) -> None:
        self.seen: list[float] = []

    def note(self, x: float) -> None:
        self.seen.append(x)


def test_zygote_571_calls_whose_results_are_not_used() -> None:
    """Code that runs for its effect only was differentiated too, and failed there."""
    counter = Counter()

    def f(x: float) -> float:
        counter.note(x)
        math.floor(x)
        return x * x

    assert gradient(f, 3.0) == (6.0,)
    assert counter.seen == [3.0]


def test_jax_gotchas_a_counter_that_counts_calls_not_tracings() -> None:
    """Effects happened when the function was traced, and then never again."""
    counts = {"calls": 0}

    def f(x: float) -> float:
        counts["calls"] += 1
        return x * counts["calls"]

    assert [gradient(f, 3.0)[0] for _ in range(3)] == [1.0, 2.0, 3.0]
    assert counts == {"calls": 3}


def test_taichi_1979_a_value_printed_on_the_way(capsys: pytest.CaptureFixture[str]) -> None:
    """What is printed within the function is a value of the program, whatever is differentiated around it."""

    def f(x: float) -> float:
        y = math.sin(x)
        print(y == math.sin(x), type(y).__name__)
        return y

    assert gradient(f, 0.0) == (1.0,)
    assert capsys.readouterr().out == "True float\n"
