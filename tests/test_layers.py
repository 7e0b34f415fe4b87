"""The house's shape: imports run along the arrow only, files stay short, `__all__` is what is public."""

import ast
import functools
import importlib
import inspect
from pathlib import Path

import pytest
from faces import FURTHER, PUBLIC

import adjoint

ROOT = Path(adjoint.__file__).parent
FILES = sorted(ROOT.rglob("*.py"))

# What each part may import of the others. Data flows from left to right in
#   frontend -> ir -> transforms -> codegen -> (generated code) -> rules -> tangents
# and `runtime` alone sees both the engine and the rules, which know of the IR only the names of its intrinsics. Types
# are a floor of their own: nodes carry them, and operations are described in them.
MAY_IMPORT = {
    "positions": "",
    "errors": "positions spelling",
    "cells": "",
    "joiners": "",
    "markup": "joiners",
    "origin": "",
    "identity": "",
    "spelling": "",
    "ir.types": "",
    "ir.lattice": "ir.types",
    "ops": "ir.types ir.lattice identity origin",
    "ir": "cells ir.types ir.lattice ops spelling errors tangents origin wrappers classify",
    "tangents": "cells ops errors markup origin pause",
    "frontend": "ops ir identity errors depth",
    "transforms": "cells ops identity ir tangents origin errors wrappers classify",
    "codegen": "markup ir tangents origin spelling errors depth",
    "rules": "cells ops ir tangents origin identity errors wrappers classify",
    "runtime": "cells ops ir tangents frontend transforms codegen rules origin identity spelling errors"
    + " wrappers classify depth pause",
    "recording": "cells ops runtime frontend rules tangents origin identity spelling errors wrappers depth"
    + " pause classify faults",
    "derivatives": "cells markup faults pause identity ops recording runtime ir rules tangents spelling origin errors"
    + " wrappers classify",
    "wrappers": "identity",
    "classify": "wrappers",
    "depth": "errors",
    "faults": "errors origin",
    "pause": "",
    "progress": "",
    "commands": "",
    "versions": "",
    "finite": "cells tangents origin errors",
    "diagnostics": "cells markup ops derivatives recording runtime rules finite tangents origin errors wrappers"
    + " classify",
    "options": "runtime rules errors wrappers",
    "other_names": "errors",
    "result_types": "tangents",
    "api": "options result_types compiled diagnostics derivatives runtime tangents rules errors",
    "gradients": "options result_types api derivatives runtime tangents rules errors",
    "hooks": "derivatives runtime rules tangents errors",
    "operators": "derivatives tangents errors",
    "forward": "operators options derivatives runtime tangents rules errors",
    "solutions": "derivatives rules tangents errors",
    "black_box": "solutions derivatives finite rules tangents errors",
    "maps": "forward derivatives runtime tangents errors",
    "coloring": "",
    "sparse": "coloring maps options derivatives runtime tangents rules errors",
    "compiled_maps": "compiled maps tangents",
    "blocks": "compiled compiled_maps maps sparse forward derivatives runtime tangents rules errors",
    "of_functions": "blocks options api derivatives runtime rules errors wrappers",
    "jacobians": "of_functions blocks maps options result_types sparse api derivatives runtime tangents errors",
    "hessians": "of_functions blocks maps options result_types sparse gradients api derivatives runtime tangents",
    "directional": "operators options forward gradients derivatives runtime tangents rules errors",
    "curvature": "directional compiled_maps forward options gradients api derivatives runtime tangents rules",
    "batching": "cells of_functions options gradients derivatives runtime trees codegen transforms rules ops ir"
    + " tangents identity origin errors",
    "points": "directional gradients",
    "optimize": "points rules trees maps sparse hessians of_functions blocks gradients api derivatives"
    + " runtime tangents errors",
    "stats": "maps of_functions gradients runtime tangents errors",
    "checkpoints": "options derivatives runtime errors",
    "compiled": "runtime rules transforms tangents ir origin identity spelling errors wrappers classify",
    "compilation": "compiled options derivatives runtime rules errors wrappers classify",
    "reflection": "shown markup depth runtime transforms codegen ir rules tangents origin errors spelling wrappers"
    + " classify",
    "caches": "recording derivatives runtime codegen",
    "shown": "transforms tangents runtime codegen",
    "inspection": "shown depth codegen reflection compiled options derivatives recording runtime ir spelling errors"
    + " classify",
    "explorer": "cells classify depth markup pause rules reflection hooks api inspection diagnostics finite"
    + " derivatives recording runtime codegen frontend ir ops tangents options origin errors wrappers progress",
    "support": "recording runtime rules origin errors classify",
    "calculus": "black_box compilation curvature derivatives directional forward hessians hooks jacobians"
    + " solutions tangents",
    "inspect": "caches derivatives diagnostics explorer inspection support",
    "__init__": "pause batching versions other_names calculus inspect optimize rules sparse stats errors hessians"
    + " jacobians curvature directional checkpoints compilation api gradients forward diagnostics"
    + " explorer derivatives tangents",
    "testing": "api forward derivatives runtime rules finite tangents origin errors",
    "trees": "rules tangents errors",
    "compat": "gradients jacobians hessians directional checkpoints derivatives runtime rules tangents errors",
    "nn": "cells __init__ calculus inspect rules runtime trees errors origin markup progress",
    "installed": "",
    "interop": "cells __init__ installed nn derivatives rules trees tangents errors identity runtime",
    "dask": "__init__ installed derivatives forward interop options trees rules runtime tangents wrappers errors",
    "demos": "__init__ nn",
    "cli": "__init__ api commands compiled explorer rules spelling errors origin testing demos nn",
    "__main__": "cli",
}
LIMIT = 400


def part_of(parts: tuple[str, ...]) -> str:
    """The part of the package that a dotted name below `adjoint` lies in: a file may be one of its own."""
    file = ".".join(parts[:2])
    return file if file in MAY_IMPORT else parts[0] if parts else "__init__"


def imports_of(file: Path) -> set[str]:
    """The parts of the package that a file imports, types included."""
    package = file.relative_to(ROOT).parent.parts
    found = set()
    for node in ast.walk(ast.parse(file.read_text())):
        targets: list[tuple[str, ...]] = []
        if isinstance(node, ast.Import):
            names = [alias.name.split(".") for alias in node.names]
            targets = [tuple(name[1:]) for name in names if name[0] == "adjoint"]
        elif isinstance(node, ast.ImportFrom) and node.level:
            base = package[: len(package) - node.level + 1]
            targets = [(*base, *(node.module or alias.name).split(".")) for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "adjoint":
            module = (node.module or "").split(".")[1:]
            targets = [(*module, *([] if module else _submodule(alias.name))) for alias in node.names]
        found |= {part_of(target) if part_of(target) in MAY_IMPORT else "__init__" for target in targets}
    return found


def _submodule(name: str) -> list[str]:
    return [name] if name in MAY_IMPORT else []


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_imports_run_along_the_arrow(file: Path) -> None:
    part = part_of(file.relative_to(ROOT).with_suffix("").parts)
    assert part in MAY_IMPORT, f"{part} has no place in the arrow"
    assert imports_of(file) <= {part, *may_import(part)}


def test_the_arrow_has_no_circle() -> None:
    order: list[str] = []
    while len(order) < len(MAY_IMPORT):
        ready = [part for part in MAY_IMPORT if part not in order and set(MAY_IMPORT[part].split()) <= set(order)]
        assert ready, f"a circle among {sorted(set(MAY_IMPORT) - set(order))}"
        order += ready


def test_violations_are_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ir").mkdir()
    bad = tmp_path / "ir" / "bad.py"
    bad.write_text("from ..rules import registry\nfrom adjoint import gradient\nimport adjoint.runtime.cache\n")
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    assert imports_of(bad) == {"rules", "__init__", "runtime"}


def test_no_file_is_over_the_limit() -> None:
    long = {str(f.relative_to(ROOT)): n for f in FILES if (n := len(f.read_text().splitlines())) > LIMIT}
    assert long == {}


@pytest.mark.parametrize(
    "name", ["adjoint", "adjoint.nn", "adjoint.nn.optimizers", "adjoint.testing", "adjoint.tangents"]
)
def test_all_is_what_is_public(name: str) -> None:
    module = importlib.import_module(name)
    assert sorted(module.__all__) == sorted(set(module.__all__))
    public = {
        key
        for key, value in vars(module).items()
        if not key.startswith("_") and not inspect.ismodule(value) and key not in ("annotations", "TYPE_CHECKING")
    }
    assert public == {key for key in module.__all__ if not key.startswith("_")}


def test_every_public_name_is_documented() -> None:
    assert [name for name, f in sorted(PUBLIC.items()) if not f.__doc__] == []
    assert [(m.__name__, name) for m in FURTHER for name in m.__all__ if not getattr(m, name).__doc__] == []


def may_import(part: str) -> set[str]:
    """What a part may import: with another part the files of it that are parts."""
    allowed = {part, *MAY_IMPORT[part].split()}
    return allowed | {other for other in MAY_IMPORT if other.partition(".")[0] in allowed}


@functools.cache
def imported_at_once(file: Path) -> frozenset[str]:
    """The packages that a file imports when it is imported itself."""
    return frozenset(
        (node.module or "").split(".")[0] if isinstance(node, ast.ImportFrom) else alias.name.split(".")[0]
        for node in ast.parse(file.read_text()).body
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    )


@pytest.mark.parametrize(
    "name",
    [
        "scipy",
        "numba",
        "matplotlib",
        "sklearn",
        "tqdm",
        "torch",
        "jax",
        "plum",
        "wrapt",
        "dask",
        "optree",
        "pandas",
        "pytensor",
        "xarray",
    ],
)
def test_nothing_heavy_is_imported(name: str) -> None:
    files = [
        file
        for file in FILES
        if part_of(file.relative_to(ROOT).with_suffix("").parts) not in ("demos", "examples", "cli")
        # The rules of a library are loaded when a program has imported it.
        and file.relative_to(ROOT).parts[:2] != ("rules", name)
        and file.relative_to(ROOT).parts[0] != "interop"
    ]
    assert [file for file in files if name in imported_at_once(file)] == []
