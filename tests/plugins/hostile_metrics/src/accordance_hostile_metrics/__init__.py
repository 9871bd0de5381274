"""Metrics that do what no metric should, and one that behaves."""
