"""Elementwise functions of lists and tuples, of which NumPy makes arrays: the cotangents are lists and tuples again."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import operator
from typing import Any

import numpy as np

from ...origin import module_of
from ..libraries import on_loaded
from ..registry import RULES, Back, Numeric, rule
from ..rulesets import RuleSet
from .linear import nested

Sequence = list | tuple


def take_sequences() -> None:
    """Give all elementwise functions of NumPy and SciPy that have rules by now one for lists and tuples too."""
    for rules in list(RULES.values()):
        f, call = rules.function, _call_of(rules)
        of_numpy = isinstance(f, np.ufunc) or module_of(f).partition(".")[0] == "numpy"
        if of_numpy and call is not None and f not in _TAKEN:
            _TAKEN.add(f)
            rule(f)(_sequences_rule(call))


_TAKEN: set[Any] = set()


def _call_of(rules: RuleSet) -> Any:
    """The rule that an elementwise function has for arrays: by partials, or the only one, if it is for anything."""
    by_partials = [method.call for method in rules.methods if method.partials is not None]
    if by_partials or rules.refusal is not None or len(rules.methods) != 1 or not isinstance(rules.function, np.ufunc):
        return by_partials[0] if by_partials else None
    method, accepted = rules._methods[0]
    return method.call if all(classes == (object,) for classes in accepted().types) else None


def _sequences_rule(call: Any) -> Any:
    def sequences_rule(*args: Any, **kwargs: Any) -> tuple[Any, Back]:
        y, back = call(*[np.asarray(x) if isinstance(x, list | tuple) else x for x in args], **kwargs)

        def sequences_back(y_bar: Any) -> tuple[Any, ...]:
            bars = back(y_bar)
            return tuple([nested(d, x) if isinstance(x, list | tuple) else d for d, x in zip(bars, args, strict=False)])

        return y, sequences_back

    sequences_rule.__annotations__ = {"args": Sequence | Numeric}
    return sequences_rule


OPERATORS: tuple[Any, ...] = (
    operator.add, operator.sub, operator.mul, operator.truediv, operator.mod, operator.pow,
)  # fmt: skip


def _beside_arrays(f: Any, first: Any, second: Any) -> None:
    """An operator of a list and an array: NumPy's."""
    call = _sequences_rule(_call_of(RULES[f]))

    def beside_arrays_rule(a: Any, b: Any) -> tuple[Any, Back]:
        y, back = call(a, b)
        return y, back

    beside_arrays_rule.__annotations__ = {"a": first, "b": second}
    rule(f)(beside_arrays_rule)


take_sequences()
on_loaded.append(take_sequences)
for _f in OPERATORS:
    _beside_arrays(_f, Sequence, np.ndarray)
    _beside_arrays(_f, np.ndarray, Sequence)
