"""Conditions in a `finally` within another one: their values were looked for where an exception had left before."""

from __future__ import annotations

import pytest
from ways import check_everywhere

from adjoint import withgradient


def doubled(x: float) -> float:
    k = 0
    try:
        try:
            try:
                if x > 0:
                    raise ValueError
            finally:
                while k < 1 and x < 3.0:
                    x = x * 2
                    k += 1
        finally:
            x = x * x
    except ValueError:
        return x * 3
    return x


def branched(x: float) -> float:
    try:
        try:
            if x > 1:
                raise ValueError
        finally:
            if x < 3.0 and x > -3.0:
                x = x * x
            else:
                x = 2 * x
                x = x + 1
    except ValueError:
        x = x * 5
    finally:
        if x > 0:
            x += x * x
    return x


@pytest.mark.parametrize("f", [doubled, branched])
@pytest.mark.parametrize("x", [-4.0, -0.5, 0.5, 1.5, 4.0])
def test_programs(f: object, x: float) -> None:
    check_everywhere(f, x)  # type: ignore[arg-type]


def test_an_exception_that_nothing_catches() -> None:
    def f(x: float) -> float:
        try:
            try:
                raise ValueError(x)
            finally:
                while x < 3.0 and x > 0:
                    x = x + 2
        finally:
            x = x * x

    with pytest.raises(ValueError, match=r"0\.5"):
        withgradient(f, 0.5)
