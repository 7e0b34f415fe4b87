"""Rules for `scipy.spatial`."""
