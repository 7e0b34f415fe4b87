"""Code and defaults of what Python calls by itself, replaced after the first gradients."""

import dataclasses
from typing import Any, NamedTuple

import numpy as np
import pytest

from adjoint import gradient, withgradient


@pytest.fixture
def classes() -> Any:
    class Plain:
        def __init__(self, x: Any, k: Any = 2.0) -> None:
            self.x = x
            self.k = k

    @dataclasses.dataclass
    class Post:
        x: Any

        def __post_init__(self, k: Any = 2.0) -> None:
            self.k = k

    class Computed(Plain):
        @property
        def scaled(self, v: Any = 2.0) -> Any:
            return v

    class Named(NamedTuple):
        x: Any
        k: Any = 2.0

    return Plain, Post, Computed, Named


def squared(self: Any, x: Any, k: Any = 2.0) -> None:
    self.x = x * x
    self.k = k


def of_post(self: Any, k: Any = 2.0) -> None:
    self.k = k * self.x


def of_property(self: Any, v: Any = 2.0) -> Any:
    return v * self.x


@pytest.mark.parametrize("how", ["__code__", "__defaults__"])
@pytest.mark.parametrize("which", range(4))
def test_what_is_replaced_is_followed(classes: Any, which: int, how: str) -> None:
    cls = classes[which]
    owner = [cls.__init__, getattr(cls, "__post_init__", None), None, cls.__new__][which]
    owner = cls.__dict__["scaled"].fget if which == 2 else owner
    if how == "__code__" and which == 3:
        pytest.skip("`__new__` is written by `namedtuple`")

    def f(x: Any) -> Any:
        made = cls(x)
        return (made.scaled if which == 2 else made.k) * made.x

    for _ in range(3):
        assert withgradient(f, 1.5) == (3.0, (2.0,))
    new = [squared, of_post, of_property][which].__code__ if how == "__code__" else (5.0,)
    setattr(owner, how, new)
    h = 1e-6
    for _ in range(3):
        y, (slope,) = withgradient(f, 1.5)
        assert y == f(1.5) and slope == pytest.approx((f(1.5 + h) - f(1.5 - h)) / (2 * h))


def test_defaults_of_all_kinds(classes: Any) -> None:
    cls = classes[0]
    f = lambda x: cls(x).k * x  # noqa: E731
    for k in (2.0, np.float64(5.0), 7.0, np.ones(1), 3):
        cls.__init__.__defaults__ = (k,)
        for _ in range(2):
            assert gradient(lambda x: np.sum(f(x)), 1.5)[0] == np.sum(k)
    cls.__init__.__defaults__ = ([1.0],)
    with pytest.raises(TypeError, match="sequence"):
        gradient(f, 1.5)


def test_the_words_of_an_empty_maximum() -> None:
    def f(x: Any) -> Any:
        try:
            return max([]) * x
        except ValueError as error:
            return x * len(str(error))

    assert gradient(f, 2.0)[0] == f(1.0)
