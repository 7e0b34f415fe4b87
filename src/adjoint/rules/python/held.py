"""Rules of what functions are taken apart and made again by: see `rules.holding`."""

from __future__ import annotations

from typing import Any

from ...tangents import add_at_location, field_bar, tangent
from ..holding import captured, labels_of, location_of, made_again, refuse_object, shares
from ..registry import Back, non_differentiable, rule

non_differentiable(shares, location_of, labels_of, refuse_object)


@rule(captured)
def captured_rule(f: Any, i: int) -> tuple[Any, Back]:
    """Add what flows to a variable that may be bound anew at its place; give what flows to any other to the
    function."""
    location, name = location_of(f, i), labels_of(f)[0][i]

    def captured_back(y_bar: Any) -> tuple[Any, ...]:
        if location is None:
            return tangent(f, (name,), y_bar), None
        add_at_location(location, y_bar)
        return tangent(f, ()), None  # who made the function has to run back

    return captured(f, i), captured_back


@rule(made_again)
def made_again_rule(f: Any, values: list[Any]) -> tuple[Any, Back]:
    """Take apart what flows to the captures; the rest is for the defaults."""
    names, others = labels_of(f)

    def made_again_back(y_bar: Any) -> tuple[Any, ...]:
        rest = tangent(f, others, *[field_bar(y_bar, name) for name in others])
        return rest, [field_bar(y_bar, name) for name in names]

    return made_again(f, values), made_again_back
