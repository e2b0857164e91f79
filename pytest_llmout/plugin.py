"""The pytest plugin: options, markers and fixtures; what they do stands elsewhere."""
