"""Recorded replies: the record, the store, the recorder."""
