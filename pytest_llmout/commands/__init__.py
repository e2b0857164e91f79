"""The subcommands of `llmout`, one module each, imported only when called."""
