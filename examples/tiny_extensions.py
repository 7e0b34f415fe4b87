"""Extensions of a small engine: records, `map` and closures for `tiny`. Its import extends the engine."""

import ast
import functools
import linecache
import textwrap
from dataclasses import fields, is_dataclass, make_dataclass, replace

import tiny
from tiny import RULES, Call, Const, Function, accumulate, const


class Bars(dict):
    """The cotangent of a record, by field; what is not there is zero."""

    def __add__(self, other):
        return Bars({name: accumulate(self.get(name), other.get(name)) for name in {**self, **other}})


def new(cls, *values):
    """What `cls(*values)` is instrumented to: a record by its fields."""
    return cls(*values)


def getfield(record, name):
    """What `record.name` is instrumented to."""
    if name not in {f.name for f in fields(record)} or type(record).__getattribute__ is not object.__getattribute__:
        at = [f"{s.line}: " for f in tiny.inspect.stack() if isinstance(s := f.frame.f_locals.get("s"), Call)] + [""]
        raise tiny.Refused(f"{at[0]}`{name}` is no field of {type(record).__name__}: only fields are read")
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


RULES |= {unzip: unzip_rule, mapped: mapped_rule, tuple: lambda t: (tuple(t), lambda d: (d,))}


def is_plain(cls):
    """Whether the objects of a class are what they are called with, by field."""
    plain = type(cls) is type and is_dataclass(cls) and not hasattr(cls, "__post_init__")
    made = getattr(cls.__init__, "__code__", make_dataclass.__code__).co_filename == "<string>"  # by `dataclass`
    return plain and made and cls.__new__ is object.__new__ and all(f.init for f in fields(cls))


def instrument(program):
    """The program in which classes are called by `new`, attributes read by `getfield`, and `map` is `mapped`."""

    def statement(s):
        fn = s.fn.value if isinstance(s.fn, Const) else None
        args = [const(instrument(a.value)) if isinstance(getattr(a, "value", 0), Function) else a for a in s.args]
        if is_plain(fn) and len(args) == len(fields(fn)):
            return replace(s, fn=const(new), args=(s.fn, *args))
        if is_dataclass(fn) or fn is map and isinstance(getattr(s.args[0], "value", 0), type):
            why = "gets a class: map a function" if fn is map else "is no plain dataclass, called with all its fields"
            raise tiny.Refused(f"{s.line}: `{s.fn.label}` {why}")
        return replace(s, fn=const({getattr: getfield, map: mapped}[fn]) if fn in (getattr, map) else s.fn, args=args)

    return replace(program, statements=[statement(s) for s in program.statements])


class Lowering(tiny.Lowering):
    """Reads attributes of values, and turns a function that is defined inside into a record."""

    def value(self, e):
        if isinstance(e, ast.Attribute) and not isinstance(base := self.value(e.value), Const):
            return self.emit(e, getattr, base, e.attr)
        return self.closure(e, "lambda_", [ast.Return(e.body)]) if isinstance(e, ast.Lambda) else super().value(e)

    def statement(self, s):
        if not isinstance(s, ast.FunctionDef):
            return super().statement(s)
        if s not in self.node.body:
            self.refuse(s, "a `def` in a branch or in a loop")
        self.names[s.name] = self.closure(s, s.name, s.body)

    def closure(self, node, name, body):
        """`lambda x: a * x` is `new(lambda_, a)`, where `lambda_.__call__(record_, x)` begins with `a = record_.a`."""
        params, record_ = [a.arg for a in ast.walk(node.args) if isinstance(a, ast.arg)], "record_"
        if len(params) > len(node.args.args) or node.args.defaults or getattr(node, "decorator_list", []):
            self.refuse(node, "closures that are decorated, or have other than plain parameters")
        lines = "\n".join(map(ast.unparse, map(ast.fix_missing_locations, body)))
        while record_ in lines + "".join(params):
            record_ += "_"
        head = f"def __call__({', '.join([record_, *params])}):\n"
        names = [self.unchanging(node, c) for c in self.captured(head + textwrap.indent(lines, " "))]
        text = head + textwrap.indent("\n".join([*[f"{c} = {record_}.{c}" for c in names], lines]), "    ")
        return self.emit(node, new, const(self.made(node, name, names, text)), *[self.names[c] for c in names])

    def captured(self, text):
        local = ", ".join({*self.code.co_varnames, *self.code.co_cellvars})
        code = compile(f"def around({local}):\n{textwrap.indent(text, ' ')}", "", "exec")
        for _ in range(2):  # the code of `around`, and in that the code of `__call__`
            code = next(c for c in code.co_consts if hasattr(c, "co_freevars"))
        return code.co_freevars

    def unchanging(self, node, name):
        loops = filter(lambda n: isinstance(n, (ast.For, ast.While)), nodes := [*ast.walk(self.node)])
        bound = [n for n in nodes if getattr(n, "id", "") == name and isinstance(n.ctx, ast.Store)]
        bound += [n for n in nodes if getattr(n, "name", 0) == name] + [a for a in self.node.args.args if a.arg == name]
        if name not in self.names or name in self.assigned(*loops) or len(bound) > 1:
            later = f"closures over `{name}`, which is assigned later, again or in a loop"
            self.refuse(node, "recursive closures" if name == getattr(node, "name", "") else later)
        return name

    def made(self, node, name, names, text):
        filename, scope = f"<{self.code.co_filename}:{node.lineno}:{node.col_offset}>", {}
        linecache.cache[filename] = len(text), None, text.splitlines(True), filename
        exec(compile(text, filename, "exec"), self.f.__globals__, scope)
        return make_dataclass(name, names, namespace=scope)


plain_pullback, plain_lower = tiny.pullback, tiny.lower


def pullback(f, *args):
    """`pullback`, also of records that are called: the cotangent of `f` has those of its fields."""
    if not is_dataclass(f) or isinstance(f, (type, Function)):
        return plain_pullback(f, *args)
    y, back = plain_pullback(type(f).__call__, f, *args)
    return y, lambda d: back(d)[1:]


tiny.Lowering, tiny.pullback, tiny.lower = Lowering, pullback, lambda f: instrument(plain_lower(f))
