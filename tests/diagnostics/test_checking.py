"""`check=True`: a wrong gradient names its statement, a right one is let through."""

import functools
import math
import random
import struct
import threading
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import adjoint
from adjoint import explain, grad, gradient, pullback, rule, stop_gradient, value_and_grad, withgradient
from adjoint.errors import MutationError, WrongGradientError
from adjoint.rules import scalar_rule

HERE = str(Path(__file__))


def squared(x: Any) -> Any:
    return x * x


@rule(squared)
def squared_rule(x: Any) -> Any:
    return x * x, lambda d: (d * x,)


def cubed(x: Any) -> Any:
    return x * x * x


@scalar_rule(cubed)
def cubed_partial(x: Any, y: Any) -> Any:
    return 2.0 * x * x


def straight(x: float, a: Any) -> Any:
    y = math.sin(x)
    z = squared(y)  # here
    return (z * a).sum()


def helper(x: float) -> float:
    return math.exp(squared(x))  # here


def in_callee(x: float) -> float:
    return helper(x) + math.cos(x)


def in_loop(x: float) -> float:
    y = 1.0
    for _ in range(3):
        y = y + cubed(x)  # here
    return y


def stored(xs: list[float]) -> float:
    xs[0] = xs[1] * 2.0
    xs[1] = cubed(xs[0])  # here
    return xs[0] * xs[1]


def of_arrays(a: Any) -> Any:
    b = np.tanh(a)
    b[0] = 1.0
    return squared(b).sum()  # here


class Model:
    def __init__(self, w: float) -> None:
        self.w = w

    def __call__(self, x: float) -> float:
        return cubed(self.w) * x  # here


def of_object(model: Model, x: float) -> float:
    return model(x)


def line_of(f: Callable[..., Any]) -> int:
    lines = Path(HERE).read_text().splitlines()
    return next(i for i in range(f.__code__.co_firstlineno, len(lines)) if lines[i - 1].endswith("# here"))


WRONG: list[tuple[Callable[..., Any], tuple[Any, ...], Callable[..., Any], str]] = [
    (straight, (0.7, np.ones(3)), straight, "squared(y)"),
    (in_callee, (0.7,), helper, "squared(x)"),
    (in_loop, (0.7,), in_loop, "cubed(x)"),
    (stored, ([1.0, 2.0],), stored, "cubed(xs[0])"),
    (of_arrays, (np.array([0.3, 0.7]),), of_arrays, "squared(b)"),
    (of_object, (Model(0.7), 2.0), Model.__call__, "cubed(self.w)"),
]


@pytest.mark.parametrize(("f", "args", "culprit", "code"), WRONG, ids=[w[0].__name__ for w in WRONG])
def test_a_wrong_gradient_names_its_statement(f: Any, args: Any, culprit: Any, code: str) -> None:
    for differentiate in (gradient, pullback):
        with pytest.raises(WrongGradientError) as caught:
            differentiate(f, *args, check=True)
        error = caught.value
        assert error.place is not None
        assert (error.place.filename, error.place.span[0], error.place.code()) == (HERE, line_of(culprit), code)
        assert error.what.startswith(f"the gradient of `{f.__name__}` is wrong: ")
        assert error.why.startswith(f"the reverse of `{code}` is wrong by itself: ")
        assert error.way_out.startswith("correct the rule of `") and isinstance(error, AssertionError)
    gradient(f, *args)  # without `check` nothing is compared


def test_the_whole_message() -> None:
    def f(x: float) -> float:
        return squared(x) * 2.0

    line = f.__code__.co_firstlineno + 1
    with pytest.raises(WrongGradientError) as caught:
        gradient(f, 3.0, check=True)
    lines = str(caught.value).splitlines()
    assert lines[1:4] == [f"  {HERE}:{line}:16", "    return squared(x) * 2.0", "           ^^^^^^^^^^"]
    assert "along a random direction, by finite differences" in lines[0] and lines[5].startswith("help: ")


@pytest.mark.parametrize(
    "call",
    [
        lambda: gradient(squared, 3.0, check=True),
        lambda: withgradient(squared, 3.0, check=True),
        lambda: grad(squared, check=True)(3.0),
        lambda: value_and_grad(squared, check=True)(3.0),
        lambda: value_and_grad(lambda x: (squared(x), "seen"), has_aux=True, check=True)(3.0),
        lambda: pullback(squared, 3.0, check=True),
        lambda: pullback(lambda x: [squared(x), x], 3.0, check=True),
    ],
)
def test_every_form_checks(call: Any) -> None:
    with pytest.raises(WrongGradientError):
        call()


def good(x: float, a: Any, model: Model) -> Any:
    b = np.sin(a) * x
    for i in range(len(b)):
        b[i] += x * model.w
    return np.sum(b * b)


def test_what_is_right_is_let_through() -> None:
    args = 2.0, np.array([0.1, 0.2]), Model(3.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = gradient(good, *args, check=True)
    assert found[0] == pytest.approx(gradient(good, *args)[0])
    assert args[1].tolist() == [0.1, 0.2]
    single = np.array([0.5, 1.5], np.float32)
    gradient(lambda a: (a * a).sum(), single, check=True)
    grad(good, (0, 1), check=True)(*args)
    gradient(functools.partial(good, 2.0), args[1], Model(1.0), check=True)


def test_only_the_arguments_asked_for_are_moved() -> None:
    def f(x: float, y: float) -> float:
        return x * x + squared(y)

    assert grad(f, 0, check=True)(3.0, 2.0) == 6.0
    with pytest.raises(WrongGradientError):
        grad(f, 1, check=True)(3.0, 2.0)


def test_each_kind_of_call_is_checked_once(capsys: pytest.CaptureFixture[str]) -> None:
    def f(x: Any) -> Any:
        print("run")
        return (x * x) if isinstance(x, float) else (x * x).sum()

    def runs(x: Any) -> int:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            gradient(f, x, check=True)
        return capsys.readouterr().out.count("run")

    assert runs(2.0) > 2
    assert runs(3.0) == 1
    assert runs(np.ones(2)) > 2


def test_partial_functions_are_told_apart_by_what_they_are_of() -> None:
    def right(k: float, x: float) -> float:
        return k * x * x

    def wrong(k: float, x: float) -> float:
        return k * squared(x)

    gradient(functools.partial(right, 2.0), 3.0, check=True)
    with pytest.raises(WrongGradientError):
        gradient(functools.partial(wrong, 2.0), 3.0, check=True)


def test_random_numbers_are_those_of_without() -> None:
    def f(x: float) -> float:
        return x * random.random() * np.random.rand()

    random.seed(3)
    np.random.seed(3)
    expected = gradient(f, 2.0), random.random(), np.random.rand()
    random.seed(3)
    np.random.seed(3)
    assert (gradient(f, 2.0, check=True), random.random(), np.random.rand()) == expected


def estimated(x: float) -> float:
    return 3.0 * x * x


adjoint.rules.non_differentiable(estimated)


def detached(x: float) -> float:
    return x * stop_gradient(x * x)


def around_detached(x: float) -> float:
    return detached(x) + math.sin(x)


STOP = functools.partial(stop_gradient)

STOPPED: list[tuple[Callable[..., Any], Any, str]] = [
    (detached, 2.0, "stop_gradient(x * x)"),
    (around_detached, 2.0, "stop_gradient(x * x)"),
    (lambda x: x * estimated(x), 2.0, "estimated(x)"),
    (lambda xs: sum(map(stop_gradient, xs)) * xs[0], [1.0, 2.0], "map(stop_gradient, xs)"),
    (lambda a: (a * stop_gradient(a)).sum(), np.ones(2), "stop_gradient(a)"),
    (lambda x: x * STOP(x), 2.0, "STOP(x)"),
    (lambda x: gradient(lambda t: t * stop_gradient(t), x)[0] * x, 2.0, "stop_gradient(t)"),
    (lambda x: functools.reduce(lambda a, b: a * stop_gradient(b), [x, x, x]), 2.0, "stop_gradient(b)"),
]


@pytest.mark.parametrize(("f", "x", "code"), STOPPED)
def test_gradients_that_are_stopped_are_no_mistake(f: Any, x: Any, code: str) -> None:
    with pytest.warns(RuntimeWarning, match="was not checked: the program stops gradients") as caught:
        found = gradient(f, x, check=True)
    assert f"`{code}` ({HERE}:" in str(caught[0].message) and len(caught) == 1
    assert repr(found) == repr(gradient(f, x))


def test_a_wrong_rule_is_found_beside_a_stop() -> None:
    def f(x: float) -> float:
        return detached(x) * squared(x)

    with pytest.raises(WrongGradientError, match=r"`squared\(x\)` is wrong by itself"):
        gradient(f, 2.0, check=True)


def test_what_is_stopped_where_nothing_flows_is_checked() -> None:
    def f(x: float) -> float:
        return x * math.floor(x) + (x if stop_gradient(x) > 0.0 else 0.0)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert gradient(f, 2.5, check=True) == (3.0,)


MODULES_OWN = np.random.default_rng(0)
LEGACY = np.random.RandomState(0)
PYTHONS = random.Random(0)


class Noise:
    own = np.random.default_rng(1)

    def __init__(self) -> None:
        self.rng = np.random.Generator(np.random.MT19937(2))

    def draw(self) -> float:
        return float(self.rng.normal() + self.own.normal())


NOISE = {"noise": [Noise()]}


def noisy(x: float) -> float:
    return x * MODULES_OWN.normal() * x + x * LEGACY.normal() + x * PYTHONS.random()


def noisy_inside(x: float) -> float:
    return noisy(x) * NOISE["noise"][0].draw()


@pytest.mark.parametrize("captures", [False, True])
def test_generators_that_a_function_reaches_are_put_back(captures: bool) -> None:
    mine = np.random.default_rng(3)

    def inner(x: float) -> float:
        return x * mine.normal()

    def f(x: float) -> float:
        return noisy_inside(x) * (inner(x) if captures else 1.0)

    def start() -> None:
        for g, seed in ((MODULES_OWN, 0), (Noise.own, 1), (NOISE["noise"][0].rng, 2), (mine, 3)):
            g.bit_generator.state = type(g.bit_generator)(seed).state
        LEGACY.seed(0)
        PYTHONS.seed(0)

    start()
    expected = gradient(f, 2.0), gradient(f, 2.0), mine.normal()
    start()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert (gradient(f, 2.0, check=True), gradient(f, 2.0), mine.normal()) == expected
        start()
        explain(f, 2.0)
        assert (gradient(f, 2.0), gradient(f, 2.0), mine.normal()) == expected


def test_arguments_end_as_the_plain_program_leaves_them() -> None:
    def f(xs: list[float]) -> float:
        xs.append(xs[0] * 2.0)
        seen.append(1)
        return xs[-1]

    seen: list[int] = []
    xs = [1.0]
    gradient(f, xs, check=True)
    assert xs == [1.0, 2.0] and seen == [1]


NOT_CHECKED: list[tuple[Callable[..., Any], tuple[Any, ...], str]] = [
    (
        lambda x: max(x, 3.0 * x),
        (0.0,),
        "finite differences do not settle here: it is kinked, jumps, or is ill-conditioned",
    ),
    (lambda x: x + 1e9 * math.floor(x * 1e3), (1.0,), "finite differences do not settle here: it is kinked, jumps, or"),
    (lambda xs: sum(xs), (iter([1.0, 2.0]),), "an argument is an iterator, which can be run through once"),
]


@pytest.mark.parametrize(("f", "args", "why"), NOT_CHECKED)
def test_what_cannot_be_told_is_warned_of(f: Any, args: Any, why: str) -> None:
    with pytest.warns(RuntimeWarning, match="was not checked: ") as caught:
        gradient(f, *args, check=True)
    assert str(caught[0].message).startswith(f"the gradient of `<lambda>` was not checked: {why}")
    assert caught[0].filename == HERE


def test_arguments_that_overlap_are_warned_of() -> None:
    def f(a: Any, b: Any) -> Any:
        a[0] = 2.0 * b[1]
        return (a * b).sum()

    a = np.ones(3)
    with pytest.warns(RuntimeWarning, match="was not checked: its arguments share memory, or are one another"):
        gradient(f, a, a[::-1], check=True)


def test_a_mistake_of_the_engine_is_found_in_its_function(monkeypatch: pytest.MonkeyPatch) -> None:
    from adjoint.runtime import tables

    def inner(x: float) -> float:
        return x * x * x

    def f(x: float) -> float:
        return inner(x) + x

    original = tables.Generation._generate  # type: ignore[attr-defined]

    def planted(self: Any, spec: Any, *others: Any) -> None:
        original(self, spec, *others)
        if spec.name == "inner" and spec.rule is not None:
            made = spec.rule

            def wrong(*args: Any) -> Any:
                y, back = made(*args)
                return y, lambda d: (None, 2.0 * back(d)[1])

            spec.rule = wrong

    adjoint.inspect.cache_clear()
    monkeypatch.setattr(tables.Generation, "_generate", planted)  # type: ignore[attr-defined]
    with pytest.raises(WrongGradientError) as caught:
        pullback(f, 2.0, check=True)
    adjoint.inspect.cache_clear()
    assert caught.value.place is not None and caught.value.place.code() == "inner(x)"
    assert caught.value.way_out.startswith("this is a mistake of `adjoint` in how the operations of `")
    assert "please report it with the function and its arguments" in caught.value.way_out
    assert "@adjoint.rule" in caught.value.way_out and "code_adjoint" in caught.value.way_out


def combined(x: float, y: float) -> float:
    return x * x + Odd(x)(y)


class Odd:
    def __init__(self, w: float) -> None:
        self.w = w

    def __call__(self, x: float) -> float:
        return struct.unpack("d", struct.pack("d", 2.0))[0] * self.w * x


def test_a_mistake_that_is_in_no_operation_names_arguments_and_suspects(monkeypatch: pytest.MonkeyPatch) -> None:
    from adjoint.diagnostics import blaming, checking

    original = checking.value_and_bars

    def planted(*args: Any) -> Any:
        y, bars, given = original(*args)
        return y, (bars[0], 2.0 * bars[1], bars[2]), given

    monkeypatch.setattr(checking, "value_and_bars", planted)
    monkeypatch.setattr(blaming, "_locally", lambda operation: None)
    with pytest.raises(WrongGradientError) as caught:
        gradient(combined, 2.0, 3.0, check=True)
    first, by_x, by_y, suspects = caught.value.why.splitlines()
    assert first.startswith("each operation that was looked at is reversed rightly by itself")
    assert by_x.startswith("  by `x` it is wrong: ") and by_y.startswith("  by `y` it is right: ")
    assert suspects.startswith("  suspects, which run as they are: ")
    assert f'`struct.pack("d", 2.0)` ({HERE}:' in suspects and "Odd" not in suspects


def test_inside_of_programs_nothing_is_checked() -> None:
    assert gradient(lambda x: gradient(lambda t: t * t * t, x, check=True)[0], 2.0) == pytest.approx((12.0,))
    assert gradient(lambda x: grad(lambda t: t * t * t, check=True)(x), 2.0) == pytest.approx((12.0,))


# ---- what is changed between forward and back


class Pair:
    def __init__(self) -> None:
        self.a = np.ones(2)
        self.n = 3.0


class Locked(Pair):
    def __init__(self) -> None:
        super().__init__()
        self.lock = threading.Lock()


CHANGED: list[tuple[Any, Callable[..., Any], Callable[[Any], Any], str]] = [
    (np.ones(3), lambda a: (a * a).sum(), lambda a: a.__setitem__(1, 5.0), "`x` was changed"),
    ([1.0, 2.0], lambda xs: xs[0] * xs[1], lambda xs: xs.__setitem__(1, 5.0), "`x[1]` was changed"),
    ([1.0, 2.0], lambda xs: xs[0] * xs[1], lambda xs: xs.append(5.0), "`x` was changed"),
    ({"w": [np.ones(2)]}, lambda d: d["w"][0].sum(), lambda d: d["w"][0].fill(2.0), "`x['w'][0]` was changed"),
    (Pair(), lambda p: (p.a * p.n).sum(), lambda p: setattr(p, "n", 5.0), "`x.n` was changed"),
    (Locked(), lambda p: (p.a * p.n).sum(), lambda p: p.a.fill(5.0), "`x.a` was changed"),
]


@pytest.mark.parametrize(("value", "f", "change", "words"), CHANGED)
def test_changes_between_forward_and_back_are_found(value: Any, f: Any, change: Any, words: str) -> None:
    def named(x: Any) -> Any:
        return f(x)

    y, back = pullback(named, value, check=True)
    assert back(1.0) is not None
    change(value)
    with pytest.raises(MutationError) as caught:
        back(1.0)
    assert str(caught.value).splitlines()[0] == f"{words} between `pullback` and `back` of `named`"
    assert (
        caught.value.why
        == "the pullback keeps it as it is, without a copy: the derivative would be that of other numbers"
    )
    assert caught.value.way_out == "change it after `back`, or give `pullback` a copy"


def test_changes_of_what_is_captured_and_of_the_result() -> None:
    w = np.ones(2)
    y, back = pullback(lambda x: np.exp(x) * w, np.ones(2), check=True)
    w[0] = 2.0
    with pytest.raises(MutationError, match=r"what it captures \(`w`\) was changed between"):
        back(np.ones(2))
    y, back = pullback(lambda x: np.exp(x), np.ones(2), check=True)
    y[0] = 0.0
    with pytest.raises(MutationError, match="its result was changed between"):
        back(np.ones(2))
    y, back = pullback(lambda x: np.exp(x), np.ones(2))
    y[0] = 0.0
    back(np.ones(2))


def test_what_the_program_itself_stores_is_no_change() -> None:
    def f(a: Any, d: dict[str, float]) -> Any:
        a[0] = a[1] * 2.0
        d["x"] = a[0]
        return a.sum()

    _, back = pullback(f, np.ones(2), {}, check=True)
    assert back(1.0)[1].tolist() == [0.0, 3.0]
    assert back(1.0)[1].tolist() == [0.0, 3.0]


def test_the_function_itself_may_have_the_rule_that_is_wrong() -> None:
    def q(x: float) -> float:
        return x * x

    @rule(q)
    def q_rule(x: float) -> Any:
        return x * x, lambda d: (3.0 * x * d,)

    with pytest.raises(WrongGradientError) as caught:
        gradient(q, 2.0, check=True)
    assert caught.value.way_out == "correct the rule of `q`"
