"""Tutorials and the course to take along: each of their pages is offered as a notebook for Jupyter, and as text.

A page is a notebook already, or Markdown whose blocks of Python are the cells. Of a session at the prompt they have
what was typed. A notebook runs to its end: cells that are to raise say so, and one writes the file that is imported.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import nbformat
from docutils import nodes
from myst_nb.core.read import is_myst_markdown_notebook, read_myst_markdown_notebook
from sphinx.application import Sphinx

OFFERED = ("quickstart", "tutorials/", "course/")
"""Which pages these are, by the beginning of their names."""
ENGINES = {
    "course/expressions": ("tiny_expressions.py",),
    "course/ir": ("tiny.py",),
    "course/extensions": ("tiny.py", "tiny_extensions.py"),
}
"""Files of the examples that belong to a page: the last one is built there, those before it are imported."""
RELATIVE = re.compile(r"\[([^\[\]]+)\]\((?!\w+:)[^()\s]+\)")
OFFER = (
    '<p class="downloads">Download this page: <a href="{0}.ipynb" download>Jupyter notebook</a>, '
    '<a href="{0}.md" download>source in Markdown</a>{1}</p>'
)
FILE = ', <a href="{0}" download>{0}</a>'
WRITING = """from pathlib import Path

source = r'''{source}'''
if not Path("{name}").exists():
    Path("{name}").write_text(source, "utf-8")"""


def notebook_of(text: str, imported: Iterable[Path] = ()) -> Any:
    """A notebook without outputs; its links to other pages, which are not there beside it, are their text.

    Files that it imports are written by a cell each, below the first text.

    >>> text = "---\\nkernelspec: {name: python3, display_name: Python 3}\\n---\\n"
    >>> made = notebook_of(text + "# One\\n\\nA [page](page.md).\\n\\n```{code-cell} ipython3\\n1 + 1\\n```\\n")
    >>> [(cell.cell_type, cell.source) for cell in made.cells]
    [('markdown', '# One\\n\\nA page.'), ('code', '1 + 1')]
    """
    notebook = read_myst_markdown_notebook(text) if "{code-cell}" in text else notebook_of_blocks(text)
    notebook.metadata.pop("jupytext", None)
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = RELATIVE.sub(r"\1", cell.source)
    for path in imported:
        note = f"This cell writes `{path.name}`, which is imported below, unless a file of that name is here already:"
        writing = WRITING.format(name=path.name, source=path.read_text("utf-8"))
        notebook.cells[1:1] = [nbformat.v4.new_markdown_cell(note), nbformat.v4.new_code_cell(writing)]
    for i, cell in enumerate(notebook.cells):
        cell.id = f"cell-{i}"  # and not a random one: the same page gives the same file
    nbformat.validate(notebook)
    return notebook


def notebook_of_blocks(text: str) -> Any:
    r"""A notebook of a page whose blocks of Python are its cells.

    >>> page = "# One\n\n```python\nx = 1\n```\n\nTwo\n\n```python\n>>> x\n1\n>>> x + 1\n2\n```\n"
    >>> [(cell.cell_type, cell.source) for cell in notebook_of_blocks(page).cells]
    [('markdown', '# One'), ('code', 'x = 1'), ('markdown', 'Two'), ('code', 'x'), ('code', 'x + 1')]
    """
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    made = nbformat.v4.new_notebook(metadata={"kernelspec": kernel})
    for i, part in enumerate(BLOCK.split(text)):  # texts and blocks in turn
        if i % 2:
            made.cells += [code_cell(source, raises) for source, raises in typed(part)]
        elif part.strip():
            made.cells.append(nbformat.v4.new_markdown_cell(part.strip()))
    return made


BLOCK = re.compile(r"^```python\n(.*?)^```\n", re.MULTILINE | re.DOTALL)


def code_cell(source: str, raises: bool) -> Any:
    """A cell, with the tag at which "Run All" goes on if it is to raise."""
    return nbformat.v4.new_code_cell(source, metadata={"tags": ["raises-exception"]} if raises else {})


def typed(block: str) -> list[tuple[str, bool]]:
    r"""What is typed of a block of Python, and whether it raises: all of it, or at the prompt, up to each output.

    >>> typed(">>> for i in range(2):\n...     print(i)\n0\n1\n>>> x = 1\n>>> x\n1\n")
    [('for i in range(2):\n    print(i)', False), ('x = 1\nx', False)]
    >>> typed(">>> x = 0\n>>> 1 / x\nTraceback (most recent call last):\n    ...\nZeroDivisionError: zero\n>>> x\n0\n")
    [('x = 0\n1 / x', True), ('x', False)]
    """
    if not block.lstrip().startswith(">>>"):
        return [(block.strip("\n"), False)]
    cells: list[list[str]] = [[]]
    raising: set[int] = set()
    ended = False
    for line in block.splitlines():
        if line.startswith((">>> ", "... ")) or line in (">>>", "..."):
            if ended and line.startswith(">>>"):
                cells.append([])
            cells[-1].append(line[4:])
            ended = False
        else:
            ended = ended or bool(line.strip())
            raising |= {len(cells)} if line.startswith("Traceback (most recent call last)") else set()
    return [("\n".join(cell), i in raising) for i, cell in enumerate(cells, 1) if cell]


def is_offered(app: Sphinx, page: str) -> bool:
    """True for the pages that a reader may want to run."""
    path = Path(app.env.doc2path(page))
    if not page.startswith(OFFERED) or path.suffix != ".md":
        return False
    text = path.read_text("utf-8")
    return is_myst_markdown_notebook(text) or BLOCK.search(text) is not None


def offer(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None) -> None:
    """Write both files beside the page, and say so below its title."""
    if doctree is None or not is_offered(app, page):
        return
    text = Path(app.env.doc2path(page)).read_text("utf-8")
    target = Path(app.outdir, page)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.with_suffix(".md").write_text(text, "utf-8")
    nbformat.write(notebook_of(text, engines(page)[:-1]), target.with_suffix(".ipynb"))
    for path in engines(page):
        shutil.copyfile(path, target.with_name(path.name))
    files = "".join(FILE.format(path.name) for path in engines(page))
    context["body"] = context["body"].replace("</h1>", "</h1>\n" + OFFER.format(target.name, files), 1)


def engines(page: str) -> list[Path]:
    """The files of the examples that belong to a page."""
    return [Path(__file__).parents[2] / "examples" / name for name in ENGINES.get(page, ())]


def described(app: Sphinx, doctree: nodes.document) -> None:
    """Say of a picture that a cell draws what it belongs to, unless the cell says it: it had the name of a file."""
    for image in doctree.findall(nodes.image):
        section = image.parent
        while section is not None and not isinstance(section, nodes.section):
            section = section.parent
        if section is not None and not image.get("alt"):
            image["alt"] = f"What is drawn in the section: {section.next_node(nodes.title).astext()}"


def setup(app: Sphinx) -> dict[str, Any]:
    """Listen to pages that are written."""
    app.connect("doctree-read", described)
    app.connect("html-page-context", offer)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
