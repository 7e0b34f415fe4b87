"""Bridges to other frameworks, a module each: `torch`, `jax`, `pytensor`, `optree`.

None is imported before it is asked for.
"""
