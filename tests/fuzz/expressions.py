"""Random expressions. Values stay small: products are damped, divisors are at least one."""

from __future__ import annotations

from collections.abc import Callable

from .scope import Scope

Options = list[Callable[[], str]]


class Expressions(Scope):
    """What a scope may calculate."""

    def number(self, depth: int = 0) -> str:
        if depth > 2 or self.chance(30):
            return self.leaf()
        n = lambda: self.number(depth + 1)  # noqa: E731
        options: Options = [
            lambda: f"({n()} + {n()})",
            lambda: f"({n()} - {n()})",
            lambda: f"0.5 * {n()} * {n()}",
            lambda: f"math.{self.one_of('sin', 'cos', 'tanh')}({n()})",
            lambda: f"({n()} / (1.0 + {self.leaf()} ** 2))",
            lambda: f"({n()} if {self.condition()} else {n()})",
            lambda: f"{self.one_of('max', 'min')}({n()}, {n()})",
            lambda: f"halved({n()}, {self.one_of(0, 2, 3)})",
            lambda: f"-abs({n()})",
        ]
        if self.has("l"):
            options += self.of_list(depth)
        if self.has("a"):
            options += [
                lambda: f"{self.some('a')}[{self.one_of(0, 1, 2, 3, -1)}]",
                lambda: f"np.tanh({self.array(depth + 1)}).sum()",
                lambda: f"0.3 * ({self.array(depth + 1)} @ {self.array(depth + 1)})",
                lambda: f"{self.some('a')}.{self.one_of('mean', 'max', 'min')}()",
            ]
        if self.has("b"):
            options += [lambda: f"{self.some('b')}.sum()", lambda: f"{self.some('b')}[{self.one_of(0, 1)}]"]
        if self.has("d"):
            options += [
                lambda: f"{self.some('d')}['{self.one_of('p', 'q')}']",
                lambda: f"0.3 * sum({self.some('d')}.values())",
                lambda: f"{self.some('d')}.get('{self.one_of('p', 'z')}', {n()})",
            ]
        if self.has("o"):
            options += [
                lambda: f"{self.some('o')}.{self.one_of('v', 'w', 'norm')}",
                lambda: f"0.5 * {self.some('o')}.mixed({n()})",
                lambda: f"math.tanh(({self.some('o')} + {self.some('o')}).v)",
            ]
        if self.has("q"):
            options += [
                lambda: f"{self.some('q')}[{self.one_of(0, 1, -1)}]",
                lambda: f"0.3 * sum({self.some('q')})",
                lambda: f"{self.some('q')}.kept[0]",
            ]
        if self.has("f"):
            options += [lambda: f"math.tanh({self.some('f')}({n()}))"]
        if self.has("i"):
            options += [lambda: f"0.3 * {self.some('i')} * {n()}"]
        if self.may("effects"):
            options += [lambda: "STATE[0]", lambda: "math.tanh(STATE[-1])"]
        return self.one_of(*options)()

    def of_list(self, depth: int) -> Options:
        n = lambda: self.number(depth + 1)  # noqa: E731
        options: Options = [
            lambda: f"{self.some('l')}[{self.one_of(0, 1, 2, -1)}]",
            lambda: f"0.3 * sum({self.items(depth + 1)})",
            lambda: f"folded({self.some('l')}, {n()}, rate={n()} * 0.3)",
            lambda: f"folded(*[{self.some('l')}, {n()}], **{{'rate': 0.3}})",
            lambda: f"math.tanh({self.one_of('max', 'min')}({self.some('l')}))",
            lambda: f"sum(0.3 * p * q for p, q in zip({self.some('l')}, {self.items(depth + 1)}))",
        ]
        if self.may("generators"):
            options += [
                lambda: f"0.3 * sum(itertools.islice(running({self.some('l')}), {self.one_of(1, 2, 3)}))",
                lambda: f"math.tanh(next(running({self.some('l')})))",
                lambda: f"0.2 * sum(twice({self.some('l')}))",
                lambda: f"next((m for m in {self.some('l')} if m > 0.5), {n()})",
            ]
        return options

    def leaf(self) -> str:
        return self.some("n") if self.chance(85) else self.one_of("0.3", "0.7", "1.1", "-0.4", "2")

    def condition(self) -> str:
        simple = f"{self.leaf()} {self.one_of('<', '>', '<=')} {self.one_of('0.2', '0.5', '1.1', '-0.3')}"
        if self.has("i") and self.chance(40):
            simple = f"{self.some('i')} {self.one_of('==', '!=', '<')} {self.one_of(0, 1, 2)}"
        if self.chance(20):
            return f"{simple} {self.one_of('and', 'or')} {self.leaf()} < 0.9"
        return f"not {simple}" if self.chance(10) else simple

    def items(self, depth: int = 0) -> str:
        """A list of three numbers or more."""
        n = lambda: self.number(depth + 1)  # noqa: E731
        options: Options = [lambda: f"[{n()}, {n()}, {n()}]"]
        if self.has("l"):
            k = self.some("l")
            options += [
                lambda: k,
                lambda: f"[{self.over('m')} for m in {k}]",
                lambda: f"[m * {n()} for j, m in enumerate({k}) if j < 3 or m > 0.5]",
                lambda: f"({k} + [{n()}])",
                lambda: f"[{n()}, *{k}]",
                lambda: f"{k}[::-1]",
                lambda: f"{k}.copy()",
                lambda: f"sorted({k})",
                lambda: f"list(map(lambda m: {self.over('m')}, {k}))",
                lambda: f"list(itertools.accumulate({k}))",
                lambda: f"[m + p for m in {k}[:2] for p in {k}[:2]]",
            ]
            if self.may("generators"):
                options += [lambda: f"list(running({k}))", lambda: f"[*twice({k})]"]
        if self.has("a"):
            options += [lambda: f"list({self.some('a')})", lambda: f"{self.some('a')}.tolist()"]
        if self.has("d"):
            options += [lambda: f"[{n()}, {n()}, *{self.some('d')}.values()]"]
        return self.one_of(*options)()

    def over(self, name: str) -> str:
        """An expression of one more number, which is bound by a comprehension or a lambda."""
        return self.one_of(
            f"{name} * {self.leaf()}", f"math.sin({name}) - {self.leaf()}", f"0.5 * {name} * {name} + {self.leaf()}"
        )

    def array(self, depth: int = 0) -> str:
        """An array of four numbers."""
        if depth > 2:
            return self.some("a")
        a, n = self.some("a"), lambda: self.number(depth + 1)
        options: Options = [
            lambda: a,
            lambda: f"({a} * {n()})",
            lambda: f"({a} - 0.5 * {self.array(depth + 1)})",
            lambda: f"np.{self.one_of('sin', 'tanh', 'abs')}({self.array(depth + 1)})",
            lambda: f"{a}[::-1]",
            lambda: f"np.where({a} > {self.one_of('0.1', '0.6')}, {self.array(depth + 1)}, {n()})",
            lambda: f"{a}[[0, 2, 2, 1]]",
            lambda: f"np.array([{n()}, {n()}, {n()}, {n()}])",
            lambda: f"({a}.reshape(2, 2) @ np.ones((2, 2)) * 0.4).ravel()",
            lambda: f"np.concatenate([{a}[:2], {a}[1:3]])",
            lambda: f"{a}.copy()",
            lambda: f"np.cumsum({a}) * 0.3",
            lambda: f"{a}.reshape(2, 2).T.ravel()",
        ]
        return self.one_of(*options)()

    def pair(self) -> str:
        """An array of two numbers: a part of one of four, often a view of it."""
        a = self.some("a")
        return self.one_of(
            *(f"{a}[1:3]", f"{a}[::2]", f"{a}[:2] * 0.5", f"{a}[::-1][1:3]", f"{a}.reshape(2, 2)[1]"),
            *(f"{a}.reshape(2, 2).T[0]", f"tail({a})", f"{a}[2:].copy()"),
        )
