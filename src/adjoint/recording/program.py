"""The recorded form of a function: its forward program, made once for its code, and its reverse program."""

from __future__ import annotations
import __future__

import ast
import functools
import threading
import types
import weakref
from typing import Any

from ..depth import on_ample_stack, with_room
from ..errors import Place
from ..frontend.beside import Kept, kept_beside
from ..frontend.nodes import copied
from ..frontend.sets import note_sets
from ..frontend.source import agrees, by_positions, find, first_line, name_of
from ..frontend.texts import take_text_of
from ..frontend.walking import body_of, children, own_nodes
from ..identity import IdentityMap
from ..origin import is_ours, is_users
from ..rules.registry import check_rule_came_along, non_differentiable
from ..runtime.blame import REVERSES
from ..spelling import identifier
from .helpers import HELPERS, WATCHED
from .names import FUNCTIONS, PLAIN_CALLS
from .observer import OBSERVER
from .private import PrivateNames
from .statements import Statements
from .sweep import add
from .watching import Watching

_PROGRAMS: IdentityMap[Program] = IdentityMap()
_WATCHED: IdentityMap[Program] = IdentityMap()
"""The forms that functions have while an observer looks on."""
_GENERATED: IdentityMap[tuple[Any, str]] = IdentityMap()
"""Nodes of functions that are in no file, with the class they stand in, by code."""
_ORIGINS: weakref.WeakKeyDictionary[Any, Any] = weakref.WeakKeyDictionary()
"""The functions that forward programs have their defaults of: in a derivative of a derivative these are operands."""
_LOCK = threading.RLock()
MAX_PROGRAMS = 2048


class Program:
    """The forward and the reverse program of one function's code."""

    def __init__(self, f: types.FunctionType, watched: bool = False) -> None:
        node, mangled, filename = _node_of(f)
        code = f.__code__
        note_sets(node, code)
        self.name = code.co_name
        self.scope = f.__globals__
        self.watched = watched
        self.is_followed = False
        """True if a call has been recorded by it: then it was asked what may be."""
        self.calls = self.steps = 0
        """Calls that were recorded, and operations in them."""
        self.lines = (node.end_lineno or node.lineno) - node.lineno + 1
        form = Watching if watched else Statements
        beside = None if REVERSES.get(code) else functools.partial(_kept_beside, f)
        self.statements = form(node, f.__globals__, code.co_freevars, mangled, (filename, beside))
        forward, reverse = self.statements.functions(identifier(self.name))
        self.forward_node, self.reverse_node = forward, reverse
        self.generator = self.statements.names.is_generator
        self.runs_at_end = self.generator and not is_ours(filename) and _runs_at_end(node)
        self.cleans_up = self.runs_at_end and is_users(filename)
        self.params = self.statements.names.params
        self.builtins = PLAIN_CALLS & self.statements.names.every - self.statements.names.hidden
        """The builtins that it takes for what they are: a later global of that name has it made again."""
        self._signature = _Signature(code)
        self._layouts: dict[Any, Any] = {}
        self.forward = _compiled_forward(forward, self.statements, code, filename)
        _register(self.forward, forward, self.statements.linked, mangled)
        self.reverse: Any = _compiled_reverse(reverse, filename)
        self._plain = None if code.co_freevars else self._made(f)

    def forward_of(self, f: types.FunctionType) -> Any:
        """The forward program of a function with this code: it shares what the function captures."""
        made = self._plain
        same = made is not None and f.__defaults__ is made.__defaults__ and f.__kwdefaults__ is made.__kwdefaults__
        if not same or (f.__defaults__ or f.__kwdefaults__) and holder_of_defaults(made) is not holder_of_defaults(f):
            made = self._made(f)
        return made

    def place(self) -> Place:
        """Place of the function."""
        return self.statements.place(self.forward_node)

    def _made(self, f: types.FunctionType) -> Any:
        captured = dict(zip(f.__code__.co_freevars, f.__closure__ or (), strict=True))
        spelled = self.statements.spelled
        helpers = {spelled(name): name for name in self.statements.helpers}
        cells = []
        for name in self.forward.co_freevars:
            if name in captured:
                cells.append(captured[name])
            elif helpers[name] == "namespace":
                cells.append(types.CellType(f.__globals__))
            else:
                own = WATCHED.get(helpers[name]) if self.watched else None
                cells.append(own or HELPERS[helpers[name]])
        made = types.FunctionType(self.forward, f.__globals__, f.__name__, f.__defaults__, tuple(cells))
        made.__kwdefaults__ = f.__kwdefaults__
        made.__qualname__ = f.__qualname__
        if f.__defaults__ or f.__kwdefaults__:
            _ORIGINS[made] = f
        return made

    def layout(self, f: types.FunctionType, n: int, keywords: tuple[str, ...]) -> Any:
        """Places of the arguments of a call among the parameters, and the slots of the defaults that it uses."""
        key = n, keywords, len(f.__defaults__ or ())
        found = self._layouts.get(key)
        if found is None:
            found = self._layouts[key] = self._signature.layout(n, keywords, len(f.__defaults__ or ()))
        places, used = found
        return (places, [(i, *default_slot(f, which)) for i, which in used]) if used else found


class _Signature:
    """The way in which arguments meet parameters, in the order of the reverse program's results."""

    def __init__(self, code: types.CodeType) -> None:
        n, m = code.co_argcount, code.co_kwonlyargcount
        self.positional = code.co_varnames[:n]
        self.posonly = code.co_posonlyargcount
        self.keyword = code.co_varnames[n : n + m]
        self.star = bool(code.co_flags & 4)
        self.options = bool(code.co_flags & 8)

    def layout(self, n: int, keywords: tuple[str, ...], defaults: int) -> Any:
        first_named = len(self.positional) + self.star
        last = first_named + len(self.keyword)
        places: list[Any] = [
            (i, None) if i < len(self.positional) else (len(self.positional), i - len(self.positional))
            for i in range(n)
        ]
        by_name = self.positional[self.posonly :]
        for name in keywords:
            if name in by_name:
                places.append((self.posonly + by_name.index(name), None))
            elif name in self.keyword:
                places.append((first_named + self.keyword.index(name), None))
            else:
                places.append((last, name))
        given = {i for i, inner in places if inner is None}
        start = len(self.positional) - defaults
        used: list[Any] = [(i, i - start) for i in range(start, len(self.positional)) if i not in given and i >= 0]
        for i, name in enumerate(self.keyword):
            if first_named + i not in given:
                used.append((first_named + i, name))
        return places, used


def known_program(f: types.FunctionType) -> Program | None:
    """The recorded form of a function if it was made before, for one with these globals, and nobody looks on."""
    return _known(_PROGRAMS, f) if OBSERVER.get() is None else None


def _known(programs: IdentityMap[Program], f: types.FunctionType) -> Program | None:
    """The program of a function: of its code, as long as that runs in the module it was made for. The same code may
    run again in another one."""
    program = programs.get(f.__code__)
    if program is None or program.scope is not f.__globals__:
        return None
    return program if program.builtins.isdisjoint(program.scope) else None


def program_of(f: types.FunctionType) -> Program:
    """The recorded form of a function, made if need be."""
    observer = OBSERVER.get()
    watched = observer is not None and is_users(f.__code__.co_filename)
    programs = _WATCHED if watched else _PROGRAMS
    program = _known(programs, f)
    if program is None:
        with _LOCK:
            program = _known(programs, f)
            if program is None:
                program = programs[f.__code__] = with_room(Program)(f, watched)
                programs.shorten(MAX_PROGRAMS)
    if watched and observer is not None:
        observer.entered(f, getattr(program.statements, "refusals", []))
    return program


def holder_of_defaults(f: Any) -> Any:
    """The function whose defaults are those of `f`: of a forward program, what it was made of."""
    origin = _ORIGINS.get(f)
    return f if origin is None else holder_of_defaults(origin)


def default_slot(f: Any, which: int | str) -> tuple[Any, Any]:
    """Slot of the cotangent of a default: by position with the function, by keyword in the dict that has it."""
    return (f.__kwdefaults__, which) if isinstance(which, str) else (holder_of_defaults(f), ("default", which))


def is_generated(f: types.FunctionType) -> bool:
    """Tell whether a function is a program that was generated here, or one within it."""
    return is_recorded_form(f.__code__)


def is_recorded_form(code: types.CodeType) -> bool:
    """Tell whether code is that of such a program."""
    return _GENERATED.get(code) is not None


def forget() -> None:
    """Forget all programs: each holds the globals of its function, and these what is in them."""
    with _LOCK:
        _PROGRAMS.clear()
        _WATCHED.clear()


def _node_of(f: types.FunctionType) -> tuple[Any, str, str]:
    """The node of a function, the class it stands in, and its file: code that was pickled by value does not name it."""
    known = _GENERATED.get(f.__code__)
    if known is not None:
        return *known, f.__code__.co_filename
    check_rule_came_along(f)
    take_text_of(f)
    found = find(f.__code__, f.__globals__)
    classes = [n.name for n in found.chain[:-1] if isinstance(n, ast.ClassDef)]
    around = classes[-1] if classes else ""
    return PrivateNames(around).within(copied(found.node)), around, found.source.filename


def _kept_beside(f: types.FunctionType) -> Kept:
    """The places by which a function and those beside it remember together."""
    return Kept() if is_generated(f) else kept_beside(f.__code__, f.__globals__)


def _runs_at_end(node: Any) -> bool:
    """Tell whether a generator does something when it is closed at a `yield`."""
    return any(
        isinstance(inner, ast.Yield | ast.YieldFrom)
        for block in own_nodes(body_of(node)) if _catches_end(block) for inner in own_nodes([block])
    )  # fmt: skip


def _catches_end(block: Any) -> bool:
    """Tell whether a statement does something when a generator is closed within it."""
    if not isinstance(block, ast.Try | ast.TryStar):
        return isinstance(block, ast.With)
    caught = ["BaseException" if handler.type is None else ast.unparse(handler.type) for handler in block.handlers]
    return bool(block.finalbody) or any("GeneratorExit" in name or "BaseException" in name for name in caught)


def _compiled_forward(
    forward: ast.FunctionDef, statements: Statements, code: types.CodeType, filename: str
) -> types.CodeType:
    """The code of the forward program: what it captures, and the functions of the runtime, are free variables."""
    names = sorted({*code.co_freevars, *map(statements.spelled, statements.helpers)})
    outer = ast.FunctionDef(
        "make", ast.arguments([], [ast.arg(name) for name in names], None, [], [], None, []),
        [forward, ast.Return(ast.Name(forward.name, ast.Load()))], [],
    )  # fmt: skip
    flags = code.co_flags & __future__.annotations.compiler_flag
    whole = _completed(ast.copy_location(outer, forward))
    module: Any = on_ample_stack(compile, whole, filename, "exec", flags, dont_inherit=True, optimize=0)
    made = next(c for c in module.co_consts if isinstance(c, types.CodeType))
    found = next(c for c in made.co_consts if isinstance(c, types.CodeType) and c.co_name == forward.name)
    found = _renamed(found, f"{found.co_qualname}.<locals>.", f"{code.co_qualname}.<locals>.")
    return found.replace(co_name=code.co_name, co_qualname=code.co_qualname)


def _renamed(code: types.CodeType, old: str, new: str) -> types.CodeType:
    """A code with other full names of the functions and the classes in it."""

    def renamed(x: Any) -> Any:
        if isinstance(x, types.CodeType):
            inner = _renamed(x, old, new)
            return inner.replace(co_qualname=renamed(x.co_qualname))
        return new + x[len(old) :] if isinstance(x, str) and x.startswith(old) else x

    return code.replace(co_consts=tuple(map(renamed, code.co_consts)))


def _compiled_reverse(reverse: ast.FunctionDef, filename: str) -> Any:
    scope: dict[str, Any] = {"add": add, "__name__": __name__}
    exec(on_ample_stack(compile, ast.Module([reverse], []), filename, "exec", dont_inherit=True), scope)
    made = scope[reverse.name]
    _GENERATED[made.__code__] = (reverse, "")
    REVERSES[made.__code__] = True
    return made


PLACE = ("lineno", "col_offset", "end_lineno", "end_col_offset")


def _completed(function: ast.AST) -> ast.Module:
    """A module of a function; what its nodes lack to be compiled is put in: places are those of the nodes around."""
    todo: list[tuple[Any, Any]] = [(function, dict(zip(PLACE, (1, 0, 1, 0), strict=True)))]
    while todo:
        node, place = todo.pop()
        own = node.__dict__
        if "lineno" in node._attributes:
            for key in PLACE:
                if key not in own:
                    own[key] = place[key]
            place = own
        if "ctx" in node._fields:
            own.setdefault("ctx", ast.Load())
        if "type_params" in node._fields:
            own.setdefault("type_params", [])
        todo += [(child, place) for child in children(node)]
    return ast.Module([function], [])  # type: ignore[list-item]


def _register(code: types.CodeType, forward: ast.FunctionDef, linked: list[Any], mangled: str) -> None:
    """Remember the node of a forward program, and those of the functions in it, with the class they stand in."""
    nodes: list[tuple[Any, str]] = []
    todo: list[tuple[Any, str]] = [(node, mangled) for node in (forward, *linked)]
    while todo:
        node, cls = todo.pop()
        if isinstance(node, FUNCTIONS):
            nodes.append((node, cls))
        inner = node.name if isinstance(node, ast.ClassDef) else cls
        todo += [(child, inner) for child in children(node)]
    _GENERATED[code] = forward, mangled
    codes = [c for c in code.co_consts if isinstance(c, types.CodeType)]
    while codes:
        made = codes.pop()
        codes += [c for c in made.co_consts if isinstance(c, types.CodeType)]
        alike = [(node, cls) for node, cls in nodes if _is_of(made, node)]
        if len(alike) > 1:
            tightest = by_positions([(node,) for node, _ in alike], made)
            alike = [(node, cls) for node, cls in alike if tightest and node is tightest[0][0]]
        if alike:
            _GENERATED[made] = alike[0]


def _is_of(code: types.CodeType, node: Any) -> bool:
    return name_of(node) == code.co_name and first_line(node) == code.co_firstlineno and agrees(code, node)


# How a program is made and found is no part of what it computes.
non_differentiable(
    program_of, known_program, holder_of_defaults, default_slot, Program.forward_of, Program.layout, Program.place,
    is_generated,
)  # fmt: skip
