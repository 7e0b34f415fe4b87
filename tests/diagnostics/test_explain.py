"""`explain`: everything that is refused, where derivatives end, and how each function is differentiated."""

import enum
import math
import random
import struct
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import adjoint
from adjoint import explain, gradient, stop_gradient
from adjoint.inspect import debug_nans

HERE = str(Path(__file__))


def transform(x: Any) -> Any:
    return np.lib._function_base_impl._lerp(x, 2.0, 0.5)  # type: ignore[attr-defined]


async def later(x: float) -> float:
    return x


class Packer:
    def __init__(self, scale: float) -> None:
        self.scale = scale

    def pack(self, a: Any, x: float) -> float:
        struct.pack_into("d", a, 0, x)
        return self.scale * x


def refused_in_many_ways(x: float, a: Any, packer: Packer) -> Any:
    later(x).close()  # type: ignore[attr-defined]
    total = eval("x + 1.0") * x

    class Local:
        if total > 0:
            scale = 2.0

    a.resize(5, refcheck=False)
    for _ in range(2):
        total += packer.pack(a, x)
    return total + Local.scale + transform(x)


def test_everything_that_is_refused_is_listed_at_once() -> None:
    a = np.ones(3)
    found = explain(refused_in_many_ways, 2.0, a, Packer(3.0))
    assert {(r.what, r.place.code() if r.place else "") for r in found.refused} == {
        ("`if` in the body of a class that is made inside the function", "if total > 0:"),
        ("`later` is asynchronous", "later(x)"),
        ("`eval` is not differentiated", 'eval("x + 1.0")'),
        ("`.resize` of an array", "a.resize(5, refcheck=False)"),
        ("`pack_into` changes what it is given", 'struct.pack_into("d", a, 0, x)'),
        (
            "there is no rule for `numpy.lib._function_base_impl._lerp`, which meets a value that is differentiated",
            "np.lib._function_base_impl._lerp(x, 2.0, 0.5)",
        ),
    }
    assert all(r.place is not None and r.place.filename == HERE and r.why and r.way_out for r in found.refused)
    assert a.shape == (3,) and a.tolist() == [1.0, 1.0, 1.0]
    with pytest.raises(adjoint.errors.AdjointError):
        gradient(refused_in_many_ways, 2.0, np.ones(3), Packer(3.0))


def test_what_runs_plainly_gives_what_it_gives() -> None:
    seen = []

    def f(x: float) -> float:
        y = eval("x * 3.0")
        seen.append((y, locals()["x"]))
        return y * x

    found = explain(f, 2.0)
    assert [r.what for r in found.refused] == ["`eval` is not differentiated", "`locals` is not differentiated"]
    assert seen == []  # what it captures is copied as well


def key_of_dict(x: float) -> float:
    return {x: 1.0}[x] * x


def counted(x: float, a: Any) -> Any:
    return a[int(x)] * x


def compared(x: float) -> float:
    return 2.0 * x if 0.0 < x < 3.0 else x


def checked(x: float) -> float:
    while not x:
        x += 1.0
    return x


def written(x: float) -> float:
    return float(f"{x:.3f}") * x


def stored_by_key(x: float) -> float:
    d: dict[float, float] = {}
    d[x] = x
    d[x] += 1.0
    return d[x]


def in_text(x: float) -> float:
    return float(str(x)) * x


def sorted_places(a: Any) -> Any:
    return a[np.argsort(a)].sum()


def as_integers(a: Any) -> Any:
    return a.astype(int).sum() * a[0]


def cut(x: float) -> float:
    return x * stop_gradient(x)


def dead(x: float) -> float:
    return max(x, 5.0) + x


def times_nothing(x: float) -> float:
    return x * 0.0 + x


def in_comprehension(a: Any) -> float:
    return float(sum([v for v in a if v > 1.0]))


def sliced(x: float, a: Any) -> Any:
    return a[: int(x)].sum() * x


def cast(a: Any) -> Any:
    c = np.zeros(3, int)
    for i in range(3):
        c[i] = a[i] * 10.0
    return c.sum() * a[0]


def filled(x: float) -> Any:
    c = np.zeros(3, int)
    c.fill(x)
    return c.sum() * x


def copied_over(a: Any) -> Any:
    c = np.zeros(3, int)
    np.copyto(c, a, casting="unsafe")
    return c.sum() * a[0]


def added_in_place(x: float) -> Any:
    c = np.ones(3, int)
    c[0] += x  # type: ignore[call-overload]
    return c.sum() * x


def power_series(x: float) -> float:
    s = 0.0
    for j in range(3):
        s = s + x**j
    return s


def factor_that_is_zero_once(x: float, y: float) -> float:
    out = [0.0] * 3
    for i in range(3):
        out[i] = x * out[i - 1] + y
    return out[-1]


def half_dead(x: float, y: float) -> float:
    return x * 0.0 * y + y


def kept_alive_by_one(xs: list[float]) -> float:
    total = 0.0
    for v in xs:
        total += max(v, 0.0)
    return total


JUMPS = "what it gives changes in jumps or not at all"
ENDS: list[tuple[Callable[..., Any], tuple[Any, ...], list[str]]] = [
    (lambda x: int(x) * x, (2.5,), [f"`x` `int(x)`: {JUMPS}"]),
    (lambda x: round(x) * x, (2.5,), [f"`x` `round(x)`: {JUMPS}"]),
    (lambda x: math.floor(x) * x, (2.5,), [f"`x` `math.floor(x)`: {JUMPS}"]),
    (lambda x: x // 1.0 + x, (2.5,), [f"`x` `x // 1.0`: {JUMPS}"]),
    (lambda a: np.sign(a).sum() + a.sum(), (np.ones(2),), ["`a` `np.sign(a)`: its derivative is zero here"]),
    (lambda a: a.argmax() + a.sum(), (np.ones(2),), [f"`a` `a.argmax()`: {JUMPS}"]),
    (as_integers, (np.array([1.5, 2.5]),), [f"`a` `a.astype(int)`: {JUMPS}"]),
    (sorted_places, (np.array([2.0, 1.0]),), [f"`a` `np.argsort(a)`: {JUMPS}"]),
    (
        key_of_dict,
        (2.0,),
        ["`x` `{x: 1.0}[x]`: an index or a key carries no derivative", "`x` `x`: a key carries no derivative"],
    ),
    (
        stored_by_key,
        (2.0,),
        ["`x` `d[x]`: an index or a key carries no derivative"] * 3,
    ),
    (counted, (1.5, np.ones(3)), [f"`x` `int(x)`: {JUMPS}"]),
    (sliced, (1.5, np.ones(3)), [f"`x` `int(x)`: {JUMPS}"]),
    (compared, (2.0,), ["`x` `0.0 < x < 3.0`: a comparison carries no derivative"]),
    (checked, (2.0,), ["`x` `not x`: a test carries no derivative"]),
    (written, (2.0,), ["`x` `x`: text carries no derivative"]),
    (in_text, (2.0,), [f"`x` `str(x)`: {JUMPS}"]),
    (cut, (2.0,), ["`x` `stop_gradient(x)`: the program cuts the derivative here"]),
    (dead, (2.0,), ["`x` `max(x, 5.0)`: its derivative is zero here"]),
    (times_nothing, (2.0,), ["`x` `x * 0.0`: its derivative is zero here"]),
    (cast, (np.ones(3),), ["`a` `c[i] = a[i] * 10.0`: a store into an array of integers"]),
    (filled, (2.0,), ["`x` `c.fill(x)`: a store into an array of integers"]),
    (copied_over, (np.ones(3),), ['`a` `np.copyto(c, a, casting="unsafe")`: a store into an array of integers']),
    (added_in_place, (2.0,), ["`x` `c[0] += x`: a store into an array of integers"]),
    (factor_that_is_zero_once, (1.0, 2.0), []),
    (power_series, (2.0,), ["`x` `x**j`: its derivative is zero here, in 1 of 3 runs of this line"]),
    (
        half_dead,
        (2.0, 3.0),
        ["`x` `x * 0.0`: its derivative is zero here", "`y` `x * 0.0 * y`: its derivative is zero here"],
    ),
    (
        kept_alive_by_one,
        ([1.0, -1.0],),
        ["`xs[1]` `max(v, 0.0)`: its derivative is zero here, in 1 of 2 runs of this line"],
    ),
    (in_comprehension, (np.array([1.0, 2.0]),), ["`a` `v > 1.0`: a comparison carries no derivative"]),
]


@pytest.mark.parametrize(("f", "args", "ends"), ENDS, ids=lambda x: getattr(x, "__name__", None))
def test_where_a_derivative_ends(f: Any, args: Any, ends: list[str]) -> None:
    found = explain(f, *args)
    assert sorted(f"{' '.join(f'`{a}`' for a in e.arguments)} `{e.code}`: {e.why}" for e in found.ends) == sorted(ends)
    assert all(e.place is not None and e.place.filename == HERE for e in found.ends)
    assert found.refused == ()


def test_an_end_says_where_it_is() -> None:
    def f(x: float, y: float) -> float:
        return int(x) * y

    found = explain(f, 2.5, 3.0)
    line = f.__code__.co_firstlineno + 1
    assert [str(e) for e in found.ends] == [f"the path from `x` ends at {HERE}:{line}, `int(x)`: {JUMPS}"]
    assert found.silent == ("x",) and found.reached == ("y",)


def test_only_what_depends_on_an_argument_ends() -> None:
    def f(x: float) -> float:
        limit = 2.5
        n = int(limit)
        if limit > 2.0:
            x = x * n
        return x * int(stop_gradient(x) + limit)

    assert [e.code for e in explain(f, 2.0).ends] == ["stop_gradient(x)"]


def test_a_path_is_followed_through_stores_and_callees() -> None:
    def inner(values: list[float]) -> int:
        return int(values[0])

    def f(x: float, y: float) -> float:
        values = [0.0, y]
        values[0] = x * 2.0
        table = {"v": values}
        return inner(table["v"]) * y

    found = explain(f, 1.5, 2.0)
    assert [(e.arguments, e.code) for e in found.ends] == [(("x",), "int(values[0])")]
    assert found.reached == ("y",)


def test_parts_of_arguments_are_named() -> None:
    def f(packer: Packer, pair: tuple[float, float], *rest: float, **named: float) -> float:
        return packer.scale * pair[1] * rest[1] * named["b"] + int(pair[0])

    found = explain(f, Packer(2.0), (1.5, 3.0), 1.0, 2.0, a=1.0, b=2.0)
    assert found.reached == ("packer.scale", "pair[1]", "rest[1]", "b")
    assert found.silent == ("rest[0]", "a")
    assert [e.arguments for e in found.ends] == [("pair[0]",)]


def test_what_is_captured_is_named() -> None:
    weight = 3.0
    found = explain(lambda x: int(weight) * x * weight, 2.0)
    assert found.reached == ("weight", "x")
    assert [e.arguments for e in found.ends] == [("weight",)]


def clipped(x: float) -> float:
    return min(x, 10.0)


def plain_transform(x: float) -> float:
    return math.sin(clipped(x)) * len("abc")


def noisy(x: float) -> float:
    print("noisy")
    return x * x


class Kept:
    last = 0.0


def storing(xs: list[float]) -> float:
    Kept.last = xs[0]
    try:
        xs.append(xs[0] * 2.0)
    except* KeyError:
        pass
    return noisy(xs[-1])


def test_how_each_function_is_differentiated(capsys: pytest.CaptureFixture[str]) -> None:
    found = explain(plain_transform, 2.0)
    assert found.way == "transformed"
    assert {(t.name, t.way) for t in found.functions} == {
        ("plain_transform", "transformed"),
        ("clipped", "transformed"),
        ("math.sin", "ruled"),
        ("min", "ruled"),
    }
    found = explain(storing, [2.0])
    assert found.way == "recorded"
    assert {(t.name, t.way) for t in found.functions} == {
        ("storing", "recorded"),
        ("noisy", "recorded"),
        ("list.append", "ruled"),
        ("setattr", "ruled"),
        ("print", "run as it is"),
    }
    assert capsys.readouterr().out == "noisy\n"


def test_a_function_without_active_arguments_is_run_as_it_is() -> None:
    def table(n: int) -> int:
        return n * n + 1

    def f(x: float) -> float:
        return x * x if table(3) > 5 else x

    ways = {t.name: t.way for t in explain(f, 2.0).functions}
    assert ways["f"] == "transformed" and ways["table"] == "run as it is"


def test_nothing_is_changed() -> None:
    def f(xs: list[float], a: Any, x: float) -> Any:
        captured.append(x)
        xs.append(x)
        a += random.random() + np.random.rand()
        return a.sum() * xs[-1]

    captured: list[float] = []
    xs, a = [1.0], np.ones(2)
    random.seed(1)
    np.random.seed(1)
    expected = random.random(), np.random.rand()
    random.seed(1)
    np.random.seed(1)
    explain(f, xs, a, 2.0)
    assert (xs, a.tolist(), captured) == ([1.0], [1.0, 1.0], [])
    assert (random.random(), np.random.rand()) == expected


def test_arguments_that_are_one_thing_stay_so() -> None:
    def f(xs: list[float], ys: list[float]) -> float:
        xs[0] = xs[0] * 2.0
        return int(ys[0]) * xs[0]

    xs = [1.5]
    found = explain(f, xs, xs)
    assert [e.code for e in found.ends] == ["int(ys[0])"]
    assert set(found.ends[0].arguments) & {"xs[0]", "ys[0]"}


def test_loops_give_each_place_once() -> None:
    def f(x: float) -> float:
        for _ in range(50):
            x = x + 0.1 if x > 2.0 else x * 1.01
        return x

    assert len(explain(f, 1.5).ends) == 1


def test_generators_and_nested_derivatives() -> None:
    def parts(x: float) -> Iterator[float]:
        yield x
        yield float(int(x))

    def f(x: float) -> float:
        (slope,) = gradient(lambda t: t * t * int(t), x)
        return sum(parts(x)) * slope

    found = explain(f, 2.5)
    assert found.refused == () and found.reached == ("x",)
    assert "int(x)" in [e.code for e in found.ends]


def test_an_exception_of_the_programs_own_stays_as_it_is() -> None:
    def f(x: float) -> float:
        raise KeyError(x)

    with pytest.raises(KeyError):
        explain(f, 2.0)
    assert gradient(lambda x: x * x, 2.0) == (4.0,)


def test_builtins_and_callables() -> None:
    assert explain(math.sin, 2.0).reached == ("x",) or explain(math.sin, 2.0).reached == ("argument 1",)

    class Model:
        def __init__(self) -> None:
            self.w = 2.0

        def __call__(self, x: float) -> float:
            return self.w * x

    assert explain(Model(), 3.0).reached == ("w", "x")
    assert explain(Model().__call__, 3.0).reached[-1] == "x"


def test_the_text() -> None:
    def f(x: float, y: float) -> float:
        return int(x) * math.sin(y) + eval("y")

    line = f.__code__.co_firstlineno + 1
    expected = f"""\
`f` cannot be differentiated
the derivative reaches `y`
nothing of it reaches `x`
refused:
  - `eval` is not differentiated
      {HERE}:{line}:39
        return int(x) * math.sin(y) + eval("y")
                                      ^^^^^^^^^
    why: what it reads and stores is not in the source
    help: write the code out, or cut the derivative with `adjoint.stop_gradient`
ends:
  - the path from `x` ends at {HERE}:{line}, `int(x)`: {JUMPS}
functions:
  recorded: f ({HERE}:{line - 1})
  ruled: math.sin
  run as it is: int"""
    found = explain(f, 2.5, 1.0)
    assert str(found) == expected and repr(found) == expected


def test_gradients_are_as_before() -> None:
    def f(x: float) -> float:
        return x * x if x > 1.0 else x

    before = gradient(f, 2.0)
    explain(f, 2.0)
    made = adjoint.inspect.cache_info().generated
    assert gradient(f, 2.0) == before and adjoint.inspect.cache_info().generated == made


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


def test_enumerations_and_keys() -> None:
    def f(x: float) -> float:
        best = max([x, 2.0 * x], key=lambda v: v * v)
        return Level.HIGH * best

    assert explain(f, 1.5).reached == ("x",)
    with debug_nans():
        assert gradient(f, 1.5) == (4.0,)


def test_what_has_a_rule_itself() -> None:
    def cube(x: float) -> float:
        return x**3

    @adjoint.rule(cube)
    def cube_rule(x: float) -> Any:
        return x**3, lambda y_bar: (3 * x * x * y_bar,)

    for f in (cube, math.sin, np.sin):
        found = explain(f, 2.0)
        assert found.way == "ruled" and str(found).startswith(f"`{f.__name__}` has a rule")
        named = f is not np.sin or hasattr(np.sin, "__signature__")  # it says what its arguments are called
        assert found.reached == ("x" if named else "argument 1",)


def test_a_class_is_not_named_beside_its_init() -> None:
    class Model:
        def __init__(self, k: float) -> None:
            self.k = k

    found = explain(lambda x: Model(x).k * x, 2.0)
    named = {f.name: f.way for f in found.functions}
    assert named["Model.__init__"] == "transformed"
    assert not [name for name, way in named.items() if way == "run as it is"]


class Weighted:
    def __init__(self) -> None:
        self.w = [1.0, 2.0, 3.0, 4.0, 5.0]

    def __call__(self, x: float) -> float:
        return sum(self.w) * x + int(sum(self.w) * x)


def sent_to(x: float) -> float:
    def steps(v: float) -> Any:
        while True:
            v = v * (yield v)

    it = steps(x)
    return next(it) + it.send(2.0)


def test_all_names_are_those_of_the_program() -> None:
    found = explain(Weighted(), 1.5)
    assert found.reached == ("Weighted", "x") and found.ends[0].arguments == ("Weighted", "x")
    assert "generator.send" in [f.name for f in explain(sent_to, 1.5).functions]
