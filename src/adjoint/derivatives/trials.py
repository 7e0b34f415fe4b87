"""Trial runs of calls that only their run may refuse: they have no effects, as a refusal comes before any."""

from __future__ import annotations

from typing import Any

from ..errors import AdjointError
from ..rules.registry import non_differentiable
from ..runtime.dispatch import needing
from ..runtime.spec import Spec
from ..tangents.sweep import in_pass
from .choice import REFUSALS, in_structure, runs_once
from .sharing import try_in_place
from .writing import try_on_copies


def refusal_of_run(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], spec: Spec) -> AdjointError | None:
    """The refusal of a run of `f` by the structure for which `spec` has been generated; None where none comes, or
    where the program has no such run. What else the run raises is the program's own."""
    return _refusal(spec, in_structure, f, spec, args, in_pass, needing(None), f, *args, **kwargs)


def refusal_of_storing_run(f: Any, args: tuple[Any, ...], spec: Spec) -> AdjointError | None:
    """The same of a program that stores into what others can see, with one argument for each parameter: all holds
    afterwards what it held."""
    return _refusal(spec, try_on_copies, f, args, spec) if spec.writes else _refusal(spec, try_in_place, f, args)


def _refusal(spec: Spec, run: Any, /, *args: Any, **kwargs: Any) -> AdjointError | None:
    if runs_once(spec) or not spec.may_be_refused:
        return None
    try:
        run(*args, **kwargs)
    except REFUSALS as error:
        return error
    except Exception:
        return None
    return None


non_differentiable(refusal_of_run, refusal_of_storing_run)
