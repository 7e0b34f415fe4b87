"""A number is looked for among those of earlier calls, and not among those of this one."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import pytest

from adjoint import gradient, pullback
from adjoint.errors import AdjointError
from adjoint.recording.entry import recorded

from . import containers_of_numbers as programs


@pytest.mark.parametrize("f", programs.OF_THIS_CALL, ids=lambda f: type(f).__name__)
def test_numbers_of_this_call_are_found(f: Any) -> None:
    f(1.5)
    for at in (1.5, 1.5, 2.25, 1.5):
        assert gradient(f, at) == pytest.approx((2.0 * at,))
        y, back = pullback(f, at)
        assert (y, back(1.0)[1]) == pytest.approx((at * at, 2.0 * at))
        y, back, _ = recorded(f, at)
        assert (y, back(1.0)[1]) == pytest.approx((at * at, 2.0 * at))


@pytest.mark.parametrize("make", programs.AMONG)
def test_those_of_earlier_ones_are_refused(make: Any) -> None:
    f = make()
    assert gradient(f, 1.5) == (3.0,)
    for _ in range(2):
        with pytest.raises(AdjointError, match="results of earlier calls"):
            gradient(f, 1.5)
        with pytest.raises(AdjointError, match="results of earlier calls"):
            recorded(f, 1.5)
    assert gradient(f, 2.5) == (5.0,)


@pytest.mark.parametrize("seed", ["0", "3"])
def test_whichever_of_two_lists_comes_first(seed: str) -> None:
    """Names are hashed by a seed, and a question about two lists is one about each of them."""
    name = "tests.regressions.test_containers_of_numbers"
    code = f"from {name} import *; test_those_of_earlier_ones_are_refused(programs.InTwoLists)"
    env = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)}
    subprocess.run([sys.executable, "-c", code], check=True, env=env)
