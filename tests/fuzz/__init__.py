"""Random programs as source text, and what must hold for each: `python -m tests.fuzz --help`."""
