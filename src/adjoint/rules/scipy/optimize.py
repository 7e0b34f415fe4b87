"""Rules for `scipy.optimize`."""
