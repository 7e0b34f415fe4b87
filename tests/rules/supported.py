"""`docs/supported.md` and the pages below it: what there are rules for, made of the registry and of the samples."""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from rules.tables import Sampled, checked

from adjoint.rules import listing, registry
from adjoint.rules.listing import Listed

HEAD = """\
# What has rules

Each page lists the functions of a module that have a derivative here, and those that are refused. On the command line
`adjoint rules [pattern]` prints the same; [`adjoint.inspect.supports(f)`](api/inspect.rst) answers for one function.
Python functions without a rule are differentiated from source; NumPy's and SciPy's need a rule. The pages are made of
the rules and of the samples at which they are checked (`tests/rules/samples`), and a test holds them to these.

- **derivative**: *partials* stand in the generated code in place of the call; a *rule* has a pullback; a *program* is a
  Python function of the same meaning, which is differentiated.
- **by**: the parameters by which samples are differentiated; some functions are checked inside of programs only.
- **complex**: complex arguments are checked, and the convention is that of [Conventions](conventions.md).
- **forward**: what forward mode uses: the *partials*, the function itself where it is *linear*, the *program*, or the
  pullback, *transposed*.
- **second**: second derivatives are checked.

Below a table stands what the rules refuse: parameters by which no derivative is known (integers may be given), and
values of arguments, with the reason; … stands for what is given.
"""

TITLES = {"python": "Python and its standard library", "numpy": "NumPy", "scipy": "SciPy"}
NAMES = {"builtins", "einsum", "emath", "poly1d", "ufuncs", *sys.stdlib_module_names}
COLUMNS = ("function", "derivative", "by", "complex", "forward", "second")
CONSTANT = "Nothing flows through"
"""The heading of functions without derivatives."""
APART = ("numpy.fft", "numpy.linalg", "numpy.polynomial", "numpy.random")
"""Modules of NumPy with a page of their own; those of SciPy have all one."""


def pages() -> dict[str, str]:
    """The texts of the pages, by their paths from `docs`."""
    found: dict[str, list[Listed]] = {}
    for entry in listing.listed():
        if entry.is_known and not is_special(entry):
            found.setdefault(module_of(entry.name), []).append(entry)
    made = {f"supported/{module}.md": page(module, entries) for module, entries in sorted(found.items())}
    return {"supported.md": index(found), **made}


def index(modules: Iterable[str]) -> str:
    """The text of the page that the others hang from."""
    text = [HEAD]
    for top, title in TITLES.items():
        if mine := sorted(module for module in modules if module.partition(".")[0] == top):
            text += [f"## {title}\n", *[f"- [{module}](supported/{module}.md)" for module in mine], ""]
    names = "\n".join(f"supported/{module}" for module in sorted(modules))
    return "\n".join([*text, f":::{{toctree}}\n:hidden:\n\n{names}\n:::\n"])


def page(module: str, entries: list[Listed]) -> str:
    """The text of the page of a module."""
    text = [f"# Rules of {module}\n", "The columns are explained in [What has rules](../supported.md).\n"]
    for family, group in grouped([entry for entry in entries if entry.how not in ("constant", "refused")]):
        text.append(f"## {heading(family)}\n")
        if sentence := about(group[0]):
            text.append(f"{sentence}\n")
        text += [*table(COLUMNS, map(row, group)), "", *uses(group)]
    if refused := [entry for entry in entries if entry.how == "refused"]:
        text += ["## Refused\n", *table(("function", "why"), [(name(e), e.reason) for e in refused]), ""]
    if constant := [entry for entry in entries if entry.how == "constant"]:
        text.append(f"## {CONSTANT}\n")
        text.append("They test, count, choose or print, or are constant piece by piece.\n")
        text += [*constants(constant), ""]
    return "\n".join(text).rstrip() + "\n"


def module_of(name: str) -> str:
    """The module on whose page a function stands."""
    module = ".".join(name.split(".")[:2])
    if name.startswith("numpy."):
        return module if module in APART else "numpy"
    return module if name.startswith("scipy.") else "python"


def is_special(entry: Listed) -> bool:
    """Whether it is a method that nobody calls by its name, as operators do, which are listed; or SciPy's own tool."""
    return entry.name.rpartition(".")[2].startswith("_") or entry.name.startswith("scipy._lib.")


def top_of(entry: Listed) -> str:
    """The library at large."""
    first = entry.library.partition(".")[0]
    return first if first in ("numpy", "scipy") else "python"


def family_of(entry: Listed) -> str:
    """The heading under which a function stands."""
    top = top_of(entry)
    if top == "python":
        return entry.library
    if top == "scipy":
        inner = entry.library.partition(".")[2]
        return f"{entry.library}: {entry.family}" if entry.family != inner else entry.library
    return {"scalars": "operators"}.get(entry.family, entry.family)


def grouped(entries: list[Listed]) -> Iterator[tuple[str, list[Listed]]]:
    """The functions by family."""
    for family, group in groupby(sorted(entries, key=family_of), key=family_of):
        yield family, list(group)


def heading(family: str) -> str:
    """A family as a heading: a word of ours gets a capital, and names of NumPy's, SciPy's and Python's stay."""
    is_a_name = family in NAMES or "." in family or ":" in family
    return family if is_a_name else family.replace("_", " ").capitalize()


def about(entry: Listed) -> str:
    """What the module of the rules says that it is about."""
    if top_of(entry) == "python":
        return ""
    rules = registry.RULES[entry.key]
    module = importlib.import_module(listing.declared(rules.methods[0]).__module__)
    return re.split(r"(?<=[.:;])\s", " ".join((module.__doc__ or "").split()))[0].rstrip(".:;") + "."


def row(entry: Listed) -> tuple[str, ...]:
    """The cells of a function."""
    known = checked(entry.key) or Sampled()
    by = [name for name in known.by or names_of(entry) if name not in entry.unknown]
    return (name(entry), entry.how, code(by), yes(known.complex), entry.forward, yes(known.second))


def uses(entries: list[Listed]) -> list[str]:
    """The lines below a table: each reason to refuse a use of functions, and below it these."""
    refused: dict[str, list[str]] = {}
    for entry in entries:
        unknown = [f"by {code(entry.unknown)} no derivative is known"] if entry.unknown else []
        for reason in [*unknown, *entry.uses]:
            refused.setdefault(reason, []).append(f"`{entry.name}`")
    lines = [line for reason, names in refused.items() for line in (f"- {reason}:", f"  - {', '.join(names)}")]
    return ["Refused uses:\n", *lines, ""] if lines else []


def names_of(entry: Listed) -> Iterable[str]:
    """The parameters of partials: all of them count."""
    methods = registry.RULES[entry.key].methods if entry.how == "partials" else []
    return next((method.names for method in methods if method.partials is not None), ())


def name(entry: Listed) -> str:
    """The function's name, and the others that it has."""
    others = [alias for alias in entry.aliases if alias.startswith(("numpy.", "scipy."))]
    return f"`{entry.name}`" + (f" (`{'`, `'.join(others)}`)" if others else "")


def code(names: Iterable[str]) -> str:
    """Names of parameters."""
    return " ".join(f"`{name}`" for name in names)


def yes(x: bool) -> str:
    return "yes" if x else ""


def table(columns: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> list[str]:
    """The lines of a table."""
    lines = [columns, tuple(["---"] * len(columns)), *rows]
    return ["| " + " | ".join(cells) + " |" for cells in lines]


def constants(entries: list[Listed]) -> list[str]:
    """A line for each module or class, with the names of its functions."""
    lines = []
    by_holder = sorted(entries, key=lambda entry: entry.name.rpartition(".")[0])
    for holder, group in groupby(by_holder, key=lambda entry: entry.name.rpartition(".")[0]):
        names = ", ".join(f"`{entry.name.rpartition('.')[2]}`" for entry in group)
        lines.append(f"- {f'`{holder}`: ' if holder else ''}{names}")
    return lines


def facts(text: str) -> dict[str, Any]:
    """What a page says, by names: the cells of a row and the reasons below its table, or the place of a function."""
    found: dict[str, Any] = {}
    place = reason = ""
    for line in text.splitlines():
        if line.startswith("#"):
            place = line.lstrip("# ")
        elif line.startswith("| `"):
            first, *cells = line.strip("| ").split("|")
            found[first.split("`")[1]] = (place, *[cell.strip() for cell in cells if cell.strip()])
        elif line.startswith("- ") and place != CONSTANT:
            reason = line.removeprefix("- ")
        elif line.startswith("  - "):
            for each in re.findall(r"`(.+?)`", line):
                found[each] += (reason,)
        elif line.startswith("- `"):
            holder = re.match(r"- `([\w.]+)`: ", line)
            prefix = f"{holder[1]}." if holder else ""
            for each in re.findall(r"`([\w.]+)`", line[holder.end() :] if holder else line):
                found[prefix + each] = "constant"
    return found
