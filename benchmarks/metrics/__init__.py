"""Benchmarks of metrics against other implementations, and the generator of docs/metrics.md."""
