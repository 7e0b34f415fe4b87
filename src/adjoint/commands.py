"""The words of a command line: options, and values before, between and behind them."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from typing import Any

NEGATIVE = re.compile(r"-([\d.(]|inf$|nan$)")
"""Arguments that are values, where `argparse` sees options in all but the plainest."""


class Command(argparse.ArgumentParser):
    """The parser of one command, whose values may stand before, between and behind its options."""

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        found, rest = super().parse_known_args(args, namespace)
        if rest and (not hasattr(found, "values") or any(text.startswith("-") for text in rest)):
            self.error(f"unrecognized arguments: {' '.join(map(str.strip, rest))}")
        if rest:
            found.values = [*found.values, *rest]
        return found, []


def told_apart(given: Sequence[str]) -> list[str]:
    """The words, with a space before those that are values and begin as options do.

    >>> told_apart(["-o", "-1.0", "-inf"])
    ['-o', ' -1.0', ' -inf']
    """
    return [f" {text}" if NEGATIVE.match(text) else text for text in given]


def positive(text: str) -> int:
    """A positive whole number."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a positive whole number")
    return int(text)


def lines_between(text: str) -> tuple[int, int]:
    """The first and the last line of `10-40`."""
    first, _, last = text.partition("-")
    if not (first.isdecimal() and last.isdecimal() and int(first) > 0):
        raise argparse.ArgumentTypeError(f"{text!r} is not of the form first-last")
    if int(first) > int(last):
        raise argparse.ArgumentTypeError(f"{text!r}: the first line, {first}, is larger than the last, {last}")
    return int(first), int(last)
