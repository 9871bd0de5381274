"""Comparisons of metrics: tests of differences, corrections for many tests, rank clusters."""
