"""Facts about one function that the printing reads: how often each value is read, where, and in which expression."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..ir import intrinsics as ir
from ..ir.nodes import Atom, Block, Call, Closure, Const, Function, If, Loop, Statement, Var
from ..spelling import suffixed
from .forms import EFFECT, operands


@dataclass(slots=True, eq=False)
class Tree:
    """An expression that waits for its reader: `index` is its place in the block, `leaves` the variables it reads."""

    var: Var
    level: int
    width: int
    leaves: set[Var]
    index: int


def clash(a: int, b: int) -> bool:
    """Tell whether two computations of these levels must keep their order."""
    return a + b > EFFECT


@dataclass(slots=True, eq=False)
class Plan:
    """The facts about one function that all later steps read."""

    function: Function
    uses: dict[Var, int] = field(default_factory=dict)
    definition: dict[Var, Statement] = field(default_factory=dict)
    home: dict[Var, tuple[Block, int]] = field(default_factory=dict)
    free: dict[Block, set[Var]] = field(default_factory=dict)
    appended: dict[Var, list[Var]] = field(default_factory=dict)
    globals_read: set[str] = field(default_factory=set)
    captured: dict[Block, set[Var]] = field(default_factory=dict)
    bound: dict[Closure, list[Var]] = field(default_factory=dict)
    inlined: dict[Var, Tree] = field(default_factory=dict)
    expressions: set[Statement] = field(default_factory=set)
    dead: set[Statement] = field(default_factory=set)
    origin: dict[Var, Var] = field(default_factory=dict)
    headed: dict[Var, Call] = field(default_factory=dict)
    unbound: set[Var] = field(default_factory=set)
    reads: dict[Call, list[Atom]] = field(default_factory=dict)
    """Results of `operands`."""

    @property
    def unread(self) -> str:
        """The name of what is bound and never read: none that the text reads."""
        return suffixed("_", lambda name: name not in self.globals_read)

    def is_local_read(self, call: Call) -> bool:
        """Tell whether a `load_global` can be printed as the bare name: only for the globals of this very function."""
        if not isinstance(call.fn, Const) or call.fn.value is not ir.load_global:
            return False
        owner = call.args[0]
        resolved = isinstance(owner, Const) and owner.value is None
        return resolved or bool(self.function.params) and owner is self.function.params[0]

    def operands(self, call: Call) -> list[Atom]:
        """The atoms that the text of a call reads, in its order."""
        read = self.reads.get(call)
        if read is None:
            read = self.reads[call] = [] if self.is_local_read(call) else operands(call)
        return read

    def used(self, var: Var) -> bool:
        """Tell whether anything reads the variable."""
        return var in self.uses

    def leaves(self, atom: Atom) -> set[Var]:
        """The variables that the text of an atom reads."""
        if not isinstance(atom, Var):
            return set()
        tree = self.inlined.get(atom)
        return {atom} if tree is None else tree.leaves

    def printed(self, block: Block) -> list[Statement]:
        """The statements of a block that are not part of another one's expression."""
        return [s for s in block.statements if not self.is_inlined(s) and s not in self.dead]

    def is_inlined(self, s: Statement) -> bool:
        """Tell whether a statement is printed as part of its reader."""
        return any([out in self.inlined and out not in self.appended for out in s.outs])

    def needed(self, loop: Loop, i: int) -> bool:
        """Tell whether anything reads the i-th carried value of a loop, in it or after it."""
        params = [loop.body.params[i]] + ([loop.cond.params[i]] if loop.cond is not None else [])
        return self.used(loop.outs[i]) or any(map(self.used, params))

    def flag_kept(self, loop: Loop) -> bool:
        """Tell whether the flag that stops a loop is read by anything but the loop itself."""
        return loop.exit_flag is None or self.needed(loop, loop.exit_flag)


def short_circuit(s: If) -> str:
    """ "or" and "and" for `t if t else b` and `b if t else t`, whose condition is read once in the text; else ""."""
    if len(s.outs) == 1 and not s.outs[0].name and isinstance(s.cond, Var):
        if not s.then.statements and s.then.results[0] is s.cond:
            return "or"
        if not s.orelse.statements and s.orelse.results[0] is s.cond:
            return "and"
    return ""
