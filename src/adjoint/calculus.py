"""More derivatives: of numbers and of elements, along several directions, of solutions and of black boxes, and what the
functions at the top of `adjoint` give."""

from .black_box import numeric
from .compilation import to_file
from .curvature import ggnvp
from .derivatives.pullback import Pullback
from .directional import Vjp, derivative, elementwise_grad
from .forward import Linearized, frule, pushforward
from .hessians import hessian_diag
from .hooks import gradient_hook
from .jacobians import value_and_jacobian
from .solutions import implicit
from .tangents.seeds import seeds

__all__ = [
    "Linearized",
    "Pullback",
    "Vjp",
    "derivative",
    "elementwise_grad",
    "frule",
    "ggnvp",
    "gradient_hook",
    "hessian_diag",
    "implicit",
    "numeric",
    "pushforward",
    "seeds",
    "to_file",
    "value_and_jacobian",
]
