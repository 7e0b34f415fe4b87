"""What lanes are does not show: texts, identities, classes, membership and order are those of the loop."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import sys
from typing import Any

import numpy as np
import pytest

from adjoint import grad, vmap
from adjoint.batching.stacking import stacked
from adjoint.tangents.lanes import Lanes

ROWS = np.array([[0.5, 2.0, 1.0], [1.25, 0.75, 3.0], [2.0, 2.0, 0.125], [0.1, 0.2, 0.3]])


class Plain:
    def __init__(self, x: Any) -> None:
        self.x = x


@dataclasses.dataclass
class Pair:
    x: Any
    y: Any = 1.0


class Odd:
    """It is equal to everything, and adds in its own way."""

    def __eq__(self, other: object) -> bool:
        return True

    def __radd__(self, other: Any) -> Any:
        return other * 2 + 3.0

    __hash__ = object.__hash__


ODD = Odd()


def key_of_text(v: Any) -> Any:
    names = {f"k{v[0]}": v}
    return v * len(next(name for name in names))


def in_list(v: Any) -> Any:
    p = Plain(v[0])
    return v * (2 if p in [Plain(v[1]), p] else 3)


def not_in_list(v: Any) -> Any:
    p = Plain(v[0])
    return v * (2 if p not in [Plain(v[1]), p] else 3)


def in_keys(v: Any) -> Any:
    p = Plain(v[0])
    return v * (2 if p in {p: 1} else 3)


def in_set(v: Any) -> Any:
    p = Plain(v[0])
    return v * (2 if p in {p} else 3)


def got(v: Any) -> Any:
    p = Plain(v[0])
    return v * {p: 5.0}.get(p, 7.0)


def counted(v: Any) -> Any:
    p = Plain(v[0])
    return v * [p, Plain(v[0]), p].count(p)


def indexed(v: Any) -> Any:
    p = Plain(v[0])
    return v * ([Plain(v[1]), p].index(p) + 1)


def sorted_objects(v: Any) -> Any:
    p, q = Plain(v[0]), Plain(v[1])
    found = sorted([p, q], key=lambda x: 1.0)
    return v * (2 if found[0] is p else 3) * (5 if found[0] == p else 7)


def largest_object(v: Any) -> Any:
    both = [Plain(v[0]), Plain(v[1])]
    return v * (2 if max(both, key=lambda p: p.x) is both[0] else 3)


def zipped(v: Any) -> Any:
    p = Plain(v[0])
    return v * (2 if dict(zip("ab", [p, Plain(v[1])], strict=True))["a"] is p else 3)


def identities(v: Any) -> Any:
    p, q = Plain(v[0]), Plain(v[1])
    return v * (2 if id(p) == id(q) else 3) * (5 if hash(p) == hash(p) else 7)


def keys(v: Any) -> Any:
    p, q = Plain(v[0]), Plain(v[1])
    one = max([p, q], key=lambda x: x.x)
    return v * len({p: 1, q: 2, one: 3})


def keys_one_by_one(v: Any) -> Any:
    both = [Plain(v[0]), Plain(v[1])]
    return v * len({p: 1 for p in [*both, max(both, key=lambda x: x.x)]})


def set_of_objects(v: Any) -> Any:
    p, q = Plain(v[0]), Plain(v[1])
    return v * len({p, q, max([p, q], key=lambda x: x.x)})


def nothing_in_list(v: Any) -> Any:
    x = v[0] * np.nan
    return v * (2 if x in [x] else 3) * ([x].count(x) + 1) * (5 if [x] == [x] else 7)


PROGRAMS = {
    "f-string": lambda v: len(f"{v[0]}"),
    "f-string with !r": lambda v: len(f"{v[0]!r:>30}|{v!r}"),
    "text of an array": lambda v: len(f"{v}"),
    "str": lambda v: len(str(v[0])) + len(str((v[0], v))),
    "repr": lambda v: len(repr(v)) + len(repr([v[0]])) + len(repr(Pair(v[0]))),
    "ascii": lambda v: len(ascii(v[0])),
    "%": lambda v: len("%s" % v[0]) + len("%s %s" % (v, 1)) + len("%(a)s" % {"a": v[0]}),  # noqa: UP031
    "format": lambda v: len("{}".format(v[0])) + len(format(v[0])) + len("{a}".format_map({"a": v})),  # noqa: UP032
    "join": lambda v: len(",".join(map(str, v))),
    "text of a float": lambda v: len(str(float(v[0]))),
    "texts of NumPy": lambda v: len(np.array2string(v)) + len(np.array_repr(v)) + len(v.astype(str)[0]),
    "number of a text": lambda v: float(f"{v[0]:.2f}") * v + float(str(v[1])),
    "text in a text": lambda v: v * (2 if "L" in str(v[0]) else 3) * (5 if repr(v)[0] == "L" else 7),
    "key of a text": key_of_text,
    "pickle": lambda v: pickle.loads(pickle.dumps(v)) * 2 + len(pickle.dumps(v)),
    "copies": lambda v: copy.copy(v) * 2 + copy.deepcopy([v])[0] + copy.deepcopy(Pair(v[0])).x,
    "class": lambda v: v * (2 if v.__class__ is np.ndarray else 3) * (5 if v[0].__class__ is np.float64 else 7),
    "names of classes": lambda v: v * len(type(v).__name__) * len(v.__class__.__name__) * len(v.__doc__ or ""),
    "size in memory": lambda v: v * v.__sizeof__() * sys.getsizeof(v) * v.nbytes * v.itemsize,
    "subclass": lambda v: v * (2 if issubclass(type(v), np.ndarray) else 3),
    "attributes": lambda v: v * (2 if hasattr(v, "behind") else 3) + getattr(v, "behind", v),
    "== others": lambda v: v * (2 if v[0] == "a" else 3) * (5 if v[0] == None else 7) * (v != (1.0, 2.0, 3.0)),  # noqa: E711
    "== an object": lambda v: v * (2 if v[0] == ODD else 3) * (5 if ODD == v[0] else 7),  # noqa: SIM300
    "+ an object": lambda v: v[0] + ODD,
    "identity and hash": lambda v: v * (2 if id(v) == id(v * 2) else 3) * (5 if hash(v[0]) == hash(v[0]) else 7),
    "in": lambda v: v * (2 if v[0] in [0.5, 1.25] else 3) * (5 if v[1] in v else 7) * (11 if 9.0 not in v else 13),
    "in a dict": lambda v: v * (2 if v[0] in {0.5: 2} else 3) * (5 if v[0] in {1.25} else 7),
    "key": lambda v: {v[0]: 2.0}[v[0]] * v + {(v[0], 1): 2.0}[v[0], 1] + len({v[0], v[2]}),
    "order": lambda v: np.array([*sorted(v), *sorted(v, key=lambda x: -x), *sorted(v, reverse=True)]),
    "order of pairs": lambda v: np.array([n for _, n in sorted([(v[0], 1), (v[1], 2)])]) * v[0],
    "order of tuples": lambda v: v * (2 if (v[0], 1) < (v[0], 2) else 3) * (5 if (1, v[0]) < (2, v[1]) else 7),
    "index and count": lambda v: v * [v[0], v[1]].index(v[1]) * v.tolist().count(v[0]),
    "text of a slice": lambda v: len(repr(slice(v[0]))),
    "texts of views": lambda v: len(str({"a": v[0]}.values())) + len(str({"a": v[0]}.items())),
    "texts one by one": lambda v: len("".join(map(repr, v))) + len(str(sorted(zip(v, v, strict=True)))),
    "nan in a list": nothing_in_list,
    "equal objects": lambda v: v * (2 if Pair(v[0]) == Pair(v[0]) else 3) * (5 if Plain(v[0]) == Plain(v[0]) else 7),
    **{f.__name__: f for f in (
        in_list, not_in_list, in_keys, in_set, got, counted, indexed, sorted_objects, largest_object, zipped,
        identities, keys, keys_one_by_one, set_of_objects,
    )},
}  # fmt: skip


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_lanes_are_does_not_show(name: str) -> None:
    f = PROGRAMS[name]
    want = stacked([f(row) for row in ROWS], 0)
    found = vmap(f)(ROWS)
    np.testing.assert_allclose(found, want, rtol=1e-12)
    assert found.dtype == want.dtype
    if want.dtype.kind != "f":
        return
    try:
        of_each = np.stack([grad(lambda v: np.sum(f(v) ** 2))(row) for row in ROWS])
    except Exception:  # what cannot be differentiated
        return
    np.testing.assert_allclose(vmap(grad(lambda v: np.sum(f(v) ** 2)))(ROWS), of_each, rtol=1e-12)


def test_lanes_are_shown_where_nothing_runs() -> None:
    assert repr(Lanes(np.ones((2, 3)))) == str(Lanes(np.ones((2, 3)))) == "Lanes(2 of (3,), float64)"


def test_what_cannot_be_stored_is_refused_as_in_the_loop() -> None:
    def stores(v: Any) -> Any:
        a = np.ones(3)
        a[1:] += 1j * v[1:]
        return a

    with pytest.raises(TypeError, match="Cannot cast"):
        vmap(stores)(ROWS)
