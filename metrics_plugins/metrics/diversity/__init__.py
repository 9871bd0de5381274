"""Metrics of caption sets: diversity, and accuracy combined with diversity."""
