"""The source of generated programs, with the user's lines beside it: of rules, and of what a gradient runs."""

from __future__ import annotations

import linecache

from .codegen import Emitted, beside
from .runtime.spec import Spec, emitted_in_place
from .transforms.nested import gradient_program


def text_of(spec: Spec) -> str:
    """The source of a rule, which gives `(y, back)`."""
    assert spec.ir is not None
    return _beside(spec, spec.ir.filename, emitted_in_place(spec, spec.ir)[0])


def text_of_gradient(spec: Spec) -> str:
    """The source of the program that gives `(y, bars)` at once, made of the same rule."""
    assert spec.ir is not None
    made = gradient_program(spec.ir, spec.name)
    return _beside(spec, made.filename, emitted_in_place(spec, made, releases=True)[0])


def texts_called(spec: Spec, text: str) -> list[str]:
    """The sources of the rules that the text of another one calls by name."""
    return [text_of(s) for s in spec.uses if s.ir is not None and f"{s.ir.name}(" in text]


def _beside(spec: Spec, filename: str, emitted: Emitted) -> str:
    """With the user's lines; not for a program that was data, which may have been changed since these were written."""
    if spec.code.co_filename.startswith("<adjoint ir "):
        return emitted.text
    return beside(emitted, lambda line: _without_comment(linecache.getline(filename, line)))


def _without_comment(line: str) -> str:
    """A line of the user's, or of a cell of a notebook, without what is only said."""
    return line if '"' in line or "'" in line else line.partition("#")[0]
