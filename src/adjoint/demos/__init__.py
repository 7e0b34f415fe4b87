"""The parts that the scripts of `examples/` share, so that each runs by itself: command line, pictures, data."""
