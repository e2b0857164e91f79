"""What is raised when this package is misused; text from a model never raises."""


class UsageError(Exception):
    """The caller's input cannot be used; the message says what, where, and what to do next."""
