"""Options that the functions over partitions have in common."""

from __future__ import annotations

from typing import Any

from adjoint.errors import OptionError, calling_place


def check_options(
    reduction: Any = "sum", split_every: Any = 8, rows: Any = None, threads: Any = None, compile: Any = False
) -> None:
    """Raise `OptionError` for a value that an option does not take."""
    if reduction not in ("sum", "mean"):
        raise OptionError(
            f"reduction={reduction!r} is no reduction",
            "parts are added up, and may be divided by the number of what they are of",
            'write "sum", or "mean" with a loss that returns `(sum, count)`',
            calling_place(),
        )
    if not isinstance(compile, bool) and compile != "strict":
        raise OptionError(
            f"compile={compile!r} is no way to run a loss",
            "it is compiled where that is possible, or has to be, or is not",
            'write `compile=True`, `compile="strict"`, or leave it off',
            calling_place(),
        )
    for name, value, least in (("split_every", split_every, 2), ("rows", rows, 1), ("threads", threads, 1)):
        if name != "split_every" and value is None:
            continue
        if not isinstance(value, int) or isinstance(value, bool) or value < least:
            raise OptionError(
                f"{name}={value!r} is no number of {MEANINGS[name]}",
                f"it is a whole number, {least} at least",
                f"write `{name}=8`" if name == "split_every" else f"leave `{name}` off, or write a whole number",
                calling_place(),
            )


MEANINGS = {
    "split_every": "parts that are added up together",
    "rows": "rows of a chunk",
    "threads": "threads",
}
