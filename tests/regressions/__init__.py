"""Gradients that other tools got wrong, as their users reported them, each in a few lines of ordinary Python."""
