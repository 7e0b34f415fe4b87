"""Programs that ask an object for a special method, as texts of modules: how its class has the method, or which other
object that asks, what the method stores, and by what operation it is asked."""

from __future__ import annotations

from collections.abc import Callable

from .methods import Method

HEAD = """import bisect, cmath, collections, copy, functools, heapq, itertools, math, operator, os, pickle
import random, statistics
from collections import deque
import numpy as np
try:
    import wrapt
except ImportError:
    wrapt = None

LOG = []
BOX = {}

class Part(np.ndarray):
    pass

class Base:
    def __init__(self, v):
        self.v = v
        self.seen = 0.0
        self.n = 0

def total(r):
    if isinstance(r, (int, float)): return r
    if isinstance(r, (list, tuple, np.ndarray)): return sum([total(v) for v in r])
    return r.v
def objects(*o):
    a = np.empty(len(o), dtype=object)
    for i in range(len(o)): a[i] = o[i]
    return a
def in_place(o, sign):
    if sign == '+': o += 2.0
    elif sign == '-': o -= 2.0
    elif sign == '*': o *= 2.0
    elif sign == '/': o /= 2.0
    elif sign == '//': o //= 2.0
    elif sign == '%': o %= 2.0
    elif sign == '**': o **= 2.0
    elif sign == '@': o @= 2.0
    elif sign == '<<': o <<= 2.0
    elif sign == '>>': o >>= 2.0
    elif sign == '&': o &= 2.0
    elif sign == '|': o |= 2.0
    elif sign == '^': o ^= 2.0
    return total(o)
def stored(o):
    a = np.zeros(2)
    a[0] = o
    return a[0]
def stored_array(o):
    a = np.zeros(2)
    a[:] = o
    return a[0]
def extended(o):
    items = []
    items.extend(o)
    return sum(items)
def deque_extended(o):
    items = deque([1.0])
    items.extend(o)
    return sum(items)
def added_to(o):
    items = [1.0]
    items += o
    return sum(items)
def sliced(o):
    items = [1.0]
    items[:] = o
    return sum(items)
def unpacked(o):
    a, b = o
    return a + 2.0 * b
def starred(o):
    a, *b = o
    return a + 2.0 * sum(b)
def yielded(o):
    def all_of(): yield from o
    return sum(all_of())
def looped(o):
    n = 0
    while o:
        n += 1
        if n > 1: break
    return n
def asserted(o):
    assert o
    return 2.0
def matched(o):
    match 1:
        case 1 if o: return 3.0
    return 1.0
def matched_value(o):
    match o:
        case 2.0: return 3.0
    return 1.0
def matched_sequence(o):
    match o:
        case [a, b]: return a
    return 1.0
def popped(o):
    items = [1.0, 2.0]
    return items.pop(o)
def popped_key(o):
    items = {o: 2.0}
    return items.pop(o)
def inserted(o):
    items = [1.0, 2.0]
    items.insert(o, 5.0)
    return items[1]
def put(o):
    items = [1.0, 2.0]
    items[o] = 5.0
    return items[1]
def entry(o):
    d = {}
    d[o] = 2.0
    return len(d)
def added(o):
    s = set()
    s.add(o)
    return len(s)
def cached(o):
    f = functools.lru_cache(lambda q: 2.0)
    return f(o)
def removed(o):
    items = [1.0, o]
    items.remove(o)
    return len(items)
def in_order(o):
    items = [2.0, o]
    items.sort()
    return total(items[0])
def heaped(o):
    heap = [2.0]
    heapq.heappush(heap, o)
    return len(heap)
def insorted(o):
    items = [2.0]
    bisect.insort(items, o)
    return total(items[0])
def put_into(o):
    o[0] = 2.0
    return 1.0
def augmented(o):
    o[0] += 2.0
    return 1.0
def targeted(o):
    for o[0] in [1.0]: pass
    return 1.0
def deleted(o):
    del o[0]
    return 1.0
def set_on(o):
    o.w = 2.0
    return o.w
def augmented_field(o):
    o.w = 2.0
    o.w += 3.0
    return o.w
def unset_on(o):
    del o.w
    return 1.0
def entered(o):
    with o as a: return 2.0
def by_stack(o):
    import contextlib
    with contextlib.ExitStack() as stack:
        stack.enter_context(o)
        return 2.0
def swallowed(o):
    with o: raise ValueError
    return 2.0
"""

EFFECTS = {"nothing": "pass", "a field": "{}.seen += {}.v * 0.5", "a list": "LOG.append({}.v * 0.5)"}


def _lines(*lines: str) -> str:
    return "".join(["    " + line + "\n" for line in lines])


def _body(method: Method, effect: str, it: str) -> list[str]:
    before = [method.before.replace("self", it)] if method.before else []
    return [*before, EFFECTS[effect].format(it, it), f"return {method.gives.replace('self', it)}"]


def _function(name: str, method: Method, effect: str, first: str = "self", it: str = "self") -> str:
    parameters = ", ".join(filter(None, [first, method.parameters]))
    return f"def {name}({parameters}):\n" + _lines(*_body(method, effect, it))


def _indented(text: str) -> str:
    return "".join(["    " + line + "\n" for line in text.splitlines()])


def _class(head: str, *parts: str) -> str:
    return f"class {head}:\n" + "".join(map(_indented, parts or ("pass",))) + "\n"


MADE = "def make(x):\n    o = Asked(x)\n    return o, o\n"
HELD = "HELD = Base(0.0)\ndef make(x):\n    HELD.v = x\n    return Asked(x), HELD\n"
Shape = Callable[[str, Method, str], str]


def _own(how: Callable[[str, Method, str], tuple[str, ...]], made: str = MADE) -> Shape:
    """A class with the method, given what stands in its body and before it."""

    def text(name: str, method: Method, effect: str) -> str:
        before, *body = how(name, method, effect)
        return before + _class(f"Asked({BASES.get(name, 'Base')})", *method.beside, *body) + made

    return text


BASES = {"__missing__": "Base, dict"}
DECORATORS = """def wrapping(f):
    @functools.wraps(f)
    def wrapper(*args, **kwargs):
        return f(*args, **kwargs)
    return wrapper
if wrapt:
    @wrapt.decorator
    def by_wrapt(f, instance, args, kwargs):
        return f(*args, **kwargs)
class Calling:
    def __init__(self, f): self.f = f
    def __call__(self, *args, **kwargs): return self.f(*args, **kwargs)
class Binding:
    def __init__(self, f): self.f = f
    def __get__(self, o, cls): return functools.partial(self.f, o)
"""


def _partial(name: str, method: Method, effect: str) -> tuple[str, ...]:
    f = _function("asked", method, effect, first="self, more")
    return "", f, f"{name} = functools.partialmethod(asked, 1.0)"


def _lambda(name: str, method: Method, effect: str) -> tuple[str, ...]:
    return _function("asked", method, effect), f"{name} = lambda *args, **kwargs: asked(*args, **kwargs)"


def _without_self(kind: str, first: str = "") -> Callable[[str, Method, str], tuple[str, ...]]:
    def how(name: str, method: Method, effect: str) -> tuple[str, ...]:
        return DECORATORS + _function("asked", method, effect, first, "HELD"), f"{name} = {kind}(asked)"

    return how


def _afterwards(name: str, method: Method, effect: str) -> str:
    asked = _function("asked", method, effect)
    return _class(f"Asked({BASES.get(name, 'Base')})", *method.beside) + asked + f"Asked.{name} = asked\n" + MADE


def _inherited(name: str, method: Method, effect: str) -> str:
    first = _class(f"First({BASES.get(name, 'Base')})", *method.beside, _function(name, method, effect))
    return first + _class("Asked(First)") + MADE


def _mixed_in(name: str, method: Method, effect: str) -> str:
    mixin = _class("Mixin", _function(name, method, effect), *method.beside)
    return mixin + _class(f"Asked(Mixin, {BASES.get(name, 'Base')})") + MADE


DEFINED: dict[str, Shape] = {
    "plainly": _own(lambda name, method, effect: ("", _function(name, method, effect))),
    "inherited": _inherited,
    "by a mixin": _mixed_in,
    "under a wrapper": _own(lambda name, method, effect: (DECORATORS, "@wrapping\n" + _function(name, method, effect))),
    "under wrapt": _own(lambda name, method, effect: (DECORATORS, "@by_wrapt\n" + _function(name, method, effect))),
    "by partialmethod": _own(_partial),
    "by a lambda": _own(_lambda),
    "as a static method": _own(_without_self("staticmethod"), HELD),
    "as a class method": _own(_without_self("classmethod", "cls"), HELD),
    "as a callable object": _own(_without_self("Calling"), HELD),
    "by a descriptor": _own(
        lambda name, method, effect: (DECORATORS + _function("asked", method, effect), f"{name} = Binding(asked)")
    ),
    "afterwards": _afterwards,
}

HOLDING = {
    "a field": ("", "self.inner", "o.inner = inner"),
    "a slot": ("__slots__ = ('inner', 'v')", "self.inner", "o.inner = inner"),
    "a dict": ("", "self.items['inner']", "o.items = {'inner': inner}"),
    "a list": ("", "self.items[0]", "o.items = [inner]"),
    "a class": ("inner = None", "self.inner", "Asked.inner = inner"),
    "a global": ("", "BOX['inner']", "BOX['inner'] = inner"),
    "a name": ("", "INNER", "global INNER\n    INNER = inner"),
    "a function": ("", "get()", "BOX['inner'] = inner"),
}


def _asking_another(where: str) -> Shape:
    """A class whose method asks an object that it finds somewhere."""
    slots, found, put = HOLDING[where]

    def text(name: str, method: Method, effect: str) -> str:
        own = method.in_turn.replace("{}", found)
        parameters = ", ".join(filter(None, ["self", method.parameters]))
        base = "Bare" if slots.startswith("__slots__") else BASES.get(name, "Base")
        asking = f"def {name}({parameters}):\n    return {own}\n"
        if name == "__setattr__":
            asking = f"def {name}({parameters}):\n" + _lines(method.before, f"return {own}")
        return (
            "INNER = None\nclass Bare:\n    __slots__ = ()\n    def __init__(self, v): self.v = v\n"
            + "def get(): return BOX['inner']\n"
            + _class(f"Inner({BASES.get(name, 'Base')})", *method.beside, _function(name, method, effect))
            + _class(f"Asked({base})", *filter(None, [slots]), *method.beside, asking)
            + "def make(x):\n"
            + _lines("o = Asked(x)", "inner = Inner(x)", put, "return o, inner")
        )

    return text


def _captured(name: str, method: Method, effect: str) -> str:
    """The method asks an object that its function captures."""
    parameters = ", ".join(filter(None, ["self", method.parameters]))
    body = [method.before] if name == "__setattr__" else []
    asking = f"def {name}({parameters}):\n" + _lines(*body, "return " + method.in_turn.replace("{}", "inner"))
    outer = _class(f"Asked({BASES.get(name, 'Base')})", *method.beside, asking)
    inner = _class(f"Inner({BASES.get(name, 'Base')})", *method.beside, _function(name, method, effect))
    return inner + "def make(x):\n    inner = Inner(x)\n" + _indented(outer) + "    return Asked(x), inner\n"


SHAPES: dict[str, Shape] = {
    **DEFINED,
    **{f"asking what stands in {where}": _asking_another(where) for where in HOLDING},
    "asking what it captures": _captured,
}


def program(name: str, method: Method, shape: str, effect: str, operation: str) -> str:
    """The module of a program."""
    asked = SHAPES[shape](name, method, effect)
    body = _lines("o, noted = make(x)", f"r = {operation}", "return r * x + 3.0 * noted.seen + 7.0 * sum(LOG)")
    return f"{HEAD}{asked}def program(x):\n{body}"
