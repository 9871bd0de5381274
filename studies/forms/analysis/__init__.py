"""Forms for the explorer, other pages of results, and planning."""
