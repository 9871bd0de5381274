"""Benchmarks of the pages of challenges."""
