"""Homes for users of other tools: modules with their names and conventions, over the derivatives of this library."""
