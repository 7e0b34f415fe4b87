"""Functions that are recorded, as text: the reason, and their two programs."""

from __future__ import annotations

import types

from ..spelling import said


def why_recorded(function: types.FunctionType, why: str) -> str:
    """The sentence that says so of a function."""
    return said(f"`{function.__name__}` is recorded as it runs, and not reversed in its structure: {why}")


def comment(function: types.FunctionType, why: str) -> str:
    """The same as a comment; `SourceUnavailableError` or the like of a function that cannot be recorded either."""
    from ..recording.operations.functions import program_of as recording_of

    recording_of(function)
    return f"# {why_recorded(function, why)}\n"


def text_recorded(function: types.FunctionType, why: str) -> str:
    """Both programs, below the reason."""
    from ..recording.operations.functions import program_of as recording_of
    from ..recording.printing import shown

    return comment(function, why) + shown(recording_of(function))


def no_ir(function: types.FunctionType, why: str, is_read: bool = False) -> str:
    """The comment in place of the IR; one that `is_read` has it for any types."""
    found = "no IR for these types: `code_ir` prints it as it was read, and" if is_read else "no IR:"
    return f"{comment(function, why)}# It has {found} `code_adjoint` shows the two programs that are made for it.\n"
