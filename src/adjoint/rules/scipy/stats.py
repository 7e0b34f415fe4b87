"""Rules for `scipy.stats`."""
