"""How a study goes: live counts, quality of raters, exclusion, stopping rules."""
