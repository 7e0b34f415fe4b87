"""Objects that ask functions whether a number is that of the last call: `if not same(x, self.last)`."""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np

MADE: dict[str, Any] = {}
"""Those that are functions."""


class Base:
    def __init__(self) -> None:
        self.last = None
        self.val = None


def same(a: Any, b: Any) -> Any:
    return b is not None and a == b


def close(a: Any, b: Any) -> Any:
    return b is not None and abs(a - b) < 1e-12


def npclose(a: Any, b: Any) -> Any:
    return b is not None and np.allclose(a, b)


def miso(a: Any, b: Any) -> Any:
    return b is not None and math.isclose(a, b)


def arreq(a: Any, b: Any) -> Any:
    return b is not None and np.array_equal(a, b)


def differs(a: Any, b: Any) -> Any:
    return b is None or a != b


def changed(new: Any, old: Any) -> Any:
    if old is None:
        return True
    return abs(new - old) > 1e-14


def loop_same(a: Any, b: Any) -> Any:
    if b is None or len(a) != len(b):
        return False
    return all(u == v for u, v in zip(a, b, strict=False))


def all_same(a: Any, b: Any) -> Any:
    return b is not None and len(a) == len(b) and all((u == v for u, v in zip(a, b, strict=False)))


def lam(a, b):
    return a == b


def mk(name: Any, cmp: Any, neg: Any = True, order: Any = 0) -> None:
    pass


class FnSame(Base):
    def __call__(self, x: Any) -> Any:
        if not same(x, self.last):
            self.last = x
            self.val = x * x
        return self.val


class FnSameRev(Base):
    def __call__(self, x: Any) -> Any:
        if not lam(self.last, x):
            self.last = x
            self.val = x * x
        return self.val


class FnClose(Base):
    def __call__(self, x: Any) -> Any:
        if not close(x, self.last):
            self.last = x
            self.val = x * x
        return self.val


class FnNpclose(Base):
    def __call__(self, x: Any) -> Any:
        if not npclose(x, self.last):
            self.last = x
            self.val = x * x
        return self.val


class FnMiso(Base):
    def __call__(self, x: Any) -> Any:
        if not miso(x, self.last):
            self.last = x
            self.val = x * x
        return self.val


class FnArreq(Base):
    def __call__(self, x: Any) -> Any:
        if not arreq(x, self.last):
            self.last = x
            self.val = x * x
        return self.val


class FnDiffers(Base):
    def __call__(self, x: Any) -> Any:
        if differs(x, self.last):
            self.last = x
            self.val = x * x
        return self.val


class FnChanged(Base):
    def __call__(self, x: Any) -> Any:
        if changed(x, self.last):
            self.last = x
            self.val = x * x
        return self.val


class FnEarly(Base):
    def __call__(self, x: Any) -> Any:
        if same(x, self.last):
            return self.val
        self.last = x
        self.val = x * x
        return self.val


class FnNoneAnd(Base):
    def __call__(self, x: Any) -> Any:
        if self.last is not None and lam(x, self.last):
            return self.val
        self.last = x
        self.val = x * x
        return self.val


class Method(Base):
    def same(self, a: Any, b: Any) -> Any:
        return b is not None and a == b

    def __call__(self, x: Any) -> Any:
        if not self.same(x, self.last):
            self.last = x
            self.val = x * x
        return self.val


class Static(Base):
    @staticmethod
    def same(a: Any, b: Any) -> Any:
        return b is not None and abs(a - b) < 1e-13

    def __call__(self, x: Any) -> Any:
        if not self.same(x, self.last):
            self.last = x
            self.val = x * x
        return self.val


class Classm(Base):
    @classmethod
    def same(cls, a: Any, b: Any) -> Any:
        return b is not None and a == b

    def __call__(self, x: Any) -> Any:
        if not self.same(x, self.last):
            self.last = x
            self.val = x * x
        return self.val


class StaticCls(Base):
    @staticmethod
    def same(a: Any, b: Any) -> Any:
        return b is not None and a == b

    def __call__(self, x: Any) -> Any:
        if not StaticCls.same(x, self.last):
            self.last = x
            self.val = x * x
        return self.val


class LambdaLocal(Base):
    def __call__(self, x: Any) -> Any:
        def eq(a, b):
            return a == b

        if not eq(x, self.last):
            self.last = x
            self.val = x * x
        return self.val


class LambdaField(Base):
    def __init__(self) -> None:
        super().__init__()
        self.eq = lambda a, b: a == b

    def __call__(self, x: Any) -> Any:
        if not self.eq(x, self.last):
            self.last = x
            self.val = x * x
        return self.val


class Oper(Base):
    def __call__(self, x: Any) -> Any:
        if operator.ne(x, self.last):
            self.last = x
            self.val = x * x
        return self.val


class Dunder(Base):
    def __call__(self, x: Any) -> Any:
        if self.last is None or not x.__eq__(self.last):
            self.last = x
            self.val = x * x
        return self.val


class TolInline(Base):
    def __call__(self, x: Any) -> Any:
        if self.last is None or abs(x - self.last) > 1e-12:
            self.last = x
            self.val = x * x
        return self.val


class TolInlineEps(Base):
    eps = 1e-12

    def __call__(self, x: Any) -> Any:
        if self.last is None or abs(x - self.last) > self.eps:
            self.last = x
            self.val = x * x
        return self.val


class TolNpabs(Base):
    def __call__(self, x: Any) -> Any:
        if self.last is None or np.max(np.abs(x - self.last)) > 1e-14:
            self.last = x
            self.val = x * x
        return self.val


class DiffZero(Base):
    def __call__(self, x: Any) -> Any:
        if self.last is None or x - self.last != 0:
            self.last = x
            self.val = x * x
        return self.val


class DiffTruth(Base):
    def __call__(self, x: Any) -> Any:
        if self.last is None or x - self.last:
            self.last = x
            self.val = x * x
        return self.val


class LtGt(Base):
    def __call__(self, x: Any) -> Any:
        if self.last is None or x < self.last or x > self.last:
            self.last = x
            self.val = x * x
        return self.val


class Norm0(Base):
    def __call__(self, x: Any) -> Any:
        a = np.array([x])
        if self.last is None or np.linalg.norm(a - self.last) > 0:
            self.last = a.copy()
            self.val = x * x
        return self.val


class AnyNe(Base):
    def __call__(self, x: Any) -> Any:
        a = np.array([x, 1.0])
        if self.last is None or (a != self.last).any():
            self.last = a.copy()
            self.val = a[0] * a[0]
        return self.val


class AllEq(Base):
    def __call__(self, x: Any) -> Any:
        a = np.array([x, 1.0])
        if self.last is None or not np.all(a == self.last):
            self.last = a.copy()
            self.val = a[0] * a[0]
        return self.val


class AnyGen(Base):
    def __call__(self, x: Any) -> Any:
        a = [x, 1.0]
        if self.last is None or any((u != v for u, v in zip(a, self.last, strict=False))):
            self.last = a
            self.val = x * x
        return self.val


class LoopFn(Base):
    def __call__(self, x: Any) -> Any:
        a = [x, 1.0]
        if not loop_same(a, self.last):
            self.last = a
            self.val = x * x
        return self.val


class AllFn(Base):
    def __call__(self, x: Any) -> Any:
        a = [x, 1.0]
        if not all_same(a, self.last):
            self.last = a
            self.val = x * x
        return self.val


class FnThroughTwo(Base):
    def fresh(self, x: Any) -> Any:
        return not same(x, self.last)

    def __call__(self, x: Any) -> Any:
        if self.fresh(x):
            self.last = x
            self.val = x * x
        return self.val


class FnThroughStore(Base):
    def put(self, x: Any) -> None:
        self.last = x
        self.val = x * x

    def __call__(self, x: Any) -> Any:
        if not same(x, self.last):
            self.put(x)
        return self.val


class FnDirty(Base):
    def __init__(self) -> None:
        super().__init__()
        self.dirty = True

    def put(self, x: Any) -> None:
        if not close(x, self.last):
            self.last = x
            self.dirty = True

    def __call__(self, x: Any) -> Any:
        self.put(x)
        if self.dirty:
            self.val = self.last * self.last
            self.dirty = False
        return self.val


class FnFlagVar(Base):
    def __call__(self, x: Any) -> Any:
        fresh = not same(x, self.last)
        if fresh:
            self.last = x
            self.val = x * x
        return self.val


class FnKeyword(Base):
    def __call__(self, x: Any) -> Any:
        if not same(a=x, b=self.last):
            self.last = x
            self.val = x * x
        return self.val


class FnTakesSelf(Base):
    def __call__(self, x: Any) -> Any:
        if is_fresh(self, x):
            self.last = x
            self.val = x * x
        return self.val


def is_fresh(o: Any, x: Any) -> Any:
    return o.last is None or o.last != x


class ObjEq(Base):
    def __call__(self, x: Any) -> Any:
        k = Key(x)
        if k != self.last:
            self.last = k
            self.val = x * x
        return self.val


class Key:
    def __init__(self, x: Any) -> None:
        self.x = x

    def __eq__(self, o: Any) -> Any:
        return isinstance(o, Key) and self.x == o.x


class StateObj(Base):
    def __call__(self, x: Any) -> Any:
        st = dict(x=x, a=1.0)
        if st != self.last:
            self.last = st
            self.val = x * x
        return self.val


class StateObjlit(Base):
    def __call__(self, x: Any) -> Any:
        st = {"x": x, "a": 1.0}
        if not same(st, self.last):
            self.last = st
            self.val = x * x
        return self.val


def modlist() -> Any:
    last = [None, None]

    def f(x: Any) -> Any:
        if last[0] is None or not same(x, last[0]):
            last[0] = x
            last[1] = x * x
        return last[1]

    return f


MADE["closure_list"] = modlist


def clos() -> Any:
    last = val = None

    def f(x: Any) -> Any:
        nonlocal last, val
        if not same(x, last):
            last = x
            val = x * x
        return val

    return f


MADE["closure_nonlocal"] = clos


def pairs() -> Any:
    held: list[Any] = []

    def f(x: Any) -> Any:
        for known, value in held:
            if close(x, known):
                return value
        held.append((x, x * x))
        return x * x

    return f


def decorated() -> Any:
    return remember(lambda x: x * x)


def remember(f: Any) -> Any:
    memo = {}

    def g(*a: Any) -> Any:
        if "a" not in memo or not all_same(a, memo["a"]):
            memo["a"] = a
            memo["v"] = f(*a)
        return memo["v"]

    return g


MADE["decorator_fn"] = decorated


class NeTolMethod(Base):
    def _moved(self, x: Any) -> Any:
        return self.last is None or abs(x - self.last) > 1e-10

    def __call__(self, x: Any) -> Any:
        if self._moved(x):
            self.last = x
            self.val = x * x
        return self.val


ANEW = [
    FnSame,
    FnSameRev,
    FnClose,
    FnNpclose,
    FnMiso,
    FnArreq,
    FnDiffers,
    FnChanged,
    FnEarly,
    FnNoneAnd,
    Method,
    Static,
    Classm,
    StaticCls,
    LambdaLocal,
    LambdaField,
    Oper,
    Dunder,
    TolInline,
    TolInlineEps,
    TolNpabs,
    DiffZero,
    DiffTruth,
    LtGt,
    Norm0,
    AnyNe,
    AllEq,
    AnyGen,
    LoopFn,
    AllFn,
    FnThroughTwo,
    FnThroughStore,
    FnDirty,
    FnFlagVar,
    FnKeyword,
    FnTakesSelf,
    ObjEq,
    StateObj,
    StateObjlit,
    NeTolMethod,
    *MADE.values(),
]
"""Each makes a function that gives the square of a number, and computes it anew in each derivative."""
