"""
Extensions of a small engine
============================

Records, `map` and closures for `tiny`, in 150 lines; its import extends the engine. The cotangent of a record has those
of its fields; `map` is pullbacks of each item, unzipped; a closure is a record of what it captures, which is called.
"""

import ast
import functools
import linecache
from dataclasses import fields, is_dataclass, make_dataclass, replace

import tiny
from tiny import RULES, Const, Function, accumulate, const


class Bars(dict):
    """The cotangent of a record, by field; what is not there is zero."""

    def __add__(self, other):
        return Bars({name: accumulate(self.get(name), other.get(name)) for name in {**self, **other}})


def new(cls, *values):
    """What `cls(*values)` is instrumented to: a record by its fields."""
    return cls(*values)


def getfield(record, name):
    """What `record.name` is instrumented to."""
    if name not in {f.name for f in fields(record)}:
        raise tiny.Refused(f"`{name}` is no field of {type(record).__name__}: methods and properties are not read")
    return getattr(record, name)


RULES[getfield] = lambda record, name: (getfield(record, name), lambda d: (Bars({name: d}), None))
RULES[new] = lambda cls, *values: (new(cls, *values), lambda d: (None, *[d.get(f.name) for f in fields(cls)]))


def unzip(rows, n):
    """Rows of `n` as `n` columns."""
    return tuple(zip(*rows, strict=True)) or ((),) * n


def unzip_rule(rows, n):
    none = (None,) * len(rows)
    return unzip(rows, n), lambda d: (tuple(zip(*[none if c is None else c for c in d], strict=True)), None)


def mapped(f, *columns):
    """What `map(f, *columns)` is instrumented to: a tuple, of columns of one length."""
    return tuple(f(*row) for row in zip(*columns, strict=True))


def mapped_rule(f, *columns):
    ys, backs = unzip([tiny.pullback(f, *row) for row in zip(*columns, strict=True)], 2)

    def back(d):
        f_bars, *bars = unzip([back(y_bar) for back, y_bar in zip(backs, d, strict=True)], 1 + len(columns))
        return functools.reduce(accumulate, f_bars, None), *bars

    return ys, back


RULES |= {unzip: unzip_rule, mapped: mapped_rule}


def instrument(program):
    """The program in which classes are called by `new`, attributes read by `getfield`, and `map` is `mapped`."""

    def block(atom):
        return const(instrument(atom.value)) if isinstance(getattr(atom, "value", None), Function) else atom

    def statement(s):
        fn, args = s.fn.value if isinstance(s.fn, Const) else None, [block(a) for a in s.args]
        if isinstance(fn, type) and is_dataclass(fn) and not hasattr(fn, "__post_init__"):
            return replace(s, fn=const(new), args=(s.fn, *args))
        return replace(s, fn=const({getattr: getfield, map: mapped}[fn]) if fn in (getattr, map) else s.fn, args=args)

    return replace(program, statements=[statement(s) for s in program.statements])


class Lowering(tiny.Lowering):
    """Reads attributes of values, and turns a function that is defined inside into a record."""

    def value(self, e):
        if isinstance(e, ast.Attribute) and not isinstance(base := self.value(e.value), Const):
            return self.emit(e, getattr, base, e.attr)
        return self.closure(e, "lambda_", [ast.Return(e.body)]) if isinstance(e, ast.Lambda) else super().value(e)

    def statement(self, s):
        if isinstance(s, ast.FunctionDef):
            self.names[s.name] = self.closure(s, s.name, s.body)
        else:
            super().statement(s)

    def closure(self, node, name, body):
        """`lambda x: a * x` is `new(Captured, a)`, where `Captured.__call__(self, x)` gives `self.a * x`."""
        params = {a.arg for a in self.node.args.args}
        inner = {n.id for s in body for n in ast.walk(s) if isinstance(n, ast.Name)}
        inner -= {a.arg for a in node.args.args} | {*self.assigned(*body)}
        captured = sorted(inner & {*self.code.co_varnames, *self.code.co_cellvars, name})
        loops = [n for n in ast.walk(self.node) if isinstance(n, (ast.For, ast.While))]
        for c in captured:  # Python would see what is assigned later
            stores = [n for n in ast.walk(self.node) if getattr(n, "id", "") == c and isinstance(n.ctx, ast.Store)]
            if c not in self.names or len(stores) + (c in params) > 1 or c in self.assigned(*loops):
                self.refuse(node, f"closures over `{c}`, which is assigned later, again or in a loop")
        to_fields = ast.Module([Fields(captured).visit(s) for s in body], [])
        head = f"def __call__({', '.join(['self', *[a.arg for a in node.args.args]])}):\n"
        text = head + "".join(
            f"    {line}\n" for line in ast.unparse(ast.fix_missing_locations(to_fields)).splitlines()
        )
        filename, made = f"<{self.code.co_filename}:{node.lineno}:{node.col_offset}>", {}
        linecache.cache[filename] = len(text), None, text.splitlines(True), filename
        exec(compile(text, filename, "exec"), self.f.__globals__, made)
        cls = make_dataclass(name, captured, namespace=made)
        return self.emit(node, new, const(cls), *[self.names[c] for c in captured])


class Fields(ast.NodeTransformer):
    """Turns names that are captured into fields of `self`."""

    def __init__(self, names):
        self.captured = names

    def visit_Name(self, node):
        return ast.Attribute(ast.Name("self", ast.Load()), node.id, node.ctx) if node.id in self.captured else node


plain_pullback = tiny.pullback


def pullback(f, *args):
    """`pullback`, also of records that are called: the cotangent of `f` has those of its fields."""
    if not is_dataclass(f) or isinstance(f, (type, Function)):
        return plain_pullback(f, *args)
    y, back = plain_pullback(type(f).__call__, f, *args)
    return y, lambda d: back(d)[1:]


plain_lower = tiny.lower
tiny.Lowering, tiny.pullback, tiny.lower = Lowering, pullback, lambda f: instrument(plain_lower(f))
