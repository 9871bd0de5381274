"""Forms of challenges."""
