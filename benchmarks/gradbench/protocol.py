"""GradBench's protocol: a JSON object a line comes in, one goes out, with the same `id` and in the same order.

Source: the description of the protocol in the repository gradbench/gradbench. Nothing here knows of any problem.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterable
from typing import Any, TextIO

from .problem import Function
from .timing import compiled, timed

PROBLEMS = ("hello", "gmm", "ba", "lstm", "ode", "lse", "llsq", "kmeans")

Message = dict[str, Any]


def serve(requests: Iterable[str], answers: TextIO) -> None:
    """Answer all requests."""
    session = Session()
    for line in requests:
        if line.strip():
            print(written(session.answer(line)), file=answers, flush=True)


def written(answer: Message) -> str:
    """An answer as JSON; JSON has no numbers that are not finite."""
    try:
        return json.dumps(answer, allow_nan=False)
    except (TypeError, ValueError) as error:
        return json.dumps({"id": answer["id"], "success": False, "error": f"no JSON: {error}"})


def refused(name: str) -> None:
    """What Python reads as a number and JSON does not have."""
    raise ValueError(f"{name} is no number of JSON")


class Session:
    """The functions that have been asked for, and for which kinds of arguments: the first call of each compiles, and is
    not among what is timed."""

    def __init__(self) -> None:
        self.met: set[tuple[str, str, Any]] = set()

    def answer(self, line: str) -> Message:
        """The answer to one line."""
        try:
            request = json.loads(line, parse_constant=refused)
        except (ValueError, RecursionError) as error:
            return {"id": None, "success": False, "error": f"no JSON: {error}"}
        if not isinstance(request, dict):
            return {"id": None, "success": False, "error": "no JSON object"}
        name = request.get("id")
        found: Message = {"id": name if isinstance(name, int | str) else None}
        match request.get("kind"):
            case "start":
                found["tool"] = "adjoint"
            case "define":
                known = request.get("module") in PROBLEMS
                found["success"] = known
                if not known:
                    found["error"] = f"unknown module: {request.get('module')}"
            case "evaluate":
                found.update(self.evaluated(request))
        return found

    def evaluated(self, request: Message) -> Message:
        """The result and the timings of a function; what it raises is told."""
        module, name = str(request.get("module")), str(request.get("function"))
        try:
            function = function_of(module, name)
            given = request["input"]
            arguments = function.read(given)
            called = module, name, kinds_of(arguments)
            first = [] if called in self.met else [compiled(lambda: function.run(*arguments))]
            self.met.add(called)
            asked = given if isinstance(given, dict) else {}
            result, timings = timed(
                lambda: function.run(*arguments), int(asked.get("min_runs", 1)), float(asked.get("min_seconds", 0.0))
            )
            return {"success": True, "output": function.write(result), "timings": [*first, *timings]}
        except Exception as error:  # a failed evaluation is an answer, not the end
            return {"success": False, "error": f"{type(error).__name__}: {error}"}


def kinds_of(x: Any) -> Any:
    """What of arguments another program is made for: their types, ranks, and which lengths are 1."""
    if isinstance(x, tuple | list):
        return type(x).__name__, tuple([kinds_of(item) for item in x])
    return type(x).__name__, tuple([n == 1 for n in getattr(x, "shape", ())])


def function_of(module: str, name: str) -> Function:
    """A function of a problem."""
    functions = functions_of(module)
    if name not in functions:
        raise LookupError(f"unknown function: {name}")
    return functions[name]


def functions_of(module: str) -> dict[str, Function]:
    """The functions of a problem, by name."""
    if module not in PROBLEMS:
        raise LookupError(f"unknown module: {module}")
    found: dict[str, Function] = importlib.import_module(f".{module}", __package__).FUNCTIONS
    return found
