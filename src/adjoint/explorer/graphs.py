"""The graph of a straight-line program."""

from __future__ import annotations

from .drawing import dot_of, scrolling, svg_of
from .nodes import Node


class Graph:
    """A picture, which `graph` gives, of a program's values, gradients and operations.

    Attributes
    ----------
    nodes : the values and the operations, in their order.
    edges : pairs of numbers of nodes.
    of : the number that each `grad` is the derivative of, in words: the result, or the sum of its entries; empty if the
        result has none.
    """

    def __init__(self, name: str, nodes: list[Node], edges: list[tuple[int, int]], of: str) -> None:
        self.name = name
        self.nodes = nodes
        self.edges = edges
        self.of = of

    @property
    def caption(self) -> str:
        """A sentence that says so."""
        return f"grad: derivative of {self.of}" if self.of else "no grad: the result has no derivative"

    @property
    def svg(self) -> str:
        """The picture, as text."""
        return svg_of(self.name, self.nodes, self.edges, self.caption)

    @property
    def dot(self) -> str:
        """The graph in the language of Graphviz, which is not needed."""
        return dot_of(self.name, self.nodes, self.edges, self.caption)

    def __repr__(self) -> str:
        return f"<graph of {self.name}: {len(self.nodes)} nodes>"

    def _repr_svg_(self) -> str:
        return self.svg

    def _repr_html_(self) -> str:
        return scrolling(svg_of(self.name, self.nodes, self.edges, self.caption))
