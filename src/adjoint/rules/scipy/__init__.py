"""Rules for SciPy, by module: each is loaded when the program has imported that module."""
