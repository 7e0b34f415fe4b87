"""What notebooks show of what is made: tables and texts, escaped; `repr` is what it was."""

from __future__ import annotations

import math
import pickle
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import adjoint
from adjoint import ir, markup, nn
from adjoint.inspect import code_adjoint, code_ir, code_primal, code_pushforward
from explorer.test_page import EVIL, Tags, words


@dataclass
class Model:
    w: Any
    inner: Any = None
    name: str = EVIL


def f(x: float, n: int) -> float:
    if n > len(EVIL) * 0:
        x = math.sin(x)
    return x * int(x)


def g(x: float) -> float:
    return x * len(EVIL)


def hidden(x: float, table: dict[str, float]) -> float:
    t = math.exp(x)
    return inner(t) * table[EVIL] * table[EVIL]


def inner(x: float) -> float:
    return math.sin(x) * x


def plus(x: float) -> float:
    return x + 1.0


inner.__name__ = f"inner{EVIL}"
hidden.__name__ = f"hidden{EVIL}"
SHOWN = {
    "code_adjoint": lambda: code_adjoint(g, 1.0),
    "code_ir": lambda: code_ir(g),
    "code_primal": lambda: code_primal(g, 1.0),
    "code_pushforward": lambda: code_pushforward(g, 1.0),
    "program": lambda: ir.of(g, 1.0),
    "python": lambda: ir.reverse_differentiate(ir.of(g), float).python,
    "pullback": lambda: adjoint.pullback(hidden, 1.0, {EVIL: 2.0})[1],
    "pullback of a rule": lambda: adjoint.pullback(math.sin, 1.0)[1],
    "pullback that keeps nothing": lambda: adjoint.pullback(plus, 1.0)[1],
    "summary": lambda: nn.summary(Model(np.ones(3), {EVIL: 2.0})),
    "explanation": lambda: adjoint.explain(f, 1.5, 2),
    "tangent": lambda: adjoint.Tangent(
        Model, {EVIL: 2.0, "w": np.ones(3), "inner": adjoint.Tangent(Model, {"w": None})}
    ),
    "chain": lambda: nn.Chain(nn.Dense(3, 4), np.tanh, nn.Dense(4, 1)),
    "cell": lambda: nn.GRUCell(2, 3),
    "page": lambda: adjoint.explore(g, 1.0, profile=False),
    "graph": lambda: adjoint.inspect.graph(g, 1.0),
}
TAGS = {"pre", "code", "table", "caption", "thead", "tbody", "tr", "th", "td", "p", "strong"}


@pytest.mark.parametrize("name", SHOWN)
def test_everything_has_html(name: str) -> None:
    x = SHOWN[name]()
    text = x._repr_html_()
    tags = Tags(text)
    if name not in ("page", "graph"):
        assert {*tags.tags} <= TAGS and tags.attributes <= {"scope", "style"}
    assert not tags.open and repr(x) and "<script" not in text and "<img" not in text


def test_what_it_says() -> None:
    text = words(SHOWN["explanation"]()._repr_html_())
    assert "f is transformed" in text and "int(x)" in text and "what it gives changes in jumps or not at all" in text
    text = words(SHOWN["chain"]()._repr_html_())
    assert "layers.0.weight (3, 4) float64 12" in text and "21 numbers" in text and "Dense(3, 4)" in text
    text = words(SHOWN["tangent"]()._repr_html_())
    assert text.startswith("Tangent of Model") and "w (3,) float64 [1. 1. 1.]" in text and "w None" in text
    assert "def g_rrule(x):" in words(SHOWN["code_adjoint"]()._repr_html_())


def test_what_a_pullback_keeps() -> None:
    _, back = adjoint.pullback(lambda x, w: math.sin(x) * np.sum(w * x), 2.0, np.ones((2, 3)))
    text = words(back._repr_html_())
    assert text.startswith("∂(<lambda>) keeps these values of the run") and "(2, 3) float64" in text and "x 2.0" in text
    text = words(SHOWN["pullback that keeps nothing"]()._repr_html_())
    assert text.strip() == "∂(plus) keeps no value of the run that has a name"


def test_summary_of_a_model() -> None:
    model = Model(np.ones((3, 2)), [2.0, np.ones(1200)])
    found = nn.summary(model)
    assert repr(found) == (
        "Model: 1,207 numbers\n  w        (3, 2) float64   6\n  inner.0  float            1\n"
        "  inner.1  (1200,) float64  1,200"
    )
    assert "w (3, 2) float64 6" in words(found._repr_html_()) and "Model 1,207 numbers" in words(found._repr_html_())
    (gradient,) = adjoint.gradient(lambda m: np.sum(m.w) * m.inner[0], model)
    assert "w        (3, 2) float64   6" in repr(nn.summary(gradient))
    assert repr(nn.summary({})) == "dict: 0 numbers"
    assert repr(nn.summary([1.0] * 100)).endswith("… 40 more")
    assert repr(nn.summary(nn.Dense(2, 3))).startswith("Dense(2, 3): 9 numbers")


def test_code_is_text() -> None:
    code = code_adjoint(g, 1.0)
    assert isinstance(code, str) and repr(code) == repr(str(code)) and pickle.loads(pickle.dumps(code)) == code


def test_large_models_and_gradients_are_short() -> None:
    model = {f"w{i}": np.ones(3) for i in range(500)}
    text = nn.Chain(*[nn.Dense(2, 2) for _ in range(200)])._repr_html_()
    assert len(text) < 40_000 and "… 340 more" in text
    assert len(adjoint.Tangent(Model, model)._repr_html_()) < 20_000


def test_markup_escapes() -> None:
    assert markup.escaped(EVIL).count("<") == 0 and markup.escaped(markup.Html("<b>")) == "<b>"
    assert markup.element("a", EVIL, title=EVIL).count("<") == 2
    assert markup.joined(["<", markup.Html("<")]) == "&lt;<"
    assert markup.element("a", title=markup.Html('"><b>')) == '<a title="&quot;&gt;&lt;b&gt;"></a>'


HIDING = [*map(chr, [0x0, 0x7F, 0xAD, 0x61C, 0x180E, 0x2028, 0x2029, 0x202E, 0x2066, 0xD800, 0xFFF9, 0xFFFE, 0xE0041])]
HIDING += [
    *map(chr, [0x34F, 0x115F, 0x1160, 0x17B4, 0x180B, 0x2800, 0x3164, 0xFFA0, 0xFE0E, 0xFE0F, 0x200C, 0x200D, 0xE0100])
]


@pytest.mark.parametrize("c", HIDING, ids=lambda c: f"{ord(c):04X}")
def test_characters_that_hide_are_seen(c: str) -> None:
    shown = f"a⟨{ord(c):04X}⟩b"
    assert markup.escaped(f"a{c}b") == markup.seen(f"a{c}b") == shown
    assert markup.element("a", title=c).count(c) == 0 and markup.seen(markup.Html(f"a{c}b")) == shown


def test_letters_of_all_languages_stay() -> None:
    text = "déjà vu, Ωμέγα, עברית, العربية, नमस्ते, 한국어, 日本語, ∂x̄/∂y, 🙂 \t\n\u00a0"
    assert markup.seen(text) == markup.escaped(text) == text
