"""The meaning of the IR: an interpreter, slow and direct, that tests hold everything else to."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

from .nodes import UNDEF, Atom, Block, Call, Closure, Const, Function, If, Loop, Star, Undef, Var, free_variables

Environment = dict[Var, Any]


def apply(fn: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """Call a function as Python does."""
    return fn(*args, **kwargs)


def ignored(error: Exception, call: Call) -> None:
    """Nothing is done about a call that fails, but that its error goes on."""


def interpret(
    function: Function,
    *args: Any,
    apply: Callable[[Any, Any, Any], Any] = apply,
    failed: Callable[[Exception, Call], None] = ignored,
) -> Any:
    """Run a function on the values of all its parameters, the function object itself first.

    `apply(fn, args, kwargs)` makes the calls: another one may run the functions that are called by their IR too.
    `failed(error, call)` is told of a call that raises, from the innermost on.

    >>> import operator
    >>> f, x, y = Var("f"), Var("x"), Var("y")
    >>> double = Function("f", Block((f, x), (Call((y,), Const(operator.mul), (x, Const(2))),), (y,)))
    >>> interpret(double, None, 21)
    42
    """
    (result,) = _Run(apply, failed).block(function.body, args, {})
    return _known(result, getattr(function.result, "name", ""))


def value_of(atom: Atom, env: Environment) -> Any:
    """The value of an atom; UNDEF for a variable that is not bound."""
    match atom:
        case Const(value):
            return value
        case Undef():
            return UNDEF
        case _:
            return env[atom]


def _known(value: Any, name: str) -> Any:
    if value is UNDEF:
        raise UnboundLocalError(f"cannot access local variable {name!r} where it is not associated with a value")
    return value


def _read(atom: Atom, env: Environment) -> Any:
    return _known(value_of(atom, env), getattr(atom, "name", ""))


class _Run:
    def __init__(self, apply: Callable[[Any, Any, Any], Any], failed: Callable[[Exception, Call], None]) -> None:
        self.apply = apply
        self.failed = failed

    def block(self, block: Block, args: Sequence[Any], env: Environment) -> tuple[Any, ...]:
        env.update(zip(block.params, args, strict=True))
        for statement in block.statements:
            match statement:
                case Call():
                    try:
                        self.call(statement, env)
                    except Exception as error:
                        self.failed(error, statement)
                        raise
                case If(outs, _, then, orelse) if statement.is_attempt:
                    env.update(zip(outs, self.attempt(then, orelse, env), strict=True))
                case If(outs, cond, then, orelse):
                    results = self.block(then if _read(cond, env) else orelse, (), env)
                    env.update(zip(outs, results, strict=True))
                case Loop():
                    self.loop(statement, env)
                case Closure(out, function):
                    env[out] = self.closure(function, env)
        return tuple(value_of(atom, env) for atom in block.results)

    def attempt(self, then: Block, orelse: Block, env: Environment) -> tuple[Any, ...]:
        try:
            return self.block(then, (), env)
        except BaseException:
            return self.block(orelse, (), env)

    def call(self, call: Call, env: Environment) -> None:
        fn = _read(call.fn, env)
        args: list[Any] = []
        for arg in call.args:
            if isinstance(arg, Star):
                args.extend(_read(arg.value, env))
            else:
                args.append(_read(arg, env))
        kwargs: dict[str, Any] = {}
        for name, value in call.kwargs:
            kwargs.update(_read(value, env) if name is None else {name: _read(value, env)})
        result = self.apply(fn, args, kwargs)
        if len(call.outs) == 1:
            env[call.outs[0]] = result
        elif call.outs:
            env.update(zip(call.outs, result, strict=True))

    def loop(self, loop: Loop, env: Environment) -> None:
        n = loop.carried
        carried: Sequence[Any] = [value_of(init, env) for init in loop.inits]
        collected: list[list[Any]] = [[] for _ in loop.outs[n:]]
        rounds = zip(*(_read(s, env) for s in loop.sequences), strict=False) if loop.sequences else None
        while True:
            elements: tuple[Any, ...] = ()
            if rounds is not None:
                try:
                    elements = next(rounds)
                except StopIteration:
                    break
            if loop.cond is not None:
                (going,) = self.block(loop.cond, carried, env)
                if not _known(going, "condition"):
                    break
            results = self.block(loop.body, (*carried, *elements), env)
            carried = results[:n]
            for values, value in zip(collected, results[n:], strict=True):
                values.append(value)
            if loop.exit_flag is not None and carried[loop.exit_flag]:
                break
        env.update(zip(loop.outs, (*carried, *collected), strict=True))

    def closure(self, function: Function, env: Environment) -> Any:
        free = frozenset(free_variables(function.body))
        return Made(self, function, {v: x for v, x in env.items() if v in free})


class Made:
    """A function that a program has made, which runs statement by statement."""

    def __init__(self, run: _Run, function: Function, env: Environment) -> None:
        self._run, self._function, self._env = run, function, env
        self.__name__ = function.name

    def __repr__(self) -> str:
        return f"<{self.__name__}, which runs statement by statement>"

    @property
    def captured(self) -> dict[str, Any]:
        """The values that it captures, by name; those without one are `t1`, `t2`."""
        numbers = itertools.count(1)
        return {v.name or f"t{next(numbers)}": x for v, x in self._env.items()}

    def __call__(self, *args: Any) -> Any:
        (result,) = self._run.block(self._function.body, args, dict(self._env))
        return _known(result, "result")
