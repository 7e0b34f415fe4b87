"""A hundred lines that people write, each of which makes a number `t` of two numbers `x` and `y`.

`source(line, where)` writes a program around one: 200 rounds of a scalar loop, before which the line stands, or in
which it stands. What differs between two programs is the one line.
"""

from __future__ import annotations

import textwrap

BEFORE, INSIDE = "before", "inside"

HELPERS = '''
"""Programs that a benchmark wrote."""
import collections
import dataclasses
import functools
import itertools
import math
import statistics
from typing import NamedTuple

import numpy as np


@dataclasses.dataclass
class P:
    a: float
    b: float


class NT(NamedTuple):
    a: float
    b: float


class C:
    def __init__(self, a, b):
        self.a = a
        self.b = b

    def area(self):
        return self.a * self.b

    @property
    def prop(self):
        return self.a + self.b


class V:
    def __init__(self, a, b):
        self.a = a
        self.b = b

    def __add__(self, other):
        return V(self.a + other.a, self.b + other.b)

    def __mul__(self, k):
        return V(self.a * k, self.b * k)


def one(a, b):
    return a * b


def two(a, b):
    return a * b, a + b


def opt(a, scale=None):
    if scale is None:
        scale = 2.0
    return a * scale


def rec(a, n):
    return a if n == 0 else 0.5 * rec(a, n - 1) + 0.1


def early(items):
    for item in items:
        if item > 0.1:
            return item
    return 0.0


def maybe(a):
    if a > -5.0:
        return a * 2.0


def var(*args):
    return args[0] * args[1]


def kw(**kwargs):
    return kwargs["x"] * kwargs["y"]


def gen(a, n):
    for k in range(n):
        yield a * k
'''

PROGRAM = {
    BEFORE: """
def f(x, y):
{line}
    s = x
    for _ in range(200):
        s = 0.9 * s + 0.01 * math.sin(t) * s + 0.05 * t
    return s
""",
    INSIDE: """
def f(x, y):
    s = x
    for _ in range(200):
        x = s
{line}
        s = 0.99 * s + 0.001 * math.sin(t) * s + 0.002
    return s
""",
}

LINES = {
    "x*y": "t = x*y",
    "sum of a comprehension": "t = sum([x*q for q in range(3)])",
    "sum of a generator": "t = sum(x*q for q in range(3))",
    "sum of a tuple": "t = sum((x, y))",
    "sum(list, 0.0)": "t = sum([x*q for q in range(3)], 0.0)",
    "math.fsum": "t = math.fsum([x, y])",
    "max(x, y)": "t = max(x, y)",
    "max of a list": "t = max([x*q for q in range(3)])",
    "min(max())": "t = min(max(x, 0.1), 0.9)",
    "abs": "t = abs(x)",
    "x**2": "t = x**2",
    "x**y": "t = x**y",
    "x % 1.0": "t = x % 1.0",
    "divmod": "q, t = divmod(x, 0.2)",
    "round(x, 2) + x": "t = round(x, 2) + x",
    "float(x)": "t = float(x)",
    "item of a list": "l = [x, y]; t = l[0]",
    "item by a variable": "l = [x*q for q in range(3)]; k = 1; t = l[k]",
    "unpacked list": "a, t = [x, y]",
    "starred target": "a, *r = [x, y, x*y]; t = r[0]",
    "list.append": "l = []\nfor q in range(3): l.append(x*q)\nt = l[-1]",
    "list.pop": "l = [x, y]; t = l.pop()",
    "list of lists": "m = [[x, y], [y, x]]; t = m[0][1]",
    "nested comprehension": "m = [[x*i*j for j in range(2)] for i in range(2)]; t = m[1][1]",
    "item of a dict": "d = {'a': x, 'b': y}; t = d['a']",
    "dict comprehension": "d = {k: x*k for k in range(3)}; t = d[2]",
    "dict.values": "d = {'a': x, 'b': y}; t = 0.0\nfor v in d.values(): t = t + v",
    "dict.items": "d = {'a': x, 'b': y}; t = 0.0\nfor k, v in d.items(): t = t + v",
    "zip": "t = 0.0\nfor a, b in zip([x, y], [y, x]): t = t + a*b",
    "enumerate": "t = 0.0\nfor i, a in enumerate([x, y]): t = t + a*i",
    "sorted": "t = sorted([x, y])[0]",
    "reversed": "t = 0.0\nfor v in reversed([x, y]): t = t*0.5 + v",
    "map of a lambda": "t = list(map(lambda v: v*y, [x, y]))[0]",
    "lambda": "h = lambda v: v*y\nt = h(x)",
    "closure": "def h(v): return v*y\nt = h(x)",
    "functools.reduce": "t = functools.reduce(lambda a, b: a*b, [x, y])",
    "functools.partial": "h = functools.partial(one, x)\nt = h(y)",
    "call that gives two": "t, u = two(x, y)",
    "call": "t = one(x, y)",
    "default None": "t = opt(x)",
    "recursion": "t = rec(x, 3)",
    "early return": "t = early([x, y])",
    "None or a number": "t = maybe(x)",
    "*args": "t = var(x, y)",
    "**kwargs": "t = kw(x=x, y=y)",
    "x or the int 0": "t = x if x > 0 else 0",
    "t = 0, then t += x": "t = 0\nfor q in range(3): t += x",
    "None, then set": "t = None\nfor q in range(3):\n    if t is None: t = x\n    else: t = t*y",
    "float('inf')": "t = float('inf')\nfor q in range(3):\n    if x*q+0.1 < t: t = x*q+0.1",
    "math.inf": "t = math.inf\nfor q in range(3):\n    if x*q+0.1 < t: t = x*q+0.1",
    "v @ v": "v = np.array([x, y]); t = v @ v",
    "np.sum": "v = np.array([x, y]); t = np.sum(v)",
    "v.sum()": "v = np.array([x, y]); t = v.sum()",
    "v.mean()": "v = np.array([x, y]); t = v.mean()",
    "v.max()": "v = np.array([x, y]); t = v.max()",
    "np.dot": "v = np.array([x, y]); t = np.dot(v, v)",
    "np.linalg.norm": "v = np.array([x, y]); t = np.linalg.norm(v)",
    "v[0]": "v = np.array([x, y]); t = v[0]",
    "M[i, j]": "v = np.array([[x, y], [y, x]]); t = v[0, 1]",
    "np.sin(x)": "t = np.sin(x)",
    "np.sqrt(x)": "t = np.sqrt(x)",
    "np.maximum": "t = np.maximum(x, 0.0)",
    "np.clip": "t = np.clip(x, 0.0, 1.0)",
    "np.where": "t = float(np.where(x > 0, x, 0.0))",
    "float(v.sum())": "v = np.array([x, y]); t = float(v.sum())",
    "v.item()": "v = np.array([x, y]); t = v[:1].item()",
    "v.tolist()": "v = np.array([x, y]); t = v.tolist()[0]",
    "for e in v": "v = np.array([x, y]); t = 0.0\nfor e in v: t = t + e",
    "np.trace": "v = np.array([[x, y], [y, x]]); t = np.trace(v)",
    "np.linalg.det": "v = np.array([[x, y], [y, 2*x]]); t = np.linalg.det(v)",
    "np.linalg.solve": "v = np.array([[2.0, y], [y, 2.0]]); t = np.linalg.solve(v, np.array([x, y]))[0]",
    "np.interp": "t = np.interp(x, [0., 1.], [0., 2.])",
    "field of a dataclass": "p = P(x, y); t = p.a",
    "field of a named tuple": "p = NT(x, y); t = p.a",
    "field of an object": "p = C(x, y); t = p.a",
    "method": "p = C(x, y); t = p.area()",
    "property": "p = C(x, y); t = p.prop",
    "class with operators": "p = V(x, y) + V(y, x)*2.0; t = p.a",
    "store into a field": "p = C(x, y); p.a = p.a*2.0; t = p.a",
    "list of objects": "ps = [C(x, y) for q in range(3)]; t = ps[1].a",
    "complex, real part": "z = complex(x, y); t = (z*z).real",
    "abs of a complex": "z = x + 1j*y; t = abs(z)",
    "try": "try:\n    t = x*y\nexcept ValueError:\n    t = x",
    "with": "with np.errstate(all='ignore'):\n    t = x*y",
    "match": "match 3:\n    case 3: t = x*y\n    case _: t = x",
    "generator": "t = 0.0\nfor v in gen(x, 3): t = t + v",
    "itertools.accumulate": "t = list(itertools.accumulate([x, y]))[-1]",
    "statistics.mean": "t = statistics.mean([x, y])",
    "deque": "d = collections.deque([x, y], maxlen=2); d.append(x*y); t = d[0]",
    "nonlocal": "t = x\ndef bump():\n    nonlocal t\n    t = t*y\nbump()",
    "global constant": "t = x*math.pi",
    "math.hypot": "t = math.hypot(x, y)",
    "math.pow": "t = math.pow(x, 2)",
    "math.atan2": "t = math.atan2(y, x)",
    "while, break": "t = x\nwhile True:\n    t = t*0.5\n    if t < 0.1: break",
    "dict(a=x)": "d = dict(a=x, b=y); t = d['a']*d['b']",
    "any of a generator": "t = x if any(q > 0 for q in [x, y]) else y",
    "3*x": "t = 3*x",
    "x//0.1": "t = x//0.1*0.1 + x",
    "walrus": "t = (z := x*y)*z",
    "slice of a list": "l = [x, y, x*y][1:]; t = l[0]",
    "[0.0]*n, stored into": "l = [0.0]*3\nfor q in range(3): l[q] = x*q\nt = l[1]",
    "np.zeros, stored into": "l = np.zeros(3)\nfor q in range(3): l[q] = x*q\nt = l[1]",
}


def source(line: str, where: str) -> str:
    """The program `f(x, y)` with the line before its loop, or inside."""
    indent = "    " if where == BEFORE else "        "
    return HELPERS + PROGRAM[where].format(line=textwrap.indent(LINES[line], indent))
