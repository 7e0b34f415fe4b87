"""Results that a framework has to know before a function has run: what was expected, compared with what came."""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from adjoint.errors import NotDifferentiableError
from adjoint.rules import non_differentiable
from adjoint.trees import Structure, structure_of
from adjoint.trees.structure import Node

from .programs import users_place

KINDS = {"b": 0, "i": 1, "u": 1, "f": 2, "c": 3}
"""The kinds of numbers: flags, integers, floating-point and complex ones, each of which the next ones hold."""


class Terms(NamedTuple):
    """The texts of errors about a function in a framework whose result is not as expected."""

    framework: str
    why: str
    way_out: str
    foreign: tuple[str, str] = ("", "")
    """The reason, and what to do, where it returns an array of the framework's own."""


class Expected:
    """The structure of a result, with arrays of these shapes and dtypes at some of its ends; the others are constants.

    `is_foreign` says what is an array of the framework's own, and `terms` how errors speak of it.
    """

    def __init__(
        self,
        form: Structure,
        ends: Sequence[int],
        shapes: Sequence[Any],
        is_foreign: Callable[[Any], bool] | None,
        terms: Terms,
    ) -> None:
        self.terms = terms
        self.form, self.ends, self.shapes, self.is_foreign = form, tuple(ends), tuple(shapes), is_foreign

    def leaves(self, y: Any) -> list[Any]:
        """The numbers and arrays of a result.

        Raises
        ------
        NotDifferentiableError
            If it has another structure or other constants, arrays of other shapes, or numbers of another kind.
        """
        return [node.model for node in self.nodes(structure_of(y, self.is_foreign))]

    def nodes(self, came: Structure) -> list[Node]:
        """The nodes of a result that are at the places of the arrays, by key; raises as `leaves` does."""
        found: dict[int, Node] = {}
        self._match(self.form.root, came.root, "", found)
        return [found[end] for end in self.ends]

    def _match(self, expected: Node, came: Node, path: str, found: dict[int, Node]) -> None:
        end = expected.end
        if end < 0:
            parts = dict(zip(came.keys, came.parts, strict=True))
            if came.end >= 0 or type(came.model) is not type(expected.model) or parts.keys() != {*expected.keys}:
                raise self._differs(said_of(came), said_of(expected), path)
            for key, (name, part) in zip(expected.keys, expected.named_parts(), strict=True):
                self._match(part, parts[key], f"{path}.{name}" if path else name, found)
            return
        if came.end < 0:
            raise self._differs(said_of(came), self._said(end), path)
        if end in self.ends:
            self._check_numbers(came.model, self.shapes[self.ends.index(end)], path)
        elif not is_same(came.model, expected.model):
            raise self._differs(reprlib.repr(came.model), f"{reprlib.repr(expected.model)}, as a constant,", path)
        found[end] = came

    def _check_numbers(self, y: Any, expected: Any, path: str) -> None:
        if isinstance(y, str) or y is None:
            raise self._differs(repr(y), "an array", path)
        check_own(y, self.is_foreign, self.terms)
        dtype = np.asarray(y).dtype
        if np.shape(y) != expected.shape:
            raise self._differs(f"an array of shape {np.shape(y)}", f"one of shape {expected.shape}", path)
        if KINDS[dtype.kind] > KINDS[np.dtype(expected.dtype).kind]:
            raise self._differs(f"an array of {dtype}", f"one of {np.dtype(expected.dtype)}", path)

    def _differs(self, came: str, expected: str, path: str) -> NotDifferentiableError:
        framework, why, way_out, _ = self.terms
        what = f"a function in {framework} returns {came}{f' at `{path}`' if path else ''}, and {expected} was expected"
        return NotDifferentiableError(what, why, way_out, users_place())

    def _said(self, end: int) -> str:
        return "an array" if end in self.ends else reprlib.repr(self.form.ends[end])


class Checked:
    """A program whose result is compared with what is expected whenever it runs, also where it is differentiated."""

    def __init__(self, program: Any, expected: Expected) -> None:
        self.program, self.expected, self.order = program, expected, program.order

    def __call__(self, *arrays: Any) -> Any:
        """The result of the program."""
        y = self.program(*arrays)
        check_result(self.expected, y)
        return y


def check_result(expected: Expected, y: Any) -> None:
    """Raise `NotDifferentiableError` for a result that is not as expected."""
    expected.leaves(y)


def check_own(y: Any, is_foreign: Callable[[Any], bool] | None, terms: Terms) -> None:
    """Raise `NotDifferentiableError` for arrays that NumPy does not compute with, of which derivatives are unknown."""
    framework = terms.framework
    if is_foreign is not None and is_foreign(y):
        what = f"a function in {framework} returns an array of {framework}'s, a {type(y).__name__}"
        raise NotDifferentiableError(what, *terms.foreign, users_place())
    if np.asarray(y).dtype.kind not in KINDS:
        raise NotDifferentiableError(
            f"a function in {framework} returns an array of {np.asarray(y).dtype}",
            f"{framework} has arrays of numbers and of flags",
            "return numbers, as an array of one dtype",
            users_place(),
        )


def is_same(x: Any, y: Any) -> bool:
    """True if two constants are the same."""
    if x is y:
        return True
    try:
        return type(x) is type(y) and bool(np.all(x == y))
    except Exception:  # whatever `==` of theirs raises, they are not known to be the same
        return False


def said_of(node: Node) -> str:
    """A description of something at one place of a result."""
    if node.end >= 0:
        return f"an array of shape {np.shape(node.model)}" if np.ndim(node.model) else reprlib.repr(node.model)
    keys = ", ".join([repr(key) for key in node.keys[:5]])
    return f"a {type(node.model).__name__} of {keys or 'nothing'}"


non_differentiable(check_result)
