"""All rows: importing a module of programs enters them into the table."""

import importlib
import pkgutil
from pathlib import Path

from .registry import DEMANDED, ROWS

for module in pkgutil.iter_modules([str(Path(__file__).parent)]):
    if module.name.startswith(("mutation_", "language_")):
        importlib.import_module(f"{__package__}.{module.name}")

__all__ = ["DEMANDED", "ROWS"]
