"""Records, `map` and closures of the small engine, held to the real one."""

import sys
from typing import Any

import pytest
from test_tiny import EXAMPLES, load, near, number

import adjoint

HEAD = """
import math
from dataclasses import dataclass
from functools import wraps

@dataclass
class Line:
    a: float
    b: float

    def __call__(self, x):
        return self.a * x + self.b

def square(x):
    return x * x

"""


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(EXAMPLES))
    names = ("tiny", "tiny_extensions")
    for name in names:
        monkeypatch.delitem(sys.modules, name, raising=False)
    import tiny_extensions

    yield tiny_extensions.tiny
    for name in names:
        sys.modules.pop(name, None)


def program(text: str) -> Any:
    source = HEAD + "def f(x, y):\n" + "".join(f"    {line}\n" for line in text.splitlines())
    return load("extended", source, f"<extended {text}>")


PROGRAMS = [
    "zs = tuple(map(square, (x, y, x * y)))\nreturn zs[0] + zs[1] * zs[2]",
    "zs = tuple(map(math.sin, (x, y)))\nreturn zs[0] * zs[1]",
    "g = lambda u, v: u * v + x\nzs = tuple(map(g, (x, y), (y, 2.0)))\nreturn zs[0] * zs[1]",
    "p = Line(x, y)\nreturn p.a * p.b + p.a",
    "p = Line(x, y)\nreturn p(x) * y",
    "p = Line(x * y, 2.0)\nreturn getattr(p, 'a') * x",
    "g = lambda u: x * u + y\nreturn g(x) * g(2.0)",
    "def g(u):\n    v = u * x\n    if v > 0.0:\n        v = v * y\n    return v\nreturn g(y) + g(3.0)",
    "a = x * y\ng = lambda u: a * u\nz = 0.0\nfor i in range(3):\n    z = z + g(i * x)\nreturn z",
    "a = x * y\nh = lambda u: a + u\ng = lambda u: h(u) * x\nreturn g(y)",
    "z = x\nif x > 0.0:\n    g = lambda u: y * u\n    z = g(x)\nreturn z",
]


@pytest.mark.parametrize("text", PROGRAMS)
def test_like_the_real_engine_and_differences(tiny: Any, text: str) -> None:
    f = program(text).f
    y, back = tiny.pullback(f, 0.7, 1.3)
    bars = back(1.0)[1:]
    assert (y, *map(number, bars)) == near((f(0.7, 1.3), *adjoint.gradient(f, 0.7, 1.3)))
    for i, bar in enumerate(bars):
        up, down = [[a + s * (i == j) for j, a in enumerate((0.7, 1.3))] for s in (1e-6, -1e-6)]
        assert number(bar) == pytest.approx((f(*up) - f(*down)) / 2e-6, rel=1e-6)


REFUSED = [
    "a = x\ng = lambda u: a * u\na = y\nreturn g(x)",
    "g = lambda u: a * u\na = y\nreturn g(x)",
    "z = 0.0\nfor i in range(3):\n    a = x * i\n    g = lambda u: a * u\n    z = z + g(y)\nreturn z",
]


@pytest.mark.parametrize("text", REFUSED)
def test_what_python_would_see_later_is_refused(tiny: Any, text: str) -> None:
    with pytest.raises(tiny.Refused, match="closures over"):
        tiny.pullback(program(text).f, 1.0, 2.0)


def test_a_closure_that_calls_itself_is_refused_as_recursive(tiny: Any) -> None:
    with pytest.raises(tiny.Refused, match="does not have recursive closures"):
        tiny.pullback(program("def g(u):\n    return g(u)\nreturn g(x)").f, 1.0, 2.0)


@pytest.mark.parametrize("cls", ["Line", "float"])
def test_a_class_is_not_mapped(tiny: Any, cls: str) -> None:
    found = program(f"t = tuple(map({cls}, (x, y)))\nreturn x")
    with pytest.raises(tiny.Refused, match=r":\d+: `map` gets a class: map a function"):
        tiny.pullback(found.f, 1.0, 2.0)


def test_a_global_of_the_name_of_a_captured_variable(tiny: Any) -> None:
    text = "g = lambda u: square * u\nsquare = x\nreturn g(y)"
    with pytest.raises(tiny.Refused, match="closures over"):
        tiny.pullback(program(text).f, 1.0, 2.0)
    text = "g = lambda u: u * x\nif x > 5.0:\n    square = x\n    h = lambda u: square * u\nreturn square(y)"
    with pytest.raises(tiny.Refused, match="`square` where it may have no value"):
        tiny.pullback(program(text).f, 1.0, 2.0)
    text = "k = 2.0\ng = lambda: k * x\nreturn g() * y"
    assert tiny.pullback(program(text).f, 1.5, 2.0)[1](1.0) == (None, 4.0, 3.0)


# What a closure by names in a text gets wrong, and what Python's own list of captured names gets right.
SCOPES = [
    "def g(u):\n    def h(x):\n        return x * u\n    return h(2.0) + x\nreturn g(y)",
    "g = lambda u: (lambda y: y * u)(3.0) + y\nreturn g(x)",
    "def g(u):\n    def h(v):\n        square = v * y\n        return square\n    return h(u) * square(x)\nreturn g(y)",
    "record_ = Line(x, y)\nz = x * y\ng = lambda u: record_.a * u + z\nreturn g(y)",
    "record_ = x * y\ng = lambda record__: record_ * record__\nreturn g(y)",
    "def g(u):\n    '''A\n    docstring.'''\n    return u * x\nreturn g(y)",
    "g = lambda u: lambda v: u * v * y\nreturn g(x)(y) * g(y)(x)",
    "zs = tuple(map(lambda u, v: u * v + x, (x, y), (y, 2.0)))\nreturn zs[0] * zs[1]",
    "def g(u):\n    u * x\nz = g(y)\nreturn x * y",
]


@pytest.mark.parametrize("text", SCOPES)
def test_scopes_are_those_of_python(tiny: Any, text: str) -> None:
    module = program(text)
    module.x = module.y = 100.0  # globals of those names
    y, back = tiny.pullback(module.f, 0.7, 1.3)
    assert y == near(module.f(0.7, 1.3))
    assert [number(bar) for bar in back(1.0)[1:]] == near([*adjoint.gradient(module.f, 0.7, 1.3)])


CHANGING = [
    ("def g(u):\n    def h(v):\n        x = v * 2.0\n        return x\n    return h(u) * x\nreturn g(y)", "over `x`"),
    ("def g(u):\n    return u * x\nif x > 0.0:\n    def g(u):\n        return u * y\nreturn g(2.0)", "a `def` in a"),
    ("def g(u):\n    return u * x\nfor i in range(2):\n    def g(u):\n        return u * y\nreturn g(2.0)", "a `def`"),
    ("def g(u):\n    return u * x\ndef h(u):\n    return g(u)\ndef g(u):\n    return u * y\nreturn h(x)", "over `g`"),
    ("k = 3 * x\ng = lambda u, *, k=2.0: u * k\nreturn g(x)", "other than plain parameters"),
    ("k = 3 * x\ng = lambda u, k=2.0: u * k\nreturn g(x)", "other than plain parameters"),
    ("k = 3 * x\ng = lambda *k: k[0]\nreturn g(x)", "other than plain parameters"),
    ("k = 3 * x\ng = lambda k, /: k\nreturn g(x)", "other than plain parameters"),
    ("@wraps(square)\ndef g(u):\n    return u * x\nreturn g(x)", "decorated"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message"), CHANGING)
def test_what_changes_and_what_is_not_plain_is_refused(tiny: Any, text: str, message: str) -> None:
    with pytest.raises(tiny.Refused, match=message):
        tiny.pullback(program(text).f, 1.0, 2.0)


RECORDS = """
MODEL = Line(2.0, 3.0)
from dataclasses import InitVar, field

@dataclass
class Own:
    a: float
    b: float
    def __init__(self, b, a):
        self.a, self.b = 2.0 * a, b

@dataclass
class Heir(Own):
    def __init__(self, a, b):
        super().__init__(a, b)

@dataclass
class Default:
    a: float
    b: float = 3.0

@dataclass
class Kept:
    a: InitVar[float]
    b: float = field(init=False, default=2.0)

@dataclass
class After:
    a: float
    b: float
    def __post_init__(self):
        self.a = self.a * 2.0

@dataclass
class New:
    a: float
    b: float
    def __new__(cls, *args):
        return Line(*args)

@dataclass
class Read:
    a: float
    b: float
    def __getattribute__(self, name):
        value = object.__getattribute__(self, name)
        return 2.0 * value if name == "a" else value
"""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Own(x, y)", "`Own` is no plain dataclass, called with all its fields"),
        ("Heir(x, y)", "`Heir` is no plain dataclass, called with all its fields"),
        ("After(x, y)", "`After` is no plain dataclass, called with all its fields"),
        ("New(x, y)", "`New` is no plain dataclass, called with all its fields"),
        ("Kept(x)", "`Kept` is no plain dataclass, called with all its fields"),
        ("Default(x)", "`Default` is no plain dataclass, called with all its fields"),
        ("MODEL(x)", "`MODEL` is no plain dataclass"),
        ("Read(x, y).a", "`a` is no field of Read: only fields are read"),
        ("Line(x, y).size", "`size` is no field of Line: only fields are read"),
    ],
)
def test_records_that_are_not_what_they_are_called_with(tiny: Any, text: str, message: str) -> None:
    source = HEAD + RECORDS + f"def f(x, y):\n    return {text}\n"
    with pytest.raises(tiny.Refused, match=message) as caught:
        tiny.pullback(load("records", source, f"<records {text}>").f, 1.0, 2.0)
    assert str(caught.value).startswith(f"<records {text}>:{source.count(chr(10))}: ")


def test_a_field_that_is_not_there_is_refused_without_a_program_too(tiny: Any) -> None:
    from tiny_extensions import getfield

    line = load("records", HEAD, "<records>").Line(1.0, 2.0)
    with pytest.raises(tiny.Refused, match="^`z` is no field of Line"):
        tiny.pullback(getfield, line, "z")


def test_seeds(tiny: Any) -> None:
    import math

    from tiny_extensions import Bars, mapped

    ys, back = tiny.pullback(mapped, math.sin, (0.1, 0.2, 0.5))
    assert ys == pytest.approx((0.0998334, 0.1986693, 0.4794255), abs=6e-8)
    assert back((1.0,) * 3) == (None, None, near((0.9950041652780258, 0.9800665778412416, 0.8775825618903728)))
    module = program("return x")
    y, back = tiny.pullback(module.Line(2.0, 3.5), 4.0)
    assert y == 11.5 and back(1.0) == (Bars({"a": 4.0, "b": 1.0}), 2.0)
    assert tiny.pullback(mapped, module.square, ())[1](()) == (None, None, ())


SEEDS = """
def evalpoly(x, weights):
    y = 0.0
    for i in range(4):
        y = y * x + weights[3 - i]
    return y

@dataclass
class Polynomial:
    weights: tuple

    def __call__(self, x):
        return evalpoly(x, self.weights)

@dataclass
class Record:
    x: int
    y: str
    z: tuple

def by_itself(m, xs):
    return tuple(map(m, xs))

def by_lambda(m, xs):
    return tuple(map(lambda x: evalpoly(x, m.weights), xs))

def mse(ys, targets):
    total = 0.0
    for i in range(4):
        total = total + (ys[i] - targets[i]) ** 2
    return total / 4

def loss(m, xs, targets):
    return mse(tuple(map(m, xs)), targets)

def line(x, a, b):
    f = lambda u: a * u + b
    return f(x)

def fraction(a, b):
    return a / (a + b * b)
"""


def test_models_of_the_seeds(tiny: Any) -> None:
    module = load("models", HEAD + SEEDS, "<models of the seeds>")
    model = module.Polynomial((3.0, 2.0, -3.0, 1.0))
    y, back = tiny.pullback(model, 2.5)
    assert y == 4.875 and back(1.0) == ({"weights": near((1.0, 2.5, 6.25, 15.625))}, near(5.75))
    assert tiny.pullback(model, 1.0)[1](2.3) == ({"weights": near((2.3,) * 4)}, near(-2.3))
    xs, targets = (1.0, 2.0, 3.0, 4.0), (2.0, 1.0, 3.0, 15.0)
    for f in (module.by_itself, module.by_lambda):
        ys, back = tiny.pullback(f, model, xs)
        expected = {"weights": near((4.0, 10.0, 30.0, 100.0))}, near((-1.0, 2.0, 11.0, 26.0))
        assert ys == (3, 3, 9, 27) and back((1.0,) * 4)[1:] == expected
    y, back = tiny.pullback(module.loss, model, xs, targets)
    _, m_bar, xs_bar, targets_bar = back(1.0)
    assert y == near(46.25) and m_bar == {"weights": near((10.5, 35.5, 127.5, 473.5))}
    assert xs_bar == near((-0.5, 2.0, 33.0, 156.0)) and targets_bar == near((-0.5, -1.0, -3.0, -6.0))


def test_records_closures_and_maps_of_the_seeds(tiny: Any) -> None:
    from tiny_extensions import getfield, mapped

    module = load("models", HEAD + SEEDS, "<records of the seeds>")
    y, back = tiny.pullback(getfield, module.Record(1, "aaa", (1, 2, 3)), "x")
    assert y == 1 and back(1.0) == (None, {"x": 1.0}, None)
    y, back = tiny.pullback(module.line, 4.0, 2.0, 3.5)
    assert y == 11.5 and back(1.0) == (None, 2.0, 4.0, 1.0)
    _, back = tiny.pullback(mapped, module.fraction, (2.1, 4.0), (3.2, 5.0))
    _, f_bar, a_bar, b_bar = back((1.0, 1.0))
    assert f_bar is None and a_bar == near((0.06724649254378245, 0.029726516052318668))
    assert b_bar == near((-0.08826102146371445, -0.047562425683709865))


def test_length() -> None:
    assert (EXAMPLES / "tiny_extensions.py").read_bytes().count(b"\n") <= 150
