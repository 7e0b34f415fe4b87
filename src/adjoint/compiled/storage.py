"""Files of compiled programs in a directory of the user's: one a program, read only if its digest is right."""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import logging
import os
import stat
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

fcntl: Any = None  # Windows has none: two processes may compile the same, and the later file stays
with contextlib.suppress(ImportError):
    fcntl = importlib.import_module("fcntl")

VARIABLE = "ADJOINT_CACHE_DIR"
MAX_BYTES = 500_000_000
"""Of all files together; those that have not been used for longest are removed."""
MAX_WAIT = 30.0
"""Seconds for which another process may compile the same program before it is compiled here too."""
STALE = 3600.0
"""Seconds after which what an interrupted process has left is removed."""
MAGIC = b"adjoint program 1\n"
SUFFIX, LOCK, PART = ".program", ".lock", ".part"
LOG = logging.getLogger("adjoint.compiled")
_SAFELY = sum(getattr(os, name, 0) for name in ("O_CLOEXEC", "O_NOFOLLOW", "O_NONBLOCK", "O_BINARY"))


def place() -> Path | None:
    """The folder where compiled programs are kept; None if they are not kept.

    >>> place() is None or place().is_absolute()
    True
    """
    named = os.environ.get(VARIABLE)
    if named is not None:
        return None if named in ("", "0") else Path(named).absolute()
    with contextlib.suppress(RuntimeError):  # there is no home
        if sys.platform == "win32":
            return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "adjoint" / "cache"
        if sys.platform == "darwin":
            return Path.home() / "Library" / "Caches" / "adjoint"
        base = os.environ.get("XDG_CACHE_HOME", "")
        return (Path(base) if os.path.isabs(base) else Path.home() / ".cache") / "adjoint"
    return None


def opened() -> Storage | None:
    """The storage, if it is switched on and its directory is ours alone.

    >>> opened() is None or opened().folder == place()
    True
    """
    folder = place()
    if folder is None:
        return None
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if _is_ours(folder.lstat(), stat.S_ISDIR):
            return Storage(folder)
        LOG.debug("%s is not used: it is a link, or others own it or may write to it", folder)
    except OSError as error:
        LOG.debug("%s is not used: %s", folder, error)
    return None


def _is_ours(found: os.stat_result, kind: Callable[[int], bool]) -> bool:
    """Tell whether a file of this kind belongs to this user, and nobody else may write to it."""
    if not kind(found.st_mode):
        return False
    if not hasattr(os, "geteuid"):
        return True  # of Windows, where the folder of the user says it
    return found.st_uid == os.geteuid() and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _opened_file(path: Path, flags: int) -> int:
    """A file that is ours, opened: no link is followed, and nothing waits for who may write to a pipe.

    Raises
    ------
    OSError
        If there is none, or what is there is no such file.
    """
    file = os.open(path, flags | _SAFELY, 0o600)
    if not _is_ours(os.fstat(file), stat.S_ISREG):
        os.close(file)
        raise PermissionError(f"{path} is no file of this user alone")
    return file


def digest_of(key: str, content: bytes) -> bytes:
    """The digest by which a file is verified: of its content, and of its key.

    >>> len(digest_of("key", b"content"))
    32
    """
    return hashlib.sha256(key.encode() + b"\n" + content).digest()


@dataclass(frozen=True)
class Storage:
    """A directory of compiled programs. Nothing here raises: what cannot be read is not there, and what cannot be
    written is not kept."""

    folder: Path

    def path(self, key: str) -> Path:
        """The path of a program's file."""
        return self.folder / (key + SUFFIX)

    def load(self, key: str) -> bytes | None:
        """The content stored for a key, if it is whole; a damaged file is removed."""
        path = self.path(key)
        try:
            with open(_opened_file(path, os.O_RDONLY), "rb") as file:
                found = file.read()
            start = len(MAGIC) + 32
            content = found[start:]
            if found[:start] == MAGIC + digest_of(key, content):
                with contextlib.suppress(OSError):
                    os.utime(path)
                return content
            LOG.debug("%s is damaged and is made again", path)
        except FileNotFoundError:
            return None
        except OSError as error:
            LOG.debug("%s cannot be read: %s", path, error)
        self.remove(key)
        return None

    def store(self, key: str, content: bytes) -> None:
        """Keep a program: the file appears when it is whole."""
        part = None
        try:
            with tempfile.NamedTemporaryFile(dir=self.folder, suffix=PART, delete=False) as file:
                part = file.name
                file.write(MAGIC + digest_of(key, content) + content)
            os.replace(part, self.path(key))
        except OSError as error:
            LOG.debug("nothing is kept in %s: %s", self.folder, error)
            if part is not None:
                _unlink(Path(part))
            return
        self.shrink()

    def remove(self, key: str) -> None:
        """Forget a program."""
        _unlink(self.path(key))

    def programs(self) -> list[tuple[float, int, Path]]:
        """When each was used last, how large it is, and its file; the latest first."""
        return sorted(self._files(SUFFIX), reverse=True)

    def _files(self, *suffixes: str) -> Iterator[tuple[float, int, Path]]:
        with contextlib.suppress(OSError):
            for path in self.folder.iterdir():
                with contextlib.suppress(OSError):  # another process removes it
                    found = path.lstat()
                    if path.suffix in suffixes and stat.S_ISREG(found.st_mode):
                        yield found.st_mtime, found.st_size, path

    def shrink(self) -> None:
        """Remove the oldest programs, if there are too many, and what interrupted processes have left."""
        total = 0
        for _, size, path in self.programs():
            total += size
            if total > MAX_BYTES:
                _unlink(path)
        for when, _, path in self._files(LOCK, PART):
            if time.time() - when > STALE:
                _unlink(path)

    def clear(self) -> int:
        """Remove all programs; how many there were."""
        found = [path for _, _, path in self._files(SUFFIX, LOCK, PART)]
        for path in found:
            _unlink(path)
        return sum(path.suffix == SUFFIX and not path.exists() for path in found)

    @contextlib.contextmanager
    def alone(self, key: str) -> Iterator[None]:
        """While no other process compiles this program. The system ends a lock with its process, so that none is left
        behind; whoever waits too long goes on."""
        file = self._locked(self.folder / (key + LOCK))
        try:
            yield
        finally:
            if file is not None:
                _unlink(self.folder / (key + LOCK))
                os.close(file)

    def _locked(self, path: Path) -> int | None:
        if fcntl is None:
            return None
        try:
            file = _opened_file(path, os.O_RDWR | os.O_CREAT)
        except OSError:
            return None
        until = time.monotonic() + MAX_WAIT
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return file
            except BlockingIOError:
                if time.monotonic() < until:
                    time.sleep(0.02)
                    continue
            except OSError:
                pass  # a file system without locks
            os.close(file)
            return None


def _unlink(path: Path) -> None:
    with contextlib.suppress(OSError):
        path.unlink(missing_ok=True)


__all__ = ["Storage", "opened", "place"]
