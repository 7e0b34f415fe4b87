"""Stores by code that Python runs by itself, or that a builtin is handed, whatever becomes of the result."""

import importlib.util
import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from adjoint import gradient, pullback
from adjoint.errors import AdjointError

USES: dict[str, tuple[str, tuple[str, ...]]] = {
    "__next__(self)": ("self.v", ("next(o)", "for q in o: break", "a, *b = [next(o)]", "dict(zip('ab', o))")),
    "__iter__(self)": ("iter([1.0, 2.0])", ("for q in o: pass", "list(o)", "[*o]", "a, b = o", "3 in o", "sum(o)",
                                            "max(o)", "t = tuple(o)", "{q for q in o}", "any(o)", "sorted(o)",
                                            "[q for q in o]")),
    "__len__(self)": ("2", ("len(o)", "bool(o)", "if o: pass", "not o")),
    "__bool__(self)": ("True", ("bool(o)", "if o: pass", "not o", "o and 1", "any([o])", "assert o", "1 if o else 2",
                                "list(filter(None, [o]))")),
    "__getitem__(self, i)": ("self.v", ("o[0]", "a = [o[0], o[1]]", "operator.itemgetter(0)(o)", "o[0:1]",
                                        "if o[0] > 1: pass")),
    "__contains__(self, i)": ("True", ("3 in o", "3 not in o", "operator.contains(o, 3)")),
    "__add__(self, other)": ("self.v", ("o + 1", "operator.add(o, 1)", "y = o + 1", "sum([o], o)", "int(o + 1)")),
    "__radd__(self, other)": ("self.v", ("1 + o", "sum([o])")),
    "__neg__(self)": ("self.v", ("-o",)),
    "__pow__(self, other)": ("self.v", ("o ** 2", "pow(o, 2)")),
    "__matmul__(self, other)": ("self.v", ("o @ 1",)),
    "__abs__(self)": ("self.v", ("abs(o)",)),
    "__float__(self)": ("1.0", ("float(o)", "math.sin(o)")),
    "__int__(self)": ("1", ("int(o)",)),
    "__index__(self)": ("1", ("[1, 2, 3][o]", "range(o)", "operator.index(o)")),
    "__str__(self)": ("'a'", ("str(o)", "f'{o}'")),
    "__repr__(self)": ("'a'", ("repr(o)", "f'{o!r}'")),
    "__format__(self, spec)": ("'a'", ("format(o)", "f'{o}'")),
    "__eq__(self, other)": ("True", ("o == 1", "o != 1", "1 == o", "[o].index(1)", "o in [1]")),
    "__lt__(self, other)": ("False", ("o < 1", "1 > o", "sorted([o, o])", "min(o, o)")),
    "__call__(self, *args)": ("self.v", ("o()", "functools.partial(o)()", "list(map(o, [1]))",
                                         "sorted([1, 2], key=o)")),
    "__enter__(self)": ("self", ("with o: pass",)),
    "__getattr__(self, name)": ("1.0", ("o.foo", "getattr(o, 'foo')", "hasattr(o, 'foo')", "getattr(o, 'foo', 1)")),
    "__copy__(self)": ("self", ("copy.copy(o)",)),
    "__deepcopy__(self, memo)": ("self", ("copy.deepcopy(o)",)),
    "__round__(self)": ("1", ("round(o)",)),
    "__divmod__(self, other)": ("(1, 2)", ("divmod(o, 2)",)),
    "__reversed__(self)": ("iter([1.0])", ("reversed(o)",)),
    "__array__(self, dtype=None, copy=None)": ("np.ones(2)", ("np.asarray(o)", "np.sum(o)")),
    "@property\n    def p(self)": ("1.0", ("o.p", "getattr(o, 'p')", "getattr(o, 'p', 1)", "hasattr(o, 'p')")),
    "bump(self, *args)": ("1", ("list(map(o.bump, [1]))", "max([0, 1], key=o.bump)", "sum(map(o.bump, range(3)))",
                                "b = o.bump\n    for i in range(2): b()", "[b() for b in [o.bump]]",
                                "functools.reduce(o.bump, [1, 2, 3])", "next(filter(o.bump, [1]))",
                                "list(itertools.accumulate([1, 2], o.bump))", "functools.partial(o.bump, 1)()")),
}  # fmt: skip

CALLBACKS = {
    "a captured variable": "v = x\n    def f(q):\n        nonlocal v\n        v = v * 2\n        return q\n",
    "a field": "o = O(x)\n    def f(q):\n        o.v *= 2\n        return q\n",
    "an item": "l = [x]\n    f = lambda q: l.__setitem__(0, l[0] * 2) or q\n",
    "a method within": "o = O(x)\n    f = lambda q: o.bump() * q\n",
}
RESULTS = {"a captured variable": "v", "a field": "o.v", "an item": "l[0]", "a method within": "o.v"}
CALLS = (
    *("sorted([1, 2], key=f)", "max([0, 1], key=f)", "list(map(f, [1, 2]))", "list(filter(f, [1, 2]))"),
    *("functools.reduce(lambda a, b: f(b), [1, 2, 3])", "list(itertools.takewhile(f, [1, 2]))", "[1, 3].sort(key=f)"),
)

HEAD = "import copy, functools, itertools, math, operator\nimport numpy as np\n\n\n"


def module_of(path: Path, text: str) -> Any:
    """A module of this text."""
    path.write_text(HEAD + text)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def slope(f: Callable[[float], float], x: float, h: float = 1e-6) -> float:
    """The central difference."""
    return (f(x + h) - f(x - h)) / (2 * h)


def class_with(method: str, result: str) -> str:
    """A class whose method doubles the field `v`."""
    head = method if method.startswith("@") else f"def {method}"
    guard = "        if name != 'foo': raise AttributeError(name)\n" if "getattr" in method else ""
    more = {"__enter__(self)": "__exit__(self, *args): pass", "__next__(self)": "__iter__(self): return self"}
    end = f"    def {more[method]}\n" if method in more else ""
    return (
        f"class O:\n    def __init__(self, v): self.v = v\n\n    {head}:\n{guard}"
        f"        self.v = self.v * 2.0\n        return {result}\n\n{end}\n"
    )


PAIRS = [(method, use) for method, (_, uses) in USES.items() for use in uses]


@pytest.mark.parametrize(("method", "use"), PAIRS, ids=[f"{m} {u}" for m, u in PAIRS])
def test_what_a_method_stores_counts_whatever_becomes_of_its_result(tmp_path: Path, method: str, use: str) -> None:
    body = class_with(method, USES[method][0])
    body += f"def made(x):\n    o = O(x)\n    {use}\n    return o.v * x\n\n\n"
    body += f"def given(o):\n    {use}\n    return o.v * 3.0\n"
    module = module_of(tmp_path / f"method{PAIRS.index((method, use))}.py", body)
    expected = slope(module.made, 1.3)
    try:
        assert gradient(module.made, 1.3)[0] == pytest.approx(expected, abs=1e-6)
    except AdjointError:
        pass  # refused, but not wrong
    plain = module.O(1.3)
    value = module.given(plain)
    o = module.O(1.3)
    try:
        y, back = pullback(module.given, o)
    except AdjointError:
        return
    assert (y, o.v) == (value, plain.v)
    assert back(1.0)[1].v == pytest.approx(slope(lambda v: module.given(module.O(v)), 1.3), abs=1e-6)


KINDS = list(itertools.product(CALLBACKS, CALLS))


@pytest.mark.parametrize(("kind", "call"), KINDS, ids=[f"{k}: {c}" for k, c in KINDS])
def test_what_a_function_stores_counts_where_a_builtin_calls_it(tmp_path: Path, kind: str, call: str) -> None:
    body = class_with("bump(self, *args)", "1")
    body += f"def f(x):\n    {CALLBACKS[kind]}    {call}\n    return {RESULTS[kind]} * x\n"
    module = module_of(tmp_path / f"callback{KINDS.index((kind, call))}.py", body)
    assert gradient(module.f, 1.3)[0] == pytest.approx(slope(module.f, 1.3), abs=1e-6)


INDICES = {
    "read": "o = P()\n    return o[x * x]",
    "stored into": "o = P()\n    o[x * x] = x\n    return o.v",
    "added to": "o = P()\n    o[x] += x\n    return o.v",
    "deleted": "o = P()\n    del o[x * x]\n    return o.v",
    "of a class": "return P[x] * x",
}


@pytest.mark.parametrize("use", INDICES)
def test_an_index_is_an_argument_of_the_users_method(tmp_path: Path, use: str) -> None:
    body = (
        "class P:\n    v = 1.0\n\n    def __getitem__(self, t): return t * t\n\n"
        "    def __setitem__(self, t, v): self.v = self.v * t * v\n\n"
        "    def __delitem__(self, t): self.v = self.v * t\n\n"
        "    def __class_getitem__(cls, t): return t * t\n\n\n"
        f"def f(x):\n    kept = []\n    kept.append(x)\n    {INDICES[use]}\n"
    )
    module = module_of(tmp_path / f"i{use.replace(' ', '_')}.py", body)
    assert gradient(module.f, 1.3)[0] == pytest.approx(slope(module.f, 1.3), abs=1e-6)
