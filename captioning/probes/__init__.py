"""Probes of metrics and captioners on worlds in which truth is known."""
