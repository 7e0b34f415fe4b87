"""A module of the user's whose names are stored into."""

from types import SimpleNamespace

scale = 1.0
inner = SimpleNamespace(history=[1.0])
