"""Special methods that are refused in words of their own, and integers that are their own index."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from adjoint import UnsupportedSyntaxError, gradient, hvp

# mypy: disable-error-code="no-untyped-def"


class Held:
    v = 2.0


class Static:
    __neg__ = staticmethod(lambda: Held.v)


class Called:
    def __call__(self):
        return Held.v


class Calling:
    __neg__ = Called()


class OfClass:
    @classmethod
    def __neg__(cls):
        return Held.v


@pytest.mark.parametrize("cls, what", [(Static, "static"), (Calling, "an object of `Called`"), (OfClass, "class")])
def test_a_special_method_that_is_no_function(cls: Any, what: str) -> None:
    for f in (lambda x: x * -cls(), lambda x: [x * -cls()].pop()):
        with pytest.raises(UnsupportedSyntaxError, match=f"`{cls.__name__}.__neg__` is no function, but .*{what}"):
            gradient(f, 1.5)


class Summed:
    def __init__(self, v: Any) -> None:
        self.v = v

    def __array_function__(self, f, types, args, kwargs):
        return self.v * 3.0


def test_a_function_of_numpy_that_a_class_computes() -> None:
    def program(x):
        kept = [Summed(x)]
        return np.where(kept[0], 1.0, 2.0) * x  # type: ignore[call-overload]

    with pytest.raises(UnsupportedSyntaxError, match="`where` may run `Summed.__array_function__`"):
        gradient(program, 1.5)


class Index(int):
    def __index__(self) -> int:
        return 0


def test_an_integer_is_its_own_index() -> None:
    def program(x):
        items = [1.0, x, x * x]
        items.append(x**3)
        return items[Index(2)] + sum(items[Index(2) :]) + sum([x for _ in range(Index(2))])

    assert gradient(program, 1.5) == (2.0 * 3.0 + 3.0 * 2.25 + 2.0,)
    assert hvp(program, (1.5,), (1.0,))[0] == pytest.approx(4.0 + 6.0 * 1.5)
