"""The engine on expressions of the course, held to the real one, to differences and to the values of the seeds."""

import ast
import math
import re
from typing import Any

import numpy as np
import pytest
from test_tiny import EXAMPLES, RULES_OF_THE_SEEDS, is_near, load, near, number
from tiny_programs import HEAD, STRAIGHT, Program, indented

import adjoint

PATH = EXAMPLES / "tiny_expressions.py"
PAGE = EXAMPLES.parent / "docs" / "course" / "expressions.md"


def engine(*changes: tuple[str, str]) -> Any:
    """The engine, with an error planted for each change."""
    source = PATH.read_text(encoding="utf-8")
    for old, new in changes:
        assert source.count(old) == 1, f"{old!r} is not there once"
        source = source.replace(old, new)
    return load("tiny_expressions", source, f"<tiny_expressions {changes}>")


tiny = engine()

TEXTS = [
    "z = x * y\nz = z + x\nreturn z * z",
    "z = x\nz = z * z\nz = z * y\nreturn z",
    "z = 2.0\nz = z * x\nreturn z / y",
    "x = x * y\ny = x - y\nx = y / x\nreturn x + y",
    "z = x\nx = y\ny = z\nreturn x / y",
    "x = x\nreturn x * y",
    "y = y * y\nreturn x * y",
    "return x",
    "z = y\nreturn z",
    "return square(x) * square(y)",
    "return square(square(x - y)) / square(y)",
    "z = 3 * x\nw = (z + 2) * y\nreturn z",
    "w = square(square(x))\nreturn y",
    "return -(x * -y) - -2.0",
    "return apply(square, x) * y",
    "return math.sin(math.cos(x)) * sin(y)",
    "return rate * x * y",
    "'''A docstring,\nof two lines.'''\nz = x * y\nreturn z * y",
    "return +x * +y",
]
HAS = re.compile(r"\*\*|exp|log|sqrt|\+x")
PROGRAMS = [p for p in STRAIGHT if not HAS.search(p.source)] + [Program(indented(text), (0.7, 1.3)) for text in TEXTS]
CASES = pytest.mark.parametrize("case", PROGRAMS, ids=range(len(PROGRAMS)))


def program(case: Program) -> Any:
    return load("program", HEAD + case.source, f"<expressions {PROGRAMS.index(case)}>").f


def test_length_and_imports() -> None:
    source = PATH.read_text(encoding="utf-8")
    assert source.count("\n") <= 120 and max(map(len, source.splitlines())) <= 120
    assert re.findall(r"^import (\w+)", source, re.M) == ["ast", "inspect", "math", "operator", "re", "textwrap"]
    assert "\nfrom " not in source


@CASES
def test_like_the_real_engine(case: Program) -> None:
    assert is_near(tiny, program(case), case.args)


@CASES
def test_like_finite_differences_and_twice_the_same(case: Program) -> None:
    f, step = program(case), 1e-6
    _, back = tiny.pullback(f, *case.args)
    bars = back(1.0)
    assert back(1.0) == bars
    for i, bar in enumerate(bars[1:]):
        up, down = [[a + s * (i == j) for j, a in enumerate(case.args)] for s in (step, -step)]
        assert number(bar) == pytest.approx((f(*up) - f(*down)) / (2 * step), rel=1e-6, abs=1e-6)


@CASES
def test_lowered_programs_compute_the_same_by_one_call_a_line(case: Program) -> None:
    f = program(case)
    lowered = tiny.lower(f)
    assert tiny.run(lowered, f)(*case.args) == f(*case.args)
    for statement in lowered.body[:-1]:
        call = statement.value
        assert isinstance(call, ast.Call) and all(isinstance(a, (ast.Name, ast.Constant)) for a in call.args)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("isinstance(a, list) else a + b", "isinstance(a, list) else b"),
        ("reversed([*enumerate(calls)])", "enumerate(calls)"),
        ('*[f"{name}_bar = None"] * (local.count(name) > 1)', ""),
        ("lambda d: (d * y, d * x)", "lambda d: (d * y, d * math.nan)"),
    ],
    ids=["accumulation", "the order of calls", "names assigned twice", "nan"],
)
def test_a_planted_error_is_seen(old: str, new: str) -> None:
    wrong = engine((old, new))
    seen = 0
    for case in PROGRAMS:
        try:
            seen += not is_near(wrong, program(case), case.args)
        except (NameError, UnboundLocalError):
            seen += 1
    assert seen >= 3


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("if x > 0:\n    return x\nreturn y", "`if x > 0:` is no simple assignment"),
        ("while x < 3:\n    x = x * 2\nreturn x", "`while x < 3:` is no simple assignment"),
        ("for i in range(3):\n    x = x * y\nreturn x", "`for i in range\\(3\\):` is no simple assignment"),
        ("x += y\nreturn x", "`x \\+= y` is no simple assignment"),
        ("a, b = x, y\nreturn a", "is no simple assignment"),
        ("x.a = y\nreturn y", "is no simple assignment"),
        ("return x\ny = x", "`return x` is no simple assignment"),
        ("y = x * y", "is no simple assignment, nor a `return` at the end"),
        ("return square(math.exp(x))", "no rule for <built-in function exp>: it is no `def`, decorated"),
        ("return 3.0 ** x", "`3.0 \\*\\* x` is neither arithmetic"),
        ("return x if x > y else y", "is neither arithmetic nor a plain call"),
        ("return x ** y", "`x \\*\\* y` is neither arithmetic"),
        ("return x.real * y", "`x.real` is neither arithmetic"),
        ("return [x, y]", "is neither arithmetic"),
        ("return square(*x)", "`\\*x` is neither arithmetic"),
        ("return power(x, n=3)", "is neither arithmetic nor a plain call"),
        ("return (lambda u: u * x)(y)", "is neither arithmetic nor a plain call"),
        ("t1 = x * y\nreturn t1 * x", "`t1` is a name of the engine"),
        ("x_bar = x * y\nreturn x_bar", "`x_bar` is a name of the engine"),
        ("mul = x * y\nreturn mul * x", "`mul` is a name of the engine"),
        ("back1 = x * y\nreturn back1", "`back1` is a name of the engine"),
        ("accumulate = x * y\nreturn accumulate * x", "`accumulate` is a name of the engine"),
        ("'''A docstring alone.'''", "A docstring alone.* is no simple assignment"),
    ],
)
def test_refused(text: str, message: str) -> None:
    f = load("refused", HEAD + indented(text), f"<refused expression {text}>").f
    with pytest.raises(NotImplementedError, match=message):
        tiny.pullback(f, 1.5, 2.5)


def test_more_is_refused() -> None:
    two = "def add(x, y):\n    return x * y\n\ndef f(x):\n    return add(x, x) + x\n\ndef g(*x):\n    return f(x)\n"
    module = load("refused", two, "<refused add>")
    with pytest.raises(NotImplementedError, match="`add` is a name of the engine"):
        tiny.pullback(module.f, 2.0)
    with pytest.raises(NotImplementedError, match="odd parameters"):
        tiny.pullback(module.g, 2.0)
    with pytest.raises(NotImplementedError, match="no rule"):
        tiny.pullback(math.tan, 2.0)

    def around(a: float) -> Any:
        def f(x: float) -> float:
            return a * x

        return f

    with pytest.raises(NotImplementedError, match="closure"):
        tiny.pullback(around(2.0), 1.0)


def test_lambdas_are_refused_wherever_they_stand() -> None:
    several = [
        lambda x: x * x,
        lambda x: x + x,
    ]
    for f in (*several, eval("lambda x: x")):
        with pytest.raises(NotImplementedError, match="it is no `def`"):
            tiny.pullback(f, 2.0)


def test_a_module_may_have_a_sine_of_its_own() -> None:
    text = "import math\n\ndef sin(x):\n    return 2.0 * x\n\ndef f(x):\n    return math.sin(x) * sin(x)\n"
    y, back = tiny.pullback(load("sine", text, "<own sine>").f, 0.5)
    assert y == math.sin(0.5) and back(1.0)[1] == near(math.cos(0.5) + 2.0 * math.sin(0.5))


def test_a_function_may_have_another_name() -> None:
    module = load("named", "def f(x):\n    return x * x\n\ndef g(x):\n    h = f\n    return h(x) * x\n", "<named>")
    y, back = tiny.pullback(module.g, 3.0)
    assert y == 27.0 and back(1.0) == (None, 27.0)


def test_a_constant_result() -> None:
    f = load("constant", HEAD + indented("z = x * y\nreturn 2.0"), "<constant>").f
    y, back = tiny.pullback(f, 1.5, 2.5)
    assert y == 2.0 and back(1.0) == (None, None, None)


def test_cotangents_that_are_lists_are_added() -> None:
    def total_rule(w: list[float], k: float) -> Any:
        return k * sum(w), lambda d: ([d * k] * len(w), d * sum(w))

    module, own = load("lists", "def total(w, k):\n    return k * sum(w)\n" + LISTS, "<lists>"), engine()
    own.RULES[module.total] = total_rule
    for f in (module.twice, module.joined):
        y, back = own.pullback(f, [1.0, 2.0, 4.0], 3.0)
        expected = adjoint.pullback(f, [1.0, 2.0, 4.0], 3.0)
        assert y == expected[0] and list(back(1.5)) == list(expected[1](1.5))


LISTS = """
def twice(w, k):
    return total(w, k) + total(w, k * k)

def joined(w, k):
    v = w + w
    return total(v + w, k) * total(v, 2.0)
"""


def test_an_operator_that_the_user_imported_is_the_same() -> None:
    module = load("imported", "from operator import mul\n\ndef f(x):\n    return mul(x, x) * x\n", "<imported mul>")
    assert tiny.pullback(module.f, 2.0)[1](1.0) == (None, 12.0)


def test_globals_that_change() -> None:
    module = load("changing", "k = 2.0\n\ndef f(x):\n    return k * x\n", "<changing>")
    assert tiny.pullback(module.f, 3.0)[1](1.0) == (None, 2.0)
    module.k = 5.0
    assert tiny.pullback(module.f, 3.0)[1](1.0) == (None, 5.0)


@pytest.mark.parametrize(("function", "a", "b", "y", "bars"), RULES_OF_THE_SEEDS)
def test_rules_of_the_seeds(function: Any, a: int, b: int, y: float, bars: tuple[float, float]) -> None:
    value, back = tiny.pullback(function, a, b)
    assert value == near(y) and back(1.2) == (None, *[near(bar) for bar in bars])


SEEDS = """
import math

def nested(x):
    return math.sin(math.cos(x))

def fraction(a, b):
    return a / (a + b * b)

def confuse(x):
    y = 3 * x
    z = y + 2
    b = z * x
    return y

def affine(a, x, b):
    return a * x + b

def evalpoly(x, w):
    y = 0.0
    for c in reversed(w):
        y = y * x + c
    return y

def mse(ys, targets):
    return sum((y - t) ** 2 for y, t in zip(ys, targets)) / len(ys)

def mapped(xs, w):
    return [evalpoly(x, w) for x in xs]

def loss(xs, targets, w):
    return mse(mapped(xs, w), targets)

def layer(a, x, b):
    return a @ x + b
"""


def seeds() -> tuple[Any, Any]:
    """The functions of the seeds, and an engine with rules of `evalpoly`, of that mapped, and of `mse`."""
    module, own = load("seeds", SEEDS, "<seeds of expressions>"), engine()

    def polynomial(x: float, w: list[float]) -> Any:
        slope = sum(i * c * x ** (i - 1) for i, c in enumerate(w) if i)
        return module.evalpoly(x, w), lambda d: (d * slope, np.array([d * x**i for i in range(len(w))]))

    def mapped(xs: list[float], w: list[float]) -> Any:
        ys, backs = zip(*[polynomial(x, w) for x in xs], strict=True)

        def back(bars: Any) -> Any:
            x_bars, w_bars = zip(*[b(bar) for b, bar in zip(backs, bars, strict=True)], strict=True)
            return np.array(x_bars), sum(w_bars)

        return ys, back

    def mse(ys: Any, targets: Any) -> Any:
        slope = 2 * (np.array(ys) - np.array(targets)) / len(ys)
        return module.mse(ys, targets), lambda d: (d * slope, -d * slope)

    own.RULES |= {module.evalpoly: polynomial, module.mapped: mapped, module.mse: mse}
    return module, own


def test_functions_of_the_seeds() -> None:
    module, tiny = seeds()
    y, back = tiny.pullback(module.nested, 0.6)
    assert y == 0.7347754747082689 and back(1.0) == (None, pytest.approx(-0.38300, abs=6e-6))
    a, b = 2.1, 3.2
    y, back = tiny.pullback(module.fraction, a, b)
    assert y == near(0.17017828200972446)
    assert back(1.0) == (None, near(b * b / (a + b * b) ** 2), near(-2 * a * b / (a + b * b) ** 2))
    y, back = tiny.pullback(module.confuse, 3.0)
    assert (y, back(1.0)) == (9.0, (None, 3.0))
    y, back = tiny.pullback(module.affine, 2.0, 4.0, 3.5)
    assert (y, back(1.0)) == (11.5, (None, 4.0, 2.0, 1.0))


def test_polynomials_of_the_seeds() -> None:
    module, tiny = seeds()
    y, back = tiny.pullback(module.evalpoly, 1.2, [2.0, 0.0, 3.0, 4.0])
    _, x_bar, w_bar = back(1.0)
    assert (y, x_bar) == (near(13.232), near(24.48)) and w_bar == near(np.array([1.0, 1.2, 1.44, 1.728]))
    x, targets, w = [1.0, 2.0, 3.0, 4.0], [2.0, 1.0, 3.0, 15.0], [3.0, 2.0, -3.0, 1.0]
    y, back = tiny.pullback(module.mapped, x, w)
    _, x_bar, w_bar = back(np.ones(4))
    assert y == (3, 3, 9, 27)
    assert x_bar == near(np.array([-1.0, 2.0, 11.0, 26.0])) and w_bar == near(np.array([4.0, 10.0, 30.0, 100.0]))
    y, back = tiny.pullback(module.loss, x, targets, w)
    _, x_bar, y_bar, w_bar = back(1.0)
    assert y == near(46.25) and x_bar == near(np.array([-0.5, 2.0, 33.0, 156.0]))
    assert y_bar == near(np.array([-0.5, -1.0, -3.0, -6.0])) and w_bar == near(np.array([10.5, 35.5, 127.5, 473.5]))


def test_matrices_of_the_seeds() -> None:
    module, tiny = seeds()
    a = np.array([[4.4, 6.9, 6.2, 8.4], [9.2, 7.4, 8.0, 0.3], [0.6, 0.4, 0.5, 0.7]])
    x = np.array([[1.1, 6.5], [3.7, 8.5], [9.8, 6.6], [6.1, 2.4]])
    d = np.array([[5.6, 5.3], [2.8, 6.9], [8.9, 1.0]])
    b = np.array([[10.0, 10.0], [20.0, 20.0], [30.0, 30.0]])
    y, back = tiny.pullback(module.layer, a, x, b)
    np.testing.assert_allclose(y, [[152.37, 158.33], [137.73, 196.22], [41.31, 42.28]], rtol=1e-12)
    for bar, expected in zip(back(d)[1:], (d @ x.T, a.T @ d, d), strict=True):
        np.testing.assert_allclose(bar, expected, rtol=1e-12)
