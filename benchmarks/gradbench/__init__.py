"""GradBench's problems in ordinary Python, and its protocol: `python -m benchmarks.gradbench`."""
