"""The page: what it says, that all of it is escaped, how large it is, what is left out of it."""

from __future__ import annotations

import base64
import functools
import hashlib
import html
import linecache
import math
import operator
import re
import subprocess
import sys
import time
from collections import UserList
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import adjoint
from adjoint import errors, ir, markup
from adjoint.errors import OptionError, SourceUnavailableError
from adjoint.explorer.exploration import explored
from adjoint.explorer.extent import Extent
from adjoint.explorer.page import page as page_of
from adjoint.explorer.pages import LIMIT, fitting
from explorer.programs import PROGRAMS, arrays, branch, calls, loop, straight, taped

EVIL = "</script><img src=x onerror=alert(1)>&amp;\"'`<!--"
TAGS = {
    *(
        "html",
        "head",
        "meta",
        "title",
        "style",
        "body",
        "header",
        "h1",
        "h2",
        "h3",
        "h4",
        "p",
        "code",
        "div",
        "section",
    ),
    *("table", "thead", "tbody", "tr", "th", "td", "em", "ul", "li", "small", "span", "b", "i", "template", "aside"),
    *("script", "details", "summary", "strong", "nav", "a"),
}


class Tags(HTMLParser):
    """The elements of a page, with their attributes, and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: set[str] = set()
        self.ids: list[str] = []
        self.text: list[str] = []
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}
        self.ids += [value for name, value in attrs if name == "id" and value]
        if tag not in ("meta", "img", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, tag
        self.text += [" "] if tag in ("td", "th", "p", "li") else []

    def handle_data(self, data: str) -> None:
        if self.open[-1:] not in (["script"], ["style"]):
            self.text.append(data)


def words(text: str) -> str:
    return " ".join("".join(Tags(text).text).split())


def written(name: str, text: str, filename: str) -> Callable[..., Any]:
    """A function of a text, in a file of this name."""
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    scope: dict[str, Any] = {"np": np, "EVIL": EVIL, "__name__": "written"}
    exec(compile(text, filename, "exec"), scope)
    return scope[name]  # type: ignore[no-any-return]


PLANTED = f"""def f(x, text):
    # {EVIL}
    name = {EVIL!r}
    record = {{{EVIL!r}: x}}
    y = record[name] * x
    z = int(y) + len({EVIL!r})
    return y * x + z
"""


def faults(page: str) -> list[str]:
    """What came into a page as something else than text."""
    tags = Tags(page)
    found = [f"element {tag}" for tag in tags.tags if tag not in TAGS]
    found += [f"attribute {name}" for name in tags.attributes if name.startswith("on") or name in ("src", "href")]
    found += [f"{n} scripts" for n in [tags.tags.count("script")] if n != 1]
    found += [f"{tag} is not closed" for tag in tags.open]
    return found + (["two of one id"] if len(set(tags.ids)) < len(tags.ids) else [])


def test_everything_is_escaped() -> None:
    f = written("f", PLANTED, f"{EVIL}.py")
    f.__name__ = f.__qualname__ = EVIL
    page = adjoint.explore(f, 1.5, EVIL).html
    assert faults(page) == []
    text = words(page)
    assert text.count("</script><img src=x onerror=alert(1)>") >= 8
    assert f"{EVIL}.py" in "".join(Tags(page).text)


def test_a_refusal_is_escaped() -> None:
    f = written("f", f"import re\ndef f(x):\n    return re.compile({EVIL!r}).match(x)\n", "refused_here.py")
    assert faults(adjoint.explore(f, EVIL).html) == []


def test_what_is_not_escaped_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(markup, "_ESCAPED", {})
    page = adjoint.explore(written("f", PLANTED, "planted.py"), 1.5, EVIL, profile=False).html
    with pytest.raises(AssertionError):
        assert faults(page) == []


def test_characters_that_hide_are_shown() -> None:
    f = written("f", "def f(x):\n    t = '\u202e\u200b\x00'\n    return x * x\n".replace("\x00", ""), "hidden.py")
    text = adjoint.explore(f, 1.0).html
    assert "\u202e" not in text and "⟨202E⟩" in text


@pytest.mark.parametrize("name", ["script", "other"])
def test_the_policy_names_the_script(name: str) -> None:
    """By what it is: a browser runs no other one."""
    text = adjoint.explore(lambda x: x * x, 1.0, profile=False).html
    policy = html.unescape(re.findall(r'"Content-Security-Policy" content="(.*?)"', text)[0])
    script = text.split("<script>")[1].split("</script>")[0] + (" " if name == "other" else "")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert (f"script-src 'sha256-{digest}';" in policy) is (name == "script")
    assert policy.count("script") == 1


def test_values_cotangents_and_ends_stand_on_their_lines() -> None:
    def f(x: float, n: int) -> float:
        y = x * x
        steps = int(y)
        return y * steps + n

    text = words(adjoint.explore(f, 3.0, 2).html)
    assert "y 9 ȳ 9" in text and "steps 9 steps_bar 9 ⊣ the derivative by x" in text
    assert "⊣ the derivative by x ends at int(y): what it gives changes in jumps or not at all" in text
    assert "x 3 54 n 2 1" in text


def test_lines_know_their_ir_and_both_halves() -> None:
    page = adjoint.explore(straight, 0.7, 1.3, profile=False).html
    line = straight.__code__.co_firstlineno + 3
    rows = [part for part in page.split('<div class="row')[1:] if f'data-k="0-{line}"' in part]
    assert any("math.exp" in row for row in rows) and any("math.exp(b)" in row for row in rows)
    assert any(row.startswith(" forward") for row in rows) and any(row.startswith(" reverse") for row in rows)
    kept = next(row for row in rows if "data-kept" in row)
    assert 'data-kept="' in kept and 'class="m"' in page


def test_recorded_programs_say_so() -> None:
    page = adjoint.explore(taped, UserList([1.0, 2.0]), 1.5)
    text = words(page.html)
    assert "taped is recorded as it runs, and not reversed in its structure" in text
    assert "Derivative, recorded: a forward and a reverse program" in text
    assert "def taped_forward(record" in text and "for k, back in reversed(steps):" in text


def test_the_legend_has_the_signs_that_are_there() -> None:
    for page, kept, times in (
        (adjoint.explore(straight, 0.7, 1.3), True, True),
        (adjoint.explore(straight, 0.7, 1.3, profile=False), True, False),
        (adjoint.explore(taped, UserList([1.0, 2.0]), 1.5, profile=False), False, False),
    ):
        legend = page.html.partition('class="legend"')[2].partition("</p>")[0]
        assert ("kept for the reverse half" in legend) == kept == ('class="m" data-r' in page.html)
        assert ("time of the forward half" in legend) == times == ('class="bars"' in page.html)
        assert "value, right after it is assigned or stored into" in legend and "its cotangent there" in legend


def test_code_in_sentences_is_code() -> None:
    def ends(x: float, n: int) -> float:
        return x * int(x) + n

    pages = [
        adjoint.explore(taped, UserList([1.0, 2.0]), 1.5),
        adjoint.explore(calls, 0.4, 1.1, profile=False),
        adjoint.explore(ends, 2.5, 2, lines=(ends.__code__.co_firstlineno + 1,) * 2),
        adjoint.explore(written("g", "def g(x):\n    return eval('x')\n", "of_eval.py"), 2.0),
    ]
    for page in pages:
        assert "`" not in words(page.html)
    assert "<code>int(x)</code>: what it gives changes" in pages[2].html
    assert "`" not in words(adjoint.explain(ends, 2.5, 2)._repr_html_())


def test_a_line_shows_the_last_visit_that_something_flows_back_to() -> None:
    def f(x: float) -> float:
        t = 0.0
        y = x
        for i in range(3):  # noqa: B007 - it is shown
            t = t + y
            y = y * x
        return t

    text = words(adjoint.explore(f, 2.0, profile=False).html)
    assert "y 8 ȳ 1 2 of 3" in text and "t 14 t̄ 1 ×3" in text
    assert "i 2 ×3" in text  # an integer has none
    assert "y 3 of 3 16.0 nothing flows back" in text and "i 3 of 3 2 –" in text


def test_several_statements_on_a_line_have_the_cotangents_between_them() -> None:
    """And not those after the line: there nothing reads `y` any more, and it was assigned twice in one run."""
    text = "def f(x):\n    y = x; z = y * x\n    y = x * 2.0; z = z + y * y; y = 0.0\n    return z + y\n"
    html_ = adjoint.explore(written("f", text, "on_one_line.py"), 4.0, profile=False).html
    page = words(html_)
    assert "y 4 ȳ 4 z 16 z̄ 1" in page and "y 0 ȳ 1 ×2" in page
    assert "y 1 of 2 8.0 16.0" in page and "y 2 of 2 0.0 1.0" in page  # d z / d y = 2 y
    assert "×4 times; the last with a cotangent is shown" in page and "assignment 2 of 2" in html_
    assert "where a line holds several statements, before the next one" in page
    for wrong in ("after the line", "runs of the line", "visit"):
        assert wrong not in page and f"{wrong} " not in html_.partition("<script>")[0].partition("</style>")[2]


def test_what_has_no_derivative_shows_none() -> None:
    f = written("f", "def f(x):\n    y = x * 2.0\n    return eval('y') + y\n", "no_derivative.py")
    text = words(adjoint.explore(f, 2.0).html)
    assert "f cannot be differentiated: eval is not differentiated. " in text and "y 4 " in text
    assert "_bar" not in text and "ȳ" not in text and "def f_forward" not in text and "recorded as it runs" not in text


def test_what_is_written_out_has_its_ir_where_it_is_called() -> None:
    def numbers(x: float) -> Any:
        yield x
        yield x * x

    def f(x: float) -> float:
        return sum(numbers(x))

    assert "Its IR stands in that of f." in words(adjoint.explore(f, 2.0, profile=False).html)


def test_refused_programs_say_why() -> None:
    f = written("f", "def f(x):\n    import re\n    return re.sub('1', '2', str(x)) and open\n", "open_here.py")
    text = words(adjoint.explore(f, 1.5).html)
    assert "nothing of the derivative reaches x" in text
    g = written("g", "def g(x):\n    z = np.frompyfunc(abs, 1, 1)(x)\n    return z.sum()\n", "ufuncs.py")
    text = words(adjoint.explore(g, np.ones(2)).html)
    assert "No derivative" in text and "Help: " in text and "there is no derivative to measure" in text


def test_callees_are_shown() -> None:
    text = words(adjoint.explore(calls, 0.4, 1.1, profile=False).html)
    assert "def helper(a, b):" in text and "def helper_rrule(a, b):" in text


def test_functions_in_functions_are_shown_once() -> None:
    def f(x: float) -> float:
        def g(t: float) -> float:
            return t * x

        return g(x) + g(1.0)

    page = adjoint.explore(f, 2.0, profile=False).html
    assert page.count('class="panes"') == 1


def test_what_it_reaches_is_put_back() -> None:
    rows, runs = [1.0, 2.0], []

    def f(rows: list[float], y: float) -> float:
        rows.append(y)
        runs.append(1)
        return rows[0] * y

    adjoint.explore(f, rows, 3.0)
    assert rows == [1.0, 2.0] and runs == []


def test_own_errors_come_out_as_they_are() -> None:
    def f(x: float) -> float:
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        adjoint.explore(f, 1.0)


def test_time_and_memory_go_to_their_lines() -> None:
    def slow(x: Any) -> Any:
        return x * 1.0

    @adjoint.rule(slow)
    def slow_rule(x: Any) -> Any:
        time.sleep(0.01)

        def slow_back(y_bar: Any) -> Any:
            time.sleep(0.02)
            return (y_bar,)

        return x * 1.0, slow_back

    def f(x: Any) -> Any:
        a = x * 2.0
        b = slow(a)
        c = np.zeros(1_000_000) + b
        return c.sum()

    found = explored(f, (1.5,), {}, None, False, True)
    assert found.profile is not None
    first = f.__code__.co_firstlineno
    seconds = {(key.line - first, half): s for (key, half), s in found.profile.traced.items()}
    assert seconds[2, "forward"] >= 0.01 and seconds[2, "reverse"] >= 0.02
    assert max(s for at, s in seconds.items() if at[0] == 1) < 0.005
    for half, whole in (("forward", found.profile.forward), ("reverse", found.profile.reverse)):
        told = [s for (_, of), s in found.profile.seconds.items() if of == half]
        assert 0.0 < sum(told) <= whole * 1.1
    peak = {(key.line - first, half): n for (key, half), n in found.profile.peak.items()}
    assert 8e6 <= peak[3, "forward"] < 3e7 and peak.get((1, "forward"), 0.0) < 1e5
    text = words(adjoint.explore(f, 1.5).html)
    assert (
        re.search(r"forward: \d+(\.\d+)? ms( \(under the tracer \d+(\.\d+)? ms\))?", text)
        and "MB more in use meanwhile" in text
    )
    assert "Python's tracer on the generated program, " in text


def test_times_under_the_tracer_stand_beside_others_that_differ() -> None:
    found = explored(straight, (0.7, 1.3), {}, None, False, True)
    assert found.profile is not None
    at = next(at for at in found.profile.seconds if at[1] == "forward")
    for traced, told in ((2e-3, "forward: 1 ms (under the tracer 2 ms)"), (1e-3, "forward: 1 ms<")):
        found.profile.seconds[at], found.profile.traced[at] = 1e-3, traced
        found.profile.peak.pop(at, None)
        found.profile.grown.pop(at, None)
        assert told in page_of(found, "", Extent()).replace('<b class="forward">forward</b>', "forward")


def test_a_tracer_that_was_there_is_there_afterwards() -> None:
    seen = []

    def tracer(frame: Any, event: str, arg: Any) -> None:
        seen.append(event)

    before = sys.gettrace()
    sys.settrace(tracer)
    try:
        adjoint.explore(straight, 0.7, 1.3)
        assert sys.gettrace() is tracer
    finally:
        sys.settrace(before)


def test_without_a_profile() -> None:
    text = words(adjoint.explore(straight, 0.7, 1.3, profile=False).html)
    assert "Time and memory were not measured by lines: profile=False was asked for." in text


def long_function(n: int) -> Callable[..., Any]:
    body = [f"    y = y * x + {i}.5  # a step of many, and what it is for" for i in range(n - 3)]
    text = "\n".join(["def f(x):", "    y = x", *body, "    return y"]) + "\n"
    return written("f", text, f"long_{n}.py")


def test_two_hundred_lines_have_less_than_a_megabyte() -> None:
    page = adjoint.explore(long_function(200), 0.5)
    assert len(page.html.encode()) < LIMIT
    text = words(page.html)
    assert "larger than" not in text and "196.5" in text


def test_a_page_that_is_too_large_is_cut_and_says_so() -> None:
    found = explored(long_function(300), (0.5,), {}, None, False, False)
    page = fitting(found, None, 200_000)
    assert len(page.encode()) <= 200_000 and faults(page) == []
    assert "The page would be larger than 0.2 MB: of f lines 1 to " in words(page)
    assert "Write lines=(first, last) for others." in words(page)


@pytest.mark.parametrize("lines", [None, (2, 2), (1, 3)])
def test_a_long_line_is_cut_and_its_neighbours_are_not(lines: tuple[int, int] | None) -> None:
    """Of a literal of 1.5 MB its begin is shown."""
    f = written("f", f"def f(x):\n    y = x * len({'abc' * 500_000!r})\n    return y * 2.0\n", "long_line.py")
    page = adjoint.explore(f, 0.5, lines=lines, profile=False).html
    assert len(page.encode()) <= LIMIT and faults(page) == []
    text = words(page)
    assert "Of a text 1,000 characters are shown at most" in text and "… 1,500,019 characters" in text
    assert "y 750000 ȳ 2" in text and ("return y * 2.0" in text) == (lines != (2, 2))


def test_a_line_of_many_operations_is_cut_and_its_neighbours_are_not() -> None:
    body = "; ".join([f"y = y * x + {i}.5" for i in range(400)])
    found = explored(
        written("f", f"def f(x):\n    y = x\n    {body}\n    return y + 7.25\n", "many.py"),
        (0.5,),
        {},
        None,
        False,
        False,
    )
    for limit in (200_000, 60_000):
        page = fitting(found, None, limit)
        assert len(page.encode()) <= limit and faults(page) == []
        assert re.search(r"⋯ \d+ rows", words(page))
        assert ("y + 7.25" in words(page)) == (limit == 200_000)


def test_what_is_of_names_and_ends_is_cut_too() -> None:
    long = "a" * 300_000
    f = written(
        "f", f"def f({long}, *more):\n    y = int({long} * len({'b' * 300_000!r}))\n    return y * {long}\n", "names.py"
    )
    page = adjoint.explore(f, 0.5, *range(20_000), profile=False).html
    assert len(page.encode()) <= LIMIT and faults(page) == []
    assert "⊣ the derivative by " in words(page) and "There are 20,001 arguments." in words(page)


def test_the_lines_that_are_asked_for() -> None:
    text = words(adjoint.explore(long_function(200), 0.5, lines=(50, 60)).html)
    assert "Of f, lines 50 to 60 are shown, as lines asks for; it has lines 1 to 200." in text
    assert "x + 50.5" in text and "x + 90.5" not in text and "⋯" in text
    for odd in (3, (2,), (5, 2), (0, 3), ("a", "b"), (1.5, 2.0)):
        with pytest.raises(OptionError, match="the option `lines`"):
            adjoint.explore(straight, 0.7, 1.3, lines=odd)
    with pytest.raises(OptionError, match="why: the first line is larger than the last"):
        adjoint.explore(straight, 0.7, 1.3, lines=(13, 12))


@pytest.mark.parametrize("name", ["profile", "progress"])
@pytest.mark.parametrize("value", ["no", 2, None, [True]])
def test_flags_are_true_or_false(name: str, value: Any) -> None:
    with pytest.raises(OptionError, match=rf"the option `{name}` is [\s\S]*why: it is True or False"):
        adjoint.explore(straight, 0.7, 1.3, **{name: value})
    adjoint.explore(straight, 0.7, 1.3, profile=np.False_, progress=False)


def test_it_is_shown_in_a_frame_of_its_own(tmp_path: Path) -> None:
    page = adjoint.explore(branch, 1.5, 2.0)
    frame = page._repr_html_()
    tags = Tags(frame)
    assert tags.tags == ["iframe"] and "allow-same-origin" not in frame
    assert html.unescape(frame.split('srcdoc="')[1].split('"')[0]) == page.html
    assert page.save(tmp_path / "page.html").read_text(encoding="utf-8") == page.html
    assert repr(page).startswith("<exploration of branch: 8 lines, ")


def test_arrays_are_shown_by_shape() -> None:
    text = words(adjoint.explore(arrays, np.ones((3, 2)), np.ones((4, 3))).html)
    assert "(4, 2) float64, all 0.995055" in text


def test_functions_without_text_are_refused() -> None:
    with pytest.raises(SourceUnavailableError):
        adjoint.explore(np.sum, np.ones(2))


def test_gradients_are_refused() -> None:
    for f in (adjoint.grad(loop), adjoint.value_and_grad(loop)):
        with pytest.raises(SourceUnavailableError, match="what is explored is the gradient of `loop`"):
            adjoint.explore(f, 1.1, 3)


def test_methods_lambdas_and_partials() -> None:
    class Model:
        def __init__(self) -> None:
            self.w = 3.0

        def predict(self, x: float) -> float:
            y = self.w * x
            return y * x

    def text(f: Any, x: float) -> str:
        return words(adjoint.explore(f, x, profile=False).html)

    page = text(Model().predict, 2.0)
    assert "x 2 12" in page and "self Model(w=3) self_bar Tangent(w=4) x 2 x̄ 12" in page and "y 6 ȳ 2" in page
    page = text(lambda x: x * x, 3.0)
    assert "x 3 6" in page and "x 3 x̄ 6" in page and "returns 9 ȳ 1" in page
    page, y, dx = text(functools.partial(loop, n=3), 1.5), loop(1.5, 3), adjoint.grad(loop)(1.5, 3)
    step = 1e-6
    assert dx == pytest.approx((loop(1.5 + step, 3) - loop(1.5 - step, 3)) / (2 * step))
    assert f"x 1.5 {dx:.6g}" in page and f"value {y:.6g} cotangent 1" in page and "n 3 n̄" not in page


def test_nothing_of_it_is_loaded_by_an_import() -> None:
    code = (
        "import sys, adjoint\n"
        "new = {*sys.modules} - before\n"
        "parts = {name for name in new if name.startswith('adjoint.explorer')}\n"
        "assert parts == {'adjoint.explorer', 'adjoint.explorer.entry'}, parts\n"
        "others = [name for name in new if name.startswith(('adjoint.reflection', 'adjoint.markup'))]\n"
        "assert not others and not {'tokenize', 'tracemalloc'} & new, others\n"
    )
    code = "import sys, numpy\nbefore = {*sys.modules}\n" + code
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr


def test_what_is_used_up_and_lines_elsewhere_are_refused() -> None:
    def f(xs: Any, x: float) -> float:
        s = 0.0
        for v in xs:
            s = s + v * x
        return s

    with pytest.raises(OptionError, match="is a list_iterator"):
        adjoint.explore(f, iter([1.0, 2.0]), 2.0)
    first = f.__code__.co_firstlineno
    for lines in ((1, 2), (first + 90, first + 99)):
        with pytest.raises(OptionError, match=rf"`f` has lines {first} to {first + 4}") as found:
            adjoint.explore(f, [1.0, 2.0], 2.0, lines=lines, profile=False)
        assert found.value.what == f"the option `lines` is {lines}"


def test_a_recorded_program_runs_a_few_times(tmp_path: Path) -> None:
    note = tmp_path / "note.txt"
    held: UserList[float] = UserList()

    def f(x: float) -> float:
        held.append(x)
        with note.open("a") as file:
            file.write("x")
        return held[-1] * x

    adjoint.explore(f, 2.0)
    assert len(note.read_text()) <= 12


@pytest.mark.parametrize(("f", "args"), PROGRAMS, ids=lambda x: getattr(x, "__name__", ""))
def test_no_address_is_printed(f: Any, args: tuple[Any, ...]) -> None:
    found = explored(f, args, {}, None, False, False)
    rows = [row.text for unit in found.units for row in (*unit.ir, *unit.derivative)]
    assert [text for text in rows if " at 0x" in text] == []


def test_places_are_read_once_for_each_function() -> None:
    asked = []

    class Code:
        co_filename = "counted.py"

        def co_positions(self) -> Any:
            asked.append(self)
            return iter([(1, 1, 0, 5)] * 100)

    code: Any = Code()
    places = [errors.Site(code, 2 * i, {}).place() for i in range(100)]
    assert len(asked) == 1 and len({str(place) for place in places}) == 1


def of_integers(x: float, n: int, a: Any) -> float:
    k = n + 1
    k = k * 2
    b = a * k
    many = k > 2
    return x * b.sum() if many else x


def test_an_integer_has_the_cotangent_that_gradient_gives() -> None:
    a = np.array([1, 2])
    text = words(adjoint.explore(of_integers, 2.0, 3, a, profile=False).html)
    y, dx = of_integers(2.0, 3, a), adjoint.gradient(of_integers, 2.0, 3, a)
    assert y == 2.0 * 8 * 3 and dx[:2] == (24.0, 12.0) and [*dx[2]] == [16.0, 16.0]
    assert "x 2 24 n 3 12 a (2,) int64 [1, 2] (2,) float64 [16., 16.]" in text
    assert "x 2 x̄ 24 n 3 n̄ 12 a (2,) int64 [1, 2] ā (2,) float64 [16., 16.]" in text
    assert "k 4 k̄ 12" in text and "k 8 k̄ 6" in text and "b̄ (2,) float64 [2., 2.]" in text
    assert "many True" in text and "many_bar" not in text


def of_an_integer_array_left(x: float, a: Any, n: int, names: Any) -> float:
    b = a * 2  # noqa: F841 - it is shown
    m = n + 1
    is_large = a > m  # noqa: F841 - as this is
    return x * 2.0


@pytest.mark.parametrize("kind", [np.int64, np.int32, np.uint8, float])
def test_an_array_of_integers_shows_that_nothing_flows_as_one_of_floats(kind: type) -> None:
    a, names = np.array([1, 2], dtype=kind), np.array(["a", "b"])
    assert [*adjoint.gradient(of_an_integer_array_left, 2.0, a, 3, names)[1]] == [0.0, 0.0]
    text = words(adjoint.explore(of_an_integer_array_left, 2.0, a, 3, names, profile=False).html)
    assert re.search(r"a \(2,\) \w+ \[1\.?, 2\.?\] ā – n 3 names \(2,\) <U1 ", text)
    assert re.search(r"b \(2,\) \w+ \[2\.?, 4\.?\] b̄ – ", text) and re.search(
        r"b 1 of 1 \[2\.?, 4\.?\] nothing flows back", text
    )
    assert "m 4 m̄" not in text and "is_large_bar" not in text and "m 1 of 1 4 –" in text


def test_orders_have_no_cotangent_as_gradient_has_it() -> None:
    jv = pytest.importorskip("scipy.special").jv

    def of_orders(x: Any, n: Any) -> Any:
        m = n + 1
        return jv(m, x).sum()

    x, n = np.array([1.0, 2.0]), np.array([1, 2])
    assert [*adjoint.gradient(of_orders, x, n)[1]] == [0.0, 0.0]
    text = words(adjoint.explore(of_orders, x, n, profile=False).html)
    assert "m (2,) int64 [2, 3] m̄ – " in text and "unknown" not in text


def of_tests(x: float) -> float:
    y = x * x
    while y < 10.0:
        y = y * 2.0 if y > 3.0 else y + 1.0
    kinds = {4.0: 2.0, 1.0: 3.0}
    return y * round(y) * kinds[x * x]


def test_tests_and_keys_are_no_ends() -> None:
    html_ = adjoint.explore(of_tests, 2.0, profile=False).html
    ends = re.findall(r'class="end">⊣ (.*?)</span>', html_)
    assert len(ends) == 1 and "<code>round(y)</code>" in ends[0]
    above = words(html_.partition('class="ends"')[2].partition("</div>")[0])
    assert "round(y)" in above and "y < 10.0" not in above
    text = words(html_)
    assert "y < 10.0 asks about x: a comparison carries no derivative, and none is lost" in text
    assert "kinds[x * x] asks about x: an index or a key carries no derivative" in text
    page = adjoint.explore(branch, 1.5, 2.0, profile=False)
    assert "No derivative ends on the way" in words(page.html)


def of_text(x: float) -> float:
    return float(f"{x:.3f}") * x


def test_a_text_that_is_read_as_a_number_is_an_end() -> None:
    assert "⊣ the derivative by x ends at x: text carries no derivative" in words(adjoint.explore(of_text, 2.0).html)


def talks(x: float) -> float:
    print("out", x)
    print("err", file=sys.stderr)
    return x * x


def test_what_a_function_prints_is_seen_once(capfd: pytest.CaptureFixture[str]) -> None:
    for show in (adjoint.explore, adjoint.inspect.graph):
        show(talks, 2.0)
        assert capfd.readouterr() == ("out 2.0\n", "err\n"), show


def test_called_functions_are_linked() -> None:
    html_ = adjoint.explore(calls, 0.4, 1.1, profile=False).html
    assert (
        'Functions on this page: <a href="#u0"><code>calls</code></a>, <a href="#u1"><code>helper</code></a>' in html_
    )
    line = calls.__code__.co_firstlineno
    for row in html_.split('<div class="row')[1:]:
        key = re.search(r'data-k="0-(\d+)"', row)
        if 'class="no"' in row and key is not None:
            assert ("→ helper" in row) == (int(key[1]) - line in (1, 2)), row
    assert {*re.findall(r'href="#(\w+)"', html_)} <= {*re.findall(r'id="(\w+)"', html_)}
    assert "Functions on this page" not in adjoint.explore(straight, 0.7, 1.3, profile=False).html


def steps_of(x: float, n: int) -> Any:
    y = x
    for i in range(n):
        yield y * i
        y = y * x


def mapped(x: float) -> Any:
    return map(math.sin, [x, 2.0])


def test_a_generator_shows_what_it_yields() -> None:
    text = words(adjoint.explore(steps_of, 2.0, 3).html)
    assert "x 2 28 n 3 nothing flows" in text and "value [0, 4, 16] cotangent [1, 1, 1]" in text
    assert "yields 16 ȳ 1 ×3" in text and "yields 2 of 3 4.0 1.0" in text and "y 8 ȳ 2 2 of 3" in text
    assert "steps_of is a generator. Here it is run through, as list(steps_of(...)), and recorded" in text
    assert "It has no IR of its own" in text and "nothing of the derivative reaches n" in text
    assert "Tangent(" not in text and "generator object" not in text
    text = words(adjoint.explore(steps_of, 2.0, 3, cotangent=[1.0, 0.0, 2.0]).html)
    assert "x 2 48 n 3 nothing flows" in text  # of 0 y + 2 (2 x³), by x: 12 x²


def test_an_iterator_that_a_function_gives_is_run_through() -> None:
    text = words(adjoint.explore(mapped, 0.0).html)
    assert "value [0, 0.909297] cotangent [1, 1]" in text and "x 0 1" in text
    assert "These are the items of the iterator that it gives." in text and "Tangent(" not in text


def of_sin(x: float, rate: float) -> float:
    y = rate * x
    if y > 0.5:
        y = y * math.sin(x)
    return y


def test_an_edited_program_shows_its_python_with_values() -> None:
    turned = ir.function(ir.replace_calls(ir.of(of_sin, float, float), {math.sin: math.cos}))
    text = words(adjoint.explore(turned, 1.0, 2.0).html)
    y, (dx, _) = turned(1.0, 2.0), adjoint.gradient(turned, 1.0, 2.0)
    assert f"y {y:.6g} ȳ 1" in text and f"x 1 x̄ {dx:.6g}" in text and "y = y * math.cos(x)" in text
    assert "Its source is the Python of its program, which adjoint.ir.function has written." in text
    assert f"the program of of_sin, from {__file__}:{of_sin.__code__.co_firstlineno}" in text
    assert "check(" not in text and "adjoint ir" not in text and "math.sin(x)" in text.partition("Derivative")[2]


def test_a_program_that_was_built_shows_its_python_with_values() -> None:
    b = ir.Builder("power", "x", "n")
    x, n = b.params
    power = ir.function(b.build(b.loop(b.call(range, n), 1.0, lambda y, i: b.call(operator.mul, y, x))))
    text = words(adjoint.explore(power, 2.0, 3, profile=False).html)
    assert "the program of power, which was built" in text and "x 2 x̄ 12" in text and "t1 8 t1_bar 1 ×3" in text
    assert "⊣" not in text  # `range` has another name there


def test_a_program_that_reads_what_is_captured_is_refused() -> None:
    scale = 3.0

    def f(x: float) -> float:
        return scale * x

    with pytest.raises(SourceUnavailableError, match="the program of `f` has no text to show") as found:
        adjoint.explore(ir.function(ir.of(f)), 2.0)
    assert "variables that its function captures" in found.value.why


def endless(x: float) -> Any:
    while True:
        yield x


def test_an_iterator_without_end_is_refused() -> None:
    with pytest.raises(OptionError, match="`endless` gives more than 10,000 items") as found:
        adjoint.explore(endless, 2.0)
    assert "itertools.islice" in found.value.way_out


def test_arguments_of_a_cached_function_have_names() -> None:
    text = words(adjoint.explore(functools.lru_cache(straight), 0.7, 1.3, profile=False).html)
    assert "straight(x, y)" in text and "argument 1" not in text


def test_a_program_whose_body_reads_its_name_is_shown() -> None:
    """In its own text the name would be the function itself, which has no such attribute."""

    def times(x: float, y: float) -> float:
        return x * y

    def change(s: Any) -> Any:
        return replace(s, fn=ir.Const(times)) if getattr(s.fn, "value", None) is operator.mul else s

    text = "def scaled(x):\n    return x * scaled.factor\nscaled.factor = 3.0\n"
    program = ir.of(written("scaled", text, "reads_its_name.py"))
    page = adjoint.explore(ir.function(ir.rewrite(program, change)), 2.0)
    assert page.refused == "" and "value 6" in words(page.html)
