"""Code generation: IR to readable Python text, and text to a function.

>>> from adjoint.codegen import emit, load
>>> import operator
>>> from adjoint.ir.nodes import Block, Call, Const, Function, Var
>>> f, x, y = Var("f"), Var("x"), Var("y")
>>> body = Block((f, x), (Call((y,), Const(operator.mul), (x, x)),), (y,))
>>> emitted = emit(Function("square", body), drop_self=True)
>>> print(emitted.text)
def square(x):
    y = x * x
    return y
>>> load(emitted, globals=globals(), filename="square", user_filename=__file__)(3.0)
9.0
"""

from .emit import Emitted, Line, beside, emit
from .forms import statement, syntax
from .load import load, numbered, whence

__all__ = ["Emitted", "Line", "beside", "emit", "load", "numbered", "statement", "syntax", "whence"]
