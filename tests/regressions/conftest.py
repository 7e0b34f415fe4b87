"""All typed programs of these tests are checked to be well formed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from storing_plans import without_plans

from adjoint.derivatives import sharing
from adjoint.ir.verification import verify
from adjoint.transforms.specialise import Specialiser


@pytest.fixture(autouse=True, scope="package")
def typed_programs_are_well_formed() -> Iterator[None]:
    run = Specialiser.run

    def verified(self: Any, *args: Any) -> Any:
        function = run(self, *args)
        if not self.context.plain and len(function.body.results) == 1:
            verify(function)
        return function

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Specialiser, "run", verified)
        yield


@pytest.fixture
def structured(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """What becomes of the calls: whether they are run by programs with references."""
    found: list[bool] = []
    call = sharing.shared_call

    def shared_call(*args: Any) -> Any:
        result = call(*args)
        found.append(result is not None)
        return result

    without_plans(monkeypatch)
    for module in ("adjoint.derivatives.shared_call", "adjoint.derivatives.sharing.shared_call"):
        monkeypatch.setattr(module, shared_call)
    return found
