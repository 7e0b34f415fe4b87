"""Gradients of the programs of `cliff_programs` by PyTorch, JAX and autograd, from the same text.

The text is loaded once more with the rival's functions in the place of `np` and `math`. What a rival cannot run so, or
gets wrong, is left out: stores into an array that it may not change, a branch on a traced number, objects as arguments.
"""

from __future__ import annotations

import copy
import sys
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cliff_objects
import cliff_programs
import numpy as np
from cliff_programs import Program
from measure import installed

from adjoint import Tangent

Gradient = Callable[[], Any]
UNROLLED = (
    "orbit",
    "operator_class",
    "hmm_lists",
    "tree_recursion",
    "adam_object",
    "rnn_list",
    "rnn_object",
    "rnn_dict",
)
"""What is not measured: unrolled loops that take JAX minutes or 20 GB to compile, and the trace of `rnn_carry`."""


def loaded(rival: str, numbers: Any) -> types.ModuleType:
    """The programs with these functions in the place of `np` and `math`."""
    module = sys.modules[f"cliff_programs_of_{rival}"] = types.ModuleType(f"cliff_programs_of_{rival}")
    module.__dict__["numbers"] = numbers
    texts = [Path(m.__file__).read_text(encoding="utf-8") for m in (cliff_objects, cliff_programs)]
    first, *rest = texts[1].split("import cliff_objects\n")  # the objects stand in the same module
    text = (
        first
        + texts[0].replace("from __future__ import annotations\n", "")
        + "".join(rest).replace("cliff_objects.", "")
    )
    text = text.replace("import numpy as np\n", "np = numbers\n").replace("import math\n", "math = numbers\n")
    exec(compile(text, f"<{rival}>", "exec"), module.__dict__)
    return module


def converted(x: Any, make: Callable[[Any], Any], module: types.ModuleType) -> Any:
    """Arguments with their numbers and arrays in a rival's form, and objects of the classes of its module."""
    if isinstance(x, float | np.ndarray):
        return make(x)
    if isinstance(x, dict):
        return {key: converted(x[key], make, module) for key in sorted(x)}
    if isinstance(x, list | tuple):
        return type(x)([converted(item, make, module) for item in x])
    if hasattr(x, "__dict__"):
        x = copy.copy(x)
        x.__class__ = getattr(module, type(x).__name__)
        for name, item in vars(x).items():
            setattr(x, name, converted(item, make, module))
    return x


# ---- what stands for NumPy


def of_torch() -> Any:
    """PyTorch's functions, of numbers too."""
    import torch

    torch.set_num_threads(1)
    torch.set_default_dtype(torch.float64)

    def of_numbers(f: Any) -> Any:
        return lambda x: f(torch.as_tensor(x))

    names = ("tanh", "exp", "log", "sin", "cos", "sqrt", "sum", "mean", "asarray")
    found = types.SimpleNamespace(**{name: of_numbers(getattr(torch, name)) for name in names})
    found.array, found.zeros, found.dot, found.linalg = torch.as_tensor, torch.zeros, torch.matmul, torch.linalg
    return found


def by_torch(module: types.ModuleType, name: str, program: Program) -> Gradient:
    """The gradient by PyTorch, eager."""
    import torch

    moving: list[Any] = []

    def make(x: Any) -> Any:
        moving.append(torch.tensor(x, requires_grad=True))
        return moving[-1]

    f, args = getattr(module, name), list(program.args)
    for i, x in enumerate(args):
        if i in program.argnums:
            args[i] = converted(x, make, module)
        elif type(x) is not float:
            args[i] = converted(x, torch.as_tensor, module)
    return lambda: torch.autograd.grad(f(*args), moving)


def of_jax() -> Any:
    """JAX's functions."""
    import jax

    jax.config.update("jax_enable_x64", True)
    return jax.numpy


def by_jax(module: types.ModuleType, name: str, program: Program) -> Gradient:
    """The gradient by JAX, compiled once; loops are unrolled."""
    import jax

    if name in UNROLLED:
        raise NotImplementedError
    fixed = [i for i, x in enumerate(program.args) if not isinstance(x, float | np.ndarray | list | tuple | dict)]
    slope = jax.jit(jax.grad(getattr(module, name), program.argnums), static_argnums=fixed)
    args = [converted(x, jax.numpy.asarray, module) for x in program.args]
    return lambda: jax.block_until_ready(slope(*args))


def of_autograd() -> Any:
    """autograd's functions."""
    import autograd.numpy

    return autograd.numpy


def by_autograd(module: types.ModuleType, name: str, program: Program) -> Gradient:
    """The gradient by autograd."""
    import autograd

    slope = autograd.grad(getattr(module, name), program.argnums)
    args = [converted(x, lambda number: number, module) for x in program.args]
    return lambda: slope(*args)


RIVALS: dict[str, tuple[str, Callable[[], Any], Callable[..., Gradient]]] = {
    "PyTorch": ("torch", of_torch, by_torch),
    "JAX, jit": ("jax", of_jax, by_jax),
    "autograd": ("autograd", of_autograd, by_autograd),
}
"""By the head of its column: the package, what stands for NumPy, and what makes a gradient."""


def columns() -> tuple[str, ...]:
    """The rivals that are installed."""
    return tuple([name for name, (package, *_) in RIVALS.items() if installed(package)])


def gradients(name: str, program: Program, ours: Any) -> dict[str, Gradient]:
    """By rival, the gradient of a program; only what runs, and gives what ours is."""
    found = {}
    for rival in columns():
        package, functions, make = RIVALS[rival]
        try:
            theirs = make(loaded(package, functions()), name, program)
            if agree(theirs(), ours):
                found[rival] = theirs
        except Exception:  # whatever it raises: it cannot run this
            continue
    return found


def agree(theirs: Any, ours: Any) -> bool:
    """Whether two gradients have the same numbers, in the same order."""
    a, b = [*numbers_in(theirs)], [*numbers_in(ours)]
    return len(a) == len(b) and all([np.allclose(x, y, rtol=1e-8, atol=1e-10) for x, y in zip(a, b, strict=True)])


def numbers_in(x: Any) -> Iterator[Any]:
    """The numbers and arrays of a gradient."""
    if isinstance(x, dict | list | tuple):
        for item in [x[key] for key in sorted(x)] if isinstance(x, dict) else x:  # as JAX has them
            yield from numbers_in(item)
    elif isinstance(x, Tangent):
        for name in x:
            yield from numbers_in(x[name])
    elif x is not None:
        yield np.asarray(x, dtype=float)
