"""Questions of a program by which it finds results of earlier calls: a recording asks `answers` for what they say."""
# mypy: disable-error-code="arg-type, attr-defined"

from __future__ import annotations

import ast
from typing import Any

from ..frontend.beside import BEGINNING
from ..frontend.nodes import copied
from ..frontend.paths import name_of, root_of
from ..frontend.remembering import Question, Reader
from ..frontend.walking import all_nodes
from .cases import moved, placed
from .latest import latest_in, with_latest_anew
from .memoised import Program, with_own_tables

_LABELLING = frozenset(["str", "repr", "format", "tobytes", "hexdigest"])
"""The names of functions and methods that give texts or bytes."""
_OTHER = (ast.NotEq, ast.NotIn, ast.IsNot)


class _Asked(ast.NodeTransformer):
    """Puts a call of a helper around each question."""

    def __init__(self, reader: Reader, program: Program) -> None:
        self.reader, self.program = reader, program
        self.questions = _asked_by(reader, program)

    def visit(self, node: Any) -> Any:
        if isinstance(node, ast.Lambda | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            return node  # inner functions are looked at when they are called
        if getattr(node, "is_helper", False):
            return node  # it is answered already
        if isinstance(node, ast.GeneratorExp):
            return self._around(node)
        questions = self.questions.get(id(node), ())
        self.generic_visit(node)
        if isinstance(node, ast.Call):
            node.args = [self.label(a) for a in node.args]
            for keyword in node.keywords:
                keyword.value = self.label(keyword.value)
        made = node
        for question in questions:
            made = _call(self.reader, question, self.program, made)
        return made

    def _around(self, node: ast.GeneratorExp) -> Any:
        """A generator expression, whose questions are answered when it is made: it is a function of its own."""
        asked = [q for n in all_nodes(node) for q in self.questions.get(id(n), ())]
        made: Any = node
        for q in asked:
            call = _call(self.reader, q, self.program, made)
            if call.func.id == self.program.helper("searched").id:
                made = call
        return made

    def label(self, node: Any) -> Any:
        """An argument that is a text or another key of a number, as such."""
        if not _is_label(self.reader, node):
            return node
        sources = _names(self.reader.copied(node), self.program)
        made: Any = ast.Call(self.program.helper("labelled"), [node, sources], [])
        made.is_helper = True
        return placed(made, node)


def _is_label(reader: Reader, node: Any) -> bool:
    """Tell whether an argument is surely a text of parameters."""
    if isinstance(node, ast.Name) and node.id not in reader.params:
        values = reader.bindings.values(node.id)
        return bool(values) and all([not isinstance(v, ast.Name) and _is_label(reader, v) for v in values])
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod) and isinstance(node.left, ast.Constant):
        return isinstance(node.left.value, str) and bool(reader.copied(node))
    is_text = isinstance(node, ast.JoinedStr) or isinstance(node, ast.Call) and name_of(node.func) in _LABELLING
    return is_text and bool(reader.copied(node))


def _names(params: frozenset[str], program: Program) -> Any:
    return ast.Tuple([ast.Name(name, ast.Load()) for name in sorted(params - program.names.unsure)], ast.Load())


def without_earlier_results(node: Any, program: Program) -> Any:
    """A function that finds no results of earlier calls; itself if it looks for none."""
    made = with_latest_anew(with_own_tables(node, program, latest_in(node, program)), program)
    return with_answers(made, program, made is not node)


def with_answers(node: Any, program: Program, is_copy: bool) -> Any:
    """A function whose questions are answered as if nothing were remembered, or refused; itself if it has none."""
    if not isinstance(node, ast.FunctionDef | ast.Lambda):
        return node
    reader = Reader(node)
    arguments = [a for n in reader.own if isinstance(n, ast.Call) for a in (*n.args, *[k.value for k in n.keywords])]
    stored = _stored_by(node, reader, program)
    if not (_asked_by(reader, program) or stored or any([_is_label(reader, a) for a in arguments])):
        return node
    made = node if is_copy else copied(node)
    answered = _Asked(Reader(made), program)
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
    if _finds(reader, q) and not direct:
        return True
    if key is None or key[0] == ".":
        return key is not None and key[1:].isidentifier()  # its class says more when it runs
    bound = q.place in [path for path, params in reader.assigned if params]
    return key in (program.kept.latest if direct else program.kept.found) and not bound


def _finds(reader: Reader, q: Question) -> bool:
    """Tell whether the function itself stores what it asks for, and takes results from there."""
    return reader.stores_in(q) and reader.gives(q.place)


def _call(reader: Reader, q: Question, program: Program, test: Any) -> Any:
    """The call that answers a question, which a test asks."""
    key, place = reader.key(q.place), moved(ast.parse(q.place, mode="eval").body, q.node)
    name = program.private(key[1:]) if key is not None and key[0] == "." else ""
    sources = _names(q.params, program)
    if name and reader.is_direct(q):
        when = isinstance(q.node, ast.Compare) and isinstance(q.node.ops[0], _OTHER)
        given = [test, ast.Constant(when), sources, place.value, ast.Constant(name)]
        made = ast.Call(program.helper("compared"), given, [])
    else:
        asks_class = bool(name) and not _finds(reader, q)
        given = [test, copied(q.asked), sources, place, ast.Constant(q.place), _root(q.place, program)]
        given.append(ast.Constant(name if asks_class else ""))
        made = ast.Call(program.helper("searched"), given, [])
    made.is_helper = True
    return placed(made, q.node)


def _root(place: str, program: Program) -> Any:
    """The root of a place: a local object, the cell of a variable, or the names of the module."""
    root = root_of(place)
    if root in program.names.bound:
        return ast.Name(root, ast.Load())
    return program.cell(root) if root in program.free else program.helper("namespace")
