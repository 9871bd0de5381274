"""Metric plugins as pages and commands see them: the installed ones, the catalogue, conformance checks."""
