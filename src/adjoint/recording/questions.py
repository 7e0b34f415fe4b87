"""Questions of a program by which it finds results of earlier calls: a recording asks `answers` for what they say."""
# mypy: disable-error-code="arg-type, attr-defined"

from __future__ import annotations

import ast
import types
from typing import Any

import numpy as np

from ..frontend.beside import BEGINNING
from ..frontend.course import course_of, is_steady
from ..frontend.nodes import copied
from ..frontend.paths import name_of, root_of
from ..frontend.remembering import Question, Reader, is_any
from ..frontend.walking import all_nodes
from .cases import moved, placed
from .latest import again, latest_in, with_latest_anew
from .memoised import Program, with_own_tables

_KEEPING = frozenset(["append", "appendleft", "extend", "insert"])
"""Methods of lists, which look nothing up."""
_OTHER = (ast.NotEq, ast.NotIn, ast.IsNot)


class _Asked(ast.NodeTransformer):
    """Puts a call of a helper around each question."""

    def __init__(self, reader: Reader, program: Program) -> None:
        self.reader, self.program = reader, program
        self.questions = _asked_by(reader, program)
        self.put_away: dict[int, Question] = {}
        """Questions by functions and by differences, by what they compare with a number."""

    def visit(self, node: Any) -> Any:
        if isinstance(node, ast.Lambda | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            return node  # inner functions are looked at when they are called
        if getattr(node, "is_helper", False):
            return node  # it is answered already
        if isinstance(node, ast.GeneratorExp):
            return self._around(node)
        questions = self.questions.get(id(node), ())
        self.put_away.update({id(q.of): q for q in questions if not q.is_plain})
        this = self.put_away.pop(id(node), None)
        self.generic_visit(node)
        if this is not None:
            return self._put_away(this, node)
        if (
            isinstance(node, ast.Call)
            and name_of(node.func) not in _KEEPING
            and _may_remember(self.program.known(node.func))
        ):
            node.args = [self.label(a) for a in node.args]
            for keyword in node.keywords:
                keyword.value = self.label(keyword.value)
        made = node
        for question in [q for q in questions if q.is_plain]:
            made = _call(self.reader, question, self.program, made)
        return made

    def _put_away(self, q: Question, node: Any) -> Any:
        """The number that a question compares, put out of the way; of a container the question itself."""
        sources = _names(q.params, self.program)
        if (place := _place(self.reader, q, self.program)) is None:
            return _call(self.reader, q, self.program, node)
        made: Any = ast.Call(self.program.helper("other_than"), [node, again(q.asked), sources, *place], [])
        made.is_helper = made.hands_on = True  # the number itself, wherever it is no result of an earlier call
        return placed(made, node)

    def _around(self, node: ast.GeneratorExp) -> Any:
        """A generator expression, whose questions are answered when it is made: it is a function of its own."""
        first = node.generators[0]
        within = {id(n) for n in all_nodes(first.iter)}
        inner = {n.id for g in node.generators for n in all_nodes(g.target) if isinstance(n, ast.Name)}
        asked = [q for n in all_nodes(node) if id(n) not in within for q in self.questions.get(id(n), ())]
        asked = [q for q in asked if not any([isinstance(n, ast.Name) and n.id in inner for n in all_nodes(q.asked)])]
        first.iter = self.visit(first.iter)
        made: Any = node
        for q in asked:
            if _place(self.reader, q, self.program) is None:
                made = _call(self.reader, q, self.program, made)
        return made

    def label(self, node: Any) -> Any:
        """An argument that may be a text or another key of numbers, noted where it is one."""
        if not _may_be_label(self.reader, node):
            return node
        made: Any = ast.Call(
            self.program.helper("labelled"), [node, _names(_numbers_in(self.reader, node), self.program)], []
        )
        made.is_helper = made.hands_on = True
        return placed(made, node)


def _may_remember(f: Any) -> bool:
    """Tell whether a function that is called may look something up: no builtin, and none that computes."""
    return not isinstance(f, type | types.BuiltinFunctionType | np.ufunc) and not str(
        getattr(f, "__module__", "")
    ).startswith("numpy")


def _may_be_label(reader: Reader, node: Any) -> bool:
    """Tell whether an argument may be a text, an integer or a tuple that is made of parameters."""
    if isinstance(node, ast.Name) and node.id not in reader.params:
        values = reader.bindings.bound.get(node.id, ())
        return any([v is not None and not isinstance(v, ast.Name) and _may_be_label(reader, v) for v in values])
    kinds = (ast.Call, ast.BinOp, ast.JoinedStr, ast.Tuple)
    if not isinstance(node, kinds) or isinstance(node, ast.Call) and getattr(node, "is_helper", False):
        return False
    text = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod)
    made = text or any([isinstance(n, ast.Call | ast.JoinedStr) for n in all_nodes(node)])
    return made and bool(_numbers_in(reader, node))


def _numbers_in(reader: Reader, node: Any) -> frozenset[str]:
    """The parameters that a value is made of, but for the object whose method is called."""
    own = {id(n.value) for n in reader.bindings.behind(node) if isinstance(n, ast.Attribute)}
    names = [n for n in reader.bindings.behind(node) if isinstance(n, ast.Name) and n.id in reader.params]
    return frozenset([n.id for n in names if n.id != reader.params[0] or id(n) not in own or len(reader.params) == 1])


def _names(params: frozenset[str], program: Program) -> Any:
    return ast.Tuple([ast.Name(name, ast.Load()) for name in sorted(params - program.names.unsure)], ast.Load())


def without_earlier_results(node: Any, program: Program) -> Any:
    """A function that finds no results of earlier calls; itself if it looks for none."""
    latest = latest_in(node, program) | _compared_by_name(node, program)
    made = with_latest_anew(with_own_tables(node, program, latest), program)
    return with_answers(made, program, made is not node)


def _compared_by_name(node: Any, program: Program) -> set[str]:
    """The texts of items that are compared with what they are bound to: `self.__dict__[name]`."""
    reader = Reader(node, program.scope)
    found = [reader.item_of(q.of) for q in reader.questions() if is_any(q.place) or reader.item_at(q) is not None]
    return {ast.unparse(ast.Subscript(*item)) for item in found if item is not None}


def with_answers(node: Any, program: Program, is_copy: bool) -> Any:
    """A function whose questions are answered as if nothing were remembered, or refused; itself if it has none."""
    if not isinstance(node, ast.FunctionDef | ast.Lambda):
        return node
    reader = Reader(node, program.scope)
    arguments = [a for n in reader.own if isinstance(n, ast.Call) for a in (*n.args, *[k.value for k in n.keywords])]
    stored = _stored_by(node, reader, program)
    if not (_asked_by(reader, program) or stored or any([_may_be_label(reader, a) for a in arguments])):
        return node
    made = node if is_copy else copied(node)
    answered = _Asked(Reader(made, program.scope), program)
    if isinstance(made, ast.Lambda):
        made.body = answered.visit(made.body)
    else:
        made.body = [*stored, *[answered.visit(s) for s in made.body]]
    return made


def _stored_by(node: Any, reader: Reader, program: Program) -> list[Any]:
    """Statements for the beginning of a function: they note what is in the containers that it stores into."""
    made: list[Any] = []
    if isinstance(node, ast.Lambda) or node.name in BEGINNING:
        return made
    for place in dict.fromkeys([place for place, params in reader.stores if params]):
        key = reader.key(place)
        field = key is not None and key[:1] == "." and key[1:].isidentifier()
        if key is None or not (field or key in program.kept.found and key == root_of(key)):
            continue
        root = ast.Name(reader.params[0], ast.Load()) if field else _root(place, program)
        name = ast.Constant(program.private(key[1:]) if field else "")
        call: Any = ast.Call(program.helper("about_to_store"), [root, name, ast.Constant(place)], [])
        call.is_helper = True
        made.append(placed(ast.Expr(call), node.body[0]))
    return made


def _asked_by(reader: Reader, program: Program) -> dict[int, list[Question]]:
    """The questions that a function asks of what is remembered, by the identity of their nodes."""
    found: dict[int, list[Question]] = {}
    for q in reader.questions():
        if _is_asked(reader, q, program):
            found.setdefault(id(q.node), []).append(q)
    return found


def _is_asked(reader: Reader, q: Question, program: Program) -> bool:
    key, direct = reader.key(q.place), reader.is_direct(q)
    if reader.item_at(q) is not None:
        return not _is_steady(reader, q)
    if _finds(reader, q) and not direct or direct and _field(q.place):
        return True
    if key is None or key[0] == ".":
        return key is not None and key[1:].isidentifier()  # its class says more when it runs
    if direct and not _is_steady(reader, q):
        return key in program.kept.latest and (not _is_bound(reader, q) or not q.is_plain)
    return key in program.kept.found and not _is_bound(reader, q)


def _is_steady(reader: Reader, q: Question) -> bool:
    """Tell whether a function stores the number at each call, and with it all of its results."""
    node, key = reader.node, reader.key(q.place) or q.place
    if not isinstance(node, ast.FunctionDef):
        return False
    course = course_of(node, reader)
    course.compared.add(key)
    return is_steady(key, [course])


def _is_bound(reader: Reader, q: Question) -> bool:
    return q.place in [path for path, params in reader.assigned if params]


def _field(place: str) -> str:
    """The name of a field at the end of a place; empty if it is none."""
    name = place.rpartition(".")[2]
    return name if name != place and (is_any(place) or name.isidentifier()) else ""


def _finds(reader: Reader, q: Question) -> bool:
    """Tell whether the function itself stores what it asks for, and takes results from there."""
    return reader.stores_in(q) and reader.gives(q.place)


def _call(reader: Reader, q: Question, program: Program, test: Any) -> Any:
    """The call that answers a question, which a test asks."""
    key, sources = reader.key(q.place), _names(q.params, program)
    if (found := _place(reader, q, program)) is not None:
        when = isinstance(q.node, ast.Compare) and isinstance(q.node.ops[0], _OTHER)
        made = ast.Call(program.helper("compared"), [test, ast.Constant(when), sources, *found], [])
    else:
        place = moved(ast.parse(q.place, mode="eval").body, q.node)
        name = program.private(key[1:]) if key is not None and key[0] == "." else ""
        asks_class = bool(name) and not _finds(reader, q)
        given = [test, copied(q.asked), sources, place, ast.Constant(q.place), _root(q.place, program)]
        given.append(ast.Constant(name if asks_class else ""))
        made = ast.Call(program.helper("searched"), given, [])
    made.is_helper = True
    return placed(made, q.node)


def _place(reader: Reader, q: Question, program: Program) -> list[Any] | None:
    """The holder of the number that a question compares, its name or key there, and whether it is known that numbers
    are stored there; None of a question that looks into a container."""
    if (item := reader.item_at(q)) is not None:
        of, at = item
        return [
            moved(copied(of), q.node),
            ast.Constant(None) if isinstance(at, ast.Slice) else copied(at),
            ast.Constant(True),
        ]
    if not reader.is_direct(q):
        return None
    place, bound = q.place, _is_bound(reader, q)
    if field := _field(place):
        found = reader.item_of(q.of) if is_any(place) else None
        slot = ast.Constant(program.private(field)) if found is None else copied(found[1])
        bound = bound or any([is_any(path) for path, params in reader.assigned if params])
        return [moved(ast.parse(place.removesuffix(f".{field}"), mode="eval").body, q.node), slot, ast.Constant(bound)]
    node: Any = ast.parse(place, mode="eval").body
    if isinstance(node, ast.Subscript):
        return [moved(node.value, q.node), node.slice, ast.Constant(True)]
    slot = ast.Constant("cell_contents" if place in program.free else place)
    return [_root(place, program), slot, ast.Constant(True)] if isinstance(node, ast.Name) else None


def _root(place: str, program: Program) -> Any:
    """The root of a place: a local object, the cell of a variable, or the names of the module."""
    root = root_of(place)
    if root in program.names.bound:
        return ast.Name(root, ast.Load())
    return program.cell(root) if root in program.free else program.helper("namespace")
