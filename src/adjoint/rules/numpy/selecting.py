"""Functions that select entries by a condition, or one of several arrays entry by entry."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

from typing import Any

import numpy as np

from ...tangents import ghost
from ..registry import non_differentiable, rule
from .indexing import take_rule
from .lifting import array_rule, refuse_out
from .linear import bring_back


@rule(np.compress, linear="a")
def compress_rule(condition: Any, a: Any, axis=None, out=None):
    """y = the entries of a where a one-dimensional condition holds."""
    refuse_out(out)
    y, back = take_rule(np.asarray(a), np.flatnonzero(condition), axis)

    def compress_back(y_bar):
        return None, bring_back(back(y_bar)[0], a)

    return y, compress_back


@array_rule(np.ndarray.compress, np.generic.compress, linear="a")
def compress_method_rule(a: np.ndarray, condition: Any, axis=None, out=None):
    """`a.compress(condition)`."""
    refuse_out(out)
    return take_rule(a, np.flatnonzero(condition), axis)


@rule(np.extract, linear="arr")
def extract_rule(condition: Any, arr: Any):
    """y = the entries of the flattened array where the condition holds."""
    y, back = take_rule(np.asarray(arr), np.flatnonzero(condition))

    def extract_back(y_bar):
        return None, bring_back(back(y_bar)[0], arr)

    return y, extract_back


@rule(np.choose, linear="choices")
def choose_rule(a: Any, choices: Any, out=None, mode="raise"):
    """yᵢ = choices[aᵢ]ᵢ, so each choice has ȳ where it was chosen."""
    refuse_out(out)
    chosen = _numbers(a, len(choices), mode)
    likes = [ghost(choice) for choice in choices]

    def choose_back(y_bar):
        bars = [bring_back(np.where(np.equal(chosen, k), y_bar, 0.0), like) for k, like in enumerate(likes)]
        return None, _collected(bars, choices)

    return np.choose(a, choices, mode=mode), choose_back


@rule(np.ndarray.choose, np.generic.choose, linear="choices")
def choose_method_rule(a: Any, choices: Any, out=None, mode="raise"):
    """`a.choose(choices)`."""
    refuse_out(out)
    _, back = choose_rule(a, choices, None, mode)
    return a.choose(choices, mode=mode), back


def _numbers(a, n, mode):
    """The numbers of what is chosen, of `n` choices."""
    return np.clip(a, 0, n - 1) if mode == "clip" else np.mod(a, n) if mode == "wrap" else np.asarray(a)


def _collected(bars, choices):
    """Cotangents in the structure of the argument that held the choices."""
    if isinstance(choices, np.ndarray):
        return np.stack(bars)
    return tuple(bars) if isinstance(choices, tuple) else bars


@rule(np.select, linear="choicelist+default | condlist")
def select_rule(condlist: Any, choicelist: Any, default: Any = 0):
    """yᵢ = the choice of the first condition that holds at i, else the default."""
    chosen = np.select(condlist, [np.asarray(k) for k in range(len(condlist))], -1)
    likes = [ghost(choice) for choice in choicelist]

    def select_back(y_bar):
        bars = [bring_back(np.where(chosen == k, y_bar, 0.0), like) for k, like in enumerate(likes)]
        default_bar = bring_back(np.where(chosen == -1, y_bar, 0.0), default)
        return None, _collected(bars, choicelist), default_bar

    return np.select(condlist, choicelist, default), select_back


non_differentiable(_numbers)
