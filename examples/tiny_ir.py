"""
Programs of a small engine
==========================

Structured SSA in eight records, with the names of `adjoint.ir`, and its text: as IR and as Python.

Each variable is assigned once. A region, which is a block that a statement owns, reads variables around it.
"""

import functools
import math
from dataclasses import make_dataclass

record = functools.partial(make_dataclass, eq=False)
Var = record("Var", ["name"])  # equal only to itself: two of one name never collide
Const = record("Const", ["value", "label"])  # a number, or a function that is known
Block = record("Block", ["params", "statements", "results"])
Call = record("Call", ["outs", "fn", "args", "line"])
If = record("If", ["outs", "cond", "then", "orelse"])  # each block has a result for each out
Loop = record("Loop", ["outs", "inits", "sequences", "cond", "body"])  # carried values, then elements or lists
Closure = record("Closure", ["outs", "body"])  # a function made here: only derivatives have one
Function = record("Function", ["name", "body"])  # its first parameter is the function itself


def const(value):
    """A constant under its own name."""
    return Const(value, getattr(value, "__name__", repr(value)))


NONE = const(None)


class Printer:
    """A program as text, as IR (`yield` gives to the outs, or to the next round) or, in the same walk, as Python."""

    def __init__(self, python=False):
        self.python, self.names, self.constants = python, {}, {"inf": math.inf, "nan": math.nan}

    def one(self, atom):
        n = len(self.names) + 1
        if isinstance(atom, Var):
            return self.names.setdefault(atom, f"{atom.name or 't'}_{n}" if self.python else f"%{n}")
        if not self.python or atom.label == repr(atom.value):
            return atom.label
        name = atom.label.replace(".", "_") + "_" * atom.label[-1].isdigit()  # variables end with a digit
        while self.constants.setdefault(name, atom.value) is not atom.value:
            name += "_"
        return name

    def at(self, atoms):
        return ", ".join([self.one(a) for a in atoms])

    def block(self, b, word="yield", to=()):
        """The lines of a region, indented, and what it gives at its end."""
        lines = [line for s in b.statements for line in getattr(self, type(s).__name__)(s)]
        return self.indent([*lines, *self.end(word, b.results, to)])

    def indent(self, lines):
        return ["    " + line if self.python else "  " + line for line in lines or ["pass"] * self.python]

    def end(self, word, atoms, to):
        if self.python and word == "yield":
            return [f"{self.at(to)} = {self.at(atoms)}"] if to else []
        if self.python and word == "collect":
            return [f"{self.one(v)}.append({self.one(a)})" for v, a in zip(to, atoms)]
        text = f"if not {self.at(atoms)}: break" if self.python and word == "test" else f"{word} {self.at(atoms)}"
        return [text] if atoms else []

    def headed(self, outs, lines):
        if not outs or self.python:
            return lines + ["  pass"] * (len(lines) == 1 and not self.python)
        return [f"{self.at(outs)} = {lines[0]}", *lines[1:]]

    def Call(self, s):
        text = f"{self.one(s.fn)}({self.at(s.args)})"
        return [f"{self.at(s.outs)} = {text}"]

    def Closure(self, s):
        body, params, out = self.block(s.body, "return"), self.at(s.body.params), self.at(s.outs)
        return [f"def {out}({params}):" if self.python else f"{out} = function ({params}):", *body]

    def If(self, s):
        head, sides = f"if {self.one(s.cond)}:", [self.block(b, to=s.outs) for b in (s.then, s.orelse)]
        return self.headed(s.outs, [head, *sides[0], *["else:"] * bool(sides[1]), *sides[1]])

    def Loop(self, s):
        n, inits = len(s.inits), [self.one(a) for a in s.inits]
        params, elements, lists, results = s.body.params[:n], s.body.params[n:], s.outs[n:], s.body.results
        if self.python:  # one name for what is carried: before, in and after the rounds
            self.names |= {
                v: self.one(p) for vs in (s.outs, s.cond and s.cond.params or ()) for v, p in zip(vs, params)
            }
            lines = [*self.end("yield", s.inits, params), *[f"{self.one(v)} = []" for v in lists]]
            head = f"for {self.at(elements)} in {'zip' * (len(elements) > 1)}({self.at(s.sequences)}):"
            lines += ["while True:", *self.block(s.cond, "test")] if s.cond else [head]
        else:
            given = lambda to: " with " * bool(n) + ", ".join(f"{self.one(p)} = {i}" for p, i in zip(to, inits))
            test = s.cond and self.block(s.cond, "test")  # numbered first, as in `adjoint.ir`
            head = test and [f"while{given(s.cond.params)}:", *test, f"do{given(params)}:"]
            lines = head or [f"for {self.at(elements)} in {self.at(s.sequences)}{given(params)}:"]
        body = self.block(Block((), s.body.statements, ()))
        ends = [("yield", results[:n], params), ("collect", results[n:], lists)]
        body += [line for end in ends[:: -1 if self.python else 1] for line in self.indent(self.end(*end)) if end[1]]
        return self.headed(s.outs, [*lines, *body])

    def function(self, f):
        head = f"def {f.name}({self.at(f.body.params[1:])}):" if self.python else f"1: ({self.at(f.body.params)})"
        return "\n".join([head, *self.block(f.body, "return")])


Function.__str__ = lambda function: Printer().function(function)


def to_python(program):
    """The source of a program, and the constants that it names."""
    printer = Printer(python=True)
    return printer.function(program) + "\n", printer.constants
