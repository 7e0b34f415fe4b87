"""The family of errors: each says what cannot be done, where in the user's file, why, and what to do instead.

Errors that the user's own code raises are never wrapped: they keep their type and traceback.
"""

from __future__ import annotations

import linecache
import os
import pickle
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from types import CodeType, FrameType
from typing import Any, NamedTuple

from .positions import positions_in
from .spelling import uncalled


@dataclass(frozen=True, slots=True)
class Place:
    """A place in the user's file: its name, a span (as in `ast`: lines from 1, columns in bytes from 0), the line.

    >>> print(Place("model.py", (3, 4, 3, 9), "    yield x").render())
      model.py:3:5
        yield x
        ^^^^^
    """

    filename: str
    span: tuple[int, int, int, int]
    text: str = ""

    def __str__(self) -> str:
        return f"{self.filename}:{self.span[0]}:{self._column(self.span[1]) + 1}"

    def render(self) -> str:
        """`file:line:col`, then the line with carets under the span, if the line is known."""
        head = f"  {self}"
        line = self.text.rstrip("\n")
        if not line.strip():
            return head
        first, _, last, _ = self.span
        start = self._column(self.span[1])
        end = self._column(self.span[3]) if first == last else len(line)
        indent = len(line) - len(line.lstrip())
        carets = " " * max(start - indent, 0) + "^" * max(end - start, 1)
        return f"{head}\n    {line.strip()}\n    {carets}"

    def code(self) -> str:
        """The code that is written there, of the first line."""
        line = self.text.rstrip("\n")
        first, start, last, end = self.span
        return line[self._column(start) : self._column(end) if first == last else len(line)].strip()

    def _column(self, offset: int) -> int:
        return len(self.text.encode()[:offset].decode(errors="replace")) if self.text else offset


_HERE = os.path.dirname(__file__)
_COMMAND = os.path.join(_HERE, "cli.py")
"""The command line: what it calls has no caller in a file of the user's."""


class Site(NamedTuple):
    """The place of a frame: cheap to keep, and a `Place` when it is asked for."""

    code: CodeType
    lasti: int
    namespace: dict[str, Any]

    def place(self) -> Place | None:
        """The file, span and line; None where there is no line."""
        filename = self.code.co_filename
        line, last, start, end = positions_in(self.code)[self.lasti // 2]
        if line is None:
            return None
        text = linecache.getline(filename, line, self.namespace)
        return Place(filename, (line, start or 0, last or line, end or len(text.rstrip().encode())), text)


def calling_site(past: tuple[str, ...] = ()) -> Site | None:
    """The place that runs now: that of the innermost frame which is not of `adjoint`, nor of modules to go past.

    The forward half of what is generated stands in the user's file, so that this is the user's line there too.
    """
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and _is_ours(frame, past):
        frame = None if frame.f_code.co_filename == _COMMAND else frame.f_back
    return None if frame is None else Site(frame.f_code, frame.f_lasti, frame.f_globals)


def _is_ours(frame: FrameType, past: tuple[str, ...] = ()) -> bool:
    """True if a frame is of `adjoint`: what `dataclass` writes for its records is, in no file."""
    filename = frame.f_code.co_filename
    if filename == "<string>":
        return str(frame.f_globals.get("__name__")).startswith("adjoint.")
    if filename.startswith((_HERE, "<adjoint ")):
        return True
    return bool(past) and str(frame.f_globals.get("__name__")).startswith(past)


def raising_place(error: BaseException, is_users: Callable[[str], bool] | None = None) -> Place | None:
    """The place in the user's file that raised an error, or called what did; `is_users` tells files of the user's from
    those of libraries, which otherwise count."""
    trace, found = error.__traceback__, None
    while trace is not None:
        frame = trace.tb_frame
        if not _is_ours(frame) and (is_users is None or is_users(frame.f_code.co_filename)):
            found = Site(trace.tb_frame.f_code, trace.tb_lasti, trace.tb_frame.f_globals)
        trace = trace.tb_next
    return None if found is None else found.place()


def calling_place(past: tuple[str, ...] = ()) -> Place | None:
    """The place in the user's file that is running now; frames of modules `past` which it calls us are left out."""
    site = calling_site(past)
    return None if site is None else site.place()


class AdjointError(Exception):
    """The base class of all errors of `adjoint`.

    Parameters
    ----------
    what
        What cannot be done, in a sentence.
    why
        The reason.
    way_out
        What the user can do instead.
    place
        Where in the user's file.

    Examples
    --------
    >>> print(AdjointError("cannot differentiate h", "it is written in C", "write a rule for it"))
    cannot differentiate h
    why: it is written in C
    help: write a rule for it
    """

    final = False
    """True if it holds however the program is followed: then it is not tried to record it."""

    within = False
    """True if it is of a derivative inside of a program that is differentiated."""

    def __init__(self, what: str = "", why: str = "", way_out: str = "", place: Place | None = None) -> None:
        super().__init__(what, why, way_out, place)
        self.what = what
        self.why = why
        self.way_out = way_out
        self.place = place

    @property
    def page(self) -> str:
        """The section of the documentation on this kind of error, with an example and what to do.

        >>> NoRuleError("`h` has no rule").page
        'troubleshooting.html#noruleerror'
        """
        kind = next(cls for cls in type(self).__mro__ if cls.__name__ in __all__)
        return f"troubleshooting.html#{kind.__name__.lower()}"

    def __str__(self) -> str:
        lines = [self.what]
        if self.place is not None:
            lines.append(self.place.render())
        if self.why:
            lines.append(f"why: {self.why}")
        if self.way_out:
            lines.append(f"help: {self.way_out}")
        return "\n".join(lines)


class Abandoned(BaseException):
    """A run is given up, and done in another way; raised through the program, to who has begun it."""


PASSING = (AdjointError, Abandoned)
"""Errors that are raised through a program whatever it catches: none of these is an exception of its own."""


class UnsupportedSyntaxError(AdjointError, NotImplementedError):
    """The function uses Python that cannot be differentiated."""


class GivenUpError(UnsupportedSyntaxError):
    """An exception has come where it is not followed: this run is recorded, and the next may go another way."""


INEXACT_SLICE = (
    "a slice of numbers that are not whole is differentiated",
    "`np.mgrid`, `np.ogrid` and `np.r_` make points between its ends, and a slice holds no derivatives",
    "use `np.linspace`, `np.arange` or `np.meshgrid`",
)
"""The message (what, why and the way out) where `np.mgrid[0:x:3j]` is met."""


class SourceUnavailableError(AdjointError, TypeError):
    """The function has no source to look into: it is written in C, or its text was not kept."""


class SourceChangedError(AdjointError, RuntimeError):
    """The file no longer says what it said when the function was imported."""


class PicklingError(AdjointError, pickle.PicklingError):
    """A pickle cannot be made by `pickle` itself; cloudpickle makes it."""


class UnpicklingError(AdjointError, pickle.UnpicklingError):
    """A pickle cannot be loaded here: another Python made it."""


class NoRuleError(AdjointError, NotImplementedError):
    """A function without a rule and without source meets an argument that is differentiated."""


class MutationError(AdjointError, NotImplementedError):
    """The function changes something that others can see."""


class RuleError(AdjointError, TypeError):
    """A rule gave a wrong number of cotangents, one of a wrong form, or nothing; the message names the rule."""


def wrong_number(rule: str, given: int, wanted: int) -> tuple[str, str, str]:
    """The error of a scalar rule that gives another number of partials than the function has arguments."""
    partials, arguments = f"{given} partial{'s' * (given != 1)}", f"{wanted} argument{'s' * (wanted != 1)}"
    return (
        f"the scalar rule `{rule}` gives {partials} for {arguments}",
        "there is one partial for each argument",
        "return a tuple: `return dy_da, dy_db`",
    )


class CotangentError(AdjointError, TypeError):
    """The cotangent given to a pullback does not fit the result that it belongs to."""


class NotScalarError(AdjointError, TypeError):
    """A gradient was asked for, and the result is not a real scalar."""


class NotDifferentiableError(AdjointError, TypeError):
    """The derivative asked for does not exist: an argument carries none, or is not there."""


class TooLargeError(AdjointError, MemoryError):
    """A Jacobian would take more memory than is allowed (`max_bytes`)."""


class SparsityError(AdjointError, ValueError):
    """A Jacobian has entries where its pattern of zeros has none, or the pattern is of another shape."""


class MissingLibraryError(AdjointError, ImportError):
    """A library is not installed that the call needs."""


class SingularError(AdjointError, ArithmeticError):
    """Something that has to be inverted has no inverse: an information matrix where the data do not determine all."""


class WrongGradientError(AdjointError, AssertionError):
    """A derivative and finite differences disagree, where they are compared (`check=True`)."""


class ImplicitError(AdjointError, ArithmeticError):
    """The implicit function theorem says nothing at what a solver gave: it is no solution, or a singular one."""


class CompileError(AdjointError, NotImplementedError):
    """A function cannot be compiled, where it must be (`compile="strict"`)."""


class BatchError(AdjointError, NotImplementedError):
    """A function cannot be run for all lanes of its arguments together."""


class StructureError(AdjointError, ValueError):
    """A gradient, a state of an optimizer or a checkpoint is of another model, or a batch has another shape."""


class ShapeError(AdjointError, ValueError):
    """An array has a shape or a dtype that a layer or a loss does not take."""


class OptionError(AdjointError, ValueError):
    """An option has a value that it does not take."""


class MissingNameError(AdjointError, AttributeError):
    """A name was asked for that another library has, and this one calls otherwise or has in a module."""


class PartitionError(AdjointError, RuntimeError):
    """A partition of distributed data failed; `index` says which, counted from 0 (None where nobody knows)."""

    index: int | None = None


class PartitionLostError(PartitionError):
    """A partition of distributed data is no longer there: it was on a worker alone that has died."""


class CompileFallbackWarning(UserWarning):
    """A function is not compiled, and runs as it does without `compile`."""


class NumericWarning(UserWarning):
    """A derivative is taken by finite differences, or these do not agree."""


class NonFiniteError(AdjointError, FloatingPointError):
    """A nan or an infinity: in the reverse of a program inside of `debug_nans`, or in a training (`nn.fit`)."""


class VerificationError(AdjointError, AssertionError):
    """A piece of IR is not well formed: of a program that was built or changed, or by a mistake of `adjoint`'s."""


def class_name(x: Any) -> str:
    """The name of the class of `x` in Python's own errors: with its module if it is written in C.

    >>> import itertools
    >>> class_name(1.5), class_name(itertools.count())
    ('float', 'itertools.count')
    """
    cls = type(x)
    in_c = cls.__flags__ & (_ON_HEAP | _IMMUTABLE) != _ON_HEAP  # since Python 3.12 many of these are on the heap, too
    return f"{cls.__module__}.{cls.__name__}" if in_c and cls.__module__ != "builtins" else cls.__name__


_IMMUTABLE, _ON_HEAP = 1 << 8, 1 << 9
"""Flags of types, of CPython's `Include/object.h`."""


def check_iterable(x: Any, before: str, after: str = "") -> None:
    """Raise Python's `TypeError` with these words unless `x` can be run through."""
    if hasattr(type(x), "__iter__"):
        return
    try:
        iter(x)
    except TypeError:
        raise TypeError(f"{before} {class_name(x)}{after}") from None


def check_callable(f: Any) -> None:
    """Raise `NotDifferentiableError` unless `f`, of which a derivative is asked for, can be called."""
    if not callable(f):
        words, way_out = uncalled(f)
        raise NotDifferentiableError(
            f"{words} is not callable", "only functions are differentiated", way_out, calling_place()
        )


# ---- errors of the user's own code, where another operation stands for the one that is written


def restate(error: TypeError, a: Any, b: Any) -> None:
    """Let the error of `a + b` say what Python says of `a += b`."""
    said = _UNSUPPORTED.fullmatch(str(error))
    if said is not None and said[2] == f"'{type(a).__name__}' and '{type(b).__name__}'":
        error.args = (f"unsupported operand type(s) for {said[1]}=: {said[2]}",)


_UNSUPPORTED = re.compile(r"unsupported operand type\(s\) for (\S+)(?: or pow\(\))?: (.*)")

__all__ = [
    "AdjointError", "BatchError", "CompileError", "CompileFallbackWarning", "CotangentError", "ImplicitError",
    "MissingLibraryError", "MissingNameError", "MutationError", "NoRuleError", "NonFiniteError",
    "NotDifferentiableError", "NotScalarError", "NumericWarning", "OptionError", "PartitionError",
    "PartitionLostError", "PicklingError", "RuleError", "ShapeError", "SingularError", "SourceChangedError",
    "SourceUnavailableError", "SparsityError", "StructureError", "TooLargeError", "UnpicklingError",
    "UnsupportedSyntaxError", "WrongGradientError",
]  # fmt: skip
