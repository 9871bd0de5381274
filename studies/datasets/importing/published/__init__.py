"""Published data sets: one module for each, and what two of them share."""
