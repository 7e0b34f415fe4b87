"""Every code block of the README and the documentation is run.

Blocks of one page share a namespace and run in the order of the page. A block with `>>>` is compared with what it
prints, any other `python` block is executed; one with a title is a file of that name. Cells of notebooks are run where
the site is built. What is generated changes with
the engine: `ADJOINT_UPDATE=1 pytest tests/test_docs.py` writes the new output into the pages, to be read in the diff.
"""

import contextlib
import doctest
import io
import linecache
import os
import re
import sys
import traceback
import types
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from interop.needed import needed

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
LANGUAGES = {"python", "text", "sh", "{code-cell}"}
NEEDED = {
    "beyond.md": ["numba"],
    "compiled.md": ["numba"],
    "pickles.md": ["cloudpickle", "joblib"],
    "troubleshooting.md": ["numba", "scipy"],
    "with_other_libraries.md": ["sklearn", "statsmodels", "iminuit", "lmfit", "pyhf", "pandas", "xarray", "optree"],
    "with_pytensor.md": ["pytensor", "pymc"],
}
"""What pages cannot do without, where no import of theirs says so."""
IMPORTABLE = ("with_other_libraries.md",)
"""Pages whose classes are pickled by name: they are modules, as scripts of a reader's are."""
OF_EXAMPLES = ("extensions.md",)
"""Pages that import scripts of the folder `examples`, as one who works in it does."""
BUILT = {"ir.md": "tiny", "expressions.md": "tiny_expressions"}
"""Pages that build a module, by its name: the errors that they show are named so."""
UPDATE = bool(os.environ.get("ADJOINT_UPDATE"))
FLAGS = doctest.ELLIPSIS | doctest.DONT_ACCEPT_TRUE_FOR_1


class Block(NamedTuple):
    """A fenced block: its language and title, its text, the number of its first line."""

    language: str
    title: str
    text: str
    line: int


def blocks(page: Path) -> Iterator[Block]:
    """The fenced blocks of a page."""
    text = page.read_text(encoding="utf-8")
    for match in re.finditer(r'^```(\w*|\{code-cell\})(?: title="([^"]+)"| ipython3)?\n(.*?)^```$', text, re.M | re.S):
        yield Block(match[1], match[2] or "", match[3], text.count("\n", 0, match.start(3)) + 1)


class Mismatch(NamedTuple):
    """What an example should have printed, and what it did."""

    example: doctest.Example
    line: int
    got: str


def run(page: Path) -> list[Mismatch]:
    """Run all blocks of a page; what did not print what it should have."""
    name = BUILT.get(page.name, page.stem)
    module = types.ModuleType(page.stem)
    namespace: dict[str, Any] = vars(module) if page.name in IMPORTABLE else {"__name__": name}
    if page.name in IMPORTABLE:
        sys.modules[page.stem] = module
    return failures(page, [block for block in blocks(page) if block.language == "python"], namespace)


def failures(page: Path, pieces: list[Block], namespace: dict[str, Any]) -> list[Mismatch]:
    """Run blocks of a page in a namespace; what did not print what it should have."""
    failed = []
    for block in pieces:
        if ">>>" not in block.text:
            name = block.title or f"<{page.name}:{block.line}>"
            if block.title:
                Path(name).write_text(block.text, encoding="utf-8")
            execute(block.text, "exec", name, namespace)
            continue
        for example in doctest.DocTestParser().get_examples(block.text):
            line = block.line + example.lineno
            got = execute(example.source, "single", f"<{page.name}:{line}>", namespace, raises=bool(example.exc_msg))
            if not doctest.OutputChecker().check_output(example.want.rstrip(), got.rstrip(), FLAGS):
                failed.append(Mismatch(example, line, got))
    return failed


def execute(source: str, mode: str, filename: str, namespace: dict[str, Any], raises: bool = False) -> str:
    """What a piece of Python prints, the error that it ends with included if one is expected."""
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        try:
            exec(compile(source, filename, mode), namespace)
        except Exception as error:
            if not raises:
                raise
            printed.write("Traceback (most recent call last):\n    ...\n")
            printed.writelines(traceback.format_exception_only(error))
    return printed.getvalue()


def rewrite(page: Path, failed: list[Mismatch]) -> None:
    """Put what was printed in place of what was expected; in what file of ours an example stood is left open."""
    lines = page.read_text(encoding="utf-8").splitlines(keepends=True)
    for example, line, got in reversed(failed):
        first = line - 1 + example.source.count("\n")
        shown = re.sub(r"^$", "<BLANKLINE>", got.rstrip("\n"), flags=re.M) + "\n" if got else ""
        shown = re.sub(rf"<{page.name}:\d+>", "...", shown)
        lines[first : first + example.want.count("\n")] = shown.splitlines(keepends=True)
    page.write_text("".join(lines), encoding="utf-8")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_page(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    if page.name in OF_EXAMPLES:
        monkeypatch.syspath_prepend(str(ROOT / "examples"))
    for library in NEEDED.get(page.name, ()):
        needed(library)
    if page.name in IMPORTABLE:  # other libraries call each other's old names
        warnings.simplefilter("ignore")
    try:
        failed = run(page)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] in ("scipy", "sklearn", "matplotlib", "torch", "jax", "dask", "plum"):
            pytest.skip(f"{error.name} is not installed")
        raise
    if failed and UPDATE:
        rewrite(page, failed)
        failed = []
    assert not failed, "\n\n".join(
        f"{page.name}:{line}\n{example.source}expected:\n{example.want}got:\n{got}" for example, line, got in failed
    )


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_page_is_whole(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    unknown = [block for block in blocks(page) if block.language not in LANGUAGES]
    assert not unknown, "every block says what it is"
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)
    for target in re.findall(r"\]\(([^)#\s]+)", prose):
        if "://" not in target and "gallery/" not in target:  # which the build of the site makes
            assert (page.parent / target).exists(), f"{page.name} points to {target}, which is not there"


def test_the_runner_sees_what_differs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    page = tmp_path / "page.md"
    file = '```python title="three.py"\nx = 3\n```\n'
    examples = "```python\n>>> x + 1\n5\n>>> for i in range(2):\n...     print(i)\n```\n"
    page.write_text(file + "\n" + examples)
    assert [(line, got) for _, line, got in run(page)] == [(6, "4\n"), (8, "0\n1\n")]
    rewrite(page, run(page))
    assert run(page) == [] and "...     print(i)\n0\n1\n```\n" in page.read_text()
    page.write_text("```python\n1 / 0\n```\n")
    with pytest.raises(ZeroDivisionError):
        run(page)
