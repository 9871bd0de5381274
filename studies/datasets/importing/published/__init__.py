"""Published data sets, one module each, with their common code."""
