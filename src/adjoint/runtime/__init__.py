"""The knot between rules and engine: `call_pullback` finds or generates the rule of any callable."""

from . import blame, callables, captures, fields, initialise, meanings, nesting, remembering, second_order, stars
from .dispatch import call_pullback

__all__ = [
    "blame",
    "call_pullback",
    "callables",
    "captures",
    "fields",
    "initialise",
    "meanings",
    "nesting",
    "remembering",
    "second_order",
    "stars",
]
