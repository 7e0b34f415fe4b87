"""Variables that may have no value where they are copied: those that some branch or loop leaves without one."""

from __future__ import annotations

from typing import Any

from .nodes import Atom, Block, If, Loop, Undef, Var, blocks_of
from .raising import ends


def read_name(value: Any) -> Any:
    """Value of a variable that may have none, which is kept for the reverse pass (printed as itself)."""
    return value


def maybe_unbound(block: Block) -> set[Var]:
    """The results of branches and loops that may be without a value, in a block and those within."""
    found: set[Var] = set()

    def missing(atom: Atom) -> bool:
        return isinstance(atom, Undef) or atom in found

    def walk(block: Block) -> None:
        for s in block.statements:
            if isinstance(s, Loop):
                for param, init, result in zip(s.body.params, s.inits, s.body.results, strict=False):
                    if missing(init) or missing(result):
                        found.add(param)
            for inner in blocks_of(s):
                walk(inner)
            if isinstance(s, If):
                ways = [block.results for block in (s.then, s.orelse) if ends(block)]
                found.update(out for out, *given in zip(s.outs, *ways, strict=True) if any(map(missing, given)))
            elif isinstance(s, Loop):
                given = zip(s.outs, s.inits, s.body.results, strict=False)
                found.update(out for out, a, b in given if missing(a) or missing(b))

    walk(block)
    return found
