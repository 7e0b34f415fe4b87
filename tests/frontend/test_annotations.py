"""Functions that are made within others keep their annotations."""

from __future__ import annotations

import linecache

import pytest

from adjoint import grad, withgradient
from adjoint.calculus import pushforward
from adjoint.inspect import code_adjoint

PROGRAMS = {
    "all kinds": """
def f(x):
    def g(v, /, w: int = 2, *a: int, b: float = 1.0, **k: str) -> None:
        return v * x * b * w
    return g(x) * len(g.__annotations__) + len(str(list(g.__annotations__.items())))
""",
    "positional only": """
def f(x):
    def g(v: float, /, w: int = 2, *, b: float = 1.0) -> float:
        return v * x * b * w
    return g(x) * len(str(list(g.__annotations__)))
""",
    "singledispatch": """
def f(x):
    @functools.singledispatch
    def g(v):
        return v * 2
    @g.register
    def _(v: int):
        return v * 30.0
    @g.register
    def _(v: float):
        return v * x
    return g(x) + g(3) * x
""",
    "a decorator that reads them": """
def f(x):
    def decorated(g):
        g.n = len(g.__annotations__)
        return g
    @decorated
    def g(v: float, u: int = 2):
        return v * x
    return g(x) * g.n
""",
    "in a loop": """
def f(x):
    s = 0.0
    for i in range(3):
        def g(v: float) -> float:
            return v * i * x
        s = s + g(x) * len(g.__annotations__)
    return s
""",
    "private names": """
class C:
    def f(self, x):
        def g(__v: float):
            return __v * x
        return g(x) * len(str(g.__annotations__))
f = C().f
""",
}


def made(text, header=""):
    text = f"{header}import functools\nimport typing\n{text}"
    filename = f"<annotations {hash(text)}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    namespace = {"__name__": "annotations"}
    exec(compile(text, filename, "exec", dont_inherit=True), namespace)
    return namespace["f"]


@pytest.mark.parametrize("header", ["", "from __future__ import annotations\n"], ids=["", "as text"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_annotations(name, header):
    h = 1e-6
    f = made(PROGRAMS[name], header)
    y, (d,) = withgradient(f, 2.0)
    assert y == f(2.0)
    assert d == pytest.approx((f(2.0 + h) - f(2.0 - h)) / (2 * h), 1e-6)
    assert grad(grad(f))(2.0) == pytest.approx((grad(f)(2.0 + h) - grad(f)(2.0 - h)) / (2 * h), 1e-6)
    if name != "singledispatch":
        assert pushforward(f, (2.0,), (1.0,))[1] == pytest.approx(d)


def test_they_are_reversed_by_structure():
    assert "_rrule" in code_adjoint(made(PROGRAMS["all kinds"]), 2.0)


def test_names_that_are_not_defined_raise():
    f = made("def f(x):\n    def g(v: of_nobody):\n        return v * x\n    return g(x)\n")
    with pytest.raises(NameError, match="of_nobody"):
        withgradient(f, 2.0)
