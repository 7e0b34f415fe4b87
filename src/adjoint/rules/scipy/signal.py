"""Rules for `scipy.signal`."""
