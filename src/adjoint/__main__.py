"""`python -m adjoint` is the command `adjoint`."""

import sys

from adjoint.cli import main

if __name__ == "__main__":
    sys.exit(main())
