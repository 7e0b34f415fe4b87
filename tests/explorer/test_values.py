"""The value and the cotangent shown at a line are those of the variable there, as `gradient_hook` tells them."""

from __future__ import annotations

import ast
import copy
import inspect
import itertools
import linecache
import textwrap
from typing import Any

import numpy as np
import pytest

import adjoint
from adjoint.calculus import gradient_hook
from adjoint.explorer import exploration, followed
from adjoint.explorer.exploration import Findings, explored
from adjoint.explorer.shown import shown
from explorer import programs
from explorer.programs import PROGRAMS

numbers = itertools.count()
IDS = [f"{f.__name__}-{i}" for i, (f, _) in enumerate(PROGRAMS)]


class Hooks(ast.NodeTransformer):
    """Lets each number and array that gets a name go through a hook of its own."""

    def __init__(self) -> None:
        self.bars: dict[tuple[int, str], list[Any]] = {}
        self.scope: dict[str, Any] = {}

    def after(self, node: Any, targets: list[Any], at: Any = None) -> Any:
        names = [n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
        made: list[Any] = [self.generic_visit(node)]
        for name in dict.fromkeys(names):
            made += ast.parse(f"{name} = {self.hook(node.lineno, name)}({name})").body
        return made

    def hook(self, line: int, name: str) -> str:
        """The name of the hook of a name on a line."""
        bars = self.bars.setdefault((line, name), [])
        self.scope[f"hook_{line}_{name}"] = gradient_hook(lambda bar: bars.append(copy.deepcopy(bar)))
        return f"hook_{line}_{name}"

    def visit_Assign(self, node: ast.Assign) -> Any:
        if isinstance(node.value, ast.Constant):  # nothing flows on from a constant: its hook may be called, or not
            return node
        return self.after(node, node.targets)

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        return self.after(node, [node.target])

    def visit_NamedExpr(self, node: ast.NamedExpr) -> Any:
        hook = ast.Name(self.hook(node.lineno, node.target.id), ast.Load())
        return ast.NamedExpr(node.target, ast.Call(hook, [self.visit(node.value)], []))


def hooked(f: Any) -> tuple[Any, dict[tuple[int, str], list[Any]]]:
    """A function with hooks, and the cotangents that these are given, in the order of the reverse pass."""
    lines, first = inspect.getsourcelines(f)
    tree = ast.parse(textwrap.dedent("".join(lines)))
    ast.increment_lineno(tree, first - 1)
    hooks = Hooks()
    text = ast.unparse(ast.fix_missing_locations(hooks.visit(tree)))
    filename = f"hooked_{next(numbers)}.py"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    scope = {**vars(programs), **hooks.scope, "__name__": "hooked"}
    exec(compile(text, filename, "exec"), scope)
    return scope[f.__name__], hooks.bars


def looked_into(monkeypatch: pytest.MonkeyPatch, f: Any, args: Any) -> Findings:
    """What is found, with the values themselves in place of their texts."""
    monkeypatch.setattr(followed, "shown", copy.deepcopy)
    return explored(f, args, {}, None, False, False)


def is_number(x: Any) -> bool:
    return isinstance(x, float | np.floating) or isinstance(x, np.ndarray) and x.dtype.kind == "f"


def same(a: list[Any], b: list[Any]) -> bool:
    return len(a) == len(b) and all(np.allclose(x, y, rtol=1e-9, atol=1e-12) for x, y in zip(a, b, strict=True))


def nonzero(bars: list[Any]) -> list[Any]:
    return [bar for bar in bars if bar is not None and np.any(bar)]


def differences(found: Findings, bars: dict[tuple[int, str], list[Any]]) -> list[str]:
    """Where what is shown is not what the hooks were given, for all that are numbers."""
    wrong = []
    for (line, name), given in bars.items():
        tracks = {k.line: t for k, t in found.followed.tracks.items() if k.file == 0}
        track = tracks.get(line, {}).get(name)
        moments = [] if track is None else list(track.moments())
        if moments and not is_number(moments[-1].value):
            continue
        shown = nonzero([moment.bar for moment in moments])
        if not same(shown, nonzero(given[::-1])):
            wrong.append(f"{line} {name}: shown {shown}, given {given[::-1]}")
    return wrong


@pytest.mark.parametrize(("f", "args"), PROGRAMS, ids=IDS)
def test_cotangents_are_those_of_hooks(monkeypatch: pytest.MonkeyPatch, f: Any, args: Any) -> None:
    with_hooks, bars = hooked(f)
    expected = f(*copy.deepcopy(args))
    y, back = adjoint.pullback(with_hooks, *copy.deepcopy(args))
    assert np.isclose(y, expected)
    back(1.0)
    found = looked_into(monkeypatch, f, copy.deepcopy(args))
    assert len(bars) >= 2
    assert differences(found, bars) == []


@pytest.mark.parametrize(("f", "args"), PROGRAMS, ids=IDS)
def test_arguments_and_result_are_those_of_the_gradient(monkeypatch: pytest.MonkeyPatch, f: Any, args: Any) -> None:
    monkeypatch.setattr(exploration, "shown", copy.deepcopy)
    given = copy.deepcopy(args)
    found = looked_into(monkeypatch, f, given)
    assert all(np.array_equal(a, b) for a, b in zip(given, args, strict=True)), "an argument was changed"
    bars = adjoint.gradient(f, *copy.deepcopy(args))
    for (_, _, seen), bar in zip(found.arguments, bars, strict=True):
        if is_number(bar) and np.any(bar):
            assert np.allclose(seen, bar)
    assert np.isclose(found.value, f(*copy.deepcopy(args)))  # type: ignore[call-overload]


def test_a_wrong_cotangent_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    with_hooks, bars = hooked(programs.loop)
    adjoint.pullback(with_hooks, 1.2, 5)[1](1.0)
    right = followed._note

    def planted(moment: Any, bar: Any) -> None:
        right(moment, None if bar is None else bar * 1.001)

    monkeypatch.setattr(followed, "_note", planted)
    found = looked_into(monkeypatch, programs.loop, (1.2, 5))
    assert len(differences(found, bars)) == 2


def line_of(f: Any, text: str) -> int:
    lines, first = inspect.getsourcelines(f)
    return first + next(i for i, line in enumerate(lines) if text in line)


def moments_at(found: Findings, f: Any, text: str, name: str) -> list[Any]:
    line = line_of(f, text)
    tracks = next(t for k, t in found.followed.tracks.items() if k.line == line)
    return list(tracks[name].moments())


def test_stores_show_what_they_change(monkeypatch: pytest.MonkeyPatch) -> None:
    found = looked_into(monkeypatch, programs.stores, (1.3,))
    values = moments_at(found, programs.stores, "a[i] =", "a")
    assert [m.value.tolist() for m in values][-1] == pytest.approx([1.3, 2.6, 3.9, 5.2])
    # c = (a[0]**2 + x + a[2]**2 + a[3]**2), and the result is c * x
    assert values[-1].bar.tolist() == pytest.approx([2 * 1.3 * 1.3, 0.0, 2 * 3.9 * 1.3, 2 * 5.2 * 1.3])
    after = moments_at(found, programs.stores, "b[1] = x", "b")
    assert after[0].bar.tolist() == pytest.approx([1.3] * 4)


def test_lists_and_objects_show_what_they_change(monkeypatch: pytest.MonkeyPatch) -> None:
    found = looked_into(monkeypatch, programs.taped, ([1.0, 2.0, 3.0], 1.5))
    (appended,) = moments_at(found, programs.taped, "rows.append", "rows")
    assert appended.value == pytest.approx([3.0, 2.0, 3.0, 9.0]) and appended.bar == pytest.approx([1.5] * 4)
    found = looked_into(monkeypatch, programs.objects, (1.5, 0.5))
    (stored,) = moments_at(found, programs.objects, "p.x =", "p")
    assert stored.value.x == pytest.approx(np.hypot(0.75, 0.5) * 0.5)
    n = np.hypot(stored.value.x, 0.5)
    assert stored.bar.x == pytest.approx(n + stored.value.x**2 / n)


def test_a_loop_shows_its_first_and_last_visits(monkeypatch: pytest.MonkeyPatch) -> None:
    found = looked_into(monkeypatch, programs.loop, (1.01, 100))
    line = line_of(programs.loop, "y = y * x + k")
    track = next(t for k, t in found.followed.tracks.items() if k.line == line)["y"]
    assert track.visits == 100
    assert [m.visit for m in track.moments()] == [1, 2, 3, 4, 97, 98, 99, 100]
    assert track.first[0].bar == pytest.approx(1.01**99) and track.last[-1].bar == 1.0


def of_numbers(x: float, n: int) -> float:
    y = x
    for _ in range(n):
        y = y * x
    return y


def of_arrays(x: float, n: int) -> Any:
    y = np.full(1000, x)
    for _ in range(n):
        y = y * x
        y[0] = x
    return y.sum()


def of_containers(x: float, n: int) -> Any:
    pair = x, x
    row: list[Any] = [np.array([x]), [x]]
    found: dict[str, Any] = {"a": x, "b": "text"}
    for _ in range(n):
        pair = pair[1], pair[0] * x
        row = [row[0] * x, [x, x]]
        row[1] = [pair[0]]
        found = {"a": pair[0] * row[1][0], "b": "other"}
        found["a"] = found["a"] + row[0].sum()
    return pair[0] * found["a"]


@pytest.mark.parametrize("f", [of_numbers, of_arrays, of_containers])
def test_values_that_are_not_shown_have_no_text(monkeypatch: pytest.MonkeyPatch, f: Any) -> None:
    def told(n: int) -> int:
        texts = 0

        def counted(x: Any) -> Any:
            nonlocal texts
            texts += 1
            return shown(x)

        monkeypatch.setattr(followed, "shown", counted)
        explored(f, (1.01, n), {}, None, False, False)
        return texts

    assert told(20) == told(200)


def test_values_that_are_not_shown_are_not_held() -> None:
    track = followed.Track("y")
    moments = [track.note(np.full(4, float(i))) for i in range(20)]
    held = [moment.visit for moment in moments if moment._held is not None]
    assert held == [1, 2, 3, 4, 17, 18, 19, 20]
    assert [m.value.short for m in track.moments()][-1] == "(4,) float64 [19., 19., 19., 19.]"


def test_values_of_containers_are_those_of_their_visit() -> None:
    def filled(x: float) -> float:
        rows = [[x], [x]]
        d = {"a": [x]}
        for i in range(2):
            rows[1][0] = x * i
            d["a"][0] = x + i
        return rows[1][0] * d["a"][0]

    found = explored(filled, (2.0,), {}, None, False, False)
    assert [m.value.short for m in moments_at(found, filled, "rows = ", "rows")] == ["[[2], [2]]"]
    assert [m.value.short for m in moments_at(found, filled, "d = ", "d")] == ["{'a': [2]}"]
    assert [m.value.short for m in moments_at(found, filled, "rows[1][0] =", "rows[1]")] == ["[0]", "[2]"]
    assert [m.value.short for m in moments_at(found, filled, 'd["a"][0] =', "d['a']")] == ["[2]", "[3]"]


def test_a_value_is_the_one_of_its_visit() -> None:
    def filled(x: float) -> float:
        a = np.zeros(3)
        for i in range(3):
            a[i] = x * i
        return float(a.sum())

    found = explored(filled, (2.0,), {}, None, False, False)
    line = line_of(filled, "a[i] = x * i")
    track = next(t for k, t in found.followed.tracks.items() if k.line == line)["a"]
    assert [m.value.short.partition("float64 ")[2] for m in track.moments()] == [
        "[0., 0., 0.]",
        "[0., 2., 0.]",
        "[0., 2., 4.]",
    ]


def test_another_cotangent() -> None:
    found = explored(programs.straight, (0.7, 1.3), {}, 2.0, True, False)
    once = explored(programs.straight, (0.7, 1.3), {}, None, False, False)
    assert found.arguments[0][2] is not None and once.arguments[0][2] is not None
    assert float(found.arguments[0][2].short) == pytest.approx(2 * float(once.arguments[0][2].short), rel=1e-4)
    with pytest.raises(adjoint.errors.CotangentError):
        explored(programs.straight, (0.7, 1.3), {}, [1.0, 2.0], True, False)
