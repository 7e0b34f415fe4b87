"""A home for users of autograd: the prefix of each import changes, `autograd` to `adjoint.compat.autograd`, and nothing
else.

`numpy` is NumPy itself and `scipy` is SciPy, but for what autograd defines itself. Gradients by complex arguments have
autograd's convention. `install()` answers `import autograd` for libraries that one does not edit.
"""

from __future__ import annotations

from .aliases import answer_imports
from .builtins import dict, isinstance, list, tuple, type
from .by_name import grad_named, multigrad_dict
from .deprecated import primitive
from .installing import install
from .operators import (
    checkpoint,
    deriv,
    elementwise_grad,
    grad,
    grad_and_aux,
    hessian,
    hessian_tensor_product,
    hessian_vector_product,
    holomorphic_grad,
    jacobian,
    make_ggnvp,
    make_hvp,
    make_jvp,
    make_vjp,
    tensor_jacobian_product,
    value_and_grad,
    vector_jacobian_product,
)

answer_imports(__name__)

__all__ = [
    "checkpoint",
    "deriv",
    "dict",
    "elementwise_grad",
    "grad",
    "grad_and_aux",
    "grad_named",
    "hessian",
    "hessian_tensor_product",
    "hessian_vector_product",
    "holomorphic_grad",
    "install",
    "isinstance",
    "jacobian",
    "list",
    "make_ggnvp",
    "make_hvp",
    "make_jvp",
    "make_vjp",
    "multigrad_dict",
    "primitive",
    "tensor_jacobian_product",
    "tuple",
    "type",
    "value_and_grad",
    "vector_jacobian_product",
]
