"""Rules for `scipy.linalg`."""
