"""A small engine: reverse mode on IR, of programs of numbers, tuples, calls, `if`, `for` over `range`, `while`."""

import ast
import functools
import inspect
import math
import operator
import textwrap
from dataclasses import make_dataclass, replace

record = functools.partial(make_dataclass, eq=False)
Var = record("Var", ["name"])  # equal only to itself: two of one name never collide
Const = record("Const", ["value", "label"])  # a number, a function that is known, or a block
Call = record("Call", ["outs", "fn", "args", "line"])
Function = record("Function", ["name", "params", "statements", "results"])  # or a block, which is one as well
const = lambda value: Const(value, getattr(value, "name", getattr(value, "__name__", repr(value))))
NONE = const(None)


class Printer(dict):
    """Writes programs as text. It holds the names of variables, which are numbered as they are met."""

    def at(self, *atoms):
        return ", ".join([a.label if isinstance(a, Const) else self.setdefault(a, f"%{len(self) + 1}") for a in atoms])

    def block(self, f, word="yield"):
        out = [x for s in f.statements for x in self.statement(s)] + [f"{word} {self.at(*f.results)}"] * bool(f.results)
        return ["  " + line for line in out or (["pass"] if word == "yield" else [])]

    def ins(self, s, params):
        pairs = [f"{self.at(p)} = {self.at(v)}" for _, p, v in zip(s.outs, params, s.args[2:])]
        return " with " + ", ".join(pairs) if pairs else ""

    def statement(self, s):
        """The lines of a call. Blocks stand where they are called: what they read of outside has its name there."""
        match getattr(s.fn, "value", None), [v for a in s.args if isinstance(v := getattr(a, "value", None), Function)]:
            case "if", (then, orelse):
                lines = [f"if {self.at(s.args[0])}:", *self.block(then)]
                lines += ["else:", *self.block(orelse)] if orelse.statements or orelse.results else []
            case "for", (body,):
                head = f"for {self.at(body.params[0])} in {self.at(s.args[0])}{self.ins(s, body.params[1:])}:"
                lines = [head, *self.block(body)]
            case "while", (test, body):
                top = self.block(test, "test")  # numbered first, as in `adjoint.ir`
                lines = [f"while{self.ins(s, test.params)}:", *top, f"do{self.ins(s, body.params)}:", *self.block(body)]
            case functools.partial, (back,):
                lines = [f"function ({self.at(*back.params[len(s.args) - 1 :])}):", *self.block(back, "return")]
            case _:
                lines = [f"{self.at(s.fn)}({self.at(*s.args)})"]
        return [f"{self.at(*s.outs)} = {lines[0]}" if s.outs else lines[0], *lines[1:]]


def run(program, *args):
    """What a program gives, as a tuple: its calls, one after the other."""
    if len(args) != len(program.params):
        raise TypeError(f"`{program.name}` is given {len(args)} of {len(program.params)} arguments")
    values = dict(zip(program.params, args))
    at = lambda atoms: [values[a] if isinstance(a, Var) else a.value for a in atoms]
    for s in program.statements:
        y = at([s.fn])[0](*at(s.args))
        values.update(zip(s.outs, y if len(s.outs) > 1 or isinstance(s.fn, Var) else (y,), strict=True))
    return tuple(at(program.results))


Function.__call__ = run
Function.__str__ = lambda f: "\n".join([f"1: ({(p := Printer({f: '%1'})).at(f, *f.params)})", *p.block(f, "return")])


def make_tuple(*items):
    return items


def accumulate(a, b):
    """The sum of two cotangents; None is zero of whatever kind."""
    return b if a is None else a if b is None else tuple(map(accumulate, a, b)) if isinstance(a, tuple) else a + b


def power(a, b):
    """The rule of `a ** b`: d log(a ** b) / db is nan where powers of neighbouring exponents are not real."""
    slope = math.log(a) if a > 0 else 0.0 if a == 0 and b > 0 else math.nan
    return (y := a**b), lambda d: (d and d * (b * a ** (b - 1) if a or b >= 1 else b and math.inf), d * y * slope)


def branch(cond, then, orelse, *values):
    """The rule of `if`: cotangents go the way that the values came."""
    *ys, back = pullback(then if cond else orelse, *values)
    return ys, lambda *d: (None, None, None, *back(*d)[1:])


def loop(rounds, body, *values):
    """The rule of loops: the `back`s of all rounds, from the last to the first."""
    backs, n = [], len(body.results)
    for element in rounds(lambda: values):
        *ys, back = pullback(body, *element, *values)
        values = (*ys, *values[n:])
        backs.append(back)

    def back(*bars):
        sums = [None] * len(values[n:])  # of what each round reads
        for back in reversed(backs):
            found = back(*bars)[-len(values) :]
            bars, sums = found[:n], [*map(accumulate, sums, found[n:])]
        return None, None, *bars, *sums

    return values[:n], back


WITHOUT = {range, len, operator.not_, operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne}
RULES = {
    "if": branch,
    "for": lambda sequence, body, *v: loop(lambda now: zip(sequence), body, *v),
    "while": lambda t, body, *v: loop(lambda now: iter(lambda: () if pullback(t, *now())[0] else None, None), body, *v),
    "unpack": lambda t: (t, lambda *d: (d,)),
    operator.add: lambda a, b: (a + b, lambda d: (d[: len(a)], d[len(a) :]) if isinstance(a, tuple) else (d, d)),
    operator.sub: lambda a, b: (a - b, lambda d: (d, -d)),
    operator.mul: lambda a, b: (a * b, lambda d: (d * b, d * a)),
    operator.truediv: lambda a, b: (a / b, lambda d: (d / b, -d * a / b / b)),
    operator.pow: power,
    operator.neg: lambda a: (-a, lambda d: (-d,)),
    operator.pos: lambda a: (a, lambda d: (d,)),
    operator.getitem: lambda t, i: (t[i], lambda d: ((None,) * (i % len(t)) + (d,) + (None,) * (~i % len(t)), None)),
    make_tuple: lambda *items: (items, lambda d: d),
    math.sin: lambda x: (math.sin(x), lambda d: (d * math.cos(x),)),
    math.cos: lambda x: (math.cos(x), lambda d: (-d * math.sin(x),)),
    math.exp: lambda x: (y := math.exp(x), lambda d: (d * y,)),
    math.log: lambda x: (math.log(x), lambda d: (d / x,)),
    math.sqrt: lambda x: (y := math.sqrt(x), lambda d: (d / (2 * y) if y else d and d * math.inf,)),
}


Refused = type("Refused", (Exception,), {"__doc__": "What the small language does not have, and where it stands."})
NAMES = {"Return": "an early return", "For": "`for` with anything but one name over `range`"}  # else its source
NAMES |= dict.fromkeys("List Dict Set ListComp SetComp DictComp GeneratorExp".split(), "containers")
NAMES |= {"Lambda": "closures", "FunctionDef": "closures", "Call": "arguments by name"}
OPS = "Add add Sub sub Mult mul Div truediv Pow pow USub neg UAdd pos Not not_ Lt lt LtE le Gt gt GtE ge Eq eq NotEq ne"
OPERATORS = {a: getattr(operator, b) for a, b in zip(OPS.split()[::2], OPS.split()[1::2])}
OPERATORS |= {"Tuple": make_tuple, "Subscript": operator.getitem}


class Lowering(record("Lowering", ["f", "code", "node", "names", "statements"])):
    """Goes through the source in order; `names` says which atom each of the user's names stands for."""

    def refuse(self, node, what=None):
        what = what or NAMES.get(type(node).__name__, f"`{ast.unparse(node).splitlines()[0]}`")
        raise Refused(f"{self.code.co_filename}:{node.lineno}: the small language does not have {what}")

    def emit(self, node, fn, *args, outs=None):
        """The call of a function, and what it gives: one variable, if nothing else is said."""
        outs = (Var(""),) if outs is None else tuple(outs)
        fn, *args = [a if isinstance(a, (Var, Const)) else const(a) for a in (fn, *args)]
        self.statements.append(Call(outs, fn, args, f"{self.code.co_filename}:{node.lineno}"))
        return outs and outs[0]

    def assigned(self, *nodes):
        found = [n for s in nodes for n in ast.walk(s) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
        return [*dict.fromkeys(n.id for n in sorted(found, key=lambda n: (n.lineno, n.col_offset)))]

    def statement(self, s):
        match s:
            case ast.Assign(targets=[ast.Tuple(elts=to)], value=ast.Tuple(elts=items)) if len(to) == len(items):
                self.bind(zip(to, [self.value(e) for e in items]))
            case ast.Assign(targets=targets):
                self.bind(zip(targets, [self.value(s.value)] * len(targets)))
            case ast.AnnAssign(target=target, value=ast.expr()):
                self.bind([(target, self.value(s.value))])
            case ast.AugAssign(target=target):
                self.bind([(target, self.value(ast.copy_location(ast.BinOp(target, s.op, s.value), s)))])
            case ast.Expr():
                self.value(s.value)
            case ast.If():
                lower_branch(self, s)
            case ast.While(orelse=[]):
                lower_loop(self, s, "while", [])
            case ast.For(target=ast.Name(), iter=ast.Call(func=ast.Name(id="range")), orelse=[]):
                lower_loop(self, s, "for", [Var(s.target.id)], self.value(s.iter))
            case _ if not isinstance(s, ast.Pass):
                self.refuse(s, "`else` of anything but `if`" if getattr(s, "orelse", []) else None)

    def bind(self, pairs):
        for target, value in pairs:
            match target:
                case ast.Tuple(elts=to):
                    self.emit(target, "unpack", value, outs=(outs := [Var("") for _ in to]))
                    self.bind(zip(to, outs))
                case ast.Name():
                    self.names[target.id] = value
                case _:
                    self.refuse(target, f"stores to `{ast.unparse(target)}`")

    def inside(self, name, params, body):
        """What has gone through a block of these parameters, and behind them of all variables that have a name here."""
        inner = replace(self, names=self.names | {v.name: v for v in params[::-1]}, statements=[])
        inner.around = dict.fromkeys(a for a in self.names.values() if isinstance(a, Var))
        inner.block = Function(name, (*params, *inner.around), inner.statements, ())
        for s in body:
            inner.statement(s)
        return inner

    def value(self, e):
        match e:
            case ast.Constant(value=v):
                return const(v)
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=v)) if type(v) in (int, float):
                return const(-v)
            case ast.Name(id=name):
                return self.names.get(name) or self.refuse(e, f"`{name}` where it may have no value")
            case ast.Attribute() if isinstance(base := self.value(e.value), Const):
                return Const(getattr(base.value, e.attr), f"{base.label}.{e.attr}")
            case ast.UnaryOp() | ast.BinOp() | ast.Compare(ops=[_]) | ast.Tuple() | ast.Subscript():
                name = type(getattr(e, "op", getattr(e, "ops", [e])[0])).__name__
                items = [self.value(i) for i in ast.iter_child_nodes(e) if isinstance(i, ast.expr)]
                return self.emit(e, OPERATORS.get(name) or self.refuse(e), *items)
            case ast.Call(func=fn, args=args, keywords=[]):
                return self.emit(e, *map(self.value, (fn, *args)))
        return self.refuse(e)


def lower(f):
    """The program of a function."""
    if not inspect.isfunction(f) or f.__name__ == "<lambda>":
        raise Refused(f"`{getattr(f, '__name__', f)}` has no rule, and is no function that a `def` makes")
    node = ast.increment_lineno(ast.parse(textwrap.dedent(inspect.getsource(f))), f.__code__.co_firstlineno - 1).body[0]
    local = {*f.__code__.co_varnames, *f.__code__.co_cellvars}
    known = {n: Const(v, n) for n, v in (f.__builtins__ | f.__globals__).items() if n not in local}
    top = Lowering(f, f.__code__, node, known, [])
    has = {"closures": f.__code__.co_freevars, "`async`": isinstance(node, ast.AsyncFunctionDef)}
    has |= {"decorators": node.decorator_list, "defaults": node.args.defaults}
    has |= {"any but plain parameters": len(node.args.args) < len(inspect.signature(f).parameters)}
    for what in filter(has.get, has):
        top.refuse(node, what)
    *body, end = [*node.body, *[ast.Return(None)] * (not isinstance(node.body[-1], ast.Return))]
    done = top.inside(f.__name__, [Var(a.arg) for a in node.args.args], body)
    return replace(done.block, results=[done.value(end.value or ast.Constant(None))])


def lower_branch(lowering, s):
    """A name that one branch assigns and both know at their ends is a result; others have no value after it."""
    cond, assigned = lowering.value(s.test), lowering.assigned(*s.body, *s.orelse)
    then, orelse = lowering.inside("then", (), s.body), lowering.inside("orelse", (), s.orelse)
    outs = {n: Var(n) for n in assigned if n in then.names and n in orelse.names}
    then.block.results, orelse.block.results = [[side.names[n] for n in outs] for side in (then, orelse)]
    lowering.emit(s, "if", cond, then.block, orelse.block, *then.around, outs=outs.values())
    lowering.names = {n: a for n, a in lowering.names.items() if n not in assigned} | outs


def lower_loop(lowering, s, word, element, *of):
    """What a round assigns, and what has a value before the loop, is carried from round to round."""
    carried = {n: lowering.names[n] for n in lowering.assigned(s) if n in lowering.names}
    tested, params, outs = [[Var(n) for n in carried] for _ in range(3)]
    test, body = lowering.inside("test", tested, []), lowering.inside("body", [*element, *params], s.body)
    body.block.results = [body.names[n] for n in carried]
    if word == "while":
        test.block.results, of = [test.value(s.test)], [test.block]
    lowering.emit(s, word, *of, body.block, *carried.values(), *body.around, outs=outs)
    lowering.names |= zip(carried, outs)


def reverse_differentiate(program):
    """The program of `(y, back)`, where `back(y_bar)` gives cotangents of the function itself and of its arguments."""
    forward, reverse, sums, bars = [], [], {}, [Var("bar") for _ in program.results]

    def add(atom, bar):
        if isinstance(atom, Var) and atom in sums:
            reverse.append(Call((Var(""),), const(accumulate), (sums[atom], bar), ""))
            bar = reverse[-1].outs[0]
        sums[atom] = bar

    for s in program.statements:
        fn = s.fn.value if isinstance(s.fn, Const) else pullback
        if fn not in {*RULES, *WITHOUT} and not inspect.isfunction(fn):
            raise Refused(f"{s.line or program.name}: the small language does not have a rule for `{s.fn.label}`")
        forward.append(s if fn in WITHOUT else Call((*s.outs, Var("back")), const(pullback), (s.fn, *s.args), s.line))
    for atom, bar in zip(program.results, bars):
        add(atom, bar)
    kept = [s.outs[-1] for s in forward if s.fn.value is pullback]
    for s in [s for s in reversed(forward) if s.fn.value is pullback]:
        given = [sums.pop(out, NONE) for out in s.outs[:-1]]
        if any(bar is not NONE for bar in given):  # something flows to what it gave
            reverse.append(Call([Var("") for _ in s.args], s.outs[-1], given, ""))
            for atom, bar in zip(s.args, reverse[-1].outs):
                add(atom, bar)
    back = Function("back", (*kept, *bars), reverse, (NONE, *[sums.get(p, NONE) for p in program.params]))
    forward.append(Call((Var("back"),), const(functools.partial), (const(back), *kept), ""))
    return Function(f"{program.name}_rrule", program.params, forward, (*program.results, *forward[-1].outs))


def pullback(f, *args):
    """`f(*args)`, and the function `back(y_bar)` of the cotangents of `f` and of each argument; None is zero."""
    if f not in RULES:
        return run(reverse_differentiate(f if isinstance(f, Function) else lower(f)), *args)
    y, bars = RULES[f](*args)
    if any(isinstance(v, complex) for v in (y, *args)):
        raise ValueError(f"a number is complex in `{const(f).label}` of {args}: the rules are those of real ones")
    ys, nothing = y if isinstance(f, str) else (y,), [None] * len(args)
    return *ys, lambda *d: (None, *(nothing if all(bar is None for bar in d) else bars(*d)))


def grad(f):
    """The function that gives the derivative of `f` by its first argument: 0.0 if nothing flows there."""
    return lambda *args: 0.0 if (bar := pullback(f, *args)[1](1.0)[1]) is None else bar
