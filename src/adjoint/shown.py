"""The source of generated programs, with the user's lines beside it: of rules, and of what a gradient runs."""

from __future__ import annotations

import inspect
import linecache
import re
import textwrap
from typing import Any

from . import tangents
from .codegen import Emitted, beside
from .runtime.spec import Spec, emitted_in_place
from .transforms.nested import gradient_program

KNOT = (
    "`(y, back)` of the call of its first argument, `f`, with the others, of which the run shows what is called. The"
    " numbers are those of the arguments whose cotangents are asked for."
)
OF_THE_OBJECT = "The call of the gradient `f` itself: each finds what it runs, and what is differentiated of that."


def text_of(spec: Spec) -> str:
    """The source of a rule, which gives `(y, back)`."""
    assert spec.ir is not None
    return _beside(spec, spec.ir.filename, emitted_in_place(spec, spec.ir)[0])


def text_of_gradient(spec: Spec) -> str:
    """The source of the program that gives `(y, bars)` at once, made of the same rule."""
    assert spec.ir is not None
    made = gradient_program(spec.ir, spec.name)
    return _beside(spec, made.filename, emitted_in_place(spec, made, releases=True)[0])


def texts_called(spec: Spec, text: str, heading: str) -> str:
    """The sources of the rules that the text of another one calls by name, each under a heading with that."""
    called = [s for s in spec.uses if s.ir is not None and f"{s.ir.name}(" in text]
    return "".join([heading.format(s.name) + text_of(s) for s in called])


def names_explained(text: str) -> str:
    """A comment on what the functions of this library give that a program calls.

    >>> print(names_explained("    y_bar = scalar_seed(t2, 'f')").strip())
    # Functions of the library:
    # scalar_seed: The seed of a gradient: 1 of the type and shape of `y`, which must be one real number, or an array of
    #     one.
    """
    called = [name for name in dict.fromkeys(re.findall(r"\b(\w+)\(", text)) if name in tangents.__all__]
    said = [f"{name}: {_first_sentence(getattr(tangents, name))}" for name in called]
    knots = [*dict.fromkeys(re.findall(r"\bpullback_wrt_\w+(?=\()", text))]
    said += [f"{', '.join(knots)}: {KNOT}"] if knots else []
    said += [f"__call__: {OF_THE_OBJECT}"] if "(__call__, f" in text else []
    lines = [line for one in said for line in textwrap.wrap(one, 117, subsequent_indent="    ")]
    return "\n\n# Functions of the library:\n" + "".join([f"# {line}\n" for line in lines]) if lines else ""


def _first_sentence(f: Any) -> str:
    """The beginning of a docstring."""
    return re.split(r"\.(?:\s|$)", inspect.cleandoc(f.__doc__ or ""))[0].replace("\n", " ") + "."


def _beside(spec: Spec, filename: str, emitted: Emitted) -> str:
    """With the user's lines; not for a program that was data, which may have been changed since these were written."""
    if spec.code.co_filename.startswith("<adjoint ir "):
        return emitted.text
    return beside(emitted, lambda line: _without_comment(linecache.getline(filename, line)))


def _without_comment(line: str) -> str:
    """A line of the user's, or of a cell of a notebook, without what is only said."""
    return line if '"' in line or "'" in line else line.partition("#")[0]
