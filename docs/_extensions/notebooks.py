"""Tutorials to take along: each page that is a notebook offers it for Jupyter, and its source as text."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import nbformat
from docutils import nodes
from myst_nb.core.read import is_myst_markdown_notebook, read_myst_markdown_notebook
from sphinx.application import Sphinx

OFFERED = ("quickstart", "tutorials/")
"""Which pages these are, by the beginning of their names."""
RELATIVE = re.compile(r"\[([^\[\]]+)\]\((?!\w+:)[^()\s]+\)")
OFFER = (
    '<p class="downloads">Download this page: <a href="{0}.ipynb" download>Jupyter notebook</a>, '
    '<a href="{0}.md" download>source in Markdown</a></p>'
)


def notebook_of(text: str) -> Any:
    """A notebook without outputs; its links to other pages, which are not there beside it, are their text.

    >>> text = "---\\nkernelspec: {name: python3, display_name: Python 3}\\n---\\n"
    >>> made = notebook_of(text + "# One\\n\\nA [page](page.md).\\n\\n```{code-cell} ipython3\\n1 + 1\\n```\\n")
    >>> [(cell.cell_type, cell.source) for cell in made.cells]
    [('markdown', '# One\\n\\nA page.'), ('code', '1 + 1')]
    """
    notebook = read_myst_markdown_notebook(RELATIVE.sub(r"\1", text))
    notebook.metadata.pop("jupytext", None)
    for i, cell in enumerate(notebook.cells):
        cell.id = f"cell-{i}"  # and not a random one: the same page gives the same file
    nbformat.validate(notebook)
    return notebook


def is_offered(app: Sphinx, page: str) -> bool:
    """True for the notebooks that a reader may want to run."""
    path = Path(app.env.doc2path(page))
    return page.startswith(OFFERED) and path.suffix == ".md" and is_myst_markdown_notebook(path.read_text("utf-8"))


def offer(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None) -> None:
    """Write both files beside the page, and say so below its title."""
    if doctree is None or not is_offered(app, page):
        return
    text = Path(app.env.doc2path(page)).read_text("utf-8")
    target = Path(app.outdir, page)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.with_suffix(".md").write_text(text, "utf-8")
    nbformat.write(notebook_of(text), target.with_suffix(".ipynb"))
    context["body"] = context["body"].replace("</h1>", "</h1>\n" + OFFER.format(target.name), 1)


def setup(app: Sphinx) -> dict[str, Any]:
    """Listen to pages that are written."""
    app.connect("html-page-context", offer)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
