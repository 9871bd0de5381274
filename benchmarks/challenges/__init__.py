"""Benchmarks of challenges."""
