"""The parts of a model that its training reaches: a record without a `train` of its own runs its layers as in
inference."""

from __future__ import annotations

from typing import Any

from adjoint.errors import OptionError, calling_place
from adjoint.nn.layers.base import handed_on, trains_itself
from adjoint.nn.layers.inheriting import refused
from adjoint.trees import Node, structure_of
from adjoint.trees.nodes import buffers
from adjoint.trees.structure import walk


def check_reach(model: Any) -> None:
    """Raise where training does not reach a layer that is otherwise in it, or would make two layers of one."""
    _check(structure_of(model).root, "", None, {})


def first_other(model: Any) -> tuple[tuple[str, ...], type] | None:
    """The path and the class of the first layer of a model that is otherwise in training."""
    return _other_in(structure_of(model).root)


def _check(node: Node, path: str, container: Node | None, met: dict[int, tuple[Node | None, str]]) -> None:
    """Check what `train` of a container, or of none, is called of."""
    cls = type(node.model)
    if getattr(cls, "train", None) is refused:
        if _other_in(node) is not None:
            refused(node.model)
        return
    if _has_buffers(node):
        before = met.setdefault(id(node.model), (container, path))
        if before[0] is not container:
            raise _of_two(path, before[1])
        if before[1] != path:
            return
    if not trains_itself(cls):
        if (found := _other_in(node)) is not None:
            raise _not_reached(cls, path, ".".join([*([path] if path else []), *found[0]]), found[1])
        return
    fields = handed_on(cls)
    for name, part in node.named_parts() if fields else ():
        here = f"{path}.{name}" if path else name
        if name not in fields:
            found = _other_in(part)
            if found is not None:
                raise _not_reached(cls, here, ".".join([here, *found[0]]), found[1])
        elif isinstance(part.model, (tuple, list, dict)):
            for key, layer in part.named_parts():
                _check(layer, f"{here}.{key}", node, met)
        else:
            _check(part, here, node, met)


def _other_in(node: Node) -> tuple[tuple[str, ...], type] | None:
    """The path to the first layer at a node that is otherwise in training, and its class."""
    for path, inner in walk(node):
        cls = type(inner.model)
        if trains_itself(cls) and not handed_on(cls) and getattr(cls, "train", None) is not refused:
            return path, cls
    return None


def _has_buffers(node: Node) -> bool:
    return any(buffers(inner.model) for _, inner in walk(node))


def _not_reached(cls: type, path: str, other: str, layer: type) -> OptionError:
    where = f"`{path}`, a `{cls.__name__}`," if path else f"the model, a `{cls.__name__}`,"
    return OptionError(
        f"the `{layer.__name__}` at `{other}` would not be trained: {where} does not hand training on to it",
        "what a record without a `train` of its own calls runs as in inference, and draws and counts nothing",
        "write `train(self, x, rng)`, which calls `nn.train(layer, x, rng)` of its layers; or, if that is meant, give "
        "a function as the loss, `lambda model, x, y: mse(model(x), y)`",
        calling_place(),
    )


def _of_two(path: str, before: str) -> OptionError:
    return OptionError(
        f"the layer at `{before}` is also at `{path}`, in another container, and keeps statistics",
        "each container gives the layer as it is after its own places, so that two would become of one",
        "let it stand in one container, or make two layers; or write the record that holds both, with a `train`",
        calling_place(),
    )
