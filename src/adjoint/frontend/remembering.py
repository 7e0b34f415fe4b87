"""Questions of a function: whether it has met a number before, and stores it to be asked for.

    for known, value in self.pairs:                 if last["x"] != x:
        if known == x:                                  last["x"], last["y"] = x, f(x)
            return value                            return last["y"]
    self.pairs.append((x, f(x)))

What it finds was computed by an earlier call, and has no derivative in this one. All is read off the text: what is
compared with a parameter, or with a copy, a text or a key of one, and where such are stored.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from ..ir.nodes import FIELDS, gives
from .asking import Asking, is_plain, says_same
from .lookups import as_read, asks_whether, is_result, looked_up
from .paths import Bindings, as_field, as_place, assign, name_of, path_of, root_of, stored_field
from .walking import all_nodes, body_of, own_nodes, parameters


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_COPYING = _words(
    "array asarray asanyarray ascontiguousarray atleast_1d copy deepcopy float complex int tuple list frozenset str "
    "repr format hash round around tobytes tolist item ravel flatten dumps ascii encode hexdigest md5 sha1 sha256 hex"
)
"""The names of functions and methods of which the result is a copy of what they are given, its text or its key."""
_TAKING = _words("zip enumerate reversed sorted list tuple iter dict")
"""Those of which the result has the items of what they are given."""
_PARTS = _words("items keys values get copy")
"""Methods of which the result is a part of a container."""
_GIVING = _words("index pop popleft get")
_STORING = _words("append appendleft insert extend extendleft add update push put setdefault")
_PUSHING = _words("heappush insort insort_left insort_right")
_MAKING = _words(
    "dict list tuple set namedtuple SimpleNamespace deque vstack hstack stack concatenate append column_stack"
)
"""Functions of which the result holds what they are given, as objects of classes do."""


@dataclass(frozen=True, eq=False)
class Question:
    """A test, or a call that finds a place, with what is asked for, what is asked, and the container in which it is."""

    node: Any
    asked: Any
    of: Any
    place: str
    params: frozenset[str]

    @property
    def is_plain(self) -> bool:
        """True if the test says by itself whether what it compares is the same."""
        sides = [self.node.left, *self.node.comparators] if isinstance(self.node, ast.Compare) else None
        return is_plain(self.node) and (sides is None or any([side is self.of for side in sides]))


class Reader:
    """Reads what a function compares, and what it stores."""

    def __init__(self, node: Any, scope: dict[str, Any]) -> None:
        self.node, self.scope = node, scope
        self.params = parameters(node.args)
        self.options = node.args.kwarg.arg if node.args.kwarg is not None else ""
        self.own = [*_with_generators(body_of(node))]
        shared = {name for n in self.own if isinstance(n, ast.Global | ast.Nonlocal) for name in n.names}
        stored = {n.id for n in self.own if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        self.local = stored - shared | {*self.params}
        self.shared = shared
        self.bindings = Bindings()
        self._places: dict[str, set[str]] = {}
        """Those of local names, once they are known."""
        self.stores: list[tuple[str, frozenset[str]]] = []
        """Containers into which copies of parameters are put, by their paths, with these."""
        self.assigned: list[tuple[str, frozenset[str]]] = []
        """Paths that are bound to copies of parameters, with these."""
        self.items: set[str] = set()
        """The texts of items that are bound to copies of parameters, under keys that only the run knows."""
        self.looked_up: dict[str, frozenset[str]] = {}
        """Tables in which something is looked up under what is made of parameters, with these."""
        self.entered: set[str] = set()
        """Those in which a result is stored under such, and is not made of what was there: no count begins so."""
        self.asked: set[str] = set()
        """Tables of which it asks whether there is something."""
        self.filled: set[str] = set()
        """Containers into which anything is put."""
        self.catches = any([isinstance(n, ast.ExceptHandler) for n in self.own])
        for n in self.own:
            self._bind(n)
        for n in self.own:
            self._store(n)
        self.asking = Asking(self.own, self.bindings)
        self.taken = self._taken()

    def _bind(self, n: Any) -> None:
        names = self.bindings
        if isinstance(n, ast.Assign):
            for target in n.targets:
                assign(names.bound, target, n.value)
        elif isinstance(n, ast.AnnAssign | ast.NamedExpr) and n.value is not None:
            assign(names.bound, n.target, n.value)
        elif isinstance(n, ast.For | ast.comprehension):
            of_options = self.options and self.options in {m.id for m in all_nodes(n.iter) if isinstance(m, ast.Name)}
            parts = n.target.elts if isinstance(n.target, ast.Tuple) else []
            keyed = of_options or isinstance(n.iter, ast.Call) and name_of(n.iter.func) == "items" and len(parts) == 2
            if not keyed or len(parts) == 2:  # the keys of options are names
                assign(names.taken, parts[1] if keyed else n.target, n.iter, whole=True)

    def _store(self, n: Any) -> None:
        if (under := looked_up(n)) is not None:
            for path, params in self._asked(*under).items():
                self.looked_up[path] = self.looked_up.get(path, frozenset()) | params
            self.asked |= self.places(under[0]) if self.catches or asks_whether(n) else set()
        if isinstance(n, ast.Assign):
            for target in n.targets:
                self._store_at(target, n.value)
        elif isinstance(n, ast.AugAssign):
            self._store_at(n.target, ast.BinOp(as_read(n.target), n.op, n.value))
        elif isinstance(n, ast.AnnAssign) and n.value is not None:
            self._store_at(n.target, n.value)
        elif isinstance(n, ast.Call):
            name = name_of(n.func)
            if (stored := stored_field(n, self.params[0] if self.params else "")) is not None:
                self._store_at(as_field(*stored[:2]), stored[2])
            elif isinstance(n.func, ast.Attribute) and name in _STORING:
                self._put(n.func.value, [*n.args, *[k.value for k in n.keywords]])
                if name == "setdefault" and len(n.args) > 1:
                    self.entered |= self._asked(n.func.value, n.args[0]).keys()
            elif name in _PUSHING and len(n.args) > 1:
                self._put(n.args[0], n.args[1:])

    def _asked(self, table: Any, key: Any) -> dict[str, frozenset[str]]:
        return {path: params for path in self.places(table) if (params := self.asks(path, key))}

    def _store_at(self, target: Any, value: Any) -> None:
        if isinstance(target, ast.Tuple | ast.List):
            display = isinstance(value, ast.Tuple | ast.List) and len(value.elts) == len(target.elts)
            for i, part in enumerate(target.elts):
                self._store_at(part, value.elts[i] if display else value)
        elif isinstance(target, ast.Subscript):
            self._put(target.value, [value])
            self.items |= {ast.unparse(target)} if self.copied(value) else set()
            there = [under[0] for n in self.bindings.behind(value) if (under := looked_up(n)) is not None]
            entered = self._asked(target.value, target.slice).keys() if is_result(value) else set[str]()
            self.entered |= entered - set[str]().union(*map(self.places, there))
        elif (path := path_of(target)) is not None and self._is_others(path):
            self.assigned.append((path, self.copied(value)))
            self.stores.append((path, self._held(value)))

    def _put(self, container: Any, values: list[Any]) -> None:
        params, places = frozenset().union(*[self._held(v) for v in values]), self.places(container)
        self.assigned += [(place, params) for place in places if is_any(place)]
        self.filled |= places
        self.stores += [(place, params) for place in places] if params else []

    def _taken(self) -> set[str]:
        """Containers of which items are used for more than to be compared: results may be among them."""
        compared = [n for n in self.own if is_plain(n) or id(n) in self.asking.calls]
        within = {id(part) for n in compared for part in all_nodes(n)}
        found = set[str]()
        for n in self.own:
            if isinstance(n, ast.Name | ast.Attribute | ast.Subscript) and id(n) not in within:
                found |= self.places(n) - {path_of(n)} if isinstance(n.ctx, ast.Load) else set()
            elif isinstance(n, ast.Call) and name_of(n.func) in _GIVING and isinstance(n.func, ast.Attribute):
                found |= self.places(n.func.value)
        return found

    def _is_others(self, path: str) -> bool:
        """Tell whether a path leads to what others see, and is no local name."""
        root = root_of(path)
        return root not in self.local if root == path else root in self.params or root not in self.local

    def copied(self, node: Any, seen: frozenset[str] = frozenset()) -> frozenset[str]:
        """The parameters of which an expression is a copy, a text or a key."""
        match node:
            case ast.Name(id=name):
                own = {name} & {*self.params}
                values = [] if name in seen else self.bindings.values(name)
                return frozenset(own).union(*[self.copied(v, seen | {name}) for v in values])
            case ast.Call(func=ast.Attribute(value=value, attr=name)) if name in _PARTS:
                return self.copied(value, seen)
            case ast.Call(func=func, args=args, keywords=keywords):
                inner = [func.value] if isinstance(func, ast.Attribute) else [k.value for k in keywords]
                return self._copies([*args, *inner], seen) if name_of(func) in _COPYING | _TAKING else frozenset()
            case ast.Subscript(value=value):
                return self.copied(value, seen)
            case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.JoinedStr(values=parts) | ast.Dict(values=parts):
                return self._copies(parts, seen)
            case ast.FormattedValue(value=value) | ast.NamedExpr(value=value) | ast.Starred(value=value):
                return self.copied(value, seen)
            case ast.UnaryOp(operand=value):
                return self.copied(value, seen)
            case ast.BinOp(left=left, right=right):
                sides = [left, right]
                text = any([isinstance(side, ast.Constant | ast.JoinedStr) for side in sides])
                return self._copies(sides, seen) if text else frozenset()
            case ast.ListComp(elt=elt) | ast.GeneratorExp(elt=elt):
                return self.copied(elt, seen)
            case ast.Attribute(value=value):
                return self.copied(value, seen) - {*self.params[:1]}
        return frozenset()

    def _copies(self, nodes: list[Any], seen: frozenset[str]) -> frozenset[str]:
        return frozenset().union(*[self.copied(n, seen) for n in nodes])

    def _held(self, node: Any, seen: frozenset[str] = frozenset()) -> frozenset[str]:
        """The parameters of which a value is a copy, or holds one."""
        found = self.copied(node)
        parts: list[Any] = []
        if isinstance(node, ast.DictComp):
            parts = [node.key, node.value]
        elif isinstance(node, ast.Dict):
            parts = [*filter(None, node.keys), *node.values]
        elif isinstance(node, ast.Tuple | ast.List | ast.Set):
            parts = node.elts
        elif isinstance(node, ast.BinOp):
            parts = [side for side in (node.left, node.right) if isinstance(side, ast.List | ast.Tuple)]
        elif isinstance(node, ast.Call) and (name_of(node.func) in _MAKING or name_of(node.func)[:1].isupper()):
            parts = [*node.args, *[k.value for k in node.keywords]]
        elif isinstance(node, ast.Name) and node.id not in {*self.params, *seen}:
            seen |= {node.id}
            parts = [v for v in self.bindings.bound.get(node.id, ()) if not isinstance(v, ast.Name)]
        return found.union(*[self._held(part, seen) for part in parts])

    def places(self, node: Any, seen: frozenset[str] = frozenset()) -> set[str]:
        """The paths of others' containers of which an expression is a part."""
        node = as_place(node)
        path = path_of(node)
        if path is not None and isinstance(node, ast.Name | ast.Attribute):
            root = root_of(path)
            if self._is_others(path):
                return {path}
            if root in seen or root in self.params:
                return set()
            if seen or root not in self._places:
                found = set[str]().union(*[self.places(v, seen | {root}) for v in self.bindings.values(root)])
                if seen:
                    return found
                self._places[root] = found
            return self._places[root]
        match node:
            case ast.Subscript(value=value) | ast.Starred(value=value) | ast.NamedExpr(value=value):
                return self.places(value, seen)
            case ast.Attribute(value=value):
                return self.places(value, seen)
            case ast.Call(func=ast.Attribute(value=value, attr=name)) if name in _PARTS:
                return self.places(value, seen)
            case ast.Call(func=ast.Name(id=name), args=args) if name in _TAKING:
                return set[str]().union(*[self.places(a, seen) for a in args])
            case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.BoolOp(values=parts):
                return set[str]().union(*[self.places(a, seen) for a in parts])
            case ast.IfExp(body=body, orelse=orelse):
                return self.places(body, seen) | self.places(orelse, seen)
        return set()

    def stores_in(self, q: Question) -> bool:
        """Tell whether the function puts what it asks for into the same container."""
        return any([place == q.place and params & q.params for place, params in self.stores])

    def gives(self, place: str) -> bool:
        """Tell whether results may come from a container, or from another one that is filled beside it."""
        return gives(place, self.taken, self.filled)

    def tested(self) -> set[str]:
        """Paths to what is compared."""
        sides = [side for n in self.own if isinstance(n, ast.Compare) for side in (n.left, *n.comparators)]
        return {path for side in sides if (path := path_of(side)) is not None}

    def used(self) -> set[str]:
        """Paths to fields that are read for more than to compare them, or to count on."""
        compared = [n for n in self.own if isinstance(n, ast.Compare)]
        counted = [
            m
            for n in self.own
            if isinstance(n, ast.Assign) and isinstance(n.targets[0], ast.Attribute) and isinstance(n.value, ast.BinOp)
            for m in (n.value.left, n.value.right)
            if path_of(m) == path_of(n.targets[0])
        ]
        apart = {id(part) for n in (*compared, *counted) for part in all_nodes(n)}
        read = [
            n for n in self.own if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Load) and id(n) not in apart
        ]
        return {path for n in read if (path := path_of(n)) is not None}

    def key(self, path: str) -> str | None:
        """A place by a path that other functions know as well: None of what hangs on another parameter."""
        root = root_of(path)
        own = self.params[:1] == [root] and path[len(root) : len(root) + 1] == "."
        return path[len(root) :] if own else None if root in self.local else path

    def keys(self, paths: Iterable[str]) -> frozenset[str]:
        """Such places."""
        return frozenset([key for path in paths if (key := self.key(path)) is not None])

    def asks(self, table: str, key: Any) -> frozenset[str]:
        """The parameters that a key of a table is made of, besides the one that has the table. A key that a loop takes
        from what holds it is made of nothing."""
        parts = [part for part in (key.elts if isinstance(key, ast.Tuple) else [key]) if not self._is_taken(part)]
        names = {n.id for part in parts for n in self.bindings.behind(part) if isinstance(n, ast.Name)}
        return (
            frozenset()
            if isinstance(key, ast.Constant | ast.Slice)
            else frozenset(self.params) & names - {root_of(table)}
        )

    def _is_taken(self, key: Any) -> bool:
        names = self.bindings
        return isinstance(key, ast.Name) and key.id in names.taken and key.id not in names.bound

    def questions(self) -> Iterator[Question]:
        """Comparisons with copies of the parameters, and look-ups by them."""
        for n in self.own:
            for asked, of in self.asking.sides(n):
                params = self.copied(asked)
                places = self.places(of) if params else ()
                if places and self.asks_same(n):
                    for place in places:
                        yield Question(n, asked, of, place, params)

    def asks_same(self, n: Any) -> bool:
        """Tell whether a node that has sides compares them, as far as it is known."""
        unsure = isinstance(n, ast.Call) and id(n) in self.asking.calls and not is_plain(n)
        return not unsure or says_same(n.func, self.bindings, self.own, self.scope)

    def item_at(self, q: Question) -> tuple[Any, Any] | None:
        """The container and the key of an item that is compared, where the function binds that item to what it compares
        it with; of all items the key is a slice."""
        whole = f"{q.place}[:]" in self.items and path_of(as_place(q.of)) == q.place
        found = (q.of, ast.Slice()) if whole else self.item_of(q.of)
        return found if found is not None and ast.unparse(ast.Subscript(*found)) in self.items else None

    def item_of(self, node: Any) -> tuple[Any, Any] | None:
        """The container and the key of an item, or the object and the name of a field: of a node, or of what its name
        was assigned."""
        for n in (node, *(self.bindings.bound.get(node.id, ()) if isinstance(node, ast.Name) else ())):
            match n:
                case ast.Subscript(value=of, slice=key):
                    return of, key
                case ast.Call(func=ast.Attribute(value=of, attr="get"), args=[key, *_]):
                    return of, key
                case ast.Call(func=ast.Name(id="getattr"), args=[of, key, *_]):
                    return of, key
        return None

    def is_direct(self, q: Question) -> bool:
        """Tell whether a question compares what a path is bound to as it is, or an item of the pair that is stored
        there."""
        sides = self.asking.sides(q.node)
        if len(sides) == 1:
            return False  # it looks into a container
        if is_any(q.place) or self.item_at(q) is not None:
            return True
        bound = q.place in [path for path, params in self.assigned if params]
        asked = [as_place(side) for _, side in sides]
        wholes = [of for side in asked for of in (side, side.value if _is_item(side) and bound else None)]
        named = [as_place(v) for w in wholes if isinstance(w, ast.Name) for v in self.bindings.bound.get(w.id, ())]
        return q.place in [path_of(w) for w in (*wholes, *named) if w is not None]


def is_any(place: str) -> bool:
    """Tell whether a place is a field that only the run knows."""
    return place.endswith(FIELDS)


def _is_item(node: Any) -> bool:
    return isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant)


def _with_generators(body: list[Any]) -> Iterator[Any]:
    """The nodes of a function's own scope, and of generator expressions in it."""
    for n in own_nodes(body):
        yield n
        if isinstance(n, ast.GeneratorExp):
            yield from _with_generators([n.elt, *n.generators])
