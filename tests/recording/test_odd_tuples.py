"""Named tuples with special methods of their own are read as Python reads them, and their cotangents as tuples."""

from collections import namedtuple
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from adjoint import gradient
from adjoint.testing import check_gradient

# mypy: disable-error-code="no-untyped-def"
# ruff: noqa: SIM105 - programs that catch are recorded

Pair = namedtuple("Pair", "x y")


class Items(Pair):
    def __getitem__(self, i: Any) -> Any:
        return tuple.__getitem__(self, i) * 3.0


class Iterated(Pair):
    def __iter__(self) -> Iterator[Any]:
        yield self.y * 2.0
        yield self.x


class Sized(Pair):
    def __len__(self) -> int:
        return 7


class Turned(Pair):
    def __reversed__(self) -> Iterator[Any]:
        return iter([self.x * 7.0])


class Named(Pair):
    def __getattribute__(self, name: str) -> Any:
        found = tuple.__getattribute__(self, name)
        return found * 5.0 if name == "x" else found


class Made(Pair):
    def __new__(cls, x: Any, y: Any = 1.0) -> Any:
        return super().__new__(cls, x * 1.3, y)


class Both(Sequence):  # type: ignore[type-arg]
    """No tuple, but a sequence of which `match` takes the items by iteration."""

    def __init__(self, x: Any, y: Any) -> None:
        self.x, self.y = x, y

    def __len__(self) -> int:
        return 2

    def __getitem__(self, i: Any) -> Any:
        return (self.x, self.y)[i] * 3.0

    def __iter__(self) -> Iterator[Any]:
        return iter([self.x, self.y])


def by_name(p):
    return p.x * p.x * p.y


def by_item(p):
    return p[0] * p[0] * p[1]


def by_iteration(p):
    a, b = p
    return a * a * b + sum(p) + [*p][0]


def by_size(p):
    return len(p) * p[-1]


def by_pattern(p):
    match p:
        case (a, b):
            return a * a * b
        case (a, *_):
            return a * a


def by_pattern_of_places(p):
    match p:
        case (a, *_):
            return a * a


def backwards(p):
    s = 1.0
    for v in reversed(p):
        s = s * v + v
    return s * p[0]


READERS: list[Callable[..., Any]] = [
    by_name,
    by_item,
    by_iteration,
    by_size,
    by_pattern,
    by_pattern_of_places,
    backwards,
]


@pytest.mark.parametrize("read", READERS)
@pytest.mark.parametrize("cls", [Items, Iterated, Sized, Turned, Named, Made, Both])
def test_made_within(cls: Any, read: Any) -> None:
    def caught(x):
        try:
            return read(cls(x, x * x)) * x
        except KeyError:
            return 0.0

    check_gradient(lambda x: read(cls(x, x * x)) * x, 1.3)
    check_gradient(caught, 1.3, order=2)


@pytest.mark.parametrize("read", READERS)
@pytest.mark.parametrize("cls", [Items, Iterated, Sized, Turned, Named, Made])
def test_given(cls: Any, read: Any) -> None:
    """The gradient is by what the tuple holds, and a plain named tuple."""
    p = cls(1.5, 2.5)
    held = [*tuple.__iter__(p)]
    (g,) = gradient(read, p)
    assert type(g) is Pair
    for i in (0, 1):
        moved = [[*held], [*held]]
        moved[0][i] += 1e-6
        moved[1][i] -= 1e-6
        high, low = (read(tuple.__new__(cls, items)) for items in moved)
        assert (g[i] or 0.0) == pytest.approx((high - low) / 2e-6, rel=1e-6, abs=1e-6)
