"""Markdown that reads well in the repository and on the site: titles of blocks become captions."""

from __future__ import annotations

import re
from typing import Any

from sphinx.application import Sphinx

TITLED = re.compile(r'^```python title="([^"]+)"\n(.*?)^```$', re.M | re.S)


def with_captions(app: Sphinx, page: str, source: list[str]) -> None:
    """A block with a title is a file of that name, and says so."""
    source[0] = TITLED.sub(r"```{code-block} python\n:caption: \1\n\n\2```", source[0])


def setup(app: Sphinx) -> dict[str, Any]:
    """Listen to pages that are read."""
    app.connect("source-read", with_captions)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
