"""The statements of a recorded program: as they are, with their expressions rewritten and their stores written down."""
# mypy: disable-error-code="arg-type, assignment"

from __future__ import annotations

import ast
import functools
import linecache
from collections.abc import Callable
from typing import Any

from ..errors import Place, UnsupportedSyntaxError
from ..frontend.beside import Kept
from ..frontend.source import span_of
from ..origin import is_ours
from .cases import RETURN, placed, reverse_function
from .comprehensions import is_eager
from .definitions import Definitions
from .expressions import OPERATORS, Value, cell_of, without_stars
from .names import names_of, with_lists
from .patterns import as_branches
from .questions import without_earlier_results

Code = list[ast.stmt]
Source = tuple[str, Callable[[], Kept] | None]
"""The file of a function, and what tells what it remembers together with those beside it; None of one in reverse."""


class Statements(Definitions):
    """Rewrites a function."""

    def __init__(self, node: Any, scope: dict[str, Any], free: tuple[str, ...], mangled: str, found: Source) -> None:
        filename, self.beside = found
        names = names_of(node, scope, free)
        bound = names.bound
        if with_lists(
            node,
            lambda name, of: name not in bound and name not in free and is_eager(name, of, {*bound, *free}, scope),
        ):
            names = names_of(node, scope, free)
        super().__init__(names, scope, free, mangled, names.params[0] if names.params else "")
        remembers = self.beside is not None and not is_ours(filename)
        self.node = without_earlier_results(node, self) if remembers else node
        self.filename = filename

    @functools.cached_property
    def kept(self) -> Kept:
        """Places by which the function and those beside it remember what they were asked."""
        return Kept() if self.beside is None else self.beside()

    def place(self, node: Any) -> Place:
        return Place(self.filename, span_of(node), linecache.getline(self.filename, node.lineno, self.scope))

    def refused(self, node: Any) -> Exception:
        return UnsupportedSyntaxError(
            f"`{type(node).__name__}` is not differentiated",
            "this statement or expression is newer than what is known here",
            "write it otherwise, or cut the derivative with `adjoint.stop_gradient`",
            self.place(node),
        )

    def refused_in_class(self, node: Any) -> Exception:
        words = f"`{ast.unparse(node).split(maxsplit=1)[0].rstrip(':')}`"
        what = "a store" if is_store(node) else words
        return UnsupportedSyntaxError(
            f"{what} in the body of a class that is made inside the function",
            "only assignments of names, definitions and calls are followed there",
            "do it before or after the class: `C.name = value`",
            self.place(node),
        )

    # ---- the function

    def functions(self, name: str) -> tuple[ast.FunctionDef, ast.FunctionDef]:
        """The forward and the reverse program."""
        node = self.node
        body = [ast.copy_location(ast.Return(node.body), node)] if isinstance(node, ast.Lambda) else node.body
        start = self.parameters(node.args)
        code = self.block(body)
        cells = [
            ast.copy_location(ast.Assign([ast.Name(self.cell(n).id, ast.Store())], cell_of(n, node)), node)
            for n in sorted(self.cells)
        ]
        args = node.args
        made = ast.arguments(
            [ast.arg(self.spelled("record")), *map(_bare, args.posonlyargs)], [*map(_bare, args.args)],
            _bare(args.vararg), [*map(_bare, args.kwonlyargs)],
            [None if d is None else ast.Constant(None) for d in args.kw_defaults], _bare(args.kwarg),
            [ast.Constant(None) for _ in args.defaults],
        )  # fmt: skip
        if self.names.is_generator and not any(
            isinstance(n, ast.Yield | ast.YieldFrom) for s in code for n in ast.walk(s)
        ):
            code.append(ast.Expr(ast.Yield(None)))
        around = sorted({n for s in self.hoisted for n in _nonlocals(s)})
        unbound: Code = [
            ast.If(
                ast.Constant(False), [ast.Assign([ast.Name(n, ast.Store()) for n in around], ast.Constant(None))], []
            )
        ]
        whole = [*(unbound if around else []), *self.hoisted, *cells, *start, *code]
        forward = ast.FunctionDef(f"{name}_forward", made, whole or [ast.Pass()], [])
        ast.copy_location(placed(forward, node), node)
        reverse = reverse_function(f"{name}_reverse", self.cases, self.names.params, self.names.is_generator, node)
        return forward, reverse

    def parameters(self, args: ast.arguments) -> Code:
        """Statements that write down parameters that are shared, and of `**options`, which is a new dict."""
        code: Code = []
        if args.kwarg is not None:
            k = self.case("back", args.kwarg, None, args.kwarg.arg)
            taken = ast.Name(args.kwarg.arg, ast.Load())
            code.append(self.statement_of(self.noted(args.kwarg, "options", k, [taken])))
        for name in self.names.params:
            if name in self.names.captured:
                code += self.stored(name, self.node)
        return code

    def block(self, body: list[Any]) -> Code:
        """The code of statements; `pass` where they do nothing."""
        code = [made for statement in body for made in self.statement(statement)]
        return code or [ast.copy_location(ast.Pass(), statement) for statement in body[:1]]

    def statement(self, node: Any) -> Code:
        method = getattr(self, f"on_{type(node).__name__}", None)
        if method is None:
            raise self.refused(node)
        code: Code = [ast.copy_location(s, node) if not hasattr(s, "lineno") else s for s in method(node)]
        return code

    # ---- as they are

    def as_is(self, node: Any) -> Code:
        return [node]

    on_Pass = on_Break = on_Continue = on_Global = on_Nonlocal = on_Import = on_ImportFrom = on_TypeAlias = as_is

    def on_Expr(self, node: Any) -> Code:
        return [] if isinstance(node.value, ast.Constant) else [ast.Expr(self.plain(node.value))]

    def on_Return(self, node: Any) -> Code:
        if node.value is None:
            return [node]
        return [ast.Return(self.into(node.value, RETURN))]

    def on_Raise(self, node: Any) -> Code:
        return [ast.Raise(self.plain(node.exc), self.plain(node.cause))]

    def on_Assert(self, node: Any) -> Code:
        if node.msg is None or isinstance(node.msg, (ast.Constant, ast.JoinedStr)):
            return [ast.Assert(self.test(node.test), self.plain(node.msg))]
        if "AssertionError" in self.names.hidden:
            raise self.refused(node)
        made = ast.Call(ast.Name("AssertionError", ast.Load()), [node.msg], [])
        for n in (made, made.func):
            ast.copy_location(n, node.msg)
        fails = ast.UnaryOp(ast.Not(), self.test(node.test))
        asked = ast.BoolOp(ast.And(), [ast.Name("__debug__", ast.Load()), fails])
        return [ast.If(asked, [ast.Raise(self.plain(made), None)], [])]  # which carries what moves

    # ---- control flow

    def on_If(self, node: Any) -> Code:
        return [ast.If(self.test(node.test), self.block(node.body), self.block(node.orelse))]

    def on_While(self, node: Any) -> Code:
        return [ast.While(self.test(node.test), self.block(node.body), self.block(node.orelse))]

    def on_For(self, node: Any) -> Code:
        target, after = self.target(node.target)
        code = self.loop(self.iterator(node.iter), target)
        stores = [s for store in after for s in store()]
        body = self.block(node.body)
        return [ast.For(without_stars(target), code, [*stores, *body], self.block(node.orelse))]

    def on_Try(self, node: Any) -> Code:
        return [self.tried(ast.Try, node)]

    def on_TryStar(self, node: Any) -> Code:
        return [self.tried(ast.TryStar, node)]

    def tried(self, cls: Any, node: Any) -> ast.stmt:
        body = self.block(node.body)
        if not is_ours(self.filename):  # we catch what we mean to
            body = [self.noting_refusals(body, node)]
        handlers = []
        for h in node.handlers:
            start = self.stored(h.name, h) if h.name is not None and self.is_shared(h.name) else []
            made = ast.ExceptHandler(self.plain(h.type), h.name, [*start, *self.block(h.body)])
            handlers.append(ast.copy_location(made, h))
        made = cls(body, handlers, self.block(node.orelse), self.block(node.finalbody))
        return made  # type: ignore[no-any-return]

    def noting_refusals(self, body: Code, node: Any) -> ast.stmt:
        """Statements whose refusals are noted: a handler of the program's may be about to swallow them."""
        error = self.new()
        call = ast.Call(self.helper("note_refusal"), [ast.Name(error, ast.Load())], [])
        handler = ast.ExceptHandler(self.helper("AdjointError"), error, [ast.Expr(call), ast.Raise()])
        return ast.copy_location(ast.Try(body, [ast.copy_location(handler, node)], [], []), node)

    def on_With(self, node: Any) -> Code:
        if any(not self.is_entered_whole(item.optional_vars) for item in node.items[:-1]):
            first, *others = node.items  # the later ones see what the earlier ones are stored in
            inner = ast.copy_location(ast.With(others, node.body), node)
            return self.block([ast.copy_location(ast.With([first], [inner]), node)])
        items, start = [], []
        for item in node.items:
            manager = self.plain(item.context_expr)
            target: Any = None
            out: str | None = None
            after: list[Any] = []
            if item.optional_vars is not None:
                simple = isinstance(item.optional_vars, ast.Name)
                target, after = self.target(item.optional_vars if simple else ast.Name(self.new(), ast.Store()))
                out = target.id
                if not simple:
                    value = ast.copy_location(ast.Name(out, ast.Load()), item.context_expr)
                    start.append(ast.copy_location(ast.Assign([item.optional_vars], value), item.context_expr))
            enter = self.case("back", item.context_expr, out)
            leave = self.case("back", item.context_expr, None)
            noting = ast.Constant(not is_ours(self.filename))
            code = self.noted(item.context_expr, "managed", enter, [leave, manager, noting])
            items.append(ast.withitem(code, target))
            start = [*[s for store in after for s in store()], *start]
        done = [s for s in start if not isinstance(s, ast.Assign)]
        later = [s for s in start if isinstance(s, ast.Assign)]
        return [ast.With(items, [*done, *self.block([*later, *node.body])])]

    def is_entered_whole(self, target: ast.expr | None) -> bool:
        """Tell whether nothing is left to do for a target of `with` once Python has bound it."""
        return target is None or isinstance(target, ast.Name) and not self.is_kept(target.id)

    def on_Match(self, node: Any) -> Code:
        return self.block(as_branches(node, self.new, self.helper))

    # ---- stores

    def store(self, name: str, node: Any, bar: str) -> tuple[ast.Constant, list[Any]]:
        """The case of a store into a shared variable, and what holds it."""
        if name in self.names.globals:
            return self.case("store", node, None, bar, slot=name), [self.helper("namespace")]
        return self.case("store", node, None, bar, slot=0), [self.cell(name)]

    def is_kept(self, name: str) -> bool:
        return not self.is_inner(name) and (self.is_shared(name) or name in self.names.globals)

    def stored(self, name: str, node: Any) -> Code:
        """Statements that follow a binding of a shared variable."""
        k, holder = self.store(name, node, name)
        code = self.noted(node, "keep", k, [*holder, ast.Constant(None)])
        return [self.statement_of(code)]

    def target(self, node: Any, read: set[str] | None = None) -> tuple[Any, list[Any]]:
        """A target with names only, and what then is to be stored where they do not stay.

        Python binds and stores from the left: a name that a store before it reads is bound after that.
        """
        read = set() if read is None else read
        if isinstance(node, ast.Name) and not read & {node.id, ANY}:
            return node, [lambda: self.stored(node.id, node)] if self.is_kept(node.id) else []
        if isinstance(node, ast.Starred):
            inner, after = self.target(node.value, read)
            return ast.copy_location(ast.Starred(inner, ast.Store()), node), after
        if isinstance(node, ast.Tuple | ast.List):
            parts = [self.target(e, read) for e in node.elts]
            code = ast.copy_location(ast.Tuple([p for p, _ in parts], ast.Store()), node)
            return code, [store for _, after in parts for store in after]
        read |= _read(node)
        name = self.new()
        held = ast.copy_location(ast.Name(name, ast.Load()), node)
        put = (
            (lambda: self.assigned(node, held, node))
            if isinstance(node, ast.Name)
            else lambda: self.put(node, Value(held, name))
        )
        return ast.copy_location(ast.Name(name, ast.Store()), node), [put]

    def put(self, target: Any, value: Value, node: Any = None) -> Code:
        """A store into an attribute or an item, by the statement `node`."""
        owner = self.expr(target.value)
        if isinstance(target, ast.Attribute):
            slot: Any = ast.Constant(self.private(target.attr))
            args = [owner.code, slot, value.code]
            return [self.statement_of(self.op(node or target, "set_attribute", args, None, value.bar))]
        index = self.expr(target.slice)
        args = [owner.code, index.code, value.code]
        return [self.statement_of(self.at("set_item", node or target, args, None, value.bar, index.bar))]

    def on_Assign(self, node: Any) -> Code:
        if len(node.targets) == 1:
            return self.assigned(node.targets[0], node.value, node)
        t = self.new()
        code: Code = [ast.Assign([ast.Name(t, ast.Store())], self.into(node.value, t))]
        for target in node.targets:
            code += self.assigned(target, ast.copy_location(ast.Name(t, ast.Load()), node), node)
        return code

    def assigned(self, target: Any, value: Any, node: Any) -> Code:
        if isinstance(target, ast.Name):
            bound = ast.copy_location(ast.Assign([target], self.into(value, target.id)), node)
            return [bound, *(self.stored(target.id, node) if self.is_kept(target.id) else [])]
        if isinstance(target, ast.Tuple | ast.List):
            whole = self.expr(value)
            names, after = self.target(target)
            pattern, outs = self.pattern(names)
            code = self.op(node, "unpack", [pattern, whole.code], outs, whole.bar)
            made = ast.copy_location(ast.Assign([without_stars(names)], code), node)
            return [made, *(s for store in after for s in store())]
        if _is_simple(target):
            return self.put(target, self.expr(value), node)
        t = self.new()
        first = ast.copy_location(ast.Assign([ast.Name(t, ast.Store())], self.into(value, t)), node)
        return [first, *self.put(target, Value(ast.copy_location(ast.Name(t, ast.Load()), node), t), node)]

    def on_AnnAssign(self, node: Any) -> Code:
        return [] if node.value is None else self.assigned(node.target, node.value, node)

    def on_AugAssign(self, node: Any) -> Code:
        target, fn = node.target, f"i{OPERATORS[type(node.op)].rstrip('_')}"
        if isinstance(target, ast.Name):
            old = ast.copy_location(ast.Name(target.id, ast.Load()), target)
            if target.id in self.names.data:
                return [node]
            a, b = self.operands([old, node.value])
            new = self.op(node, "inplace", [self.helper(fn), a.code, b.code], target.id, a.bar, b.bar)
            made = ast.copy_location(ast.Assign([target], new), node)
            return [made, *(self.stored(target.id, node) if self.is_kept(target.id) else [])]
        code: Code = []
        owner = self.held(target.value, code)
        if isinstance(target, ast.Attribute):
            slot = Value(ast.Constant(self.private(target.attr)), None)
            names = "attribute", "set_attribute"
        else:
            slot = self.held(target.slice, code)
            names = "item", "set_item"
        t, u = self.new(), self.new()
        old = self.at(names[0], target, [owner.code, slot.code], t, owner.bar, slot.bar)
        value = self.expr(node.value)
        new = self.op(node, "inplace", [self.helper(fn), old, value.code], u, t, value.bar)
        store = self.at(names[1], node, [owner.code, slot.code, new], None, u, slot.bar)
        return [*code, self.statement_of(store)]

    def held(self, node: Any, code: Code) -> Value:
        """An expression that is used twice: under a name, unless it is one."""
        if isinstance(node, ast.Name | ast.Constant):
            return self.expr(node)
        t = self.new()
        value = self.expr(node, t)
        code.append(ast.copy_location(ast.Assign([ast.Name(t, ast.Store())], value.code), node))
        return Value(ast.copy_location(ast.Name(t, ast.Load()), node), value.bar)

    def on_Delete(self, node: Any) -> Code:
        code: Code = []
        for target in node.targets:
            if isinstance(target, ast.Tuple | ast.List):
                code += self.on_Delete(ast.copy_location(ast.Delete(target.elts), node))
            elif isinstance(target, ast.Name):
                code.append(ast.Delete([target]))
            else:
                owner = self.expr(target.value)
                if isinstance(target, ast.Attribute):
                    name = ast.Constant(self.private(target.attr))
                    call = self.op(node, "delete_attribute", [owner.code, name], None)
                else:
                    index = self.expr(target.slice)
                    call = self.at("delete_item", node, [owner.code, index.code], None, index.bar)
                code.append(self.statement_of(call))
        return code


def is_store(node: Any) -> bool:
    """Tell whether a statement assigns something."""
    return isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign)


ANY = "()"
"""Names that a call reads: any that is shared."""


def _read(target: Any) -> set[str]:
    """The names that a store reads for its target."""
    nodes = () if isinstance(target, ast.Name) else [*ast.walk(target)]
    calls = {ANY} if any(isinstance(n, ast.Call) for n in nodes) else set()
    return calls | {n.id for n in nodes if isinstance(n, ast.Name)}


def _nonlocals(function: Any) -> list[str]:
    return [n for s in function.body if isinstance(s, ast.Nonlocal) for n in s.names]


def _is_simple(target: Any) -> bool:
    """Tell whether it does not matter when the parts of a target are evaluated."""
    parts = [target.value] if isinstance(target, ast.Attribute) else [target.value, target.slice]
    return all(isinstance(n, ast.Name | ast.Constant | ast.Load | ast.UnaryOp | ast.USub | ast.BinOp | ast.operator)
               for p in parts for n in ast.walk(p))  # fmt: skip


def _bare(parameter: Any) -> Any:
    """A parameter without its annotation: the node itself is a part of the function around, which may be made again."""
    return None if parameter is None else ast.copy_location(ast.arg(parameter.arg), parameter)
