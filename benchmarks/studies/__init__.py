"""Benchmarks of pages, imports and exports of large studies, and of many concurrent raters."""
