"""The frontend: from an ordinary Python function to untyped IR."""

from .lower import lower, lower_code
from .source import Found, Source, find, rebound_globals

__all__ = ["Found", "Source", "find", "lower", "lower_code", "rebound_globals"]
