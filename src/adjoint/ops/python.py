"""Memory effects of operators, builtins and containers."""

from __future__ import annotations

import cmath
import math
import operator
import types
from collections import Counter, OrderedDict, defaultdict, deque

from .bound import Bound
from .effects import Alloc, Calls, Effects, Keeps, Returns, World, Write
from .registry import each, op

NEW: Effects = (Alloc(),)

ASKED = "asked"
"""Of what is new, or written, unless the class of an operand says otherwise."""
RESULT = "result"
"""The places of arguments that the result holds as they are."""
METHOD = "method"
"""Of an argument that is called by a method of its class."""

# ---- operators

BINARY = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and_", "or_", "xor", "lshift", "rshift")
"""Operators that also work in place."""
IN_PLACE = {getattr(operator, f"i{name.strip('_')}"): getattr(operator, name) for name in BINARY}
"""The operator that gives a new value, for each that works in place."""

_ARITHMETIC: Effects = (Alloc("a", ASKED), Alloc("b", ASKED))
_ASKED: Effects = (Alloc("", ASKED),)
_IN_PLACE: Effects = (Write("a", ASKED), Returns("a"), Keeps("b", "a"))
for _plain in IN_PLACE.values():
    op(_plain, effects=_ARITHMETIC, parameters="a b")
for _in_place in IN_PLACE:
    op(_in_place, effects=_IN_PLACE, parameters="a b")
op(operator.concat, effects=_ARITHMETIC, parameters="a b")
op(operator.iconcat, effects=_IN_PLACE, parameters="a b")
op(abs, operator.abs, effects=_ASKED, parameters="a")
each(_ASKED, operator.neg, operator.invert, operator.inv, parameters="a")
each(_ASKED, operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne, parameters="a b")
each(NEW, operator.contains, operator.countOf, operator.indexOf, parameters="a b")
each((), operator.is_, operator.is_not, parameters="a b")
each((), operator.not_, operator.truth, operator.index, parameters="a")
op(operator.pos, effects=(*_ASKED, Returns("a")), parameters="a")
op(operator.getitem, effects=(Returns("a", "view"), Returns("a", "item")), parameters="a b")
op(operator.setitem, effects=(Write("a"), Keeps("c", "a")), parameters="a b c")
op(operator.delitem, effects=(Write("a", "shrinks"),), parameters="a b")

# ---- builtins


def _extremum(bound: Bound) -> Effects:
    """Of one argument an item, of several one of them."""
    one = Returns("args", "item" if bound.by_place == 1 else "")
    return one, Returns("default"), Calls("key")


each(_extremum, max, min, parameters="*args")
op(sum, effects=(Alloc("iterable", ASKED), Returns("start")), parameters="iterable start")
op(sorted, effects=(Alloc("iterable"), Calls("key")), parameters="iterable")
each((Alloc("iterable"),), list, tuple, set, frozenset, parameters="iterable")
op(dict, effects=(Alloc("*"),), parameters="items")
op(defaultdict, effects=(Alloc("*"),), parameters="default_factory items")
op(Counter, effects=(Alloc("*"),), parameters="iterable")
op(OrderedDict, effects=(Alloc("*"),), parameters="items")
op(deque, effects=(Alloc("iterable"),), parameters="iterable maxlen")
op(
    next,
    effects=(Write("iterator", "advances"), Returns("iterator", "item"), Returns("default")),
    parameters="iterator default",
)


def _iterated(bound: Bound) -> Effects:
    """Of one argument its items, of two what it gives when it is called."""
    return Returns("*", "lazy"), *([Calls("object")] if bound.gives("sentinel") else [])


op(iter, effects=_iterated, parameters="object sentinel")
each((Returns("*", "lazy"), Calls("function")), map, filter, parameters="function *iterables")
each((Returns("*", "lazy"),), zip, enumerate, reversed, parameters="*iterables")
each((Returns("object", "view"), Keeps("object", RESULT)), memoryview, types.MappingProxyType, parameters="object")
op(getattr, effects=(Returns("object", "item"), Returns("default")), parameters="object name default")
op(setattr, effects=(Write("object"), Keeps("value", "object")), parameters="object name value")
op(delattr, effects=(Write("object"),), parameters="object name")
each(NEW, len, hash, id, ord, round, divmod, pow, any, all, repr, str, format, bool, float, int, complex, range)
each(NEW, ascii, bin, oct, hex, chr, slice, operator.length_hint)
each((), isinstance, issubclass, callable, hasattr, type)
op(print, effects=(World("out"),), parameters="*values")
op(input, effects=(World("out"), World("in")), parameters="prompt")
op(open, effects=(World("out"), World("in")))

each(NEW, *[f for name, f in vars(math).items() if callable(f) and name not in ("prod", "__loader__")])
each(NEW, *[f for name, f in vars(cmath).items() if callable(f) and name[0] != "_"])
op(math.prod, effects=(*_ASKED, Returns("start")), parameters="iterable")

# ---- containers

GROWS: Effects = (Write("self", "grows"), Keeps("*", "self"))
STORES: Effects = (Write("self"), Keeps("*", "self"))
TAKES: Effects = (Write("self", "shrinks"), Returns("self", "item"))
SHRINKS: Effects = (Write("self", "shrinks"),)
REORDERS: Effects = (Write("self", "reorders"),)
ITEM: Effects = (Returns("self", "item"), Returns("default"))
COPIES: Effects = (Alloc("self"),)
SHOWS: Effects = (Returns("self", "lazy"),)


def methods(cls: type, parameters: str = "self *values", **names: Effects) -> None:
    """Declare methods of a class, several of the same effects by one keyword: `append_extend=GROWS`."""
    for text, effects in names.items():
        for name in text.split("_"):
            op(vars(cls)[name], effects=effects, parameters=parameters)


def special(cls: type, names: str, effects: Effects) -> None:
    """Declare special methods of a class by their names without underscores."""
    each(effects, *[vars(cls)[f"__{name}__"] for name in names.split()], parameters="self *values")


WRITING_OPERATORS = frozenset(["__setitem__", "__delitem__", *[f"__{f.__name__}__" for f in IN_PLACE]])
"""Special methods that change their object, if that can be changed."""


def in_place(cls: type) -> None:
    """Declare the special methods of a class that change the object."""
    names = ["__init__", *WRITING_OPERATORS]
    each(
        (*STORES, Returns("self")), *[vars(cls)[name] for name in names if name in vars(cls)], parameters="self *values"
    )


for _cls in (list, dict, set, deque, OrderedDict, bytearray):
    in_place(_cls)
methods(list, append_extend_insert=GROWS, remove_clear=SHRINKS, reverse=REORDERS, copy=COPIES)
op(list.sort, effects=(*REORDERS, Calls("key")), parameters="self")
op(list.pop, effects=TAKES, parameters="self index")
each(NEW, list.index, list.count, parameters="self value start stop")
methods(dict, update=STORES, clear=SHRINKS, popitem=TAKES, keys_values_items=SHOWS, copy=COPIES)
methods(dict, "self key default", get=ITEM, pop=(*SHRINKS, *ITEM), setdefault=(*GROWS, *ITEM))
methods(set, add_update=GROWS, discard_remove_clear=SHRINKS, pop=TAKES, copy=COPIES)
each(SHRINKS, set.intersection_update, set.difference_update, parameters="self *others")
op(set.symmetric_difference_update, effects=GROWS, parameters="self *others")
methods(deque, append_appendleft_extend_extendleft_insert=GROWS, remove_clear=SHRINKS, pop_popleft=TAKES)
methods(deque, reverse_rotate=REORDERS, copy=COPIES)
methods(OrderedDict, update=STORES, clear=SHRINKS, popitem=TAKES, keys_values_items=SHOWS, copy=COPIES)
methods(OrderedDict, "self key default", pop=(*SHRINKS, *ITEM), setdefault=(*GROWS, *ITEM))
op(OrderedDict.move_to_end, effects=REORDERS, parameters="self key last")
each(STORES, Counter.update, Counter.subtract, parameters="self iterable")
methods(bytearray, append_extend_insert=GROWS, remove_clear=SHRINKS, pop=TAKES, reverse=REORDERS, copy=COPIES)
for _cls in (list, dict, set, deque, OrderedDict):
    special(_cls, "iter", SHOWS)
for _cls in (list, dict, deque, OrderedDict):
    special(_cls, "reversed", SHOWS)
special(float, "float int trunc floor ceil", NEW)
methods(float, conjugate_hex=NEW)
op(float.is_integer, effects=NEW)
each(NEW, int.conjugate, complex.conjugate, tuple.index, tuple.count, parameters="self value start stop")
each(NEW, dict.__contains__, parameters="self key")
each(NEW, *[f for name, f in vars(str).items() if name[0] != "_" and name != "maketrans"], int.bit_length)
each(STORES, object.__setattr__, object.__delattr__, parameters="self *values")
