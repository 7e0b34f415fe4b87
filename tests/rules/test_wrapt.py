"""Decorators of wrapt: differentiated through the function that wraps."""

from __future__ import annotations

from typing import Any

import pytest

from adjoint import gradient
from adjoint.errors import NoRuleError
from adjoint.testing import check_gradient

wrapt = pytest.importorskip("wrapt")
seen: list[Any] = []


@wrapt.decorator
def doubled(wrapped: Any, instance: Any, args: Any, kwargs: Any) -> Any:
    return 2 * wrapped(*args, **kwargs)


@wrapt.decorator
def noting(wrapped: Any, instance: Any, args: Any, kwargs: Any) -> Any:
    seen.append(args[0])
    return wrapped(*args, **kwargs)


@wrapt.decorator(enabled=False)
def disabled(wrapped: Any, instance: Any, args: Any, kwargs: Any) -> Any:
    return 100.0


@wrapt.decorator
def weighted(wrapped: Any, instance: Any, args: Any, kwargs: Any) -> Any:
    return instance.w * wrapped(*args, **kwargs)


def scaled(k: float) -> Any:
    @wrapt.decorator
    def wrapper(wrapped: Any, instance: Any, args: Any, kwargs: Any) -> Any:
        return k * wrapped(*args, **kwargs)

    return wrapper


@doubled
def cube(x: Any) -> Any:
    return x**3


@noting
def square(x: Any) -> Any:
    return x * x


@disabled
def fourth(x: Any) -> Any:
    return x**4


@scaled(3.0)
@doubled
def power(x: Any, p: int = 2) -> Any:
    return x**p


class Weight:
    def __init__(self, w: Any) -> None:
        self.w = w

    @weighted
    def scale(self, x: Any) -> Any:
        return self.w * x * x

    @classmethod
    @doubled
    def made(cls, x: Any) -> Any:
        return x * x

    @staticmethod
    @doubled
    def still(x: Any) -> Any:
        return x * x

    @property
    @doubled
    def cubed(self) -> Any:
        return self.w**3


def call(f: Any, x: Any) -> Any:
    return f(x)


def changed(x: Any) -> Any:
    weight = Weight(x)
    weight.w = weight.w * 2.0
    return weight.scale(x)


WEIGHT = Weight(3.0)


@pytest.mark.parametrize("f", [
    cube,
    fourth,
    power,
    lambda x: cube(x) * x,
    lambda x: call(Weight(x).scale, x) + call([Weight(2.0 * x).scale][0], 2.0),
    lambda x: power(x, p=3),
    lambda x: square(x) * seen[-1],
    lambda x: WEIGHT.scale(x) + Weight(x).scale(x),
    lambda x: Weight.made(x) + Weight.still(x) + Weight(x).cubed,
    lambda x: sum(map(cube, [x, 2.0 * x])) + min([x, 3.0], key=square),
    lambda x: gradient(cube, x)[0],
    changed,
])  # fmt: skip
def test_right(f: Any) -> None:
    check_gradient(f, 1.3)


def test_by_the_object() -> None:
    weight, x = gradient(lambda weight, x: weight.scale(x), WEIGHT, 1.3)
    assert weight.w == pytest.approx(2.0 * 3.0 * 1.3**2)
    assert x == pytest.approx(9.0 * 2.0 * 1.3)
    assert gradient(WEIGHT.scale, 1.3) == pytest.approx((9.0 * 2.0 * 1.3,))


def test_a_method_of_the_class_that_is_given_its_object_is_refused() -> None:
    with pytest.raises(NoRuleError, match="PartialCallableObjectProxy"):
        gradient(lambda x: Weight.scale(WEIGHT, x), 1.3)


def test_older_versions_are_refused(monkeypatch: Any) -> None:
    monkeypatch.setattr(wrapt, "__version__", "1.17.3")
    for f in (cube, Weight(2.0).scale):
        with pytest.raises(NoRuleError, match="wrapt 1.17.3"):
            gradient(lambda x, f=f: f(x), 1.3)
