"""Random statements that bind or change something."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st

from .expressions import Expressions
from .scope import FIRST


class Statements(Expressions):
    """What a scope may do in one line or two."""

    def assign(self) -> None:
        self.store(self.new("n"), self.number())

    def augment(self) -> None:
        own = self.own("n")
        if own:
            name = self.draw(st.sampled_from(own))
            self.line(self.one_of(f"{name} += {self.number()}", f"{name} -= {self.number()}", f"{name} *= 0.7"))

    def unpack(self) -> None:
        """Several names at once: a pair, items of a list, nested, or one value twice."""
        a, b = self.new("n"), self.new("n")
        options = [f"{a}, {b} = {self.number()}, {self.leaf()}", f"{a} = {b} = {self.number()}"]
        if self.has("l"):
            options += [f"{a}, {b}, *_ = {self.items()}", f"({a}, *_), {b} = {self.some('l')}, {self.leaf()}"]
        if self.has("b"):
            options += [f"{a}, {b} = {self.some('b')}"]
        self.line(self.one_of(*options))
        self.bind(a)
        self.bind(b)

    def make(self) -> None:
        """A container, an object or a view; or another name for one."""
        kind = self.one_of("l", "a", "a", "b", "b", "d", "o", *("q" if self.may("mutation") else ()))
        pair = f"Pair({self.leaf()}, {self.number(1)})"
        values: dict[str, Callable[[], str]] = {
            "l": self.items,
            "a": self.array,
            "b": self.pair,
            "d": lambda: self.one_of(
                f"{{'p': {self.number(1)}, 'q': {self.leaf()}}}",
                f"{{k: {self.over('m')} for k, m in zip('pqr', {self.items()})}}",
                f"dict(p={self.leaf()}, **{{'q': {self.number(1)}}})",
            ),
            "o": lambda: pair if not self.has("o") else self.one_of(pair, f"{self.some('o')}.scaled(0.5)"),
            "q": lambda: f"Box({self.some('l') if self.has('l') and self.chance(50) else self.items()})",
        }
        value = values[kind]()
        if self.may("aliases") and self.has(kind) and self.chance(30):
            value = self.some(kind)
        self.store(self.new(kind), value)

    def change(self) -> None:
        """Something changes in place: what was made here, or with "mutation" also what was given."""
        given = () if self.may("mutation") else FIRST
        options = [(kind, name) for kind in "labdoq" for name in self.names.get(kind, []) if name not in given]
        if not self.may("mutation"):
            options = [(kind, name) for kind, name in options if name not in self.bound]
        if not options:
            return self.assign()
        kind, name = self.draw(st.sampled_from(options))
        changes = {"l": self.of_lists, "a": self.of_arrays, "b": self.of_views, "d": self.of_dicts}
        changes |= {"o": self.of_objects, "q": self.of_boxes}
        for line in self.one_of(*changes[kind](name)).split("\n"):
            self.line(line)
        return None

    def of_lists(self, name: str) -> list[str]:
        n, place = self.number(1), self.one_of(0, 1, -1)
        simple = [f"{name}.append({n})", f"{name}[{place}] = {n}", f"{name}[{place}] += {n}", f"{name} += [{n}]"]
        if not self.may("mutation"):
            return simple
        number = self.new("n")
        taken = [
            f"{name}.append({n})\n{number} = {name}.pop({place})",
            f"{name} += [{n}, 0.2]\n{number} = {name}.pop()",
        ]
        options = [
            *simple,
            *(f"{name}.insert({place}, {n})", f"{name}.insert(1, {n})\ndel {name}[0]", f"{name}.reverse()"),
            *(f"{name}.sort()", f"{name}.sort(key=lambda m: -m)", f"{name}[1:2] = [{n}, {self.leaf()}]"),
            *(f"{name}[0], {name}[-1] = {name}[-1], {name}[0]", f"{name}.extend(m * 0.5 for m in {name}[:2])"),
            *(f"{name}[::2] = [m * {self.leaf()} for m in {name}[::2]]", f"stored({name}, {place}, {n})"),
            *(f"del {name}[3:]", f"shifted({name}, {self.leaf()} * 0.1)"),
        ]
        option = self.one_of(*options, *taken)
        if option in taken:
            self.bind(number)
        return [option]

    def of_arrays(self, name: str) -> list[str]:
        n, place = self.number(1), self.one_of(0, 1, 3, -1)
        simple = [
            *(f"{name}[{place}] = {n}", f"{name}[{place}] += {n}", f"{name}[1:3] = {n}", f"{name} *= 0.8"),
            *(f"{name}[{name} > 0.3] = {n}", f"{name} += {self.array(2)}", f"{name}[:2] *= {n}"),
            *(f"{name} = np.tanh({name} * {n})", f"{name}[{place}] = {n}\n{name} = np.sin({name}) + {self.leaf()}"),
            f"{name} = {name}[::-1] * {n}",
        ]
        if not self.may("mutation"):
            return simple
        return [
            *simple,
            *(f"{name}[[0, 2, 2, 1]] = {self.array(2)}", f"np.add.at({name}, [0, 0, 2], {n})", f"{name}.fill({n})"),
            *(f"np.multiply({name}, {n}, out={name})", f"np.sin({self.array(2)}, out={name})", f"{name}.sort()"),
            *(f"np.copyto({name}, {self.array(2)})", f"{name}[...] = {self.array(2)} * {n}", f"{name}[::-1] += {name}"),
            *(f"{name}.reshape(2, 2)[0] = {n}", f"{name}.reshape(2, 2).T[0] += {n}", f"{name}[1:] = {name}[:-1]"),
            *(f"{name}[[0, 3]] = {name}[[3, 0]]", f"np.add({name}[:2], {n}, out={name}[2:])", f"{name}.flat[1] = {n}"),
            *(f"stored({name}, {place}, {n})", f"shifted({name}, {self.leaf()} * 0.1)", f"{name}[1:3] -= {name}[:2]"),
        ]

    def of_views(self, name: str) -> list[str]:
        n = self.number(1)
        return [
            *(f"{name}[0] = {n}", f"{name} *= {n}", f"{name}[:] = {name}[::-1] + 0.1", f"{name} += {n}"),
            *(f"{name}[::-1] = {name} * {self.leaf()}", f"{name}[1] -= {name}[0]"),
        ]

    def of_dicts(self, name: str) -> list[str]:
        n = self.number(1)
        simple = [f"{name}['p'] = {n}", f"{name}['q'] += {n}", f"{name}['r'] = {n}"]
        if not self.may("mutation"):
            return simple
        return [
            *simple,
            *(f"{name}.update(p={n}, r={self.leaf()})", f"{name} |= {{'q': {n}}}", f"{name}.setdefault('s', {n})"),
            *(f"{name}['p'] = {name}.pop('q') + {n}\n{name}['q'] = {self.leaf()}", f"{name}.pop('r', {n})"),
            *(f"{name}['t'] = {n}\ndel {name}['t']", f"for k in {name}:\n    {name}[k] *= {self.leaf()}"),
        ]

    def of_objects(self, name: str) -> list[str]:
        n = self.number(1)
        simple = [f"{name}.v = {n}", f"{name}.w += {n}"]
        if not self.may("mutation"):
            return simple
        others = [f"{name}.v, {name}.w = {name}.w, {n}", f"setattr({name}, 'v', {n})", f"{name} += {n}"]
        return [*simple, *others, f"{name}.push({n})"]

    def of_boxes(self, name: str) -> list[str]:
        n, place = self.number(1), self.one_of(0, 1, -1)
        return [
            *(f"{name}[{place}] = {n}", f"{name}[{place}] += {n}", f"{name}.kept.append({n})"),
            *(f"{name}.kept = [*{name}.kept, {n}]", f"{name}.kept[0], {name}.kept[1] = {name}.kept[1], {n}"),
        ]

    def effect(self) -> None:
        n = self.leaf()
        options = [f"print(f'{{{n}:.2f}}')", f"assert abs({n}) < 1e9"]
        if self.may("mutation"):
            options += [f"STATE.append({self.number(1)})", f"STATE[0] += {n}", f"note({self.number(1)})"]
        self.line(self.one_of(*options))
