"""The sentences of a page or a docstring, as a reader meets them: without code, formulae and the addresses of links."""

from __future__ import annotations

import re
from collections.abc import Iterator

LONG = 35
"""Words, above which a sentence is too long to be read at once."""
FRONT = re.compile(r"\A---\n.*?\n---\n", re.S)
FENCED = re.compile(r"^( *)(`{3,}|:{3,}|\$\$).*?^\1\2\s*?$", re.M | re.S)
LINK = re.compile(r"!?\[((?:[^\[\]]|\[[^\]]*\])*)\](?:\([^()\s]*(?:\([^()]*\))?[^()]*\)|\[[^\]]*\])")
CODE = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)", re.S)
FORMULA = re.compile(r"(?<![\w$])\$[^$]+\$")
COMMENT = re.compile(r"<!--.*?-->", re.S)
START = re.compile(r"^ *(?:(?:[-*+]|\d+[.)]|#+|>|:)\s+|\*{0,2}\w[\w*, ]* : )")
"""What an item of a list, a heading, or the entry of a parameter in a docstring begins with."""
RULE = re.compile(r"\s*[-=~|: ]{3,}\s*")
END = re.compile(r"(?<=[.!?])[)\"*_]*\s+(?=[^a-z])(?<!e\.g\.\s)(?<!i\.e\.\s)(?<!cf\.\s)")


def long_sentences(text: str) -> list[str]:
    """The sentences of a text that have more than `LONG` words; names in a row are none.

    >>> long_sentences("Short. " + "word " * 36 + "end.")[0].split()[-1]
    'end.'
    >>> long_sentences("`a`, " * 40)
    []
    >>> long_sentences("- " + "word " * 30 + "\\n- " + "word " * 30)
    []
    >>> long_sentences("```python\\n" + "word " * 50 + "\\n```")
    []
    """
    return [s for s in sentences(text) if words(s) > LONG and re.sub(r"\bC\b|\W", "", s)]


def words(sentence: str) -> int:
    """How many words a sentence has; a piece of code is one.

    >>> words("Take `grad(f, has_aux=True)` - it is enough.")
    5
    """
    return sum(bool(re.search(r"\w", word)) for word in CODE.sub("C", sentence).split())


def sentences(text: str) -> Iterator[str]:
    """The sentences of a text in Markdown, or of a docstring; cells of tables and items of lists end where they end.

    >>> list(sentences("# A title\\n\\nOne [link](to.md). Two `a. B` and\\nmore.\\n\\n| a | b |\\n| --- | --- |"))
    ['A title', 'One link.', 'Two C and more.', 'a', 'b']
    """
    text = COMMENT.sub("", FENCED.sub("\n\n", FRONT.sub("", text)))
    text = LINK.sub(r"\1", FORMULA.sub("C", CODE.sub("C", text)))
    for block in blocks(text):
        yield from (part.strip() for part in END.split(" ".join(block.split())) if part.strip())


def blocks(text: str) -> Iterator[str]:
    """Paragraphs, items of lists, cells of tables and headings."""
    block: list[str] = []
    for line in [*text.split("\n"), ""]:
        if not line.strip() or START.match(line) or RULE.fullmatch(line) or line.lstrip().startswith(("|", ">>>")):
            yield "\n".join(block)
            block = []
        if RULE.fullmatch(line):
            continue
        if line.lstrip().startswith("|"):
            yield from re.split(r"(?<!\\)\||<br>", line.strip().strip("|"))
        elif not line.lstrip().startswith((">>>", "...")):
            block.append(START.sub("", line, count=1))
    yield "\n".join(block)
