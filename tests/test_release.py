"""What a release consists of: one version, an honest README in the wheel, forms and workflows that a host accepts."""

import importlib.util
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from email.message import Message
from email.parser import Parser
from pathlib import Path

import pytest
from test_docs import blocks

import adjoint

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
MARK = "no-address:"
ADDRESS = "https://host.example/owner/name/blob/HEAD/"
BUILD = "import sys, hatchling.build; print(hatchling.build.build_wheel(sys.argv[1]))"
SOURCES = ("pyproject.toml", "README.md", "LICENSE", "src/adjoint/__init__.py", "examples/moons.py")
"""What a wheel needs to be built at all."""
SCHEMAS = {
    "vendor.citation-file-format": "CITATION.cff",
    "vendor.github-issue-config": ".github/ISSUE_TEMPLATE/config.yml",
    "vendor.github-issue-forms": ".github/ISSUE_TEMPLATE/[!c]*.yml",
    "vendor.github-workflows": ".github/workflows/*.yml",
}


def read(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def test_version_is_one() -> None:
    citation = re.search(r"^version: (\S+)\ndate-released: \"(\S+)\"$", read("CITATION.cff"), re.M)
    newest = re.search(r"^## (\d\S+) - (\S+)$", read("CHANGELOG.md"), re.M)
    assert citation and newest
    assert PROJECT["version"] == adjoint.__version__ == citation[1] == newest[1]
    assert citation[2] == newest[2]
    for page in ("docs/install.md", "docs/index.md"):
        assert set(re.findall(r"adjoint-([\d.]+)-py3", read(page))) == {adjoint.__version__}


def test_pages_install_what_tutorials_need() -> None:
    """Without Numba some of them take minutes."""
    needed = {"compile": "compile=True", "examples": "matplotlib", "scipy": "scipy"}
    tutorials = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "docs" / "tutorials").glob("*.md"))
    extras = {extra for extra, word in needed.items() if word in tutorials}
    for page in ("docs/install.md", "docs/index.md"):
        lines = re.findall(r"pip install \S*.*?\[([\w,]+)\]", read(page))
        assert len(lines) == 2 and all(set(line.split(",")) == extras for line in lines)


def test_changelog_has_few_headings() -> None:
    for section in re.split(r"^## ", read("CHANGELOG.md"), flags=re.M)[1:]:
        headings = re.findall(r"^### (.*)$", section, re.M)
        assert headings == [h for h in ("Added", "Changed", "Fixed", "Security") if h in headings]


@pytest.mark.skipif(not importlib.util.find_spec("check_jsonschema"), reason="no check-jsonschema")
@pytest.mark.parametrize("schema", SCHEMAS)
def test_files_for_hosts_are_valid(schema: str) -> None:
    files = sorted(ROOT.glob(SCHEMAS[schema]))
    assert files
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, "--default-filetype", "yaml"]
    done = subprocess.run([*command, *files], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr


INSTALL = re.compile(r"\b(?:pip|uv|pipx|conda|poetry|pdm) +(?:install|add)\b[^\n`]*")
"""A command that installs packages, to the end of its line or of the code that it stands in."""
OURS = re.compile(r"(?<![\w./-])adjoint(?![\w.-]|/)")
EXTRA = re.compile(r"`adjoint\[[\w,]+\]`")
"""The name with extras, by itself: a reader would hand it to pip."""


def by_name(text: str) -> list[str]:
    """The commands of a text that install the name from an index, and names with extras that invite to."""
    return [command for command in INSTALL.findall(text) if OURS.search(command)] + EXTRA.findall(text)


def test_no_install_by_a_name_that_is_not_ours() -> None:
    """The name is taken on the public index: a reader who follows such a line gets something else."""
    pages = [
        *ROOT.glob("*.md"),
        *(ROOT / "examples").glob("*.*"),
        *(path for kind in ("*.md", "*.rst") for path in (ROOT / "docs").rglob(kind)),
        *(ROOT / "src").rglob("*.py"),
        *(ROOT / ".github").rglob("*.yml"),
    ]
    said = {p.relative_to(ROOT): found for p in pages if p.is_file() and (found := by_name(p.read_text("utf-8")))}
    assert not said, said


@pytest.mark.parametrize(
    "line",
    [
        "pip install adjoint",
        "pip install -U adjoint",
        "pip install --quiet adjoint",
        "pip install scipy adjoint",
        'pip install "adjoint[torch]"',
        "uv add adjoint",
        "python -m pip install 'adjoint>=0.2'",
        "on Dask (`adjoint[dask,scipy]`)",
    ],
)
def test_an_install_by_that_name_is_found(line: str) -> None:
    assert by_name(f"Do this:\n{line}\n")


@pytest.mark.parametrize(
    "line",
    [
        'pip install "dist/adjoint-0.2.0-py3-none-any.whl[compile]"',
        'pip install --editable ".[examples]"',
        "pip install scipy\nadjoint demo moons",
        "`pip install scipy` makes `adjoint` fit",
    ],
)
def test_an_install_of_a_file_is_not_taken_for_one(line: str) -> None:
    assert not by_name(line)


def wheel_of(folder: Path, address: str) -> Path:
    """A wheel that is built with this address of the repository, of the few sources that it takes."""
    for name in SOURCES:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        text = read(name)
        (folder / name).write_text(text.replace(MARK, address) if name == "pyproject.toml" else text, encoding="utf-8")
    return built_by(folder, folder / "dist")


def built_by(sources: Path, target: Path) -> Path:
    """The wheel that hatchling builds from a folder of sources."""
    command = [sys.executable, "-c", BUILD, str(target)]
    done = subprocess.run(command, cwd=sources, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return target / done.stdout.split()[-1]


def metadata(folder: Path, address: str) -> Message:
    """What a wheel says of itself, built with this address of the repository."""
    with zipfile.ZipFile(wheel_of(folder, address)) as wheel:
        (name,) = (n for n in wheel.namelist() if n.endswith("/METADATA"))
        return Parser().parsestr(wheel.read(name).decode())


def links(text: str) -> list[str]:
    """The targets of links, without those in code."""
    return re.findall(r"\]\(([^()\s]+)\)", re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S))


needs_hatch = pytest.mark.skipif(
    not (importlib.util.find_spec("hatchling") and importlib.util.find_spec("hatch_fancy_pypi_readme")),
    reason="no hatchling, or no hatch-fancy-pypi-readme",
)


@needs_hatch
def test_readme_without_an_address_has_no_relative_links(tmp_path: Path) -> None:
    said = metadata(tmp_path, MARK)
    text = said.get_payload()
    assert said["Version"] == adjoint.__version__ and said["Description-Content-Type"].startswith("text/markdown")
    assert text.startswith("# adjoint") and MARK not in text and "![" not in text
    assert links(text) == [link for link in links(read("README.md")) if link.startswith("https:")]


@needs_hatch
def test_readme_with_an_address_has_whole_links(tmp_path: Path) -> None:
    found = links(metadata(tmp_path, ADDRESS).get_payload())
    wanted = [link if link.startswith("https:") else ADDRESS + link for link in links(read("README.md"))]
    assert [link.removesuffix("?raw=true") for link in found] == wanted
    assert [link for link in found if "?raw=" in link] == [ADDRESS + "docs/images/moons_boundary.png?raw=true"]


@pytest.fixture(scope="module")
def real_wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout."""
    folder = tmp_path_factory.mktemp("dist")
    return built_by(ROOT, folder)


@pytest.fixture(scope="module")
def installed(real_wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what the wheel installs, and nothing else."""
    folder = tmp_path_factory.mktemp("site-packages")
    with zipfile.ZipFile(real_wheel) as wheel:
        wheel.extractall(folder)
    return folder


def run_outside(installed: Path, folder: Path, *arguments: str) -> str:
    """The output of Python in a folder away from the checkout, with the wheel's package before all others."""
    environment = {**os.environ, "PYTHONPATH": str(installed), "MPLBACKEND": "Agg", "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, *arguments]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def foreign(names: list[str]) -> list[str]:
    """What a wheel must not have beside the package and what it says of itself."""
    own = ("adjoint/", f"adjoint-{adjoint.__version__}.dist-info/")
    return [name for name in names if not name.startswith(own) or "__pycache__" in name or name.endswith(".png")]


@needs_hatch
def test_the_wheel_has_the_package_and_nothing_else(real_wheel: Path) -> None:
    with zipfile.ZipFile(real_wheel) as wheel:
        names = wheel.namelist()
    sources = {path.relative_to(ROOT / "src").as_posix() for path in (ROOT / "src" / "adjoint").rglob("*.py")}
    assert foreign(names) == [] and sources <= {*names}
    assert {f"adjoint/explorer/page.{kind}" for kind in ("css", "js", "py")} <= {*names}
    assert {f"adjoint/examples/{name}.py" for name in ("moons", "digits", "hmc")} <= {*names}
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names)


def test_what_is_foreign_in_a_wheel_is_found() -> None:
    assert foreign(["adjoint/x.py", "tests/a.py", "adjoint/examples/output/a.png"]) == [
        "tests/a.py",
        "adjoint/examples/output/a.png",
    ]


@needs_hatch
def test_the_wheel_alone_runs_a_demo(installed: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    pytest.importorskip("sklearn")
    where = run_outside(installed, tmp_path, "-c", "import adjoint; print(adjoint.__file__)")
    assert Path(where.strip()).is_relative_to(installed)
    assert run_outside(installed, tmp_path, "-m", "adjoint", "--version").split()[-1] == adjoint.__version__
    assert "accuracy" in run_outside(installed, tmp_path, "-m", "adjoint", "demo", "moons", "--steps", "5")


@needs_hatch
def test_the_wheel_alone_runs_the_quickstart(installed: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    pytest.importorskip("scipy")
    page = ROOT / "docs" / "quickstart.md"
    cells = [re.sub(r"\A(:.*\n)+", "", b.text) for b in blocks(page) if b.language == "{code-cell}"]
    assert len(cells) > 5
    checked = "import adjoint\nprint(adjoint.__file__)\n"
    (tmp_path / "quickstart.py").write_text("\n".join([*cells, checked]), encoding="utf-8")
    *_, where = run_outside(installed, tmp_path, "quickstart.py").splitlines()
    assert Path(where).is_relative_to(installed)


@needs_hatch
def test_code_in_the_readme_stays(tmp_path: Path) -> None:
    blocks = re.compile(r"^```.*?^```$", re.M | re.S)
    assert blocks.findall(metadata(tmp_path, MARK).get_payload()) == blocks.findall(read("README.md"))


def test_links_of_the_readme_lead_to_files() -> None:
    for link in links(read("README.md")):
        assert link.startswith("https:") or (ROOT / link.partition("#")[0]).exists(), link
