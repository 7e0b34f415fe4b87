"""Rules for `scipy.ndimage`."""
