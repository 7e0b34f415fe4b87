"""The graph of a straight-line program."""

from __future__ import annotations

from typing import Any

from ..markup import Html
from ..runtime.argnums import name_of
from .drawing import dot_of, scrolling, svg_of
from .nodes import Edge, Node, nodes_of, refusal
from .pages import LIMIT


class Graph:
    """A picture, which `graph` gives, of a program's values, gradients and operations.

    Attributes
    ----------
    svg : the picture, as text.
    nodes : the values and the operations, in their order.
    edges : pairs of numbers of nodes.
    operands : the edges whose order tells, each with the number or the name of the operand that it is of its operation;
        several where one value is more than one of them.
    of : the number that each `grad` is the derivative of, in words: the result, or the sum of its entries; empty if the
        result has none.
    """

    def __init__(self, name: str, nodes: list[Node], edges: dict[Edge, str], of: str) -> None:
        self.name = name
        self.nodes = nodes
        self.edges: list[Edge] = [*edges]
        self.operands = {edge: operand for edge, operand in edges.items() if operand}
        self.of = of
        self.svg: str = svg_of(name, nodes, edges, self.caption)

    @property
    def caption(self) -> str:
        """A sentence that says so."""
        return f"grad: derivative of {self.of}" if self.of else "no grad: the result has no derivative"

    @property
    def dot(self) -> str:
        """The graph in the language of Graphviz, which is not needed."""
        return dot_of(self.name, self.nodes, dict.fromkeys(self.edges, "") | self.operands, self.caption)

    def __repr__(self) -> str:
        return f"<graph of {self.name}: {len(self.nodes)} nodes>"

    def _repr_svg_(self) -> str:
        return self.svg

    def _repr_html_(self) -> str:
        return scrolling(Html(self.svg))


def graph_of(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Graph:
    """The graph of a call, whose picture has at most `LIMIT` bytes."""
    found = Graph(name_of(f), *nodes_of(f, args, kwargs))
    if len(found.svg.encode()) > LIMIT:
        raise refusal(f, f"has a picture of more than {LIMIT / 1e6:g} MB", "so many lines are not to be followed in it")
    return found
