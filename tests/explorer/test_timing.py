"""Times of lines: what a tracer looks up."""

from __future__ import annotations

from types import CodeType

from adjoint.explorer.sources import Sources
from adjoint.explorer.timing import Clock


class Counted(dict[CodeType, str]):
    """Halves that count how often code is looked up: Python hashes all of it each time."""

    times = 0

    def get(self, code: CodeType, default: str | None = None) -> str | None:  # type: ignore[override]
        self.times += 1
        return super().get(code, default)

    def __getitem__(self, code: CodeType) -> str:
        self.times += 1
        return super().__getitem__(code)

    def __contains__(self, code: object) -> bool:
        self.times += 1
        return super().__contains__(code)


def test_code_is_looked_up_once() -> None:
    def half(n: int) -> int:
        t = 0
        for _ in range(n):
            t += other(1)
        return t

    def other(n: int) -> int:
        return n

    halves = Counted({half.__code__: "forward"})
    clock = Clock(halves, Sources(), 0.0)
    assert clock.run(lambda: half(100)) == 100
    assert clock.events > 200 and halves.times == 3
