"""Generated code in examples is coloured as code: what `print(code_adjoint(...))` shows is Python, not mere output."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from pygments.lexers.python import PythonConsoleLexer, PythonLexer
from pygments.token import Comment, Generic, Keyword, Literal, Name, Text
from sphinx.application import Sphinx

SHOWS_CODE = re.compile(r"code_(adjoint|pushforward)\(|\.python\b")


COLOURED = (Comment, Keyword, Literal, Name.Function)
"""What has a colour of its own; the rest has none, since each piece of it would make the page heavier."""


class Console(PythonConsoleLexer):
    """A session at the prompt, with code where code is shown.

    >>> text = ">>> print(code_adjoint(f, 1.0))\\ndef f_rrule(x):\\n>>> f(1.0)\\ndef\\n"
    >>> [value for _, kind, value in Console().get_tokens_unprocessed(text) if str(kind).startswith("Token.Keyword")]
    ['def']
    """

    def get_tokens_unprocessed(self, text: str) -> Iterator[tuple[int, Any, str]]:
        """The tokens, those of shown code by the lexer of Python."""
        python, typed = PythonLexer(), ""
        for index, kind, value in super().get_tokens_unprocessed(text):
            if kind is Generic.Output and SHOWS_CODE.search(typed):
                for inner, name, part in python.get_tokens_unprocessed(value):
                    yield index + inner, name if any(name in kinds for kinds in COLOURED) else Text, part
                continue
            typed = "" if kind is Generic.Prompt and value.startswith(">>>") else typed + value
            yield index, kind, value


def setup(app: Sphinx) -> dict[str, Any]:
    """Take the place of the lexer of sessions."""
    app.add_lexer("pycon", Console)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
