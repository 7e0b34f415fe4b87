"""Joiners: characters that are not seen themselves, but change how their neighbours are drawn.

Between others they hide. So each is looked at with what is around it, in the manner of RFC 5892, appendix A.
"""

from __future__ import annotations

import unicodedata

NON_JOINER, JOINER, AS_TEXT, AS_EMOJI = "\u200c", "\u200d", "\ufe0e", "\ufe0f"
JOINERS = NON_JOINER + JOINER + AS_TEXT + AS_EMOJI
NEAR = 4
"""So many characters before a joiner are looked at: a letter, and what stands on it."""
_KEYCAP = "\u20e3"
_VIRAMA = 9
"""The combining class of signs that take the vowel from a letter of an Indic script."""


def is_seen(text: str, i: int) -> bool:
    """Tell whether a joiner in a text changes what is seen there.

    >>> is_seen("\\u0645\\u06cc\\u200c\\u062e", 2), is_seen("a\\u200cb", 1)
    (True, False)
    """
    before, after = text[max(i - NEAR, 0) : i], text[i + 1 : i + 2]
    if not before:
        return False
    if text[i] in (AS_TEXT, AS_EMOJI):
        return _is_emoji(before[-1]) or before[-1] in "#*0123456789" and after == _KEYCAP
    if unicodedata.combining(before[-1]) == _VIRAMA:
        return _is_letter(before[-2:-1]) and (text[i] == JOINER or _is_letter(after))
    if text[i] == JOINER:
        return _are_one_sign(_without_variant(before)[-1:], after)
    return _has_form(_without_marks(before)[-1:], "INITIAL") and _has_form(after, "FINAL")


def _is_letter(c: str) -> bool:
    return c != "" and unicodedata.category(c) == "Lo"


def _has_form(c: str, form: str) -> bool:
    """Tell whether an Arabic letter has a form of its own before others, or after them."""
    try:
        unicodedata.lookup(f"{unicodedata.name(c)} {form} FORM")
    except (KeyError, TypeError, ValueError):
        return False
    return True


def _without_marks(text: str) -> str:
    """A text without the vowel signs at its end."""
    while text and unicodedata.category(text[-1]) == "Mn":
        text = text[:-1]
    return text


def _without_variant(text: str) -> str:
    """A text without the selector or the color of skin at its end."""
    return text[:-1] if text[-1] == AS_EMOJI or "\U0001f3fb" <= text[-1] <= "\U0001f3ff" else text


def _is_emoji(c: str) -> bool:
    """Tell whether a sign may be an emoji: these have no category of their own."""
    return c in "\u00a9\u00ae" or c >= "\u2122" and unicodedata.category(c) in ("So", "Sm", "Sk")


def _are_one_sign(first: str, second: str) -> bool:
    """Tell whether two emoji may be drawn as one: one of them at least is a picture."""
    pictures = first >= "\U0001f000" or second >= "\U0001f000"
    return first != "" and second != "" and pictures and _is_emoji(first) and _is_emoji(second)
