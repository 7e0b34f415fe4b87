"""Rules for `scipy.interpolate`."""
