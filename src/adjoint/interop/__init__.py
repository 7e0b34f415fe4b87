"""Bridges to other frameworks, a module each: `torch`, `jax`. None is imported before it is asked for."""
