"""Derivatives by finite differences, and values taken apart into the numbers that differences are taken by."""
