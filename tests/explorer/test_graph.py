"""The graph of a straight-line program: values, gradients, layout, SVG and DOT."""

from __future__ import annotations

import html
import linecache
import math
import random
import re
import xml.etree.ElementTree as ET
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import adjoint
from adjoint.errors import MutationError, SourceUnavailableError, UnsupportedSyntaxError
from adjoint.explorer import graphs
from adjoint.explorer.drawing import strokes
from adjoint.explorer.layering import laid_out
from adjoint.explorer.shown import shown
from adjoint.inspect import graph
from explorer.programs import PROGRAMS, arrays, branch, calls, loop, straight, unpacked


def neuron(x1: float, x2: float, w1: float, w2: float, b: float) -> float:
    s = x1 * w1 + x2 * w2 + b
    e = math.exp(2.0 * s)
    out = (e - 1.0) / (e + 1.0)
    return out


def named(found: Any, label: str) -> Any:
    return next(node for node in found.nodes if node.label == label and not node.is_operation)


def test_the_neuron_of_micrograd() -> None:
    found = graph(neuron, 2.0, 0.0, -3.0, 1.0, 6.8813735870195432)
    bars = {name: float(named(found, name).bar.short) for name in ("x1", "x2", "w1", "w2", "b", "s", "out")}
    assert bars == pytest.approx(
        {"x1": -1.5, "x2": 0.5, "w1": 1.0, "w2": 0.0, "b": 0.5, "s": 0.5, "out": 1.0}, abs=1e-5
    )
    assert named(found, "out").value.short == "0.707107"
    assert [node.label for node in found.nodes if node.is_operation][:3] == ["x1 × w1", "x2 × w2", "· + ·"]


@pytest.mark.parametrize(("f", "args"), [p for p in PROGRAMS if p[0] in (straight, calls, arrays, unpacked)])
def test_gradients_of_arguments_are_those_of_the_gradient(f: Any, args: Any) -> None:
    from adjoint.explorer.shown import shown

    found = graph(f, *args)
    for node, bar in zip(found.nodes, adjoint.gradient(f, *args), strict=False):
        assert node.bar.short == shown(bar).short


def test_a_value_that_is_read_twice_has_the_sum() -> None:
    found = graph(lambda a: a * a + a, 3.0)
    assert found.nodes[0].bar.short == "7"
    assert [edge for edge in found.edges if edge[0] == 0] == [(0, 1), (0, 3)]


def operands_of(found: Any, sign: str) -> dict[str, str]:
    """The operands of an operation, each with the text of its value: of what DOT says, and of what the picture does."""
    (i,) = [i for i, node in enumerate(found.nodes) if node.is_operation and sign in node.label]
    in_dot = re.findall(rf'^  n(\d+) -> n{i} \[label="(.*)"\];$', found.dot, re.M)
    assert {(int(a), i): text for a, text in in_dot} == {e: text for e, text in found.operands.items() if e[1] == i}
    texts = [element.text for element in ET.fromstring(found.svg).iter() if element.get("font-size") == "10"]
    assert sorted(map(str, texts)) == sorted(found.operands.values())
    return {text: found.nodes[int(a)].value.short for a, text in in_dot}


@pytest.mark.parametrize(
    ("f", "sign", "operands"),
    [
        (lambda x, y: (-x) ** 2 - y[0] * y[1], " − ", {"1": "4", "2": "12"}),
        (lambda x, y: y[0] * y[1] - (-x) ** 2, " − ", {"1": "12", "2": "4"}),
        (lambda x, y: y[0] / y[1], "÷", {"1": "3", "2": "4"}),
        (lambda x, y: y[1] ** y[0], "^", {"1": "4", "2": "3"}),
        (lambda x, y: y[1] // y[0], "//", {"1": "4", "2": "3"}),
        (lambda x, y: y[0] % y[1], "mod", {"1": "3", "2": "4"}),
        (lambda x, y: math.atan2(y[0], y[1]), "atan2", {"1": "3", "2": "4"}),
        (lambda x, y: (x * 5.0) * (x * 5.0) * (y[0] - y[0]), "−", {"1": "3", "2": "3"}),
        (lambda x, y: y[0] * y[1] + y[0], "+", {}),
        (lambda x, y: y[0] - 1.0, "−", {}),
        (lambda x, y: np.clip(y[0], a_max=x, a_min=y[1]), "clip", {"1": "3", "a_max": "2", "a_min": "4"}),
        (lambda x, y: ([x * 2.0] + y)[0], "+", {"1": "[4]", "2": "[3, 4]"}),
    ],
)
def test_operands_have_their_numbers_where_the_order_tells(f: Any, sign: str, operands: dict[str, str]) -> None:
    assert operands_of(graph(f, 2.0, [3.0, 4.0]), sign) == operands


def test_a_value_that_is_both_operands_is_both() -> None:
    def f(x: float) -> float:
        z = x * 2.0
        return z - z

    found = graph(f, 3.0)
    assert operands_of(found, "−") == {"1, 2": "6"}
    (edge,) = found.operands
    assert found.edges.count(edge) == 1


def test_checks_are_no_operations() -> None:
    found = graph(lambda x, y: x**y, 2.0, 3.0)
    assert [node.label for node in found.nodes] == ["x", "y", "x ^ y", ""]
    assert found.nodes[0].bar.short == "12" and found.nodes[-1].value.short == "8"


def test_what_carries_nothing_has_no_gradient() -> None:
    def f(x: Any) -> Any:
        n = x.shape[0]
        return x.sum() / n

    found = graph(f, np.ones(3))
    assert named(found, "n").bar is None and "n | value\\ 3 | grad\\ –" in found.dot
    found = graph(lambda x, name: x * len(name), 2.0, "ab")
    assert not named(found, "name").carries and "name | value\\ 'ab' }" in found.dot


@pytest.mark.parametrize("f", [branch, loop])
def test_control_flow_is_refused(f: Any) -> None:
    with pytest.raises(UnsupportedSyntaxError, match="and is not drawn as a graph") as caught:
        graph(f, 1.5, 2)
    assert f"adjoint.explore({f.__name__}, ...)" in caught.value.way_out


def test_what_is_too_large_is_refused() -> None:
    text = "def f(x):\n" + "    x = x * x\n" * 201 + "    return x\n"
    import linecache

    linecache.cache["wide.py"] = (len(text), None, text.splitlines(keepends=True), "wide.py")
    scope: dict[str, Any] = {}
    exec(compile(text, "wide.py", "exec"), scope)
    with pytest.raises(UnsupportedSyntaxError, match="has more than 400 values and operations"):
        graph(scope["f"], 0.5)


def chain_of(n: int) -> Any:
    text = "def chain(x, y):\n    z = x\n" + "    z = y * z\n" * n + "    return z\n"
    linecache.cache[f"chain{n}.py"] = (len(text), None, text.splitlines(keepends=True), f"chain{n}.py")
    scope: dict[str, Any] = {}
    exec(compile(text, f"chain{n}.py", "exec"), scope)
    return scope["chain"]


def test_a_chain_is_drawn_in_a_row_and_its_picture_grows_as_it_does() -> None:
    """One value is read in each layer: its edges have one point in each together."""
    short, long = graph(chain_of(40), 1.0, 1.0), graph(chain_of(160), 1.0, 1.0)
    assert len(long.svg) < 4.2 * len(short.svg) and len(long.svg) < 200_000
    layout = laid_out([(60.0, 40.0)] * len(long.nodes), long.edges)
    assert len({spot for path in layout.edges for spot in path}) < 2 * len(long.nodes)
    assert layout.height < 200.0


def test_edges_of_one_node_are_drawn_once_where_they_run_together() -> None:
    layout = laid_out([(10.0, 10.0)] * 5, [(0, 1), (1, 2), (2, 3), (3, 4), (0, 3), (0, 4)])
    steps = {step for path in layout.edges for step in pairwise(path)}
    drawn = [step for path in strokes(layout) for step in pairwise(path)]
    assert len(drawn) == len(set(drawn)) and set(drawn) == steps
    assert sum([len(path) - 1 for path in layout.edges]) > len(drawn)


def test_a_picture_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graphs, "LIMIT", 10_000)
    assert graph(chain_of(2), 1.0, 1.0).nodes
    with pytest.raises(UnsupportedSyntaxError, match="`chain` has a picture of more than 0.01 MB") as caught:
        graph(chain_of(40), 1.0, 1.0)
    assert "adjoint.explore(chain, ...)" in caught.value.way_out


def test_nothing_is_changed() -> None:
    rows = [1.0, 2.0]

    def f(rows: Any, y: float) -> float:
        rows.append(y)
        return rows[0] * y

    with pytest.raises(MutationError, match="`f` changes `rows`, a list that others can see"):
        graph(f, rows, 2.0)
    assert rows == [1.0, 2.0]


@pytest.mark.parametrize(
    ("f", "x", "of"),
    [
        (lambda x: x * x, 2.0, "the result"),
        (lambda x: x * 2.0, np.ones(3), "the sum of the result's entries"),
        (lambda x: (x, [x * x]), 2.0, "the sum of the result's numbers"),
        (lambda x: x * (1.0 + 2.0j), 2.0, "the real part of the result"),
        (lambda x: x > 1.0, 2.0, ""),
    ],
)
def test_the_caption_says_what_gradients_are_of(f: Any, x: Any, of: str) -> None:
    found, step = graph(f, x), 1e-6

    def number(x: Any) -> float:
        y = f(x)
        return float(np.real(y[0] + y[1][0] if isinstance(y, tuple) else np.sum(y)))

    assert found.of == of
    for text in (found.svg, found.dot, found._repr_html_()):
        assert html.unescape(text).count(found.caption) == 1
    if of:
        assert found.caption == f"grad: derivative of {of}"
        slope = (number(x + step) - number(x - step)) / (2 * step * np.size(x))
        bar = np.full(np.shape(x), round(slope, 4))
        assert named(found, "x").bar.short == shown(bar if bar.shape else float(bar)).short
    else:
        assert found.caption == "no grad: the result has no derivative" and "grad –" not in found.svg


EVIL = '</text><script>alert(1)</script>"|{}<>\\ &'


def test_svg_and_dot_are_escaped() -> None:
    def f(x: float, name: str) -> float:
        return x * len(name) + len(EVIL)

    found = graph(f, 2.0, EVIL)
    tree = ET.fromstring(found.svg)
    assert {element.tag.rpartition("}")[2] for element in tree.iter()} == {"svg", "title", "path", "g", "rect", "text"}
    assert not any(name.startswith("on") for element in tree.iter() for name in element.attrib)
    labels = re.findall(r'label="((?:[^"\\]|\\.)*)"\];$', found.dot, re.M)
    assert len(labels) == len(found.nodes)
    fields = [re.sub(r"\\.", "", label) for label in labels if label.startswith("{")]
    assert all(not set("{}<>") & set(field[1:-1]) for field in fields)
    assert "<script" not in found._repr_html_() and found._repr_svg_() == found.svg


def test_what_hides_is_seen_in_both_texts() -> None:
    """A letter of Korean that is not seen may be in a name, and anything in that of a function."""
    text, scope = "def f(x\u1160):\n    return x\u1160 * 2.0\n", dict[str, Any]()
    linecache.cache["fillers.py"] = (len(text), None, text.splitlines(keepends=True), "fillers.py")
    exec(compile(text, "fillers.py", "exec"), scope)
    f = scope["f"]
    f.__name__ = "f\u202e\u061c\u2028"
    found = graph(f, 2.0)
    for text in (found.svg, found.dot):
        assert not set("\u202e\u061c\u2028\u1160") & set(text)
        assert "f⟨202E⟩⟨061C⟩⟨2028⟩" in text and "x⟨1160⟩" in text


def test_nodes_do_not_overlap_and_edges_lead_to_the_right() -> None:
    rng = random.Random(0)
    for n in (1, 5, 30, 120):
        sizes = [(rng.uniform(20, 200), rng.uniform(20, 40)) for _ in range(n)]
        edges = sorted({(rng.randrange(b), b) for b in range(1, n) for _ in range(2)})
        layout = laid_out(sizes, edges)
        for a, b in edges:
            first, second = layout.spots[a], layout.spots[b]
            assert first.x + first.width / 2 < second.x - second.width / 2
        boxes = [(s.x - s.width / 2, s.x + s.width / 2, s.y - s.height / 2, s.y + s.height / 2) for s in layout.spots]
        for i, (x0, x1, y0, y1) in enumerate(boxes):
            assert x0 >= -1e-6 and x1 <= layout.width + 1e-6 and y0 >= -1e-6 and y1 <= layout.height + 1e-6
            assert not any(x0 < v1 and v0 < x1 and y0 < w1 and w0 < y1 for v0, v1, w0, w1 in boxes[:i])


def test_a_layout_that_overlaps_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    from adjoint.explorer import layering

    monkeypatch.setattr(layering, "_apart", lambda layer, wanted: iter(wanted))
    with pytest.raises(AssertionError):
        test_nodes_do_not_overlap_and_edges_lead_to_the_right()


def test_arguments_by_name_and_defaults_have_their_own_values_and_gradients() -> None:
    def f(a: float, b: float = 2.0, c: float = 3.0) -> float:
        return a * a * c - b * a

    for found in (graph(f, b=1.0, a=3.0), graph(f, 3.0, 1.0, 3.0), graph(f, 3.0, c=3.0, b=1.0)):
        nodes = [line for line in found.dot.splitlines() if "value" in line][:3]
        assert [
            line[line.index("{") + 2 : line.index(" }")].replace("\\\\", "\\").replace("−", "-") for line in nodes
        ] == ["a | value\\ 3 | grad\\ 17", "b | value\\ 1 | grad\\ -3", "c | value\\ 3 | grad\\ 9"]


def numbers_of(x: float) -> Any:
    yield x


def capturing(x: float) -> float:
    def inner(u: float) -> float:
        return u * x

    return inner(2.0)


def storing(a: Any, k: float) -> Any:
    a[0] = a[0] * k
    return a.sum()


@pytest.mark.parametrize(
    ("f", "args", "error"),
    [
        (storing, (np.ones(3), 2.0), MutationError),
        (numbers_of, (2.0,), UnsupportedSyntaxError),
        (capturing, (2.0,), UnsupportedSyntaxError),
    ],
)
def test_what_is_not_drawn_is_to_be_explored(f: Any, args: Any, error: type[Exception]) -> None:
    with pytest.raises(error) as found:
        graph(f, *args)
    assert found.value.way_out == f"look into it line by line: `adjoint.explore({f.__name__}, ...)`"  # type: ignore[attr-defined]
    assert "certain types" not in str(found.value)
    assert adjoint.explore(f, *args).refused == ""


@pytest.mark.parametrize("show", [graph, adjoint.explore])
@pytest.mark.parametrize("transform", [adjoint.vmap, adjoint.checkpoint])
def test_of_a_transformed_function_that_function_is_shown(show: Any, transform: Any) -> None:
    with pytest.raises(SourceUnavailableError, match="what is to be shown is") as found:
        show(transform(neuron), *np.ones((5, 3)))
    assert found.value.way_out == "give `neuron` itself, with the arguments of one of its calls"


def test_a_constant_result_has_a_node() -> None:
    def f(x: float) -> float:
        y = 3.0
        return y

    found = graph(f, 2.0)
    assert "result | value\\ 3 | grad\\ 1" in found.dot and "x | value\\ 2 | grad\\ –" in found.dot
    assert [node.label for node in graph(lambda x: "a", 2.0).nodes] == ["x", "result"]
