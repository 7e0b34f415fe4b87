"""Looking at what is made: the IR, and the generated source.

The functions load `reflection`, `recording` and `compiled` when they are called: `import adjoint` needs none of them.
"""

from .programs import code_ir, code_primal
from .recorded import why_recorded
from .sources import code_adjoint, code_pushforward
from .specs import spec_of_call

__all__ = ["code_adjoint", "code_ir", "code_primal", "code_pushforward", "spec_of_call", "why_recorded"]
