"""Every program of the corpus: finite differences, the adjoint identity, and what else a pullback has to keep."""

import logging
import warnings
from typing import Any

import numpy as np
import pytest
from programs import PROGRAMS, Program

from adjoint import pullback
from adjoint.finite.differences import random_like
from adjoint.finite.structure import cotangent_like
from adjoint.testing import check_gradient

pytestmark = pytest.mark.filterwarnings("ignore:.* is small:UserWarning")
EFFECTS = [program for program in PROGRAMS.values() if "effects" in program.families]


def check(program: Program, order: int) -> None:
    check_gradient(
        program.function,
        *program.args,
        order=order,
        rtol=program.rtol,
        integers=program.integers,
        kwargs=program.kwargs,
        forward="higher" not in program.families,
    )


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=str)
def test_program(program: Program) -> None:
    check(program, order=1)


@pytest.mark.parametrize("program", [p for p in PROGRAMS.values() if p.order > 1], ids=str)
def test_second_derivative_of_program(program: Program) -> None:
    check(program, order=2)


@pytest.mark.parametrize("program", EFFECTS, ids=str)
def test_effects_happen_once_in_the_forward_run(
    program: Program, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, logger="programs")

    def observed(action: Any) -> tuple[Any, ...]:
        caplog.clear()
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            result = action()
        records = [(r.levelname, r.name, r.getMessage()) for r in caplog.records if r.name.startswith("programs")]
        return result, capsys.readouterr().out, records, [(w.category, str(w.message), w.filename) for w in caught]

    _, *plain = observed(lambda: program.function(*program.args))
    (y, back), *forward = observed(lambda: pullback(program.function, *program.args))
    assert forward == plain

    rng = np.random.default_rng(0)
    _, *backward = observed(lambda: back(cotangent_like(y, lambda leaf: random_like(leaf, rng))))
    assert backward == ["", [], []]


def test_errors_of_the_program_stay_its_own() -> None:
    raises = PROGRAMS["raises_on_bad_input"].function
    with pytest.raises(ValueError, match="negative: -1.0"):
        pullback(raises, -1.0)
    with pytest.raises(AssertionError, match=r"4\.0 is not below 3\.0"):
        pullback(PROGRAMS["asserts"].function, 4.0, 3.0)
