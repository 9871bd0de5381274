"""Agreement of raters: coefficients, models of raters, strengths from choices, the human ceiling."""
