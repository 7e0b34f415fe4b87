"""Rules for `scipy.special`."""
