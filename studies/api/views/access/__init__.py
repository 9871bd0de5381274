"""Members, tokens and offers as routes."""
