"""The text of the classes that stand for those which a class statement in a function makes."""

from __future__ import annotations

import itertools
import linecache
import weakref
from typing import Any

from ..ir.made_classes import (
    BASE,
    MADE_BY,
    METHOD,
    OF_CLASS,
    PROPERTY,
    RECEIVER,
    STATIC,
    VALUE,
    Layout,
    finished,
    hidden,
    is_special,
    plain_attribute,
    stand_for,
)

_GIVEN = "*args, **kwargs"
_numbers = itertools.count(1)


def make(layout: Layout, module: str, qualname: str) -> None:
    """Make the classes of a layout."""
    text = "\n".join([*_namespace(layout), *_instance(layout), *_super(layout)]) + "\n"
    filename = f"<class {qualname} {next(_numbers)}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    scope: dict[str, Any] = {"__name__": module, "plain_attribute": plain_attribute, "finished": finished}
    exec(compile(text, filename, "exec", dont_inherit=True), scope)
    made = [scope[word] for word in ("Namespace", "Instance", "Super")]
    for cls in made:
        cls.__name__, cls.__qualname__ = layout.name, qualname
    stand_for(layout, *made)
    weakref.finalize(layout, linecache.cache.pop, filename, None)


def field_of(name: str, kind: str) -> str:
    """The field of a namespace that holds what a statement binds to a name."""
    if is_special(name):
        return hidden(name)
    return hidden(name, {VALUE: "value", PROPERTY: "get"}.get(kind, "function"))


def fields_of(layout: Layout) -> list[str]:
    """The fields that a namespace is made of, in order."""
    fields = [BASE] if layout.base is not None else []
    for name, kind in layout.own.items():
        fields.append(field_of(name, kind))
        fields += [hidden(name, "set")] if name in layout.setters else []
    return fields


def _behind(layout: Layout, name: str, fn: str = "self") -> str:
    """The namespace that binds a name, from that of `layout`."""
    return fn if name in layout.own or layout.base is None else _behind(layout.base, name, f"{fn}.{BASE}")


def _method(name: str, parameters: str, body: str, decorator: str = "") -> list[str]:
    return [*([f"    @{decorator}"] if decorator else []), f"    def {name}({parameters}):", f"        {body}"]


def _namespace(layout: Layout) -> list[str]:
    fields = fields_of(layout)
    text = ["class Namespace:", *_init(fields)]
    for name, kind in layout.kinds.items():
        place = f"{_behind(layout, name)}.{field_of(name, kind)}"
        own = name in layout.own
        if is_special(name):
            if not own:
                text += _method(hidden(name), "self", f"return {place}", "property")
        elif kind == OF_CLASS:
            text += _method(name, f"self, /, {_GIVEN}", f"return {place}(self, {_GIVEN})")
        elif kind == VALUE:
            text += _method(name, "self", f"return {place}", "property")
            if own:
                text += _method(name, "self, value", f"{place} = plain_attribute(value)", f"{name}.setter")
        elif kind == PROPERTY:
            for use in ("get", "set"):
                if not own and (use == "get" or name in layout.owner(name).setters):
                    held = f"{_behind(layout, name)}.{hidden(name, use)}"
                    text += _method(hidden(name, use), "self", f"return {held}", "property")
        else:
            text += _method(name, "self", f"return {place}", "property")
    text += [f"    def __call__(self, /, {_GIVEN}):", "        made = Instance(self)"]
    if "__init__" in layout.kinds:
        text.append(f"        self.{hidden('__init__')}(made, {_GIVEN})")
    else:
        text[-2] = "    def __call__(self, /):"
    return [*text, "        return finished(made)", ""]


def _init(fields: list[str]) -> list[str]:
    places = [f"a{i}" for i in range(len(fields))]
    stores = [f"        self.{name} = {place}" for name, place in zip(fields, places, strict=True)]
    return [f"    def __init__({', '.join(['self', *places])}):", *(stores or ["        pass"])]


def _instance(layout: Layout) -> list[str]:
    return ["class Instance:", *_init([MADE_BY]), *_handed_on(layout, MADE_BY, "self", "__init__"), ""]


def _super(layout: Layout) -> list[str]:
    """The result of `super()` in a method of a class of the layout: that of the class behind it."""
    text = ["class Super:", *_init([MADE_BY, RECEIVER])]
    if layout.base is not None:
        text += _handed_on(layout.base, MADE_BY, f"self.{RECEIVER}")
    if layout.base is None or "__init__" not in layout.base.kinds:
        text += _method(hidden("__init__"), "self", "return None")
    return [*text, ""]


def _handed_on(layout: Layout, field: str, receiver: str, but: str = "") -> list[str]:
    """Methods and properties that hand on to the namespace."""
    text = []
    for name, kind in layout.kinds.items():
        held = f"self.{field}.{hidden(name) if is_special(name) else name}"
        called = name if receiver == "self" or not is_special(name) else hidden(name)
        if name == but:
            continue
        if kind == METHOD:
            text += _method(called, f"self, /, {_GIVEN}", f"return {held}({receiver}, {_GIVEN})")
        elif kind in (STATIC, OF_CLASS):
            text += _method(called, f"self, /, {_GIVEN}", f"return {held}({_GIVEN})")
        elif kind == VALUE:
            text += _method(called, "self", f"return plain_attribute({held})", "property")
        else:
            text += _method(called, "self", f"return self.{field}.{hidden(name, 'get')}({receiver})", "property")
            if name in layout.owner(name).setters:
                setter = f"self.{field}.{hidden(name, 'set')}({receiver}, value)"
                text += _method(called, "self, value", setter, f"{called}.setter")
    return text
