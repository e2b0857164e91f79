"""Surfaces: each projects the canonical text to what one place shows; a surface is one function in one file."""
