"""Pages for runs of metrics and installed metrics."""
