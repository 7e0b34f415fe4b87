"""How scripts of `examples/` stand in the gallery: with the pictures that they write to a folder."""

from __future__ import annotations

import re
import shutil
import tempfile
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx_gallery.scrapers import figure_rst

OUTPUT = Path(tempfile.mkdtemp(prefix="gallery-"))


ORDER = (
    "moons",
    "clusters",
    "digits",
    "characters",
    "hmc",
    "deblurring",
    "orbit",
    "survival",
    "portfolio",
    "polynomial_model",
    "polynomial_network",
    "polynomial_rules",
)
"""What the gallery begins with; the others, which are shown only, follow."""


THUMBNAIL = re.compile(r"(sphx_glr_(?=(\w+)_thumb)\w+\.\w+\n +:alt:)[^\n]*")
"""A small picture in the list of all, and what is said of it where it is not seen: nothing, as it is generated."""


class Order:
    """Where a script stands in the gallery."""

    def __init__(self, folder: str) -> None:
        self.folder = folder

    def __call__(self, filename: str) -> tuple[int, str]:
        name = Path(filename).stem
        return ORDER.index(name) if name in ORDER else len(ORDER), name


def arguments(conf: dict[str, Any], script: dict[str, Any]) -> list[str]:
    """The command line of a script: pictures go to a folder, from which they are taken."""
    return ["--output", str(OUTPUT)]


def pictures(block: Any, variables: dict[str, Any], conf: dict[str, Any]) -> str:
    """Move the pictures that a script has written to where the gallery shows them."""
    shown = []
    for file, path in zip(sorted(OUTPUT.glob("*.png"), key=last), variables["image_path_iterator"], strict=False):
        shutil.move(file, path)
        shown.append(path)
    return str(figure_rst(shown, conf["src_dir"]))


def last(file: Path) -> tuple[bool, bool, str]:
    """The picture of what was found first: it is the thumbnail. Data and the course of the loss follow."""
    return file.stem.endswith("_history"), file.stem.endswith("_data"), file.stem


def as_a_reader_sees_it(app: Sphinx, page: str, source: list[str]) -> None:
    """What a script says of its pictures, with the folder that it has from its command line."""
    source[0] = re.sub(r"\S*/gallery-\w+/", "examples/output/", source[0])  # also of an earlier build
    if page == "gallery/index":
        source[0] = THUMBNAIL.sub(r"\1 The picture of the example \2.", source[0])


def setup(app: Sphinx) -> dict[str, Any]:
    """Listen to pages that are read."""
    app.connect("source-read", as_a_reader_sees_it)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
