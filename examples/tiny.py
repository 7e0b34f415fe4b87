"""
A small engine
==============

Source-to-source reverse mode: `tiny_ir` has the programs and their text, `tiny_rules` the rules. The language: numbers,
tuples, calls, `if`, `for` over `range`, `while`.
"""

import ast
import builtins
import functools
import inspect
import linecache
import operator
import textwrap
from dataclasses import replace

from tiny_ir import NONE, Block, Call, Closure, Const, Function, If, Loop, Var, const, to_python
from tiny_rules import RULES, WITHOUT, accumulate, make_tuple, rule  # noqa: F401


class Refused(Exception):
    """What the small language does not have, and where it stands."""


WORDS = {ast.Return: "an early return", ast.Attribute: "attributes of values", ast.Subscript: "stores to items"}
WORDS |= dict.fromkeys([ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.GeneratorExp], "containers")
WORDS |= dict.fromkeys([ast.Lambda, ast.FunctionDef], "closures")
PAIRS = (
    "Add add Sub sub Mult mul Div truediv Pow pow USub neg UAdd pos Not not_ Lt lt LtE le Gt gt GtE ge Eq eq NotEq ne"
)
OPERATORS = {a: getattr(operator, b) for a, b in zip(PAIRS.split()[::2], PAIRS.split()[1::2])}


class Lowering:
    """Goes through the source in order; `names` says which atom each of the user's names stands for."""

    def __init__(self, f):
        lines, first = inspect.getsourcelines(f)
        tree = ast.increment_lineno(ast.parse(textwrap.dedent("".join(lines))), first - 1)
        self.f, self.code, self.node, self.names, self.statements = f, f.__code__, tree.body[0], {}, []

    def refuse(self, node, what=None):
        what = what or WORDS.get(type(node), f"`{type(node).__name__.lower()}`")
        raise Refused(f"{self.code.co_filename}:{node.lineno}: the small language does not have {what}")

    def function(self):
        if not isinstance(self.node, ast.FunctionDef) or self.code.co_freevars:
            self.refuse(self.node, "closures")
        args, body = self.node.args, self.node.body
        if len(args.args) != len(inspect.signature(self.f).parameters) or args.defaults:
            self.refuse(self.node, "parameters other than plain ones")
        self.names = {a.arg: Var(a.arg) for a in args.args}
        params = (Var(self.f.__name__), *self.names.values())
        body, end = (body[:-1], body[-1].value) if isinstance(body[-1], ast.Return) else (body, None)
        return Function(self.f.__name__, self.region(params, body, lambda: [self.value(end) if end else NONE])[0])

    def region(self, params, body, results=list, names=()):
        """A block, and what names stand for at its end."""
        before, outer = self.names, self.statements
        self.names, self.statements = {**before, **dict(names)}, []
        for s in body:
            self.statement(s)
        made = Block(tuple(params), self.statements, tuple(results())), self.names
        self.names, self.statements = before, outer
        return made

    def emit(self, node, fn, *args):
        out, line = Var(""), f"{self.code.co_filename}:{node.lineno}"
        self.statements.append(Call((out,), fn if isinstance(fn, (Var, Const)) else const(fn), args, line))
        return out

    def assigned(self, *nodes):
        """The names that statements assign, in order."""
        found = [n for s in nodes for n in ast.walk(s) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
        return [*dict.fromkeys(n.id for n in sorted(found, key=lambda n: (n.lineno, n.col_offset)))]

    def statement(self, s):
        match s:
            case ast.Assign(targets=[ast.Tuple(elts=to)], value=ast.Tuple(elts=items)) if len(to) == len(items):
                for target, value in zip(to, [self.value(e) for e in items]):
                    self.bind(target, value)
            case ast.Assign(targets=targets):
                value = self.value(s.value)
                for target in targets:
                    self.bind(target, value)
            case ast.AugAssign(target=ast.Name() as name):
                self.bind(name, self.value(ast.copy_location(ast.BinOp(name, s.op, s.value), s)))
            case ast.Expr():
                self.value(s.value)
            case ast.If():
                self.branch(s)
            case ast.While(orelse=[]):
                self.loop(s, (), [])
            case ast.For(target=ast.Name(), iter=ast.Call(func=ast.Name(id="range")), orelse=[]):
                self.loop(s, (self.value(s.iter),), [Var(s.target.id)])
            case ast.For():
                self.refuse(s, "`for` over anything but `range`")
            case ast.AugAssign():
                self.refuse(s.target)
            case _ if not isinstance(s, ast.Pass):
                self.refuse(s)

    def bind(self, target, value):
        if isinstance(target, ast.Tuple):
            for i, t in enumerate(target.elts):
                self.bind(t, self.emit(t, operator.getitem, value, const(i)))
        elif isinstance(target, ast.Name):
            self.names[target.id] = value
        else:
            self.refuse(target, "stores to attributes" if isinstance(target, ast.Attribute) else None)

    def branch(self, s):
        """A name that one branch assigns and both know at their ends is a result; others have no value after it."""
        cond = self.value(s.test)
        (then, names), (orelse, others) = self.region((), s.body), self.region((), s.orelse)
        assigned = self.assigned(*s.body, *s.orelse)
        outs = {name: Var(name) for name in assigned if name in names and name in others}
        then.results, orelse.results = tuple(names[n] for n in outs), tuple(others[n] for n in outs)
        self.statements.append(If(tuple(outs.values()), cond, then, orelse))
        self.names = {n: v for n, v in {**self.names, **outs}.items() if n in outs or n not in assigned}

    def loop(self, s, sequences, elements):
        """What a round assigns, and what has a value before the loop, is carried from round to round."""
        carried = [name for name in self.assigned(s) if name in self.names]
        tested, params, outs = [{name: Var(name) for name in carried} for _ in range(3)]
        given = {**params, **{e.name: e for e in elements}}
        cond = None if sequences else self.region(tested.values(), [], lambda: [self.value(s.test)], tested)[0]
        round_ = lambda: [self.names[name] for name in carried]
        body = self.region([*params.values(), *elements], s.body, round_, given)[0]
        self.statements.append(Loop((*outs.values(),), tuple(round_()), sequences, cond, body))
        self.names = {**self.names, **outs}

    def value(self, e):
        known = {**vars(builtins), **self.f.__globals__}
        match e:
            case ast.Constant():
                return const(e.value)
            case ast.Name(id=name) if name in self.names:
                return self.names[name]
            case ast.Name(id=name) if name in known and name not in self.code.co_varnames:
                return Const(known[name], name)
            case ast.Name(id=name):
                self.refuse(e, f"`{name}` where it may have no value")
            case ast.Attribute() if isinstance(base := self.value(e.value), Const):
                return Const(getattr(base.value, e.attr), f"{base.label}.{e.attr}")
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=number)):
                return const(-number)
            case ast.UnaryOp(op=op, operand=left) if type(op).__name__ in OPERATORS:
                return self.emit(e, OPERATORS[type(op).__name__], self.value(left))
            case ast.BinOp(op=op, left=left, right=right) | ast.Compare(left=left, ops=[op], comparators=[right]):
                if type(op).__name__ in OPERATORS:
                    return self.emit(e, OPERATORS[type(op).__name__], self.value(left), self.value(right))
                self.refuse(e, f"`{type(op).__name__.lower()}`")
            case ast.Tuple():
                return self.emit(e, make_tuple, *map(self.value, e.elts))
            case ast.Subscript():
                return self.emit(e, operator.getitem, self.value(e.value), self.value(e.slice))
            case ast.Call(keywords=[]):
                return self.emit(e, self.value(e.func), *map(self.value, e.args))
        return self.refuse(e)


class Cotangents:
    """What has flowed to each variable in a region; `kept` says where what the forward half kept is found."""

    def __init__(self, kept=()):
        self.sums, self.kept, self.statements = {}, dict(kept), []

    def emit(self, fn, args, outs=1):
        outs = [Var("") for _ in range(outs)]
        self.statements.append(Call(tuple(outs), fn if isinstance(fn, Var) else const(fn), tuple(args), 0))
        return outs

    def add(self, atom, bar):
        if isinstance(atom, Var) and bar is not NONE:
            old = self.sums.get(atom)
            self.sums[atom] = self.emit(accumulate, (old, bar))[0] if old else bar

    def take(self, var):
        return self.sums.pop(var, NONE)

    def region(self, kept, results, bars, back):
        """What flows in a region from its results, to take or to pass on to what is around it."""
        inner = Cotangents({**self.kept, **kept})
        for atom, bar in zip(results, bars):
            inner.add(atom, bar)
        back(inner)
        return inner


def reverse_block(block):
    """The forward half of a block, what it keeps for the reverse half, and a function that emits that."""
    parts = [{Call: reverse_call, If: reverse_if, Loop: reverse_loop}[type(s)](s) for s in block.statements]
    forward, kept = [p[0] for p in parts], [v for p in parts for v in p[1]]
    return forward, kept, lambda bars: [half(bars) for _, _, half in reversed(parts)]


def reverse_call(s):
    """`y = f(x)` becomes `y, back = pullback(f, x)`; in reverse, `f_bar, x_bar = back(y_bar)`."""
    if isinstance(s.fn, Const) and s.fn.value in WITHOUT:
        return s, [], lambda bars: None
    if isinstance(s.fn, Const) and s.fn.value not in RULES and not inspect.isfunction(s.fn.value):
        raise Refused(f"{s.line}: the small language does not have a rule for `{s.fn.label}`")
    atoms, back = (s.fn, *s.args), Var("back")

    def half(bars):
        if (bar := bars.take(s.outs[0])) is not NONE:
            for atom, d in zip(atoms, bars.emit(bars.kept.get(back, back), [bar], len(atoms))):
                bars.add(atom, d)

    return Call((*s.outs, back), const(pullback), atoms, s.line), [back], half


def reverse_if(s):
    """Cotangents go the way that the values came; what one branch keeps is None after the other."""
    (then, first, back1), (orelse, second, back2) = reverse_block(s.then), reverse_block(s.orelse)
    inside, outside = [*first, *second], [Var(v.name) for v in (*first, *second)]
    then = Block((), then, (*s.then.results, *first, *[NONE] * len(second)))
    orelse = Block((), orelse, (*s.orelse.results, *[NONE] * len(first), *second))

    def half(bars):
        given, kept = [bars.take(out) for out in s.outs], {v: bars.kept.get(o, o) for v, o in zip(inside, outside)}
        sides = [bars.region(kept, b.results, given, back) for b, back in ((s.then, back1), (s.orelse, back2))]
        reached = {v: Var("") for side in sides for v in side.sums}
        if reached:
            blocks = [Block((), side.statements, tuple(side.sums.get(v, NONE) for v in reached)) for side in sides]
            bars.statements.append(If(tuple(reached.values()), bars.kept.get(s.cond, s.cond), *blocks))
        for v, bar in reached.items():
            bars.add(v, bar)

    return If((*s.outs, *outside), s.cond, then, orelse), [*outside, *[s.cond] * isinstance(s.cond, Var)], half


def reverse_loop(s):
    """A round appends what it keeps to lists; the reverse loop takes them from the end."""
    statements, kept, back = reverse_block(s.body)
    n, kept = len(s.inits), kept or [const(True)]  # something, so that there are as many rounds
    lists, params = [Var("kept") for _ in kept], s.body.params
    forward = replace(s, outs=(*s.outs, *lists), body=Block(params, statements, (*s.body.results, *kept)))

    def half(bars):
        given, carried = [bars.take(out) for out in s.outs], [Var("") for _ in s.outs]
        elements = [Var("") for _ in kept]
        if all(bar is NONE for bar in given):
            return
        round_ = bars.region(dict(zip(kept, elements)), s.body.results, carried, back)
        results = [round_.take(p) for p in params][:n]
        sums = {v: Var("") for v in round_.sums}  # of what is around the loop: carried on
        results += [round_.emit(accumulate, (sums[v], d))[0] for v, d in round_.sums.items()]
        outs, ends = [Var("") for _ in results], [bars.emit(reversed, [bars.kept.get(v, v)])[0] for v in lists]
        body = Block((*carried, *sums.values(), *elements), round_.statements, tuple(results))
        bars.statements.append(Loop(tuple(outs), (*given, *[NONE] * len(sums)), tuple(ends), None, body))
        for atom, bar in zip((*s.inits, *sums), outs):
            bars.add(atom, bar)

    return forward, lists, half


def reverse_differentiate(function):
    """The program of `(y, back)`, where `back(y_bar)` gives cotangents of the function itself and of its arguments."""
    params, (y,), bars = function.body.params, function.body.results, Cotangents()
    forward, _, back = reverse_block(function.body)
    y_bar, pulled, result = Var("y_bar"), Var("back"), Var("")
    bars.add(y, y_bar)
    back(bars)
    found = bars.emit(make_tuple, (NONE, *[bars.take(p) for p in params[1:]]))
    closure = Closure((pulled,), Block((y_bar,), bars.statements, tuple(found)))
    end = Call((result,), const(make_tuple), (y, pulled), 0)
    return Function(f"{function.name}_rrule", Block(params, [*forward, closure, end], (result,)))


def lower(f):
    """The program of a function."""
    return Lowering(f).function()


@functools.cache
def derivative(f, known):
    """The function `f_rrule(*args)` that gives `(y, back)`, generated for what globals are now."""
    program = reverse_differentiate(lower(f))
    source, names = to_python(program)
    filename = f"<tiny {f.__qualname__} {id(f)}>"
    linecache.cache[filename] = len(source), None, source.splitlines(True), filename
    exec(compile(source, filename, "exec"), names)
    return names[program.name]


def pullback(f, *args):
    """`f(*args)`, and the function `back(y_bar)` of the cotangents of `f` and of each argument; None is zero."""
    if f not in RULES:
        known = [f.__globals__.get(name) for name in f.__code__.co_names]
        return derivative(f, tuple(v if isinstance(v, (int, float)) else id(v) for v in known))(*args)
    y, bars = RULES[f](*args)
    return y, lambda d: (None, *([None] * len(args) if d is None else bars(d)))


def grad(f):
    """The function that gives the derivative of `f` by its first argument."""
    return lambda *args: pullback(f, *args)[1](1.0)[1]
