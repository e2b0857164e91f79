"""How replies are written: features, profiles, reports."""
