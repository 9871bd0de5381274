"""The JSON API of challenges."""
