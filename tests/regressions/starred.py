"""Calls of methods and functions of containers and arrays: what is made before, what is called with what, what is
returned; `r` is the result of the call."""

from __future__ import annotations

from typing import Any

CALLS: dict[str, list[tuple[str, list[str], dict[str, str], str]]] = {
    "l = [x, 2 * x, x * x]": [
        ("l.append", ["3 * x"], {}, "sum(l) * x"),
        ("l.extend", ["[x, x * x]"], {}, "sum(l) * x"),
        ("l.insert", ["0", "5 * x"], {}, "(l[0] + sum(l)) * x"),
        ("l.pop", ["0"], {}, "r * x + sum(l)"),
        ("l.pop", [], {}, "r * x + sum(l)"),
        ("l.remove", ["x"], {}, "sum(l) * x"),
        ("l.index", ["x"], {}, "(l[r] + r) * x"),
        ("l.count", ["x"], {}, "r * x"),
        ("l.sort", [], {"reverse": "True"}, "l[0] * x"),
        ("l.sort", [], {"key": "lambda v: -v", "reverse": "False"}, "l[0] * x"),
        ("l.reverse", [], {}, "l[0] * x"),
        ("l.copy", [], {}, "r[0] * x"),
        ("l.clear", [], {}, "(x + sum(l)) * x"),
        ("l.__getitem__", ["1"], {}, "r * x"),
        ("l.__setitem__", ["1", "7 * x"], {}, "l[1] * x"),
        ("l.__delitem__", ["1"], {}, "l[1] * x"),
        ("l.__len__", [], {}, "r * x"),
        ("l.__contains__", ["x"], {}, "r * x"),
        ("l.__iter__", [], {}, "next(r) * x"),
        ("l.__add__", ["[x]"], {}, "sum(r) * x"),
        ("l.__iadd__", ["[x]"], {}, "sum(l) * x"),
        ("l.__mul__", ["2"], {}, "sum(r) * x"),
        ("l.__imul__", ["2"], {}, "sum(l) * x"),
    ],
    "d = {'a': x, 'b': x * x}": [
        ("d.update", ["{'a': 2 * x}"], {"c": "x * x * x"}, "(d['a'] + d['c']) * x"),
        ("d.update", [], {"c": "x * x * x"}, "(d['a'] + d['c']) * x"),
        ("d.get", ["'a'", "3.0"], {}, "r * x"),
        ("d.get", ["'z'", "3.0 * x"], {}, "r * x"),
        ("d.pop", ["'a'"], {}, "r * x + d['b']"),
        ("d.pop", ["'z'", "x"], {}, "r * x + d['b']"),
        ("d.popitem", [], {}, "r[1] * x + d['a']"),
        ("d.setdefault", ["'z'", "2 * x"], {}, "(r + d['z']) * x"),
        ("d.setdefault", ["'a'", "2 * x"], {}, "(r + d['a']) * x"),
        ("d.clear", [], {}, "(x + len(d)) * x"),
        ("d.copy", [], {}, "r['a'] * x"),
        ("d.keys", [], {}, "d[list(r)[0]] * x"),
        ("d.values", [], {}, "sum(r) * x"),
        ("d.items", [], {}, "sum(v for k, v in r) * x"),
        ("d.__getitem__", ["'a'"], {}, "r * x"),
        ("d.__setitem__", ["'a'", "5 * x"], {}, "d['a'] * x"),
        ("d.__delitem__", ["'a'"], {}, "d['b'] * x"),
        ("d.__contains__", ["'a'"], {}, "r * x"),
        ("dict.fromkeys", ["['p', 'q']", "x"], {}, "r['p'] * x + r['q']"),
    ],
    "s = {1.0, 2.0}": [
        ("s.add", ["3.0"], {}, "sum(sorted(s)) * x"),
        ("s.discard", ["1.0"], {}, "sum(sorted(s)) * x"),
        ("s.remove", ["1.0"], {}, "sum(sorted(s)) * x"),
        ("s.update", ["{1.0, 5.0}"], {}, "sum(sorted(s)) * x"),
        ("s.difference_update", ["{1.0, 5.0}"], {}, "sum(sorted(s)) * x"),
        ("s.intersection_update", ["{1.0, 5.0}"], {}, "sum(sorted(s)) * x"),
        ("s.symmetric_difference_update", ["{1.0, 5.0}"], {}, "sum(sorted(s)) * x"),
        ("s.union", ["{1.0, 5.0}"], {}, "sum(sorted(r)) * x"),
        ("s.difference", ["{1.0, 5.0}"], {}, "sum(sorted(r)) * x"),
        ("s.intersection", ["{1.0, 5.0}"], {}, "sum(sorted(r)) * x"),
        ("s.symmetric_difference", ["{1.0, 5.0}"], {}, "sum(sorted(r)) * x"),
        ("s.issubset", ["{1.0, 5.0}"], {}, "r * x"),
        ("s.issuperset", ["{1.0, 5.0}"], {}, "r * x"),
        ("s.isdisjoint", ["{1.0, 5.0}"], {}, "r * x"),
    ],
    "s = {1.0}": [
        ("s.pop", [], {}, "len(s) * x + x"),
        ("s.clear", [], {}, "len(s) * x + x"),
        ("s.copy", [], {}, "len(s) * x + x"),
    ],
    "q = collections.deque([x, 2 * x, x * x])": [
        ("q.append", ["3 * x"], {}, "(q[0] + q[-1]) * x"),
        ("q.appendleft", ["3 * x"], {}, "(q[0] + q[-1]) * x"),
        ("q.extend", ["[3 * x, x]"], {}, "(q[0] + q[-1]) * x"),
        ("q.extendleft", ["[3 * x, x]"], {}, "(q[0] + q[-1]) * x"),
        ("q.pop", [], {}, "r * x + q[0] + q[-1]"),
        ("q.popleft", [], {}, "r * x + q[0] + q[-1]"),
        ("q.insert", ["1", "5 * x"], {}, "q[1] * x"),
        ("q.rotate", ["1"], {}, "q[0] * x"),
        ("q.remove", ["x"], {}, "q[0] * x"),
        ("q.index", ["x"], {}, "q[r] * x"),
        ("q.count", ["x"], {}, "r * x"),
        ("q.reverse", [], {}, "(sum(q) + len(q)) * x"),
        ("q.copy", [], {}, "(sum(q) + len(q)) * x"),
        ("q.clear", [], {}, "(sum(q) + len(q)) * x"),
    ],
    "t = (x, 2 * x)": [
        ("t.index", ["x"], {}, "t[r] * x"),
        ("t.count", ["x"], {}, "r * x"),
        ("t.__getitem__", ["0"], {}, "r * x"),
    ],
    "s = '{} {a}'": [
        ("s.format", ["x"], {"a": "2 * x"}, "(r != '') * x"),
    ],
    "s = 'a,b'": [
        ("s.split", ["','", "1"], {}, "len(r) * x"),
        ("s.split", [], {"sep": "','", "maxsplit": "1"}, "len(r) * x"),
        ("s.replace", ["','", "'xx'"], {}, "len(r) * x"),
        ("s.encode", [], {"encoding": "'utf8'", "errors": "'strict'"}, "len(r) * x"),
        ("s.join", ["['a', 'b']"], {}, "len(repr(r)) * x"),
        ("s.startswith", ["'a'"], {}, "len(repr(r)) * x"),
        ("s.count", ["'a'"], {}, "len(repr(r)) * x"),
        ("s.find", ["'b'", "0"], {}, "len(repr(r)) * x"),
        ("s.center", ["9", "'x'"], {}, "len(repr(r)) * x"),
        ("s.strip", ["'a'"], {}, "len(repr(r)) * x"),
        ("s.zfill", ["9"], {}, "len(repr(r)) * x"),
        ("s.partition", ["','"], {}, "len(repr(r)) * x"),
        ("s.format_map", ["{}"], {}, "len(repr(r)) * x"),
        ("s.translate", ["{}"], {}, "len(repr(r)) * x"),
        ("s.upper", [], {}, "len(repr(r)) * x"),
    ],
    "a = np.array([[x, 2 * x], [x * x, 4.0]])": [
        ("a.sum", ["0"], {}, "r[0] * x"),
        ("a.sum", [], {"axis": "0", "keepdims": "True"}, "r[0, 0] * x"),
        ("a.mean", ["0"], {}, "r[0] * x"),
        ("a.mean", [], {"axis": "0", "keepdims": "True"}, "r[0, 0] * x"),
        ("a.prod", ["0"], {}, "r[0] * x"),
        ("a.prod", [], {"axis": "0", "keepdims": "True"}, "r[0, 0] * x"),
        ("a.max", ["0"], {}, "r[0] * x"),
        ("a.max", [], {"axis": "0", "keepdims": "True"}, "r[0, 0] * x"),
        ("a.min", ["0"], {}, "r[0] * x"),
        ("a.min", [], {"axis": "0", "keepdims": "True"}, "r[0, 0] * x"),
        ("a.std", ["0"], {}, "r[0] * x"),
        ("a.std", [], {"axis": "0", "keepdims": "True"}, "r[0, 0] * x"),
        ("a.var", ["0"], {}, "r[0] * x"),
        ("a.var", [], {"axis": "0", "keepdims": "True"}, "r[0, 0] * x"),
        ("a.argmax", ["0"], {}, "r.sum() * x"),
        ("a.argmax", [], {"axis": "0"}, "r.sum() * x"),
        ("a.argmin", ["0"], {}, "r.sum() * x"),
        ("a.argmin", [], {"axis": "0"}, "r.sum() * x"),
        ("a.argsort", ["0"], {}, "r.sum() * x"),
        ("a.argsort", [], {"axis": "0"}, "r.sum() * x"),
        ("a.cumsum", ["0"], {}, "r[1, 0] * x"),
        ("a.cumsum", [], {"axis": "0"}, "r[1, 0] * x"),
        ("a.cumprod", ["0"], {}, "r[1, 0] * x"),
        ("a.cumprod", [], {"axis": "0"}, "r[1, 0] * x"),
        ("a.any", ["0"], {}, "r.sum() * x"),
        ("a.all", ["0"], {}, "r.sum() * x"),
        ("a.reshape", ["4"], {}, "r[1] * x"),
        ("a.reshape", ["2", "2"], {"order": "'F'"}, "r[0, 1] * x"),
        ("a.reshape", ["(4,)"], {}, "r[1] * x"),
        ("a.transpose", ["1", "0"], {}, "r[0, 1] * x"),
        ("a.swapaxes", ["0", "1"], {}, "r[0, 1] * x"),
        ("a.ravel", ["'F'"], {}, "r[1] * x"),
        ("a.flatten", ["'F'"], {}, "r[1] * x"),
        ("a.copy", [], {"order": "'F'"}, "r[0, 1] * x"),
        ("a.astype", ["np.float32"], {}, "r[0, 1] * 1.0 * x if 0 else a[0, 1] * x"),
        ("a.astype", ["float"], {"copy": "True"}, "r[0, 1] * x"),
        ("a.take", ["[0, 1]"], {"axis": "1"}, "r[0, 1] * x"),
        ("a.repeat", ["2"], {"axis": "0"}, "r.sum() * x"),
        ("a.clip", ["0.0", "5.0"], {}, "r.sum() * x"),
        ("a.clip", ["0.0"], {"max": "5.0"}, "r.sum() * x"),
        ("a.dot", ["np.ones(2)"], {}, "r[0] * x"),
        ("a.trace", [], {"offset": "1"}, "r * x"),
        ("a.diagonal", ["1"], {}, "r[0] * x"),
        ("a.round", ["2"], {}, "(r * 0).sum() * x"),
        ("a.item", ["0", "1"], {}, "r * x"),
        ("a.tolist", [], {}, "r[0][1] * x"),
        ("a.compress", ["[True, False]"], {"axis": "0"}, "r.sum() * x"),
        ("a.squeeze", [], {}, "r[0, 0] * x"),
        ("a.fill", ["3 * x"], {}, "a.sum() * x"),
        ("a.sort", ["0"], {}, "a[0, 0] * x"),
        ("a.sort", [], {"axis": "0"}, "a[0, 0] * x"),
        ("a.partition", ["0"], {}, "a[0, 0] * x"),
        ("a.put", ["[0]", "[7 * x]"], {}, "a.sum() * x"),
        ("a.__setitem__", ["(0, 0)", "5 * x"], {}, "a.sum() * x"),
        ("a.__getitem__", ["(0, 1)"], {}, "r * x"),
        ("a.__mul__", ["x"], {}, "r.sum() * x"),
        ("a.__imul__", ["x"], {}, "a.sum() * x"),
        ("a.setflags", [], {"write": "False"}, "a.sum() * x"),
        ("a.view", [], {}, "r.sum() * x"),
        ("a.nonzero", [], {}, "len(r) * x"),
    ],
    "a = np.zeros(3)": [
        ("a.fill", ["3 * x"], {}, "a.sum() * x"),
        ("np.add.at", ["a", "[0, 0]", "x"], {}, "a.sum() * x"),
    ],
    "a = np.array([x, x])": [
        ("np.add.reduce", ["a"], {"axis": "0"}, "r * x"),
        ("np.multiply.accumulate", ["a"], {"axis": "0"}, "r[1] * x"),
        ("np.multiply.outer", ["a", "a"], {}, "r.sum() * x"),
    ],
    "a = np.array([x, 2 * x, x])": [
        ("np.add.reduceat", ["a", "[0, 1]"], {}, "r[1] * x"),
    ],
    "a = np.zeros(2)": [
        ("np.copyto", ["a", "[x, x]"], {}, "a.sum() * x"),
        ("np.put", ["a", "[0]", "[x]"], {}, "a.sum() * x"),
        ("np.add", ["[x, x]", "1.0"], {"out": "a"}, "a.sum() * x"),
        ("np.place", ["a", "a == 0", "[x]"], {}, "a.sum() * x"),
        ("np.putmask", ["a", "a == 0", "[x]"], {}, "a.sum() * x"),
    ],
    "a = np.zeros((2, 2))": [
        ("np.fill_diagonal", ["a", "x"], {}, "a.sum() * x"),
    ],
    "c = collections.Counter({'a': x})": [
        ("c.update", ["{'a': 2 * x}"], {}, "c['a'] * x"),
        ("c.update", [], {"a": "x * x"}, "c['a'] * x"),
    ],
    "c = collections.defaultdict(list)": [
        ("c['a'].append", ["x"], {}, "c['a'][0] * x"),
    ],
    "c = collections.OrderedDict(a=x, b=x * x)": [
        ("c.move_to_end", ["'a'"], {"last": "False"}, "c['a'] * x"),
        ("c.popitem", [], {"last": "False"}, "r[1] * x"),
    ],
    "rows = [[x], [2 * x]]": [
        ("rows[0].append", ["x * x"], {}, "sum(rows[0]) * x"),
    ],
    "o = types.SimpleNamespace(l=[x])": [
        ("o.l.append", ["x * x"], {}, "sum(o.l) * x"),
    ],
    "o = types.SimpleNamespace(d={})": [
        ("o.d.update", [], {"a": "x * x"}, "o.d['a'] * x"),
    ],
    "o = Own(x)": [
        ("o.update", ["x"], {"k": "2 * x"}, "(o.w + r) * x"),
        ("o.append", ["x"], {}, "(o.w + r) * x"),
        ("o.pop", ["x"], {"k": "x"}, "(o.w + r) * x"),
    ],
    "h = [2 * x, 5 * x]": [
        ("heapq.heappush", ["h", "x"], {}, "h[0] * x"),
    ],
    "h = [x, 5 * x]": [
        ("heapq.heappop", ["h"], {}, "r * x"),
        ("bisect.insort", ["h", "2 * x"], {}, "h[1] * x"),
    ],
    "l = [1.0, 2.0]": [
        ("l.append", ["3.0"], {}, "sum(l) * x"),
        ("l.sort", [], {"reverse": "True"}, "l[0] * x"),
    ],
    "d = {}": [
        ("d.update", [], {"a": "2.0"}, "d['a'] * x"),
    ],
    "a = np.ones(2)": [
        ("a.fill", ["3.0"], {}, "a.sum() * x"),
        ("np.copyto", ["a", "[2.0, 3.0]"], {}, "a.sum() * x"),
    ],
    "a = np.ones(2); b = a * x": [
        ("a.fill", ["3.0"], {}, "(b * b).sum() * x"),
        ("np.copyto", ["a", "[2.0, 3.0]"], {}, "(b * b).sum() * x"),
        ("np.add.at", ["a", "[0]", "3.0"], {}, "(b * a).sum() * x"),
        ("np.add", ["a", "1.0"], {"out": "a"}, "(b * a).sum() * x"),
        ("Ours.put", ["a", "3.0"], {}, "(b * a).sum() * x"),
        ("Ours.put", ["a"], {"v": "3.0"}, "(b * a).sum() * x"),
    ],
    "l = [1.0, 2.0]; b = [v * x for v in l]": [
        ("l.sort", [], {"reverse": "True"}, "b[0] * l[0]"),
    ],
    "l = [1.0, 2.0]; q = []; k = lambda v: q.append(v) or v": [
        ("builtins.sorted", ["l"], {"key": "k"}, "len(q) * x"),
        ("builtins.map", ["k", "l"], {}, "len(list(r)) * len(q) * x"),
    ],
    "l = [3.0, 2.0]; w = [v * x for v in l]": [
        ("builtins.sorted", ["l"], {"key": "lambda v: -v"}, "r[0] * w[0]"),
    ],
    "i = iter([1.0, 2.0])": [
        ("builtins.next", ["i"], {}, "r * x + next(i)"),
    ],
    "l = [3.0, 2.0]": [
        ("builtins.max", ["l"], {"key": "lambda v: -v"}, "r * x"),
        ("builtins.zip", ["l", "l"], {}, "sum(a * b for a, b in r) * x"),
        ("builtins.print", [], {"end": "''"}, "x"),
    ],
    "a = np.ones((2, 3)) > 0": [
        ("a.sum", ["0"], {}, "r[0] * x"),
        ("a.sum", [], {"axis": "0"}, "r[0] * x"),
    ],
    "a = 2": [
        ("np.zeros", ["(2, 3)"], {"dtype": "float"}, "(r + 1).sum() * x"),
    ],
    "a = np.random.default_rng(0)": [
        ("a.normal", ["0.0", "1.0"], {"size": "3"}, "r[0] * x"),
    ],
    "a = np.ones(3); b = a * x; g = np.random.default_rng(0)": [
        ("g.random", [], {"out": "a"}, "(b * b).sum()"),
    ],
    "a = np.arange(3.0); b = a * x; g = np.random.default_rng(0)": [
        ("g.shuffle", ["a"], {}, "(b * b * a).sum()"),
    ],
}

HEAD = """
import bisect, builtins, collections, heapq, types
import numpy as np

class Own:
    def __init__(self, w):
        self.w = w
    def update(self, *a, **kw):
        self.w = self.w + sum(a)
        return sum(kw.values()) * self.w
    def append(self, v):
        self.w = self.w * v
        return v
    def pop(self, v, k):
        return self.w * v * k

class Ours:
    @staticmethod
    def put(a, v):
        a[:] = v
"""


def spellings(called: str, args: list[str], kwargs: dict[str, str]) -> dict[str, tuple[str, str]]:
    """The call by each way to spread its arguments: what stands before it, and the call."""
    listed = ", ".join(args)
    named = "{" + ", ".join(f"{name!r}: {value}" for name, value in kwargs.items()) + "}"
    before = f"t_ = [{listed}]; kw_ = {named}"
    found = {
        "as lists": (before, f"{called}(*t_, **kw_)"),
        "displays": ("pass", f"{called}(*[{listed}], **{named})"),
        "run through once": (before, f"{called}(*(v_ for v_ in t_), **dict(kw_))"),
        "by another name": (f"{before}; f_ = {called}", "f_(*t_, **kw_)"),
        "only names": (before, f"{called}({listed}{', ' if args else ''}**kw_)"),
    }
    if args:
        found["the first by itself"] = (
            f"t_ = [{', '.join(args[1:])}]; kw_ = {named}",
            f"{called}({args[0]}, *t_, **kw_)",
        )
    return found


def program(setup: str, before: str, call: str, result: str, recorded: bool) -> Any:
    """The function of that, and its text; one that is `recorded` has an `except`."""
    lines = [setup, before, f"r = {call}", f"return {result}"]
    if recorded:
        lines = ["try:", *(f"    {line}" for line in lines), "except ZeroDivisionError:", "    return x"]
    return "def f(x):\n" + "".join(f"    {line}\n" for line in lines)
