"""Attributes that functions set on classes: found anew, as names change, and nothing is kept alive for them."""

from __future__ import annotations

import gc
import weakref
from typing import Any

from adjoint.transforms.class_stores import set_on_classes


class Kernel:
    scale = 1.0


TARGET: Any = None


def configure() -> None:
    TARGET.scale = 2.0


def test_a_name_that_becomes_a_class(monkeypatch: Any) -> None:
    assert set_on_classes(configure) == frozenset()
    monkeypatch.setitem(globals(), "TARGET", Kernel)
    assert set_on_classes(configure) == {"scale"}


def test_functions_are_not_kept() -> None:
    held = Kernel()

    def use() -> float:
        return float(held.scale)

    gone = weakref.ref(use)
    set_on_classes(use)
    del use
    gc.collect()
    assert gone() is None
