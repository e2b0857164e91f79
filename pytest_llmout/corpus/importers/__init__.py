"""Importers: one module for each format in which people already hold replies.

A module becomes an importer by an entry point in the group `pytest_llmout.importers`; the name of the entry point is
the name of the format. `pytest_llmout.corpus.importers.importer.Importer` says what such a module holds.
"""
