"""The command `adjoint`: run a demo, show what is generated for a function, check, explain and explore its
gradient, list rules, look after what is compiled."""

from __future__ import annotations

import argparse
import ast
import importlib
import importlib.util
import inspect
import re
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import adjoint
from adjoint.commands import Command, lines_between, positive, told_apart
from adjoint.compiled import storage
from adjoint.errors import AdjointError, OptionError, raising_place
from adjoint.explorer.entry import hint_for_method
from adjoint.origin import is_users
from adjoint.rules.listing import SCIPY, STANDARD, Listed, import_libraries, listed
from adjoint.spelling import identifier, suffixed

if TYPE_CHECKING:
    from adjoint.explorer.pages import Exploration

_SINGLE = ("moons", "clusters", "digits", "characters", "hmc", "deblurring", "orbit", "survival", "portfolio")
DEMOS = {name: [name] for name in _SINGLE}
DEMOS["polynomial"] = ["polynomial_rules", "polynomial_model", "polynomial_network"]
FORMS = {"adjoint": "code_adjoint", "primal": "code_primal", "ir": "code_ir"}


class UsageError(Exception):
    """A request that cannot be met: the message says why, in one line."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code: 0 done, 1 the check or the function failed, 2 a wrong call.

    >>> main(["show", "math:nothing"])
    2
    """
    given = sys.argv[1:] if arguments is None else arguments
    options = _parser().parse_args(told_apart(given))
    try:
        return int(options.run(options))
    except UsageError as error:
        return _fail(str(error), 2)
    except KeyboardInterrupt:
        return _fail("interrupted", 130)
    except BrokenPipeError:
        sys.stderr.close()
        return 1
    except Exception as error:
        return _fail(_described(error), 1)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="adjoint", description="Derivatives of Python, in reverse and forward mode.")
    parser.add_argument("--version", action="version", version=f"%(prog)s {adjoint.__version__}")
    commands = parser.add_subparsers(
        title="commands",
        required=True,
        metavar="demo | show | check | explain | explore | rules | cache",
        parser_class=Command,
    )

    demo = commands.add_parser("demo", help="train an example and draw the result")
    demo.add_argument("name", choices=DEMOS)
    demo.add_argument("--steps", type=positive, help="number of gradient steps")
    demo.add_argument("--output", type=Path, default="examples/output", help="folder of the pictures (%(default)s)")
    demo.add_argument("--seed", type=int, default=0, help="of data and initial weights (%(default)s)")
    demo.set_defaults(run=_demo)

    show = commands.add_parser("show", help="print the code generated for a function")
    show.add_argument("--form", choices=FORMS, default="adjoint", help="which form of it (%(default)s)")
    show.set_defaults(run=_show)

    check = commands.add_parser("check", help="compare a function's gradient with finite differences")
    check.set_defaults(run=_check)

    explain = commands.add_parser("explain", help="list what cannot be differentiated, and where derivatives end")
    explain.set_defaults(run=_explain)

    explore = commands.add_parser("explore", help="write a page on the derivative of a call, line by line")
    explore.add_argument("-o", "--output", type=Path, help="file of the page (the name of the function, with .html)")
    explore.add_argument("--lines", type=lines_between, help="the lines of the function that are shown, as 10-40")
    explore.set_defaults(run=_explore)

    rules = commands.add_parser("rules", help="list the functions that have rules")
    rules.add_argument("pattern", nargs="?", default="", help="a part of a name, or a pattern such as 'numpy.linalg.*'")
    rules.set_defaults(run=_rules)

    cache = commands.add_parser("cache", help="say where compiled programs are kept, and how many; or remove them")
    cache.add_argument("action", nargs="?", choices=["path", "clear"], help="print only the folder, or empty it")
    cache.set_defaults(run=_cache)

    for command in (show, check, explain, explore):
        command.add_argument("function", metavar="module:function", help="a module on the path, or a file.py")
        command.add_argument(
            "values",
            nargs="*",
            default=[],
            metavar="value",
            help="arguments of the function, as Python literals: 1.0 '[1, 2]' k=2.0",
        )
        command.add_argument("--arrays", action="store_true", help="make NumPy arrays of the lists among the values")
    return parser


def _demo(options: argparse.Namespace) -> int:
    _check_writable(options.output)
    folder = _examples()
    sys.path.insert(0, str(folder))
    try:
        for name in DEMOS[options.name]:
            given = {} if options.steps is None else {"steps": options.steps}
            importlib.import_module(name).main(output=options.output, seed=options.seed, **given)
    except ModuleNotFoundError as error:
        raise UsageError(f"the demos need {error.name}: pip install matplotlib scikit-learn scipy") from None
    finally:
        sys.path.remove(str(folder))
    return 0


def _check_writable(folder: Path) -> None:
    """Notice before the training that its pictures cannot be kept."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise UsageError(f"nothing can be written to {folder}: {error.strerror}") from None


def _examples() -> Path:
    """The folder of the example scripts: beside the package when installed, at the root of a checkout otherwise."""
    here = Path(__file__).resolve()
    for folder in (here.parent / "examples", here.parents[2] / "examples"):
        if (folder / "moons.py").exists():
            return folder
    raise UsageError("the example scripts are not installed")


def _show(options: argparse.Namespace) -> int:
    shown = getattr(adjoint.inspect, FORMS[options.form])
    function, args, kwargs = _call(options, shown)
    print(str(shown(function, *args, **kwargs)).rstrip())
    return 0


def _check(options: argparse.Namespace) -> int:
    from adjoint.nn import leaves
    from adjoint.testing import GradientMismatch, check_gradient

    function, args, kwargs = _call(options)
    if not any(np.asarray(leaf).dtype.kind in "fc" for leaf in leaves([*args, *kwargs.values()])):
        raise UsageError("there is no floating-point number among the values: write 3.0 for 3, or use --arrays")
    try:
        check_gradient(function, *args, kwargs=kwargs)
    except GradientMismatch as mismatch:
        print(mismatch)
        return 1
    print(f"the gradient of {options.function} agrees with finite differences")
    return 0


def _explain(options: argparse.Namespace) -> int:
    function, args, kwargs = _call(options, adjoint.explain)
    explanation = adjoint.explain(function, *args, **kwargs)
    print(explanation)
    return 1 if explanation.refused else 0


def _explore(options: argparse.Namespace) -> int:
    function, args, kwargs = _call(options, adjoint.explore)
    name = identifier(str(getattr(function, "__name__", type(function).__name__)))
    file: Path = options.output if options.output is not None else Path(f"{name}.html")
    if not file.parent.is_dir():
        raise UsageError(f"there is no folder {file.parent}")
    chosen = {} if options.lines is None else {"lines": options.lines}
    page = _explored(lambda: adjoint.explore(function, *args, **chosen, **kwargs), options.lines)
    try:
        page.save(file)
    except OSError as error:
        raise UsageError(f"nothing can be written to {file}: {error.strerror}") from None
    print(f"{file}: {len(page.html.encode()) / 1000:.0f} kB")
    if page.refused:
        print(f"there is no derivative: {page.refused}", file=sys.stderr)
    return 1 if page.refused else 0


def _explored(explore: Callable[[], Exploration], lines: tuple[int, int] | None) -> Exploration:
    """The page of a call; `UsageError` for lines that the function does not have."""
    try:
        return explore()
    except OptionError as error:
        known = re.search(r"has lines (\d+) to (\d+)", error.why)
        if lines is None or known is None:
            raise
        asked, there = "-".join(map(str, lines)), "-".join(known.groups())
        raise UsageError(f"--lines {asked}: {error.why}; write --lines {there}, or none for all lines") from None


def _rules(options: argparse.Namespace) -> int:
    """Functions with rules, a line each; those of SciPy where they may be meant, and it is there."""
    pattern: str = options.pattern
    asked = [library for library in SCIPY if _asks_for(pattern, library)]
    missing = import_libraries(asked)
    found = listed(pattern)
    if not found:
        if missing and pattern.startswith("scipy"):
            raise UsageError(f"{missing[0]} is not installed: pip install 'scipy>=1.15'")
        return _fail(f"no function with rules has {pattern!r} in its name", 1)
    rows = [("function", "library", "derivative", ""), *[_row(entry) for entry in found]]
    widths = [max(len(row[i]) for row in rows) for i in range(3)]
    for row in rows:
        print("  ".join([*map(str.ljust, row[:3], widths), row[3]]).rstrip())
    return 0


def _cache(options: argparse.Namespace) -> int:
    """Show or clear what is kept of compiled programs."""
    folder = storage.place()
    if folder is None:
        raise UsageError(f"compiled programs are not kept: {storage.VARIABLE} is empty or 0, or there is no home")
    if options.action == "path":
        print(folder)
        return 0
    kept = storage.opened() if folder.exists() else storage.Storage(folder)
    if kept is None:
        raise UsageError(f"{folder} is not used: it is a link or cannot be read, or others own it or may write to it")
    if options.action == "clear":
        print(f"{kept.clear()} compiled programs removed from {folder}")
        return 0
    found = kept.programs()
    print(f"{folder}: {len(found)} compiled programs, {sum(size for _, size, _ in found) / 1e6:.1f} MB")
    return 0


def _asks_for(pattern: str, library: str) -> bool:
    """Tell whether a pattern may be for names of a library, which is then imported: also where it names none.

    >>> _asks_for("schur", "scipy.linalg"), _asks_for("scipy", "scipy.linalg"), _asks_for("numpy.sin", "scipy.linalg")
    (True, True, False)
    """
    start = pattern.split("*")[0].split("?")[0].split("[")[0]
    if start.partition(".")[0] in (*STANDARD, "numpy", "scipy"):
        return start.startswith(library) or library.startswith(start)
    return True


def _row(entry: Listed) -> tuple[str, str, str, str]:
    """The cells of a function's line: the last one says what else there is to know."""
    notes = [
        entry.reason,
        f"refused by {', '.join(entry.unknown)}" if entry.unknown else "",
        f"refused: {'; '.join(entry.uses)}" if entry.uses else "",
        f"linear in {', '.join(entry.linear)}" if entry.linear else "",
        f"also {', '.join(entry.aliases)}" if entry.aliases else "",
    ]
    return entry.name, entry.library, entry.how, "; ".join(filter(None, notes))


def _function(target: str) -> Callable[..., Any]:
    """The function that `module:name` or `file.py:name` names."""
    source, colon, path = target.rpartition(":")
    if not (colon and source and path):
        raise UsageError(f"{target!r} is not of the form module:function")
    try:
        found: Any = _module(source)
        for name in path.split("."):
            found = getattr(found, name)
    except AttributeError:
        raise UsageError(f"there is no {path!r} in {source}") from None
    if not callable(found):
        raise UsageError(f"{target} is a {type(found).__name__}, which cannot be called")
    return found  # type: ignore[no-any-return]


def _module(source: str) -> Any:
    file = Path(source).resolve() if source.endswith(".py") else None
    if file is not None and not file.is_file():
        raise UsageError(f"there is no file {source}")
    folder = str(Path.cwd() if file is None else file.parent)
    if folder not in sys.path:
        sys.path.insert(0, folder)
    try:
        return importlib.import_module(source) if file is None else _loaded(file)
    except ModuleNotFoundError as error:
        raise UsageError(f"there is no module {error.name}") from None


def _loaded(file: Path) -> Any:
    """The module in a file, under its name; under a name of its own where that is another module's, or none."""
    known = sys.modules.get(file.stem)
    if known is not None and getattr(known, "__file__", None) == str(file):
        return known
    taken = {*sys.modules, *sys.stdlib_module_names}
    name = suffixed(identifier(file.stem), lambda name: name not in taken)
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None and spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _call(
    options: argparse.Namespace, verb: Callable[..., Any] | None = None
) -> tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]:
    """The function of the command line and the values for it, which the verb does not take for options of its own;
    without values, the function must need none."""
    function = _function(options.function)
    args: list[Any] = []
    kwargs: dict[str, Any] = {}
    for text in options.values:
        name, value = _value(text, options.arrays)
        if name in kwargs:
            raise UsageError(f"`{name}` is given twice")
        if name:
            kwargs[name] = value
        elif kwargs:
            raise UsageError(f"{text!r} stands behind a value with a name: those without one come first")
        else:
            args.append(value)
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return function, tuple(args), kwargs  # a C function without a signature
    try:
        given = signature.bind(*args, **kwargs)
    except TypeError as error:
        plain = signature.replace(
            parameters=[p.replace(annotation=p.empty) for p in signature.parameters.values()],
            return_annotation=signature.empty,
        )
        name, hint = options.function.rpartition(":")[2], hint_for_method(function)
        raise UsageError(f"{options.function} is called as {name}{plain}: {error}{hint and f'; {hint}'}") from None
    for name in given.kwargs.keys() & inspect.signature(verb).parameters.keys() if verb is not None else ():
        raise UsageError(f"`{name}` is an option of the command: give that of {options.function} by position")
    return function, given.args, given.kwargs


def _value(text: str, arrays: bool) -> tuple[str, Any]:
    """A value of the command line, and its name, if it is given as `name=value`.

    >>> _value("2.0", False), _value("k=[1, 2]", False), _value("'k=2'", False)
    (('', 2.0), ('k', [1, 2]), ('', 'k=2'))
    >>> _value("-inf", False), _value("k=nan", False)
    (('', -inf), ('k', nan))
    """
    name, sign, rest = text.partition("=")
    named = bool(sign) and name.isidentifier()
    found = (rest if named else text).strip()
    try:
        value = float(found) if found in ("inf", "-inf", "nan", "-nan") else ast.literal_eval(found)
    except (ValueError, SyntaxError):
        quoted = f": a text stands in quotes twice, \"'{found}'\"" if found.isidentifier() else ""
        raise UsageError(f"{found!r} is not a Python literal{quoted}") from None
    made = np.array(value, dtype=float) if arrays and isinstance(value, list) else value
    return name if named else "", made


def _described(error: Exception) -> str:
    """The message as it is where we wrote it, and the page on it; the kind of error and the line where the user's code
    raised it."""
    if isinstance(error, AdjointError):
        return f"{error}\nsee the page Troubleshooting of the documentation: {error.page}"
    place = raising_place(error, is_users)
    return f"{type(error).__name__}: {error}".rstrip(": ") + ("" if place is None else f"\n{place.render()}")


def _fail(message: str, code: int) -> int:
    print(f"adjoint: {message}", file=sys.stderr)
    return code
