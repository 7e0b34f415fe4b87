"""Docstrings of all that is public parse as numpydoc's: known sections in order, and parameters that are there, all of
them, wherever a docstring lists any."""

from __future__ import annotations

import doctest
import importlib
import importlib.util
import inspect
import re
from pathlib import Path
from typing import Any

import pytest
from faces import FURTHER, MODULES

import adjoint.nn.optimizers
import adjoint.nn.tree
import adjoint.testing

EXTENSIONS = Path(__file__).parents[2] / "docs" / "_extensions"
PLACES = (*MODULES, *FURTHER, adjoint.nn, adjoint.nn.optimizers, adjoint.nn.tree, adjoint.testing)
SUBSTITUTES = {"dict", "isinstance", "list", "tuple", "type"}
"""Names of `compat.autograd` that stand for Python's own."""
HELD = {"GL06", "GL07", "GL08", "SS01"}
"""Of numpydoc's checks: a section that it does not know, sections out of order, no docstring, no summary."""
MADE_BY_US = {
    "adjoint.calculus.Pullback",
    "adjoint.compat.autograd.extend.Box",
    "adjoint.dask.Mapped",
    "adjoint.dask.Total",
}
"""Classes that nobody makes but this library, with nothing to read but what they give when they are called."""
WITHOUT_RETURNS = {
    "adjoint.ir.of",
    "adjoint.ir.primal",
    "adjoint.ir.replace_calls",
    "adjoint.ir.rewrite",
    "adjoint.ir.run",
}
"""Functions whose docstrings do not yet say what they return: this set only ever becomes smaller."""
WITHOUT_RAISES = 27
"""Functions whose docstrings name no error, most because they raise none: this number only ever becomes less."""
TAKEN_FOR_GRANTED = {"args", "kwargs", "unknown"}


def checked() -> dict[str, Any]:
    """All that is public and can be called, by full names."""
    return {
        f"{place.__name__}.{name}": getattr(place, name)
        for place in PLACES
        for name in place.__all__
        if callable(getattr(place, name)) and not (place is adjoint.compat.autograd and name in SUBSTITUTES)
    }


def parameters_of(f: Any) -> set[str]:
    """What the signature has; of a class, that of its making."""
    made = f.__init__ if isinstance(f, type) and "__init__" in vars(f) else f
    return set(inspect.signature(made).parameters) - {"self"}


def faults_of(name: str, f: Any) -> list[str]:
    """What can be said against a docstring."""
    validate = importlib.import_module("numpydoc.validate")
    report = validate.validate(name)
    found = [f"{name}: {message}" for code, message in report["errors"] if code in HELD]
    documented = {each.lstrip("*") for each in validate.Validator(validate.get_doc_object(f)).doc_all_parameters}
    if not documented:
        return found
    there = parameters_of(f)
    found += [f"{name}: no parameter {each}" for each in sorted(documented - there - TAKEN_FOR_GRANTED)]
    return found + [f"{name}: {each} is not explained" for each in sorted(there - documented - TAKEN_FOR_GRANTED)]


@pytest.mark.filterwarnings("ignore:Unknown section:UserWarning")
def test_docstrings_parse() -> None:
    pytest.importorskip("numpydoc")
    assert [fault for name, f in checked().items() for fault in faults_of(name, f)] == []


def test_none_lacks_what_a_reader_asks_for() -> None:
    """What the parameters mean, and an example; exceptions are shown on the page of all errors."""
    docs = {
        name: inspect.getdoc(f) or ""
        for name, f in checked().items()
        if not (isinstance(f, type) and issubclass(f, BaseException)) and parameters_of(f)
    }
    unexplained = {name for name, doc in docs.items() if not re.search(r"^(Parameters|Attributes)\n---", doc, re.M)}
    assert unexplained == MADE_BY_US
    assert [name for name, doc in docs.items() if ">>> " not in doc] == []


CODE = re.compile(r"(`+)[^`]+\1(\w?)")


def glued(doc: str) -> list[str]:
    """Code that a letter follows at once, as in "the `x`s": the markup of docstrings does not end it there."""
    text = re.sub(r"^ *(>>>|\.\.\.).*$", "", doc, flags=re.M)
    return [code[0] for code in CODE.finditer(text) if code[2]]


def test_no_letter_follows_code() -> None:
    assert glued("The `x`s, `x` and `y`'s, or ``z``.\n>>> `f`s") == ["`x`s"]
    found = {name: glued(inspect.getdoc(f) or "") for name, f in checked().items()}
    assert {name: codes for name, codes in found.items() if codes} == {}


def doubled(doc: str) -> list[str]:
    """The sections that a docstring has twice, which numpydoc does not read."""
    heads = re.findall(r"^(\w[\w ]*)\n-{3,}$", doc, re.M)
    return [head for head in dict.fromkeys(heads) if heads.count(head) > 1]


def test_no_docstring_has_a_section_twice() -> None:
    assert doubled("Of x.\n\nRaises\n------\nA\n\nReturns\n-------\nB\n\nRaises\n------\nC") == ["Raises"]
    assert {name: twice for name, f in checked().items() if (twice := doubled(inspect.getdoc(f) or ""))} == {}


def lacks_returns(f: Any) -> bool:
    """Tell whether a function returns something, and its docstring has no section on it."""
    is_none = inspect.signature(f).return_annotation in (None, "None")
    return not is_none and not re.search(r"^(Returns|Yields)\n---", inspect.getdoc(f) or "", re.M)


def test_docstrings_say_what_is_returned_and_raised() -> None:
    """Those of functions; `compat` has the functions of another library, as that describes them."""
    functions = {
        name: f for name, f in checked().items() if not isinstance(f, type) and not name.startswith("adjoint.compat.")
    }
    assert {name for name, f in functions.items() if lacks_returns(f)} == WITHOUT_RETURNS
    assert len([f for f in functions.values() if lacks_raises(f)]) <= WITHOUT_RAISES


def lacks_raises(f: Any) -> bool:
    """Tell whether a docstring has no section on errors."""
    return not re.search(r"^Raises\n---", inspect.getdoc(f) or "", re.M)


def test_a_docstring_without_returns_is_found() -> None:
    def silent(x: float) -> float:
        """Return x."""
        return x

    def told(x: float) -> float:
        """The same.

        Returns
        -------
        x.
        """
        return x

    def nothing(x: float) -> None:
        """Do nothing."""

    assert [lacks_returns(f) for f in (silent, told, nothing)] == [True, False, False]
    assert lacks_raises(silent) and not lacks_raises(adjoint.gradient)


@pytest.mark.parametrize("extension", ["colours", "docstrings", "durations", "notebooks", "searching"])
def test_how_the_site_reads_them(extension: str) -> None:
    pytest.importorskip("myst_nb")
    spec = importlib.util.spec_from_file_location(extension, EXTENSIONS / f"{extension}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert doctest.testmod(module).failed == 0


def test_every_public_name_has_a_place_in_the_reference() -> None:
    folder = EXTENSIONS.parent / "api"
    listed = {
        f"{module}.{name}"
        for file in folder.glob("*.rst")
        for module, rest in re.findall(r"currentmodule:: (\S+)\n(.*?)(?=\.\. currentmodule|\Z)", file.read_text(), re.S)
        for name in re.findall(r"^(?:   |\.\. auto\w+:: )(\w+)$", rest, re.M)
    }
    elsewhere = {id(f) for name, f in checked().items() if name in listed}  # under another of its names
    assert [name for name, f in checked().items() if name not in listed and id(f) not in elsewhere] == []
