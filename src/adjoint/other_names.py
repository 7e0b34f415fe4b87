"""The names that other libraries and version 0.1 have for the things that are here, so that who asks for their names is
told ours."""

from __future__ import annotations

import opcode
import sys

from .errors import MissingNameError, calling_place

_CODE = "leave it out: programs are ordinary Python and NumPy"
_PULLBACK = "write `y, back = adjoint.pullback(f, x)`, then `back(1.0)`; for gradients `adjoint.gradient(f, x)`"
_RULE = "write `@adjoint.rule(f)` above a function that returns `(y, back)`"
_TREES = "write `adjoint.nn.tree_map` and its like, for any nesting of records, lists, tuples and dicts"
_LOOP = "write Python's own loops and branches"
_SHAPES = "call the function: programs are ordinary Python, and a call without a derivative notes nothing"
_STOP = "write `adjoint.stop_gradient(x)`"
_JACOBIAN = 'write `adjoint.jacobian(f)`, with `mode="forward"` or `mode="reverse"` where that matters'

OF_OTHERS = {
    # JAX
    "jit": "write `adjoint.compile(f)` or `grad(f, compile=True)` for loops over numbers; NumPy needs none",
    "jacfwd": _JACOBIAN,
    "jacrev": _JACOBIAN,
    "custom_vjp": _RULE,
    "custom_jvp": "write `@adjoint.rules.scalar_rule(f)`: partial derivatives serve both modes",
    "custom_gradient": _RULE,
    "numpy": "write `import numpy as np`: NumPy itself is differentiated",
    "scipy": "write `import scipy`: SciPy itself is differentiated",
    "scan": _LOOP,
    "while_loop": _LOOP,
    "fori_loop": _LOOP,
    "cond": _LOOP,
    "switch": _LOOP,
    "vectorize": "write `adjoint.vmap(f)`: it maps along one axis; call it twice for two",
    "eval_shape": _SHAPES,
    "device_put": "leave it out: there is one device, and arrays are NumPy's",
    "ravel_pytree": "write `vector, unravel = adjoint.nn.ravel(model)`",
    "lax": f"{_LOOP}; for `lax.stop_gradient`, {_STOP.removeprefix('write ')}",
    "random": "write `rng = np.random.default_rng(seed)`, and draw from it",
    "tree": _TREES,
    "tree_map": _TREES,
    "tree_util": _TREES,
    "remat": "write `adjoint.checkpoint(f)`",
    "checkpointed": "write `adjoint.checkpoint(f)`",
    "pmap": "there is one device: write a loop, or processes of your own",
    "make_jaxpr": "write `adjoint.inspect.code_ir(f, x)`, or `code_adjoint` for the derivative",
    # autograd
    "defvjp": _RULE,
    "primitive": _RULE,
    "make_vjp": "write `adjoint.vjp(f, x)`: the value, and the map of cotangents",
    "make_jvp": "write `adjoint.linearize(f, x)`: the value, and the map of tangents",
    "grad_and_aux": "write `adjoint.grad(f, has_aux=True)`",
    "make_hvp": "write `adjoint.hvp(f, (x,), (v,))`",
    "hessian_vector_product": "write `adjoint.hvp(f, (x,), (v,))`",
    "make_ggnvp": "write `adjoint.calculus.ggnvp(f, loss, (x,), (v,))`",
    "grad_named": 'write `adjoint.grad(f, argnums="name")`',
    "multigrad_dict": 'write `adjoint.grad(f, argnums=("a", "b"))`: a tuple in that order',
    "holomorphic_grad": "write `adjoint.calculus.derivative(f)`",
    "egrad": "write `adjoint.calculus.elementwise_grad(f)`",
    "deriv": "write `adjoint.calculus.derivative(f)`",
    # PyTorch
    "tensor": _CODE,
    "Tensor": _CODE,
    "Variable": _CODE,
    "requires_grad": "leave it out: `adjoint.gradient(f, x)` says what is differentiated",
    "no_grad": f"leave it out: nothing is noted outside of a derivative; within one, {_STOP.removeprefix('write ')}",
    "enable_grad": _CODE,
    "set_grad_enabled": _CODE,
    "inference_mode": _CODE,
    "functional_call": "leave it out: a model is an argument like any other, `loss(model, x)`",
    "vhp": "write `adjoint.hvp(f, (x,), (v,))`: a Hessian is symmetric",
    "detach": _STOP,
    "backward": _PULLBACK,
    "func": "write `adjoint.grad(f)`, `jacobian`, `hessian`, `vjp`, `jvp`: they stand at the top",
    "autograd": "write `adjoint.gradient(f, x)`; a rule of your own is `@adjoint.rule(f)`",
    "optim": "write `adjoint.nn.optimizers`",
    "Module": "write a dataclass, or any class: nothing has to be registered",
    "Function": _RULE,
    # TensorFlow
    "GradientTape": _PULLBACK,
    "stop_grad": _STOP,
    # Zygote
    "params": "write `adjoint.gradient(loss, model)`: the gradient has the fields of the model",
    "Params": "write `adjoint.gradient(loss, model)`: the gradient has the fields of the model",
    "ignore": _STOP,
    "ignore_derivatives": _STOP,
    "dropgrad": _STOP,
    "hook": "write `adjoint.calculus.gradient_hook(f)(x)`",
    "withjacobian": "write `adjoint.calculus.value_and_jacobian(f)(x)`",
    "diaghessian": "write `adjoint.calculus.hessian_diag(f, x)`",
    "withpullback": "write `adjoint.pullback(f, x)`",
}
"""The names to write in place of those of JAX, autograd, PyTorch and Zygote."""


OF_0_1 = frozenset([
    "AdjointError", "cache_clear", "cache_info", "CacheInfo", "code_adjoint", "code_ir", "code_primal",
    "code_pushforward", "CompileError", "CompileFallbackWarning", "CotangentError", "covariance", "debug_nans",
    "derivative", "elementwise_grad", "Explanation", "find_sparsity", "frule", "ggnvp", "implicit", "ImplicitError",
    "Linearized", "MissingLibraryError", "Model", "MutationError", "non_differentiable", "NonFiniteError",
    "NoRuleError", "not_implemented", "NotDifferentiableError", "NotScalarError", "numeric", "NumericWarning",
    "Objective", "opt_out", "OptionError", "propagate", "Pullback", "pushforward", "Residuals", "RuleError",
    "scalar_rule", "seeds", "ShapeError", "SingularError", "SourceChangedError", "SourceUnavailableError",
    "Sparsity", "SparsityError", "standard_errors", "StructureError", "Support", "supports", "through_steps",
    "to_file", "TooLargeError", "UnsupportedSyntaxError", "Vjp", "WrongGradientError",
])  # fmt: skip
"""Names that stood at the top in version 0.1, and are in modules now. None is added: what is new has one place."""


def name_in(module: str, name: str) -> MissingNameError:
    """The error for a name at the top that stands in a module alone.

    >>> print(name_in("adjoint.calculus", "hessian_diag").way_out)
    write `adjoint.calculus.hessian_diag`
    """
    return MissingNameError(
        f"there is no `adjoint.{name}`", "it stands in a module", f"write `{module}.{name}`", calling_place()
    )


def missing_name(name: str) -> MissingNameError:
    """The error for a name that another library has.

    >>> print(missing_name("jacrev").way_out)
    write `adjoint.jacobian(f)`, with `mode="forward"` or `mode="reverse"` where that matters
    """
    return MissingNameError(
        f"there is no `adjoint.{name}`", "another library has that name", OF_OTHERS[name], calling_place()
    )


def told(error: MissingNameError) -> Exception:
    """The error as it reaches who asks: `from adjoint import name` drops one that is an `AttributeError`."""
    frame = sys._getframe(2)
    code = frame.f_code.co_code
    imports = frame.f_lasti >= 0 and opcode.opname[code[frame.f_lasti]] == "IMPORT_FROM"
    return ImportError(str(error)) if imports else error
