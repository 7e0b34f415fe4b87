"""Sentences in what is read: none is long on pages and in public docstrings, and docstrings begin with a subject."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docs.sentences import long_sentences
from docs.test_docstrings import checked

ROOT = Path(__file__).parents[2]


def is_built(path: Path) -> bool:
    """Tell whether the build of the site has made a page of the documentation."""
    return {"generated", "gallery"} & {*path.relative_to(ROOT / "docs").parts} != set()


PAGES = {
    path.relative_to(ROOT).as_posix(): path
    for path in (
        *ROOT.glob("*.md"),
        *(ROOT / "examples").glob("*.md"),
        ROOT / "examples" / "GALLERY_HEADER.txt",
        *(path for path in (ROOT / "docs").rglob("*.md") if not is_built(path)),
        *(path for path in (ROOT / "docs").rglob("*.rst") if not is_built(path)),
    )
}
SCRIPTS = sorted((ROOT / "examples").glob("*.py"))
TABLE = re.compile(r"^(=+ +=+)\n.*^\1$", re.M | re.S)
"""A table of reStructuredText, with a row in each line."""
QUESTIONS = ("What", "Whether", "Who", "Whose", "Where", "How", "Which")
ALLOWED_QUESTIONS = 1369
"""How many docstrings of all the source begin with such a word: this number only ever becomes less."""


def text_of(path: Path) -> str:
    """The text of a page, with the rows of its tables apart."""
    text = path.read_text(encoding="utf-8")
    return TABLE.sub(lambda table: table[0].replace("\n", "\n\n"), text) if path.suffix == ".rst" else text


def members(name: str, f: Any) -> Iterator[tuple[str, str]]:
    """The docstring of something public, and those of the methods and properties of a class."""
    yield name, inspect.getdoc(f) or ""
    if isinstance(f, type):
        for key, value in vars(f).items():
            if not key.startswith("_") and (callable(value) or isinstance(value, property)):
                yield f"{name}.{key}", inspect.getdoc(value) or ""


def test_pages_have_no_long_sentences() -> None:
    found = [f"{page}: {long}" for page, path in PAGES.items() for long in long_sentences(text_of(path))]
    assert found == []
    assert {".md", ".rst", ".txt"} == {path.suffix for path in PAGES.values()}


def test_a_long_sentence_of_another_form_is_found(tmp_path: Path) -> None:
    table = "====  ====\na     b\n" + "one   two words\n" * 40 + "====  ====\n"
    (tmp_path / "page.rst").write_text(table + "\nOne. " + "word " * 36 + "end.\n", encoding="utf-8")
    assert len(long_sentences(text_of(tmp_path / "page.rst"))) == 1


def test_scripts_have_no_long_sentences() -> None:
    texts = [(path.name, text) for path in SCRIPTS for text in docstrings_of(path.read_text("utf-8"))]
    assert len(texts) > 40
    assert [f"{name}: {long}" for name, text in texts for long in long_sentences(text)] == []


def test_docstrings_have_no_long_sentences() -> None:
    texts = dict(text for name, f in checked().items() for text in members(name, f))
    found = [f"{name}: {long}" for name, text in texts.items() for long in long_sentences(text)]
    assert found == []


def test_first_lines_say_what_something_does_or_is() -> None:
    """And not "What ...": a sentence begins with its subject, or with what is done."""
    texts = dict(text for name, f in checked().items() for text in members(name, f))
    assert [name for name, text in texts.items() if text.startswith(("What ", "Whether ", "How many "))] == []


def docstrings_of(text: str) -> Iterator[str]:
    """The docstrings of a module, and the texts below its variables and fields."""
    for node in ast.walk(ast.parse(text)):
        body = getattr(node, "body", None)
        for statement in body if isinstance(body, list) else []:
            match statement:
                case ast.Expr(value=ast.Constant(value=str(docstring))):
                    yield docstring


def begins_with_a_question(docstring: str) -> bool:
    """Tell whether the first word is one of those that ask."""
    first, *_ = [*docstring.split(), ""]
    return first.rstrip(",:.?") in QUESTIONS


def test_docstrings_of_all_the_source_begin_with_a_subject_or_a_verb() -> None:
    sources = sorted((ROOT / "src").rglob("*.py"))
    found = [d for path in sources for d in docstrings_of(path.read_text("utf-8")) if begins_with_a_question(d)]
    assert len(found) <= ALLOWED_QUESTIONS


def test_a_question_is_found() -> None:
    text = '"""Whose?"""\nx = 1\n"""How, so."""\ndef f():\n    """Whatever."""\n    """"""\n'
    assert [begins_with_a_question(d) for d in docstrings_of(text)] == [True, True, False, False]


def test_words_are_spelt_in_one_way() -> None:
    """As the names of the library are: `optimizers`."""
    texts = [*PAGES.values(), *SCRIPTS, *sorted((ROOT / "src").rglob("*.py"))]
    assert [path.name for path in texts if misspelt(path.read_text("utf-8"))] == []
    assert misspelt("SciPy's Optimisers") and not misspelt("nn.optimizers, an optimum")


def misspelt(text: str) -> bool:
    """Tell whether a text has the other spelling of a word that names of the library have."""
    return re.search("optimiser", text, re.I) is not None
