"""Formulae as text that KaTeX draws in the reader's browser, from the copy in `_static/katex`: no network is asked."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.math import get_node_equation_number

STYLE, SCRIPTS = "katex/katex.min.css", ("katex/katex.min.js", "formulae.js")


def inline(translator: Any, node: nodes.math) -> None:
    """A formula within a line."""
    translator.body.append(f'<span class="math">{translator.encode(node.astext())}</span>')
    raise nodes.SkipNode


def displayed(translator: Any, node: nodes.math_block) -> None:
    """A formula on lines of its own, with its number if it has one."""
    translator.body.append(translator.starttag(node, "div", CLASS="formula"))
    if node["number"]:
        translator.body.append(f'<span class="eqno">({get_node_equation_number(translator, node)})</span>')
    translator.body.append(f'<div class="math display">{translator.encode(node.astext())}</div></div>\n')
    raise nodes.SkipNode


def add_files(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None) -> None:
    """Pages with formulae load what draws them, and others nothing."""
    if doctree is not None and any(doctree.findall(lambda node: isinstance(node, nodes.math | nodes.math_block))):
        app.add_css_file(STYLE)
        for script in SCRIPTS:
            app.add_js_file(script, loading_method="defer")


def setup(app: Sphinx) -> dict[str, Any]:
    """Make it the way in which pages write formulae."""
    app.add_html_math_renderer("katex", (inline, None), (displayed, None))
    app.config["html_math_renderer"] = "katex"
    app.connect("html-page-context", add_files)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
