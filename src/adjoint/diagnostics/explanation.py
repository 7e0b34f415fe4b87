"""What `explain` gives: records that a program can read, and that print as text."""

from __future__ import annotations

from dataclasses import dataclass

from ..errors import Place

WAYS = ("transformed", "recorded", "ruled", "by finite differences", "run as it is")


@dataclass(frozen=True, slots=True)
class Refusal:
    """Something that cannot be differentiated: what, where, why, and what to do instead."""

    kind: str
    """The name of the error's class."""
    what: str
    place: Place | None
    why: str
    way_out: str

    def __str__(self) -> str:
        where = [] if self.place is None else [self.place.render()]
        return "\n".join([self.what, *where, f"why: {self.why}", f"way out: {self.way_out}"])


@dataclass(frozen=True, slots=True)
class End:
    """A place where a derivative ended: what came from these arguments goes no further."""

    arguments: tuple[str, ...]
    place: Place | None
    code: str
    """The expression, as it is written."""
    why: str

    def __str__(self) -> str:
        names = " and ".join(f"`{name}`" for name in self.arguments)
        where = "" if self.place is None else f" at {self.place.filename}:{self.place.span[0]},"
        return f"the path from {names} ends{where} `{self.code}`: {self.why}"


@dataclass(frozen=True, slots=True)
class Treated:
    """A function, and how its calls are differentiated: one of `WAYS`."""

    name: str
    way: str
    place: Place | None
    """Where it is defined, if it has source."""
    calls: int


@dataclass(frozen=True, slots=True)
class Explanation:
    """The result of `explain`: what became of the derivative of one call.

    `name` is the function's, `way` how it is differentiated. `refused` lists what cannot be, `ends` the places where a
    derivative ended, and `functions` those that were called. `reached` names the arguments to which a derivative
    flowed, `silent` those to which none did. `loop` says why a function of `vmap` runs its lanes one after the other,
    and is empty if it does not.
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
        from ..markup import element, joined, table

        head = element("strong", str(self).partition("\n")[0])
        rows = [[element("strong", "refused"), r.what, _where(r.place), r.why, r.way_out] for r in self.refused]
        rows += [[element("strong", "ends"), element("code", e.code), _where(e.place), e.why, ""] for e in self.ends]
        functions = [[element("code", f.name), f.way, f.calls, _where(f.place)] for f in self.functions]
        return joined(
            [
                *[element("p", line) for line in [head, *self._flow()]],
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
