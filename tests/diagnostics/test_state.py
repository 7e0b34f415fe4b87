"""`check=True` and `explain` leave nothing behind: gradients and state are those of without."""

import array
import collections
import dataclasses
import functools
import io
import itertools
import math
import random
import threading
import warnings
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from compiled.needs import needs_numba

from adjoint import explain, grad, gradient, pullback, value_and_grad, withgradient
from adjoint.diagnostics.state import State

from . import settings

HERE = str(Path(__file__))

LOG = [1.0]
TOTAL = 0.0
NESTED: dict[str, Any] = {"a": [1.0, {"b": np.ones(2)}], "c": collections.deque([1.0], maxlen=3)}
SEEN: set[float] = set()


def appends(x: float) -> float:
    LOG.append(x * LOG[-1])
    return LOG[-1]


def adds(x: float) -> float:
    global TOTAL
    TOTAL += x
    return TOTAL * x


def makes_global(x: float) -> float:
    global MADE
    if "MADE" in globals():
        return x * 100.0
    MADE = x
    return MADE * MADE


def by_callee(x: float) -> float:
    return appends(x) + adds(x)


def nested(x: float) -> float:
    NESTED["a"][1]["b"][0] *= x
    NESTED["c"].append(x)
    NESTED["new"] = NESTED.get("new", 1.0) * x
    SEEN.add(float(len(SEEN)))
    return float(NESTED["a"][1]["b"].sum()) * NESTED["new"] * len(SEEN)


def of_module(x: float) -> float:
    settings.scale *= 2.0
    settings.inner.history.append(x)
    return x * settings.scale * len(settings.inner.history)


class Counter:
    made = 0
    kept: list[float] = []
    __slots__ = ("__own", "lock", "n")

    def __init__(self) -> None:
        self.n = 1.0
        self.lock = threading.Lock()
        self.__own = 1.0

    def __call__(self, x: float) -> float:
        with self.lock:
            self.n *= x
            self.__own += 1.0
            Counter.made += 1
            self.kept.append(x)
        return self.n * self.__own * Counter.made * len(self.kept)


class Guarded:
    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.v = 2.0
        self.more = {"xs": [1.0]}
        self.parent = self


def guarded(r: Guarded, x: float) -> float:
    with r.lock:
        r.v *= x
        r.parent.more["xs"].append(x)
    return r.v * sum(r.more["xs"])


def accumulator() -> tuple[Callable[[float], float], Callable[[], Any]]:
    t = 1.0
    buffer, characters, history = array.array("d", [1.0]), bytearray(b"a"), io.StringIO()

    def add(x: float) -> None:
        nonlocal t
        t *= x

    def f(x: float) -> float:
        add(x)
        buffer.append(len(buffer))
        characters.extend(b"b")
        history.write("c")
        return t * t * len(buffer) * len(characters) * len(history.getvalue())

    return f, lambda: (t, buffer, characters, history.getvalue())


def with_default(x: float, xs: Any = [1.0]) -> float:  # noqa: B006 - it is to be shared
    xs.append(x * xs[-1])
    return xs[-1]


def by_attribute(x: float) -> float:
    by_attribute.calls = getattr(by_attribute, "calls", 0) + 1  # type: ignore[attr-defined]
    return x * by_attribute.calls  # type: ignore[attr-defined]


IDS = itertools.count(1)


def numbered(x: float) -> float:
    return x * next(IDS)


def reset() -> None:
    global TOTAL, IDS
    LOG[:] = [1.0]
    TOTAL, IDS = 0.0, itertools.count(1)
    globals().pop("MADE", None)
    NESTED.clear()
    NESTED.update({"a": [1.0, {"b": np.ones(2)}], "c": collections.deque([1.0], maxlen=3)})
    SEEN.clear()
    settings.scale = 1.0
    settings.inner.history = [1.0]
    Counter.made, Counter.kept = 0, []
    with_default.__defaults__ = ([1.0],)
    by_attribute.__dict__.clear()


def everything() -> Any:
    return (
        *(LOG, TOTAL, globals().get("MADE"), NESTED, SEEN, settings.scale, settings.inner.history),
        *(Counter.made, Counter.kept, with_default.__defaults__, vars(by_attribute), IDS),
    )


def plainly(f: Any) -> Any:
    return f, lambda: None


def of_object() -> Any:
    counter = Counter()
    return counter, lambda: (counter.n, counter._Counter__own)  # type: ignore[attr-defined]


def of_argument() -> Any:
    r = Guarded()
    return functools.partial(guarded, r), lambda: (r.v, r.more, r.parent is r)


def of_random() -> Any:
    rng = np.random.default_rng(1)
    return lambda x: x * rng.normal() * random.random() * np.random.rand(), lambda: rng.normal()


MAKERS: list[Callable[[], Any]] = [
    *[functools.partial(plainly, f) for f in (appends, adds, makes_global, by_callee, nested, of_module)],
    *[functools.partial(plainly, f) for f in (with_default, by_attribute, numbered)],
    *(of_object, of_argument, of_random, accumulator),
]
IDENTITIES = [make.args[0].__name__ if isinstance(make, functools.partial) else make.__name__ for make in MAKERS]

FORMS: list[tuple[Callable[..., Any], Callable[..., Any]]] = [
    (lambda f: gradient(f, 3.0, check=True), lambda f: gradient(f, 3.0)),
    (lambda f: withgradient(f, 3.0, check=True), lambda f: withgradient(f, 3.0)),
    (lambda f: value_and_grad(f, check=True)(3.0), lambda f: value_and_grad(f)(3.0)),
    (lambda f: pullback(f, 3.0, check=True)[1](1.0)[1], lambda f: pullback(f, 3.0)[1](1.0)[1]),
    (lambda f: explain(f, 3.0) and gradient(f, 3.0), lambda f: gradient(f, 3.0)),
]


@pytest.mark.parametrize("make", MAKERS, ids=IDENTITIES)
@pytest.mark.parametrize("form", range(len(FORMS)))
def test_gradients_and_state_are_those_of_without(make: Any, form: int) -> None:
    found = []
    for call in FORMS[form]:
        random.seed(1)
        np.random.seed(1)
        reset()
        f, after = make()
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            found.append(repr((call(f), everything(), after(), random.random(), np.random.rand())))
    assert found[0] == found[1]
    reset()


def test_what_is_put_back_is_the_same_thing() -> None:
    reset()
    inside = NESTED["a"][1]["b"]
    explain(nested, 2.0)
    assert NESTED["a"][1]["b"] is inside and inside.tolist() == [1.0, 1.0] and "new" not in NESTED


def test_what_is_iterated_over_is_left_alone() -> None:
    models = {"a": [1.0], "b": [2.0]}

    def f(x: float) -> float:
        return x * sum(model[0] for model in models.values())

    assert [(name, gradient(f, 2.0 + i, check=True)) for i, name in enumerate(models)] == [
        ("a", (3.0,)),
        ("b", (3.0,)),
    ]


def test_errors_leave_nothing_behind() -> None:
    reset()

    def f(x: float) -> float:
        LOG.append(x)
        raise KeyError("x")

    with pytest.raises(KeyError):
        gradient(f, 2.0, check=True)
    assert LOG == [1.0]


@dataclasses.dataclass
class Weight:
    w: float


SHARED = Weight(2.0)


def test_arguments_that_are_reached_otherwise_are_no_mistake() -> None:
    def f(model: Weight) -> float:
        return model.w * SHARED.w

    with pytest.warns(RuntimeWarning, match="the function reaches a part of its arguments by itself, too"):
        found = gradient(f, SHARED, check=True)
    assert repr(found) == repr(gradient(f, SHARED)) and SHARED.w == 2.0


def test_what_is_given_twice_is_not_checked() -> None:
    model = Weight(2.0)
    with pytest.warns(RuntimeWarning, match="its arguments share memory, or are one another"):
        gradient(lambda a, b: a.w * b.w, model, model, check=True)


def test_functions_that_raise_next_to_the_arguments_are_not_checked() -> None:
    def f(x: float) -> float:
        return math.sqrt(1.0 - x) if x <= 1.0 else math.log(1.0 - x)

    def g(x: float) -> float:
        return f(x) * 0.0 + x if x != 1.0 else x

    with pytest.warns(RuntimeWarning, match="was not checked: near these arguments it raises ValueError"):
        assert gradient(g, 1.0, check=True) == gradient(g, 1.0)


def test_generators_that_a_function_can_reach_are_not_run_through() -> None:
    numbers = (2.0 * i for i in range(1, 9))

    def f(x: float) -> float:
        return x * next(numbers)

    with pytest.warns(RuntimeWarning, match="was not checked: it can reach `numbers`, which can be run through once"):
        assert gradient(f, 2.0, check=True) == (2.0,)
    assert next(numbers) == 4.0


def test_state_that_cannot_be_restored_is_not_taken_for_a_mistake(tmp_path: Path) -> None:
    path = tmp_path / "numbers"
    path.write_text("1.0")
    with path.open() as file:
        model = SimpleNamespace(source=file)

        def f(model: Any, x: float) -> float:
            factor = 2.0 if model.source.tell() == 0 else 3.0
            model.source.read()
            return factor * x

        with pytest.warns(RuntimeWarning, match=r"state that could not be restored between runs: `model\.source`"):
            gradient(f, model, 2.0, check=True)


def test_files_that_change_nothing_are_checked() -> None:
    with open(HERE) as file, warnings.catch_warnings():
        warnings.simplefilter("error")
        assert gradient(lambda x: x * x if file.readable() else x, 3.0, check=True) == (6.0,)


# ---- what is done again


def prints(x: float) -> float:
    print("x is", x)  # here
    return x * x


class Writer:
    def __init__(self, file: Any) -> None:
        self.file = file

    def tell(self, x: float) -> None:
        self.file.write(f"{x}\n")


def test_effects_that_are_done_again_are_told_of_once(tmp_path: Path) -> None:
    line = prints.__code__.co_firstlineno + 1
    with pytest.warns(UserWarning, match="does more than compute") as caught:
        gradient(prints, 2.0, check=True)
    assert [str(w.message) for w in caught] == [
        "`prints` does more than compute, and the check has run it some ten times: "
        f"`print('x is', x)` ({HERE}:{line})".replace("'", '"')
    ]
    assert caught[0].filename == HERE
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        gradient(prints, np.float64(2.0), check=True)
    with (tmp_path / "log").open("w") as file:
        writer = Writer(file)

        def f(x: float) -> float:
            writer.tell(x)
            return x * x

        with pytest.warns(UserWarning, match=r"`f` does more than compute, .*`self\.file\.write\(f\"\{x\}\\n\"\)`"):
            assert grad(f, check=True)(2.0) == 4.0


def test_what_only_computes_is_told_nothing_of() -> None:
    text = io.StringIO()

    def f(a: Any) -> Any:
        text.write("into memory")
        return np.sum(a * a) * len(text.getvalue())

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        gradient(f, np.ones(2), check=True)
    assert text.getvalue() == "into memory"


@needs_numba
def test_what_numba_keeps_is_left_alone() -> None:
    """The walk through dispatchers and what LLVM holds took long, and ended the process now and then."""
    import numba

    @numba.njit  # type: ignore[untyped-decorator]
    def square(x: float) -> float:
        return x * x

    held = SimpleNamespace(f=square)

    def f(x: float) -> Any:
        return square(x) * held.f(x)

    assert explain(f, 3.0).refused == ()
    assert gradient(f, 3.0, check=True) == (108.0,)
    reached = State({"f": f})
    assert reached.has(square.py_func)
    assert reached.lost == []
