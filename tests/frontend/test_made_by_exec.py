"""Functions that `exec` has made under the name of a real file: their text is nowhere."""

from __future__ import annotations

from typing import Any

import pytest

from adjoint import SourceUnavailableError, gradient


def made(text: str, line: int, **names: Any) -> Any:
    scope: dict[str, Any] = {}
    exec(compile("\n" * (line - 1) + text, __file__, "exec"), names, scope)
    return scope["f"]


@pytest.mark.parametrize("line", [1, 12, 1000])
def test_the_reason_is_true(line: int) -> None:
    f = made("def f(self, *params, **kwargs):\n    return g(self, *params)\n", line, g=lambda x: x * x)
    with pytest.raises(SourceUnavailableError, match="made by `exec` under the name of a file that does not hold it"):
        gradient(f, 3.0)
