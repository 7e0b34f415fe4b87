"""The page in a browser: it asks for nothing, fits on a telephone, and its lines light up what belongs to them; and
faults that are planted in it are found."""

from __future__ import annotations

import base64
import hashlib
import re
from collections import UserList
from collections.abc import Generator, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from docs.browser import chromium

import adjoint
from adjoint.explorer.pages import framed
from adjoint.inspect import graph
from explorer.programs import arrays, branch, calls, loop, straight, taped
from explorer.test_page import EVIL, PLANTED, long_function, written

SIZES = {"telephone": {"width": 360, "height": 740}, "screen": {"width": 1400, "height": 900}}
WIDER = """() => [document.documentElement, ...document.querySelectorAll("body, header, .card, .pane, #drawer, iframe")]
    .filter(e => e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX !== "auto"
    || e.getBoundingClientRect().right > innerWidth + 1).map(e => e.tagName + "." + e.className)"""
COLORS = "() => { const s = getComputedStyle(document.documentElement); return [s.backgroundColor, s.color]; }"
LIT = """() => [...document.querySelectorAll(".row.on")].map(r => [r.closest(".pane").classList[1], r.dataset.k])"""
NAMELESS = """() => [...document.querySelectorAll("[role=listbox], aside, [role=img]")].filter(e => !e.getAttribute(
    "aria-label") && !document.getElementById(e.getAttribute("aria-labelledby"))).map(e => e.className)"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as found:
        yield found


def changed(page: str, old: str, new: str) -> str:
    """A page with a fault in it, all scripts of which may run."""
    text = page.replace(old, new)
    scripts = re.findall("<script>(.*?)</script>", text, re.S)
    sums = [base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts]
    allowed = " ".join([f"&#39;sha256-{digest}&#39;" for digest in sums])
    return re.sub("script-src &#39;sha256-.*?&#39;", f"script-src {allowed}", text)


class Opened:
    """A page in the browser, and what went wrong with it."""

    def __init__(self, browser: Any, file: Path, size: str, scheme: str = "light") -> None:
        self.found: list[str] = []
        self.page = browser.new_page(viewport=SIZES[size], color_scheme=scheme)
        self.page.set_default_timeout(4000)
        self.page.on("request", lambda request: self.asked(request.url, file.as_uri()))
        self.page.on("console", lambda message: self.found.append(f"says {message.text}"))
        self.page.on("pageerror", lambda error: self.found.append(f"error {error}"))
        self.page.on("dialog", lambda dialog: (self.found.append(f"dialog {dialog.message}"), dialog.dismiss()))
        self.page.goto(file.as_uri())

    def asked(self, url: str, own: str) -> None:
        if url != own and not url.startswith(("about:", "data:")):
            self.found.append(f"asks for {url}")

    def __enter__(self) -> Opened:
        return self

    def __exit__(self, *_: object) -> None:
        self.page.close()


def faults(browser: Any, folder: Path, text: str) -> list[str]:
    """What is wrong with a page."""
    file = folder / "page.html"
    file.write_text(text, encoding="utf-8")
    colors, found = [], []
    for size in SIZES:
        for scheme in ("light", "dark"):
            with Opened(browser, file, size, scheme) as opened:
                found += opened.found + [f"{size}: {name} is too wide" for name in opened.page.evaluate(WIDER)]
                colors.append(opened.page.evaluate(COLORS))
    if colors[0] == colors[1]:
        found.append("dark is as light")
    with Opened(browser, file, "screen") as opened:
        found += [f"{name} has no name" for name in opened.page.evaluate(NAMELESS)]
        found += [*by_mouse(opened.page), *by_keyboard(opened.page), *opened.found]
    return sorted(set(found))


def by_mouse(page: Any) -> Iterator[str]:
    """Each line of the source lights up its own rows, in each pane that has some, and says something below."""
    rows = page.locator(".pane.source .row[data-k]")
    for i in range(rows.count()):
        row = rows.nth(i)
        key = row.get_attribute("data-k")
        row.hover()
        lit = page.evaluate(LIT)
        if any(key not in keys.split() for _, keys in lit):
            yield f"{key} lights up what is of others"
        expected = page.locator(f'.row[data-k~="{key}"]').count()
        if len(lit) != expected:
            yield f"{key} lights up {len(lit)} rows of {expected}"
        if page.locator(f'.row.near[data-n~="{key}"]').count() != page.locator(f'.row[data-n~="{key}"]').count():
            yield f"{key} does not point at what is near"
        kept = (row.get_attribute("data-kept") or "").split()
        if kept and not page.locator(".m.on").count():
            yield f"{key} does not light up what it keeps"
        if row.locator("template").count() and not page.locator("#drawer h4").count():
            yield f"{key} has nothing to say"


def by_keyboard(page: Any) -> Iterator[str]:
    """Tab comes to a line, arrows go to the next, and what has the focus is lit up."""
    page.mouse.move(0, 0)
    page.locator(".pane.source .row[tabindex='0']").first.focus()
    first = page.evaluate("document.activeElement.dataset.k")
    page.keyboard.press("ArrowDown")
    second = page.evaluate("document.activeElement.dataset.k")
    if first == second:
        yield "the arrow stays where it was"
    if not page.locator(f'.pane.source .row.on[data-k="{second}"]').count():
        yield "the line with the focus is not lit up"
    page.keyboard.press("Enter")
    if page.locator(".row.pin").count() != 1:
        yield "Enter holds no line"
    page.keyboard.press("Escape")
    if page.locator(".row.pin, .row.on, .row.near").count():
        yield "Escape lets no line go"


UNSEEN = """() => [...document.querySelectorAll(".pane")].filter(pane => {
    const on = [...pane.querySelectorAll(".row.on, .row.near")], box = pane.getBoundingClientRect();
    const rows = on.some(r => r.matches(".reverse")) ? on.filter(r => r.matches(".reverse")) : on;
    return rows.length && !rows.some(r => {
        const own = r.getBoundingClientRect();
        return own.top >= box.top && own.bottom <= box.bottom + 1; });
}).map(pane => pane.classList[1])"""


def hidden(page: Any) -> Iterator[str]:
    """Panes in which no row of the line that is chosen is in sight: from the first line to the last by the keyboard."""
    page.locator(".pane.source .row[tabindex='0']").first.focus()
    for key in ("End", "Home", *["ArrowDown"] * 5, "End", "ArrowUp"):
        page.keyboard.press(key)
        line = page.evaluate("document.activeElement.dataset.k")
        yield from [f"{pane} of {line} is out of sight" for pane in page.evaluate(UNSEEN)]
        if not page.locator(".pane.derivative .row.reverse:is(.on, .near)").count():
            yield f"{line} lights no row of the reverse"


@pytest.mark.parametrize("size", SIZES)
def test_lit_rows_of_long_functions_come_into_sight(browser: Any, tmp_path: Path, size: str) -> None:
    file = tmp_path / "long.html"
    text = adjoint.explore(long_function(120), 0.5, profile=False).html
    file.write_text(text, encoding="utf-8")
    with Opened(browser, file, size) as opened:
        assert [*hidden(opened.page)] == [] and opened.found == []
        assert opened.page.locator("#drawer h4").count() == 1
    assert "pane !== own) show(pane, one)" in text
    file.write_text(changed(text, "pane !== own) show(pane, one)", "false) show(pane, one)"), encoding="utf-8")
    with Opened(browser, file, size) as opened:
        assert any("derivative of" in line for line in hidden(opened.page))


COVERED = """() => document.querySelector(".row.pin").getBoundingClientRect().bottom
    - document.getElementById("drawer").getBoundingClientRect().top"""


def touched(browser: Any, file: Path) -> Generator[str, None, None]:
    """Faults when lines are chosen on a telephone: the drawer hides the line, or does not tell of more below."""
    with Opened(browser, file, "telephone") as opened:
        page = opened.page
        drawer, rows = page.locator("#drawer"), page.locator(".pane.source .row[data-k]")
        for i in range(rows.count()):
            rows.nth(i).evaluate("e => { e.scrollIntoView({ block: 'nearest' }); e.click(); }")
            if page.evaluate(COVERED) > 0:
                yield f"{i} is hidden by the drawer"
            below = drawer.evaluate("e => e.scrollHeight - e.clientHeight - e.scrollTop")
            told = drawer.evaluate("e => e.classList.contains('more')")
            if (below > 8) != told:
                yield f"{i} has {below} below, and is told of: {told}"
            drawer.evaluate("e => { e.scrollTop = e.scrollHeight; }")
            page.wait_for_timeout(50)
            if drawer.evaluate("e => e.classList.contains('more')"):
                yield f"{i} has more below its end"
            if page.locator("#drawer .close").count() != 1:
                yield f"{i} cannot be closed"
                continue
            page.locator("#drawer .close").click()
            if page.locator(".row.pin").count():
                yield f"{i} is not closed"
        yield from opened.found


def test_lines_are_chosen_on_a_telephone(browser: Any, tmp_path: Path) -> None:
    file, text = tmp_path / "touched.html", adjoint.explore(loop, 1.2, 12).html
    file.write_text(text, encoding="utf-8")
    assert [*touched(browser, file)] == []
    for change, expected in (
        (("scrollBy(0, over + 12)", "void 0"), "hidden by the drawer"),
        (('drawer.classList.toggle("more"', 'drawer.classList.contains("more"'), "is told of: False"),
        (('drawer.addEventListener("scroll", tell', 'drawer.addEventListener("nothing", tell'), "more below its end"),
        (("(pinned ? [close] : [])", "[]"), "cannot be closed"),
    ):
        assert change[0] in text
        file.write_text(changed(text, *change), encoding="utf-8")
        with closing(touched(browser, file)) as faults:  # left at the first one, while its page can still be closed
            assert any(expected in line for line in faults), expected


COUNTING = """() => { window.changes = 0;
    new MutationObserver(() => { window.changes += 1; }).observe(
        document.getElementById("drawer"), {childList: true}); }"""


def test_the_drawer_that_comes_over_a_line_stays(browser: Any, tmp_path: Path) -> None:
    file, text = tmp_path / "over.html", adjoint.explore(long_function(120), 0.5, profile=False).html

    def changes(text: str) -> int:
        file.write_text(text, encoding="utf-8")
        with Opened(browser, file, "screen") as opened:
            page = opened.page
            page.evaluate(COUNTING)
            box = page.locator(".pane.source").bounding_box()
            for i in range(8):
                page.mouse.move(box["x"] + 100 + i, SIZES["screen"]["height"] - 60)
                page.wait_for_timeout(40)
            assert page.evaluate("document.elementFromPoint(200, innerHeight - 60).closest('#drawer') !== null")
            found = int(page.evaluate("window.changes"))
            page.mouse.move(2, 2)
            page.wait_for_timeout(60)
            assert opened.found == [] and page.locator("#drawer h4").count() == 0
            return found

    assert changes(text) == 1
    assert changes(changed(text, "!drawer.contains(event.relatedTarget)", "true")) > 2


@pytest.mark.parametrize("size", SIZES)
def test_tab_comes_to_a_line_of_each_pane(browser: Any, tmp_path: Path, size: str) -> None:
    file = tmp_path / "tab.html"
    file.write_text(adjoint.explore(branch, 1.5, 2.0, profile=False).html, encoding="utf-8")
    with Opened(browser, file, size) as opened:
        met = []
        for _ in range(12):
            opened.page.keyboard.press("Tab")
            met.append(opened.page.evaluate("document.activeElement.closest('.pane')?.classList[1]"))
            if met[-1]:
                assert opened.page.locator(".row.on").count() >= 2
        assert [pane for pane in met if pane][:3] == ["source", "ir", "derivative"]
        assert opened.page.evaluate("document.documentElement.scrollWidth") <= SIZES[size]["width"]


PAGES = {
    "loop": lambda: adjoint.explore(loop, 1.2, 5),
    "branch": lambda: adjoint.explore(branch, 1.5, 2.0),
    "calls": lambda: adjoint.explore(calls, 0.4, 1.1),
    "taped": lambda: adjoint.explore(taped, UserList([1.0, 2.0]), 1.5),
    "arrays": lambda: adjoint.explore(arrays, np.ones((3, 2)), np.ones((4, 3))),
    "planted": lambda: adjoint.explore(written("f", PLANTED, f"{EVIL * 4}.py"), 1.5, EVIL),
}


@pytest.mark.parametrize("name", PAGES)
def test_pages_have_no_faults(browser: Any, tmp_path: Path, name: str) -> None:
    assert faults(browser, tmp_path, PAGES[name]().html) == []


GOOD = "</body>"
FAULTS = {
    ("</style>", "</style><script src='https://cdn.example.org/x.js'></script>"): "says ",
    (GOOD, "<img src='file:///nowhere.png'></body>"): "says ",
    (GOOD, "<p style='width:500px'>wide</p></body>"): "is too wide",
    (GOOD, "<script>throw new Error('thrown')</script></body>"): "error ",
    (GOOD, "<script>alert('planted')</script></body>"): "dialog planted",
    ("one.classList.add(as);", ""): "lights up 0 rows",
    ('lights(one, "near")', 'lights(one, "on")'): "lights up what is of others",
    ("nearby.set(key,", "nearby.set(row,"): "does not point at what is near",
    ("byKey.get(key) || []", "rows"): "lights up what is of others",
    ('mark.classList.add("on"); lit.push(mark);', ""): "does not light up what it keeps",
    ("drawer.replaceChildren(", "Array.of("): "has nothing to say",
    ("own[to].focus();", ""): "the arrow stays where it was",
    ('list.addEventListener("focusin"', 'list.addEventListener("nothing"'): "the line with the focus is not lit up",
    ('event.key === "Escape"', "false"): "Escape lets no line go",
    ("prefers-color-scheme: dark", "prefers-color-scheme: none"): "dark is as light",
    (' aria-label="the line that is chosen"', ""): "has no name",
}


@pytest.mark.parametrize(("change", "expected"), FAULTS.items(), ids=range(len(FAULTS)))
def test_a_planted_fault_is_found(browser: Any, tmp_path: Path, change: tuple[str, str], expected: str) -> None:
    good = adjoint.explore(straight, 0.7, 1.3, profile=False).html
    assert change[0] in good
    assert any(expected in line for line in faults(browser, tmp_path, changed(good, *change)))


@pytest.mark.parametrize(
    "planted", ["<script>alert('planted')</script>", "<img src='data:,' onerror=\"alert('planted')\">"]
)
def test_no_other_script_runs(browser: Any, tmp_path: Path, planted: str) -> None:
    file, page = tmp_path / "other.html", adjoint.explore(straight, 0.7, 1.3, profile=False).html
    anything = re.sub("script-src .*?(?= img-src)", "script-src &#39;unsafe-inline&#39;;", page)
    for text, found in ((anything, True), (page, False)):
        file.write_text(text.replace(GOOD, planted + GOOD), encoding="utf-8")
        with Opened(browser, file, "screen") as opened:
            opened.page.wait_for_timeout(100)
            assert ("dialog planted" in opened.found) is found
            assert any("Content Security Policy" in line for line in opened.found) is not found
            assert opened.page.locator(".pane.source .row[tabindex='0']").count() == 1


def test_a_frame_does_not_reach_the_page_around(browser: Any, tmp_path: Path) -> None:
    page = adjoint.explore(straight, 0.7, 1.3)
    around = f"<!doctype html><meta charset=utf-8><body><h1 class=row>around</h1>{page._repr_html_()}"
    file = tmp_path / "around.html"
    file.write_text(around, encoding="utf-8")
    with Opened(browser, file, "screen") as opened:
        frame = opened.page.frames[1]
        frame.locator(".pane.source .row[data-k]").nth(3).hover()
        assert frame.locator(".row.on").count() >= 3
        assert opened.page.locator("h1").evaluate("e => getComputedStyle(e).position") == "static"
        assert opened.found == []


@pytest.mark.parametrize("within", [False, True], ids=["page", "frame"])
def test_links_lead_to_called_functions(browser: Any, tmp_path: Path, within: bool) -> None:
    page, file = adjoint.explore(calls, 0.4, 1.1, profile=False), tmp_path / "links.html"

    def tops(change: tuple[str, str] = ("", "")) -> list[float]:
        text = changed(page.html, *change)
        around = f"<!doctype html><meta charset=utf-8><body>{framed(text, 'page')}"
        file.write_text(around if within else text, encoding="utf-8")
        found = []
        for link in ("nav a >> nth=1", "a.to >> nth=0"):
            with Opened(browser, file, "screen") as opened:
                shown = opened.page.frames[1] if within else opened.page
                shown.locator(link).click()
                opened.page.wait_for_timeout(100)
                found.append(shown.evaluate("document.getElementById('u1').getBoundingClientRect().top"))
                assert opened.found == [] and shown.locator(".row.pin").count() == 0
        return found

    assert all(0.0 <= top < 400.0 for top in tops())  # as far as the page goes
    assert all(top > 600.0 for top in tops((".scrollIntoView()", ".id")))


def test_a_graph_is_drawn(browser: Any, tmp_path: Path) -> None:
    file = tmp_path / "graph.html"
    file.write_text(
        f"<!doctype html><meta charset=utf-8><body>{graph(straight, 0.7, 1.3)._repr_html_()}", encoding="utf-8"
    )
    with Opened(browser, file, "telephone") as opened:
        boxes = opened.page.locator("svg rect")
        texts = opened.page.evaluate(
            "() => [...document.querySelectorAll('svg g')].filter(g => [...g.querySelectorAll('text')].some(t => {"
            "const a = t.getBBox(), b = g.querySelector('rect').getBBox();"
            "return a.x < b.x - 1 || a.x + a.width > b.x + b.width + 1; })).length"
        )
        assert boxes.count() == len(graph(straight, 0.7, 1.3).nodes) and texts == 0 and opened.found == []
        assert opened.page.evaluate("document.documentElement.scrollWidth") <= 360
