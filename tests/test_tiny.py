"""The small engine of the course, held to the real one."""

import ast
import linecache
import math
import operator
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from tiny_programs import HEAD, PROGRAMS, Program, indented

import adjoint

EXAMPLES = Path(__file__).parents[1] / "examples"


def load(name: str, source: str, filename: str) -> ModuleType:
    """A module of a text, whose functions have a source."""
    module = ModuleType(name)
    module.__file__ = filename
    linecache.cache[filename] = (len(source), None, source.splitlines(True), filename)
    exec(compile(source, filename, "exec"), vars(module))
    return module


def engine(*changes: tuple[str, str]) -> Any:
    """The small engine, with an error planted for each change."""
    source = (EXAMPLES / "tiny.py").read_text(encoding="utf-8")
    for old, new in changes:
        assert source.count(old) == 1, f"{old!r} is not there once"
        source = source.replace(old, new)
    return load("tiny", source, f"<tiny {changes}>")


tiny = engine()


def program(case: Program) -> Any:
    number = PROGRAMS.index(case)
    return load("program", HEAD + case.source, f"<program {number}>").f


def number(bar: Any) -> float:
    return 0.0 if bar is None else bar


def is_near(tiny: Any, f: Any, args: Any) -> bool:
    """Tell whether value and cotangents are the real engine's, up to 1e-12 of each; nan is near to nothing."""
    y, back = tiny.pullback(f, *args)
    expected, real = adjoint.pullback(f, *args)
    found, right = [y, *map(number, back(1.25))], [expected, *map(number, real(1.25))]
    return found == pytest.approx(right, rel=1e-12, abs=1e-12)


def test_length() -> None:
    text = (EXAMPLES / "tiny.py").read_text(encoding="utf-8")
    assert text.count("\n") <= 300 and max(map(len, text.splitlines())) <= 120
    assert len(PROGRAMS) >= 50


def test_only_the_standard_library_is_imported() -> None:
    nodes = [*ast.walk(ast.parse((EXAMPLES / "tiny.py").read_text(encoding="utf-8")))]
    imported = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    imported |= {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}
    assert imported <= sys.stdlib_module_names


@pytest.mark.parametrize("case", PROGRAMS, ids=range(len(PROGRAMS)))
def test_like_the_real_engine(case: Program) -> None:
    assert is_near(tiny, program(case), case.args)


@pytest.mark.parametrize("case", PROGRAMS, ids=range(len(PROGRAMS)))
def test_like_finite_differences(case: Program) -> None:
    f, step = program(case), 1e-6
    bars = tiny.pullback(f, *case.args)[1](1.0)[1:]
    for i, bar in enumerate(bars):
        up, down = [[a + s * (i == j) for j, a in enumerate(case.args)] for s in (step, -step)]
        assert number(bar) == pytest.approx((f(*up) - f(*down)) / (2 * step), rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("case", PROGRAMS, ids=range(len(PROGRAMS)))
def test_back_twice_gives_the_same(case: Program) -> None:
    _, back = tiny.pullback(program(case), *case.args)
    assert back(1.5) == back(1.5)


@pytest.mark.parametrize("case", PROGRAMS, ids=range(len(PROGRAMS)))
def test_printed_like_the_real_engine(case: Program) -> None:
    f = program(case)
    same = str(tiny.lower(f)) == str(adjoint.ir.of(f, float, float))
    assert same is case.same


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("            bar = reverse[-1].outs[0]\n", ""),
        ("for back in reversed(backs):", "for back in backs:"),
        ("pullback(then if cond else orelse,", "pullback(orelse if cond else then,"),
        ("[*map(accumulate, sums, found[n:])]", "sums"),
        ("for s in [s for s in reversed(forward)", "for s in [s for s in (forward)"),
        ("lambda d: (d * b, d * a)", "lambda d: (d * b, d * math.nan)"),
    ],
    ids=[
        "an accumulation", "the order of rounds", "the branch", "what is around a loop", "the order of statements",
        "a cotangent that is nan",
    ],
)  # fmt: skip
def test_a_planted_error_is_seen(old: str, new: str) -> None:
    wrong = engine((old, new))
    assert sum(not agrees(wrong, case) for case in PROGRAMS) >= 3


def agrees(tiny: Any, case: Program) -> bool:
    try:
        return is_near(tiny, program(case), case.args)
    except (ArithmeticError, NameError, RecursionError, TypeError, ValueError):
        return False


REFUSED = [
    ("if x > 0:\n    return x\nreturn y", 3, "an early return"),
    ("while x < 3:\n    x = x * 2\n    break\nreturn x", 4, "`break`"),
    ("for i in range(3):\n    continue\nreturn x", 3, "`continue`"),
    ("z = [x, y]\nreturn z[0]", 2, "containers"),
    ("z = {x: y}\nreturn x", 2, "containers"),
    ("return [x for i in range(3)][0]", 2, "containers"),
    ("z = {x for i in range(3)}\nreturn x", 2, "containers"),
    ("z = {i: x for i in range(3)}\nreturn x", 2, "containers"),
    ("z = {x, y}\nreturn x", 2, "containers"),
    ("z = (x for i in range(3))\nreturn x", 2, "containers"),
    ("z = lambda u: u * x\nreturn z(y)", 2, "closures"),
    ("def g(u):\n    return u\nreturn g(x)", 2, "closures"),
    ("x.a = y\nreturn y", 2, "stores to `x.a`"),
    ("x.a += y\nreturn y", 2, "`x.a`"),
    ("x[0] = y\nreturn y", 2, "stores to `x[0]`"),
    ("x[0] += y\nreturn y", 2, "stores to `x[0]`"),
    ("return x.real * y", 2, "`x.real`"),
    ("for z in (x, y):\n    x = x * z\nreturn x", 2, "`for` with anything but one name over `range`"),
    ("for i, j in range(2):\n    x = x * y\nreturn x", 2, "`for` with anything but one name over `range`"),
    ("import math\nreturn x", 2, "`import math`"),
    ("assert x > 0\nreturn x", 2, "`assert x > 0`"),
    ("return x or y", 2, "`x or y`"),
    ("for i in range(2):\n    y = x\nelse:\n    x = y\nreturn x", 2, "`else` of anything but `if`"),
    ("while x < 2:\n    x = x * y\nelse:\n    x = y\nreturn x", 2, "`else` of anything but `if`"),
    ("a, *b = both(x, y)\nreturn a", 2, "stores to `*b`"),
    ("if x > 5:\n    z = x\nreturn z", 4, "`z` where it may have no value"),
    ("if x > 5:\n    math = x\nreturn math", 4, "`math` where it may have no value"),
    ("for i in range(2):\n    z = x\nreturn z", 4, "`z` where it may have no value"),
    ("return 0 < x < y", 2, "`0 < x < y`"),
    ("return x if x > y else y", 2, "`x if x > y else y`"),
    ("return x and y", 2, "`x and y`"),
    ("return x // y", 2, "`x // y`"),
    ("return power(x, n=3)", 2, "arguments by name"),
    ("return math.sin(x=x)", 2, "arguments by name"),
    ("return math.sinh(x)", 2, "a rule for `math.sinh`"),
    ("return power(*y)", 2, "`*y`"),
    ("return x[0:1]", 2, "`0:1`"),
    ("global z\nreturn x", 2, "`global z`"),
    ("with x:\n    y = x\nreturn y", 2, "`with x:`"),
    ("try:\n    y = x\nexcept ValueError:\n    pass\nreturn y", 2, "`try:`"),
    ("return (z := x) * y", 2, "`(z := x)`"),
    ("z: float\nreturn x", 2, "`z: float`"),
    ("x.a: float = y\nreturn y", 2, "stores to `x.a`"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "line", "what"), REFUSED, ids=[text for text, _, _ in REFUSED])
def test_refused_by_name_with_its_line(text: str, line: int, what: str) -> None:
    f = load("refused", HEAD + indented(text), f"<refused {text}>").f
    with pytest.raises(tiny.Refused) as caught:
        tiny.pullback(f, 1.5, 2.5)
    line += f.__code__.co_firstlineno - 1
    assert f":{line}: the small language does not have {what}" in str(caught.value)


TOLD = {
    "an early return": "an early return", "`break`": "`break`", "`continue`": "`continue`", "containers": "containers",
    "closures": "closures", "`and`": "`x and y`", "`or`": "`x or y`", "chained comparisons": "`0 < x < y`",
    "conditional expressions": "`x if x > y else y`", "arguments by name": "arguments by name",
    "stores to items": "stores to `x[0]`", "attributes": "stores to `x.a`",
    "`else` of anything but `if`": "`else` of anything but `if`", "`try`": "`try:`", "`with`": "`with x:`",
    "`import`": "`import math`", "`assert`": "`assert x > 0`",
}  # fmt: skip
"""The words of the page for what is refused, each with those of a refusal that is tested above."""
TAKEN = {
    "tuples of them": "a, b = y, x\nreturn a * b * b", "`x += y`": "x += y\nreturn x * x",
    "one comparison": "z = x > y\nreturn x", "`not`": "if not x > y:\n    x = y\nreturn x",
    "`t[i]`": "t = (x, y)\nreturn t[0] * t[-1]", "`while`": "while x < 9.0:\n    x = x * y\nreturn x",
    "`for` with one name over `range`": "for i in range(2):\n    x = x * y\nreturn x",
    "texts": "z = 'text'\nreturn x * y",
    "`x: float = y`": "z: float = x * x\nfor i in range(2):\n    z: float = z * y\nreturn z",
}  # fmt: skip


def test_the_page_tells_what_is_refused() -> None:
    page = (EXAMPLES.parent / "docs" / "course" / "ir.md").read_text(encoding="utf-8")
    told = page.partition("The language:\n")[2].partition("## Programs")[0]
    taken, refused = told.split("`lower` refuses other syntax")
    assert {*TOLD.values()} <= {what for _, _, what in REFUSED}
    assert [words for words in TOLD if words not in refused] == []
    assert [words for words in TAKEN if words.lower() not in taken.lower()] == []
    for text in TAKEN.values():
        f = load("taken", HEAD + indented(text), f"<taken {text}>").f
        assert is_near(tiny, f, (1.5, 2.5)), text


def test_refusals_without_a_line_are_those_of_functions_without_one() -> None:
    module = load("calls", "import math\n\ndef f(x):\n    return math.tan(x)\n", "<calls>")
    assert tiny.lower(module.f).statements
    with pytest.raises(tiny.Refused, match="^<calls>:4: .* a rule for `math.tan`$"):
        tiny.grad(module.f)(1.0)
    with pytest.raises(tiny.Refused, match="^`tan` has no rule"):
        tiny.grad(math.tan)(1.0)


def test_what_is_around_a_function_is_refused() -> None:
    def around(a: float) -> Callable[[float], float]:
        def f(x: float) -> float:
            return a * x

        return f

    with pytest.raises(tiny.Refused, match="closures"):
        tiny.pullback(around(2.0), 1.0)
    with pytest.raises(tiny.Refused, match="any but plain parameters"):
        tiny.pullback(load("refused", "def f(x, *y):\n    return x\n", "<star>").f, 1.0)


@pytest.mark.parametrize(
    ("head", "line", "what"),
    [
        ("def g(u, n=2):", 1, "defaults"),
        ("async def g(u):", 1, "`async`"),
        ("@functools.cache\ndef g(u):", 2, "decorators"),
        ("def g(u, *n):", 1, "any but plain parameters"),
        ("def g(u, *, n=1):", 1, "any but plain parameters"),
        ("def g(u, /):", 1, "any but plain parameters"),
        ("def g(u, **n):", 1, "any but plain parameters"),
    ],
)
def test_the_part_of_the_head_that_is_refused_is_named(head: str, line: int, what: str) -> None:
    text = f"import functools\n\n{head}\n    return u\n\ndef f(x):\n    return g(x)\n"
    module = load("refused", text, f"<head {head}>")
    module.g = tiny.inspect.unwrap(module.g)
    with pytest.raises(tiny.Refused, match=f":{line + 2}: the small language does not have {what}$"):
        tiny.pullback(module.f, 1.0)


def test_a_lambda_of_a_module_is_no_closure() -> None:
    module = load("refused", "g = lambda x: x * x\n\ndef f(x):\n    return g(x)\n", "<lambda>")
    with pytest.raises(tiny.Refused, match="`<lambda>` has no rule, and is no function that a `def` makes"):
        tiny.pullback(module.f, 2.0)


def test_what_cannot_be_lowered_is_told_from_what_cannot_be_read() -> None:
    several = [
        lambda x: x * x,
        lambda x: x + x,
    ]  # a source that does not parse by itself
    for f, name in ((several[0], "<lambda>"), (math.tan, "tan"), (eval("lambda x: x"), "<lambda>"), (3.0, "3.0")):
        with pytest.raises(tiny.Refused, match=f"^`{name}` has no rule, and is no function that a `def` makes$"):
            tiny.grad(f)(2.0)
    with pytest.raises(tiny.Refused, match="`async`"):
        tiny.lower(load("refused", "async def f(x):\n    return x\n", "<async>").f)


def test_a_wrong_number_of_arguments_is_told() -> None:
    f = load("refused", "def g(x, y):\n    return x * y\n\ndef f(x):\n    return g(x)\n", "<count>").f
    for call in (lambda: tiny.pullback(f, 1.0), lambda: tiny.grad(f.__globals__["g"])(1.0)):
        with pytest.raises(TypeError, match="`g_rrule` is given 1 of 2 arguments"):
            call()
    with pytest.raises(TypeError, match="`f` is given 2 of 1 arguments"):
        tiny.lower(f)(1.0, 2.0)


def test_the_length_of_a_tuple() -> None:
    f = seed("def f(t):\n    s = 0.0\n    for i in range(len(t)):\n        s = s + t[i] * t[-1]\n    return s\n").f
    assert tiny.pullback(f, (2.0, 3.0))[1](1.0)[1] == adjoint.gradient(f, (2.0, 3.0))[0] == (3.0, 8.0)


def test_roots_of_zero() -> None:
    f = seed("def f(x, n):\n    return x ** n\n").f
    root = seed("def f(x):\n    return math.sqrt(x)\n").f
    for bar in (1.0, -2.0, 1e300, 0.0):
        for n in (0.5, 1.0, 1.5, 2.0):
            assert tiny.pullback(f, 0.0, n)[1](bar) == adjoint.pullback(f, 0.0, n)[1](bar)
        assert tiny.pullback(root, 0.0)[1](bar) == adjoint.pullback(root, 0.0)[1](bar) == (None, bar and bar * math.inf)
    assert tiny.pullback(root, 4.0)[1](1.0) == (None, 0.25)


def test_a_decorated_function_is_refused() -> None:
    text = "import functools\n\ndef twice(f):\n    @functools.wraps(f)\n    def g(x):\n        return 2.0 * f(x)\n"
    module = load("refused", text + "    return g\n\n@twice\ndef f(x):\n    return x * x\n", "<decorated>")
    module.plain = tiny.inspect.unwrap(module.f)
    with pytest.raises(tiny.Refused, match="closures|decorators"):
        tiny.pullback(module.f, 3.0)
    with pytest.raises(tiny.Refused, match="decorators"):  # a decorator may also keep another function
        tiny.pullback(module.plain, 3.0)


def test_what_a_function_without_return_gives() -> None:
    for text in ("x * 2.0", "y = x * 2.0", "x *= 2.0", "if x > 0:\n    y = x", "for i in range(2):\n    x = x * x"):
        f = load("nothing", "def f(x):\n" + indented(text).partition("\n")[2], f"<nothing {text}>").f
        assert f(3.0) is None
        y, back = tiny.pullback(f, 3.0)
        assert y is None and back(None) == (None, None)


def test_sums_of_tuples() -> None:
    module = seed("def f(x, y):\n    t = (x, y) + (x * y,)\n    t += t\n    return t[2] * t[3] - t[-2]\n")
    assert tiny.pullback(module.f, 2.0, 3.0)[1](1.0)[1:] == adjoint.gradient(module.f, 2.0, 3.0)
    with pytest.raises(TypeError):
        tiny.pullback(seed("def f(x):\n    return ((x, x) * 2)[3]\n").f, 2.0)[1](1.0)


def test_tuples_are_taken_apart_as_they_are_long() -> None:
    f = seed("def f(t):\n    a, b = t\n    return a * b\n").f
    assert tiny.pullback(f, (2.0, 3.0))[1](1.0) == (None, (3.0, 2.0))
    for t in ((), (2.0,), (2.0, 3.0, 4.0)):
        with pytest.raises(ValueError, match="zip"):
            tiny.pullback(f, t)
    f = seed("def f(t):\n    (a,), (b, c) = t\n    return a * b\n").f
    assert tiny.pullback(f, ((2.0,), (3.0, 4.0)))[1](1.0) == (None, ((3.0,), (2.0, None)))


def test_a_test_of_while_that_calls_a_parameter() -> None:
    f = seed("def f(h, x):\n    while h(x) < 10.0:\n        x = x * 2.0\n    return x\n").f
    assert tiny.pullback(f, math.exp, 0.3)[1](1.0) == (None, None, 8.0)


RULES_OF_THE_SEEDS = [
    (operator.add, 1, 2, 3, (1.2, 1.2)),
    (operator.mul, 2, 3, 6, (3.6, 2.4)),
    (operator.truediv, 2, 3, 2 / 3, (0.4, -0.8 / 3)),
]
"""A function, its arguments, its value, and what its `back` gives for 1.2."""


def near(expected: Any) -> Any:
    return pytest.approx(expected, rel=1e-9, abs=1e-12)


def seed(text: str) -> Any:
    return load("seed", "import math\n\n" + text, f"<seed {text}>")


@pytest.mark.parametrize(("function", "a", "b", "y", "bars"), RULES_OF_THE_SEEDS)
def test_rules_of_the_seeds(function: Any, a: int, b: int, y: float, bars: tuple[float, float]) -> None:
    value, back = tiny.pullback(function, a, b)
    assert value == near(y) and back(1.2) == (None, *[near(bar) for bar in bars])


def test_functions_of_the_seeds() -> None:
    y, back = tiny.pullback(seed("def f(x):\n    return math.sin(math.cos(x))\n").f, 0.6)
    assert y == 0.7347754747082689 and back(1.0) == (None, pytest.approx(-0.38300, abs=6e-6))
    a, b = 2.1, 3.2
    y, back = tiny.pullback(seed("def f(a, b):\n    return a / (a + b * b)\n").f, a, b)
    assert y == near(0.17017828200972446)
    assert back(1.0) == (None, near(b * b / (a + b * b) ** 2), near(-2 * a * b / (a + b * b) ** 2))
    y, back = tiny.pullback(seed("def f(x):\n    y = 3 * x\n    z = y + 2\n    b = z * x\n    return y\n").f, 3.0)
    assert (y, back(1.0)) == (9.0, (None, 3.0))
    relu = seed("def f(x):\n    y = 0\n    if x > 0:\n        y = x\n    return y\n").f
    assert tiny.grad(relu)(5.0) == 1.0 and tiny.grad(relu)(-5.0) == 0.0
    assert tiny.pullback(relu, -5.0)[1](1.0) == (None, None)
    power = "def f(x, n):\n    y = 1\n    while n > 0:\n        y *= x\n        n -= 1\n    return y\n"
    assert tiny.grad(seed(power).f)(3.2, 5) == near(5 * 3.2**4)


def test_a_derivative_of_nothing_is_zero() -> None:
    """`grad` is a number, of a tuple that nothing flows to, too; what is made of a program is refused by its name."""
    constant = seed("def f(x):\n    return 2.0\n").f
    assert tiny.grad(constant)(3.0) == 0.0 and tiny.grad(constant)((3.0, 1.0)) == 0.0
    assert tiny.grad(seed("def f(t):\n    return t[0] * 2.0\n").f)((3.0, 1.0)) == (2.0, None)
    with pytest.raises(tiny.Refused, match="^f_rrule: the small language does not have a rule for `partial`"):
        tiny.pullback(tiny.reverse_differentiate(tiny.lower(constant)), 3.0)


POLYNOMIAL = """
def evalpoly(x, w):
    y = 0.0
    for i in range(4):
        y = y * x + w[3 - i]
    return y


def mse(x, y, w):
    loss = 0.0
    for i in range(4):
        loss = loss + (evalpoly(x[i], w) - y[i]) ** 2
    return loss / 4
"""


def test_polynomials_of_the_seeds() -> None:
    module = seed(POLYNOMIAL)
    y, back = tiny.pullback(module.evalpoly, 1.2, (2.0, 0.0, 3.0, 4.0))
    assert y == near(13.232)
    assert back(1.0) == (None, near(24.48), near((1.0, 1.2, 1.44, 1.728)))
    x, y, w = (1.0, 2.0, 3.0, 4.0), (2.0, 1.0, 3.0, 15.0), (3.0, 2.0, -3.0, 1.0)
    loss, back = tiny.pullback(module.mse, x, y, w)
    assert loss == near(46.25)
    _, x_bar, y_bar, w_bar = back(1.0)
    assert x_bar == near((-0.5, 2.0, 33.0, 156.0))
    assert y_bar == near((-0.5, -1.0, -3.0, -6.0))
    assert w_bar == near((10.5, 35.5, 127.5, 473.5))


def test_powers_of_what_is_not_positive() -> None:
    f = seed("def f(x, n):\n    return x ** n\n").f
    assert tiny.pullback(f, 0.0, 2)[1](1.0) == (None, 0.0, 0.0)
    assert tiny.pullback(f, -2.0, 2)[1](1.0)[1] == -4.0
    assert math.isnan(tiny.pullback(f, -2.0, 2)[1](1.0)[2])


def test_a_complex_power_is_refused() -> None:
    with pytest.raises(ValueError, match="complex"):
        tiny.pullback(seed("def f(x, y):\n    return x ** y\n").f, -2.0, 0.5)


@pytest.mark.parametrize("text", ["x * 1j", "x * i", "-1j + x", "(x, 2j)[0]", "(x, i)[1]", "root(x)", "x * root(x)"])
def test_complex_numbers_are_refused(text: str) -> None:
    f = seed(f"i = 1j\n\ndef root(x):\n    return (-x) ** 0.5\n\ndef f(x):\n    return {text}\n").f
    with pytest.raises(ValueError, match="a number is complex in `.*: the rules are those of real ones"):
        tiny.pullback(f, 2.0)
    with pytest.raises(ValueError, match="a number is complex in `mul`"):
        tiny.pullback(seed("def f(x):\n    return x * x\n").f, 1j)


def test_signs_of_what_is_no_number() -> None:
    for text in ("-True * x", "x * -2", "x - -0.5 + -False", "+True * x"):
        f = seed(f"def f(x):\n    return {text}\n").f
        assert is_near(tiny, f, (3.0,)) and str(tiny.lower(f)) == str(adjoint.ir.of(f, float))
    f = seed("def f(x):\n    y = -'text'\n    return x\n").f
    with pytest.raises(TypeError, match="unary -: 'str'"):
        f(1.0)
    with pytest.raises(TypeError, match="unary -: 'str'"):
        tiny.pullback(f, 1.0)


def test_programs_can_be_run_and_derivatives_are_programs_again() -> None:
    f = seed("def f(x, y):\n    return math.sin(x * y) / y\n").f
    assert tiny.run(tiny.lower(f), 0.7, 1.3) == (f(0.7, 1.3),)
    derivative = tiny.reverse_differentiate(tiny.lower(f))
    y, back = tiny.run(derivative, 0.7, 1.3)
    assert y == f(0.7, 1.3) and back(1.0) == tiny.pullback(f, 0.7, 1.3)[1](1.0)


def test_many_rounds_and_deep_recursion() -> None:
    module = seed(
        "def f(x):\n    y = x\n    for i in range(3000):\n        y = y * 0.999 + x\n    return y\n\n"
        "def g(x, n):\n    y = x\n    if n > 0:\n        y = x * g(x, n - 1)\n    return y\n"
    )
    assert tiny.grad(module.f)(1.0) == pytest.approx(0.999**3000 + (1 - 0.999**3000) / 0.001, rel=1e-9)
    assert tiny.grad(module.g)(1.0, 50) == 51.0


def test_globals_that_change() -> None:
    module = seed("k = 2.0\n\ndef g(x):\n    return k * x\n\ndef f(x):\n    return g(x) * x\n")
    assert tiny.grad(module.f)(3.0) == 12.0
    module.k = 5.0
    assert tiny.grad(module.f)(3.0) == 30.0
    module.g = seed("def g(x):\n    return x\n").g
    assert tiny.grad(module.f)(3.0) == 6.0


def test_a_rule_of_ones_own() -> None:
    module = seed("def cube(x):\n    return x ** 3\n\ndef f(x):\n    return cube(x) * 2.0\n")
    wrong = engine()
    wrong.RULES[module.cube] = lambda x: (x**3, lambda d: (d * 100.0,))
    assert wrong.grad(module.f)(1.0) == 200.0
