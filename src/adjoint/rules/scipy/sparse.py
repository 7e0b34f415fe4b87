"""Rules for `scipy.sparse`."""
