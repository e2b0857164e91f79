"""Implementations with a planted fault, which prove the power of each invariant."""
