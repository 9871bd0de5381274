"""A broken plugin."""
