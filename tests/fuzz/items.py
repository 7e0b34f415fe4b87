"""What may be read of lists and dicts of anything, and what they begin with.

Kinds besides `n` and `i`: `c` a list of four lists of four numbers (`c0`, which is given, of two of two), `w` a list of
four numbers, `h` one of four arrays of four, `v` such an array, `g` a list of four numbers or None, `e` one of four
pairs, `o` one of four objects, `d` a dict of numbers, `k` one of arrays, `m` one of lists, `j` a list of four counters,
`b` one of four flags, `s` one of four keys, `x` an array of four integers, `y` four lists of four counters, `z` of four
numbers or None, `t` two of two arrays, `p` a function.
"""

from __future__ import annotations

from .scope import Drawn

SHARED = "shared"
"""A feature of some of these programs: more than one name may hold what is changed."""

HEAD = """

class Two:
    def __init__(self, v, w):
        self.v = v
        self.w = w

    def mixed(self, n):
        return self.v * n - 0.5 * self.w

    def scaled(self, n):
        return Two(self.v * n, self.w + n)

    def push(self, n):
        self.v, self.w = 0.5 * self.w * n, self.v


def put(rows, i, j, n):
    rows[i][j] = n
    return rows


def added_to(kept, key, n):
    kept[key] = kept.get(key, 0.1) + n
    return kept[key]


def exchanged(items, i, j):
    items[i], items[j] = items[j], items[i]


def row_of(rows, i):
    return rows[i]


def counted(counts, i):
    counts[i] += 1
    return counts[i]


def put_late(rows, i, j, n):
    rows[i][j] = 0.5 * n
    if n > 0.4:
        raise ValueError(n)
    rows[i][j] += n


def weighed(items):
    total = 0.0
    for j in range(len(items)):
        total = 0.9 * total + (j + 1) * items[j]
    return total


def weighed_rows(rows):
    total = 0.0
    for row in rows:
        total = 0.8 * total + weighed(row)
    return total


def weighed_halves(items):
    total = 0.0
    for m in items:
        total = 0.7 * total + (0.3 if m is None else m * m)
    return total

"""
GIVEN = """
def arguments_of(n, m, items, a):
    return n, m, dict(zip("pqr", items)), [[float(a[0]), float(a[1])], [float(a[2]), float(a[3])]]

"""
KINDS = "cccccwwhhvggeoddkmmjjbsxyzt"
"""Kinds of what is made, by how often."""


class Items(Drawn):
    """What may be calculated; products are damped."""

    def size(self, name: str) -> int:
        return 2 if name == "c0" else 4

    def index(self, size: int = 4) -> str:
        """A place in a list: a number, or computed from a counter, a loop's integer, a flag."""
        options = [str(self.one_of(*range(-size, size)))] * (3 if self.loops else 2)
        if self.has("i"):
            i = self.some("i")
            inner = [i, i, i, i, f"{i} - 1", f"3 - {i}", f"-{i}", f"-1 - {i}"]
            options += inner if size == 4 else [f"{text} if {i} < 2 else 0" for text in (i, f"-{i}")]
        if size == 4 and self.chance(30):
            options += [f"{self.some('y')}[{self.one_of(0, -1)}][{self.one_of(0, 1)}] % 4"] * 2 if self.has("y") else []
            options += [f"{self.some('j')}[{self.one_of(0, 1, 2)}] % 4"] * 3 if self.has("j") else []
            options += [f"int({self.some('x')}[{self.one_of(0, 1)}]) % 4"] * 2 if self.has("x") else []
            options += [
                f"int({self.leaf()} > 0.3)",
                f"{self.some('b')}[{self.one_of(0, 3)}] + 1" if self.has("b") else "2",
            ]
        return self.one_of(*options)

    def key(self, known: bool = True) -> str:
        """A key of a dict; one that is surely there, if it is `known`."""
        options = ["'p'", "'q'"] * 2
        options += [f"{self.some('s')}[{self.index()}]"] * 2 if self.has("s") else []
        if known:
            return self.one_of(*options)
        return self.one_of(*options, "'r'", "7", *([self.some("i")] * 3 if self.has("i") else []))

    def leaf(self) -> str:
        if self.chance(80):
            return self.some("n")
        given = [f"l0[{self.one_of(0, 2, -2)}]", f"a0[{self.one_of(0, 3)}]"] * 2 if self.has("l") else []
        return self.one_of("0.5", "-1.5", "0.0", "2.0", *given)

    def number(self, depth: int = 0) -> str:
        if depth > 1 or self.chance(45):
            return self.item()
        n = lambda: self.number(depth + 1)  # noqa: E731
        options = [
            *(lambda: f"({n()} + {n()})", lambda: f"({n()} - {n()})", lambda: f"0.5 * {n()} * {n()}"),
            *(lambda: f"math.{self.one_of('sin', 'cos', 'tanh')}({n()})", lambda: self.total()),
            *(
                lambda: f"({n()} if {self.condition()} else {n()})",
                lambda: f"{self.one_of('max', 'min')}({n()}, {n()})",
            ),
            lambda: f"{self.one_of('max', 'min')}({n()}, {self.leaf()}, {n()})",
        ]
        return self.one_of(*options)()

    def item(self) -> str:
        """One number: a variable, or more often something of a container."""
        kinds = [kind for kind in "ccccwwhhvggeoddkmmjyzzt" if self.has(kind)]
        if not kinds or self.chance(30):
            return self.leaf()
        return self.item_of(self.some(self.one_of(*kinds)))

    def item_of(self, name: str) -> str:
        i, j = self.index(self.size(name)), self.index(self.size(name))
        match name[0]:
            case "c":
                return self.one_of(
                    f"{name}[{i}][{j}]", f"{name}[{i}][{j}]", f"sum({name}[{i}])", f"row_of({name}, {i})[{j}]"
                )
            case "g":
                g = f"{name}[{i}]"
                return self.one_of(f"({g} or 0.3)", f"(0.3 if {g} is None else {g})", f"weighed_halves({name})")
            case "d":
                return self.of_dict(name)
            case "m":
                return self.one_of(f"{name}[{self.key()}][{j}]", f"sum({name}[{self.key()}])")
            case "z":
                z = f"{name}[{i}][{j}]"
                return self.one_of(f"({z} or 0.3)", f"(0.3 if {z} is None else {z})")
            case "t":
                return f"{name}[{self.index(2)}][{self.index(2)}]{self.one_of('.sum()', '[0]', '[-1]')}"
            case "k":
                return self.one_of(f"{name}[{self.key()}][{j}]", f"{name}[{self.key()}].sum()")
        ways = {
            "h": [f"{name}[{i}][{j}]", f"0.4 * {name}[{i}].sum()", f"0.3 * ({name}[{i}] @ {name}[{j}])"],
            "e": [f"{name}[{i}][{self.one_of(0, 1)}]", f"sum({name}[{i}])"],
            "o": [f"{name}[{i}].{self.one_of('v', 'w')}", f"0.5 * {name}[{i}].mixed({self.leaf()})"],
            "j": [f"0.1 * {name}[{i}]", f"0.3 * {name}[{i}] * {self.leaf()}"],
            "y": [f"0.1 * {name}[{i}][{j}]", f"0.3 * {name}[{i}][{j}] * {self.leaf()}"],
        }
        return self.one_of(*ways.get(name[0], [f"{name}[{i}]"]))

    def of_dict(self, name: str) -> str:
        key, other = self.key(), self.key(known=False)
        return self.one_of(
            *(f"{name}[{key}]", f"{name}.get({other}, {self.leaf()})", f"0.3 * sum({name}.values())"),
            *(f"({name}[{other}] if {other} in {name} else {self.leaf()})", f"0.3 * sum(u for _, u in {name}.items())"),
        )

    def total(self) -> str:
        """A number of a whole container."""
        kinds = [kind for kind in "cccwhgeodkmzt" if self.has(kind)]
        return self.total_of(self.some(self.one_of(*kinds))) if kinds else self.leaf()

    def total_of(self, x: str) -> str:
        weights = "np.arange(1.0, 5.0)"
        ways: dict[str, list[str]] = {
            "c": [f"0.2 * weighed_rows({x})", f"0.2 * sum((t + 1) * u for t, r in enumerate({x}) for u in r)"],
            "w": [f"0.3 * weighed({x})", f"0.3 * sum((t + 1) * u for t, u in enumerate({x}))", f"max({x})"],
            "h": [f"0.3 * sum((t + 1) * (u * {weights}).sum() for t, u in enumerate({x}))", f"0.2 * sum({x}).sum()"],
            "v": [f"0.3 * ({x} * {weights}).sum()"],
            "g": [f"weighed_halves({x})", f"sum(u for u in {x} if u is not None)"],
            "e": [
                f"0.3 * sum(t * u - 0.5 * t for t, u in {x})",
                f"0.4 * sum((t + 1) * u[1] + u[0] for t, u in enumerate({x}))",
            ],
            "o": [f"0.3 * sum(t * u.v + u.w for t, u in enumerate({x}))"],
            "d": [f"0.4 * sum((t + 1) * u for t, u in enumerate({x}.values()))", f"0.3 * weighed([*{x}.values()])"],
            "k": [f"0.3 * sum((t + 1) * (u * {weights}).sum() for t, u in enumerate({x}.values()))"],
            "m": [
                f"0.2 * weighed_rows({x}.values())",
                f"0.3 * sum((t + 1) * sum(u) for t, u in enumerate({x}.values()))",
            ],
            "j": [f"0.1 * sum((t + 1) * u for t, u in enumerate({x}))"],
            "b": [f"0.1 * sum({x})"],
            "y": [f"0.1 * sum((t + 1) * u for t, r in enumerate({x}) for u in r)"],
            "z": [f"0.3 * sum(weighed_halves(r) for r in {x})", f"sum(u for r in {x} for u in r if u is not None)"],
            "t": [f"0.3 * sum([(u * {weights}).sum() for r in {x} for u in r])"],
            "x": [f"0.1 * int(({x} * {weights}).sum())"],
        }
        return self.one_of(*ways[x[0]])

    def condition(self) -> str:
        n = self.item() if self.chance(70) else self.number(2)
        options = [f"{n} {self.one_of('<', '>')} {self.one_of('0.2', '0.6', '-0.3', '1.7')}"] * 4
        if self.has("i"):
            options += [f"{self.some('i')} {self.one_of('==', '!=', '<')} {self.one_of(0, 1, 2)}"] * 2
        options += [f"{self.some('b')}[{self.index()}]"] * 2 if self.has("b") else []
        options += (
            [f"{self.some('j')}[{self.index()}] {self.one_of('<', '==')} {self.one_of(1, 2)}"] if self.has("j") else []
        )
        options += [f"{self.some('g')}[{self.index()}] is {self.one_of('', 'not ')}None"] if self.has("g") else []
        options += [f"{self.some('z')}[{self.index()}][{self.index()}] is None"] if self.has("z") else []
        options += [f"{self.some('y')}[{self.index()}][{self.index()}] > {self.one_of(0, 1)}"] if self.has("y") else []
        options += [f"{self.key(False)} in {self.some('d')}"] if self.has("d") else []
        return self.one_of(*options)

    # ---- what is made

    def vector(self) -> str:
        options = ["np.zeros(4)", f"np.full(4, {self.item()})", f"np.array([{self.item()}, n0, {self.item()}, n1])"]
        if self.has("v"):
            v = self.some("v")
            options += [f"{v} * {self.item()}", f"np.sin({v})", f"{v}.copy()", f"{v} - {self.number(1)}"]
        if self.has("h"):
            h = f"{self.some('h')}[{self.index()}]"
            options += [f"{h} * {self.item()}", f"np.tanh({h})", f"0.5 * {h} + {self.item()}"] * 2
            options += [h] if self.may(SHARED) else []
        return self.one_of(*options)

    def row(self) -> str:
        """A list of four numbers."""
        n = self.item
        options = ["[0.0] * 4", f"[{n()}, {n()}, {n()}, {n()}]", f"[{n()} for _ in range(4)]", f"[{n()}] * 4"]
        if self.has("w"):
            w = self.some("w")
            options += [f"{w}[:]", f"list({w})", f"{w}.copy()", f"[0.5 * u + {n()} for u in {w}]", f"{w}[::-1]"]
            options += [w] if self.may(SHARED) else []
        if any(name != "c0" for name in self.names.get("c", [])):
            c = self.table()
            options += [f"{c}[{self.index()}][:]", f"list({c}[{self.index()}])", f"[u[{self.index()}] for u in {c}]"]
            options += [f"{c}[{self.index()}]"] * 2 if self.may(SHARED) else []
        return self.one_of(*options)

    def table(self) -> str:
        return self.one_of(*(name for name in self.names["c"] if name != "c0"))

    def rows(self) -> str:
        n = self.item
        options = ["[[0.0] * 4 for _ in range(4)]"] * 3
        options += [f"[[{n()}] * 4 for _ in range(4)]", f"[[u * {n()} for u in (n0, 0.3, n1, 1.1)] for _ in range(4)]"]
        options += [
            f"[{self.row()}, {self.row()}, {self.row()}, [0.0] * 4]",
            f"[[{n()} * t - u for u in range(4)] for t in range(4)]",
        ]
        if any(name != "c0" for name in self.names.get("c", [])):
            c = self.table()
            copies = [f"[u[:] for u in {c}]", f"[list(u) for u in {c}]", f"[[0.5 * m for m in u] for u in {c}]"]
            options += [
                *copies,
                *copies,
                f"copy.deepcopy({c})",
                f"list(map(list, {c}))",
                f"[list(u) for u in zip(*{c})]",
            ]
            if self.may(SHARED):
                options += [c, f"{c}[:]", f"list({c})", f"{c}.copy()", "[[0.0] * 4] * 4", f"{c}[::-1]"] * 2
        return self.one_of(*options)

    def made(self, kind: str) -> str:
        return self.one_of(*getattr(self, f"made_{kind}")())

    def made_c(self) -> list[str]:
        return [self.rows()]

    def made_w(self) -> list[str]:
        return [self.row()]

    def made_v(self) -> list[str]:
        return [self.vector()]

    def made_h(self) -> list[str]:
        v = self.vector
        every = [f"[{v()} for _ in range(4)]", f"[{v()}] * 4", "[np.zeros(4) for _ in range(4)]"]
        return [*every, f"[{v()}, {v()}, {v()}, {v()}]"]

    def made_g(self) -> list[str]:
        n = self.item
        return ["[None] * 4", f"[{n()}, None, {n()}, None]", f"[{n()}, {n()}, None, {n()}]"]

    def made_e(self) -> list[str]:
        n = self.item
        return [f"[({n()}, {n()})] * 4", f"[(0.0, {n()}) for _ in range(4)]", f"[({n()}, t) for t in {self.row()}]"]

    def made_o(self) -> list[str]:
        n = self.item
        return [f"[Two({n()}, {n()}) for _ in range(4)]", f"[Two({n()}, u) for u in {self.row()}]"]

    def made_d(self) -> list[str]:
        n = self.item
        displays = [f"{{'p': {n()}, 'q': {n()}}}", "{'p': 0.0, 'q': 0.0}"]
        return [*displays, f"{{t: {n()} for t in 'qp'}}", f"dict(p={n()}, q={n()})"]

    def made_k(self) -> list[str]:
        return [f"{{'p': {self.vector()}, 'q': {self.vector()}}}", f"{{t: {self.vector()} for t in 'pq'}}"]

    def made_m(self) -> list[str]:
        return [f"{{'p': {self.row()}, 'q': {self.row()}}}", "{t: [0.0] * 4 for t in 'pq'}"]

    def made_j(self) -> list[str]:
        return ["[0] * 4", "[0, 1, 2, 3]", "[1, 0, 1, 0]"]

    def made_b(self) -> list[str]:
        return ["[False] * 4", f"[u > {self.item()} for u in {self.row()}]", "[True, False, True, True]"]

    def made_s(self) -> list[str]:
        return ["['p', 'q', 'q', 'p']", "['q' if t % 2 else 'p' for t in range(4)]", "['p'] * 4"]

    def made_y(self) -> list[str]:
        return ["[[0] * 4 for _ in range(4)]", "[[t, 0, 1, 3 - t] for t in range(4)]"]

    def made_z(self) -> list[str]:
        n = self.item
        return ["[[None] * 4 for _ in range(4)]"] * 2 + [f"[[{n()}, None, {n()}, None] for _ in range(4)]"]

    def made_t(self) -> list[str]:
        v = self.vector
        return ["[[np.zeros(4) for _ in range(2)] for _ in range(2)]", f"[[{v()}, {v()}], [{v()}, np.ones(4)]]"]

    def made_x(self) -> list[str]:
        return ["np.zeros(4, int)", "np.arange(4)", "np.array([2, 0, 1, 1])"]
