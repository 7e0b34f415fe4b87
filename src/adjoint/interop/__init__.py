"""Bridges to other frameworks, a module each: `torch`, `jax`, `optree`. None is imported before it is asked for."""
