"""Timings of metrics against their peers, and the tables of docs/metrics.md."""
