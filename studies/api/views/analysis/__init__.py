"""Analyses of a study as routes."""
