"""A page on the derivative of a call, line by line, and a picture of programs without control flow."""

from .entry import explore, graph

__all__ = ["explore", "graph"]
