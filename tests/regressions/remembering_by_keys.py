"""Tables of results under texts and integers that a caller makes of numbers: `find(int(round(x * 1e6)), x)`."""

from __future__ import annotations

import hashlib
import json
import math
import pickle
import struct
from typing import Any

import numpy as np

MADE: dict[str, Any] = {}
"""Those that are functions."""


class T:
    def __init__(self) -> None:
        self.t = {}

    def find(self, key: Any, x: Any) -> Any:
        if key not in self.t:
            self.t[key] = x * x
        return self.t[key]


def key_of(x: Any) -> Any:
    return int(round(x * 1000000.0))


class CIntround(T):
    def __call__(self, x: Any) -> Any:
        return self.find(int(round(x * 1000000.0)), x)


class CIntroundVar(T):
    def __call__(self, x: Any) -> Any:
        k = int(round(x * 1000000.0))
        return self.find(k, x)


class CInt(T):
    def __call__(self, x: Any) -> Any:
        return self.find(int(x * 1000), x)


class CRound0(T):
    def __call__(self, x: Any) -> Any:
        return self.find(round(x * 1000), x)


class CFloor(T):
    def __call__(self, x: Any) -> Any:
        return self.find(math.floor(x * 1000), x)


class CHash(T):
    def __call__(self, x: Any) -> Any:
        return self.find(hash(x), x)


class CTobytes(T):
    def __call__(self, x: Any) -> Any:
        return self.find(np.array([x]).tobytes(), x)


class CBytes(T):
    def __call__(self, x: Any) -> Any:
        return self.find(bytes(np.array([x])), x)


class CTupleRound(T):
    def __call__(self, x: Any) -> Any:
        return self.find((round(x, 8), round(1.0, 8)), x)


class CTupleInt(T):
    def __call__(self, x: Any) -> Any:
        return self.find((int(x * 1000000.0), 1), x)


class CTuple(T):
    def __call__(self, x: Any) -> Any:
        return self.find(tuple(np.array([x, 1.0])), x)


class CStr(T):
    def __call__(self, x: Any) -> Any:
        return self.find(str(x), x)


class CFstr(T):
    def __call__(self, x: Any) -> Any:
        return self.find(f"{x:.8g}", x)


class CFormat(T):
    def __call__(self, x: Any) -> Any:
        return self.find(f"{x:.8g}", x)


class CJoin(T):
    def __call__(self, x: Any) -> Any:
        return self.find(",".join(str(v) for v in (x, 1.0)), x)


class CConcat(T):
    def __call__(self, x: Any) -> Any:
        return self.find("k" + str(x), x)


class CHex(T):
    def __call__(self, x: Any) -> Any:
        return self.find(x.hex(), x)


class CMd5(T):
    def __call__(self, x: Any) -> Any:
        return self.find(hashlib.md5(np.array([x]).tobytes()).hexdigest(), x)


class CJson(T):
    def __call__(self, x: Any) -> Any:
        return self.find(json.dumps({"x": x}), x)


class CPack(T):
    def __call__(self, x: Any) -> Any:
        return self.find(struct.pack("d", x), x)


class CPickle(T):
    def __call__(self, x: Any) -> Any:
        return self.find(pickle.dumps(x), x)


class CFrozenset(T):
    def __call__(self, x: Any) -> Any:
        return self.find(frozenset([x, 1.0]), x)


class CSortedItems(T):
    def __call__(self, x: Any) -> Any:
        return self.find(tuple(sorted({"x": x, "a": 1.0}.items())), x)


class CView(T):
    def __call__(self, x: Any) -> Any:
        return self.find(int(np.float64(x).view(np.int64)), x)


class HKey(T):
    def __call__(self, x: Any) -> Any:
        return self.find(key_of(x), x)


class HKeyVar(T):
    def __call__(self, x: Any) -> Any:
        k = key_of(x)
        return self.find(k, x)


class MKey(T):
    def key(self, x: Any) -> Any:
        return int(round(x * 1000000.0))

    def __call__(self, x: Any) -> Any:
        return self.find(self.key(x), x)


class MKeyTuple(T):
    def key(self, *a: Any) -> Any:
        return tuple(int(round(v * 1000000.0)) for v in a)

    def __call__(self, x: Any) -> Any:
        return self.find(self.key(x, 1.0), x)


class MKeyHash(T):
    def key(self, *a: Any) -> Any:
        return hash(a)

    def __call__(self, x: Any) -> Any:
        return self.find(self.key(x), x)


class MKeyStr(T):
    def key(self, x: Any) -> Any:
        return str(round(x, 8))

    def __call__(self, x: Any) -> Any:
        return self.find(self.key(x), x)


class KwKey(T):
    def __call__(self, x: Any) -> Any:
        return self.find(key=int(x * 1000), x=x)


class OInt(T):
    def __call__(self, x: Any) -> Any:
        k = int(round(x * 1000000.0))
        if k not in self.t:
            self.t[k] = x * x
        return self.t[k]


class OKeyof(T):
    def __call__(self, x: Any) -> Any:
        k = key_of(x)
        if k not in self.t:
            self.t[k] = x * x
        return self.t[k]


class OMkey(T):
    def key(self, x: Any) -> Any:
        return int(round(x * 1000000.0))

    def __call__(self, x: Any) -> Any:
        k = self.key(x)
        if k not in self.t:
            self.t[k] = x * x
        return self.t[k]


class OGetKeyof(T):
    def __call__(self, x: Any) -> Any:
        k = key_of(x)
        v = self.t.get(k)
        if v is None:
            v = self.t[k] = x * x
        return v


class AGetPut(T):
    def get(self, k: Any) -> Any:
        return self.t.get(k)

    def put(self, k: Any, v: Any) -> None:
        self.t[k] = v

    def __call__(self, x: Any) -> Any:
        k = int(round(x * 1000000.0))
        v = self.get(k)
        if v is None:
            v = x * x
            self.put(k, v)
        return v


class AGetPutKeyof(T):
    def get(self, k: Any) -> Any:
        return self.t.get(k)

    def put(self, k: Any, v: Any) -> None:
        self.t[k] = v

    def __call__(self, x: Any) -> Any:
        k = key_of(x)
        v = self.get(k)
        if v is None:
            v = x * x
            self.put(k, v)
        return v


class AGetPutTuple(T):
    def get(self, k: Any) -> Any:
        return self.t.get(k)

    def put(self, k: Any, v: Any) -> None:
        self.t[k] = v

    def __call__(self, x: Any) -> Any:
        k = (round(x, 8), round(1.0, 8))
        v = self.get(k)
        if v is None:
            v = x * x
            self.put(k, v)
        return v


class AContains(T):
    def has(self, k: Any) -> Any:
        return k in self.t

    def get(self, k: Any) -> Any:
        return self.t[k]

    def put(self, k: Any, v: Any) -> None:
        self.t[k] = v

    def __call__(self, x: Any) -> Any:
        k = int(round(x * 1000000.0))
        if not self.has(k):
            self.put(k, x * x)
        return self.get(k)


class Store:
    def __init__(self) -> None:
        self.d = {}

    def __contains__(self, k: Any) -> Any:
        return k in self.d

    def __getitem__(self, k: Any) -> Any:
        return self.d[k]

    def __setitem__(self, k: Any, v: Any) -> None:
        self.d[k] = v


class ADunder(T):
    def __init__(self) -> None:
        self.t = Store()

    def __call__(self, x: Any) -> Any:
        k = int(round(x * 1000000.0))
        if k not in self.t:
            self.t[k] = x * x
        return self.t[k]


class ADunderStr(T):
    def __init__(self) -> None:
        self.t = Store()

    def __call__(self, x: Any) -> Any:
        k = str(x)
        if k not in self.t:
            self.t[k] = x * x
        return self.t[k]


class ADunderFloat(T):
    def __init__(self) -> None:
        self.t = Store()

    def __call__(self, x: Any) -> Any:
        if x not in self.t:
            self.t[x] = x * x
        return self.t[x]


class LInt(T):
    def __init__(self) -> None:
        self.k = None

    def at(self, k: Any, x: Any) -> Any:
        if self.k != k:
            self.k = k
            self.v = x * x
        return self.v

    def __call__(self, x: Any) -> Any:
        return self.at(int(round(x * 1000000.0)), x)


class LHash(T):
    def __init__(self) -> None:
        self.k = None

    def at(self, k: Any, x: Any) -> Any:
        if self.k != k:
            self.k = k
            self.v = x * x
        return self.v

    def __call__(self, x: Any) -> Any:
        return self.at(hash(x), x)


class LStr(T):
    def __init__(self) -> None:
        self.k = None

    def at(self, k: Any, x: Any) -> Any:
        if self.k != k:
            self.k = k
            self.v = x * x
        return self.v

    def __call__(self, x: Any) -> Any:
        return self.at(str(x), x)


class LKeyof(T):
    def __init__(self) -> None:
        self.k = None

    def __call__(self, x: Any) -> Any:
        k = key_of(x)
        if self.k != k:
            self.k = k
            self.v = x * x
        return self.v


class LTuple(T):
    def __init__(self) -> None:
        self.k = None

    def at(self, k: Any, x: Any) -> Any:
        if self.k != k:
            self.k = k
            self.v = x * x
        return self.v

    def __call__(self, x: Any) -> Any:
        return self.at((int(x * 1000000.0), 1), x)


class LArrTobytes(T):
    def __init__(self) -> None:
        self.k = None

    def at(self, k: Any, x: Any) -> Any:
        if self.k != k:
            self.k = k
            self.v = x * x
        return self.v

    def __call__(self, x: Any) -> Any:
        return self.at(np.array([x]).tobytes(), x)


def memo_by(keyf: Any) -> Any:

    def deco(f: Any) -> Any:
        t = {}

        def g(x: Any) -> Any:
            k = keyf(x)
            if k not in t:
                t[k] = f(x)
            return t[k]

        return g

    return deco


MADE["d_keyf_int"] = lambda: memo_by(lambda x: int(x * 1000000.0))(lambda x: x * x)
MADE["d_keyf_str"] = lambda: memo_by(str)(lambda x: x * x)
MADE["d_keyf_hash"] = lambda: memo_by(hash)(lambda x: x * x)
MADE["d_keyf_keyof"] = lambda: memo_by(key_of)(lambda x: x * x)


def memo_mk() -> Any:
    t = {}

    def find(k: Any, x: Any) -> Any:
        if k not in t:
            t[k] = x * x
        return t[k]

    return lambda x: find(int(round(x * 1000000.0)), x)


MADE["f_closure_int"] = memo_mk


def memo_mk2() -> Any:
    t = {}

    def find(k: Any, make: Any) -> Any:
        v = t.get(k)
        if v is None:
            v = t[k] = make()
        return v

    return lambda x: find(int(round(x * 1000000.0)), lambda: x * x)


MADE["f_closure_make_int"] = memo_mk2


def memo_mk3() -> Any:
    t = {}

    def find(k: Any, make: Any) -> Any:
        v = t.get(k)
        if v is None:
            v = t[k] = make()
        return v

    return lambda x: find(("sq", round(x, 8)), lambda: x * x)


MADE["f_closure_make_tuple"] = memo_mk3


ANEW = [
    CIntround,
    CIntroundVar,
    CInt,
    CRound0,
    CFloor,
    CHash,
    CTobytes,
    CBytes,
    CTupleRound,
    CTupleInt,
    CTuple,
    CStr,
    CFstr,
    CFormat,
    CJoin,
    CConcat,
    CHex,
    CMd5,
    CJson,
    CPack,
    CPickle,
    CFrozenset,
    CSortedItems,
    CView,
    HKey,
    HKeyVar,
    MKey,
    MKeyTuple,
    MKeyHash,
    MKeyStr,
    KwKey,
    OInt,
    OKeyof,
    OMkey,
    OGetKeyof,
    AGetPut,
    AGetPutKeyof,
    AGetPutTuple,
    AContains,
    ADunder,
    ADunderStr,
    ADunderFloat,
    LInt,
    LHash,
    LStr,
    LKeyof,
    LTuple,
    LArrTobytes,
    *MADE.values(),
]
"""Each makes a function that gives the square of a number, and computes it anew in each derivative."""
