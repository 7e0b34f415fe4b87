"""Models as trees: what they are made of, and what has the structure of one; `adjoint.nn.tree` is the public face."""

from .nodes import is_number, is_parameter
from .plans import every_place, first_places
from .structure import IsLeaf, Node, Structure, check_function, structure_of
from .values import build, collect, gather, scatter, values_of
from .vectors import OfNumbers, OfVector, Unravel, are_parameters, ravel, ravel_like

__all__ = [
    "IsLeaf",
    "Node",
    "OfNumbers",
    "OfVector",
    "Structure",
    "Unravel",
    "are_parameters",
    "build",
    "check_function",
    "collect",
    "every_place",
    "first_places",
    "gather",
    "is_number",
    "is_parameter",
    "ravel",
    "ravel_like",
    "scatter",
    "structure_of",
    "values_of",
]
