"""Objects that skip what is equal to what they hold, under names that they are given: `if getattr(self, name) != v`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np


class Base:
    def __init__(self) -> None:
        self.x = math.nan
        self.dirty = True
        self.tol = 0.001
        self.y = None

    def solve(self) -> Any:
        if self.dirty:
            self.y = self.x * self.x
            self.dirty = False
        return self.y

    def __call__(self, x: Any) -> Any:
        self.set(x=x, tol=0.001)
        return self.solve()


class KwGetattr(Base):
    def set(self, **kw: Any) -> None:
        for k, v in kw.items():
            if getattr(self, k) != v:
                setattr(self, k, v)
                self.dirty = True


class KwGetattrEqContinue(Base):
    def set(self, **kw: Any) -> None:
        for k, v in kw.items():
            if getattr(self, k) == v:
                continue
            setattr(self, k, v)
            self.dirty = True


class KwOld(Base):
    def set(self, **kw: Any) -> None:
        for k, v in kw.items():
            old = getattr(self, k, None)
            if old != v:
                setattr(self, k, v)
                self.dirty = True


class KwDict(Base):
    def set(self, **kw: Any) -> None:
        for k, v in kw.items():
            if self.__dict__[k] != v:
                self.__dict__[k] = v
                self.dirty = True


class KwDictGet(Base):
    def set(self, **kw: Any) -> None:
        for k, v in kw.items():
            if self.__dict__.get(k) != v:
                self.__dict__[k] = v
                self.dirty = True


class KwVars(Base):
    def set(self, **kw: Any) -> None:
        for k, v in kw.items():
            if vars(self)[k] != v:
                setattr(self, k, v)
                self.dirty = True


class KwVarsStore(Base):
    def set(self, **kw: Any) -> None:
        d = vars(self)
        for k, v in kw.items():
            if d[k] != v:
                d[k] = v
                self.dirty = True


class KwObjset(Base):
    def set(self, **kw: Any) -> None:
        for k, v in kw.items():
            if getattr(self, k) != v:
                object.__setattr__(self, k, v)
                self.dirty = True


class KwHasattr(Base):
    def set(self, **kw: Any) -> None:
        for k, v in kw.items():
            if not hasattr(self, k) or getattr(self, k) != v:
                setattr(self, k, v)
                self.dirty = True


class KwHasattrRaise(Base):
    def set(self, **kw: Any) -> None:
        for k, v in kw.items():
            if not hasattr(self, k):
                raise AttributeError(k)
            if getattr(self, k) != v:
                setattr(self, k, v)
                self.dirty = True


class KwLoopNames(Base):
    def set(self, **kw: Any) -> None:
        for k in kw:
            if getattr(self, k) != kw[k]:
                setattr(self, k, kw[k])
                self.dirty = True


class NameValue(Base):
    def put(self, name: Any, v: Any) -> None:
        if getattr(self, name) != v:
            setattr(self, name, v)
            self.dirty = True

    def __call__(self, x: Any) -> Any:
        self.put("x", x)
        return self.solve()


class NameValueEqReturn(Base):
    def put(self, name: Any, v: Any) -> None:
        if getattr(self, name) == v:
            return
        setattr(self, name, v)
        self.dirty = True

    def __call__(self, x: Any) -> Any:
        self.put("x", x)
        return self.solve()


class NameNodirty(Base):
    def put(self, name: Any, v: Any) -> None:
        if getattr(self, name) != v:
            setattr(self, name, v)

    def __call__(self, x: Any) -> Any:
        self.put("x", x)
        return self.x * self.x


class NameUnderscore(Base):
    def put(self, name: Any, v: Any) -> None:
        if getattr(self, "x_" + name, None) != v:
            setattr(self, "x_" + name, v)
            self.x = v
            self.dirty = True

    def __call__(self, x: Any) -> Any:
        self.put("a", x)
        return self.solve()


class NameFstr(Base):
    def put(self, name: Any, v: Any) -> None:
        a = f"_{name}"
        if getattr(self, a, None) != v:
            setattr(self, a, v)
            self.y = None

    def __call__(self, x: Any) -> Any:
        self.put("a", x)
        if self.y is None:
            self.y = self._a * self._a
        return self.y


class NamesZip(Base):
    names = ("x",)

    def setv(self, vals: Any) -> None:
        for n, v in zip(self.names, vals, strict=False):
            if getattr(self, n) != v:
                setattr(self, n, v)
                self.dirty = True

    def __call__(self, x: Any) -> Any:
        self.setv([x])
        return self.solve()


class ChangedAny(Base):
    def set(self, **kw: Any) -> None:
        if any((getattr(self, k) != v for k, v in kw.items())):
            for k, v in kw.items():
                setattr(self, k, v)
            self.dirty = True


class DictUpdate(Base):
    def set(self, **kw: Any) -> None:
        if any((self.__dict__[k] != v for k, v in kw.items())):
            self.__dict__.update(kw)
            self.dirty = True


class ParamsDict(Base):
    def __init__(self) -> None:
        super().__init__()
        self.p = {}

    def set(self, **kw: Any) -> None:
        for k, v in kw.items():
            if self.p.get(k) != v:
                self.p[k] = v
                self.dirty = True

    def solve(self) -> Any:
        if self.dirty:
            self.y = self.p["x"] ** 2
            self.dirty = False
        return self.y


class SetattrHook(Base):
    def __setattr__(self, k: Any, v: Any) -> None:
        if k == "x":
            if getattr(self, "_x", None) != v:
                object.__setattr__(self, "_x", v)
                object.__setattr__(self, "dirty", True)
        else:
            object.__setattr__(self, k, v)

    @property
    def x(self) -> Any:
        return self._x

    def __call__(self, x: Any) -> Any:
        self.x = x
        return self.solve()


class SetattrHookGen(Base):
    def __setattr__(self, k: Any, v: Any) -> None:
        if k not in ("dirty", "y") and self.__dict__.get(k) != v:
            self.__dict__["dirty"] = True
        object.__setattr__(self, k, v)

    def __call__(self, x: Any) -> Any:
        self.x = x
        return self.solve()


class SetattrHookSkip(Base):
    def __setattr__(self, k: Any, v: Any) -> None:
        if self.__dict__.get(k, None) != v:
            self.__dict__[k] = v
            if k not in ("dirty", "y"):
                self.__dict__["dirty"] = True

    def __call__(self, x: Any) -> Any:
        self.x = x
        return self.solve()


class Cached:
    def __init__(self, name: Any) -> None:
        self.name = "_" + name

    def __get__(self, o: Any, c: Any) -> Any:
        return getattr(o, self.name, None)

    def __set__(self, o: Any, v: Any) -> None:
        if getattr(o, self.name, None) != v:
            setattr(o, self.name, v)
            o.dirty = True


class Descriptor(Base):
    q = Cached("q")

    def solve(self) -> Any:
        if self.dirty:
            self.y = self.q * self.q
            self.dirty = False
        return self.y

    def __call__(self, x: Any) -> Any:
        self.q = x
        return self.solve()


class SetdiffReturns(Base):
    def put(self, name: Any, v: Any) -> Any:
        changed = getattr(self, name) != v
        setattr(self, name, v)
        return changed

    def __call__(self, x: Any) -> Any:
        if self.put("x", x):
            self.y = self.x * self.x
        return self.y


class GetterByNameElsewhere(Base):
    def changed(self, name: Any, v: Any) -> Any:
        return getattr(self, name) != v

    def put(self, name: Any, v: Any) -> None:
        setattr(self, name, v)
        self.dirty = True

    def __call__(self, x: Any) -> Any:
        if self.changed("x", x):
            self.put("x", x)
        return self.solve()


class NpEqualName(Base):
    def set(self, **kw: Any) -> None:
        for k, v in kw.items():
            if not np.array_equal(getattr(self, k), v):
                setattr(self, k, v)
                self.dirty = True


class OtherObject(Base):
    def __call__(self, x: Any) -> Any:
        conf(self, "x", x)
        return self.solve()


def conf(o: Any, name: Any, v: Any) -> None:
    if getattr(o, name) != v:
        setattr(o, name, v)
        o.dirty = True


class ModuleKw(Base):
    def __call__(self, x: Any) -> Any:
        confkw(self, x=x)
        return self.solve()


def confkw(o: Any, **kw: Any) -> None:
    for k, v in kw.items():
        if getattr(o, k) != v:
            setattr(o, k, v)
            o.dirty = True


class ParamsDict2(Base):
    def __init__(self) -> None:
        super().__init__()
        self.p = {}

    def set(self, **kw: Any) -> None:
        changed = False
        for k, v in kw.items():
            if self.p.get(k) != v:
                self.p[k] = v
                changed = True
        if changed:
            self.dirty = True

    def solve(self) -> Any:
        if self.dirty:
            self.y = self.p["x"] ** 2
            self.dirty = False
        return self.y


class ParamsDict3(Base):
    def __init__(self) -> None:
        super().__init__()
        self.p = {}

    def set(self, **kw: Any) -> None:
        for k, v in kw.items():
            if k not in self.p or self.p[k] != v:
                self.p[k] = v
                self.reset()

    def reset(self) -> None:
        self.dirty = True

    def solve(self) -> Any:
        if self.dirty:
            self.y = self.p["x"] ** 2
            self.dirty = False
        return self.y


class KwReset(Base):
    def set(self, **kw: Any) -> None:
        for k, v in kw.items():
            if getattr(self, k) != v:
                setattr(self, k, v)
                self.reset()

    def reset(self) -> None:
        self.dirty = True


class ChangedFlag(Base):
    def set(self, **kw: Any) -> None:
        changed = False
        for k, v in kw.items():
            if getattr(self, k) != v:
                setattr(self, k, v)
                changed = True
        if changed:
            self.dirty = True


class ChangedOr(Base):
    def set(self, **kw: Any) -> None:
        for k, v in kw.items():
            self.dirty = self.dirty or getattr(self, k) != v
            setattr(self, k, v)


class ChangedIor(Base):
    def set(self, **kw: Any) -> None:
        for k, v in kw.items():
            self.dirty |= getattr(self, k) != v
            setattr(self, k, v)


class PlainOr(Base):
    def set(self, x: Any, tol: Any) -> None:
        self.dirty = self.dirty or self.x != x
        self.x = x


class PlainIor(Base):
    def set(self, x: Any, tol: Any) -> None:
        self.dirty |= self.x != x
        self.x = x


class ChangedList(Base):
    def set(self, **kw: Any) -> None:
        ch = [k for k, v in kw.items() if getattr(self, k) != v]
        for k in ch:
            setattr(self, k, kw[k])
        if ch:
            self.dirty = True


class ChangedDict(Base):
    def set(self, **kw: Any) -> None:
        new = {k: v for k, v in kw.items() if getattr(self, k) != v}
        self.__dict__.update(new)
        if new:
            self.dirty = True


class AttrSlots:
    __slots__ = ("x", "tol", "dirty", "y")

    def __init__(self) -> None:
        self.x = math.nan
        self.dirty = True
        self.tol = 0.001
        self.y = None

    def set(self, **kw: Any) -> None:
        for k, v in kw.items():
            if getattr(self, k) != v:
                setattr(self, k, v)
                self.dirty = True

    def __call__(self, x: Any) -> Any:
        self.set(x=x, tol=0.001)
        if self.dirty:
            self.y = self.x * self.x
            self.dirty = False
        return self.y


class ToleranceKw(Base):
    def set(self, **kw: Any) -> None:
        for k, v in kw.items():
            if not abs(getattr(self, k) - v) < 1e-14:
                setattr(self, k, v)
                self.dirty = True


class NestedObj(Base):
    def __init__(self) -> None:
        super().__init__()
        self.c = Base()

    def set(self, **kw: Any) -> None:
        for k, v in kw.items():
            if getattr(self.c, k) != v:
                setattr(self.c, k, v)
                self.dirty = True

    def solve(self) -> Any:
        if self.dirty:
            self.y = self.c.x**2
            self.dirty = False
        return self.y


class Private(Base):
    def set(self, **kw: Any) -> None:
        for k, v in kw.items():
            k = "_" + k
            if getattr(self, k, None) != v:
                setattr(self, k, v)
                self.dirty = True

    def solve(self) -> Any:
        if self.dirty:
            self.y = self._x**2
            self.dirty = False
        return self.y


class TupleTheta(Base):
    def __call__(self, x: Any) -> Any:
        self.at((x, 1.0))
        return self.solve()

    def at(self, theta: Any) -> None:
        if theta[0] != self.x:
            self.x = theta[0]
            self.dirty = True


class ArrayItem(Base):
    def __call__(self, x: Any) -> Any:
        self.at(np.array([x, 1.0]))
        return self.solve()

    def at(self, theta: Any) -> None:
        if self.is_new(theta):
            self.x = theta[0]
            self.dirty = True

    def is_new(self, theta: Any) -> Any:
        return theta[0] != self.x


class Pt:
    def __init__(self, x: Any) -> None:
        self.x = x


class OfObject(Base):
    def __call__(self, x: Any) -> Any:
        self.at(Pt(x))
        return self.solve()

    def at(self, q: Any) -> None:
        if self.is_new(q):
            self.x = q.x
            self.dirty = True

    def is_new(self, q: Any) -> Any:
        return q.x != self.x


class SlotList(Base):
    def __init__(self) -> None:
        super().__init__()
        self.v = [None, None]

    def __call__(self, x: Any) -> Any:
        self.put(0, x)
        self.put(1, 1.0)
        return self.solve()

    def put(self, i: Any, x: Any) -> None:
        if self.v[i] != x:
            self.v[i] = x
            self.dirty = True

    def solve(self) -> Any:
        if self.dirty:
            self.y = self.v[0] ** 2
            self.dirty = False
        return self.y


class SlotArray(Base):
    def __init__(self) -> None:
        super().__init__()
        self.v = np.zeros(2)

    def __call__(self, x: Any) -> Any:
        self.put(0, x)
        self.put(1, 1.0)
        return self.solve()

    def put(self, i: Any, x: Any) -> None:
        if self.v[i] != x:
            self.v[i] = x
            self.dirty = True

    def solve(self) -> Any:
        if self.dirty:
            self.y = self.v[0] ** 2
            self.dirty = False
        return self.y


class WholeArray(Base):
    def __init__(self) -> None:
        super().__init__()
        self.v = np.zeros(2)

    def __call__(self, x: Any) -> Any:
        self.put(np.array([x, 1.0]))
        return self.solve()

    def put(self, x: Any) -> None:
        if (self.v != x).any():
            self.v[:] = x
            self.dirty = True

    def solve(self) -> Any:
        if self.dirty:
            self.y = self.v[0] ** 2
            self.dirty = False
        return self.y


class TwiceSet(Base):
    def __call__(self, x: Any) -> Any:
        self.put(x)
        self.put(x)
        return self.solve()

    def put(self, x: Any) -> None:
        if self.x != x:
            self.renew(x)

    def renew(self, x: Any) -> None:
        self.x = x
        self.dirty = True


class Listener(Base):
    def __init__(self) -> None:
        super().__init__()
        self.calls = []

    def __call__(self, x: Any) -> Any:
        self.put(x)
        return self.solve()

    def put(self, x: Any) -> None:
        if self.x != x:
            self.x = x
            self.calls.append(x)
            self.dirty = True


class Logs(Base):
    def __init__(self) -> None:
        super().__init__()
        self.log = []

    def __call__(self, x: Any) -> Any:
        self.put(x)
        return self.solve()

    def put(self, x: Any) -> None:
        if self.x != x:
            self.x = x
            self.log.append("changed")
            self.dirty = True


class Notify(Base):
    def __init__(self) -> None:
        super().__init__()
        self.obs = [self.touch]

    def touch(self) -> None:
        self.dirty = True

    def __call__(self, x: Any) -> Any:
        self.put(x)
        return self.solve()

    def put(self, x: Any) -> None:
        if self.x != x:
            self.x = x
            for o in self.obs:
                o()


ANEW = [
    KwGetattr,
    KwGetattrEqContinue,
    KwOld,
    KwDict,
    KwDictGet,
    KwVars,
    KwVarsStore,
    KwObjset,
    KwHasattr,
    KwHasattrRaise,
    KwLoopNames,
    NameValue,
    NameValueEqReturn,
    NameNodirty,
    NameUnderscore,
    NameFstr,
    NamesZip,
    ChangedAny,
    DictUpdate,
    ParamsDict,
    SetattrHook,
    SetattrHookGen,
    SetattrHookSkip,
    Descriptor,
    SetdiffReturns,
    GetterByNameElsewhere,
    NpEqualName,
    OtherObject,
    ModuleKw,
    ParamsDict2,
    ParamsDict3,
    KwReset,
    ChangedFlag,
    ChangedOr,
    ChangedIor,
    PlainOr,
    PlainIor,
    ChangedList,
    ChangedDict,
    AttrSlots,
    ToleranceKw,
    NestedObj,
    Private,
    TupleTheta,
    ArrayItem,
    OfObject,
    SlotList,
    SlotArray,
    WholeArray,
    TwiceSet,
    Listener,
    Logs,
    Notify,
]
"""Each makes a function that gives the square of a number, and computes it anew in each derivative."""
