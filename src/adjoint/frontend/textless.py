"""Code without a text: why it has none, and the way out."""

from __future__ import annotations

from types import CodeType

from ..errors import SourceUnavailableError

_PICKLED = (
    "it was pickled by value, which keeps neither its text nor the name of its file",
    "send what is made of it, such as `adjoint.grad(f)`, which takes the text along, or put it into a module",
)
_MAGIC = (
    "IPython does not keep the text of what this magic runs",
    "define the function in a cell without the magic, and call it under the magic",
)
_WITHOUT_TEXT = {"<dynamic-code>": _PICKLED, "<timed exec>": _MAGIC, "<timed eval>": _MAGIC, "<magic-timeit>": _MAGIC}
"""Why code under a name has no text, and the way out."""
_TYPED = ("<stdin>", "<string>")


def unavailable(code: CodeType, elsewhere: str | None) -> SourceUnavailableError:
    """The error for code without a text; `elsewhere` is the file of its module, where another text stands."""
    why = f"the text of {code.co_filename} cannot be read"
    way_out = "put the function into a file or a notebook cell, or write a rule for it"
    if code.co_filename in _TYPED:
        why += "; what is typed at the prompt, or given to `python -c`, Python keeps from 3.13 on"
    why, way_out = _WITHOUT_TEXT.get(code.co_filename, (why, way_out))
    if elsewhere is not None and (why, way_out) == _PICKLED:
        why = f"it was pickled by value, without its text, and what {elsewhere} says now is not what runs"
    return SourceUnavailableError(f"cannot differentiate {code.co_qualname}: its source is not available", why, way_out)
