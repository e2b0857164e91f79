"""Where an application uses the contract: one answer, canonicalised once, read by everything downstream."""
