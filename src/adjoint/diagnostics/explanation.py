"""The result of `explain`: records that a program can read, and that print as text."""

from __future__ import annotations

from dataclasses import dataclass

from ..errors import Place

ASKED = " carries no derivative"
"""The reason of ends at tests, comparisons, keys and texts, after what they are."""
WAYS = ("transformed", "recorded", "ruled", "by finite differences", "run as it is")


@dataclass(frozen=True, slots=True)
class Refusal:
    """Something that cannot be differentiated: what, where, why, and what to do instead.

    Attributes
    ----------
    kind : the name of the error's class.
    what : the sentence that says what it is.
    place : the place in the user's file, where it is known.
    why : the reason.
    way_out : the advice.

    Examples
    --------
    >>> from adjoint import explain
    >>> refusal = explain(lambda x: eval("x + 1.0") * x, 1.0).refused[0]
    >>> refusal.what
    '`eval` is not differentiated'
    """

    kind: str
    what: str
    place: Place | None
    why: str
    way_out: str

    def __str__(self) -> str:
        where = [] if self.place is None else [self.place.render()]
        return "\n".join([self.what, *where, f"why: {self.why}", f"help: {self.way_out}"])


@dataclass(frozen=True, slots=True)
class End:
    """A place where a derivative ended: what came from these arguments goes no further.

    Attributes
    ----------
    arguments : the names of the arguments whose derivative ends.
    place : the place in the user's file, where it is known.
    code : the expression, as it is written.
    why : the reason.

    Examples
    --------
    >>> import math
    >>> from adjoint import explain
    >>> end = explain(lambda x: x * math.floor(x), 2.5).ends[0]
    >>> end.arguments, end.code
    (('x',), 'math.floor(x)')
    """

    arguments: tuple[str, ...]
    place: Place | None
    code: str
    why: str

    @property
    def loses(self) -> bool:
        """False of comparisons, tests, indices and keys, which only choose; a text may be read as a number again."""
        return not self.why.endswith(ASKED) or self.why == f"text{ASKED}"

    def __str__(self) -> str:
        names = " and ".join(f"`{name}`" for name in self.arguments)
        where = "" if self.place is None else f" at {self.place.filename}:{self.place.span[0]},"
        return f"the path from {names} ends{where} `{self.code}`: {self.why}"


@dataclass(frozen=True, slots=True)
class Treated:
    """A function, and how its calls are differentiated: one of `WAYS`.

    Attributes
    ----------
    name : the function's name.
    way : one of "transformed", "recorded", "ruled", "by finite differences" and "run as it is".
    place : the place of its definition, if it has source.
    calls : the number of its calls.

    Examples
    --------
    >>> import math
    >>> from adjoint import explain
    >>> [(f.name, f.way, f.calls) for f in explain(lambda x: math.sin(math.sin(x)), 2.5).functions]
    [('<lambda>', 'transformed', 1), ('math.sin', 'ruled', 2)]
    """

    name: str
    way: str
    place: Place | None
    calls: int


@dataclass(frozen=True, slots=True)
class Explanation:
    """The result of `explain`: what became of the derivative of one call.

    Attributes
    ----------
    name : the function's name.
    way : the way in which it is differentiated, as `Treated` has it.
    refused : the operations that cannot be differentiated, each a `Refusal`.
    ends : the places where a derivative ended, each an `End`.
    functions : those that were called, each a `Treated`.
    reached : the names of the arguments to which a derivative flowed.
    silent : the names of those to which none did.
    loop : the reason why a function of `vmap` runs its lanes one after the other; empty if it does not.

    Examples
    --------
    >>> import math
    >>> from adjoint import explain
    >>> explained = explain(lambda x, n: math.sin(x) * math.floor(n), 0.5, 2.5)
    >>> explained.reached, explained.silent
    (('x',), ('n',))
    """

    name: str
    way: str
    refused: tuple[Refusal, ...]
    ends: tuple[End, ...]
    functions: tuple[Treated, ...]
    reached: tuple[str, ...]
    silent: tuple[str, ...]
    loop: str = ""

    def __str__(self) -> str:
        way = "has a rule" if self.way == "ruled" else f"is {self.way}"
        head = f"`{self.name}` {way}" if not self.refused else f"`{self.name}` cannot be differentiated"
        parts = [head, *self._flow(), *([f"its lanes run one after the other: {self.loop}"] if self.loop else [])]
        for title, items in (("refused", self.refused), ("ends", self.ends)):
            if items:
                parts.append(f"{title}:")
                parts += [_indented(str(item), "- ") for item in items]
        if self.functions:
            parts.append("functions:")
        for way in WAYS:
            names = [_named(f) for f in self.functions if f.way == way]
            if names:
                parts.append(f"  {way}: {', '.join(names)}")
        return "\n".join(parts)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from ..markup import element, joined, prose, table

        head = element("strong", prose(str(self).partition("\n")[0]))
        refused, ends = element("strong", "refused"), element("strong", "ends")
        rows = [[refused, prose(r.what), _where(r.place), prose(r.why), prose(r.way_out)] for r in self.refused]
        rows += [[ends, element("code", e.code), _where(e.place), prose(e.why), ""] for e in self.ends]
        functions = [[element("code", f.name), f.way, f.calls, _where(f.place)] for f in self.functions]
        return joined(
            [
                *[element("p", prose(line)) for line in [head, *self._flow()]],
                table(["", "what", "where", "why", "way out"], rows) if rows else "",
                table(["function", "way", "calls", "where"], functions) if functions else "",
            ]
        )

    def _flow(self) -> list[str]:
        lines = []
        if self.reached:
            lines.append(f"the derivative reaches {_listed(self.reached)}")
        if self.silent:
            lines.append(f"nothing of it reaches {_listed(self.silent)}")
        return lines


def _where(place: Place | None) -> str:
    return "" if place is None else f"{place.filename}:{place.span[0]}"


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _indented(text: str, mark: str) -> str:
    first, *rest = text.split("\n")
    return "\n".join([f"  {mark}{first}", *(f"    {line}" for line in rest)])


def _named(f: Treated) -> str:
    where = "" if f.place is None else f" ({f.place.filename}:{f.place.span[0]})"
    return f"{f.name}{where}"
