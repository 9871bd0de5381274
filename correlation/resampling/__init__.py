"""Resampling: which units are drawn, coefficients of the draws, intervals from them."""
