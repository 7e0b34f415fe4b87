"""A graph as SVG, drawn by our own layout, and as text in the language of Graphviz."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from ..markup import Html, element, seen
from .layering import Layout, Spot, laid_out
from .nodes import Edge, Node

LETTER, ROW, PAD = 7.3, 17.0, 8.0
"""The width of a letter, the height of a row of text, and the room in a node."""
STRAIGHT = 0.5
"""A path that goes up or down by no more than this is drawn as one line."""
COLORS = {"value": "#2f81f7", "grad": "#d9622b"}


def cells_of(node: Node) -> list[tuple[str, str]]:
    """Text of a node: parts, each with its kind."""
    if node.is_operation:
        return [("", node.label)]
    parts = [("", node.label)] if node.label else []
    if node.value is not None:
        parts.append(("value", node.value.short))
    return [*parts, ("grad", "–" if node.bar is None else node.bar.short)] if node.carries else parts


def svg_of(name: str, nodes: list[Node], edges: dict[Edge, str], caption: str) -> Html:
    """The picture: values as boxes, operations as rounded ones, at edges the operands that they are; below them a
    caption."""
    sizes = [_size(node) for node in nodes]
    layout = laid_out(sizes, [*edges])
    shapes = [*[_curve(path) for path in strokes(layout)], *[_node(node, layout, i) for i, node in enumerate(nodes)]]
    width = max(layout.width, len(caption) * LETTER) + 2 * PAD
    height = layout.height + 2 * PAD + ROW
    below = element("text", caption, x=0, y=f"{layout.height + ROW + 2:.0f}", fill="currentColor", fill_opacity="0.7")
    return element(
        "svg",
        element("title", f"the graph of {name}"),
        *shapes,
        *[_operand(path, text) for path, text in zip(layout.edges, edges.values(), strict=True) if text],
        below,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"{-PAD:g} {-PAD:g} {width:.0f} {height:.0f}",
        width=f"{width:.0f}",
        height=f"{height:.0f}",
        role="img",
        aria_label=f"the graph of {name}: {len(nodes)} nodes",
        font_family="ui-monospace, Menlo, Consolas, monospace",
        font_size="12",
    )


def _parts(node: Node) -> tuple[str, list[tuple[str, str]]]:
    """The name of a node, and the rows beside it: its value, and below that its gradient."""
    cells = cells_of(node)
    name = "".join([text for kind, text in cells if not kind])
    return name, [cell for cell in cells if cell[0]]


def _size(node: Node) -> tuple[float, float]:
    name, rows = _parts(node)
    wide = [len(name), max([len(text) for _, text in rows], default=0)]
    return sum([n * LETTER + 2 * PAD for n in wide if n]), ROW * max(len(rows), 1) + 6


def strokes(layout: Layout) -> Iterator[list[Spot]]:
    """The edges, each without the part that another one has drawn: the longest of a node come first."""
    drawn: set[tuple[Spot, Spot]] = set()
    for path in sorted(layout.edges, key=len, reverse=True):
        steps = [*pairwise(path)]
        left = [step for step in steps if step not in drawn]  # the end of it: paths of one node begin alike
        drawn.update(left)
        if left:
            yield [left[0][0], *[second for _, second in left]]


def _curve(path: list[Spot]) -> Html:
    ends = [(spot.x + side * spot.width / 2, spot.y) for spot in path for side in (-1, 1)]
    points = bends(ends[1:-1])
    text = f"M{points[0][0]:.1f},{points[0][1]:.1f}"
    for (x0, y0), (x1, y1) in pairwise(points):
        middle = (x0 + x1) / 2
        text += f" C{middle:.1f},{y0:.1f} {middle:.1f},{y1:.1f} {x1:.1f},{y1:.1f}" if y0 != y1 else f" H{x1:.1f}"
    return element("path", d=text, fill="none", stroke="currentColor", stroke_opacity="0.45")


def _operand(path: list[Spot], text: str) -> Html:
    """The operand that an edge is, above the middle of its last step: no other edge goes there."""
    before, after = path[-2:]
    x = (before.x + before.width / 2 + after.x - after.width / 2) / 2
    at = {"x": f"{x:.1f}", "y": f"{(before.y + after.y) / 2 - 3:.1f}"}
    return element("text", text, **at, text_anchor="middle", fill="currentColor", font_size="10")


def bends(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """The points of a path without those that it goes straight through.

    >>> bends([(0.0, 0.0), (1.0, 5.0), (2.0, 5.1), (3.0, 5.0), (4.0, 0.0)])
    [(0.0, 0.0), (1.0, 5.0), (3.0, 5.0), (4.0, 0.0)]
    """
    kept = points[:1]
    for (x, y), (_, after) in pairwise(points[1:]):
        if max(abs(y - kept[-1][1]), abs(after - kept[-1][1])) > STRAIGHT:
            kept.append((x, y))
    return [*kept, *points[1:][-1:]]


def _node(node: Node, layout: Layout, i: int) -> Html:
    spot = layout.spots[i]
    x, y = spot.x - spot.width / 2, spot.y - spot.height / 2
    box = element(
        "rect", x=f"{x:.1f}", y=f"{y:.1f}", width=f"{spot.width:.1f}", height=f"{spot.height:.1f}",
        rx=f"{spot.height / 2:g}" if node.is_operation else "4", fill="currentColor",
        fill_opacity="0.13" if node.is_operation else "0.03", stroke="currentColor", stroke_opacity="0.5",
    )  # fmt: skip
    return element("g", element("title", node.title), box, *_texts(node, x, spot))


def _texts(node: Node, x: float, spot: Spot) -> Iterator[Html]:
    name, rows = _parts(node)
    if name:
        width = len(name) * LETTER + 2 * PAD
        yield _text(name, x + width / 2, spot.y, "currentColor", None if node.is_operation else "600")
        x += width
        if rows:
            path = f"M{x:.1f},{spot.y - spot.height / 2:.1f} v{spot.height:.1f}"
            yield element("path", d=path, stroke="currentColor", stroke_opacity="0.3")
    middle = (x + spot.x + spot.width / 2) / 2
    for i, (kind, text) in enumerate(rows):
        yield _text(text, middle, spot.y + (i - (len(rows) - 1) / 2) * ROW, COLORS[kind])


def _text(text: str, x: float, y: float, fill: str, weight: str | None = None) -> Html:
    at = {"x": f"{x:.1f}", "y": f"{y + 4:.1f}"}
    return element("text", text, **at, text_anchor="middle", fill=fill, font_weight=weight)


def dot_of(name: str, nodes: list[Node], edges: dict[Edge, str], caption: str) -> str:
    """The graph as text, for Graphviz or whoever reads its language."""
    lines = [f"digraph {_quoted(name)} {{", "  rankdir=LR;", '  node [fontname="monospace"];']
    for i, node in enumerate(nodes):
        if node.is_operation:
            lines.append(f"  n{i} [shape=ellipse, label={_quoted(node.label)}];")
        else:
            cells = [f"{kind} {text}".strip() for kind, text in cells_of(node)]
            label = " | ".join([_in_record(cell) for cell in cells])
            lines.append(f'  n{i} [shape=record, label="{{ {label} }}"];')
    for (a, b), operand in edges.items():
        lines.append(f"  n{a} -> n{b}{f' [label={_quoted(operand)}]' if operand else ''};")
    lines.append(f"  label={_quoted(caption)};")
    return "\n".join([*lines, "}"]) + "\n"


def _quoted(text: str) -> str:
    plain = seen(text).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{plain}"'


def _in_record(text: str) -> str:
    """Text within a record's label, where some characters divide it."""
    return "".join([f"\\{c}" if c in '\\{}|<>" ' else c for c in seen(text).replace("\n", " ")])


def scrolling(svg: Html) -> Html:
    """A picture that scrolls where it is wider than the page."""
    return element("div", svg, style="overflow-x:auto")
