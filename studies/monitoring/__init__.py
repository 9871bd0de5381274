"""Monitoring of a study: live counts, quality of raters, exclusion, stopping rules."""
