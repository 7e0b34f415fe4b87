"""Functions of the standard library that read texts, bytes, paths and the environment, and do nothing else."""

from __future__ import annotations

import base64
import binascii
import datetime
import fnmatch
import hashlib
import json
import os
import re
import shlex
import string
import struct
import textwrap
import types
import zlib
from collections.abc import Iterator
from typing import Any

from .effects import Alloc, Calls, Effects
from .registry import each, op

READING: Effects = (Alloc(),)
_HOOKS = ("cls", "object_hook", "parse_float", "parse_int", "parse_constant", "object_pairs_hook")
_WRITING_FILES = frozenset(["encode", "decode"])
"""Functions of `base64` that take files."""


def _public(module: Any) -> Iterator[Any]:
    """The functions that a module names in `__all__`."""
    found = [getattr(module, name) for name in module.__all__ if name not in _WRITING_FILES]
    return (f for f in found if isinstance(f, types.FunctionType | types.BuiltinFunctionType))


op(re.sub, re.subn, effects=(*READING, Calls("repl")), parameters="pattern repl string count flags")
op(json.dumps, effects=(*READING, Calls("default"), Calls("cls")))
op(json.loads, effects=(*READING, *map(Calls, _HOOKS)))
_PLAIN = (
    *(re.compile, re.match, re.fullmatch, re.search, re.split, re.findall, re.finditer, re.escape),
    *(os.getenv, os.fspath, os.getcwd, os.cpu_count, os.getpid),
    *(shlex.split, shlex.join, shlex.quote, string.capwords),
    *(struct.pack, struct.unpack, struct.calcsize),
    *(zlib.crc32, zlib.adler32, zlib.compress, zlib.decompress, binascii.hexlify, binascii.unhexlify),
    *(getattr(hashlib, name) for name in sorted(hashlib.algorithms_guaranteed) if hasattr(hashlib, name)),
    *(f for module in (os.path, textwrap, fnmatch, base64) for f in _public(module)),
)
each(READING, *_PLAIN)

OF_TEXTS = frozenset([*_PLAIN, re.sub, re.subn, json.dumps, json.loads])
"""All of them. Some call what they are handed by a keyword, or in place of a text: their rows say which."""
CLASSES = (
    re.Pattern,
    re.Match,
    type(hashlib.md5()),
    datetime.date,
    datetime.time,
    datetime.timedelta,
    datetime.timezone,
)
"""Classes in C whose methods do no more, but for those that change the object by their name, and those that call."""
CALLING = frozenset([re.Pattern.sub, re.Pattern.subn])
ENVIRONMENT = type(os.environ)
ASKING_ENVIRONMENT = frozenset(["get", "keys", "values", "items", "copy"])
"""Methods of it that only read."""

__all__ = ["ASKING_ENVIRONMENT", "CALLING", "CLASSES", "ENVIRONMENT", "OF_TEXTS"]
