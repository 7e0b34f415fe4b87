"""Private names in classes: of parameters, variables, functions and handlers in a program that is recorded."""

from __future__ import annotations

from typing import Any

import pytest

from adjoint import grad

LOG: list[Any] = []


class Private:
    def wrapped(self, f: Any) -> Any:
        def wrapper(*args: Any, __scale: Any = 2.0, **options: Any) -> Any:
            __twice = __scale * 2.0

            def __inner(t: Any, __more: Any = 3.0) -> Any:
                nonlocal __twice
                __twice = __twice + t
                return t * __more * __twice * __scale

            return f(*args, **options) * __inner(args[0])

        return wrapper

    def handled(self, x: Any, __power: int = 2) -> Any:
        __found = [x]
        try:
            __found[0] = __found[0] ** __power
            raise ValueError(x * x)
        except ValueError as __error:
            __found.append(__error.args[0])
        for __i, __item in enumerate(__found):
            __found[__i] = __item * x
        global __total
        __total = __found[0] * [__v * __v for __v in __found][1]
        return __total + (__last := __found[1]) * __last

    def matched(self, x: Any) -> Any:
        LOG[:] = [x, x * x, 3.0]
        match LOG:
            case [__first, *__others] if __first is not None:
                return __first * __others[0] * (lambda __y: __y * x)(LOG[2])
        return x

    def named(self, x: Any) -> Any:
        def __own(t: Any) -> Any:
            LOG[:] = [t]
            return LOG[0] * t

        class __Inner:
            __field = 2.0

            def get(self, __t: Any) -> Any:
                LOG[:] = [__t]
                return LOG[0] * self.__field

        return __own(x) * __Inner().get(x) * len(__own.__name__)


PROGRAMS = [Private().wrapped(lambda x: x * x), Private().handled, Private().matched, Private().named]


@pytest.mark.parametrize("f", PROGRAMS, ids=["wrapped", "handled", "matched", "named"])
def test_private_names(f: Any) -> None:
    slope = (f(1.3 + 1e-6) - f(1.3 - 1e-6)) / 2e-6
    assert grad(f)(1.3) == pytest.approx(slope, rel=1e-6)
    assert grad(grad(f))(1.3) == pytest.approx((f(1.3 + 1e-4) - 2 * f(1.3) + f(1.3 - 1e-4)) / 1e-8, rel=1e-4)


def test_a_private_default_that_is_set_later() -> None:
    def f(x: Any) -> Any:
        return x * x

    wrapper = Private().wrapped(f)
    wrapper.__kwdefaults__["_Private__scale"] = 5.0
    slope = (wrapper(1.3 + 1e-6) - wrapper(1.3 - 1e-6)) / 2e-6
    assert grad(wrapper)(1.3) == pytest.approx(slope, rel=1e-6)
