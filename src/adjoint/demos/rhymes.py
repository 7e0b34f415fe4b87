"""The text of the example that learns by heart."""

from __future__ import annotations

WHO = (
    ("house", "built by Jack"),
    ("malt", "lay in"),
    ("rat", "ate"),
    ("cat", "killed"),
    ("dog", "worried"),
    ("cow with the crumpled horn", "tossed"),
    ("maiden all forlorn", "milked"),
    ("man all tattered and torn", "kissed"),
    ("priest all shaven and shorn", "married"),
    ("cock that crowed in the morn", "waked"),
    ("farmer sowing his corn", "kept"),
)
"""A nursery rhyme, printed in 1755: each verse begins with one more, and goes through all that were before."""


def rhyme() -> str:
    """The text, some 2,400 letters."""
    verses = []
    for last in range(len(WHO)):
        lines = [f"this is the {WHO[last][0]}"]
        lines += [f" that {WHO[k][1]} the {WHO[k - 1][0]}" for k in range(last, 0, -1)]
        verses.append("\n".join(lines) + "\n that Jack built.\n\n")
    return "".join(verses)
