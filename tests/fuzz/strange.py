"""Random statements of what strangers' programs have."""

from __future__ import annotations

from collections.abc import Callable

from . import heads, more_heads
from .statements import Statements
from .unlike import Unlike

STRANGE = {
    "classes": heads.CLASSES,
    "wrapped": heads.WRAPPED,
    "protocols": more_heads.PROTOCOLS,
    "kinds": more_heads.KINDS,
    "state": more_heads.STATE,
    "keywords": more_heads.KEYWORDS,
}
"""Features of programs like those of strangers: special methods, mixins and descriptors; decorators, memo caches and
dispatch; contexts, generators, `finally` and iterators; arrays of texts and records, dtypes and parts of complex
numbers; state of modules and classes; arguments by `*` and `**`. For each, what its modules begin with."""


class Strange(Unlike, Statements):
    """What a scope may do with them."""

    def strange(self) -> Callable[[], None] | None:
        """A statement of one of the features that the program has."""
        found = [feature for feature in STRANGE if self.may(feature)]
        return getattr(self, f"of_{self.one_of(*found)}") if found else None

    # ---- classes

    def of_classes(self) -> None:
        made = self.one_of(self.quantity, self.quantity, self.mixed, self.managed, self.data)
        made()

    def quantity(self) -> None:
        """An object with operators: made, changed, or asked."""
        n, m = self.leaf(), self.number(2)
        if not self.has("x") or self.chance(30):
            return self.store(self.fresh("x"), f"Quantity({self.number(1)})")
        x, y = self.some("x"), self.some("x")
        if self.chance(35):
            return self.store(
                self.fresh("x"),
                self.one_of(
                    *(f"{x} + {y}", f"{x} - {m}", f"{n} + {x}", f"{n} - {x}", f"{x} * {m}", f"{n} * {x}", f"-{x}"),
                    *(f"{x} / {y}", f"{x} ** 2", f"~{x}", f"sum([{x}, {y}])", f"{x} * {y} + {x}", f"max({x}, {y})"),
                    *(f"{x} or {y}", f"{{{x}: {y}}}[{x}]", f"sorted([{x}, {y}])[0]"),
                ),
            )
        if self.chance(40) and x not in self.bound:
            changes = [f"{x} *= {m}", f"{x} -= {m}", f"{x} += {n}", f"{x}[1] = {m}", f"{x}[0] += {m}", f"del {x}[0]"]
            return self.line(self.one_of(*changes, f"setattr({x}, 'v', {m})"))
        return self.take(
            *(f"{x}({m})", f"0.5 * {x}({n}, {m}, rate={n})", f"0.3 * sum({x})", f"{x}[{self.one_of(0, 1, 2)}]"),
            *(f"{x}.times_2", f"{x} @ {y}", f"abs({x})", f"float({x})", f"len({x}) * {m}", f"0.5 * sum({x}[1:])"),
            *(f"{m} if {n} in {x} else {n}", f"{m} if {x} == {y} else {n}", f"{x}.v if {x} < {y} else {m}"),
            *(f"{m} if {x} else {n}", f"getattr({x}, 'times_0.5')", f"getattr({x}, 'absent', {m})"),
            *(f"[*{x}][1]", f"math.tanh((lambda p, q: p - q)(*{x}))", f"{m} if {x} in [{y}] else {n}"),
            *(f"{x}.__add__({m}).v", f"Quantity.__call__({x}, {m})"),
        )

    def mixed(self) -> None:
        n, m = self.leaf(), self.number(2)
        cls = self.one_of("Mixed", "Upside")
        self.take(
            *(f"{cls}({n}).of({m})", f"{cls}.made({n}).of({m})", f"{cls}({n}, name='q').of({m})"),
            *(f"super(Mixed, Mixed({n})).of({m})", f"Upside.half({m})", f"Base.of({cls}({n}), {m})"),
            *(f"{cls}({n}).factor * {m}", f"sum(c({n}).of(0.5) for c in (Mixed, Upside, Base))"),
        )

    def managed(self) -> None:
        n, m = self.leaf(), self.number(2)
        if not self.has("y") or self.chance(30):
            return self.store(self.fresh("y"), f"Managed({m})")
        y = self.some("y")
        if self.chance(40):
            return self.line(self.one_of(f"{y}.h = {m}", f"{y}.p = {m}", f"{y}.h += {n}", f"{y}.p *= {n}"))
        return self.take(f"{y}.h", f"{y}.p", f"{y}.once", f"{y}.once * {y}.h", f"Managed.h.__get__({y}) + {n}")

    def data(self) -> None:
        n, m, k = self.leaf(), self.number(2), self.leaf()
        self.take(
            *(f"Slots({n}).w * {m}", f"Slots({n}, {m}).v * {k}", f"Row({n}).dot(Row({m}, {k}))", f"sum(Row({n}, {m}))"),
            *(
                f"Data({n}).w",
                f"dataclasses.replace(Data({n}), v={m}).w",
                f"sum(dataclasses.astuple(Data({n}, {m}))[:2])",
            ),
            *(f"Row({n})._replace(w={m})[1]", f"Table(p={n})['z'] * {m}", f"Table({{'p': {n}}}).get('z', {m})"),
            *(f"Data({n}, {m}, [{k}]).rest[0]", f"vars(Data({n}, {m}))['w']", f"Row(*Row({n}, {m})[::-1]).v"),
        )

    # ---- decorators, caches and dispatch

    def of_wrapped(self) -> None:
        n, m = self.leaf(), self.number(2)
        i = self.one_of(0, 1, 2, 3)
        if self.chance(15):
            name = self.fresh("f")
            self.line(self.one_of("@doubled", "@bare", f"@scaled_by({n})", "@Decorator", "@memoised"))
            self.line(f"def {name}(m):")
            self.line(f"    return {self.over('m')}")
            return self.bind(name)
        some = self.one_of(n, str(i), *(self.names.get("l", [])[:1]), *(self.names.get("a", [])[:1]))
        return self.take(
            *(f"once({n})", f"once({n}, rate={m})", f"both({n})", f"with_rate({n})", f"with_rate({n}, m={m})"),
            *(f"decorated({n})", f"Wrapped({n}).of({m})", f"Wrapped({n}).by({m}, rate={n})", f"Wrapped({n}).held({m})"),
            *(f"cached({i}) * {m}", f"cached_of({n}, {i})", f"cached_of({n}, {i}) * cached_of({n}, {i})"),
            *(f"kept_in_module('{self.one_of('p', 'q')}', {n})", f"kept_in_module({i}, {m})"),
            *(f"kept_in_module({n}, {n})", f"Wrapped.keep('{self.one_of('p', 'q')}', {n}) * {m}"),
            *(f"single({some}, {m})", f"single({some}, {m})", f"multiple({some}, {m})", f"multiple({some}, {m})"),
            *(f"Wrapped({n}).on({some})", f"single.dispatch(int)({i}, {m})", f"once.__wrapped__({n})"),
            *(f"sum(multiple(j, {m}) for j in ({i}, {n}))", f"sum(map(doubled(once), [{n}, {m}]))"),
            *(f"memoised(lambda m: {self.over('m')})({n})", f"functools.reduce(lambda p, q: p * 0.5 + q, [{n}, {m}])"),
            *(f"functools.partial(once, rate={m})({n})", f"functools.lru_cache(lambda m: m * {m})({n})"),
        )
