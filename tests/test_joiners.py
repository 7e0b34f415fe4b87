"""Joiners stay between what they join, and are shown by their number elsewhere."""

from __future__ import annotations

from typing import Any

import pytest

from adjoint.joiners import NEAR, is_seen
from adjoint.markup import escaped, seen

JOINED = {
    "Persian": "می\u200cخواهم نامه\u200cای",
    "Persian with a vowel": "مِی\u200cخوا بَ\u200cخ",
    "Hindi": "क्\u200dष र्\u200dय क्\u200cष",
    "Malayalam": "അവന്\u200d",
    "Sinhala": "ක්\u200dරම",
    "a family": "👨\u200d👩\u200d👧\u200d👦",
    "a doctor": "👩🏽\u200d⚕\ufe0f",
    "a flag": "🏳\ufe0f\u200d🌈",
    "a heart": "❤\ufe0f\u200d🔥 ❤\ufe0e",
    "a key": "1\ufe0f\u20e3",
    "a sign": "©\ufe0f ↔\ufe0f",
}
HIDDEN = (
    *("a\u200db", "a\u200cb", "\u200cم", "م\u200c", "\u200d", "\u200c", "x\ufe0f", "\ufe0f", "1\ufe0f", "1\ufe0fa"),
    *("ا\u200cم", "د\u200cم", "م\u200ca", "م\u200c\u200cم", "क\u200dष", "्\u200dष", "क्\u200c", "क्\u200d\u200dष"),
    *("👨\u200da", "a\u200d👩", "👨\u200d", "👨\u200d\u200d👩", "❤\ufe0f\ufe0f", "★\u200d☆", "漢\ufe0f", "가\u200d나"),
)
"""Texts in which a joiner changes nothing: where letters do not join, at the ends, after another joiner."""


@pytest.mark.parametrize("text", JOINED.values(), ids=JOINED)
def test_joiners_stay_between_what_they_join(text: str) -> None:
    assert seen(text) == text
    assert escaped(f"<{text}>") == f"&lt;{text}&gt;"


def test_a_long_text_takes_as_long_as_its_joiners() -> None:
    """Its parts are not copied for each of them."""
    looked = Looked("می\u200cخ" * 1000)
    assert all(is_seen(looked, i) for i in range(2, len(looked), 4))
    assert max(looked.sizes) <= NEAR


class Looked(str):
    """A text that notes how much of it is taken."""

    def __new__(cls, text: str) -> Looked:
        made = super().__new__(cls, text)
        made.sizes = []
        return made

    sizes: list[int]

    def __getitem__(self, at: Any) -> str:
        found = super().__getitem__(at)
        self.sizes.append(len(found))
        return found


@pytest.mark.parametrize("text", HIDDEN, ids=ascii)
def test_joiners_are_shown_elsewhere(text: str) -> None:
    assert "⟨" in seen(text) and seen(text) == escaped(text)
    assert seen(text).count("⟨") + sum([c in seen(text) for c in ("\u200c", "\u200d", "\ufe0f")]) == sum(
        [text.count(c) for c in ("\u200c", "\u200d", "\ufe0f")]
    )
