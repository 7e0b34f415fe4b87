"""Imports inside functions stand on a list, with a reason each, and no circle of modules grows.

A module may import another inside a function for one of two reasons: few programs need it, so that a first gradient
does not load it; or the two belong to one knot, which is reported here with its size, and may only become smaller.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1] / "src" / "adjoint"
FILES = sorted(ROOT.rglob("*.py"))
Module = tuple[str, ...]

ASKED_FOR = {
    "": "other_names",
    "api": "compiled diagnostics",
    "batching.axes": "trees",
    "cli": "nn testing",
    "compilation": "compiled",
    "compiled.lower": "compiled.meanings",
    "compiled.meanings": "compiled.meanings.special",
    "codegen.text": "markup",
    "curvature": "compiled_maps",
    "derivatives.pullback": "markup tangents.showing",
    "derivatives.recorded": "recording.entry derivatives.within",
    "derivatives.sharing": "derivatives.shadows",
    "diagnostics.checked": "diagnostics.checking",
    "diagnostics.debugging": "diagnostics.nans",
    "diagnostics.explained": "recording diagnostics",
    "diagnostics.explanation": "markup",
    "explorer.entry": "explorer",
    "inspection.programs": "reflection",
    "inspection.recorded": "recording",
    "inspection.sources": "compiled",
    "inspection.specs": "reflection",
    "blocks": "compiled compiled_maps",
    "nn.places": "nn.showing",
    "optimize": "trees",
    "rules.scipy.integrate.refused": "rules.numpy.lifting",
    "support": "recording",
    "tangents.structural": "tangents.showing",
}
"""What is loaded when somebody asks for it: by whom, and what."""

KNOTS = {
    "transforms": "transforms.aliases transforms.callees",
}
"""Modules that import others of their part inside functions, as each needs the other."""
SIZES = [("transforms", 2), ("transforms", 3)]
"""The circles: their part, and how many modules are in each, imports inside functions included."""


def name_of(file: Path) -> Module:
    parts = file.relative_to(ROOT).with_suffix("").parts
    return parts[:-1] if parts[-1] == "__init__" else parts


MODULES = frozenset(map(name_of, FILES))
PACKAGES = frozenset(name_of(file) for file in FILES if file.name == "__init__.py")


def targets(file: Path, node: ast.AST) -> Iterator[Module]:
    """The modules of the package that an import is of."""
    if isinstance(node, ast.Import):
        names = [tuple(alias.name.split(".")) for alias in node.names]
        yield from [name[1:] for name in names if name[0] == "adjoint"]
        return
    if not isinstance(node, ast.ImportFrom):
        return
    below = tuple((node.module or "").split(".")) if node.module else ()
    if node.level:
        package = file.relative_to(ROOT).parent.parts
        below = (*package[: len(package) - node.level + 1], *below)
    elif below[:1] == ("adjoint",):
        below = below[1:]
    else:
        return
    for alias in node.names:
        yield (*below, alias.name) if (*below, alias.name) in MODULES else below


@functools.cache
def imports(file: Path) -> tuple[set[Module], set[Module]]:
    """What a module imports when it is imported itself, and what its functions import; not what types alone need."""
    tree = ast.parse(file.read_text())
    for_types = {
        inner
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    functions = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]
    inside = {inner for function in functions for inner in ast.walk(function)} - for_types
    later = inside | for_types
    return {t for node in ast.walk(tree) if node not in later for t in targets(file, node)}, {
        t for node in inside for t in targets(file, node)
    }


@functools.cache
def graph(later: bool) -> dict[Module, frozenset[Module]]:
    """Which module imports which; with `later`, inside functions too. Packages only gather their modules."""
    found = {}
    for file in FILES:
        at_once, inside = imports(file)
        found[name_of(file)] = frozenset(((at_once | inside) if later else at_once) & MODULES - PACKAGES)
    return found


def circles(edges: dict[Module, frozenset[Module]]) -> list[set[Module]]:
    """The sets of modules each of which leads to each other one."""

    @functools.cache
    def reached(start: Module) -> frozenset[Module]:
        seen: set[Module] = set()
        waiting = [start]
        while waiting:
            new = edges.get(waiting.pop(), frozenset()) - seen
            seen |= new
            waiting += new
        return frozenset(seen)

    found: list[set[Module]] = []
    for module in edges:
        if module in reached(module) and not any(module in circle for circle in found):
            found.append({other for other in reached(module) if module in reached(other)})
    return found


def test_modules_that_are_imported_at_once_have_no_circle() -> None:
    assert circles(graph(False)) == []


def test_imports_inside_functions_have_a_reason() -> None:
    unknown = []
    for file in FILES:
        own = ".".join(name_of(file))
        allowed = ASKED_FOR.get(own, "").split()
        if own in KNOTS.get(own.split(".")[0], "").split():
            allowed.append(own.split(".")[0])
        inside = {".".join(t) for t in imports(file)[1]}
        unknown += [(own, t) for t in inside if not any(t == a or t.startswith(f"{a}.") for a in allowed)]
    assert unknown == []


def test_no_reason_is_left_over() -> None:
    named = {*ASKED_FOR, *(name for names in KNOTS.values() for name in names.split())}
    assert named <= {".".join(name_of(file)) for file in FILES if imports(file)[1]}


def test_no_circle_grows() -> None:
    """The message shows the circles as they are; a part that has become better gets its new size."""
    assert sorted((circle_part(circle), len(circle)) for circle in circles(graph(True))) == SIZES


def circle_part(circle: set[Module]) -> str:
    """The part of a circle; no circle goes through two."""
    parts = {module[0] for module in circle}
    assert len(parts) == 1, sorted(".".join(module) for module in circle)
    return parts.pop()


def test_a_circle_is_seen() -> None:
    a, b, c = ("x", "a"), ("x", "b"), ("x", "c")
    assert circles({a: frozenset([b]), b: frozenset([a]), c: frozenset([a])}) == [{a, b}]
    assert circles({a: frozenset([b]), b: frozenset([c]), c: frozenset()}) == []
