"""Choosing among many captions: DPP selection, best of k, re-ranking by mutual information."""
