"""States by name, and files: once, exact, without pickles; what is not of a model is refused by name."""

from __future__ import annotations

import builtins
import os
import stat
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from interop.needed import needed

from adjoint import gradient, nn
from adjoint.errors import MissingLibraryError, StructureError
from adjoint.nn import optimizers as o


def model(seed: int = 0) -> Any:
    rng = np.random.default_rng(seed)
    layer = nn.Dense(2, 2, nn.tanh, rng=rng, dtype=np.float32)
    return {"net": nn.Chain(layer, nn.relu, layer), "rate": 0.5 + seed, "steps": 3 + seed, "z": np.array([1j + seed])}


def same(a: Any, b: Any) -> bool:
    one, other = nn.named_leaves(a), nn.named_leaves(b)
    return [*one] == [*other] and all(
        np.array_equal(x, other[path]) and type(x) is type(other[path]) and np.asarray(x).dtype == np.asarray(y).dtype
        for (path, x), y in zip(one.items(), other.values(), strict=True)
    )


def test_states_have_ties_once_and_are_copies() -> None:
    m = model()
    state = nn.state_dict(m)
    assert [*state] == ["net.layers.0.weight", "net.layers.0.bias", "rate", "steps", "z"]
    state["net.layers.0.bias"][:] = 7.0
    assert m["net"].layers[0].bias.tolist() == [0.0, 0.0]
    loaded = nn.load_state_dict(model(1), state)
    assert loaded["net"].layers[0] is loaded["net"].layers[2] and loaded["net"].layers[0].bias.tolist() == [7.0, 7.0]
    state["net.layers.0.bias"][:] = 8.0
    assert loaded["net"].layers[0].bias.tolist() == [7.0, 7.0]
    assert same(nn.load_state_dict(model(1), nn.state_dict(m)), m)


ENDINGS = ["npz", "checkpoint", "safetensors"]


@pytest.fixture(params=ENDINGS)
def file(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    if request.param == "safetensors":
        needed("safetensors")
    return tmp_path / f"model.{request.param}"


def test_files(file: Path) -> None:
    m = {**model(), "z": 1.0} if file.suffix == ".safetensors" else model()  # it has no complex numbers
    other = {**model(1), "z": 2.0} if file.suffix == ".safetensors" else model(1)
    nn.save(file, m)
    assert [path.name for path in file.parent.iterdir()] == [file.name]
    assert same(nn.load(str(file), other), m)
    nn.save(file, other)
    assert same(nn.load(file, m), other)


def test_leaves_may_be_called_anything(file: Path) -> None:
    m = {"file": np.ones(2), "allow_pickle": np.zeros(3), "self": 1.0, "args": np.ones((0, 2)), "a/b": 2.0}
    nn.save(file, m)
    assert same(nn.load(file, nn.tree_map(lambda x: x + 1, m)), m)


@pytest.mark.skipif(os.name == "nt", reason="no modes")
def test_who_may_read_a_file_is_as_for_other_files(file: Path) -> None:
    before = os.umask(0o027)
    try:
        nn.save(file, {"w": 1.0})
        assert stat.S_IMODE(file.stat().st_mode) == 0o640
        file.chmod(0o604)
        nn.save(file, {"w": 2.0})
        assert stat.S_IMODE(file.stat().st_mode) == 0o604
    finally:
        os.umask(before)


def test_training_goes_on_from_a_file(file: Path) -> None:
    x = np.ones((3, 2))

    def step(m: Any, state: Any) -> Any:
        (g,) = gradient(lambda m: (m(x) ** 2).mean(), m)
        updates, state = optimizer.update(g, state, m)
        return o.apply_updates(m, updates), state

    m, optimizer = nn.Dense(2, 2, nn.tanh, rng=np.random.default_rng(0)), o.adam(o.linear_schedule(0.1, 0.0, 10))
    m, state = step(m, optimizer.init(m))
    nn.save(file, {"model": m, "state": state})
    fresh = nn.Dense(2, 2, nn.tanh)
    loaded = nn.load(file, {"model": fresh, "state": optimizer.init(fresh)})
    assert loaded["state"][0].count == 1 and type(loaded["state"][0]) is type(state[0])
    assert same(step(loaded["model"], loaded["state"])[0], step(m, state)[0])


WRONG: list[tuple[Any, str]] = [
    ({"w": 1.0}, "missing `v`$"),
    ({"w": 1.0, "v": [1.0], "u": 1.0}, "unexpected `u`$"),
    ({"w": 1.0, "vv": [1.0]}, "missing `v`; unexpected `vv`$(?s:.*)^why: `vv` may be what is `v` here"),
    ({f"a{i}": 1.0 for i in range(7)} | {"w": 1.0, "v": [1.0]}, "unexpected `a0`, `a1`, `a2`, `a3`, `a4` and 2 more$"),
    ({"w": 1.0, "v": [1.0, 2.0]}, r"the state has the shape \(2,\) at `v`, and the model \(1,\)"),
    ({"w": 1j, "v": [1.0]}, "the state has complex128 at `w`, and the model float64"),
    ({"w": "a", "v": [1.0]}, "the state has <U1 at `w`"),
]


@pytest.mark.parametrize(("state", "said"), WRONG)
def test_states_of_others_are_refused(state: Any, said: str) -> None:
    with pytest.raises(StructureError, match=f"(?m){said}"):
        nn.load_state_dict({"w": 0.0, "v": np.zeros(1)}, state)


def test_not_strict() -> None:
    assert nn.load_state_dict({"w": 0.0, "v": 1.0}, {"w": 2.0, "u": 3.0}, strict=False) == {"w": 2.0, "v": 1.0}


def test_files_of_others_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "model.npz"
    np.savez(file, w=1.0)
    with pytest.raises(StructureError, match=r"`model\.npz` has no format of `adjoint`"):
        nn.load(file, {"w": 0.0})
    np.savez(file, w=1.0, __adjoint_format__=2)
    with pytest.raises(StructureError, match=r"`model\.npz` has format 2\n(?s:.*)\nwhy: this version reads format 1"):
        nn.load(file, {"w": 0.0})
    np.savez(file, w=np.array([print], dtype=object), __adjoint_format__=1)
    with pytest.raises(StructureError, match="is no file of arrays: Object arrays cannot be loaded"):
        nn.load(file, {"w": 0.0})
    for content in (b"something else", b"", b"PK\x03\x04 cut off"):
        file.write_bytes(content)
        with pytest.raises(StructureError, match="is no file of arrays"):
            nn.load(file, {"w": 0.0})
    np.save(tmp_path / "array.npy", np.ones(2))
    with pytest.raises(StructureError, match="has no format"):
        nn.load(tmp_path / "array.npy", {"w": 0.0})
    with pytest.raises(FileNotFoundError):
        nn.load(tmp_path / "none.npz", {"w": 0.0})


def test_safetensors_of_others_are_refused(tmp_path: Path) -> None:
    arrays = needed("safetensors.numpy")
    file = tmp_path / "model.safetensors"
    arrays.save_file({"w": np.ones(1)}, file)
    with pytest.raises(StructureError, match="has no format of `adjoint`"):
        nn.load(file, {"w": np.zeros(1)})
    file.write_bytes(b"something else")
    with pytest.raises(StructureError, match="is no file of safetensors"):
        nn.load(file, {"w": np.zeros(1)})


def test_without_safetensors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def absent(name: str, *args: Any, **kwargs: Any) -> Any:
        if name.startswith("safetensors"):
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", absent)
    with pytest.raises(MissingLibraryError, match="asks for safetensors, which is not installed"):
        nn.save(tmp_path / "model.safetensors", {"w": 1.0})


def test_a_failed_save_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "model.npz"
    nn.save(file, {"w": 1.0})
    with pytest.raises(StructureError, match="`w` is an array of objects"):
        nn.save(file, {"w": np.array([None])})

    def broken(*args: Any, **kwargs: Any) -> None:
        raise OSError("no space")

    monkeypatch.setattr(np.lib.format, "write_array", broken)
    with pytest.raises(OSError, match="no space"):
        nn.save(file, {"w": 2.0})
    assert [path.name for path in tmp_path.iterdir()] == ["model.npz"] and nn.load(file, {"w": 0.0}) == {"w": 1.0}


UNFIT = [
    (np.int32(0), 2**40),
    (np.zeros(2, np.int32), np.array([1, 2**40])),
    (np.zeros(1, np.int64), np.array([2**63], np.uint64)),
    (np.float32(0), 1e300),
    (np.zeros(1, np.float16), np.array([2**20])),
    (np.zeros(1, np.complex64), np.array([1e300j])),
    (3, 2**70),
]


@pytest.mark.parametrize(("leaf", "found"), UNFIT)
def test_numbers_that_do_not_fit_are_refused(leaf: Any, found: Any) -> None:
    with pytest.raises(StructureError, match="at `n`.* not fit"):
        nn.load_state_dict({"n": leaf}, {"n": found})


def test_numbers_that_fit_are_taken() -> None:
    inf = nn.load_state_dict({"n": np.zeros(3, np.float32)}, {"n": np.array([np.inf, np.nan, 1e-300])})["n"]
    assert inf.dtype == np.float32 and np.isinf(inf[0]) and np.isnan(inf[1]) and inf[2] == 0
    loaded = nn.load_state_dict({"n": np.int32(0), "m": 0.0, "k": True}, {"n": 2**31 - 1, "m": 3})
    assert loaded["n"] == 2**31 - 1 and type(loaded["n"]) is np.int32 and type(loaded["m"]) is float


def test_keys_that_end_as_members_do(tmp_path: Path) -> None:
    nn.save(tmp_path / "m.npz", {"w": 1.0, "w.npy": 2.0, "w.npy.npy": 3.0})
    assert nn.load(tmp_path / "m.npz", {"w": 0.0, "w.npy": 0.0, "w.npy.npy": 0.0}) == {
        "w": 1.0,
        "w.npy": 2.0,
        "w.npy.npy": 3.0,
    }


@pytest.mark.parametrize("name", ["__adjoint_format__", "a\0b", "\ud800"])
def test_names_that_no_file_has_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(StructureError, match="which is no name in a file"):
        nn.save(tmp_path / "m.npz", {name: 1.0})


@pytest.mark.parametrize("number", [np.array([1, 1]), np.array("x"), np.array(1.5), np.array(7)])
def test_other_formats_are_refused(tmp_path: Path, number: Any) -> None:
    np.savez(tmp_path / "m.npz", w=1.0, __adjoint_format__=number)
    with pytest.raises(StructureError, match="`m.npz` has format"):
        nn.load(tmp_path / "m.npz", {"w": 0.0})


def test_what_safetensors_cannot_write(tmp_path: Path) -> None:
    numpy = needed("safetensors.numpy")
    file = tmp_path / "m.safetensors"
    for dtype in (np.complex128, np.longdouble):
        with pytest.raises(StructureError, match=f"cannot write the model: `w` is of {np.dtype(dtype)}"):
            nn.save(file, {"v": 1.0, "w": np.zeros(2, dtype)})
    assert not [*tmp_path.iterdir()]
    numpy.save_file({"w": np.zeros(1)}, file, metadata={"__adjoint_format__": "one"})
    with pytest.raises(StructureError, match="`m.safetensors` has format one"):
        nn.load(file, {"w": np.zeros(1)})
