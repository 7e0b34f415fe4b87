"""f-strings, in the syntax of Python 3.11: no backslashes and no double quotes inside of braces."""

from __future__ import annotations

from ..ir import intrinsics as ir
from ..ir.nodes import Call, Const, Star, Var
from .expressions import Printer
from .forms import is_call_of, syntax
from .names import ATOM, Text


def _escaped(text: str) -> str:
    """`text` as it stands between the double quotes of an f-string."""
    quoted = repr("'" + text)
    inner = quoted[2:-1] if quoted[0] == '"' else quoted[3:-1].replace('"', '\\"')
    return inner.replace("{", "{{").replace("}", "}}")


def _field(p: Printer, s: Call) -> str | None:
    """One `{value!r:spec}`; None if the text could not stand in an f-string of Python 3.11."""
    value, conversion, spec = s.args
    text = p.item(value)
    text = f" {text}" if text.startswith("{") else text
    assert isinstance(conversion, Const)
    ending = f"!{conversion.value}" if conversion.value else ""
    if isinstance(spec, Const):
        if set(spec.value) & set("\\\"'{}") or not spec.value.isprintable():
            return None
        inner: str | None = spec.value
    elif isinstance(spec, Var):
        nested = p.plan.definition.get(spec) if spec in p.plan.inlined else None
        inner = _fstring_body(p, nested) if isinstance(nested, Call) and is_call_of(nested, ir.fstring) else None
        if inner is None and nested is None:
            inner = f"{{{p.text(spec)}}}"
    else:
        inner = None
    if inner is None or '"' in text or "\\" in text or "lambda" in text:
        return None
    return f"{{{text}{ending}{':' + inner if inner else ''}}}"


def _fstring_body(p: Printer, s: Call) -> str | None:
    body = ""
    for part in s.args:
        if isinstance(part, Const) and type(part.value) is str:
            body += _escaped(part.value)
            continue
        if isinstance(part, Star):
            return None
        inner = p.plan.definition.get(part) if isinstance(part, Var) and part in p.plan.inlined else None
        if isinstance(inner, Call) and is_call_of(inner, ir.format_value):
            text = _field(p, inner)
            if text is None:
                return None
            body += text
        else:
            text = p.text(part)
            if '"' in text or "\\" in text or text.startswith("{"):
                return None
            body += f"{{{text}}}"
    return body


@syntax(ir.format_value)
def _format_value(p: Printer, s: Call) -> Text | None:
    return None


@syntax(ir.fstring)
def _fstring(p: Printer, s: Call) -> Text | None:
    body = _fstring_body(p, s)
    return None if body is None else (f'f"{body}"', ATOM)
