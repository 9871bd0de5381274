"""Correlation coefficients and pairwise accuracy, for one or many metrics, unweighted or weighted."""
