"""Evaluation protocols: published protocols, and their evaluation on judgments and scores."""
