"""What a generated rule relied on may change: then it is made again, and never used."""

import functools
import importlib.util
import linecache
import math
import types
from typing import Any

import numpy as np

from adjoint import gradient, pullback

K: Any = 2.0


def helper(x: float) -> float:
    return x


def uses_constant(x: Any) -> Any:
    return K * x


def uses_helper(x: float) -> float:
    return helper(x) * x


def uses_helper_deeply(x: float) -> float:
    return uses_helper(x) + 1.0


def test_a_global_constant_changes(monkeypatch: Any) -> None:
    for value in (2.0, 3.0, 3, np.float32(4.0), True):
        monkeypatch.setitem(globals(), "K", value)
        assert gradient(uses_constant, 5.0) == (float(value),)
    monkeypatch.setitem(globals(), "K", np.ones(2))
    assert pullback(uses_constant, 5.0)[1](np.ones(2))[1] == 2.0
    monkeypatch.setitem(globals(), "K", 2.0)
    assert gradient(uses_constant, 5.0) == (2.0,)


def test_a_global_function_is_defined_again(monkeypatch: Any) -> None:
    for function, slope in ((helper, 6.0), (lambda x: x * x, 27.0), (math.exp, 4 * math.exp(3)), (float, 6.0)):
        monkeypatch.setitem(globals(), "helper", function)
        assert gradient(uses_helper, 3.0)[0] == slope
        assert gradient(uses_helper_deeply, 3.0)[0] == slope


def test_a_function_of_another_module_changes(monkeypatch: Any) -> None:
    module = types.ModuleType("elsewhere")
    module.scale, module.f = 2.0, helper  # type: ignore[attr-defined]
    f = lambda x: module.f(x) * module.scale  # type: ignore[attr-defined]  # noqa: E731
    assert gradient(f, 3.0) == (2.0,)
    module.scale = 5.0  # type: ignore[attr-defined]
    assert gradient(f, 3.0) == (5.0,)
    module.f = lambda x: x * x  # type: ignore[attr-defined]
    assert gradient(f, 3.0) == (30.0,)


def test_a_method_is_defined_again() -> None:
    class Local:
        def m(self, x: float) -> float:
            return x

    class Derived(Local):
        pass

    made, given = (lambda x: Derived().m(x)), (lambda c, x: c.m(x))
    for method, slope in ((Local.m, 1.0), (lambda self, x: x * x, 6.0), (lambda self, x: x**3, 27.0)):
        Local.m = method  # type: ignore[method-assign, assignment]
        assert gradient(made, 3.0)[0] == slope
        assert gradient(given, Derived(), 3.0)[1] == slope
    Derived.m = lambda self, x: -x  # type: ignore[method-assign, assignment]
    assert gradient(made, 3.0)[0] == -1.0
    assert gradient(given, Derived(), 3.0)[1] == -1.0


def test_a_class_attribute_changes() -> None:
    class Local:
        rate = 2.0

    f = lambda x: x * Local.rate  # noqa: E731
    g = lambda c, x: x * c.rate  # noqa: E731
    c = Local()
    for rate in (2.0, 3.0, 4):
        Local.rate = rate
        assert gradient(f, 3.0) == (rate,)
        assert gradient(g, c, 3.0)[1] == rate
    c.rate = 7.0
    assert gradient(g, c, 3.0)[1] == 7.0


def test_fields_of_other_types() -> None:
    class Local:
        def __init__(self, w: Any) -> None:
            self.w = w

    f = lambda m, x: m.w * x  # noqa: E731
    for w in (2.0, 3, np.float64(4.0), True, 2.0):
        assert gradient(f, Local(w), 5.0)[1] == w
    assert pullback(f, Local(np.ones(3)), 5.0)[1](np.ones(3))[2] == 3.0
    assert gradient(lambda m, x: m.w(x), Local(math.sin), 0.0)[1] == 1.0
    assert gradient(lambda m, x: m.w(x), Local(lambda x: x * x), 3.0)[1] == 6.0


def test_captured_values_of_other_types() -> None:
    def times(k: Any) -> Any:
        return lambda x: k * x

    for k in (2.0, 3, np.float32(4.0), True, 2.0):
        assert gradient(times(k), 5.0)[0] == float(k)
    _, back = pullback(times(np.ones(3)), 5.0)
    assert back(np.ones(3))[1] == 3.0


def test_captured_functions() -> None:
    def twice(f: Any) -> Any:
        return lambda x: f(f(x))

    for f, slope in ((math.sin, 1.0), (lambda x: x + 1.0, 1.0), (lambda x: 2 * x, 4.0), (twice(lambda x: 3 * x), 81.0)):
        assert gradient(twice(f), 0.0)[0] == slope


def test_a_cell_that_is_rebound_outside() -> None:
    k = 2.0

    def f(x: float) -> float:
        return k * x

    assert gradient(f, 3.0) == (2.0,)
    k = 5.0
    assert gradient(f, 3.0) == (5.0,)
    k = 5
    assert gradient(f, 3.0) == (5.0,)


def test_defaults_and_code_are_replaced() -> None:
    def f(x: float, n: int = 3) -> float:
        for _ in range(n):
            x = x * 2.0
        return x

    assert pullback(f, 1.0)[1](1.0)[1] == 8.0
    f.__defaults__ = (1,)
    assert pullback(f, 1.0)[1](1.0)[1] == 2.0
    f.__code__ = (lambda x, n=1: x * x).__code__
    assert pullback(f, 3.0)[1](1.0)[1] == 6.0


def test_kinds_of_numbers_are_not_mixed_up() -> None:
    f = lambda x: x * x  # noqa: E731
    assert type(gradient(f, 3.0)[0]) is float
    assert type(gradient(f, np.float32(3.0))[0]) is np.float32
    assert type(gradient(f, np.float64(3.0))[0]) is np.float64
    assert type(gradient(f, 3)[0]) is float
    assert gradient(f, True) == (None,)
    assert gradient(lambda x: x.sum(), np.ones(2))[0].dtype == np.float64
    assert gradient(lambda x: x.sum(), np.ones(2, np.float32))[0].dtype == np.float32


def test_subclasses_are_not_mixed_up_with_their_base() -> None:
    class Loud(float):
        def __mul__(self, other: Any) -> Any:
            return float(self) + float(other)

    f = lambda x, y: x * y  # noqa: E731
    assert gradient(f, 2.0, 3.0) == (3.0, 2.0)
    assert pullback(f, Loud(2.0), 3.0)[0] == 5.0
    assert gradient(f, 2.0, 3.0) == (3.0, 2.0)


def cell(text: str, name: str) -> dict[str, Any]:
    """What a notebook does with a cell."""
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    scope: dict[str, Any] = {"math": math}
    exec(compile(text, name, "exec"), scope)
    return scope


def test_cells_of_a_notebook() -> None:
    first = cell("K = 2.0\ndef f(x):\n    return K * x * x\n", "<cell 1>")
    second = cell("K = 5.0\ndef f(x):\n    return K * x * x\n", "<cell 2>")
    assert gradient(first["f"], 3.0) == (12.0,)
    assert gradient(second["f"], 3.0) == (30.0,)
    again = cell("K = 2.0\ndef f(x):\n    return K * x\n", "<cell 1>")
    assert gradient(again["f"], 3.0) == (2.0,)
    assert gradient(first["f"], 3.0) == (12.0,)


def test_equal_text_in_two_modules() -> None:
    text = "def f(x):\n    return helper(x) * K\n"
    first, second = cell(text, "<cell 3>"), cell(text, "<cell 3>")
    first.update(K=2.0, helper=math.exp)
    second.update(K=3.0, helper=lambda x: x)
    assert gradient(first["f"], 0.0) == (2.0,)
    assert gradient(second["f"], 0.0) == (3.0,)
    assert gradient(first["f"], 0.0) == (2.0,)


def test_a_module_named_like_one_of_the_standard_library(tmp_path: Any, monkeypatch: Any) -> None:
    file = tmp_path / "graphlib.py"
    file.write_text("k = 2.0\ndef f(x):\n    return k * x\ndef change(a):\n    a[0] = 5.0\n")
    spec: Any = importlib.util.spec_from_file_location("graphlib", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setitem(globals(), "module", module)
    assert gradient(uses_module, 3.0) == (16.0,)
    monkeypatch.setattr(module, "f", lambda x: 3.0 * x)
    assert gradient(uses_module, 3.0) == (22.0,)
    monkeypatch.setattr(module, "k", 5.0)
    assert gradient(uses_module, 3.0) == (25.0,)

    def stores(x: Any) -> Any:
        a = np.zeros(1)
        b = (a + 1.0) * x
        module.change(b)
        return b[0] * x

    assert gradient(stores, 3.0) == (5.0,)


module: Any = None


def uses_module(x: Any) -> Any:
    return module.f(x) * x + (module.k + 2.0) * x


class Changing(type):
    """A class is true as long as this says so."""

    true = True

    def __bool__(cls) -> bool:
        return Changing.true


class Switch(metaclass=Changing):
    pass


def test_whether_a_class_is_true_may_change(monkeypatch: Any) -> None:
    functions: list[Any] = [
        lambda x: x * x if Switch else x,
        lambda x: x if not Switch else x * x,
        lambda x: (Switch and x) * x if (Switch and x) else x,
        lambda x: sum([v for v in [x * x] if Switch or v < 0]) or x,
    ]
    for f in functions:
        for true in (True, False, True):
            monkeypatch.setattr(Changing, "true", true)
            y, back = pullback(f, 3.0)
            monkeypatch.setattr(Changing, "true", not true)
            assert (y, back(1.0)[1]) == ((9.0, 6.0) if true else (3.0, 1.0))


class WithCachedProperty:
    def __init__(self, v: float) -> None:
        self.v = v

    @functools.cached_property
    def square(self) -> float:
        print("computed")
        return self.v * self.v


def test_a_cached_property_is_computed_once_and_kept_in_the_object(capsys: Any) -> None:
    a = WithCachedProperty(3.0)
    assert gradient(lambda a: a.square + a.square, a)[0].v == 12.0
    assert capsys.readouterr().out == "computed\n" and vars(a) == {"v": 3.0, "square": 9.0}
    assert a.square == 9.0
    (d,) = gradient(lambda a: a.square + a.v, a)
    assert (d.v, d.square) == (1.0, 1.0) and capsys.readouterr().out == ""
