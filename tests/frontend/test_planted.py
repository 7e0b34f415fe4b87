"""A text that is not the one that runs is refused, whatever tool ran it; the one that runs is read."""

import ast
import importlib.util
import subprocess
import sys
from pathlib import Path
from types import CodeType, SimpleNamespace

import pytest

from adjoint.errors import SourceChangedError, SourceUnavailableError
from adjoint.frontend import find, instructions, rewriting

SPEC = importlib.util.spec_from_file_location("planted", Path(__file__).with_name("planted.py"))
planted = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(planted)


@pytest.mark.parametrize("way", planted.WAYS, ids=lambda way: way.__name__)
def test_every_change_is_refused(way: planted.Run) -> None:
    assert planted.unnoticed(way, planted.CHANGES + planted.ASSERTS) == []


@pytest.mark.parametrize("flag", ["-O", "-OO"])
def test_every_change_is_refused_without_asserts(flag: str) -> None:
    done = subprocess.run(
        [sys.executable, flag, planted.__file__], capture_output=True, text=True, timeout=60, cwd=Path(__file__).parent
    )
    assert done.returncode == 0, done.stderr


def test_asserts_that_are_rewritten_in_another_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pytest that rewrites otherwise than the one that did, and one of which the way is not known."""
    from _pytest.assertion import rewrite

    planted.put("<planted again>", planted.BEFORE)
    f = planted.with_asserts_rewritten(ast.parse(planted.BEFORE), "<planted again>")["f"]
    monkeypatch.setattr(rewrite, "rewrite_asserts", lambda *args: None)
    with pytest.raises(SourceChangedError):
        find(f.__code__)
    monkeypatch.delattr(rewrite, "rewrite_asserts")
    planted.put("<planted again>", planted.BEFORE + "\n")
    with pytest.raises(SourceUnavailableError, match="what pytest has rewritten"):
        find(f.__code__)


def functions_of(code: CodeType) -> list[CodeType]:
    inner = [c for c in code.co_consts if isinstance(c, CodeType)]
    return inner + [c for i in inner for c in functions_of(i)]


def test_functions_of_a_library_are_the_same_in_pieces() -> None:
    """What is compiled statement by statement is the same as the whole, though written otherwise."""
    import numpy.lib._function_base_impl as library

    tree = ast.parse(Path(library.__file__).read_text())
    together = functions_of(compile(tree, "library", "exec", dont_inherit=True))
    alone = [c for s in tree.body for c in functions_of(compile(ast.Module([s], []), "library", "exec"))]
    pairs = {(c.co_qualname, c.co_firstlineno): c for c in alone}
    others = [pairs[c.co_qualname, c.co_firstlineno] for c in together]
    assert len(together) > 100 and all(map(instructions.alike, together, others))
    differs = [a.co_code != b.co_code for a, b in zip(together, others, strict=True)]
    assert sum(differs) > 50
    neighbours = zip(together, others[1:], strict=False)
    assert sum(instructions.alike(a, b) for a, b in neighbours) < 10


@pytest.mark.parametrize(
    ("what", "lesser"),
    [
        ("_operand", lambda value, checked: value),
        ("_CONSTANTS", frozenset()),
        ("_NAMED", frozenset()),
        ("_handlers", lambda code, kept: []),
    ],
)
def test_a_lesser_comparison_is_found_out(what: str, lesser: object, monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: operands that are compared by equality, or by their numbers; a `try` that is not."""
    monkeypatch.setattr(instructions, what, lesser)
    assert planted.unnoticed(planted.whole, planted.CHANGES)


LINE = "import numpy as np; f = lambda x: np.sum(x) if x else np.max(x)\n"


@pytest.mark.parametrize("way", planted.WAYS, ids=lambda way: way.__name__)
def test_an_import_on_the_line(way: planted.Run) -> None:
    changes = [("np.sum", "np.max"), ("np.max(x)", "np.max(x, 0)"), ("if x", "if not x"), ("x: np", "y: np")]
    assert planted.unnoticed(way, changes, LINE) == []


@pytest.mark.parametrize("what", [{"_DROPPED": frozenset(), "_SAME": {}}, {"_JUMPS": frozenset()}])
def test_a_narrow_comparison_is_found_out(what: dict[str, object], monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: calls that are told apart by how they are written, jumps by their length."""
    for name, narrow in what.items():
        monkeypatch.setattr(instructions, name, narrow)
    with pytest.raises(SourceChangedError):
        planted.unnoticed(planted.by_statements, [], LINE)


CHECKED = """
import functools

def f(x: float, *rest: float, k: "int" = 1) -> float:
    y: float = x * 2
    z: float
    z = y + 1 if k else y

    @functools.lru_cache
    @functools.wraps(abs)
    def inner(q: float = 3.0) -> float:
        q: list[float] = [q, y]
        return q[0] * 2

    class C:
        a: int = 3
        def m(self, b: float) -> float:
            self.v: float = b
            return self.v

    def plain(q):
        return q

    for i in range(3):
        if i:
            w: float = z * i
        while z > 5:
            z: float = z - 1
    with x:
        x.left: float = y
    try:
        return inner(y) * z
    finally:
        v: float = x
"""
CHECKED_CHANGES = [
    ("x * 2", "x * 3"),
    ("    y: float = x * 2\n", "    pass\n"),
    ("z = y + 1", "z = y - 1"),
    ("    z = y + 1 if k else y\n", ""),
    ("@functools.lru_cache", ""),
    ("    @functools.wraps(abs)\n", ""),
    ("return q[0] * 2", "return q[0]"),
    ("[q, y]", "[y, q]"),
    ("= 3.0)", "= 4.0)"),
    ("a: int = 3", "a: int = 4"),
    ("self.v: float = b", "pass"),
    ("return self.v", "return b"),
    ("w: float = z * i", "w: float = z"),
    ("z: float = z - 1", "z: float = z - 2"),
    ("        x.left: float = y\n", "        pass\n"),
    ("    try:", "    y = 3\n    try:"),
    ("v: float = x", "pass"),
    ("if i:", "if not i:"),
]


def by_beartype(tree: ast.Module, filename: str, **options: object) -> dict[str, object]:
    claw = pytest.importorskip("beartype.claw._ast.clawastmain")
    from beartype import BeartypeConf

    conf = BeartypeConf(**options)
    made = claw.BeartypeNodeTransformer(module_name="planted", conf=conf).visit(tree)
    codes = functions_of(compile(made, filename, "exec", dont_inherit=True))
    return {"f": SimpleNamespace(__code__=next(c for c in codes if c.co_name == "f"))}


def configured(tree: ast.Module, filename: str) -> dict[str, object]:
    return by_beartype(tree, filename, violation_type=ValueError)


@pytest.mark.parametrize(
    "way", [by_beartype, configured, planted.with_checks, planted.whole], ids=lambda way: way.__name__
)
def test_code_to_which_beartype_added_checks(way: planted.Run) -> None:
    assert planted.unnoticed(way, CHECKED_CHANGES, CHECKED) == []


@pytest.mark.parametrize("part", ["_check_at", "_decorator_at"])
def test_checks_that_are_added_in_another_way_are_refused(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rewriting, part, lambda rest: [])
    with pytest.raises(SourceChangedError):
        planted.unnoticed(planted.with_checks, [])
