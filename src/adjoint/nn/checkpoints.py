"""Parameters by name, in memory and in files: models are saved as their leaves, and filled again."""

from __future__ import annotations

import difflib
import os
import reprlib
import stat
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any, TypeVar

import numpy as np

from adjoint.errors import MissingLibraryError, OptionError, StructureError, calling_place
from adjoint.nn.tree import named_leaves, paths_of
from adjoint.trees import build, structure_of

M = TypeVar("M")

FORMAT = 1
"""The number of the format of files."""
_KEY = "__adjoint_format__"


def state_dict(model: Any) -> dict[str, np.ndarray]:
    """The leaves of a model as arrays, by their paths.

    Parameters
    ----------
    model : any nesting of records, lists, tuples and dicts; a state of an optimizer is one too.

    Returns
    -------
    Copies, in order; numbers as arrays of shape (). What is one object at several places is there once, by the first
    of its paths. Static fields, texts, functions and flags are not there.

    Raises
    ------
    StructureError
        If two leaves have one path.

    Examples
    --------
    >>> state_dict({"layers": [{"weight": np.ones(2), "rate": 0.5}], "name": "a"})
    {'layers.0.weight': array([1., 1.]), 'layers.0.rate': array(0.5)}
    """
    return {path: np.array(leaf) for path, leaf in named_leaves(model).items()}


def load_state_dict(model: M, state: Mapping[str, Any], *, strict: bool = True) -> M:
    """The model with the leaves that a dict has for it.

    Parameters
    ----------
    model : of the structure that was saved; it is not changed.
    state : arrays by paths, as `state_dict` gives them.
    strict : whether each leaf must have an array, and each array a leaf; else what is missing stays what it is, and
        what is unexpected is passed over.

    Returns
    -------
    A new model of the same structure; leaves keep their types and dtypes, and what is one object stays one.

    Raises
    ------
    StructureError
        If the state is no dict, or keys are missing or unexpected (it names them). Also if an array has another shape,
        or numbers of another kind or that do not fit into the leaf's.

    Examples
    --------
    >>> load_state_dict({"w": np.zeros(2), "name": "a"}, {"w": np.array([1.0, 2.0])})
    {'w': array([1., 2.]), 'name': 'a'}
    >>> load_state_dict({"weight": 0.0}, {"wieght": 1.0})
    Traceback (most recent call last):
        ...
    adjoint.errors.StructureError: the state is not of this model: missing `weight`; unexpected `wieght` ...
    """
    if not isinstance(state, Mapping):
        raise StructureError(
            f"the state is a {type(state).__name__}, and no dict of arrays by paths",
            "each leaf has its array by its path",
            "`nn.state_dict(model)` makes one; the model comes first",
            calling_place(),
        )
    form = structure_of(model)
    paths = paths_of(form)
    wanted = [path for path, is_leaf in zip(paths, form.are_leaves, strict=True) if is_leaf]
    if strict:
        _check_keys(wanted, state)
    values = [
        _filled(path, leaf, state[path]) if is_leaf and path in state else leaf
        for path, leaf, is_leaf in zip(paths, form.ends, form.are_leaves, strict=True)
    ]
    loaded: M = build(form, values)
    return loaded


def save(path: str | os.PathLike[str], model: Any) -> None:
    """Write the leaves of a model to a file: as `np.savez` does, or by safetensors if the name ends in `.safetensors`.

    The file is written beside the place and then moved there, so that there is never half of one.

    Parameters
    ----------
    path : of the file; no ending is added.
    model : any model; a dict of a model and a state of an optimizer saves both.

    Raises
    ------
    MissingLibraryError
        If safetensors is asked for and not installed.
    StructureError
        If a leaf is an array of objects, or of numbers that safetensors does not know. Also if two leaves have one
        path, or one has a path that cannot be a name in a file.
    OptionError
        If `path` is no path.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "model.npz")
    ...     save(file, {"w": np.ones(2)})
    ...     load(file, {"w": np.zeros(2)})
    {'w': array([1., 1.])}
    """
    state = state_dict(model)
    _check_writable(state)
    path = _path_of(path)
    safetensors = _safetensors(path)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            if safetensors is None:
                _write_arrays(file, {_KEY: np.array(FORMAT)} | state)
            else:
                file.write(_safetensors_of(safetensors, state))
        Path(name).chmod(_mode_of(path))
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _check_writable(state: dict[str, np.ndarray]) -> None:
    for name, array in state.items():
        if array.dtype.hasobject:
            raise StructureError(
                f"`{name}` is an array of objects",
                "a file holds numbers alone, so that nothing in it can run when it is read",
                "use an array of numbers, or let the field be static",
                calling_place(),
            )
        if name == _KEY or "\0" in name or any("\ud800" <= letter <= "\udfff" for letter in name):
            raise StructureError(
                f"a leaf has the path {name!r}, which is no name in a file",
                f"names are texts that can be encoded, without zeros; `{_KEY}` is that of the format's number",
                "give it another key",
                calling_place(),
            )


def _safetensors_of(safetensors: Any, state: dict[str, np.ndarray]) -> bytes:
    """The arrays as safetensors writes them."""
    from safetensors import SafetensorError  # type: ignore[import-not-found, unused-ignore]

    arrays = {key: array.copy(order="C") for key, array in state.items()}
    try:
        found: bytes = safetensors.save(arrays, metadata={_KEY: str(FORMAT)})
    except SafetensorError as error:
        said = str(error).split(". ")[0]
        of = [f"`{key}` is of {x.dtype}" for key, x in arrays.items() if f'"{x.dtype.name}"' in said]
        raise StructureError(
            f"safetensors cannot write the model: {of[0] if of else said}",
            "it knows fewer kinds of numbers than NumPy",
            "another ending, such as `.npz`, or numbers of another kind: `nn.tree_map(lambda p: p.astype(...), model)`",
            calling_place(),
        ) from None
    return found


def _path_of(path: Any) -> Path:
    if not isinstance(path, (str, os.PathLike)):
        raise OptionError(
            f"`path` is no path of a file: {reprlib.repr(path)}",
            "models are written to files and read from them",
            "the path comes first, then the model: `nn.save('model.npz', model)`",
            calling_place(),
        )
    return Path(path)


def _write_arrays(file: IO[bytes], arrays: dict[str, np.ndarray]) -> None:
    """Write what `np.savez` writes, which takes no arrays called `file` or `allow_pickle`."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED, allowZip64=True) as archive:
        for name, array in arrays.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as stream:
                np.lib.format.write_array(stream, array, allow_pickle=False)


def _mode_of(path: Path) -> int:
    """The mode of a file that is written anew: that of the file now, or the default of the process."""
    if path.exists():
        return stat.S_IMODE(path.stat().st_mode)
    mask = os.umask(0o077)
    os.umask(mask)
    return 0o666 & ~mask


def load(path: str | os.PathLike[str], model: M, *, strict: bool = True) -> M:
    """The model with the leaves that `save` wrote to a file.

    Nothing in a file is run: arrays of numbers are read, and no pickles.

    Parameters
    ----------
    path : of the file.
    model : of the structure that was saved; it is not changed.
    strict : as `load_state_dict` has it.

    Returns
    -------
    A new model of the same structure.

    Raises
    ------
    StructureError
        If the file is of another format, or of another model.
    MissingLibraryError
        If it is of safetensors, which is not installed.
    OptionError
        If `path` is no path.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "model.npz")
    ...     save(file, [np.ones(2), 3.0])
    ...     load(file, [np.zeros(2), 0.0])
    [array([1., 1.]), 3.0]
    """
    path = _path_of(path)
    state, found = _read_safetensors(path) if _safetensors(path) is not None else _read_arrays(path)
    if not isinstance(found, int) or found != FORMAT:
        what = "no format of `adjoint`" if found is None else f"format {reprlib.repr(found).strip(chr(39))}"
        raise StructureError(
            f"`{path.name}` has {what}",
            f"this version reads format {FORMAT}",
            "read it with the library that wrote it, and give its arrays to `nn.load_state_dict`",
            calling_place(),
        )
    return load_state_dict(model, state, strict=strict)


def _read_arrays(path: Path) -> tuple[dict[str, np.ndarray], Any]:
    try:
        with path.open("rb") as stream:
            file = np.load(stream, allow_pickle=False)
            names = [] if isinstance(file, np.ndarray) else file.zip.namelist()
            state = {name.removesuffix(".npy"): file[name] for name in names}  # a key may end in `.npy` too
    except (ValueError, EOFError, zipfile.BadZipFile) as error:  # neither an archive nor arrays of numbers
        raise StructureError(
            f"`{path.name}` is no file of arrays: {error}",
            "a model is saved as arrays of numbers by name, without pickles",
            "give a file that `nn.save` wrote",
            calling_place(),
        ) from None
    number = state.pop(_KEY, None)
    return state, number if number is None or number.shape or number.dtype.kind not in "iu" else int(number)


def _read_safetensors(path: Path) -> tuple[dict[str, np.ndarray], Any]:
    from safetensors import SafetensorError, safe_open  # type: ignore[import-not-found, unused-ignore]

    try:
        with safe_open(path, framework="numpy") as file:
            number = (file.metadata() or {}).get(_KEY)
            state = {key: file.get_tensor(key) for key in file.keys()}  # noqa: SIM118
            return state, FORMAT if number == str(FORMAT) else number
    except SafetensorError as error:
        raise StructureError(
            f"`{path.name}` is no file of safetensors: {error}",
            "its name says that it is one",
            "give a file that `nn.save` wrote under such a name",
            calling_place(),
        ) from None


def _safetensors(path: Path) -> Any:
    """The module of safetensors for arrays if the name asks for it."""
    if path.suffix != ".safetensors":
        return None
    try:
        import safetensors.numpy  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        raise MissingLibraryError(
            f"`{path.name}` asks for safetensors, which is not installed",
            "files of other names are written by NumPy",
            "`pip install safetensors`, or another ending, such as `.npz`",
            calling_place(),
        ) from None
    return safetensors.numpy


def _check_keys(wanted: list[str], state: Mapping[str, Any]) -> None:
    known = set(wanted)
    missing = [path for path in wanted if path not in state]
    unexpected = [path for path in state if path not in known]
    if not missing and not unexpected:
        return
    said = [_listed("missing", missing)] * bool(missing) + [_listed("unexpected", unexpected)] * bool(unexpected)
    near = difflib.get_close_matches(str(unexpected[0]), missing, 1) if missing and unexpected else []
    raise StructureError(
        f"the state is not of this model: {'; '.join(said)}",
        f"`{unexpected[0]}` may be what is `{near[0]}` here"
        if near
        else "each leaf of a model has one array by its path",
        "load into a model of the structure that was saved, or pass `strict=False`",
        calling_place(),
    )


def _listed(what: str, paths: list[str]) -> str:
    more = f" and {len(paths) - MOST} more" if len(paths) > MOST else ""
    return f"{what} " + ", ".join(f"`{path}`" for path in paths[:MOST]) + more


MOST = 5
"""The number of keys in a message."""


def _filled(path: str, leaf: Any, found: Any) -> Any:
    """The value that a state has for a leaf, in its type."""
    try:
        array = np.asarray(found)
    except ValueError:  # rows of several lengths
        array = np.array(None)
    like = np.asarray(leaf)
    if isinstance(found, int) and array.dtype == object:
        why = f"the state has {found} at `{path}`, which does not fit into {like.dtype}"
    elif array.dtype == object and like.dtype != object:
        why = f"the state has no numbers at `{path}`, but a {type(found).__name__}"
    elif array.shape != like.shape:
        why = f"the state has the shape {array.shape} at `{path}`, and the model {like.shape}"
    elif not np.can_cast(array.dtype, like.dtype, "same_kind"):
        why = f"the state has {array.dtype} at `{path}`, and the model {like.dtype}"
    else:
        with np.errstate(all="ignore"):
            made = array.astype(like.dtype)
        if _fit(array, made):
            return made if isinstance(leaf, np.ndarray) else type(leaf)(made[()])
        why = f"the state has numbers at `{path}` that do not fit: {array.dtype} in {like.dtype}"
    raise StructureError(
        why, "a leaf keeps its shape and its kind", "load into a model of the structure that was saved", calling_place()
    )


def _fit(array: np.ndarray, made: np.ndarray) -> bool:
    """True if numbers are what they were in another dtype, but for digits: none is infinite or another integer."""
    if made.dtype.kind in "iu":
        return bool(np.all((made.astype(array.dtype) == array) & ((made < 0) == (array < 0))))
    return made.dtype.kind not in "fc" or bool(np.all(np.isfinite(made) | ~np.isfinite(array)))
