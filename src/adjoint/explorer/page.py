"""The page: one file of HTML with its own style and script, which asks for nothing."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path

from ..diagnostics import Explanation
from ..diagnostics.explanation import End
from ..markup import Html, element, escaped, joined, prose, table
from .coloring import colored, pieces_of_line, pieces_of_source
from .exploration import Findings
from .lines import MARK, Lines
from .programs import Row, Unit
from .shown import Shown
from .words import of_seconds

HINT = "Point at a line or touch it, or go through the lines with the arrow keys."
HEAD = element(
    "template",
    element("thead", element("tr", *[element("th", name) for name in ("variable", "visit", "value", "cotangent")])),
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


def page(found: Findings, cut: str, lines: tuple[int, int] | None, visits: bool = True) -> str:
    """The page of what was found; `cut` says that a part of it is left out, `lines` which ones of the function are
    shown, and without `visits` only the last visit of each line is."""
    facts = Lines(found, visits)
    title = f"{found.name} · adjoint explorer"
    units = [_unit(unit, facts, lines if i == 0 else None, i) for i, unit in enumerate(found.units)]
    body = joined(
        [
            _header(found),
            element("p", prose(cut), class_="cut", role="status") if cut else "",
            _legend(found),
            *units,
            _outside(found),
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


def _header(found: Findings) -> Html:
    own = found.units[0]
    where = element("p", element("code", f"{own.filename}:{own.first}"), class_="where")
    return element(
        "header",
        element("h1", element("code", f"{found.name}({', '.join([name for name, *_ in found.arguments])})")),
        where,
        element("p", prose(f"{own.why}."), class_=f"way {own.way}"),
        element("div", *_cards(found), class_="cards"),
        _contents(found.units),
        _ends(found.explanation, own.filename),
    )


def _contents(units: list[Unit]) -> Html:
    """Links to the functions that are shown, where there are several."""
    links = [element("a", element("code", unit.name), href=f"#u{i}") for i, unit in enumerate(units)]
    if len(links) < 2:
        return Html("")
    return element("nav", "Functions on this page: ", joined([*links[:1], *[joined([", ", a]) for a in links[1:]]]))


def _cards(found: Findings) -> Iterator[Html]:
    nothing = "nothing flows" if found.error is None else "no derivative"
    rows = [(element("code", name), value, bar) for name, value, bar in found.arguments]
    rows += [(joined([element("code", name), " by default"]), value, bar) for name, value, bar in found.defaults]
    arguments = [[name, value_of(value), value_of(bar, nothing)] for name, value, bar in rows]
    if arguments:
        yield _card("Arguments", table(["argument", "value", "cotangent"], arguments))
    if found.error is not None:
        error = found.error
        text = element("p", element("strong", prose(error.what)), prose(f": {error.why}. Way out: {error.way_out}."))
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


def _ends(explanation: Explanation, filename: str) -> Html:
    lost = [*[end for end in explanation.ends if end.loses], *explanation.refused, *explanation.silent]
    if not lost:
        return element(
            "p", "No derivative ends on the way: what flows back reaches every argument.", class_="ends none"
        )
    items = [element("li", prose(_end(end, filename))) for end in explanation.ends if end.loses]
    items += [element("li", prose(f"refused: {refusal.what}: {refusal.why}")) for refusal in explanation.refused]
    names = ", ".join([f"`{name}`" for name in explanation.silent])
    items += [element("li", prose(f"nothing of the derivative reaches {names}"), class_="soft")] if names else []
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
        element("span", element("b", "x"), " value after the line", class_="v"),
        element("span", bar, " its cotangent", class_="d") if found.error is None else "",
        element("span", "×4", class_="times") + f" runs of the line; {last} is shown",
    ]
    if found.profile is not None:
        items.append(element("i", class_="f") + " time of the forward half")
        items.append(element("i", class_="b") + " of the reverse half")
    if any(row.marks for unit in found.units for row in unit.derivative):
        items.append(element("i", "name", class_="m") + " kept for the reverse half")
    return element("p", *[element("span", Html(item)) for item in items if item], class_="legend")


# ---- the three texts


def _unit(unit: Unit, facts: Lines, lines: tuple[int, int] | None, i: int) -> Html:
    chosen = None if lines is None else facts.keys_of(unit, *lines)
    panes = [
        _pane("Source", "source", _source(unit, facts, lines), i),
        _pane("IR", "ir", _rows(unit.ir, chosen, True), i, unit.without_ir),
        _pane(_title(unit), "derivative", _rows(unit.derivative, chosen, False), i, f"{unit.why}."),
    ]
    name, up = element("code", unit.name), element("a", "↑", href="#u0", title="to the first function")
    head = element("h2", name, element("small", " ", prose(unit.why), " ", up), class_="unit") if i else ""
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


def _source(unit: Unit, facts: Lines, lines: tuple[int, int] | None) -> list[Html]:
    pieces = pieces_of_source([text for _, text in unit.source])
    first, last = lines or (unit.first, unit.first + len(unit.source))
    rows = []
    for (number, text), found in zip(unit.source, pieces, strict=True):
        if not first <= number <= last:
            continue
        rows.append(facts.row(unit, number, text, colored(text, found)))
    return rows


def _rows(rows: list[Row], chosen: set[str] | None, ir: bool) -> list[Html]:
    found: list[Html] = []
    left_out = False
    for row in rows:
        keys, near = [str(key) for key in row.keys], [str(key) for key in row.near]
        if chosen is not None and keys and chosen.isdisjoint((*keys, *near)):
            left_out = True
            continue
        if left_out:
            found.append(element("div", "⋯", class_="gap", aria_hidden="true"))
        left_out = False
        row.html = row.html or _row(row, keys, near, ir)
        found.append(row.html)
    return found


def _row(row: Row, keys: list[str], near: list[str], ir: bool) -> Html:
    text = colored(row.text, pieces_of_line(row.text, ir), row.marks) if row.text else Html("&nbsp;")
    indent = len(row.text) - len(row.text.lstrip())
    return element(
        "div",
        element("code", text),
        class_=f"row {row.half}".strip(),
        style=f"--i:{min(indent, 24)}ch",
        data_k=" ".join(keys) or None,
        data_n=" ".join(near) or None,
    )


# ---- below


def _outside(found: Findings) -> Html:
    rows = [[element("code", f.name), f.way, f"{f.calls}"] for f in found.explanation.functions]
    left = f"Not shown: {', '.join(found.left_out)}." if found.left_out else ""
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
        "was put back afterwards. A cotangent is that of the variable right after the line.",
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
