"""Tutorials that take too long: the build fails on them, by the times that MyST-NB has measured."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

PAGES = "tutorials/"
LIMIT = 40.0
"""Seconds: twice what a tutorial may take on a core of its own, as a build may share it with others."""


def too_slow(metadata: Mapping[str, Mapping[str, Any]], limit: float = LIMIT) -> list[str]:
    """The tutorials that ran for longer than a limit; none that has been run may lack its time.

    >>> too_slow({"tutorials/a": {"exec_data": {"runtime": 41.25}}, "tutorials/b": {"exec_data": {"runtime": 9.0}}})
    ['tutorials/a took 41 s']
    >>> too_slow({"tutorials/a": {"exec_data": {"runtime": None}}, "course/c": {"exec_data": {"runtime": 50.0}}})
    ['tutorials/a has no time']
    >>> too_slow({"tutorials/index": {}})
    []
    """
    times = {
        page: of_page["exec_data"]["runtime"]
        for page, of_page in sorted(metadata.items())
        if page.startswith(PAGES) and "exec_data" in of_page
    }
    return [
        f"{page} has no time" if seconds is None else f"{page} took {seconds:.0f} s"
        for page, seconds in times.items()
        if seconds is None or seconds > limit
    ]


def check(app: Sphinx, exception: Exception | None) -> None:
    """Fail if a tutorial took too long, or if none has a time."""
    if exception is not None:
        return
    metadata = getattr(app.env, "nb_metadata", {})
    if not any(page.startswith(PAGES) and "exec_data" in found for page, found in metadata.items()):
        raise ExtensionError("MyST-NB has noted no time of a tutorial")
    if slow := too_slow(metadata):
        raise ExtensionError(f"tutorials may take {LIMIT:.0f} s: {', '.join(slow)}")


def setup(app: Sphinx) -> dict[str, Any]:
    """Listen where the build is finished."""
    app.connect("build-finished", check)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
