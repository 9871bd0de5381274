"""Runs of metrics that users request on pages: requesting, background scoring, pausing and resuming."""
