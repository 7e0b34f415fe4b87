"""Histories and their pictures; how far a training is, on standard error."""

from __future__ import annotations

import sys
import types
from typing import Any

import pytest
from interop.needed import needed
from nn.training.small import X, Y, fitted

from adjoint import nn
from adjoint.errors import MissingLibraryError, OptionError
from adjoint.progress import Progress


class TestHistory:
    def test_a_picture(self, tmp_path: Any) -> None:
        matplotlib = needed("matplotlib")
        matplotlib.use("Agg")
        import matplotlib.pyplot as plt

        axes = fitted(validation=(X, Y)).history.plot()
        assert [line.get_label() for line in axes.lines] == ["loss", "validation"]
        assert axes.get_yscale() == "log" and axes.get_xlabel() == "epoch"
        axes.figure.savefig(tmp_path / "loss.png")
        one = fitted(epochs=1).history
        own = plt.subplots()[1]
        assert one.plot(axes=own) is own and own.get_xlabel() == "step" and len(own.lines[0].get_xdata()) == 4
        some = fitted(validation=lambda m: {"accuracy": 0.5, "norm": 2.0}).history
        assert [line.get_label() for line in some.plot().lines] == ["loss"]
        axes = some.plot("accuracy", "norm")
        assert [line.get_label() for line in axes.lines] == axes.get_ylabel().split(" and ") == ["accuracy", "norm"]
        with pytest.raises(OptionError, match="nothing was logged as `acuracy`"):
            some.plot("acuracy")
        plt.close("all")

    def test_without_matplotlib(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "matplotlib", None)
        monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
        with pytest.raises(MissingLibraryError, match="`plot` needs matplotlib"):
            nn.History().plot()


class TestProgress:
    """Ten lines where it cannot be drawn, a bar where it can, by tqdm where that is installed."""

    def test_lines(self, capsys: Any) -> None:
        fitted(epochs=10, progress=True)
        out, err = capsys.readouterr()
        assert out == "" and len(err.splitlines()) == 10 and "40/40  loss" in err

    def test_lines_where_nobody_knows_how_many_batches(self, capsys: Any) -> None:
        class Stream:
            def __iter__(self) -> Any:
                return iter([(X, Y)])

        fitted(batches=Stream(), epochs=10, progress=True)
        assert len(capsys.readouterr().err.splitlines()) == 10

    @pytest.mark.parametrize("installed", [True, False])
    def test_a_terminal(self, installed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
        written: list[str] = []
        terminal = types.SimpleNamespace(isatty=lambda: True, write=written.append, flush=lambda: None)
        monkeypatch.setattr(sys, "stderr", terminal)
        bars = []

        class Bar:
            def __init__(self, total: int, unit: str) -> None:
                self.n, self.total, self.closed = 0, total, False
                bars.append(self)

            def set_postfix_str(self, text: str, refresh: bool) -> None:
                assert text.startswith("loss ")

            def update(self, n: int) -> None:
                self.n += n

            def close(self) -> None:
                self.closed = True

        module = types.SimpleNamespace(tqdm=Bar) if installed else None
        monkeypatch.setitem(sys.modules, "tqdm", types.ModuleType("tqdm") if installed else None)
        monkeypatch.setitem(sys.modules, "tqdm.auto", module)
        with Progress(20) as bar:
            for _ in range(20):
                bar.advance("loss 0.5")
        if installed:
            assert (bars[0].n, bars[0].total, bars[0].closed) == (20, 20, True) and written == []
        else:
            assert bars == [] and "20/20" in written[-2] and written[-1] == "\n"
