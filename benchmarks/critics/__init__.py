"""Benchmarks of the learned critics."""
