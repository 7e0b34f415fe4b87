"""The frontend: from an ordinary Python function to untyped IR."""

from .beside import Kept, kept_by, remembered_by
from .course import Course, course_by, stored_at_each_call
from .lower import lower, lower_code
from .source import Found, Source, find, rebound_globals

__all__ = [
    "Course", "Found", "Kept", "Source", "course_by", "find", "kept_by", "lower", "lower_code", "rebound_globals",
    "remembered_by", "stored_at_each_call",
]  # fmt: skip
