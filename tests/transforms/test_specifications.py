"""Specifications in global names and captured lists: rows of texts, functions and numbers that say what a model is."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

import numpy as np
import pytest

from adjoint import grad, gradient, hvp, jvp
from adjoint.derivatives import choice
from adjoint.testing import check_gradient


def scaled(v: Any, a: Any, *, lo: float, hi: float) -> Any:
    return v * (hi**a if a >= 0 else lo ** (-a))


def shifted(v: Any, a: Any, *, lo: Any, hi: Any) -> Any:
    return v + a * (hi - v if a >= 0 else v - lo)


def line(x: Any, slope: Any = 0.0, intercept: Any = 0.5, *, power: Any = 1.0) -> Any:
    return (slope * x + intercept) ** power


def bump(x: Any, height: Any = 1.0, centre: Any = 0.0, width: Any = 1.0) -> Any:
    return height * np.exp(-((x - centre) ** 2) / (2 * width**2))


class Component:
    def __init__(self, func: Any, prefix: str, names: list[str]) -> None:
        self.func, self.prefix, self.names = func, prefix, names

    def eval(self, params: Any, **kwargs: Any) -> Any:
        options = {name: params[self.prefix + name] for name in self.names}
        options.update(kwargs)
        return self.func(**options)


class Link:
    """Options that stand in the class."""

    name, squared = "exp", False

    def of(self, x: Any) -> Any:
        y = getattr(np, self.name)(x)
        return y * y if self.squared else y


class Other(Link):
    name = "tanh"


X = np.linspace(-1.0, 2.0, 7)
BY_NAME: dict[str, Any] = {"scaled": scaled, "shifted": shifted}
ROWS: list[Any] = []
TABLE: list[Any] = []
PARTS: list[Any] = []
LINK = Link()


def model(p: Any) -> Any:
    """Samples with modifiers that are found by name."""
    total = np.zeros(3)
    for sample, nominal, modifiers in ROWS:
        rates = np.asarray(nominal)
        for kind, i, options in modifiers:
            rates = BY_NAME[kind](rates, p[i], **options)
        total = total + (p[0] * rates if sample == "signal" else rates)
    return np.sum(total - 9.0 * np.log(total)) + 0.5 * np.sum(p[1:] ** 2)


def steps(p: Any) -> Any:
    """Rows that are dicts, with functions."""
    v = p[0]
    for row in TABLE:
        v = row["f"](v) * row["by"] if row["kind"] == "of one" else row["f"](v, p[row["at"]])
    return v


def fit(p: Any) -> Any:
    """A model of components with prefixes."""
    params = dict(zip(["g_height", "g_centre", "l_slope"], p, strict=True))
    return np.sum((sum(part.eval(params, x=X) for part in PARTS) - 0.3) ** 2)


def linked(p: Any) -> Any:
    return np.sum(LINK.of(p) * p)


def captured() -> Callable[[Any], Any]:
    rows = [("a", 2.0), ("b", 3.0)]
    functions = {"a": math.sin, "b": math.exp}

    def f(p: Any) -> Any:
        return sum(functions[name](w * v) for (name, w), v in zip(rows, p, strict=False))

    f.rows = rows  # type: ignore[attr-defined]
    return f


PROGRAMS = [model, steps, fit, linked]
AT = {model: np.array([1.1, 0.2, -0.3, 0.4]), steps: np.array([0.4, 0.7]), fit: np.array([0.9, 0.2, 0.3])}
AT[linked] = np.array([0.3, -0.2])


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    low, high = np.array([4.0, 5.0, 6.0]), np.array([7.0, 6.0, 5.5])
    ROWS[:] = [
        ("signal", [12.0, 11.0, 8.0], [("scaled", 1, {"lo": 0.9, "hi": 1.1})]),
        ("other", [5.0, 5.5, 5.2], [("shifted", 2, {"lo": low, "hi": high}), ("scaled", 3, {"lo": 0.95, "hi": 1.2})]),
    ]
    TABLE[:] = [
        {"kind": "of one", "f": np.sin, "by": 2.0, "at": 0},
        {"kind": "of two", "f": lambda v, a: v * a + a, "by": 0.0, "at": 1},
    ]
    PARTS[:] = [Component(bump, "g_", ["height", "centre"]), Component(line, "l_", ["slope"])]
    yield
    BY_NAME.update(scaled=scaled, shifted=shifted)
    Link.name, Link.squared = "exp", False
    vars(LINK).clear()
    line.__defaults__, line.__kwdefaults__ = (0.0, 0.5), {"power": 1.0}


def held_to_differences(f: Callable[..., Any], p: Any) -> None:
    before = deepcopy(ROWS), [*TABLE]
    check_gradient(f, p)
    v = np.cos(np.arange(len(p)))
    (g,) = gradient(f, p)
    assert jvp(f, (p,), (v,))[1] == pytest.approx(g @ v, rel=1e-9)
    h = 1e-5
    differences = (gradient(f, p + h * v)[0] - gradient(f, p - h * v)[0]) / (2 * h)
    np.testing.assert_allclose(hvp(f, (p,), (v,))[0], differences, rtol=1e-5, atol=1e-6)
    assert repr(before) == repr((ROWS, TABLE))


@pytest.mark.parametrize("f", PROGRAMS)
def test_derivatives(f: Any) -> None:
    held_to_differences(f, AT[f])
    assert not choice.has_been_recorded(f, (AT[f],))


def test_rows_that_change() -> None:
    f, p = grad(model), AT[model]
    changes: list[Callable[[], Any]] = [
        lambda: ROWS[0][2].append(("scaled", 2, {"lo": 0.8, "hi": 1.3})),
        lambda: ROWS[0][1].__setitem__(1, 20.0),
        lambda: ROWS[0][2][0][2].update(hi=1.7),
        lambda: ROWS[1][2].__setitem__(0, ("scaled", 1, {"lo": 0.7, "hi": 1.4})),
        lambda: ROWS.append(("signal", [1.0, 2.0, 3.0], [])),
        lambda: ROWS[1][2].__setitem__(1, ("scaled", 2, {"hi": 1.2, "lo": 0.5})),
        lambda: BY_NAME.update(scaled=lambda v, a, *, lo, hi: v * (lo + hi * a * a)),
        lambda: ROWS.reverse(),
        lambda: ROWS[0][2].clear(),
        lambda: ROWS.__setitem__(0, ("signal", np.array([1.0, 2.0, 5.0]), [("scaled", 1, {"lo": 2, "hi": 3})])),
        lambda: ROWS.pop(),
    ]
    for change in changes:
        f(p)
        change()
        held_to_differences(model, p)


def test_rows_of_dicts_that_change() -> None:
    changes: list[Callable[[], Any]] = [
        lambda: TABLE[0].update(f=np.tanh),
        lambda: TABLE[0].update(by=-3.0),
        lambda: TABLE[1].update(at=0),
        lambda: TABLE[1].update(kind="of one", f=np.exp, by=0.5),
        lambda: TABLE[0].update(more="text"),
        lambda: TABLE.insert(1, {"kind": "of one", "f": math.sin, "by": 1.5}),
        lambda: TABLE.clear(),
    ]
    for change in changes:
        grad(steps)(AT[steps])
        change()
        held_to_differences(steps, AT[steps])


def test_components_that_change() -> None:
    def of_another(**given: Any) -> Any:
        return given["x"] * given["slope"] ** 2

    changes: list[Callable[[], Any]] = [
        lambda: vars(PARTS[0]).update(prefix="l_", names=["slope"], func=line),
        lambda: vars(PARTS[0]).update(prefix="g_", names=["centre", "height"], func=bump),
        lambda: setattr(line, "__defaults__", (0.0, 1.5)),
        lambda: setattr(line, "__kwdefaults__", {"power": 2.0}),
        lambda: setattr(line, "__defaults__", (0.0, X)),
        lambda: setattr(PARTS[1], "func", of_another),
        lambda: PARTS.append(Component(bump, "g_", ["height"])),
        lambda: PARTS.pop(0),
    ]
    for change in changes:
        grad(fit)(AT[fit])
        change()
        held_to_differences(fit, AT[fit])


def test_options_of_a_class_that_change() -> None:
    changes: list[Callable[[], Any]] = [
        lambda: setattr(Link, "name", "sin"),
        lambda: setattr(Link, "squared", True),
        lambda: setattr(LINK, "name", "cos"),
        lambda: delattr(LINK, "name"),
        lambda: setattr(Link, "name", property(lambda self: "tan")),
        lambda: setattr(LINK, "__class__", Other),
        lambda: setattr(LINK, "__class__", Link),
    ]
    for change in changes:
        grad(linked)(AT[linked])
        change()
        held_to_differences(linked, AT[linked])


def test_an_option_of_a_class_that_the_program_stores() -> None:
    class Mode:
        kind = "plain"

        def of(self, x: Any) -> Any:
            return x * x if self.kind == "plain" else x * x * x

    def f(x: Any, mode: Any) -> Any:
        y = mode.of(x)
        mode.kind = "cubed"
        return y * mode.of(x)

    def g(x: Any) -> Any:
        mode = Mode()
        y = mode.of(x)
        mode.kind = "cubed"
        return y * mode.of(x)

    def h(x: Any) -> Any:
        y = Mode().of(x)
        Mode.kind = "cubed"
        y = y * Mode().of(x)
        Mode.kind = "plain"
        return y

    for _ in range(3):
        assert gradient(f, 2.0, Mode())[0] == pytest.approx(5 * 2.0**4)
        assert gradient(g, 2.0)[0] == pytest.approx(5 * 2.0**4)
        assert gradient(h, 2.0)[0] == pytest.approx(5 * 2.0**4)
    changed = Mode()
    changed.kind = "cubed"
    assert gradient(f, 2.0, changed)[0] == pytest.approx(6 * 2.0**5)


def test_captured_rows() -> None:
    f: Any = captured()
    p = np.array([0.3, 0.4])
    held_to_differences(f, p)
    f.rows[0] = ("b", 2.0)
    held_to_differences(f, p)
    f.rows.append(("a", 1.0))
    held_to_differences(f, np.array([0.3, 0.4, 0.5]))


def test_rows_with_what_is_differentiated() -> None:
    def f(x: Any, n: Any) -> Any:
        rows = [("a", x), ("b", x * x)]
        rows += [("a", v) for v in range(n)]
        total = 0.0
        for name, v in rows:
            total += math.sin(v) if name == "a" else v * v
        return total

    for n in (0, 3):
        assert gradient(f, 0.7, n)[0] == pytest.approx(math.cos(0.7) + 4 * 0.7**3)


def test_rows_of_an_argument() -> None:
    def f(x: Any, rows: Any) -> Any:
        total = 0.0
        for name, w in rows:
            total += w * (math.sin(x) if name == "a" else x * x)
        return total

    for rows in ([("a", 2.0), ("b", 3.0)], [("b", 2.0)], [("c", 1.0), ("a", 1.0), ("a", 1.0)], []):
        slope = sum(w * (math.cos(0.7) if name == "a" else 1.4) for name, w in rows)
        found = gradient(f, 0.7, rows)[0]
        assert (found or 0.0) == pytest.approx(slope)


def test_rows_that_the_program_changes() -> None:
    def f(x: Any) -> Any:
        y = x
        for kind, w in LOG:
            y = y * w if kind == "times" else y + w
        LOG.append(("plus", 1.0))
        LOG[0] = ("times", LOG[0][1] + 1.0)
        return y * y

    LOG: list[Any] = [("times", 2.0)]
    expected, slope, c = list[float](), 2.0, 0.0
    for _ in range(4):
        expected.append(2 * (slope * 0.5 + c) * slope)
        slope, c = slope + 1.0, c + 1.0
    assert [gradient(f, 0.5)[0] for _ in range(4)] == pytest.approx(expected)
