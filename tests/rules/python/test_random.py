"""Rules of the module `random`: the same draws as the plain functions, from the same state."""

from __future__ import annotations

import random
from typing import Any

import pytest
from rules.checker import run_rule

from adjoint.rules.registry import opt_out, rule
from adjoint.testing import check_rule

XS = [1.5, 2.5, 3.5, 4.5]


@pytest.mark.parametrize(
    ("f", "args", "constant"),
    [
        (random.uniform, (1.5, 3.5), ()),
        (random.gauss, (1.5, 0.5), ()),
        (random.gauss, (1.5, 0.0), ()),
        (random.normalvariate, (1.5, 0.5), ()),
        (random.choice, (XS,), ()),
        (random.choice, (tuple(XS),), ()),
        (random.sample, (XS, 2), (1,)),
        (random.choices, (XS,), ()),
        (random.choices, (XS, [0.1, 0.2, 0.3, 0.4]), (1,)),
    ],
)
def test_draws(f: Any, args: Any, constant: Any) -> None:
    def drawn(*args: Any) -> Any:
        random.seed(7)
        return f(*args)

    @rule(drawn)
    def drawn_rule(*args):
        random.seed(7)
        y, back, _ = run_rule(f, *args)
        return y, lambda y_bar: back(y_bar)[: len(args)]

    check_rule(drawn, *args, constant=constant)
    opt_out(drawn)
