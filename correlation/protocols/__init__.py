"""Protocols: the published recipes, and their evaluation on judgments and scores."""
