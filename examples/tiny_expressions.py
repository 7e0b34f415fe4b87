"""A small engine on expressions: reverse mode of straight lines, on Python's `ast`; the course shows its limits."""

import ast
import inspect
import math
import operator
import re
import textwrap

RULES = {
    operator.pos: lambda x: (x, lambda d: (d,)),  # of `y = x`, whatever x is
    operator.neg: lambda x: (-x, lambda d: (-d,)),
    operator.add: lambda x, y: (x + y, lambda d: (d[: len(x)], d[len(x) :]) if isinstance(x, list) else (d, d)),
    operator.sub: lambda x, y: (x - y, lambda d: (d, -d)),
    operator.mul: lambda x, y: (x * y, lambda d: (d * y, d * x)),
    operator.truediv: lambda x, y: (x / y, lambda d: (d / y, -d * x / y / y)),
    operator.matmul: lambda a, b: (a @ b, lambda d: (d @ b.T, a.T @ d)),
    math.sin: lambda x: (math.sin(x), lambda d: (d * math.cos(x),)),
    math.cos: lambda x: (math.cos(x), lambda d: (-d * math.sin(x),)),
}
OPERATORS = dict(zip("Add Sub Mult Div MatMult USub UAdd".split(), "add sub mul truediv matmul neg pos".split()))
OURS = {name: getattr(operator, name) for name in OPERATORS.values()}  # and what the engine makes:
MADE = re.compile(r"(t|d|back)\d+|backs|_|pullback|accumulate|\w+_(bar|primal|back)")


def atom(e, lines):
    """An expression as a name or a constant; what is inside is assigned by lines before."""
    if isinstance(e, (ast.Name, ast.Constant)):
        return ast.unparse(e)
    text, name = call(e, lines), f"t{len(lines) + 1}"
    lines.append(f"{name} = {text}")
    return name


def call(e, lines):
    """An expression as one call, of names and constants."""
    match e:
        case ast.Name() | ast.Constant():
            return f"pos({atom(e, lines)})"
        case ast.BinOp() | ast.UnaryOp() if type(e.op).__name__ in OPERATORS:
            args = [atom(a, lines) for a in ast.iter_child_nodes(e) if isinstance(a, ast.expr)]
            return f"{OPERATORS[type(e.op).__name__]}({', '.join(args)})"
        case ast.Call(ast.Name() | ast.Attribute() as func, [_, *_] as args, []):
            return f"{ast.unparse(func)}({', '.join([atom(a, lines) for a in args])})"
    raise NotImplementedError(f"`{ast.unparse(e)}` is neither arithmetic nor a plain call")


def define(name, params, lines):
    """The tree of a function with these lines."""
    return ast.parse(f"def {name}({', '.join(params)}):\n" + textwrap.indent("\n".join(lines), "    ")).body[0]


def lower(f):
    """The function as assignments of one call each, and a `return`."""
    lines, is_def = [], inspect.isfunction(f) and f.__name__ != "<lambda>"
    tree = ast.parse(textwrap.dedent(inspect.getsource(f))).body[0] if is_def else None
    plain = isinstance(tree, ast.FunctionDef) and [a.arg for a in tree.args.args] == [*inspect.signature(f).parameters]
    if not plain or tree.decorator_list or f.__closure__:
        raise NotImplementedError(f"no rule for {f}: it is no `def`, decorated, a closure, or has odd parameters")
    for s in tree.body[bool(ast.get_docstring(tree)) :] or tree.body:
        match s:
            case ast.Assign([ast.Name(name)], value):
                lines.append(f"{name} = {call(value, lines)}")
            case ast.Return(ast.expr() as value) if s is tree.body[-1]:
                value = ast.UnaryOp(ast.UAdd(), value) if isinstance(value, ast.Constant) else value
                return define(f.__name__, [*inspect.signature(f).parameters], lines + [f"return {atom(value, lines)}"])
            case _:
                break
    raise NotImplementedError(f"`{ast.unparse(s).splitlines()[0]}` is no simple assignment, nor a `return` at the end")


def parts(program):
    """What a program says: its parameters, the name and the atoms of each call, its result."""
    calls = [(s.targets[0].id, [ast.unparse(a) for a in (s.value.func, *s.value.args)]) for s in program.body[:-1]]
    return [a.arg for a in program.args.args], calls, ast.unparse(program.body[-1].value)


def primal(program):
    """The forward half: each call becomes one of `pullback`, which gives a `back` beside the value."""
    params, calls, result = parts(program)
    backs = [f"back{i + 1}" for i in range(len(calls))]
    lines = [f"{name}, {back} = pullback({', '.join(atoms)})" for (name, atoms), back in zip(calls, backs)]
    return define(f"{program.name}_primal", params, [*lines, f"return {result}, [{', '.join(backs)}]"])


def reverse_differentiate(program):
    """The reverse half: the cotangent of the result goes through the `back`s in the opposite order."""
    params, calls, result = parts(program)
    local = [*params, *[name for name, _ in calls]]
    lines = [f"{name}_bar = None" for name in dict.fromkeys(local) if name != result]
    for i, (name, atoms) in reversed([*enumerate(calls)]):
        outs = [f"d{k}" if a in local else "_" for k, a in enumerate(atoms)]
        lines += [f"{', '.join(outs)} = backs[{i}]({name}_bar)", *[f"{name}_bar = None"] * (local.count(name) > 1)]
        lines += [f"{a}_bar = accumulate({a}_bar, {d})" for a, d in zip(atoms, outs) if d != "_"]
    lines.append(f"return None, {', '.join([f'{p}_bar' for p in params])}")
    return define(f"{program.name}_back", ["backs", f"{result}_bar"], lines)


def accumulate(a, b):
    """The sum of two cotangents; None is zero of whatever kind."""
    return b if a is None else a if b is None else [*map(accumulate, a, b)] if isinstance(a, list) else a + b


def run(program, f):
    """The function that a tree defines; its names are those of `f`, and the engine's."""
    exec(ast.unparse(program), names := {**f.__globals__, **OURS, "pullback": pullback, "accumulate": accumulate})
    return names[program.name]


def pullback(f, *args):
    """`f(*args)`, and the function from the cotangent of that to those of `f` and of each argument."""
    if f in RULES:
        y, bars = RULES[f](*args)
        return y, lambda d: (None, *([None] * len(args) if d is None else bars(d)))
    program, meant = lower(f), {**OURS, **f.__globals__, **dict.fromkeys(f.__code__.co_varnames)}
    for name in (*f.__code__.co_names, *f.__code__.co_varnames):
        if MADE.fullmatch(name) or (name in OURS and OURS[name] is not meant[name]):
            raise NotImplementedError(f"`{name}` is a name of the engine, too")
    y, backs = run(primal(program), f)(*args)
    return y, lambda d: run(reverse_differentiate(program), f)(backs, d)
