"""Random programs of the IR: the text means what the interpreter says, effects and their order included."""

from __future__ import annotations

import operator
import random
from typing import Any

import pytest

from adjoint.codegen import emit, load
from adjoint.ir import changes
from adjoint.ir import intrinsics as ir
from adjoint.ir.interpret import interpret
from adjoint.ir.nodes import UNDEF, Block, Call, Closure, Const, Function, If, Loop, Statement, Var
from adjoint.ir.types import INT, UNKNOWN

NAMES = ("", "", "", "x", "y", "z", "x_1", "t1", "note")
LOG: list[Any] = []


def note(*values: Any) -> Any:
    """An effect: its arguments are written down."""
    LOG.append(cleaned(values))
    return len(LOG) + sum(v for v in values if isinstance(v, int))


def fresh() -> list[Any]:
    return [1, 2, 3]


class Maker:
    """Makes one random function; `scope` holds the variables (numbers) that may be read at a point."""

    def __init__(self, seed: int, undef: bool = False) -> None:
        self.random = random.Random(seed)
        self.budget = 30
        self.undef = undef

    def var(self, *operands: Any) -> Var:
        """A variable; a number if it is known to be computed from numbers alone."""
        numbers = operands and all(isinstance(a, Const) or a.type is INT for a in operands)
        return Var(self.random.choice(NAMES), INT if numbers else UNKNOWN)

    def atom(self, scope: list[Var]) -> Any:
        if not scope or self.random.random() < 0.15:
            return Const(self.random.randint(-3, 9))
        recent = scope[-4:] if self.random.random() < 0.6 else scope
        return self.random.choice(recent)

    def unbound(self, atoms: list[Any], stop: int | None = None) -> list[Any]:
        """The same, where one may not be bound."""
        return [UNDEF if self.undef and self.random.random() < 0.1 and i != stop else a for i, a in enumerate(atoms)]

    def statements(self, scope: list[Var], depth: int, count: int) -> tuple[Statement, ...]:
        made: list[Statement] = []
        lists: list[Var] = []
        for _ in range(count):
            self.budget -= 1
            choice = self.random.random()
            if depth > 3 or self.budget < 0:
                choice /= 2
            if choice < 0.28:
                fn = self.random.choice((operator.add, operator.sub, operator.mul, operator.lt, operator.iadd))
                operands = self.atom(scope), self.atom(scope)
                made.append(Call((self.var(*operands),), Const(fn), operands))
            elif choice < 0.4:
                made.append(Call((self.var(Const(0)),), Const(note), (self.atom(scope), self.atom(scope))))
            elif choice < 0.45:
                pair = Var()
                made.append(Call((pair,), Const(ir.make_tuple), (self.atom(scope), self.atom(scope))))
                made.append(Call((self.var(), self.var()), Const(ir.unpack), (pair, Const(2))))
            elif choice < 0.5:
                if not lists or self.random.random() < 0.4:
                    items = Var(self.random.choice(("xs", "ys", "")))
                    made.append(Call((items,), Const(fresh)))
                else:
                    items = Var(self.random.choice(("xs", "ys", "")))
                    old = lists[-1]
                    made.append(Call((items,), Const(changes.set_item), (old, Const(1), Const(self.budget))))
                    value = self.var()
                    made.append(Call((value,), Const(operator.getitem), (items, Const(self.random.randint(0, 2)))))
                    scope.append(value)
                lists.append(items)
                continue
            elif choice < 0.68:
                made.append(self.branch(scope, depth))
            elif choice < 0.9:
                made.append(self.loop(scope, depth))
            else:
                made.append(self.closure(scope, depth))
                scope.append(Var())
                made.append(Call((scope[-1],), made[-1].outs[0], (Const(2),)))
                continue
            scope.extend(made[-1].outs)
        return tuple(made)

    def branch(self, scope: list[Var], depth: int) -> If:
        outs = tuple(self.var() for _ in range(self.random.randint(0, 3)))
        sides = []
        for _ in range(2):
            inner = list(scope)
            statements = self.statements(inner, depth + 1, self.random.randint(0, 3))
            results = self.unbound([self.atom(inner) for _ in outs])
            sides.append(Block((), statements, tuple(results)))
        return If(outs, self.atom(scope), *sides)

    def loop(self, scope: list[Var], depth: int) -> Statement:
        n = self.random.randint(0, 3)
        inits = self.unbound([self.atom(scope) for _ in range(n)])
        params = [self.var() for _ in range(n)]
        stop = self.random.randrange(n) if n and self.random.random() < 0.4 else None
        if stop is not None:
            inits[stop] = Const(False)
        sequences, elements, cond = [], [], None
        if self.random.random() < 0.75 or n == 0:
            for _ in range(self.random.randint(1, 2)):
                sequences.append(Const(self.random.choice(((1, 2, 3), (), (4, 5)))))
                elements.append(self.var())
        else:
            tested = [self.var() for _ in range(n)]
            inner = list(scope) + tested
            checks = self.statements(inner, depth + 2, self.random.randint(0, 1))
            counted = Var()
            checks += (Call((counted,), Const(tick), (Const(self.random.randint(1, 4)),)),)
            cond = Block(tuple(tested), checks, (counted,))
        inner = list(scope) + params + elements
        statements = self.statements(inner, depth + 1, self.random.randint(0, 4))
        results = [self.atom(inner) for _ in range(n)]
        if stop is not None and self.random.random() < 0.5:
            flag = Var(self.random.choice(("", "stop")))
            outs = [self.var() for _ in range(n)]
            outs[stop] = flag
            ends = [[self.atom(inner) for _ in range(n)] for _ in range(2)]
            ends[0][stop], ends[1][stop] = Const(True), Const(False)
            statements += (If(tuple(outs), self.atom(inner), *(Block((), (), tuple(end)) for end in ends)),)
            results = list(outs)
        elif stop is not None:
            results[stop] = self.random.choice((Const(False), results[stop]))
        collected = [self.atom(inner) for _ in range(self.random.randint(0 if n else 1, 2))]
        body = Block((*params, *elements), statements, (*results, *collected))
        outs = [self.var() for _ in params]
        lists = [Var(self.random.choice(("xs", ""))) for _ in collected]
        return Loop((*outs, *lists), tuple(inits), tuple(sequences), cond, body, stop)

    def closure(self, scope: list[Var], depth: int) -> Closure:
        d = Var(self.random.choice(("d", "x", "")))
        inner = [v for v in scope if self.random.random() < 0.7] + [d]
        statements = self.statements(inner, depth + 1, self.random.randint(1, 4))
        result = Var()
        statements += (Call((result,), Const(ir.make_tuple), (self.atom(inner), self.atom(inner), self.atom(inner))),)
        return Closure(Var("back"), Function("back", Block((d,), statements, (result,))))

    def function(self) -> Function:
        f, x, y = Var("f"), Var("x", INT), Var("y")
        scope = [x, y]
        statements = self.statements(scope, 0, self.random.randint(2, 7))
        if self.random.random() < 0.6:
            back, result = self.closure(scope, 0), Var()
            pair = Call((result,), Const(ir.make_tuple), (self.atom(scope), back.out))
            return Function("f", Block((f, x, y), (*statements, back, pair), (result,)))
        return Function("f", Block((f, x, y), statements, (self.atom(scope),)))


TICKS = [0]


def tick(limit: int) -> bool:
    """Whether a `while` goes on: never for long."""
    TICKS[0] += 1
    return TICKS[0] % (limit + 1) != 0 and TICKS[0] < 200


def outcome(function: Any) -> Any:
    """All that can be observed of one run: the log, and the result or the error."""
    LOG.clear()
    TICKS[0] = 0
    try:
        result = function(None, 3, 5)
        if isinstance(result, tuple) and result and callable(result[-1]):
            result = (result[0], result[-1](7), result[-1](-2))
    except NameError:
        return list(LOG), NameError
    except (TypeError, ValueError, OverflowError) as error:
        return list(LOG), type(error)
    return list(LOG), cleaned(result)


def cleaned(value: Any, depth: int = 0) -> Any:
    """A result that can be compared: functions are all alike, lists may hold themselves."""
    if isinstance(value, list | tuple):
        return [cleaned(item, depth + 1) for item in value] if depth < 4 else len(value)
    return "function" if callable(value) else value


def check(seed: int, undef: bool = False) -> None:
    function = Maker(seed, undef).function()
    expected = outcome(lambda *args: interpret(function, *args))
    emitted = emit(function)
    compiled = load(emitted, globals={}, user_filename=__file__)
    result = outcome(compiled)
    assert result == expected, f"seed {seed}: {result} instead of {expected}\n{emitted.text}"


@pytest.mark.parametrize("start", range(0, 1000, 100))
def test_text_means_what_the_ir_means(start: int) -> None:
    for seed in range(start, start + 100):
        check(seed)
