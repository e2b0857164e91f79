"""Dialect features, one family per file."""
