"""Random statements about protocols, kinds of arrays, state, and arguments that are taken apart."""

from __future__ import annotations

from .expressions import Expressions

ROUNDED = ("int", "'int64'", "np.int32", "bool")
REAL = ("float", "np.float64", "'d'", "None")


class Unlike(Expressions):
    """What a scope may do with them."""

    def take(self, *values: str) -> None:
        """A number, by a name."""
        self.store(self.new("n"), self.one_of(*values))

    # ---- contexts, generators, `finally`, iterators

    def of_protocols(self) -> None:
        self.one_of(self.context, self.sent_to, self.ended, self.iterated, self.iterated)()

    def context(self) -> None:
        n, m, new = self.leaf(), self.number(2), self.fresh("n")
        items = self.fresh("l")
        self.store(items, self.items())
        head = self.one_of(
            f"with Lent({items}) as l9:",
            f"with Lent({items}, {n}) as l9, given({m}) as n9:",
            f"with given({m}) as n9:",
            "with contextlib.ExitStack() as stack:",
            f"with contextlib.nullcontext({m}) as n9:",
        )
        self.line(f"{new} = {n}")
        self.line(head)
        self.line(f"    {new} = {new} * {items}[0]" + (" + n9" if "n9" in head else ""))
        if "stack" in head:
            self.line(f"    {new} += stack.enter_context(Lent({items}))[0] + stack.enter_context(given({m}))")
        if "given" in head and self.chance(40):
            self.line(f"    fails({self.leaf()})")
        if "Lent" in head and self.chance(30):
            self.line(f"    if {new} > 0.1:\n{'    ' * self.indent}        raise KeyError({new})")
        self.bind(new)
        self.take(f"{new} + {items}[0]", f"{items}[0] * {n}")

    def sent_to(self) -> None:
        n, m = self.leaf(), self.number(2)
        self.count[0] += 1
        g, new = f"g{self.count[0]}", self.fresh("n")
        self.line(f"{g} = {self.one_of('averaging', 'delegating')}({n})")
        self.line(f"{new} = next({g})")
        for _ in range(self.one_of(1, 2, 3)):
            self.line(f"{new} += 0.5 * {g}.send({self.one_of(m, self.leaf(), new, 'None')})")
            if self.chance(10):
                break
        self.bind(new)
        if self.chance(25):
            self.line(f"{g}.close()")
        elif self.chance(30):
            self.line("try:")
            self.line(f"    {g}.send({n})")
            self.line("except StopIteration as stop:")
            self.line(f"    {new} += 0.5 * (stop.value or 0.2)")

    def ended(self) -> None:
        n, items = self.leaf(), self.items()
        self.take(f"last_word({n})", f"after_all({items}, {n})", f"left_early({items})", f"last_word({self.number(2)})")

    def iterated(self) -> None:
        """Iterators that are handed on, half used."""
        n, m, it = self.leaf(), self.number(2), self.fresh("u")
        items = self.items()
        if self.has("u") and self.chance(70):
            return self.take(f"drawn({self.some('u')}, {n})", f"next({self.some('u')}, {m})", f"sum({self.some('u')})")
        self.line(
            f"{it} = "
            + self.one_of(
                *(f"iter({items})", f"map(lambda m: {self.over('m')}, {items})", f"Steps({m})", f"reversed({items})"),
                *(
                    f"(m * {n} for m in {items})",
                    f"itertools.chain({items}, [{n}])",
                    f"filter(lambda m: m < 1.0, {items})",
                ),
                *(f"iter({self.some('a')})" if self.has("a") else f"iter([{n}])", f"iter([{n}, {m}])"),
                *(f"itertools.accumulate({items})", f"itertools.cycle({items})", f"iter({{'p': {n}}}.values())"),
            )
        )
        endless = "cycle" in self.lines[-1]
        first = self.one_of(f"drawn({it}, {n})", f"next({it}, {n})", f"drawn({it}, {m}, count=1)")
        rest = [f"rest_of({it})", f"sum({it})", f"sum(m * q for m, q in zip({it}, {items}))", f"max({it}, default={n})"]
        rest += [f"(next({it}, 0.1) - {n})"]
        rest += [f"sum(m * j for j, m in enumerate({it}))", f"sum(itertools.islice({it}, 1))", f"sum([*{it}])"]
        second = f"drawn({it}, {n})" if endless else self.one_of(*rest)
        new = self.fresh("n")
        self.store(new, first)
        return self.take(f"{new} + 0.3 * {second}", f"{new} * {n} - 0.3 * {second}")

    # ---- kinds of arrays

    def of_kinds(self) -> None:
        self.one_of(self.column, self.with_dtype, self.with_dtype, self.complex_parts, self.filled)()

    def column(self) -> None:
        n, a = self.leaf(), self.array(2)
        columns = [
            "NAMES",
            "COLUMN",
            "BYTES",
            "TABLE['name']",
            "TABLE['x']",
            "TABLE",
            "NAMES[1:]",
            a,
            "TABLE['i']",
            "TABLE[1:]",
        ]
        c, d = self.one_of(*columns), self.one_of(*columns)
        self.take(
            *(f"of_column({c}) * {n}", f"sum(of_column(c) for c in ({c}, {a}, {d})) * {n}", f"of_column({a}) - {n}"),
            *(f"TABLE['x'][{self.one_of(0, 1, -1)}] * {n}", f"(TABLE['x'] * {n}).sum()", f"TABLE[1]['x'] * {n}"),
            *(f"sum(r['x'] * {n} for r in TABLE if r['name'] != 'q')", f"len(NAMES[NAMES == 'p']) * {n}"),
            *(f"sum(len(c) for c in NAMES.tolist()) * 0.1 * {n}", f"TABLE[TABLE['name'] == 'q']['x'].sum() * {n}"),
        )

    def with_dtype(self) -> None:
        n, a = self.leaf(), self.array(2)
        kind = self.one_of(*ROUNDED[:3], *REAL, *REAL)
        self.take(
            *(f"0.3 * {a}.sum(dtype={kind})", f"0.3 * np.sum({a}, dtype={kind}) * {n}", f"{a}.mean(dtype=float)"),
            *(
                f"({a}.astype({kind if kind != 'None' else 'float'}) * {a}).sum()",
                f"0.3 * np.cumsum({a}, dtype={kind})[-1]",
            ),
            *(
                f"np.add({a}, {n}, dtype={kind}, casting='unsafe').sum()",
                f"0.3 * np.trace(np.outer({a}, {a}), dtype={kind})",
            ),
            *(f"0.2 * np.einsum('i,i', {a}, {a}, dtype={kind}, casting='unsafe')", f"np.asarray({a}, {kind})[1] * {n}"),
            *(f"0.3 * np.multiply({a}, {a}, casting='same_kind').sum()", f"np.prod(0.5 * {a}, dtype={kind})"),
            *(f"np.array([{n}, 1.7], dtype={kind})[0] * {n}", f"{a}.astype('int', casting='unsafe')[0] * {n}"),
            *(f"0.2 * np.matmul({a}, {a}, dtype={kind}, casting='unsafe')", f"0.2 * np.add.reduce({a}, dtype={kind})"),
        )

    def filled(self) -> None:
        """Stores into arrays of a dtype that is named by position, and by attributes."""
        n, m, a = self.leaf(), self.number(2), self.array(2)
        v = self.fresh("v")
        kind = self.one_of("int", "float", "complex", "bool")
        makes = [
            f"np.eye(2, 2, 0, {kind}).ravel()",
            f"np.linspace(0, 1, 4, True, False, {kind})",
            f"np.zeros(4, {kind})",
        ]
        makes += [f"np.full(4, 1, {kind})", f"np.arange(0, 4, 1, {kind})", f"np.zeros_like(a0, {kind})"]
        makes += [f"np.empty(4, dtype={kind})", f"np.ones((4,), {kind})", f"a0.astype({kind})"]
        self.line(f"{v} = {self.one_of(*makes)}")
        self.line(f"{v}[:] = 0")
        real = kind in ("float", "complex")
        stores = [f"{v}[0] = {m}", f"{v}[1:3] = {n}", f"{v}.fill({n})", f"{v}[0] = {n} * 1.7", f"np.put({v}, [1], {n})"]
        stores += [f"np.copyto({v}, {a}, casting='unsafe')", f"{v}.flat = {a}.flat", f"{v}.flat[1] = {n}"]
        stores += [f"{v} += {n}", f"{v}.real = {a}"] if real else []
        stores += [f"{v}.imag = {a}", f"{v}.imag[1] = {n}", f"{v}.real[:2] *= {n}"] if kind == "complex" else []
        self.line(self.one_of(*stores))
        part = f"{v}.real" if kind == "complex" else v
        self.take(f"({part} * {a}).sum()", f"{part}[0] * {n}", f"0.3 * ({part} @ {a})", f"float({v}.imag.sum()) + {n}")

    def complex_parts(self) -> None:
        n, m, a = self.leaf(), self.number(2), self.array(2)
        z = self.fresh("z")
        self.line(f"{z} = {self.one_of(f'{a} * (0.5 + 0.3j)', f'{a} + 1j * {m}', f'np.exp(0.3j * {a})')}")
        grid = f"{z}.reshape(2, 2)"
        self.take(
            *(f"({z}.real * {z}.imag).sum()", f"({z} * {z}).imag.sum()", f"{z}.flat[1].real * {n}", f"real_part({z})"),
            *(f"np.real({z}.flat[0] * {z}.flat[1])", f"np.real(np.sum(np.exp({grid}.mT)))", f"{grid}.T[0, 1].imag"),
            *(
                f"({grid}.T @ {grid}).real.sum()",
                f"np.abs({z}).sum()",
                f"({z}.conj() * {z}).real[0]",
                f"real_part({a})",
            ),
            *(f"np.imag({z}[::-1] @ {z})", f"sum(c.real for c in {z}.flat)", f"({grid}.mT.real * {n}).sum()"),
            *(f"np.angle({z} + 2.0).sum()", f"complex({z}[0]).imag * {n}", f"{z}[1].conjugate().imag"),
        )

    # ---- state

    def of_state(self) -> None:
        n, m = self.leaf(), self.number(2)
        if self.chance(35):
            lines = [f"Model.rate = {m}", f"Model.set_rate({n})", f"Other.set_rate({m})", f"TOTALS['last'] = {m}"]
            lines += [f"HISTORY.append({n})", f"counted.calls = {n}", f"Model.made.append({m})", f"Other.rate = {n}"]
            return self.line(self.one_of(*lines, f"setattr(Model, 'rate', {m})", f"counted.last = {m}"))
        return self.take(
            *(f"Model({n})({m})", f"Other({n})({m})", f"counted({n})", f"recalled({n})", f"grown({n})", "Model.rate"),
            *("sum(Model.made)", "Other.rate", "TOTALS['last']", "HISTORY[-1]", f"recalled({n}) * recalled({m})"),
            *(f"Changing({n}).of({m})", f"Changing({m}).v * {n}"),
            *(f"counted({m}) - counted({n})", "getattr(counted, 'last', 0.3)", f"Model({n}).rate * {m}"),
        )

    # ---- arguments that are taken apart

    def of_keywords(self) -> None:
        n, m, k = self.leaf(), self.number(2), self.leaf()
        items, d, a = self.fresh("l"), self.fresh("d"), self.fresh("a")
        self.store(items, f"[*{self.items()}]")
        self.store(d, f"{{'p': {m}, 'q': {n}}}")
        self.store(a, f"{self.array(2)} * 1.0")
        changes = [f"{d}.update(**{{'p': {n}, 'r': {k}}})", f"{items}.sort(**{{'reverse': True}})", f"{a}.fill(*[{n}])"]
        changes += [f"{items}.append(*[{n}])", f"{items}.insert(*(1, {n}))", f"{items}.extend(*[[{n}, {k}]])"]
        changes += [f"{d}.setdefault(*['z', {n}])", f"{d}.update(*[{{'q': {m}}}], **{{'p': {n}}})", f"{a}.sort(**{{}})"]
        changes += [
            f"{items}.sort(**{{'key': lambda m: -m}})",
            f"{a}.put(*[[0], {n}])",
            f"{items}.__setitem__(*(0, {n}))",
        ]
        self.line(self.one_of(*changes))
        if self.chance(40):
            self.line(self.one_of(*changes))
        self.take(
            *(f"{d}.pop(*['p'])", f"{d}.pop(*['zz', {n}]) + {k}", f"{d}.get(*('q',))", f"{items}.pop(*[0])"),
            *(
                f"0.3 * {a}.sum(**{{'axis': 0}})",
                f"0.3 * np.sum({a}, **{{'axis': 0}})",
                f"keyed(**{{'f': {n}, 'self': {m}}})",
            ),
            *(
                f"max({items}, **{{'key': lambda m: -m}})",
                f"sorted({items}, **{{'reverse': True}})[0]",
                "{**" + d + "}['p']",
            ),
            *(f"{a}.reshape(*(2, 2))[1, 0]", f"{a}.clip(*(-0.5, 0.9)).sum()", f"keyed({n}, {m}, *{items}, needs={k})"),
            *(f"Called(*{items}, **{d}).total({n}, p={m})", f"Called({n}).total(**{{'args': {m}, 'kw': {k}}})"),
            *(f"functools.partial(keyed, **{{'f': {n}}})(needs={m})", f"{a}.take(*[[0, 2]], **{{'axis': 0}}).sum()"),
            *(
                f"dict(**{d})['q'] * {n}",
                f"0.2 * np.dot(*[{a}, {a}])",
                f"max(*{items})",
                f"sum(*[{items}], **{{'start': {n}}})",
            ),
            *(
                f"{a}.mean(*[], **{{'keepdims': False}})",
                f"folded(*[{items}], **{{'rate': {n}}})",
                f"keyed(p={n}, args={m})",
            ),
        )
