"""Provider-native JSON modes: the same output type, as each provider wants it in a request. One provider a file."""
