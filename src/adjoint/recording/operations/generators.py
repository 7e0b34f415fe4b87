"""Generators: a recorded generator is a stream, and its reverse program a generator that runs the other way.

The reverse stops where the forward stopped: at each `yield` it waits for the cotangent of what was given there, and
gives that of what was sent.
"""

from __future__ import annotations

import functools
import sys
from typing import Any

from ...errors import AdjointError, UnsupportedSyntaxError
from ...runtime.binding import check_arguments
from ..program import Program
from ..sweep import Sweep, add, is_valued
from ..unended import note_open
from .base import HANDLERS, NOTHING, Back, Record, Result, does, handles_methods, nothing, with_first
from .functions import arranged, run
from .iteration import stream_of
from .streaming import Pair, Stream, is_stream, level
from .streams import let_go


class Tape:
    """The part of a generator that its steps hold on to: not the generator, which ends when the program lets go of
    it."""

    __slots__ = ("lost", "program", "steps")

    def __init__(self, program: Any, steps: list[Any]) -> None:
        self.program = program
        self.steps = steps
        self.lost = False  # whether it is not known when its last steps ran

    def given(self, sweep: Sweep, y_bar: Any) -> Any:
        """The reverse of a call that gave something; the operand is what was sent."""
        running = sweep.generators.get(id(self))
        if running is None:
            self._check_let_go()
            running, _ = self._reverse(sweep, None)
        return None, self._run(sweep, running, y_bar), *NOTHING[:8]

    def ended(self, error: Any = None) -> Back:
        """The reverse of the call that let it come to its end."""

        def ended_back(sweep: Sweep, y_bar: Any) -> Any:
            result = sweep.take(self, "result")
            if error is not None:
                args = sweep.take(error, ".args")
                result = add(result, add(sweep.take(error, ".value"), args[0] if args else None))
            return y_bar, self._reverse(sweep, result)[1], *NOTHING[:8]

        return ended_back

    def _check_let_go(self) -> None:
        """The interpreter has ended it, which a recording of this recording does not see."""
        self.lost = self.lost or level() > 0 and self.program.cleans_up

    def let_go(self, sweep: Sweep, y_bar: Any) -> Any:
        """The reverse of what a loop did that has let it go."""
        self._check_let_go()
        return self.left(sweep, y_bar)

    def left(self, sweep: Sweep, y_bar: Any) -> Any:
        """The reverse of what ended it in between."""
        self._reverse(sweep, sweep.take(self, "result"))
        return NOTHING

    def _reverse(self, sweep: Sweep, y_bar: Any) -> tuple[Any, Any]:
        """The reverse program, and the cotangent of what was sent last; it is at the last `yield` now."""
        if self.lost:
            raise self.refused()
        running = self.program.reverse(self.steps, sweep, y_bar)
        sweep.generators[id(self)] = running
        return running, self._run(sweep, running, None)

    def _run(self, sweep: Sweep, running: Any, d: Any) -> Any:
        try:
            return running.send(d)
        except StopIteration as stop:
            sweep.add(self, "bars", stop.value)
            return None

    def refused(self) -> AdjointError:
        """The refusal of a generator that does something at a time that is not known."""
        return UnsupportedSyntaxError(
            "a generator is abandoned before its end, and does something after that, in its `finally` or `with`",
            "when this happens is up to the interpreter",
            "end it where you are done with it: `generator.close()`, or `with contextlib.closing(...)`",
            self.program.place(),
        )


@does("generator")
def begin(program: Program, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Result:
    """A call of a function with a `yield`."""
    layout, tape = program.layout(f, len(args), tuple(kwargs)), Tape(program, [])
    try:
        begun = program.forward_of(f)(tape.steps.append, *args, **kwargs)
    except TypeError:
        check_arguments(f, args, kwargs)
        raise

    def begin_back(sweep: Sweep, y_bar: Any) -> Any:
        bars = sweep.take(tape, "bars")
        return NOTHING if bars is None else (None, *arranged(sweep, layout, bars))

    return Generator(begun, tape), begin_back


class Generator(Stream):
    """A generator of a program that is differentiated."""

    def __init__(self, running: Any, tape: Tape) -> None:
        self.running = running
        self.tape = tape
        if tape.program.runs_at_end:
            note_open(self)

    def step(self, record: Record, k: int) -> Pair:
        return self.advance(record, k, self.running.send, None)

    def advance(self, record: Record, k: int, how: Any, *given: Any) -> Pair:
        """Let it run on; the operand of `back` is what was sent."""
        before = self.running.gi_frame
        try:
            y = how(*given)
        except StopIteration as error:
            if before is not None:
                record((k, self.tape.ended(error if is_valued(error.value) else None)))
            raise
        except BaseException:
            if before is not None:
                record((k, self.tape.ended()))
            raise
        return y, self.tape.given

    @property
    def gi_running(self) -> bool:
        """True if it is running."""
        return bool(self.running.gi_running)

    @property
    def gi_frame(self) -> Any:
        """Its frame, None once it has come to its end."""
        return self.running.gi_frame

    def send(self, value: Any) -> Any:
        """Only as an operation."""
        return next(self)

    def throw(self, *error: Any) -> Any:
        """Only as an operation."""
        return next(self)

    def close(self) -> None:
        """End it, when the program has let go of it, or by code that is not recorded."""
        steps = self.tape.steps
        n = len(steps)
        self.running.close()
        if any(back is not None and back is not nothing for _, back in steps[n:]):
            self.tape.lost = not let_go(self.tape)

    def __del__(self) -> None:
        """Close it, as the interpreter does with any generator that is let go of, while it can still import."""
        if not sys.is_finalizing():
            self.close()


def _shifted(record: Record) -> Record:
    """Steps with the generator itself as the first operand."""
    return lambda step: record((step[0], with_first(step[1])))


def _send(record: Record, k: int, self: Any, args: Any, kwargs: Any) -> Result:
    y, back = self.advance(_shifted(record), k, self.running.send, *args)
    return y, with_first(back)


def _throw(record: Record, k: int, self: Any, args: Any, kwargs: Any) -> Result:
    y, back = self.advance(_shifted(record), k, self.running.throw, *args)
    return y, lambda sweep, y_bar: (back(sweep, y_bar)[0], *NOTHING)


def _close(record: Record, k: int, self: Any, args: Any, kwargs: Any) -> Result:
    if self.running.gi_frame is None:
        return None, nothing
    self.running.close()
    return None, self.tape.left


def _as_method(handler: Any, record: Record, k: int, f: Any, args: Any, kwargs: Any) -> Result:
    if not is_stream(args[0]):
        return run(record, k, f, args, kwargs)
    return handler(record, k, args[0], args[1:], kwargs)  # type: ignore[no-any-return]


for _method, _handler in ((Generator.send, _send), (Generator.throw, _throw), (Generator.close, _close)):
    HANDLERS[_method] = functools.partial(_as_method, _handler)


def delegated(record: Record, k: int, each: int, stop: int, resume: int, end: int, x: Any) -> Any:
    """`yield from x`: the items of `x`, what is sent and thrown in handed on, and in the end what `x` returns."""
    stream, back = stream_of(record, k, x)
    record((k, back))
    how: Any = None
    sent: Any = None
    while True:
        try:
            y, back = _advanced(stream, record, each, end, how, sent)
        except StopIteration as over:
            if not isinstance(stream, Generator):
                record((end, _of_value(over)))
            return over.value
        record((each, back))
        record((stop, None))
        try:
            sent = yield y
            how = None if sent is None else "send"
        except GeneratorExit:
            if isinstance(stream, Generator):
                stream.running.close()
                record((end, stream.tape.ended()))
            raise
        except BaseException as error:
            sent, how = error, "throw"
        else:
            record((resume, None))


def _advanced(stream: Stream, record: Record, each: int, end: int, how: Any, sent: Any) -> Pair:
    if not isinstance(stream, Generator):
        if how == "throw":
            raise sent
        return stream.step(record, each)
    called = stream.running.throw if how == "throw" else stream.running.send
    steps: list[Any] = []
    try:
        return stream.advance(steps.append, each, called, sent)
    except StopIteration:
        record((end, _with_result(stream, steps[-1][1]) if steps else nothing))
        raise
    except BaseException:
        record((end, steps[-1][1] if steps else nothing))
        raise


def _of_value(over: StopIteration) -> Back:
    """The reverse of taking what an iterator of the user's gave as it came to its end."""
    if not is_valued(over.value):
        return nothing

    def value_back(sweep: Sweep, y_bar: Any) -> Any:
        sweep.add(over, ".value", y_bar)
        return NOTHING

    return value_back


def _with_result(stream: Generator, back: Back) -> Back:
    tape = stream.tape

    def with_result_back(sweep: Sweep, y_bar: Any) -> Any:
        sweep.add(tape, "result", y_bar)
        return (None, back(sweep, None)[1])

    return with_result_back


__all__ = ["Generator", "delegated", "handles_methods"]
