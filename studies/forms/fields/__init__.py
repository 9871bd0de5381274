"""Fields used by several forms."""
