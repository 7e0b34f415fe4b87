"""The family of errors."""

import pickle

import pytest

from adjoint import errors
from adjoint.errors import AdjointError, Place

FAMILY = [c for c in vars(errors).values() if isinstance(c, type) and issubclass(c, AdjointError)]


@pytest.mark.parametrize("cls", FAMILY)
def test_every_error_says_what_where_why_and_the_way_out(cls: type[AdjointError]) -> None:
    error = cls("what", "because", "do this", Place("a.py", (2, 4, 2, 5), "    x\n"))
    assert str(error) == "what\n  a.py:2:5\n    x\n    ^\nwhy: because\nhelp: do this"
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is cls and str(again) == str(error) and again.place == error.place


def test_carets_count_characters() -> None:
    line = "    é = yield x"
    start = line.encode().index(b"yield")
    assert Place("a.py", (1, start, 1, start + 7), line).render() == "  a.py:1:9\n    é = yield x\n        ^^^^^^^"


def test_place_without_text_and_over_lines() -> None:
    assert Place("a.py", (1, 0, 1, 3)).render() == "  a.py:1:1"
    assert Place("a.py", (1, 2, 3, 3), "  f(a,").render() == "  a.py:1:3\n    f(a,\n    ^^^^"
