"""Metrics that misbehave, and one that does not."""
