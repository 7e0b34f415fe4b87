"""The page: one file of HTML with its own style and script, which asks for nothing."""

from __future__ import annotations

from base64 import b64encode
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from hashlib import sha256
from pathlib import Path

from ..diagnostics import Explanation
from ..diagnostics.explanation import End
from ..markup import Html, element, escaped, joined, prose, table
from .coloring import Piece, colored, pieces_of_line, pieces_of_source
from .exploration import Findings
from .extent import Extent
from .lines import MARK, Lines
from .programs import Row, Unit
from .shown import Shown
from .words import of_seconds

HINT = "Point at a line or touch it, or go through the lines with the arrow keys."
HEAD = element(
    "template",
    element("thead", element("tr", *[element("th", name) for name in ("variable", "assigned", "value", "cotangent")])),
)
"""The head of the tables in the drawer, which stands in the page once."""


@cache
def part(name: str) -> Html:
    """A file of the package that stands in each page."""
    return Html(Path(__file__).with_name(name).read_text(encoding="utf-8"))


@cache
def policy() -> str:
    """The policy of a page's content: no script but the one of each page runs, and nothing is loaded."""
    digest = b64encode(sha256(part("page.js").encode()).digest()).decode()
    return f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; img-src data:"


def page(found: Findings, cut: str, extent: Extent) -> str:
    """The page of what was found, of an extent; `cut` says that a part of it is left out."""
    facts = Lines(found, extent)
    title = extent.short(f"{found.name} · adjoint explorer")
    units = [
        _unit(unit, facts, extent if i == 0 else replace(extent, lines=None), i) for i, unit in enumerate(found.units)
    ]
    body = joined(
        [
            _header(found, extent),
            element("p", prose(cut), class_="cut", role="status") if cut else "",
            _legend(found),
            *units,
            _outside(found, extent),
            _how(found),
            element(
                "aside",
                element("p", HINT, class_="hint"),
                HEAD,
                id="drawer",
                aria_live="polite",
                aria_label="the line that is chosen",
            ),
        ]
    )
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{escaped(policy())}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        f"<title>{escaped(title)}</title><style>{part('page.css')}</style></head>\n"
        f"<body>{body}\n<script>{part('page.js')}</script></body></html>\n"
    )


def value_of(x: Shown | None, nothing: str = "nothing flows") -> Html:
    """A value, with the whole of it as a title."""
    return element("em", nothing) if x is None else element("code", x.short, title=x.whole or None)


# ---- above


def _header(found: Findings, extent: Extent) -> Html:
    own = found.units[0]
    call = f"{found.name}({', '.join([name for name, *_ in found.arguments])})"
    where = element("p", element("code", f"{own.filename}:{own.first}"), class_="where")
    return element(
        "header",
        element("h1", element("code", extent.short(call))),
        where,
        element("p", prose(extent.short(f"{own.why}.")), class_=f"way {own.way}"),
        element("div", *_cards(found, extent), class_="cards"),
        _contents(found.units, extent),
        _ends(found.explanation, own.filename, extent),
    )


def _contents(units: list[Unit], extent: Extent) -> Html:
    """Links to the functions that are shown, where there are several."""
    links = [element("a", element("code", extent.short(unit.name)), href=f"#u{i}") for i, unit in enumerate(units)]
    if len(links) < 2:
        return Html("")
    return element("nav", "Functions on this page: ", joined([*links[:1], *[joined([", ", a]) for a in links[1:]]]))


def _cards(found: Findings, extent: Extent) -> Iterator[Html]:
    nothing = "nothing flows" if found.error is None else "no derivative"
    given = [(name, "", value, bar) for name, value, bar in found.arguments]
    given += [(name, " by default", value, bar) for name, value, bar in found.defaults]
    arguments = [
        [joined([element("code", extent.short(name)), how]), value_of(value), value_of(bar, nothing)]
        for name, how, value, bar in extent.few(given)
    ]
    if arguments:
        note = f"There are {len(given):,} arguments." if len(arguments) < len(given) else ""
        yield _card("Arguments", table(["argument", "value", "cotangent"], arguments), note=note)
    if found.error is not None:
        error = found.error
        rest = extent.short(f": {error.why}. Help: {error.way_out}.")
        text = element("p", element("strong", prose(extent.short(error.what))), prose(rest))
        yield _card("No derivative", text, "refused")
        if found.value is not None:
            yield _card("Result", table(["", "result"], [["value", value_of(found.value)]]))
    elif found.value is not None:
        result = table(["", "result"], [["value", value_of(found.value)], ["cotangent", value_of(found.seed)]])
        items = "These are the items of the iterator that it gives. " if found.steps else ""
        yield _card("Result", result, note=f"{items}The reverse began with {found.seeded}.")
    if (p := found.profile) is not None:
        named = {"the function alone": p.plain, "forward half": p.forward, "reverse half": p.reverse}
        times = table(["", "time"], [[name, of_seconds(seconds)] for name, seconds in named.items()])
        yield _card("Time", times, note=f"Without a tracer: {p.of_runs}.")


def _card(title: str, content: Html, cls: str = "", note: str = "") -> Html:
    inner = element("p", note, class_="note") if note else ""
    return element("section", element("h2", title), content, inner, class_=f"card {cls}".strip())


def _ends(explanation: Explanation, filename: str, extent: Extent) -> Html:
    lost = [*[end for end in explanation.ends if end.loses], *explanation.refused, *explanation.silent]
    if not lost:
        return element("p", "No derivative ends on the way from the result to the arguments.", class_="ends none")
    said = [_end(end, filename) for end in explanation.ends if end.loses]
    said += [f"refused: {refusal.what}: {refusal.why}" for refusal in explanation.refused]
    items = [element("li", prose(extent.short(text))) for text in extent.few(said)]
    items += [element("li", f"… {len(said):,} in all")] if len(items) < len(said) else []
    names = ", ".join([f"`{name}`" for name in explanation.silent])
    reached = extent.short(f"nothing of the derivative reaches {names}")
    items += [element("li", prose(reached), class_="soft")] if names else []
    return element("div", element("h2", "Where derivatives end"), element("ul", *items), class_="ends")


def _end(end: End, filename: str) -> str:
    """An end in words; of one in the file of the page, its line alone."""
    if end.place is None or end.place.filename != filename:
        return str(end)
    names = " and ".join([f"`{name}`" for name in end.arguments])
    return f"the path from {names} ends on line {end.place.span[0]}, `{end.code}`: {end.why}"


def _legend(found: Findings) -> Html:
    """Signs that stand beside the lines, in words."""
    bar = element("b", f"x{MARK}")
    last = "the last with a cotangent" if found.error is None else "the last"
    items = [
        element("span", element("b", "x"), " value, right after it is assigned or stored into", class_="v"),
        element("span", bar, " its cotangent there", class_="d") if found.error is None else "",
        element("span", "×4", class_="times") + f" times; {last} is shown",
    ]
    if found.profile is not None:
        items.append(element("i", class_="f") + " time of the forward half")
        items.append(element("i", class_="b") + " of the reverse half")
    if any(row.marks for unit in found.units for row in unit.derivative):
        items.append(element("i", "name", class_="m") + " kept for the reverse half")
    return element("p", *[element("span", Html(item)) for item in items if item], class_="legend")


# ---- the three texts


def _unit(unit: Unit, facts: Lines, extent: Extent, i: int) -> Html:
    chosen = None if extent.lines is None else facts.keys_of(unit, *extent.lines)
    why = prose(extent.short(unit.why))
    panes = [
        _pane("Source", "source", _source(unit, facts, extent), i),
        _pane("IR", "ir", _rows(unit.ir, chosen, True, extent), i, unit.without_ir),
        _pane(_title(unit), "derivative", _rows(unit.derivative, chosen, False, extent), i, f"{unit.why}."),
    ]
    name, up = element("code", extent.short(unit.name)), element("a", "↑", href="#u0", title="to the first function")
    head = element("h2", name, element("small", " ", why, " ", up), class_="unit") if i else ""
    texts = element("div", *panes, class_="panes")
    return element("section", head, texts, class_=f"of {unit.way}", data_u=i, id=f"u{i}")


def _title(unit: Unit) -> str:
    return "Derivative, recorded: a forward and a reverse program" if unit.way == "recorded" else "Derivative"


def _pane(title: str, cls: str, rows: list[Html], i: int, instead: str = "") -> Html:
    name = f"t{i}-{cls}"
    inner = element("div", *rows, class_="code", role="listbox", aria_labelledby=name) if rows else ""
    return element(
        "section",
        element("h3", title, id=name),
        inner or element("p", prose(instead), class_="instead"),
        class_=f"pane {cls}",
    )


def _source(unit: Unit, facts: Lines, extent: Extent) -> list[Html]:
    pieces = pieces_of_source([text for _, text in unit.source])
    first, last = extent.lines or (unit.first, unit.first + len(unit.source))
    rows = []
    for (number, text), found in zip(unit.source, pieces, strict=True):
        if not first <= number <= last:
            continue
        rows.append(facts.row(unit, number, text, _colored(text, found, (), extent)))
    return rows


def _colored(text: str, pieces: list[Piece], marks: Iterable[tuple[int, int, str]], extent: Extent) -> Html:
    """A row in colors, as much of it as is shown."""
    short = extent.short(text)
    if short == text:
        return colored(text, pieces, marks)
    end = extent.characters or 0
    within = [(a, min(b, end), cls) for a, b, cls in pieces if a < end]
    return colored(short, within, [mark for mark in marks if mark[0] + mark[1] <= end])


def _rows(rows: list[Row], chosen: set[str] | None, ir: bool, extent: Extent) -> list[Html]:
    found: list[Html] = []
    left_out = 0
    of_statement: Counter[str] = Counter()
    for row in rows:
        keys, near = [str(key) for key in row.keys], [str(key) for key in row.near]
        first = keys[0] if keys else ""
        others = chosen is not None and keys and chosen.isdisjoint((*keys, *near))
        if others or extent.rows is not None and of_statement[first] >= extent.rows:
            left_out += 1
            continue
        found += _gap(left_out)
        left_out = 0
        of_statement[first] += 1
        if extent.short(row.text) != row.text:
            found.append(_row(row, keys, near, ir, extent))
            continue
        row.html = row.html or _row(row, keys, near, ir, extent)
        found.append(row.html)
    return [*found, *_gap(left_out)]


def _gap(n: int) -> list[Html]:
    """A row that stands for so many others."""
    return [element("div", f"⋯ {n:,} {'row' if n == 1 else 'rows'}", class_="gap", aria_hidden="true")] if n else []


def _row(row: Row, keys: list[str], near: list[str], ir: bool, extent: Extent) -> Html:
    text = _colored(row.text, pieces_of_line(row.text, ir), row.marks, extent) if row.text else Html("&nbsp;")
    indent = len(row.text) - len(row.text.lstrip())
    return element(
        "div",
        element("code", text),
        class_=f"row {row.half}".strip(),
        style=f"--i:{min(indent, 24)}ch",
        data_k=" ".join(extent.few(keys)) or None,
        data_n=" ".join(extent.few(near)) or None,
    )


# ---- below


def _outside(found: Findings, extent: Extent) -> Html:
    functions = found.explanation.functions
    rows = [[element("code", extent.short(f.name)), f.way, f"{f.calls}"] for f in extent.few(functions)]
    rows += [[f"… {len(functions):,} in all", "", ""]] if len(rows) < len(functions) else []
    left = extent.short(f"Not shown: {', '.join(found.left_out)}.") if found.left_out else ""
    if not rows:
        return Html("")
    return element(
        "details",
        element("summary", "What was called, and how it is differentiated"),
        table(["function", "way", "calls"], rows),
        element("p", left) if left else "",
    )


def _how(found: Findings) -> Html:
    p = found.profile
    items = [
        "Values and cotangents are those of one run that was recorded and looked on at; what the function can reach "
        "was put back afterwards. A value and a cotangent are those of the variable right after it was assigned or "
        "stored into: where a line holds several statements, before the next one.",
        ""
        if found.error is not None
        else "An integer counts as a number, as `gradient` has it. A – stands where nothing flows back: to texts, and "
        "to what only counts or picks.",
        f"The reverse began with {found.seeded}." if found.seeded else "",
        "Where derivatives end is what adjoint.explain found.",
        "The IR is what `adjoint.ir.of` prints, and where the program stores what `code_primal` prints: each variable "
        "gets its value once. The page “The printed form of programs” of the documentation tells how to read it.",
    ]
    if found.unmeasured:
        items.append(f"Time and memory were not measured by lines: {found.unmeasured}.")
    if p is not None:
        items += [
            f"Times of lines: Python's tracer on the generated program, {p.of_runs}, with what a line "
            f"calls, less what the tracer costs ({of_seconds(p.tracer)} a line). The tracer slows down what a line "
            "calls too. So the lines of a half are scaled to what it takes without the tracer; both figures are told. "
            "A line that is written into another one is counted there. Times under a microsecond are mostly noise.",
            "Memory of lines: one run under tracemalloc. It sees what Python and NumPy allocate.",
        ]
    said = [element("p", prose(item)) for item in items if item]
    return element("details", element("summary", "How this was found"), *said)
