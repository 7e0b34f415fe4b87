"""What a call costs, counted and not timed: instructions of Python, large blocks of memory, the most that is held."""

from __future__ import annotations

import gc
import sys
import tracemalloc
from collections.abc import Callable
from types import FrameType
from typing import Any


def instructions(f: Callable[..., Any], *args: Any) -> int:
    """How many instructions of Python's virtual machine `f(*args)` runs, callees included."""
    count = 0

    def at_instruction() -> None:
        nonlocal count
        count += 1

    _at_each_instruction(at_instruction, f, args)
    return count


def calls(f: Callable[..., Any], *args: Any) -> int:
    """How many functions written in Python `f(*args)` enters: less telling than instructions, and counted faster."""
    count = 0

    def at_event(frame: FrameType, event: str, _: Any) -> None:
        nonlocal count
        count += event == "call"

    previous = sys.getprofile()
    sys.setprofile(at_event)
    try:
        f(*args)
    finally:
        sys.setprofile(previous)
    return count


def large_blocks(size: int, f: Callable[..., Any], *args: Any) -> int:
    """How many instructions of `f(*args)` take up at least `size` bytes that were not held before."""
    count = 0

    def at_instruction() -> None:
        nonlocal count
        held, most = tracemalloc.get_traced_memory()
        if most - before[0] >= size:
            count += 1
        before[0] = held
        tracemalloc.reset_peak()

    tracemalloc.start()
    try:
        before = [tracemalloc.get_traced_memory()[0]]
        _at_each_instruction(at_instruction, f, args)
    finally:
        tracemalloc.stop()
    return count


def most_held(f: Callable[..., Any], *args: Any) -> int:
    """The most bytes that `f(*args)` holds at once, beyond what was held before."""
    gc.collect()
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        tracemalloc.reset_peak()
        f(*args)
        return tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()


def _at_each_instruction(act: Callable[[], None], f: Callable[..., Any], args: tuple[Any, ...]) -> None:
    if sys.version_info >= (3, 12):
        _monitored(act, f, args)
    else:
        _traced(act, f, args)


def _monitored(act: Callable[[], None], f: Callable[..., Any], args: tuple[Any, ...]) -> None:
    monitoring: Any = sys.monitoring  # type: ignore[attr-defined,unused-ignore]
    tool, instruction = 3, monitoring.events.INSTRUCTION  # 3: neither a debugger, a profiler nor coverage
    monitoring.use_tool_id(tool, __name__)
    monitoring.register_callback(tool, instruction, lambda code, offset: act())
    monitoring.set_events(tool, instruction)
    try:
        f(*args)
    finally:
        monitoring.set_events(tool, 0)
        monitoring.register_callback(tool, instruction, None)
        monitoring.free_tool_id(tool)


def _traced(act: Callable[[], None], f: Callable[..., Any], args: tuple[Any, ...]) -> None:
    def trace(frame: FrameType, event: str, _: Any) -> Any:
        if event == "call":
            frame.f_trace_lines = False
            frame.f_trace_opcodes = True
        elif event == "opcode":
            act()
        return trace

    previous = sys.gettrace()
    sys.settrace(trace)
    try:
        f(*args)
    finally:
        sys.settrace(previous)
