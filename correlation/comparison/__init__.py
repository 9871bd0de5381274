"""Comparison of metrics: tests of differences, corrections for multiple testing, compact letters."""
