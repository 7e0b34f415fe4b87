"""Objects that answer for others by `__getattr__`: what they hold themselves is not asked of that."""

from typing import Any

import numpy as np
import pytest

from adjoint import Tangent, gradient
from adjoint.calculus import pushforward
from adjoint.errors import AdjointError


class Inner:
    def __init__(self, v: Any) -> None:
        self.v = v


class Proxy:
    __slots__ = ("_inner",)

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


class ByName:
    __slots__ = ("items",)

    def __init__(self, items: Any) -> None:
        self.items = items

    def __getattr__(self, name: str) -> Any:
        return self.items[name]


class ByLength:
    __slots__ = ("a",)

    def __init__(self, a: Any) -> None:
        self.a = a

    def __getattr__(self, name: str) -> Any:
        return self.a * len(name)


USES = [
    (lambda x: Proxy(Inner(x)).v * 2, 2.0),
    (lambda x: Proxy(Inner(x)).v * x, 6.0),
    (lambda x: ByName({"v": x}).v * x, 6.0),
    (lambda x: ByLength(x).vv * x, 12.0),
    (lambda x: Proxy(Proxy(Inner(x))).v * x, 6.0),
]


@pytest.mark.parametrize(("f", "slope"), USES)
def test_made_on_the_way(f: Any, slope: float) -> None:
    assert gradient(f, 3.0) == (slope,)
    assert pushforward(f, (3.0,), (1.0,))[1] == slope


def test_given() -> None:
    (bar,) = gradient(lambda p: p.v**2, Proxy(Inner(3.0)))
    assert isinstance(bar, Tangent) and bar["_inner"]["v"] == 6.0 and list(bar) == ["_inner"]
    (bar,) = gradient(lambda p: np.sum(p.v**2), ByName({"v": np.array([1.0, 2.0])}))
    assert bar["items"]["v"].tolist() == [2.0, 4.0]


def test_an_operator_on_a_proxy_of_an_array_is_refused() -> None:
    proxies = pytest.importorskip("wrapt")
    proxy = proxies.ObjectProxy(np.array([1.0, 2.0, 3.0]))
    with pytest.raises(AdjointError, match="stands for an object of another class"):
        gradient(lambda x: (proxy * x).sum(), 1.3)
