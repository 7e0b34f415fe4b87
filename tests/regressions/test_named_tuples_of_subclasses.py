"""Methods that `namedtuple` wrote, called from a subclass that has its own of the same name."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from .differences import check


class State(NamedTuple):
    x: float
    v: float = 0.5


class Doubled(State):
    __slots__ = ()

    def _replace(self, **kw):
        return super()._replace(**{k: 2 * v for k, v in kw.items()})


class Tripled(State):
    __slots__ = ()

    @classmethod
    def _make(cls, items):
        return super()._make([3.0 * x for x in items])


class Signed(State):
    __slots__ = ()

    def _asdict(self):
        return {k: -v for k, v in super()._asdict().items()}


def another_replace(x, y):
    s = Doubled(x)
    s = s._replace(v=s.v * y)
    return s.v * s.x


def another_make(x, y):
    return Tripled(x)._replace(v=y).v * x


def another_dict(x, y):
    d = Signed(x, y)._asdict()
    return d["x"] * d["v"] * x


@pytest.mark.parametrize("f", [another_replace, another_make, another_dict])
def test_methods_of_subclasses(f: Any) -> None:
    for _ in range(2):
        check(f, 0.7, 1.3, order=2)
