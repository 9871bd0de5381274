"""Views of the API of challenges."""
