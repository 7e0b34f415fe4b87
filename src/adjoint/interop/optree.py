"""`Tangent` as a node of optree's trees, in every namespace, once this module is imported.

Examples
--------
>>> import optree
>>> import adjoint.interop.optree
>>> from adjoint import Tangent
>>> optree.tree_map(lambda d: 2 * d, Tangent(complex, {"real": 1.0, "imag": 3.0}))
Tangent(complex)(real=2.0, imag=6.0)
"""

from __future__ import annotations

from typing import Any

from adjoint import Tangent
from adjoint.tangents.structural import class_of, fields_of, new_tangent

from ..installed import told

try:
    from optree import GetAttrEntry, register_pytree_node
    from optree.registry import __GLOBAL_NAMESPACE as EVERYWHERE  # no public name has it: checked with 0.20
except ModuleNotFoundError as error:
    raise told(error, "interop") from None

__all__: list[str] = []


def _flatten(tangent: Tangent[Any]) -> tuple[Any, Any, Any]:
    fields = fields_of(tangent)
    return [*fields.values()], (class_of(tangent), tuple(fields)), tuple(fields)


def _unflatten(form: Any, parts: Any) -> Tangent[Any]:
    return new_tangent(form[0], dict(zip(form[1], parts, strict=True)))


register_pytree_node(Tangent, _flatten, _unflatten, path_entry_type=GetAttrEntry, namespace=EVERYWHERE)
