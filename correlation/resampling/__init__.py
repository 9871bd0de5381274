"""Resampling: the units drawn, the coefficients of resamples, and intervals."""
