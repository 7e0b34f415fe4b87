"""The frontend: from an ordinary Python function to untyped IR."""

from .beside import Kept, kept_by, remembered_by
from .lower import lower, lower_code
from .source import Found, Source, find, rebound_globals

__all__ = ["Found", "Kept", "Source", "find", "kept_by", "lower", "lower_code", "rebound_globals", "remembered_by"]
