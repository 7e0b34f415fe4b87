"""What may be changed of lists and dicts in one line or two: their items are replaced one by one."""

from __future__ import annotations

from .items import KINDS, SHARED, Items


class Replaced(Items):
    """What may be changed in one line or two."""

    def operator(self) -> str:
        return self.one_of("=", "=", "=", "+=", "*=", "-=")

    def replace(self) -> None:
        """Something is stored into a container: one of its own, unless others may see it."""
        kinds = [kind for kind in "cccccccwwwhhggeeooddddkkmjjbxyyzzt" if self.replaced(kind)]
        if not kinds:
            return self.make()
        name = self.one_of(*self.replaced(self.one_of(*kinds)))
        stores = getattr(self, f"into_{name[0]}")(name)
        if self.may(SHARED) and self.chance(40):
            stores = getattr(self, f"shared_{name[0]}", lambda _: stores)(name)
        return self.lines_of(self.one_of(*stores))

    def replaced(self, kind: str) -> list[str]:
        """What of a kind may be stored into."""
        return [x for x in self.names.get(kind, []) if self.may(SHARED) or x[1:] != "0" and x not in self.bound]

    def into_c(self, c: str) -> list[str]:
        i, j, k, m = (self.index(self.size(c)) for _ in range(4))
        n, op = self.number(), self.operator()
        stores = [
            *[f"{c}[{i}][{j}] {op} {n}"] * 6,
            *[f"{c}[{i}][{j}] {op} {c}[{k}][{m}]"] * 3,
            *(f"{c}[{i}][{j}], {c}[{k}][{m}] = {c}[{k}][{m}], {c}[{i}][{j}]", f"{c}[{i}][{j}] = {c}[{i}][{k}] = {n}"),
        ]
        if not self.loops:
            stores += [f"{c}[{i}], {c}[{k}] = {c}[{k}], {c}[{i}]", f"{c}[{i}] = {c}[{k}][:]"]
        if self.size(c) == 4 and self.chance(30):
            stores += [f"if len({c}) < 8:\n    {c}.append({self.row()})"] + (
                [] if self.loops else [f"{c}[{i}] = {self.row()}"] * 3
            )
        return stores

    def shared_c(self, c: str) -> list[str]:
        """Stores into a row under a name, and such that rows are in two places."""
        i, j, k = (self.index(self.size(c)) for _ in range(3))
        n, op, w = self.number(), self.operator(), self.fresh("w")
        stores = [
            *[f"{w} = {c}[{i}]\n{w}[{j}] {op} {n}", f"for {w} in {c}:\n    {w}[{self.one_of(0, 1)}] {op} {n}"] * 2,
            f"{w} = {c}[{i}]\n{w}[{j}] {op} {n}\n{w}[{k}] {op} {c}[{i}][{j}]",
            *(f"{c}[{i}][:1] = [{n}]", f"{c}[{i}], {c}[{k}] = {c}[{k}], {c}[{i}]", f"exchanged({c}, {i}, {k})"),
            *[f"{c}[{i}] = {c}[{k}]", f"{c}[{i}] = {c}[{k}]\n{c}[{k}][{j}] {op} {n}", f"put({c}, {i}, {j}, {n})"] * 2,
            f"{c}.reverse()",
        ]
        return stores + ([f"{c}[{i}] = {self.row()}", f"{c}[{i}][1:3] = [{n}, {n}]"] if self.size(c) == 4 else [])

    def into_w(self, w: str) -> list[str]:
        i, j, n, op = self.index(), self.index(), self.number(), self.operator()
        stores = [*[f"{w}[{i}] {op} {n}"] * 4, f"{w}[{i}] {op} {w}[{j}]", f"{w}[{i}], {w}[{j}] = {w}[{j}], {w}[{i}]"]
        if self.replaced("j"):
            counter = f"{self.one_of(*self.replaced('j'))}[{self.index()}]"
            stores += [f"{w}[{counter} % 4] {op} {n}\n{counter} += 1"] * 3
        return stores

    def shared_w(self, w: str) -> list[str]:
        i, j, n = self.index(), self.index(), self.number()
        return [
            f"{w}[1:3] = {w}[:2]",
            f"exchanged({w}, {i}, {j})",
            f"if len({w}) < 8:\n    {w}.append({n})",
            f"{w}[{i}] = {n}",
        ]

    def into_h(self, h: str) -> list[str]:
        i, j, v = self.index(), self.index(), self.vector()
        return [
            *[f"{h}[{i}] = {v}"] * 4,
            *(f"{h}[{i}] = {h}[{j}] * {self.item()}", f"{h}[{i}], {h}[{j}] = {h}[{j}], {h}[{i}]"),
            *(f"{h}[{i}] = np.tanh({h}[{j}]) + {self.item()}", f"{h}[{i}] = {h}[{j}]"),
        ]

    def shared_h(self, h: str) -> list[str]:
        i, j, v = self.index(), self.index(), self.vector()
        stores = [f"{h}[{i}][{j}] {self.operator()} {self.number()}", f"{h}[{i}] += {v}", f"exchanged({h}, {i}, {j})"]
        return [*stores, f"{h}[{i}] = {h}[{j}]\n{h}[{j}][0] = {self.item()}"]

    def into_v(self, v: str) -> list[str]:
        return [f"{v}[{self.index()}] {self.operator()} {self.number()}", f"{v} *= {self.item()}"]

    def into_g(self, g: str) -> list[str]:
        i, j, n = self.index(), self.index(), self.number()
        guarded = f"if {g}[{i}] is not None:\n    {g}[{i}] {self.operator()} {n}"
        return [*[f"{g}[{i}] = {n}"] * 3, f"{g}[{i}] = None", guarded, guarded, f"{g}[{i}] = {g}[{j}]"]

    def into_e(self, e: str) -> list[str]:
        i, j, n, m = self.index(), self.index(), self.number(), self.item()
        t, u = self.fresh("n"), self.fresh("n")
        return [
            *[f"{e}[{i}] = ({n}, {m})", f"{t}, {u} = {e}[{i}]\n{e}[{j}] = {t} * {m}, {n} - {u}"] * 2,
            *(f"{e}[{i}] = ({n}, {e}[{j}][0])", f"{e}[{i}], {e}[{j}] = {e}[{j}], {e}[{i}]", f"{e}[{i}] = {e}[{j}]"),
            f"{e}[{i}] += (0.3,)\n{e}[{i}] = {e}[{i}][:2]",
        ]

    def into_o(self, o: str) -> list[str]:
        i, j, n = self.index(), self.index(), self.number()
        return [f"{o}[{i}] = Two({n}, {self.item()})"] * 2 + [f"{o}[{i}] = {o}[{j}]"]

    def shared_o(self, o: str) -> list[str]:
        i, j, n = self.index(), self.index(), self.number()
        return [f"{o}[{i}].v {self.operator()} {n}", f"{o}[{i}].push({n})", f"{o}[{i}] = {o}[{j}].scaled({n})"]

    def into_d(self, d: str) -> list[str]:
        key, other, n, op = self.key(), self.key(known=False), self.number(), self.operator()
        return [
            *[f"{d}[{key}] {op} {n}"] * 5,
            *[f"{d}[{other}] = {n}", f"{d}[{other}] = {d}.get({other}, {self.item()}) + {n}"] * 2,
            *(f"if {other} not in {d}:\n    {d}[{other}] = {n}", f"if {other} in {d}:\n    {d}[{other}] {op} {n}"),
            *(f"{d}[{key}] {op} {d}[{self.key()}]", f"{d}['p'], {d}['q'] = {d}['q'], {d}['p']"),
        ]

    def shared_d(self, d: str) -> list[str]:
        other, n = self.key(known=False), self.number()
        return [
            *(f"{d}.setdefault({other}, {n})", f"{d}['q'] = {d}.pop('q') * {self.item()}", f"{d}.pop(7, {n})"),
            *(f"for t in {d}:\n    {d}[t] *= {self.item()}", f"for t, u in [*{d}.items()]:\n    {d}[t] = u + {n}"),
            *(f"{d}[7] = {n}\ndel {d}[7]", f"added_to({d}, {other}, {n})", f"{d}.update(q={n})"),
        ]

    def into_k(self, k: str) -> list[str]:
        key, other = self.key(), self.key()
        stores = [f"{k}[{key}] = {self.vector()}", f"{k}[{key}] = {k}[{key}] + {self.vector()}"] * 2
        return [*stores, f"{k}[{key}] = {k}[{other}] * {self.item()}", f"{k}['r'] = {self.vector()}"]

    def shared_k(self, k: str) -> list[str]:
        return [
            f"{k}[{self.key()}][{self.index()}] {self.operator()} {self.number()}",
            f"{k}[{self.key()}] += {self.vector()}",
        ]

    def into_m(self, m: str) -> list[str]:
        return [f"{m}[{self.key()}] = {self.row()}", f"{m}[{self.key()}] = {m}[{self.key()}][:]"]

    def shared_m(self, m: str) -> list[str]:
        key, i, n, op = self.key(), self.index(), self.number(), self.operator()
        stores = [f"{m}[{key}][{i}] {op} {n}", f"{m}[{key}].append({n})", f"put({m}, {key}, {i}, {n})"]
        return [*stores, f"{m}.setdefault({self.key(False)}, [0.0] * 4)[{i}] {op} {n}", f"{m}['p'] = {m}['q']"]

    def into_j(self, j: str) -> list[str]:
        i, k = self.index(), self.index()
        return [f"{j}[{i}] += 1", f"{j}[{i}] += 1", f"{j}[{i}] = {j}[{k}] + 1", f"{j}[{i}] = 0"]

    def shared_j(self, j: str) -> list[str]:
        return [f"counted({j}, {self.index()})", f"{j}[{self.index()}:] = [1]"]

    def into_b(self, b: str) -> list[str]:
        return [f"{b}[{self.index()}] = {self.condition()}", f"{b}[{self.index()}] = not {b}[{self.index()}]"]

    def into_y(self, y: str) -> list[str]:
        i, j = self.index(), self.index()
        return [
            f"{y}[{i}][{j}] += 1",
            f"{y}[{i}][{j}] += 1",
            f"{y}[{i}][{j}] = {y}[{j}][{i}] + 1",
            f"{y}[{i}][{j}] = 0",
        ]

    def into_z(self, z: str) -> list[str]:
        i, j, n = self.index(), self.index(), self.number()
        kept = f"if {z}[{i}][{j}] is None:\n    {z}[{i}][{j}] = {n}"
        changed = f"if {z}[{i}][{j}] is not None:\n    {z}[{i}][{j}] {self.operator()} {n}"
        return [f"{z}[{i}][{j}] = {n}", kept, kept, changed, f"{z}[{i}][{j}] = {z}[{j}][{i}]", f"{z}[{i}][{j}] = None"]

    def into_t(self, t: str) -> list[str]:
        i, j = self.index(2), self.index(2)
        return [f"{t}[{i}][{j}] = {self.vector()}"] * 2 + [f"{t}[{i}][{j}] = {t}[{j}][{i}] * {self.item()}"]

    def into_x(self, x: str) -> list[str]:
        return [f"{x}[{self.index()}] += 1", f"{x}[{self.index()}] = {self.one_of(0, 1, 2)}"]

    # ---- names

    def make(self) -> None:
        """Something new, by a new name or an old one."""
        kind = self.one_of(*KINDS)
        self.store(self.new(kind), self.made(kind))

    def alias(self) -> None:
        """Another name, two names that change places, a copy that shares its rows."""
        kinds = [kind for kind in "cccwhgedkm" if self.has(kind)]
        if not kinds:
            return self.make()
        kind = self.one_of(*kinds)
        x, y, own = self.some(kind), self.some(kind), self.own(kind)
        if self.chance(40) and x in own and y in own and "0" not in (x[1:], y[1:]):
            return self.line(f"{x}, {y} = {y}, {x}")
        if not self.may(SHARED) or x in ("c0", "d0"):
            return self.store(self.new(kind), self.made(kind))
        copy = f"{x}[:]" if kind not in "dkm" else f"dict({x})"
        return self.store(self.new(kind), self.one_of(x, x, copy, f"{x}.copy()"))

    def assign(self) -> None:
        """A number, often one that needs what a container holds now."""
        own = [name for name in self.own("n") if name not in ("n0", "n1")]
        value = self.total() if self.chance(50) else self.number()
        if own and self.chance(60):
            return self.line(f"{self.some_of(own)} += {value}")
        return self.store(self.fresh("n"), value)
