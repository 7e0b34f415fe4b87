"""Resolution of calls: a spliced or called rule, a generated one, a structural operation, dispatch at run time."""

from __future__ import annotations

import builtins
import operator
import types
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..errors import INEXACT_SLICE, MutationError, UnsupportedSyntaxError
from ..identity import is_hashable
from ..ir import changes, intrinsics
from ..ir.exceptions import is_init
from ..ir.nodes import Atom, Call, Const, Function, Span, Star, Statement, Var
from ..ir.types import UNKNOWN, Bottom, Fn, Keyed, Maybe, Nested, Record, Type
from ..ir.watch import watched
from ..ops.draws import GENERATORS, is_draw
from ..origin import module_of
from ..tangents import append_back, sequence_bar, shortened
from . import (
    again,
    by_class,
    called_methods,
    contents,
    counters,
    direct,
    field_dicts,
    located,
    object_copies,
    special_methods,
    splitting,
    superclasses,
    variadic,
    virtual_dicts,
)
from .attempts import check_raised
from .call_with import changed_by_call
from .callees import call_of_object, of_plain_object, read_here
from .callees import callee as find_callee
from .deques import check_shown
from .dispatching import chosen, method_for
from .effects import OF_NUMBERS, is_lazy, is_maker, writes
from .exceptions import check_call
from .facts import AS_IT_IS, Bound, Dynamic, is_active
from .flat import check_flat_handed
from .folds import FOLDS
from .frames import place_of
from .function_uses import Uses, uses_in
from .generators import read_at_once
from .inactive_calls import check_plain, check_rule_handed, type_given
from .infer import is_whole, type_of
from .inner_classes import asked
from .managers import managed
from .mapping import goes_on, with_list
from .memory import takes_references
from .nested import Gradient, fold_gradient, maker, nested_call, with_function, written
from .objects import by_method, by_own_method, fold_new
from .opened import opened
from .outs import is_none, is_usual, only_permits
from .partials import by_source, opened_getter, unfolded
from .picking import is_lost
from .results import pushed_type, result_type
from .searching import taken_from
from .snapshots import hands_on, steady_arguments
from .spreading import expand, fold_stars, spread
from .starred import fold_starred
from .statistic import key_of
from .steps import closed, sent_to
from .stores import fold_method
from .streams import through
from .thrown import make_object
from .uses import CHANGING_LENGTH, STORING
from .virtual import above, changed_by_method, seen
from .virtual_methods import SPECIAL, by_special

if TYPE_CHECKING:
    from .specialise import Specialiser

Args = list[Atom]
Kwargs = list[tuple[str | None, Atom]]
_IN_MEMORY = (
    again.call,
    variadic.call,
    called_methods.call,
    counters.call,
    by_class.call,
    special_methods.call,
    located.call,
)
_IN_VALUES = (variadic.call, by_class.call, splitting.call)
_OF_OTHERS = (field_dicts.call, object_copies.call)
_OF_SITES = (virtual_dicts.call, *_OF_OTHERS)
_VISIBLE_STORES = (changes.set_item, changes.set_attribute, changes.delete_item, changes.delete_attribute)


class Resolver:
    """Resolves the calls of one function that is being specialised."""

    def __init__(self, specialiser: Specialiser) -> None:
        self.sp = specialiser
        self.context, self.generation = specialiser.context, specialiser.context.generation
        uses = self.uses = self.uses_in(self.context.function)
        self.pending: dict[Var, Any] = {}
        self.unsteady: set[Atom] = set()
        self.written = 0  # statements of functions that were written out
        self.given: set[Atom] = set()  # what the caller holds: no list of it grows here
        self.counted: set[Atom] = set()  # ranges that count up from the front, and what loops take from them
        self.made: dict[Atom, Statement] = {}  # where each variable was written out
        self.anew: set[Atom] = set()  # containers that several statements have made
        self.changes_rows = self.context.grows or bool(self.context.growing) or uses.calls_any(CHANGING_LENGTH)
        self.grows = self.changes_rows or self.context.collects or uses.calls_any((changes.list_append,))
        self.stored_back, self.put_back = {**uses.stored_back}, {*uses.put_back}
        grown = self.context.grows or self.context.collects or any(map(hands_on, specialiser.grown))
        self.reads_items = grown or uses.calls_any((operator.getitem,))
        self.stores_items = uses.calls_any((changes.set_item,))
        self.resizes = uses.calls_any((append_back, shortened, sequence_bar))  # lists of cotangents
        self.stores = self.context.stores or uses.calls_any(STORING)

    def uses_in(self, function: Function) -> Uses:
        """The uses that a function makes of its variables."""
        return uses_in(self.context, function, self.sp.frame.scope)

    def call(self, s: Call, fn: Atom, args: list[Atom | Star], kwargs: Kwargs) -> list[Atom]:
        """Write out the call; the new atoms of its outs."""
        if not kwargs and (meant := direct.call(self, s, fn, args)) is not None:
            return [meant]
        fn, args = opened_getter(by_source(fn), args)
        if (found := changed_by_call(self, s, fn, args, kwargs)) is not None:
            return found
        if self.put_back and s.outs and s.outs[0] in self.put_back and is_lost(self, s, args[0], args[1]):  # type: ignore[arg-type]
            return [args[0]]  # type: ignore[list-item]
        for follow in _IN_MEMORY if self.generation.memory is not None else _IN_VALUES:
            if (found := follow(self, s, fn, args, kwargs)) is not None:
                return found
        for follow in _OF_SITES if self.sp.heap.sites else _OF_OTHERS:
            if (found := follow(self, s, fn, args, kwargs)) is not None:
                return found
        fn, args, kwargs = unfolded(self, fn, args, kwargs)
        fn = chosen(self, fn, args)
        check_call(self, s, fn, [*args, *[value for _, value in kwargs]])
        if (taken := taken_from(self, s, fn, args) or through(self, s, fn, args, kwargs)) is not None:
            return [taken]
        kept = None
        args = with_list(self, fn, args, s)
        if self.pending and not (isinstance(fn, Const) and self.generation.about_gradients(fn.value)):
            kept = goes_on(self, s, fn, args)
            args = [a if isinstance(a, Star) or a is kept else written(self, a, s) for a in args]
            kwargs = [(name, written(self, v, s)) for name, v in kwargs]
        plain = expand(self, args, s.span)
        kwargs = spread(self, kwargs, s.span)
        if plain is None and (found := fold_stars(self, s, fn, args, kwargs)) is not None:
            return found
        if plain is None or any(name is None for name, _ in kwargs):
            return fold_starred(self, s, written(self, fn, s), args, kwargs)
        if isinstance(fn, Const) and is_hashable(fn.value) and fn.value in OF_NUMBERS:
            plain = [self.number(a, s.span) for a in plain]
        if (folded := self.folded(s, fn, plain, kwargs)) is not None:
            return list(folded)
        plain = [written(self, a, s) if a is kept else a for a in plain]
        fn = self.generation.generated(fn)
        if len(s.outs) > 1:
            return self.several(s, fn, plain, kwargs)
        return [self.general(s, fn, plain, kwargs)] if s.outs else self.effect(s, fn, plain, kwargs)

    def folded(self, s: Call, fn: Atom, args: Args, kwargs: Kwargs) -> list[Atom] | None:
        """The atoms of a call whose meaning is known here."""
        if self.sp.heap.sites and (known := asked(self, s, fn, args, kwargs)) is not None:
            return known
        hashable = isinstance(fn, Const) and is_hashable(fn.value)
        if hashable and args and self.sp.heap.is_object(args[0]) and fn.value in SPECIAL and not kwargs:  # type: ignore[union-attr]
            return by_special(self, s, fn.value, args)  # type: ignore[union-attr]
        fold = FOLDS.get(key_of(fn.value)) if hashable else None  # type: ignore[union-attr]
        rules = self.generation.find_rules(fn.value) if fold is not None and kwargs else None  # type: ignore[union-attr]
        if rules is not None and not rules.fits(len(args), tuple([str(name) for name, _ in kwargs])):
            return None  # Python says it
        return None if fold is None else fold(self, Call(s.outs, fn, s.args, s.kwargs, s.span), args, kwargs)

    # ---- the general call

    callee = find_callee

    def general(self, s: Call, fn: Atom, args: Args, kwargs: Kwargs) -> Atom:
        fact = self.sp.facts.get(fn)
        if isinstance(fact, Bound):
            return self.method(s, fn, fact, args, kwargs)
        if (manager := managed(self, s, fn, args, kwargs)) is not None:
            return manager
        fn = of_plain_object(self, read_at_once(self, s, fn), args, kwargs)
        value = fn.value if isinstance(fn, Const) else None
        if isinstance(fn, Const) and self.generation.makes_gradient(value):
            if (made := maker(self, s, fn, args, kwargs)) is not None:
                return made
            args = [written(self, a, s) for a in args]
        if (call := call_of_object(self, fn)) is not None:
            return self.general(s, Const(call), [fn, *args], kwargs)
        if isinstance(fn, Var) and isinstance(fn.type, Nested):
            return nested_call(self, s, fn, args, kwargs)
        if isinstance(fact, Gradient):
            if any(map(is_active, args)) and (found := fold_gradient(self, s, fact, args, kwargs)) is not None:
                return found
            fn = written(self, fn, s)
        active = any([is_active(a) for a in (fn, *args, *[v for _, v in kwargs])])
        if value is watched and active:  # written where nothing moved, in a program that is differentiated again
            return self.general(s, args[0], args[1:], kwargs)
        if value is type and active and len(args) == 3:
            raise UnsupportedSyntaxError(
                "a class is made by `type(...)`",
                "what it is given is not followed where a program is reversed by its structure",
                "write a class statement",
                place_of(self.context.function, s),
            )
        if active and isinstance(value, types.MethodType) and type(value.__self__) in GENERATORS:
            return self.general(s, Const(value.__func__), [Const(value.__self__), *args], kwargs)
        if not active and (own := by_own_method(self, s, fn, args)) is not None:
            return own
        if active:
            check_raised(self, s, value)
        if value is slice and any(is_active(a) and not is_whole(type_of(a)) for a in args):
            raise UnsupportedSyntaxError(*INEXACT_SLICE, place_of(self.context.function, s))
        if value is super and (over := above(self, s, args) or superclasses.above(self, s, args)) is not None:
            return over
        cls: Any = value if isinstance(value, type) and not self.context.plain else None
        new = cls and make_object(self, s, cls, args, kwargs)
        if cls is not None and new is None and not self.generation.only_primal:
            new = fold_new(self, Call(s.outs, fn, (), (), s.span), cls, args, kwargs)
        if new is not None:
            return new
        rules = self.generation.find_rules(value) if isinstance(fn, Const) else None
        operates = active and module_of(value) == "_operator" or any(a in self.sp.heap for a in args)
        if rules is not None and operates and (own := by_method(self, s, value, args)):
            return own  # of objects, which need not be made: nothing is called plainly
        if active:
            check_flat_handed(self, s, value, args, rules is not None)
        fits = rules is None or not kwargs or rules.fits(len(args), tuple([str(name) for name, _ in kwargs]))
        if rules is not None and kwargs and fits:
            given = dict(kwargs)
            moved = rules.moved(len(args), tuple(given))
            args = [*args, *(given[name] for name in moved)]
            kwargs = [(name, v) for name, v in kwargs if name not in moved]
        names = [name for name, v in kwargs if name and not is_usual(name, v)]
        unknown = not isinstance(fn, Const) and not isinstance(type_of(fn), Fn)
        out = unknown and any(k == "out" and not is_none(v) for k, v in kwargs)
        by_rule = active and rules is not None and rules.differentiable and only_permits(value, args, names)
        if not self.context.plain and (out or isinstance(fn, Const) and writes(value, args, names) and not by_rule):
            self.store(s, "call writes into")
        t: Type = UNKNOWN
        if isinstance(fn, Const):
            told = [(name, v) for name, v in kwargs if not name or name in names]
            t = pushed_type(args) if self.generation.pushes(value) else result_type(value, args, told, rules)
        if isinstance(fn, Const) and t == UNKNOWN and isinstance(value, type):
            t = self.instance(value)
        if rules is None and (own := read_here(self, s, fn, args, kwargs, active)) is not None:
            return own
        plain = not active or isinstance(fn, Const) and not isinstance(value, types.FunctionType)
        of_rule = self.context.caller is None and not self.context.plain  # partials call nothing of the user's
        if plain and not of_rule and check_plain(self, s, fn, args, kwargs):
            if (found := None if active else opened(self, s, fn, args, kwargs)) is not None:
                return found
            self.context.unsure = True
            fn, args = (fn, args) if active or self.context.plain else (Const(watched), [fn, *args])
        t = type_given(self, fn, args, kwargs) if t == UNKNOWN and not active else t
        if not plain and rules is not None and not (self.context.plain or self.generation.only_primal):
            check_rule_handed(self, s, fn, args, kwargs)  # the rule calls it as it likes
        tested = s.outs[0] in self.uses.only_tested
        if active and rules is not None and self.generation.may_be_own(value, [type_of(a) for a in args], tested):
            return self.emit(s, fn, args, kwargs, Dynamic(), UNKNOWN, True)
        unread = isinstance(t, Bottom) and not any([a in self.sp.heap for a in (fn, *args)])
        if not active or unread or (rules is not None and not rules.differentiable):
            return self.emit(s, fn, args, kwargs, None, t, False)
        if isinstance(fn, Const) and self.generation.is_special(value):
            return self.emit(s, fn, args, kwargs, Dynamic(), t, t.differentiable)
        if rules is not None and self.generation.overridden(value, [type_of(a) for a in args]):
            if (found := by_method(self, s, value, args)) is not None:
                return found
            return self.emit(s, fn, args, kwargs, Dynamic(), UNKNOWN, True)
        if rules is not None:
            return direct.by_rules(self, s, fn, args, kwargs, rules, t, fits)
        return self.unruled(s, fn, args, kwargs, t)

    def unruled(self, s: Call, fn: Atom, args: Args, kwargs: Kwargs, t: Type) -> Atom:
        """A call of what has no rule for such arguments, through which a derivative flows."""
        gradient = self.generation.nested(fn.value) if isinstance(fn, Const) else None
        if gradient and (found := fold_gradient(self, s, *with_function(self, gradient, args), kwargs)) is not None:
            return found
        if (own := self.callee(s, fn, args, kwargs)) is not None:
            return own
        return self.emit(s, fn, args, kwargs, Dynamic(), t, t.differentiable)

    def instance(self, cls: type) -> Type:
        """The type of a new instance: known for the user's ordinary classes."""
        new: Any = cls.__new__
        plain = new is object.__new__ and type(cls) is type and not issubclass(cls, BaseException)
        return Record(cls) if plain and cls.__module__ != "builtins" else UNKNOWN

    def method(self, s: Call, fn: Atom, fact: Any, args: Args, kwargs: Kwargs) -> Atom:
        """`receiver.name(...)`."""
        if fact.receiver in self.sp.heap.generators:
            return (closed if fact.name == "close" else sent_to)(self, s, fact.receiver, args)
        if superclasses.is_left(self, fact.receiver, fact.name, fact.function):
            return contents.called(self, s, fact, args, kwargs)
        if (changed := changed_by_method(self, s, fact, args, kwargs, fold_method)) is not None:
            return changed
        whole = [fact.receiver, *args]
        if (f := method_for(self, fact.function, whole)) is not None:
            target = Const(f)
            active = any(map(is_active, [*whole, *(v for _, v in kwargs)]))
            asked = f is dict.get and (self.stores_items or isinstance(type_of(fact.receiver), Keyed))
            ours = active or asked or isinstance(f, types.FunctionType) or is_maker(f) or is_lazy(f) or is_init(f)
            ours = ours or type(f) is types.MethodDescriptorType and is_draw(f)  # `random.Random.random`, in C
            folded = self.folded(s, target, whole, kwargs) if ours or isinstance(fact.receiver, Const) else None
            if folded or ours:
                return folded[0] if folded else self.general(s, target, whole, kwargs)
            if writes(f, whole, [n for n, _ in kwargs]):
                if self.context.plain:
                    return self.emit(s, target, whole, kwargs, None, UNKNOWN, False)
                self.store(s, "call writes into")
            t = result_type(f, whole, kwargs, self.generation.find_rules(f))
            return self.emit(s, self.attribute(s, fn, fact), args, kwargs, None, t, False)
        everything: Args = [fact.receiver, Const(fact.name), *args]
        invoke = intrinsics.invoke_whole if self.uses.displays.is_taken_whole(s.outs[0]) else intrinsics.invoke
        return self.emit(s, Const(invoke), everything, kwargs, Dynamic(), UNKNOWN, True)

    def attribute(self, s: Call, fn: Atom, fact: Any) -> Var:
        """`receiver.name` as a value."""
        out = Var("", type_of(fn), is_active(fact.receiver))
        how = Dynamic() if out.active else None
        self.append(Call((out,), Const(builtins.getattr), (fact.receiver, Const(fact.name)), (), s.span, how))
        return out

    def guard(self, owner: Any, name: str, value: Any) -> None:
        """The rule holds as long as `name` means `value` (for data: something of its type) in `owner`."""
        self.context.guards[(id(owner), name)] = (owner, name, value)

    def rely_on(self, cls: type) -> None:
        """The rule holds as long as a class is as it is."""
        self.guard(cls, "", AS_IT_IS)

    def result(self, fn: Any, args: Args) -> Type:
        return result_type(fn, args, (), self.generation.find_rules(fn))

    # ---- writing out

    def append(self, statement: Statement) -> None:
        if self.sp.heap.sites:
            assert isinstance(statement, Call)
            statement = seen(self, statement)
        check_shown(self, statement)  # type: ignore[arg-type]
        self.sp.statements.append(statement)
        self.made.update(dict.fromkeys(statement.outs, statement))

    def emit(self, s: Call, fn: Atom, args: Sequence[Any], kwargs: Kwargs, how: Any, t: Type, active: bool) -> Atom:
        out = Var(s.out.name, t, active and t.differentiable)
        how = how if out.active or self.generation.only_primal else None
        if how is not None and self.unsteady and not self.generation.only_primal:
            args, kwargs = steady_arguments(self, s, fn, args, kwargs, how)
        self.append(Call((out,), fn, tuple(args), tuple(kwargs), s.span, how))
        return out

    def emit_call(self, fn: Any, args: Sequence[Atom | Star], span: Span | None, name: str = "") -> Atom:
        """Resolve and write out one more call."""
        return self.call(Call((Var(name),), Const(fn), tuple(args), span=span), Const(fn), list(args), [])[0]

    def store(self, s: Call, kind: str) -> None:
        """A store into something that is not a local variable: others can see it."""
        if self.context.plain:
            raise UnsupportedSyntaxError("what is stored into is not read further", "", "")
        raise MutationError(
            f"this {kind} something that others can see",
            "what others can see must not change while the derivative is taken",
            "build a new value instead",
            place=place_of(self.context.function, s),
        )

    def effect(self, s: Call, fn: Atom, args: Args, kwargs: Kwargs) -> list[Atom]:
        """A call for its effect: an addition into a buffer of a reverse program, or a store that others can see."""
        if isinstance(fn, Const) and fn.value in _VISIBLE_STORES:
            self.store(s, "store changes")
        self.append(Call((), fn, tuple(args), tuple(kwargs), s.span))
        return []

    def several(self, s: Call, fn: Atom, args: Args, kwargs: Kwargs) -> list[Atom]:
        """A call whose result is a tuple, taken apart."""
        given = [fn, *args, *(v for _, v in kwargs)]
        if not any(map(is_active, given)) and not takes_references(given):
            return self.plain_many(s, fn, args, kwargs)
        whole = self.general(Call((Var(""),), fn, (), (), s.span), fn, args, kwargs)
        return [self.item(whole, i, s.span, out.name) for i, out in enumerate(s.outs)]

    def plain_many(self, s: Call, fn: Atom, args: Args, kwargs: Kwargs) -> list[Atom]:
        outs = tuple(Var(o.name, UNKNOWN, False) for o in s.outs)
        self.append(Call(outs, fn, tuple(args), tuple(kwargs), s.span))
        return list(outs)

    def number(self, a: Atom, span: Span | None) -> Atom:
        """An operand of arithmetic, where it may be None the number."""
        return self.emit_call(intrinsics.present, [a], span) if isinstance(type_of(a), Maybe) else a

    def item(self, container: Atom, index: int, span: Span | None, name: str = "") -> Atom:
        return self.emit_call(operator.getitem, [container, Const(index)], span, name)
