"""Questions that give a run up before it acts: the call is recorded, and the next may do without."""

from __future__ import annotations

from typing import Any

from ..errors import GivenUpError, calling_place
from ..origin import own_name
from ..rules.registry import non_differentiable
from ..tangents.sweep import thread


def may_act(f: Any, /) -> None:
    """Give a run up that may have to be done again, before it calls what does more than compute, or may."""
    if thread.state.trial:
        raise GivenUpError(
            f"`{own_name(f) or type(f).__name__}` does more than compute, or may",
            "the program may have to be run again, and would do it twice",
            "call it outside of what is differentiated",
            calling_place(),
        )


def if_refused(value: Any, test: Any, /, *args: Any, **kwargs: Any) -> None:
    """A question of a program that may act: it is asked in a run that may be refused, and is no reason for one."""
    test(value, *args, **kwargs)


non_differentiable(if_refused, may_act)
