"""The error for what can neither be looked into nor has a rule."""

from __future__ import annotations

import sys
import types
from typing import Any

import numpy as np

from ..errors import AdjointError, NoRuleError, NotDifferentiableError, UnsupportedSyntaxError, calling_place
from ..origin import module_of, own_name
from ..rules.faithful import special
from ..rules.libraries import FOLLOWED
from ..rules.registry import has_rules
from ..tangents.data import framework_of, in_data, refused_framework
from ..transforms.infer import OF_PYTHON
from ..wrappers import function_of


def _full_name(f: Any) -> str:
    """The name of a function with its module: that by which it is imported."""
    qualified = getattr(f, "__qualname__", None)
    name = (qualified if isinstance(qualified, str) else "") or own_name(f) or repr(f)
    module = module_of(f)
    if module and not name.startswith("_"):
        for public in (module.lstrip("_"), module.partition("._")[0]):
            found = getattr(sys.modules.get(public), name, None)
            if found is f or getattr(found, "__wrapped__", found) is f:
                module = public
    return f"{module}.{name}" if module and module != "builtins" else name


def _is_compiled(module: str | None) -> bool:
    """Tell whether a module is written in C."""
    origin = getattr(getattr(sys.modules.get(module or ""), "__spec__", None), "origin", None)
    return origin == "built-in" or (origin or "").endswith((".so", ".pyd"))


def _of_wrapper(f: Any, wrapped: Any) -> AdjointError:
    """The error for a callable in C around a function."""
    cls = type(f)
    return NoRuleError(
        f"a `{cls.__module__}.{cls.__name__}` around `{_full_name(wrapped)}` meets a value that is differentiated",
        "what it does before and after the call is not written in Python, so that there is no source to look into",
        "wrap the function by one in Python, or call what it is around, which is its `__wrapped__`",
        calling_place(),
    )


def _is_of_numba(f: Any) -> bool:
    """Tell whether a callable is a ufunc that Numba compiles, or its call."""
    owners = (type(f), type(getattr(f, "__self__", None)), getattr(f, "__objclass__", type))
    return any([base.__name__ == "_DUFunc" for owner in owners for base in type.mro(owner)])


_TABLE = ', `df["a"].to_numpy()`,'
_TAKEN = {
    "pandas": _TABLE,
    "polars": _TABLE,
    "pyarrow": _TABLE,
    "xarray": ", `a.to_numpy()`,",
    "dask": ", `x.compute()`,",
}
"""Ways to take numbers out of what libraries of data hold."""


def _of_data(full: str, library: str) -> AdjointError:
    """The error for a function of a library of data."""
    other = ""
    if library in ("pandas", "xarray") and library not in FOLLOWED:
        other = f"; or `import adjoint.interop.{library}`, which has rules for much of it"
    elif library in ("dask", "distributed"):
        other = "; `adjoint.dask.value_and_grad(loss)` differentiates a sum over partitions"
    taken = _TAKEN.get(library, "")
    return NoRuleError(
        f"there is no rule for `{full}`, which meets a value that is differentiated",
        f"`{library}` is a library of data, whose code is not looked into: numbers come out of it as constants",
        f"take the numbers out first{taken} and compute with arrays{other}",
        calling_place(),
    )


def _of_framework(f: Any, full: str, framework: str, maker: str) -> AdjointError:
    """The error for a function of a framework with derivatives of its own."""
    name, root = own_name(f), full.partition(".")[0]
    if getattr(sys.modules.get(root), name, None) == f:
        full = f"{root}.{name}"  # `torch.sin`, which is a method of a class without a public name
    what = f"there is no rule for `{full}`, which meets a value that is differentiated"
    return refused_framework(what, framework, maker)


def no_rule(f: Any, args: tuple[Any, ...] = ()) -> AdjointError:
    """The error for a function that can neither be looked into nor has a rule, of these arguments."""
    full = _full_name(f)
    module = module_of(f)
    if not callable(f):
        return NotDifferentiableError(
            f"{f!r} is not callable", "only functions are differentiated", "pass a function", calling_place()
        )
    if (library := next((m for m in (module, *[type(x).__module__ for x in args]) if in_data(m)), None)) is not None:
        return _of_data(full, library.partition(".")[0])
    written = getattr(f, "__globals__", {}).get("__name__")  # `jax.grad(f)` says that it is of the module of `f`
    owners = (module, written, type(getattr(f, "__self__", None)).__module__, type(f).__module__)
    if (framework := next(filter(None, map(framework_of, owners)), None)) is not None:
        return _of_framework(f, full, *framework)
    if _is_of_numba(f):
        return NoRuleError(
            "a ufunc that Numba compiles (`@vectorize`) meets a value that is differentiated",
            "what it computes is compiled code, and no rule looks into it",
            "write it with functions of NumPy, or as a loop under `@njit`",
            calling_place(),
        )
    if isinstance(f, np.ufunc) and function_of(f) is not None:
        return NoRuleError(
            f"`{f.__name__}`, made by `numpy.frompyfunc`, meets a value that is differentiated",
            "it gives arrays of objects, and no rule looks into what these are",
            "use `np.vectorize(f, otypes=[float])`",
            calling_place(),
        )
    if not isinstance(f, type) and (wrapped := getattr(f, "__wrapped__", None)) is not None and not has_rules(f):
        return _of_wrapper(f, wrapped)
    why = "it is not written in Python, so that there is no source to look into"
    if isinstance(f, type) and f.__flags__ & OF_PYTHON and not _is_compiled(module):
        why = "how this class makes its objects is not looked into: by `__new__`, an `InitVar`, or its own class"
    elif has_rules(f):
        why = "its rules are for arguments of other types"
    elif found := special(full):
        return NoRuleError(
            f"there is no rule for `{full}`, which meets a value that is differentiated", *found, calling_place()
        )
    elif (module or "").partition(".")[0] == "numpy":
        why = "functions of NumPy are not looked into, and this one has no rule"
    elif type(f) is types.FunctionType:
        why = f"the functions of `{module}` are not looked into, and this one has no rule"
    hidden = any([part.startswith(("_", "<")) and not part.endswith("__") for part in full.split(".")])
    rule = "`@adjoint.rule(...)` of the function of yours that calls it" if hidden else f"`@adjoint.rule({full})`"
    return NoRuleError(
        f"there is no rule for `{full}`, which meets a value that is differentiated",
        why,
        f"write a rule: {rule}, or cut the derivative with `adjoint.stop_gradient`",
        calling_place(),
    )


def refuse_asynchronous(f: Any) -> None:
    """Raise for a coroutine, or an asynchronous generator."""
    if f.__code__.co_flags & 0x380:
        raise UnsupportedSyntaxError(
            f"`{f.__name__}` is asynchronous",
            "what runs in between its steps is not known here",
            "write it without `async`",
            calling_place(),
        )


def unknown_keyword(name: str, keyword: str) -> NoRuleError:
    """The refusal of a keyword that a function has and its rule has not."""
    return NoRuleError(
        f"the rule of `{name}` is not written for the keyword `{keyword}`",
        "what the function does with it may have another derivative",
        "leave it off, or write a rule that takes it",
        calling_place(),
    )
