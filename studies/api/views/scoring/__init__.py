"""Metrics and runs as routes."""
