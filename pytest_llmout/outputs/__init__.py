"""Output types, one datatype per file."""
