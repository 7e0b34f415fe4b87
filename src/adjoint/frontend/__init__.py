"""The frontend: from an ordinary Python function to untyped IR."""

from .lower import lower, lower_code
from .source import Found, Source, find

__all__ = ["Found", "Source", "find", "lower", "lower_code"]
