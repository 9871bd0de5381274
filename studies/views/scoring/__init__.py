"""Runs of metrics, and the metrics that are installed."""
